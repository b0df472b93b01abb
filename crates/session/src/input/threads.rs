//! How many threads there are to be: lists of numbers, and the cores.

use super::options::SearchOptions;
use crate::Trouble;
use proofwood::Config;

/// The number of cores, which is that of threads where nothing is said.
pub fn cores() -> usize {
    Config::default().threads
}

/// The numbers of threads that `--threads` lists, each once and in order.
pub fn thread_list(options: &mut SearchOptions, usual: &[usize]) -> Result<Vec<usize>, Trouble> {
    let mut list = match options.take("threads") {
        None => usual.to_vec(),
        Some(text) => read_threads(&text)?,
    };
    list.sort_unstable();
    list.dedup();
    Ok(list)
}

/// The numbers of a list.
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
