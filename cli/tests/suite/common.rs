//! Helpers of all tests of a program, `crate::PROGRAM`. The laboratory's tests include this file.

use assert_cmd::Command;
use serde_json::Value;
use std::process::Output;

pub use crate::PROGRAM;

/// The program with these arguments, cut at spaces; `_` in an argument is a
/// space, unless it is a path from the root.
pub fn proofwood(arguments: &str) -> Command {
    let mut command = Command::new(PROGRAM);
    let read = |argument: &str| match argument.starts_with('/') {
        true => argument.to_string(),
        false => argument.replace('_', " "),
    };
    command.args(arguments.split(' ').filter(|a| !a.is_empty()).map(read));
    command
}

/// Runs it; answers its exit status, standard output and standard error.
pub fn run(arguments: &str) -> (i32, String, String) {
    outcome(proofwood(arguments).output().expect("the program starts"))
}

/// Runs it on some standard input.
pub fn run_with_input(arguments: &str, input: &str) -> (i32, String, String) {
    outcome(proofwood(arguments).write_stdin(input).output().expect("the program starts"))
}

/// Takes an output apart.
pub fn outcome(output: Output) -> (i32, String, String) {
    (
        output.status.code().expect("the program is not killed"),
        String::from_utf8(output.stdout).expect("the output is text"),
        String::from_utf8(output.stderr).expect("the errors are text"),
    )
}

/// The JSON documents in an output, one a line.
pub fn documents(output: &str) -> Vec<Value> {
    output.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// Runs it and reads the one JSON document that it must print.
pub fn json(arguments: &str) -> Value {
    let (status, output, errors) = run(arguments);
    assert_eq!(errors, "", "{arguments}");
    assert!(matches!(status, 0 | 10), "{arguments}: {status}");
    let mut documents = documents(&output);
    assert_eq!(documents.len(), 1, "{arguments}: {output}");
    documents.remove(0)
}

/// Runs it where it must fail; answers the one line that it complains with.
pub fn complaint(arguments: &str, status: i32) -> String {
    let (got, output, errors) = run(arguments);
    assert_eq!(got, status, "{arguments}: {errors}");
    assert_eq!(errors.lines().count(), 1, "{arguments}: {errors}");
    let line = errors.trim_end().strip_prefix("proofwood: ");
    let line = line.unwrap_or_else(|| panic!("{arguments}: {errors}"));
    // Who reads JSON reads the same there.
    match arguments.split(' ').any(|argument| argument == "--json") {
        true => {
            assert_eq!(documents(&output), [serde_json::json!({ "error": line })], "{arguments}")
        }
        false => assert_eq!(output, "", "{arguments}"),
    }
    errors
}
