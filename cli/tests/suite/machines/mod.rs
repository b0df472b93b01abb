//! Tests of many machines: a server, workers and coordinators as processes of this machine. Each
//! test starts its own server. Without `nats-server`, the tests are skipped with a message.

mod faults;
mod one;
mod protected;
mod slow;

use crate::common::{self, complaint, documents};
use assert_cmd::Command as Program;
use async_nats::jetstream::{self, stream::StorageType};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::future::Future;
use std::io::{BufRead, BufReader, Read};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Positions of Connect Four that take some time, and two invalid lines.
const SET: &str = "id,moves\n\
    a,172635\nb,4444\nwrong,99\nc,1122334\nd,43655644233456\ne,7771\nf,\ng,44444\nh,12345671\n\
    also-wrong,111111111\ni,161121166146475364\nj,3344\n";

/// The pause between two checks of a condition.
const SOON: Duration = Duration::from_millis(10);

/// A process that is killed when the value is dropped.
struct Process(Child);

impl Process {
    fn start(arguments: &str) -> Process {
        Process::start_in(arguments, Stdio::null(), Stdio::null())
    }

    fn start_in(arguments: &str, out: Stdio, errors: Stdio) -> Process {
        let mut command = Command::new(common::PROGRAM);
        command.args(arguments.split_whitespace()).stdin(Stdio::null()).stdout(out).stderr(errors);
        Process(command.spawn().expect("the program starts"))
    }

    fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }

    fn is_running(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }

    /// Waits until the process ends; returns the exit status and the text on standard error.
    fn end(self) -> (Option<i32>, String) {
        let (status, _, errors) = self.end_with_output();
        (status, errors)
    }

    /// Like [`end`](Process::end), but returns standard output, too. Both texts must be short.
    fn end_with_output(mut self) -> (Option<i32>, String, String) {
        let (mut output, mut errors) = (String::new(), String::new());
        if let Some(mut pipe) = self.0.stderr.take() {
            pipe.read_to_string(&mut errors).unwrap();
        }
        if let Some(mut pipe) = self.0.stdout.take() {
            pipe.read_to_string(&mut output).unwrap();
        }
        (self.0.wait().unwrap().code(), output, errors)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A server, with a folder for its streams and the test's files.
struct Server {
    process: Process,
    folder: PathBuf,
    port: u16,
}

impl Server {
    /// Starts a server; returns `None` if `nats-server` is not installed.
    fn start(name: &str) -> Option<Server> {
        let (folder, port) = Server::prepare(name)?;
        Some(Server { process: Server::run(&folder, port), folder, port })
    }

    /// Creates a folder and finds a free port for a server.
    fn prepare(name: &str) -> Option<(PathBuf, u16)> {
        if Command::new("nats-server").arg("--version").output().is_err() {
            println!("skipped: there is no nats-server");
            return None;
        }
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("machines-{name}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("set.csv"), SET).unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        Some((folder, port))
    }

    fn run(folder: &Path, port: u16) -> Process {
        let store = folder.join("store");
        let arguments = format!("serve nats://127.0.0.1:{port} --store {}", store.display());
        Server::wait(Process::start(&arguments), port)
    }

    fn wait(mut process: Process, port: u16) -> Process {
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(process.0.try_wait().unwrap().is_none(), "the server has ended");
            thread::sleep(SOON);
        }
        process
    }

    fn restart(&mut self) {
        self.process.kill();
        self.process = Server::run(&self.folder, self.port);
    }

    fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    fn path(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }

    fn worker(&self, name: &str) -> Process {
        Process::start(&format!("work --connect {} --name {name} --threads 1", self.url()))
    }

    /// Returns the answers of the same command on one machine, without workers.
    fn alone(&self, more: &str) -> Vec<Value> {
        let arguments = self.solve("alone.jsonl", more);
        let output = Program::new(common::PROGRAM)
            .args(arguments.split_whitespace())
            .output()
            .expect("the program starts");
        assert_eq!(output.status.code(), Some(2), "some lines are wrong");
        self.results("alone.jsonl")
    }

    fn solve(&self, out: &str, more: &str) -> String {
        let (set, out) = (self.path("set.csv"), self.path(out));
        format!("solve connect-four --positions {set} --out {out} --json {more}")
    }

    /// Starts a coordinator that solves the set with the options `more`.
    fn ask(&self, more: &str) -> Process {
        let more = format!("{more} --on {}", self.url());
        Process::start_in(&self.solve("results.jsonl", &more), Stdio::null(), Stdio::piped())
    }

    /// Returns the results in a file without their times.
    fn results(&self, name: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.folder.join(name)).unwrap();
        let mut all = documents(&text);
        all.iter_mut().for_each(without_times);
        all
    }

    fn lines(&self, name: &str) -> usize {
        fs::read_to_string(self.folder.join(name)).unwrap_or_default().lines().count()
    }

    fn status(&self) -> Value {
        common::json(&format!("status {} --json", self.url()))
    }

    /// Returns the number of answers of the only run.
    fn answers(&self) -> u64 {
        self.status()["runs"][0]["answers"].as_u64().unwrap_or(0)
    }

    /// Checks that no run is left on the server.
    fn is_clean(&self) {
        assert_eq!(self.status()["runs"], json!([]), "nothing stays on the server");
    }
}

