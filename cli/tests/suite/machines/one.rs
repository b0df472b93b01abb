//! Proofs of one position by many workers, which share table entries.

use super::{Process, Server, job_of, publish, talk};
use crate::common::{self, documents};
use futures_util::StreamExt;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

/// Checks that jobs at the leaves of a tree prove a position, and that their proofs are merged.
#[test]
fn one_position_is_proven_by_many() {
    let Some(server) = Server::start("one") else { return };
    let proof = server.path("whole.proof");
    let solve = "solve connect-four:4x4 --algorithm dfpn --tt 16M --json";
    let alone = common::json(solve);
    let (_one, mut two, _three) = (server.worker("a"), server.worker("b"), server.worker("c"));
    let arguments = format!("{solve} --certificate {proof} --on {}", server.url());
    let mut asking = Process::start_in(&arguments, Stdio::piped(), Stdio::piped());
    // One worker is killed in the middle of the proof.
    while asking.is_running() && server.answers() < 3 {}
    two.kill();
    let (status, out, errors) = asking.end_with_output();
    assert_eq!(status, Some(0), "{errors}");
    let there = &documents(&out)[0];
    for field in ["proven", "solved", "goal", "algorithm", "player", "position"] {
        assert_eq!(there[field], alone[field], "{field}");
    }
    assert_eq!(there["certificate"]["file"], proof);
    let checked = common::json(&format!("check {proof} --json"));
    assert_eq!((&checked["accepted"], &checked["position"]), (&json!(true), &alone["position"]));
    assert_eq!(checked["claims"].as_array().unwrap().len(), 2, "a draw is two claims");
    server.is_clean();
}

/// Checks that, if a coordinator is killed, the next one rebuilds the tree from the answers on the
/// server.
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
    assert_eq!(documents(&out)[0]["proven"], "not-win");
    server.is_clean();
}

/// Checks that a lying worker that claims to have won each job proves nothing.
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
        let done = json!({"part": {"wins": true, "nodes": 1, "seconds": 0.1}});
        assert!(publish(&context, &job, "liar", done).await);
    });
    let _honest = server.worker("honest");
    let (status, out, errors) = asking.end_with_output();
    assert_eq!(status, Some(0), "{errors}");
    assert!(errors.contains("worker liar is excluded: its answer has no proof"), "{errors}");
    assert_eq!(documents(&out)[0]["proven"], "not-win");
    assert_eq!(common::run(&format!("check {proof}")).0, 0);
}

/// Starts a coordinator for a small game whose proof takes long enough for workers to share
/// entries.
fn ask(server: &Server, more: &str) -> Process {
    let solve = "solve connect-four:5x4 --algorithm dfpn --tt 16M --goal win --json";
    let arguments = format!("{solve} {more} --on {}", server.url());
    Process::start_in(&arguments, Stdio::piped(), Stdio::piped())
}

fn wait_for(server: &Server, many: usize) {
    while server.status()["workers"].as_array().is_none_or(|workers| workers.len() < many) {
        thread::sleep(Duration::from_millis(20));
    }
}

/// Checks that shared entries are received and that the workers' effort is counted.
#[test]
fn workers_tell_what_they_know() {
    let Some(server) = Server::start("telling") else { return };
    let _workers = ["a", "b"].map(|name| server.worker(name));
    wait_for(&server, 2);
    let (told, workers, out) = talk(&server, async |context| {
        let mut heard = context.client().subscribe("proofwood.entries.>").await.unwrap();
        context.client().flush().await.unwrap();
        let asking = ask(&server, "");
        let ended = tokio::task::spawn_blocking(move || asking.end_with_output());
        let (mut told, mut workers) = (0, std::collections::BTreeSet::new());
        tokio::pin!(ended);
        loop {
            tokio::select! {
                ended = &mut ended => return (told, workers, ended.unwrap()),
                Some(message) = heard.next() => {
                    let end = message.payload.iter().position(|&byte| byte == b'\n').unwrap();
                    let head: Value = serde_json::from_slice(&message.payload[..end]).unwrap();
                    let findings = message.payload.len() - end - 1;
                    assert_eq!(findings % 16, 0);
                    told += findings / 16;
                    workers.insert(head["worker"].as_str().unwrap().to_string());
                }
            }
        }
    });
    let (status, out, errors) = out;
    assert_eq!(status, Some(0), "{errors}");
    let answer = &documents(&out)[0];
    assert_eq!(answer["proven"], "not-win");
    assert!(told > 0 && !workers.is_empty(), "{told} findings of {workers:?}");
    let machines = &answer["machines"];
    assert!(machines["jobs"].as_u64().unwrap() > 0, "{answer}");
    let idle = machines["between_jobs"].as_f64().unwrap();
    assert!((0.0..=1.0).contains(&idle), "{answer}");
    assert!(answer["nodes"].as_u64().unwrap() > 1000, "{answer}");
}

