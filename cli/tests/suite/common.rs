//! Helpers for all tests of a program, `crate::PROGRAM`. The laboratory's tests include this file.

use assert_cmd::Command;
use serde_json::Value;
use std::process::Output;

pub use crate::PROGRAM;

/// Returns the command with these arguments, split at spaces. `_` in an argument represents a
/// space, unless the argument is an absolute path.
pub fn proofwood(arguments: &str) -> Command {
    let mut command = Command::new(PROGRAM);
    let read = |argument: &str| match argument.starts_with('/') {
        true => argument.to_string(),
        false => argument.replace('_', " "),
    };
    command.args(arguments.split(' ').filter(|a| !a.is_empty()).map(read));
    command
}

/// Runs the program; returns its exit status, standard output and standard error.
pub fn run(arguments: &str) -> (i32, String, String) {
    outcome(proofwood(arguments).output().expect("the program starts"))
}

pub fn run_with_input(arguments: &str, input: &str) -> (i32, String, String) {
    outcome(proofwood(arguments).write_stdin(input).output().expect("the program starts"))
}

/// Returns the exit status, standard output and standard error of a program that has ended.
pub fn outcome(output: Output) -> (i32, String, String) {
    (
        output.status.code().expect("the program is not killed"),
        String::from_utf8(output.stdout).expect("the output is text"),
        String::from_utf8(output.stderr).expect("the errors are text"),
    )
}

pub fn documents(output: &str) -> Vec<Value> {
    output.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// Runs the program and returns the one JSON document that it must print.
pub fn json(arguments: &str) -> Value {
    let (status, output, errors) = run(arguments);
    assert_eq!(errors, "", "{arguments}");
    assert!(matches!(status, 0 | 10), "{arguments}: {status}");
    let mut documents = documents(&output);
    assert_eq!(documents.len(), 1, "{arguments}: {output}");
    documents.remove(0)
}

/// Runs the program, which must fail; returns its one-line error.
pub fn complaint(arguments: &str, status: i32) -> String {
    let (got, output, errors) = run(arguments);
    assert_eq!(got, status, "{arguments}: {errors}");
    assert_eq!(errors.lines().count(), 1, "{arguments}: {errors}");
    let line = errors.trim_end().strip_prefix("proofwood: ");
    let line = line.unwrap_or_else(|| panic!("{arguments}: {errors}"));
    // With `--json` the error is printed as JSON, too.
    match arguments.split(' ').any(|argument| argument == "--json") {
        true => {
            assert_eq!(documents(&output), [serde_json::json!({ "error": line })], "{arguments}")
        }
        false => assert_eq!(output, "", "{arguments}"),
    }
    errors
}
