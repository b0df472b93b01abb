//! Reads the files in `tests/data`.

use serde::de::DeserializeOwned;
use std::fs;
use std::path::PathBuf;

fn path(file: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "data", file].iter().collect()
}

pub(crate) fn jsonl<T: DeserializeOwned>(file: &str) -> Vec<T> {
    let text = fs::read_to_string(path(file)).expect(file);
    text.lines().map(|line| serde_json::from_str(line).expect(file)).collect()
}

/// Returns the rows of a CSV file, each as a list of its fields.
pub(crate) fn csv_rows(file: &str) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_path(path(file)).expect(file);
    let rows = reader.records().map(|row| row.expect(file).iter().map(str::to_string).collect());
    rows.collect()
}