/// Checks that the certificate is valid even if a lying worker publishes each entry inverted, with
/// wins as losses.
#[test]
fn a_lie_that_is_told_to_all_is_in_no_certificate() {
    let Some(server) = Server::start("told-lies") else { return };
    let proof = server.path("whole.proof");
    let _workers = ["a", "b"].map(|name| server.worker(name));
    wait_for(&server, 2);
    let (lies, ended) = talk(&server, async |context| {
        let mut heard = context.client().subscribe("proofwood.entries.>").await.unwrap();
        context.client().flush().await.unwrap();
        let asking = ask(&server, &format!("--certificate {proof}"));
        let mut ended = tokio::task::spawn_blocking(move || asking.end_with_output());
        let mut lies = 0;
        loop {
            tokio::select! {
                ended = &mut ended => return (lies, ended.unwrap()),
                Some(message) = heard.next() => {
                    let subject = message.subject.to_string();
                    if let Some((told, lie)) = lie(&message.payload) {
                        lies += told;
                        let subject = format!("{}.liar", subject.rsplit_once('.').unwrap().0);
                        context.client().publish(subject, lie.into()).await.unwrap();
                    }
                }
            }
        }
    });
    let (status, out, errors) = ended;
    assert_eq!(status, Some(0), "{errors}");
    assert!(lies > 0, "there was nothing to lie about");
    assert_eq!(documents(&out)[0]["proven"], "not-win");
    assert_eq!(common::run(&format!("check {proof}")).0, 0);
    assert!(!errors.contains("excluded"), "the honest stay: {errors}");
}

/// Inverts the scores of the solved entries in a message; returns their number and the message.
/// Returns `None` if there are none, or if the message is inverted already.
fn lie(message: &[u8]) -> Option<(usize, Vec<u8>)> {
    const SOLVED: u64 = 1 << 62;
    const FIELD: u32 = 26;
    let end = message.iter().position(|&byte| byte == b'\n')?;
    let mut head: Value = serde_json::from_slice(&message[..end]).ok()?;
    if head["worker"] == "liar" {
        return None;
    }
    head["worker"] = json!("liar");
    let mut lie = format!("{head}\n").into_bytes();
    let mut lies = 0;
    for entry in message[end + 1..].chunks_exact(16) {
        let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap());
        let (key, data) = (word(&entry[..8]), word(&entry[8..]));
        if data & SOLVED == 0 {
            continue;
        }
        // The payoffs -1, 0 and 1 are stored as 0, 1 and 2, so 2 - x inverts them. The work is
        // greater than that of any true entry.
        let fields = (1 << (2 * FIELD)) - 1;
        let turned = |end: u64| 2 - end.min(2);
        let (low, high) = (data & ((1 << FIELD) - 1), data >> FIELD & ((1 << FIELD) - 1));
        let turned = turned(high) | turned(low) << FIELD;
        let data = data & !fields | turned | 0xff << (2 * FIELD);
        lie.extend(key.to_le_bytes());
        lie.extend(data.to_le_bytes());
        lies += 1;
    }
    (lies > 0).then_some((lies, lie))
}

/// Checks that a worker that joins later receives a part of the first worker's subproblem.
#[test]
fn a_part_is_shared_with_who_comes() {
    let Some(server) = Server::start("shared") else { return };
    let _first = server.worker("first");
    let solve = "solve connect-four:7x6 --algorithm dfpn --tt 64M --goal win --player 0";
    let _asking = Process::start(&format!("{solve} --on {}", server.url()));
    let at_work = || {
        let status = server.status();
        let workers = status["workers"].as_array().cloned().unwrap_or_default();
        let doing = |worker: &&Value| worker["doing"].as_array().is_some_and(|d| !d.is_empty());
        workers.iter().filter(doing).count()
    };
    while at_work() < 1 {
        thread::sleep(Duration::from_millis(20));
    }
    let _second = server.worker("second");
    while at_work() < 2 {
        thread::sleep(Duration::from_millis(20));
    }
}

