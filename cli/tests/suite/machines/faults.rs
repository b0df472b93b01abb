//! Machines that lack something, lie or belong to strangers, and servers that lose their data.

use super::{Process, Server, job_of, publish, talk, until};
use crate::common::{self, complaint, documents};
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::{AckKind, Context};
use futures_util::StreamExt;
use serde_json::{Value, json};
use std::fs;
use std::net::TcpListener;
use std::process::Stdio;

/// Takes the job for a line from the queue, and publishes an answer that says that the job failed.
async fn fail(context: &Context, line: u64, worker: &str, is_input: bool) {
    let (job, sequence) = job_of(context, line).await;
    context.get_stream("PROOFWOOD_JOBS").await.unwrap().delete_message(sequence).await.unwrap();
    let why = format!("{worker} has too little");
    let done = json!({"failed": {"is_input": is_input, "why": why}});
    assert!(publish(context, &job, worker, done).await);
}

/// Waits until the job for a line excludes these workers.
async fn without(context: &Context, line: u64, workers: Value) {
    let job = async || {
        let (_, sequence) = job_of(context, line).await;
        let stream = context.get_stream("PROOFWOOD_JOBS").await.ok()?;
        let message = stream.get_raw_message(sequence).await.ok()?;
        let job: Value = serde_json::from_slice(&message.payload).ok()?;
        (job["without"] == workers).then_some(())
    };
    until(job).await;
}

/// Checks that a job that one machine refuses because it lacks something is done by another
/// machine.
#[test]
fn a_failure_of_one_machine_ends_nothing() {
    let Some(server) = Server::start("lacking") else { return };
    let options = "--algorithm dfpn --threads 1 --goal win";
    fs::write(server.folder.join("set.csv"), "moves\n161121166146475364\n121212\n").unwrap();
    let (_, out, _) = common::run(&server.solve("alone.jsonl", options));
    let asking = server.ask(options);
    talk(&server, async |context| {
        fail(&context, 2, "small", true).await;
        without(&context, 2, json!(["small"])).await;
        // For example, its disk is full.
        fail(&context, 2, "tiny", false).await;
        without(&context, 2, json!(["small", "tiny"])).await;
    });
    let _worker = server.worker("large");
    let (status, errors) = asking.end();
    assert_eq!(status, Some(0), "{errors}");
    assert!(errors.contains("worker small refused a job: small has too little"), "{errors}");
    assert_eq!(server.results("results.jsonl").len(), documents(&out).len());
    assert!(server.results("results.jsonl").iter().all(|line| line["solved"] == true));
    server.is_clean();
}

/// Checks that a failure of one machine during a proof does not end the proof.
#[test]
fn a_failure_of_one_machine_ends_no_proof() {
    let Some(server) = Server::start("lacking-one") else { return };
    let solve = "solve connect-four:4x4 --algorithm dfpn --tt 16M --goal win --json";
    let arguments = format!("{solve} --on {}", server.url());
    let asking = Process::start_in(&arguments, Stdio::piped(), Stdio::piped());
    talk(&server, async |context| {
        fail(&context, 0, "small", true).await;
        without(&context, 0, json!(["small"])).await;
    });
    let _worker = server.worker("large");
    let (status, out, errors) = asking.end_with_output();
    assert_eq!(status, Some(0), "{errors}");
    assert_eq!(documents(&out)[0]["proven"], "not-win");
}

/// Checks that only the line fails if two workers, or the only worker, cannot solve it.
#[test]
fn a_failure_of_two_machines_ends_a_line() {
    let Some(server) = Server::start("failing") else { return };
    let options = "--algorithm dfpn --threads 1 --nodes 20000";
    fs::write(server.folder.join("set.csv"), "moves\n161121166146475364\n121212\n").unwrap();
    let asking = server.ask(options);
    talk(&server, async |context| {
        fail(&context, 2, "one", false).await;
        without(&context, 2, json!(["one"])).await;
        fail(&context, 2, "two", false).await;
    });
    let _worker = server.worker("three");
    let (status, errors) = asking.end();
    assert_eq!(status, Some(1), "{errors}");
    let results = server.results("results.jsonl");
    assert_eq!(results[0]["error"], "two has too little (reported by two)", "{errors}");
    assert_eq!(results[1]["solved"], true, "{errors}");
}

/// Checks that a run ends with the worker's reason if the only worker refuses the jobs.
#[test]
fn a_worker_alone_that_lacks_something_is_the_end() {
    let Some(server) = Server::start("alone") else { return };
    let _worker = server.worker("only");
    // The rules accept the option, but the game has no evaluation, so the coordinator fails, too.
    let options = "--algorithm gpn --leaves game --threads 1 --playouts 100";
    fs::write(server.folder.join("set.csv"), "moves\nb2\n").unwrap();
    let solve = server.solve("results.jsonl", options).replace("connect-four", "hex:5");
    let alone = common::run(&solve);
    let _ = fs::remove_file(server.folder.join("results.jsonl"));
    let arguments = format!("{solve} --on {}", server.url());
    let there = common::run(&arguments);
    assert_eq!(there.0, alone.0);
    assert_eq!(documents(&there.1)[0]["error"], documents(&alone.1)[0]["error"]);
}

