//! One position, proven by many: jobs at the leaves of a tree.

use super::{Process, Server, job_of, publish, talk};
use crate::common::{self, documents};
use serde_json::json;
use std::process::Stdio;

/// One position is proven by jobs at the leaves of a tree, and their proofs make one.
#[test]
fn one_position_is_proven_by_many() {
    let Some(server) = Server::start("one") else { return };
    let proof = server.path("whole.proof");
    let solve = "solve connect-four:4x4 --algorithm dfpn --tt 16M --json";
    let alone = common::json(solve);
    let (_one, mut two, _three) = (server.worker("a"), server.worker("b"), server.worker("c"));
    let arguments = format!("{solve} --certificate {proof} --on {}", server.url());
    let mut asking = Process::start_in(&arguments, Stdio::piped(), Stdio::piped());
    // One of them goes in the middle of it.
    while asking.is_running() && server.answers() < 3 {}
    two.kill();
    let (status, out, errors) = asking.end_with_output();
    assert_eq!(status, Some(0), "{errors}");
    let there = &documents(&out)[0];
    for field in ["value", "settled", "goal", "algorithm", "player", "position"] {
        assert_eq!(there[field], alone[field], "{field}");
    }
    assert_eq!(there["certificate"]["file"], proof);
    let checked = common::json(&format!("check {proof} --json"));
    assert_eq!((&checked["accepted"], &checked["position"]), (&json!(true), &alone["position"]));
    assert_eq!(checked["claims"].as_array().unwrap().len(), 2, "a draw is two claims");
    server.is_clean();
}

/// Who asks about one position is killed: the tree grows again from the answers that there are.
#[test]
fn a_proof_goes_on_from_the_answers_that_there_are() {
    let Some(server) = Server::start("tree") else { return };
    let solve = format!(
        "solve connect-four:4x4 --algorithm dfpn --tt 16M --goal win --json --on {}",
        server.url()
    );
    let _worker = server.worker("one");
    let mut asking = Process::start(&solve);
    while asking.is_running() && server.answers() < 4 {}
    asking.kill();
    let (status, out, errors) =
        Process::start_in(&solve, Stdio::piped(), Stdio::piped()).end_with_output();
    assert_eq!(status, Some(0), "{errors}");
    assert_eq!(documents(&out)[0]["value"], "not-win");
    server.is_clean();
}

/// A liar says of each job that it is won.
#[test]
fn a_liar_proves_nothing() {
    let Some(server) = Server::start("one-liar") else { return };
    let proof = server.path("whole.proof");
    let solve = "solve connect-four:4x4 --algorithm dfpn --tt 16M --goal win --json";
    let asking = Process::start_in(
        &format!("{solve} --certificate {proof} --on {}", server.url()),
        Stdio::piped(),
        Stdio::piped(),
    );
    talk(&server, async |context| {
        let (job, sequence) = job_of(&context, 0).await;
        context.get_stream("PROOFWOOD_JOBS").await.unwrap().delete_message(sequence).await.unwrap();
        let mut lie = common::json(solve);
        lie["value"] = json!("win");
        let done = json!({"solved": {"json": lie.to_string()}});
        assert!(publish(&context, &job, "liar", done).await);
    });
    let _honest = server.worker("honest");
    let (status, out, errors) = asking.end_with_output();
    assert_eq!(status, Some(0), "{errors}");
    assert!(errors.contains("the worker liar is thrown out: its answer has no proof"), "{errors}");
    assert_eq!(documents(&out)[0]["value"], "not-win");
    assert_eq!(common::run(&format!("check {proof}")).0, 0);
}
