//! The engine's messages, as the page uses them, and the page over HTTP.

mod certificates;
mod messages;
#[cfg(feature = "serve")]
mod serve;

use proofwood_explorer::Engine;
use serde_json::{Value, json};
use std::time::Duration;

/// Sends a request and lets the engine work until the last answer; returns all answers.
fn ask(engine: &mut Engine, request: Value) -> Vec<Value> {
    let mut request = request;
    if request.get("id").is_none() {
        request["id"] = json!(1);
    }
    engine.ask(&request.to_string());
    let mut answers = Vec::new();
    loop {
        for line in engine.step(Duration::from_millis(100)) {
            let answer: Value = serde_json::from_str(&line).expect("a line of JSON");
            assert!(!line.contains('\n'), "{line}");
            answers.push(answer);
        }
        let done = |answer: &Value| answer["id"] == request["id"] && answer["done"] == true;
        if answers.iter().any(done) {
            return answers;
        }
        assert!(engine.is_busy(), "no last answer to {request}: {answers:?}");
    }
}

fn last(engine: &mut Engine, request: Value) -> Value {
    let mut answers = ask(engine, request);
    answers.pop().expect("an answer")
}

/// Returns the last answer, which must not be an error.
fn good(engine: &mut Engine, request: Value) -> Value {
    let answer = last(engine, request.clone());
    assert_eq!(answer.get("error"), None, "{request}");
    answer
}

/// Returns the error of the last answer, in one line.
fn fault(engine: &mut Engine, request: Value) -> String {
    let answer = last(engine, request.clone());
    let error = answer["error"].as_str().unwrap_or_else(|| panic!("{request}: {answer}"));
    assert!(!error.contains('\n') && !error.is_empty() && error.len() < 2000, "{error}");
    error.to_string()
}
