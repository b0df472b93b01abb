//! Compares the JSON Schema of `analyze` with the types of queries and answers.

use crate::types::Types;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const SCHEMA: &str = include_str!("../../data/analyze.schema.json");

/// Reads the types of queries and answers.
fn types() -> Types {
    Types::read(&[
        (
            include_str!("../../../any-game/src/answer/mod.rs"),
            &[
                ("Answered", "Answered"),
                ("Answer", "Answer"),
                ("Setting", "Setting"),
                ("MoveAnswer", "Move"),
                ("ProofAnswer", "ProofAnswer"),
                ("QuestionAnswer", "Question"),
            ][..],
        ),
        (
            include_str!("../../../any-game/src/answer/write.rs"),
            &[("ExpectedAnswer", "Expected")][..],
        ),
        (include_str!("../../src/analyze/answer.rs"), &[("Reply", "Reply")][..]),
        (include_str!("../../../any-game/src/query/mod.rs"), &[("Task", "Task"), ("Stop", "Stop")]),
    ])
}

/// Returns the JSON Schema of the lines of `analyze`.
fn schema(types: &Types) -> Value {
    let id = json!({ "type": ["string", "number"] });
    let query = |name: &str, ask: Value, required: &[&str]| {
        let mut query = types.schema(name, false);
        query["properties"]["id"] = id.clone();
        query["properties"]["ask"] = ask;
        query["required"] = json!(required);
        query
    };
    let mut parts: Vec<Value> =
        ["error", "no_results", "stopped", "version"].map(|it| json!({ "required": [it] })).into();
    parts
        .extend(["Answer", "ProofAnswer"].map(|name| json!({ "$ref": format!("#/$defs/{name}") })));
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:proofwood:analyze",
        "title": "Queries and answers of `proofwood analyze`, one JSON object a line",
        "anyOf": [{ "$ref": "#/$defs/query" }, { "$ref": "#/$defs/answer" }],
        "$defs": {
            "query": { "oneOf": [
                query("Task", json!({ "enum": ["search", "solve"] }), &["id"]),
                query("Stop", json!({ "const": "stop" }), &["id", "ask"]),
                {
                    "type": "object", "required": ["id", "ask"], "additionalProperties": false,
                    "properties": { "id": id, "ask": { "const": "version" } },
                },
            ] },
            "answer": {
                "allOf": [types.schema("Reply", true)], "anyOf": parts,
                "unevaluatedProperties": false,
            },
        },
    });
    for name in ["Answer", "ProofAnswer", "Setting", "Move", "Question", "Expected"] {
        let mut part = types.schema(name, name.ends_with("Answer"));
        if name.ends_with("Answer") {
            let Value::Object(own) = types.schema("Answered", true)["properties"].take() else {
                unreachable!()
            };
            part["properties"].as_object_mut().expect("properties").extend(own);
        }
        schema["$defs"][name] = part;
    }
    schema
}

/// Checks that the schema file is up to date; `PROOFWOOD_DECLARE=1` rewrites it.
#[test]
fn the_schema_is_that_of_the_types() {
    let schema = serde_json::to_string_pretty(&schema(&types())).unwrap() + "\n";
    if std::env::var_os("PROOFWOOD_DECLARE").is_some() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/analyze.schema.json");
        fs::write(file, schema).unwrap();
        return;
    }
    assert_eq!(SCHEMA, schema, "run the test with PROOFWOOD_DECLARE=1");
}