fn without_times(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !name.contains("second"));
            fields.values_mut().for_each(without_times);
        }
        Value::Array(values) => values.iter_mut().for_each(without_times),
        _ => {}
    }
}

fn talk<T>(server: &Server, talk: impl AsyncFnOnce(jetstream::Context) -> T) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let client = async_nats::connect(server.url()).await.unwrap();
        talk(jetstream::new(client)).await
    })
}

/// Calls `look` until it returns a value.
async fn until<T, F: Future<Output = Option<T>>>(mut look: impl FnMut() -> F) -> T {
    loop {
        if let Some(found) = look().await {
            return found;
        }
        tokio::time::sleep(SOON).await;
    }
}

/// Waits for the job of a line, or of a leaf of a proof; returns its subject and sequence number.
async fn job_of(context: &jetstream::Context, line: u64) -> (String, u64) {
    let subject = async || {
        let stream = context.get_stream("PROOFWOOD_JOBS").await.ok()?;
        let mut from = 1;
        loop {
            let asked = stream.raw_message_builder().sequence(from).next_by_subject("proofwood.>");
            let message = asked.send().await.ok()?;
            from = message.sequence + 1;
            let job: Value = serde_json::from_slice(&message.payload).unwrap();
            let task = &job["task"];
            if task["solve"]["line"] == line || task["part"]["leaf"] == line {
                return Some((message.subject.to_string(), message.sequence));
            }
        }
    };
    until(subject).await
}

/// Publishes an answer; returns whether the server accepted it.
async fn publish(context: &jetstream::Context, job: &str, worker: &str, done: Value) -> bool {
    publish_text(context, job, worker, &done.to_string()).await
}