/// Checks that a worker's job is preempted while another worker is idle.
#[test]
fn a_part_is_shared_where_a_worker_has_nothing_to_do() {
    let Some(server) = Server::start("idle") else { return };
    let solve = "solve connect-four:7x6 --algorithm dfpn --tt 16M --goal win --player 0 --json";
    let _asking = Process::start(&format!("{solve} --on {}", server.url()));
    talk(&server, async |context| {
        let mut heard = context.client().subscribe("proofwood.preempt.>").await.unwrap();
        context.client().flush().await.unwrap();
        let (job, sequence) = job_of(&context, 0).await;
        let jobs = context.get_stream("PROOFWOOD_JOBS").await.unwrap();
        jobs.delete_message(sequence).await.unwrap();
        for name in ["a", "b"] {
            let there = json!({"name": name, "version": env!("CARGO_PKG_VERSION"), "jobs": 1,
                "threads": 1, "doing": [], "done": 0, "seconds": 1.0});
            let subject = format!("proofwood.workers.{name}");
            context.publish(subject, there.to_string().into()).await.unwrap().await.unwrap();
        }
        let numbers = json!({"proof": 5, "disproof": 7, "moves": []});
        // The job used too few nodes for its subproblem to be split, and took so little time that
        // the second job may be preempted at once.
        let done = json!({"part":
            {"wins": null, "nodes": 19_000, "seconds": 0.1, "numbers": numbers}});
        assert!(publish(&context, &job, "a", done).await);
        let message = heard.next().await.unwrap();
        let (second, _) = job_of(&context, 0).await;
        let key = second.rsplit('.').next().unwrap();
        assert_eq!(std::str::from_utf8(&message.payload), Ok(key), "not {job}");
    });
}

/// Checks that a preempted worker answers long before it reaches its limit of nodes.
#[test]
fn a_job_that_is_enough_is_answered() {
    let Some(server) = Server::start("enough") else { return };
    let _worker = server.worker("one");
    wait_for(&server, 1);
    talk(&server, async |context| {
        let job = json!({"format": 2, "version": env!("CARGO_PKG_VERSION"), "task": {"part":
            {"leaf": 0, "game": "connect-four", "text": {"moves": ""}, "workers": 2, "options":
            {"algorithm": "dfpn", "tt": "16M", "goal": "win", "player": "0",
            "nodes": "1000000000000"}}}});
        let subject = "proofwood.jobs.test.key";
        context.publish(subject, job.to_string().into()).await.unwrap().await.unwrap();
        let stream = context.get_stream("PROOFWOOD_ANSWERS").await.unwrap();
        let answer = loop {
            // The message is not stored, and the worker may not have begun yet.
            context.client().publish("proofwood.preempt.test", "key".into()).await.unwrap();
            let subject = "proofwood.answers.test.key";
            if let Ok(answer) = stream.get_last_raw_message_by_subject(subject).await {
                break answer;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        let answer: Value = serde_json::from_slice(&answer.payload).unwrap();
        let part = &answer["done"]["part"];
        assert!(part["numbers"]["proof"].as_u64() > Some(0), "{answer}");
        assert_eq!(part["wins"], Value::Null, "{answer}");
    });
}

/// Checks that `status --watch` in a pipe prints the proof's progress, one object a second.
#[test]
fn a_proof_is_watched() {
    let Some(server) = Server::start("watch") else { return };
    // The proof takes long enough to be observed.
    let solve = "solve connect-four:7x5 --algorithm dfpn --tt 16M --goal win";
    let _asking = Process::start(&format!("{solve} --on {}", server.url()));
    let log = server.folder.join("log");
    let log_file = std::fs::File::create(&log).unwrap();
    let work = format!("work --connect {} --name one --threads 1 --log info", server.url());
    let _worker = Process::start_in(&work, Stdio::null(), log_file.into());
    let watch = format!("status {} --watch --json", server.url());
    let mut watching = Process::start_in(&watch, Stdio::piped(), Stdio::null());
    let lines = BufReader::new(watching.0.stdout.take().unwrap()).lines();
    let mut seen = lines.map_while(Result::ok).map(|line| documents(&line).remove(0));
    let far = seen.find(|status| status["runs"][0]["proof"]["work"]["nodes"].as_u64() > Some(0));
    let far = far.expect("it goes on until it is ended");
    assert_eq!(far["workers"][0]["name"], "one", "{far}");
    assert!(far["runs"][0]["proof"]["proof_number"].as_u64() > Some(0), "{far}");
    while !std::fs::read_to_string(&log).unwrap().contains("takes a job") {
        thread::sleep(Duration::from_millis(20));
    }
}