/// Checks that other users of the machine cannot predict paths of files and place links there.
#[cfg(unix)]
#[test]
fn no_planted_link_is_followed() {
    use sha2::{Digest, Sha256};
    let Some(server) = Server::start("planted") else { return };
    let (temporary, victim) = (server.path("tmp"), server.path("victim"));
    fs::create_dir_all(&temporary).unwrap();
    fs::write(&victim, "precious").unwrap();
    let key = Sha256::digest("0 [] 0".as_bytes());
    let key: String = key.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let _worker = server.worker("one");
    let proof = server.path("whole.proof");
    let script = format!(
        "export TMPDIR={temporary}; mkdir $TMPDIR/proofwood-parts-$$; ln -s {victim} \
         $TMPDIR/proofwood-parts-$$/{key}.proof; exec {} solve mnk:3,3,3 --algorithm dfpn --goal \
         win --player 0 --certificate {proof} --on {}",
        common::PROGRAM,
        server.url()
    );
    let mut command = std::process::Command::new("sh");
    command.args(["-c", &script]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let (status, errors) = Process(command.spawn().unwrap()).end();
    assert_eq!(status, Some(0), "{errors}");
    assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
    assert_eq!(common::run(&format!("check {proof}")).0, 0);
    let left: Vec<_> = fs::read_dir(&temporary).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left.len(), 1, "nothing but what was planted stays: {left:?}");
}

/// Checks that the coordinator and idle workers create the streams again after a server has lost
/// its disk.
#[test]
fn a_server_that_has_lost_its_streams_gets_them_again() {
    let Some(mut server) = Server::start("lost") else { return };
    let options = "--algorithm gpn --threads 1 --playouts 20000 --memory 64M";
    let alone = server.alone(options);
    let _idle = server.worker("idle");
    // Waits until the queue exists.
    let queue = async |context: Context| {
        let queue = async || {
            let stream = context.get_stream("PROOFWOOD_JOBS").await.ok()?;
            stream.consumer_info("workers").await.ok()
        };
        until(queue).await;
    };
    talk(&server, queue);
    let lose = |server: &mut Server| {
        server.process.kill();
        fs::remove_dir_all(server.folder.join("store")).unwrap();
        server.process = Server::run(&server.folder, server.port);
    };
    lose(&mut server);
    let asking = server.ask(options);
    while server.lines("results.jsonl") < 2 {
        assert!(server.process.is_running());
        std::thread::sleep(super::SOON);
    }
    lose(&mut server);
    let (status, errors) = asking.end();
    assert_eq!(status, Some(2), "{errors}");
    assert_eq!(server.results("results.jsonl"), alone);
    server.is_clean();
}

/// Checks that a worker that returns a job, however often, does not count as having begun it.
#[test]
fn a_job_that_is_left_alone_is_not_begun() {
    let Some(server) = Server::start("left") else { return };
    let job = json!({"format": 2, "version": env!("CARGO_PKG_VERSION"), "task": {"solve":
        {"line": 1, "game": "tic-tac-toe", "text": {"moves": ""}, "options": {}}}});
    let once = format!("work --connect {} --name one --threads 1 --once", server.url());
    assert_eq!(Process::start(&once).end().0, Some(0), "the queue is made");
    let leave = async |context: &Context, times: usize| {
        let stream = context.get_stream("PROOFWOOD_JOBS").await.unwrap();
        let config = pull::Config { ack_policy: AckPolicy::Explicit, ..pull::Config::default() };
        let workers: PullConsumer = stream.get_or_create_consumer("workers", config).await.unwrap();
        let mut messages = workers.messages().await.unwrap();
        for _ in 0..times {
            let message = messages.next().await.unwrap().unwrap();
            message.double_ack_with(AckKind::Nak(None)).await.unwrap();
        }
    };
    talk(&server, async |context| {
        let subject = "proofwood.jobs.test.left";
        context.publish(subject, job.to_string().into()).await.unwrap().await.unwrap();
        leave(&context, 1100).await;
        // This simulates many workers that began the job and then ended.
        let subject = "proofwood.jobs.test.begun";
        context.publish(subject, job.to_string().into()).await.unwrap().await.unwrap();
        for _ in 0..100 {
            let subject = "proofwood.begun.test.begun";
            context.publish(subject, "\"one\"".into()).await.unwrap().await.unwrap();
        }
        leave(&context, 2).await;
    });
    let _worker = server.worker("honest");
    talk(&server, async |context| {
        let stream = context.get_stream("PROOFWOOD_ANSWERS").await.unwrap();
        let answer = async |key: &str| {
            let subject = format!("proofwood.answers.test.{key}");
            let found = async || stream.get_last_raw_message_by_subject(&subject).await.ok();
            let answer = until(found).await;
            serde_json::from_slice::<Value>(&answer.payload).unwrap()["done"].clone()
        };
        assert!(answer("left").await["solved"].is_object());
        let failed = answer("begun").await;
        assert!(failed["failed"]["why"].as_str().unwrap().contains("100 workers"), "{failed}");
    });
}

