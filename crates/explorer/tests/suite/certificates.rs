//! Certificates of ten games: checked, walked to their ends, and refused when altered.
//!
//! The files stay in `target/tmp/certificates`, where the browser tests find them.

use super::{fault, good, last};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use proofwood::{Budget, CancelToken, ProverConfig};
use proofwood_explorer::Engine;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// Games that are proven in about a second or less.
const GAMES: [&str; 10] = [
    "tic-tac-toe",
    "connect-four:4x4",
    "mnk:4,3,3",
    "hex:3",
    "domineering:4x4",
    "clobber:4x3",
    "dots-and-boxes:2x1",
    "breakthrough:4x4",
    "othello:4",
    "atari-go:4",
];

/// Proves the game's start; returns the certificate.
fn certificate(game: &str) -> Vec<u8> {
    let start = proofwood_any_game::find(game).expect("a game").start();
    let config = ProverConfig::default().threads(1).table(16 << 20).keep_proofs(true);
    let mut proof = start.prove(&config).expect("a prover");
    proof.start(&Budget::default()).expect("a start");
    assert!(proof.wait().expect("an answer").solved, "{game}");
    let mut bytes = Vec::new();
    let never = CancelToken::new();
    proof.certify(game, &start.text(), &never, &mut bytes).expect("a certificate");
    bytes
}

fn open(engine: &mut Engine, bytes: &[u8]) -> Value {
    last(engine, json!({ "ask": "open", "certificate": STANDARD.encode(bytes) }))
}

/// Walks through a claim's proof to the end of a game, always by the first reply or always by the
/// last; returns the number of moves.
fn walk(engine: &mut Engine, claim: usize, last_reply: bool) -> usize {
    let mut path: Vec<Value> = Vec::new();
    loop {
        let at = good(engine, json!({ "ask": "walk", "claim": claim, "path": path }));
        assert_eq!(at["played"].as_array(), Some(&path), "{at}");
        if at["over"] == true {
            assert_eq!((&at["answer"], &at["left"]), (&Value::Null, &json!(0)), "{at}");
            return path.len();
        }
        let replies = at["replies"].as_array().expect("a list");
        let next = match at["answer"].as_str() {
            Some(answer) => {
                assert!(replies.is_empty(), "{at}");
                json!(answer)
            }
            None => {
                let legal = at["legal"].as_array().expect("a list");
                assert_eq!(legal.len(), replies.len(), "every move is answered");
                let reply = if last_reply { replies.last() } else { replies.first() };
                reply.expect("a reply")["move"].clone()
            }
        };
        path.push(next);
        assert!(path.len() < 200, "{path:?}");
    }
}

#[test]
fn certificates_are_checked_and_walked() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("certificates");
    fs::create_dir_all(&folder).expect("a folder");
    let mut engine = Engine::new(1);
    for game in GAMES {
        let bytes = certificate(game);
        let opened = open(&mut engine, &bytes);
        assert_eq!(opened["accepted"], true, "{game}: {opened}");
        assert_eq!((&opened["game"], &opened["bytes"]), (&json!(game), &json!(bytes.len())));
        assert!(opened["entries"].as_u64() > Some(1), "{opened}");
        let claims = opened["claims"].as_array().expect("a list").clone();
        let mut left = 0;
        for (number, claim) in claims.iter().enumerate() {
            assert!(claim["text"].is_string(), "{claim}");
            let root = good(&mut engine, json!({ "ask": "walk", "claim": number }));
            left += root["left"].as_u64().expect("a number") + 1;
            for last_reply in [false, true] {
                assert!(walk(&mut engine, number, last_reply) > 0, "{game}");
            }
        }
        // All entries are below the roots.
        assert_eq!(opened["entries"], left, "{game}");
        let wrong = json!({ "ask": "walk", "claim": 0, "path": ["z99"] });
        assert!(fault(&mut engine, wrong).contains("z99"));
        let wrong = json!({ "ask": "walk", "claim": claims.len() });
        assert!(fault(&mut engine, wrong).contains("claim"));
        fs::write(folder.join(game.replace(':', "-") + ".proof"), &bytes).expect("a file");
    }
}

#[test]
fn an_altered_certificate_is_refused() {
    let mut engine = Engine::new(1);
    let bytes = certificate("tic-tac-toe");
    assert_eq!(open(&mut engine, &bytes)["accepted"], true);
    for at in (0..bytes.len()).step_by(bytes.len() / 40) {
        let mut altered = bytes.clone();
        altered[at] ^= 0x10;
        let opened = open(&mut engine, &altered);
        // Some bytes of the compressed file's head are ignored.
        if opened["accepted"] == true {
            assert!(at < 10, "{at}: {opened}");
            continue;
        }
        let why = opened["reason"].as_str().or(opened["error"].as_str());
        assert!(!why.expect("a reason").contains('\n'), "{opened}");
        let walked = last(&mut engine, json!({ "ask": "walk" }));
        assert_eq!(walked["error"], "no certificate is open");
    }
    assert!(open(&mut engine, &bytes[..bytes.len() / 2])["accepted"] != true);
}
