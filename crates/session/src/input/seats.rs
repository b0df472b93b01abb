//! Parses the seats that the engine takes in a game.

use crate::Trouble;
use std::collections::BTreeSet;

/// Parses the seats of the engine; `None` means all but the first.
pub fn seats(text: Option<&str>, names: &[String]) -> Result<BTreeSet<usize>, Trouble> {
    let wrong = |seat: &str| {
        let (names, last) = (names.join(", "), names.len() - 1);
        Trouble::Input(format!(
            "--engine: there is no player '{seat}'; give {names}, a number from 0 to {last}, all \
             or none"
        ))
    };
    let seat = |text: &str| {
        let named = names.iter().position(|name| name.eq_ignore_ascii_case(text));
        let numbered = || text.parse().ok().filter(|&seat| seat < names.len());
        named.or_else(numbered).ok_or_else(|| wrong(text))
    };
    match text.map(str::trim) {
        None => Ok((1..names.len()).collect()),
        Some("all") => Ok((0..names.len()).collect()),
        Some("none") => Ok(BTreeSet::new()),
        Some(list) => list.split(',').map(|text| seat(text.trim())).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engine_sits_where_it_is_told() {
        let seats = |text, names: &str| {
            let names: Vec<String> = names.split(' ').map(str::to_string).collect();
            seats(text, &names).map(Vec::from_iter)
        };
        assert_eq!(seats(None, "A B C").unwrap(), [1, 2]);
        assert_eq!(seats(Some("all"), "x o").unwrap(), [0, 1]);
        assert!(seats(Some("none"), "x o").unwrap().is_empty());
        assert_eq!(seats(Some("2, 0"), "A B C").unwrap(), [0, 2]);
        assert_eq!(seats(Some("black,0"), "White Black").unwrap(), [0, 1]);
        for wrong in ["2", "-1", "", "first"] {
            let error = seats(Some(wrong), "x o").unwrap_err().to_string();
            assert!(error.contains("give x, o, a number from 0 to 1"), "{error}");
        }
    }
}