/// Checks that a repeated command is answered from the worker's table, and that it counts only its
/// own nodes.
#[test]
fn nodes_are_those_of_this_run() {
    let Some(server) = Server::start("again") else { return };
    let _worker = server.worker("one");
    let solve = "solve connect-four:4x4 --algorithm dfpn --tt 16M --goal win --json";
    let nodes = || {
        let answer = common::json(&format!("{solve} --on {}", server.url()));
        assert_eq!(answer["solved"], true);
        answer["nodes"].as_u64().unwrap()
    };
    let (first, again) = (nodes(), nodes());
    assert!(again < first, "{again} after {first}");
}

/// Checks that strangers' names are shown without control codes, and that their runs can be
/// deleted.
#[test]
fn names_of_strangers_are_shown_and_dropped() {
    let Some(server) = Server::start("names") else { return };
    let long = "x".repeat(200);
    let list = || common::run(&format!("status {}", server.url())).1;
    assert!(list().contains("No runs."));
    talk(&server, async |context| {
        for run in [long.as_str(), "odd!name~"] {
            let record = json!({"what": "a \u{202e}b"}).to_string();
            let subject = format!("proofwood.runs.{run}");
            context.publish(subject, record.into()).await.unwrap().await.unwrap();
        }
    });
    let shown = list();
    assert!(shown.contains("odd!name~") && !shown.contains('\u{202e}'), "{shown}");
    assert!(!shown.contains(&long) && shown.contains(&"x".repeat(60)), "{shown}");
    for run in [long.as_str(), "odd!name~"] {
        common::json(&format!("status {} --json --forget {run}", server.url()));
    }
    server.is_clean();
    let error = complaint(&format!("status {} --forget >", server.url()), 2);
    assert!(error.contains("name of a run"), "{error}");
}

/// Checks that a worker announces at once that it is idle.
#[test]
fn idle_is_idle() {
    let Some(server) = Server::start("idle-again") else { return };
    let _worker = server.worker("one");
    common::json(&format!(
        "solve connect-four:4x4 --algorithm dfpn --tt 16M --goal win --json --on {}",
        server.url()
    ));
    let status = || server.status()["workers"][0].clone();
    while status()["doing"] != json!([]) || status()["done"] == 0 {
        std::thread::sleep(super::SOON);
    }
}

/// Checks that a port in use is reported on one line, before the server is announced.
#[test]
fn a_port_that_is_in_use_is_said_in_a_line() {
    let Some((folder, _)) = Server::prepare("port") else { return };
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let store = folder.join("store");
    let (status, out, errors) =
        common::run(&format!("serve nats://127.0.0.1:{port} --store {}", store.display()));
    assert_eq!((status, out.as_str()), (1, ""));
    let line = format!("proofwood: port {port} is in use: ");
    assert!(errors.starts_with(&line) && errors.lines().count() == 1, "{errors}");
}

/// Checks that the password's file replaces a planted link and is unreadable for other users.
#[cfg(unix)]
#[test]
fn the_password_goes_to_no_link() {
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;
    let Some((folder, port)) = Server::prepare("secret") else { return };
    let store = folder.join("store");
    fs::create_dir_all(&store).unwrap();
    fs::write(folder.join("victim"), "precious").unwrap();
    fs::write(folder.join("password"), "open sesame\n").unwrap();
    std::os::unix::fs::symlink(folder.join("victim"), store.join("proofwood.conf")).unwrap();
    let serve = format!(
        "serve nats://127.0.0.1:{port} --store {} --user me --password-file {}",
        store.display(),
        folder.join("password").display()
    );
    let _process = Server::wait(Process::start(&serve), port);
    let read = |path: &Path| fs::read_to_string(path).unwrap();
    assert_eq!(read(&folder.join("victim")), "precious");
    assert!(read(&store.join("proofwood.conf")).contains("open sesame"));
    let mode = fs::metadata(store.join("proofwood.conf")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert!(read(&store.join("server.log")).contains("Server is ready"), "not on the screen");
}

/// Checks that an interrupted set reports the number of lines that were not reached.
#[test]
fn an_ended_set_says_what_is_left() {
    let Some(server) = Server::start("ended") else { return };
    fs::write(server.folder.join("set.csv"), "moves\n1212\n44\n4444\n").unwrap();
    let arguments = format!(
        "solve connect-four --positions {} --algorithm dfpn --on {}",
        server.path("set.csv"),
        server.url()
    );
    let asking = Process::start_in(&arguments, Stdio::piped(), Stdio::piped());
    talk(&server, async |context| drop(job_of(&context, 4).await));
    let pid = asking.0.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let (status, out, errors) = asking.end_with_output();
    assert_eq!(status, Some(130), "{errors}");
    assert!(out.contains("0 of 3 solved") && out.contains("; 3 lines not reached"), "{out}");
}
