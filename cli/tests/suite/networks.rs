//! Networks as evaluators.

use crate::common::{complaint, json, outcome, proofwood};

/// The folder with the networks, relative to the tests' folder.
const MODELS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/nets/models");

#[test]
fn a_network_gives_priors_and_plays() {
    for (game, file, best) in
        [("connect-four", "connect-four", Some("4")), ("othello", "othello", None)]
    {
        let leaves = format!("--leaves {MODELS}/{file}.safetensors");
        let answer = json(&format!("search {game} --playouts 200 --threads 1 {leaves} --json"));
        let moves = answer["moves"].as_array().unwrap();
        let priors: f64 = moves.iter().map(|known| known["prior"].as_f64().unwrap()).sum();
        assert!((priors - 1.0).abs() < 0.01, "{answer}");
        if let Some(best) = best {
            assert_eq!(answer["best_move"], best);
        }
    }
}

#[test]
fn a_contender_of_a_match_may_have_a_network() {
    let a = "--a=--leaves_connect-four.safetensors";
    let mut program = proofwood(&format!("match connect-four {a} --b= --playouts 60 --games 4"));
    let (status, output, errors) = outcome(program.current_dir(MODELS).output().unwrap());
    assert_eq!((status, &*errors), (0, ""));
    assert!(output.contains("--leaves connect-four.safetensors"), "{output}");
}

#[test]
fn what_is_no_network_for_the_game_is_refused() {
    let folder = env!("CARGO_MANIFEST_DIR");
    for (arguments, parts) in [
        (format!("othello:6 --leaves {MODELS}/othello.safetensors"), "for othello:8"),
        (format!("othello --leaves {MODELS}/connect-four.safetensors"), "for connect-four:7x6,k=4"),
        (format!("hex --leaves {MODELS}/othello.safetensors"), "for connect-four and othello"),
        (format!("othello --leaves {folder}/none.safetensors"), "none.safetensors: "),
    ] {
        let line = complaint(&format!("search {arguments} --playouts 10"), 2);
        assert!(line.contains("--leaves: ") && line.contains(parts), "{arguments}: {line}");
    }
}
