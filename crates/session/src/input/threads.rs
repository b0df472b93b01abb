//! Parses lists of thread counts.

use super::options::SearchOptions;
use crate::Trouble;
use proofwood::Config;

/// Returns the number of cores, which is the default number of threads.
pub fn cores() -> usize {
    Config::default().threads
}

/// Returns the thread counts listed by `--threads`, or `usual` without that option, sorted and
/// without duplicates.
pub fn thread_list(options: &mut SearchOptions, usual: &[usize]) -> Result<Vec<usize>, Trouble> {
    let mut list = match options.take("threads") {
        None => usual.to_vec(),
        Some(text) => read_threads(&text)?,
    };
    list.sort_unstable();
    list.dedup();
    Ok(list)
}

/// Parses a comma-separated list of thread counts.
pub fn read_threads(text: &str) -> Result<Vec<usize>, Trouble> {
    let mut list = Vec::new();
    for number in text.split(',') {
        let mut config = Config::default();
        config.set("threads", number)?;
        list.push(config.threads);
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_listed_once_and_in_order() {
        let list = thread_list(&mut SearchOptions::default(), &[1, 4, 2, 2]).unwrap();
        assert_eq!(list, [1, 2, 4]);
    }
}