/// Publishes an answer with the result as raw JSON.
async fn publish_text(context: &jetstream::Context, job: &str, worker: &str, done: &str) -> bool {
    let subject = job.replace(".jobs.", ".answers.");
    let answer = format!(r#"{{"format":2,"worker":"{worker}","done":{done}}}"#);
    context.publish(subject, answer.into()).await.unwrap().await.is_ok()
}

#[test]
fn three_workers_write_what_one_machine_writes() {
    let Some(server) = Server::start("three") else { return };
    let options = "--algorithm dfpn --threads 1 --nodes 20000";
    let alone = server.alone(options);
    let _workers = ["one", "two", "three"].map(|name| server.worker(name));
    let (status, errors) = server.ask(options).end();
    assert_eq!(status, Some(2), "{errors}");
    assert!(errors.contains("line 4: ") && errors.contains("line 11: "), "{errors}");
    assert_eq!(server.results("results.jsonl"), alone);
    server.is_clean();
}

#[test]
fn the_search_with_playouts_is_the_same_elsewhere() {
    let Some(server) = Server::start("playouts") else { return };
    let options = "--algorithm gpn --threads 1 --playouts 3000 --memory 64M --seed 7 --c 0.8";
    let alone = server.alone(options);
    let _worker = server.worker("one");
    let (status, errors) = server.ask(options).end();
    assert_eq!(status, Some(2), "{errors}");
    assert_eq!(server.results("results.jsonl"), alone);
}

#[test]
fn a_killed_worker_s_job_comes_to_another_one() {
    let Some(server) = Server::start("worker") else { return };
    let options = "--algorithm gpn --threads 1 --playouts 100000 --memory 64M";
    fs::write(server.folder.join("set.csv"), "moves\n44\n4444\n").unwrap();
    let mut victim = server.worker("victim");
    let asking = server.ask(options);
    // Waits until the worker has begun a job.
    let at_work = || {
        let status = server.status();
        let is_at_work = status["workers"][0]["doing"].as_array().is_some_and(|d| !d.is_empty());
        is_at_work.then_some(())
    };
    while at_work().is_none() {}
    victim.kill();
    let _heir = server.worker("heir");
    let (_, errors) = asking.end();
    assert_eq!(server.lines("results.jsonl"), 2, "{errors}");
    server.is_clean();
}

#[test]
fn who_asks_is_killed_and_goes_on() {
    let Some(server) = Server::start("asking") else { return };
    let options = "--algorithm gpn --threads 1 --playouts 10000 --memory 64M";
    let alone = server.alone(options);
    let mut worker = Process::start_in(
        &format!("work --connect {} --threads 1", server.url()),
        Stdio::piped(),
        Stdio::null(),
    );
    let (tell, told) = mpsc::channel();
    let said = BufReader::new(worker.0.stdout.take().unwrap());
    thread::spawn(move || said.lines().map_while(Result::ok).try_for_each(|line| tell.send(line)));
    let mut done = Vec::new();
    for wanted in [2, 5] {
        let mut asking = server.ask(&format!("{options} --resume"));
        while done.len() < wanted {
            let line = told.recv().expect("the worker works");
            done.extend(line.contains(": done in ").then_some(line));
        }
        asking.kill();
    }
    let (status, errors) = server.ask(&format!("{options} --resume")).end();
    assert_eq!(status, Some(2), "{errors}");
    // An error may be reported before the answers to the lines around it.
    let mut results = server.results("results.jsonl");
    results.sort_by_key(|result| result["line"].as_u64());
    assert_eq!(results, alone);
    worker.kill();
    done.extend(told.iter().filter(|line| line.contains(": done in ")));
    assert_eq!(done.len(), 10, "no job is done twice: {done:?}");
    server.is_clean();
}

#[test]
fn the_server_is_killed_and_all_go_on() {
    let Some(mut server) = Server::start("server") else { return };
    let options = "--algorithm gpn --threads 1 --playouts 20000 --memory 64M";
    let alone = server.alone(options);
    let _workers = ["one", "two"].map(|name| server.worker(name));
    let asking = server.ask(options);
    for wanted in [1, 4] {
        while server.lines("results.jsonl") < wanted {
            thread::sleep(SOON);
        }
        server.restart();
    }
    let (status, errors) = asking.end();
    assert_eq!(status, Some(2), "{errors}");
    assert_eq!(server.results("results.jsonl"), alone);
    server.is_clean();
}

#[test]
fn an_answer_counts_once() {
    let Some(server) = Server::start("twice") else { return };
    let options = "--algorithm dfpn --threads 1 --goal win";
    fs::write(server.folder.join("set.csv"), "moves\n161121166146475364\n121212\n").unwrap();
    let (_, out, _) = common::run(&server.solve("alone.jsonl", options));
    let alone: Vec<&str> = out.lines().collect();
    let asking = server.ask(options);
    talk(&server, async |context| {
        let solved = |json: &str| format!(r#"{{"solved":{{"answer":{json}}}}}"#);
        let (first, _) = job_of(&context, 3).await;
        let (second, _) = job_of(&context, 2).await;
        assert!(publish_text(&context, &first, "a", &solved(alone[1])).await);
        // Neither the same answer again nor another one is accepted.
        assert!(!publish_text(&context, &first, "a", &solved(alone[1])).await);
        assert!(!publish_text(&context, &first, "b", &solved("{}")).await);
        assert!(publish_text(&context, &second, "a", &solved(alone[0])).await);
    });
    let (status, errors) = asking.end();
    assert_eq!((status, errors.as_str()), (Some(0), ""));
    let text = fs::read_to_string(server.folder.join("results.jsonl")).unwrap();
    assert_eq!(text, out, "word for word");
}

#[test]
fn a_lying_worker_is_found() {
    let Some(server) = Server::start("liar") else { return };
    let options = "--algorithm dfpn --threads 1";
    fs::write(server.folder.join("set.csv"), "moves\n161121166146475364\n121212\n43655644233456\n")
        .unwrap();
    let (proofs, theirs) = (server.path("proofs"), server.path("theirs"));
    let arguments = server.solve("alone.jsonl", &format!("{options} --certificate {theirs}"));
    let (_, out, errors) = common::run(&arguments);
    let alone = documents(&out);
    let asking = server.ask(&format!("{options} --certificate {proofs}"));
    let lies = talk(&server, async |context| {
        let store = until(async || context.get_object_store("PROOFWOOD_PROOFS").await.ok()).await;
        let mut lies = 0;
        for result in &alone {
            let line = result["line"].as_u64().unwrap();
            let (job, sequence) = job_of(&context, line).await;
            let mut lie = result.clone();
            let others = ["win", "loss", "draw"];
            let other = others.iter().find(|other| **other != result["proven"]).unwrap();
            lie["proven"] = json!(other);
            let payoff = [("win", 1), ("loss", -1), ("draw", 0)];
            let payoff = payoff.iter().find(|(value, _)| value == other).unwrap().1;
            lie["bounds"] = json!([payoff, payoff]);
            let proof = format!("lie-{line}");
            let file = fs::read(format!("{theirs}/line-{line}.proof")).expect(&errors);
            store.put(proof.as_str(), &mut &file[..]).await.unwrap();
            // A lying worker takes the job.
            let jobs = context.get_stream("PROOFWOOD_JOBS").await.unwrap();
            jobs.delete_message(sequence).await.unwrap();
            let done = json!({"solved": {"answer": lie, "proof": proof}});
            lies += u32::from(publish(&context, &job, &format!("liar-{line}"), done).await);
        }
        lies
    });
    assert_eq!(lies, 3);
    let _honest = server.worker("honest");
    let (status, errors) = asking.end();
    assert_eq!(status, Some(0), "{errors}");
    for line in 1..=3 {
        let found = errors.lines().find(|text| text.contains(&format!("liar-{}", line + 1)));
        let found = found.unwrap_or_else(|| panic!("{errors}"));
        assert!(found.contains("is excluded: line") && found.contains("does not prove"), "{found}");
    }
    let theirs = fs::read_to_string(server.folder.join("alone.jsonl")).unwrap();
    let theirs = theirs.replace("/theirs/", "/proofs/");
    let mut theirs = documents(&theirs);
    theirs.iter_mut().for_each(without_times);
    assert_eq!(server.results("results.jsonl"), theirs);
    for line in 2..=4 {
        let (status, _, errors) = common::run(&format!("check {proofs}/line-{line}.proof"));
        assert_eq!(status, 0, "{errors}");
    }
}

#[test]
fn what_is_no_answer_is_thrown_out() {
    let Some(server) = Server::start("garbage") else { return };
    let options = "--algorithm dfpn --threads 1";
    fs::write(server.folder.join("set.csv"), "moves\n161121166146475364\n121212\n").unwrap();
    let (_, out, _) = common::run(&server.solve("alone.jsonl", options));
    let alone: Vec<&str> = out.lines().collect();
    let asking = server.ask(options);
    talk(&server, async |context| {
        let (job, sequence) = job_of(&context, 2).await;
        let jobs = context.get_stream("PROOFWOOD_JOBS").await.unwrap();
        jobs.delete_message(sequence).await.unwrap();
        // The answer is about another line.
        let about_another: Value = serde_json::from_str(alone[1]).unwrap();
        let done = json!({"solved": {"answer": about_another}});
        assert!(publish(&context, &job, "careless", done).await);
        // The job is sent again, and excludes this worker.
        let again = until(async || {
            let (_, again) = job_of(&context, 2).await;
            (again != sequence).then_some(again)
        });
        let again = again.await;
        let message = jobs.get_raw_message(again).await.unwrap();
        let message: Value = serde_json::from_slice(&message.payload).unwrap();
        assert_eq!(message["without"], json!(["careless"]));
        jobs.delete_message(again).await.unwrap();
        // The message is not an answer.
        let subject = job.replace(".jobs.", ".answers.");
        context.publish(subject, "garbage".into()).await.unwrap().await.unwrap();
    });
    let _worker = server.worker("honest");
    let (status, errors) = asking.end();
    assert_eq!(status, Some(0), "{errors}");
    assert!(errors.contains("careless is excluded: line 2: the result for line 2"), "{errors}");
    assert!(errors.contains("unknown is excluded"), "{errors}");
}

#[test]
fn a_match_is_played_elsewhere() {
    let Some(server) = Server::start("match") else { return };
    let games = |record: &str, more: &str| {
        let record = server.path(record);
        let arguments = format!("--games 12 --playouts 200 --random-plies 3 --seed 5 {more}");
        let arguments = format!("match tic-tac-toe --record {record} {arguments} --json");
        let mut command = Program::new(common::PROGRAM);
        command.args(arguments.split_whitespace()).args(["--a", "--c 1", "--b", "--preset uct"]);
        common::outcome(command.output().unwrap())
    };
    let sorted = |name: &str| {
        let mut games = server.results(name);
        games.sort_by_key(|game| game["number"].as_u64().unwrap_or(0));
        games
    };
    let (status, ..) = games("alone.jsonl", "");
    assert_eq!(status, 0);
    let _workers = ["one", "two"].map(|name| server.worker(name));
    let (status, _, errors) = games("elsewhere.jsonl", &format!("--on {}", server.url()));
    assert_eq!((status, errors.as_str()), (0, ""));
    assert_eq!(sorted("elsewhere.jsonl"), sorted("alone.jsonl"));
    server.is_clean();
}

#[test]
fn a_job_is_read_as_the_command_line_is() {
    let Some(server) = Server::start("jobs") else { return };
    let _worker = server.worker("one");
    talk(&server, async |context| {
        let stream = until(async || context.get_stream("PROOFWOOD_ANSWERS").await.ok()).await;
        let solve = |game: &str, text: Value, options: Value| {
            json!({"format": 2, "version": env!("CARGO_PKG_VERSION"), "task": {"solve":
                {"line": 1, "game": game, "text": text, "options": options}}})
        };
        let start = json!({"moves": ""});
        for (number, (job, why)) in [
            (json!({"format": 1}), "cannot read the job"),
            (json!("text"), "cannot read the job"),
            (solve("chess-of-the-future", start.clone(), json!({})), "no game"),
            (solve("tic-tac-toe", json!({"moves": "b2 b2"}), json!({})), "move 2"),
            (solve("tic-tac-toe", start.clone(), json!({"certificate": "/etc/x"})), "option"),
            (
                solve("tic-tac-toe", start.clone(), json!({"memory": "999T"})),
                "more memory than the machine has",
            ),
            (solve("tic-tac-toe", start.clone(), json!({"threads": "0"})), "threads"),
            (
                solve("tic-tac-toe", start.clone(), json!({"leaves": "/etc/x.safetensors"})),
                "do not have this file",
            ),
            (
                json!({"format": 2, "version": env!("CARGO_PKG_VERSION"), "task": {"solve": {}}}),
                "missing field",
            ),
        ]
        .into_iter()
        .enumerate()
        {
            let subject = format!("proofwood.jobs.test.{number}");
            context.publish(subject, job.to_string().into()).await.unwrap().await.unwrap();
            let subject = format!("proofwood.answers.test.{number}");
            let answer =
                until(async || stream.get_last_raw_message_by_subject(&subject).await.ok());
            let answer: Value = serde_json::from_slice(&answer.await.payload).unwrap();
            let failed = &answer["done"]["failed"];
            assert_eq!(failed["is_input"], true, "{job}: {answer}");
            assert!(failed["why"].as_str().unwrap().contains(why), "{why}: {answer}");
        }
        let names = ["JOBS", "ANSWERS", "RUNS", "WORKERS"].map(|name| format!("PROOFWOOD_{name}"));
        for name in names {
            let mut stream = context.get_stream(name).await.unwrap();
            assert_eq!(stream.info().await.unwrap().config.storage, StorageType::File);
        }
    });
    let forgotten = common::json(&format!("status {} --json --forget test", server.url()));
    assert_eq!(forgotten["runs"], json!([]));
    let names: BTreeSet<&str> = forgotten["workers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|w| w["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, BTreeSet::from(["one"]));
}

/// Checks that deleting a run does not affect another. A purge by subject would make the workers
/// skip the other run's job, which would then never be delivered (nats-server 2.9.10).
#[test]
fn a_run_that_is_dropped_takes_no_other_along() {
    let Some(server) = Server::start("dropped") else { return };
    let work = || {
        let once = format!("work --connect {} --name one --threads 1 --once", server.url());
        Process::start_in(&once, Stdio::null(), Stdio::piped()).end()
    };
    assert_eq!(work().0, Some(0), "there is nothing to do, and the workers' queue is made");
    talk(&server, async |context| {
        let job = json!({"format": 2, "version": env!("CARGO_PKG_VERSION"), "task": {"solve":
            {"line": 1, "game": "tic-tac-toe", "text": {"moves": ""}, "options": {}}}});
        for run in ["kept", "dropped"] {
            let subject = format!("proofwood.jobs.{run}.1");
            context.publish(subject, job.to_string().into()).await.unwrap().await.unwrap();
        }
    });
    common::json(&format!("status {} --json --forget dropped", server.url()));
    assert_eq!(work().0, Some(0));
    talk(&server, async |context| {
        let stream = context.get_stream("PROOFWOOD_ANSWERS").await.unwrap();
        let answer = async |run| {
            let subject = format!("proofwood.answers.{run}.1");
            stream.get_last_raw_message_by_subject(&subject).await.is_ok()
        };
        assert!(answer("kept").await && !answer("dropped").await);
    });
}

#[test]
fn nothing_is_sent_unprotected() {
    let set = Path::new(env!("CARGO_TARGET_TMPDIR")).join("machines-unprotected.csv");
    fs::write(&set, "moves\n4\n").unwrap();
    let solve = format!("solve connect-four --positions {}", set.display());
    for (arguments, why) in [
        (format!("{solve} --on nats://192.0.2.1:4222"), "is another machine"),
        (format!("{solve} --on tls://192.0.2.1:4222"), "--creds FILE"),
        ("work --connect nats://192.0.2.1:4222".into(), "tls://"),
        ("serve nats://0.0.0.0:4222 --store jobs --dry-run".into(), "is another machine"),
        ("serve tls://0.0.0.0:4222 --store jobs --dry-run".into(), "--password-file"),
        ("status http://127.0.0.1".into(), "unsupported scheme"),
        ("work --connect nats://127.0.0.1:1 --name a.b".into(), "letters, digits"),
        (
            format!("{solve} --leaves x.safetensors --on nats://127.0.0.1:1"),
            "do not have this file",
        ),
    ] {
        let error = complaint(&arguments, 2);
        assert!(error.contains(why), "{arguments}: {error}");
    }
    let error = complaint(&format!("{solve} --on nats://127.0.0.1:1"), 1);
    assert!(error.contains("no server answers") && error.contains("proofwood serve"), "{error}");
}
