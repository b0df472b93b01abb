//! Kills workers, the requesting process and the server at random moments, and compares the results
//! with those of a single machine. The answers must be right, and no job may be lost or counted
//! twice.
//!
//! Until the time is up, a set of positions and the proof of one position are solved in turn. Each
//! line of the set must equal that of a single machine; a proof must have the right answer and a
//! certificate that `check` accepts. No job may be answered twice, and no finished job may leave
//! anything on the server.
//!
//! `cargo lab -p proofwood-experiments --bin chaos -- --program target/release/proofwood` runs it.
//! It needs a program built with `--features machines`, and a `nats-server`.

#![forbid(unsafe_code)]

use clap::Parser;
use proofwood::Rng;
use serde_json::Value;
use std::collections::HashSet;
use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Kill processes at random while many machines work
#[derive(Parser, Debug)]
struct Chaos {
    /// Program built with the feature `machines`
    #[arg(long)]
    program: PathBuf,
    /// Number of processes to kill
    #[arg(long, default_value_t = 100)]
    kills: u32,
    /// Minutes over which the kills are spread
    #[arg(long, default_value_t = 60.0)]
    minutes: f64,
    /// Number of workers
    #[arg(long, default_value_t = 2)]
    workers: usize,
    /// Positions in the set
    #[arg(long, default_value_t = 100)]
    positions: u64,
    /// Playouts for each position
    #[arg(long, default_value_t = 100_000)]
    playouts: u64,
    /// Game whose first position is proven
    #[arg(long, default_value = "connect-four:5x4")]
    proof: String,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Folder for all files, emptied first
    #[arg(long, default_value = "target/chaos")]
    folder: PathBuf,
}

/// A child process, killed when dropped.
struct Process(Child);

impl Process {
    fn end(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Set,
    Proof,
}

impl Asked {
    fn next(self) -> Asked {
        match self {
            Asked::Set => Asked::Proof,
            Asked::Proof => Asked::Set,
        }
    }

    /// Returns the names of the files with the results of a single machine and of many machines.
    fn files(self) -> [&'static str; 2] {
        match self {
            Asked::Set => ["set-alone.jsonl", "set.jsonl"],
            Asked::Proof => ["proof-alone.jsonl", "proof.jsonl"],
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    server: u32,
    asking: u32,
    worker: u32,
    /// The numbers of sets and proofs with the right result, and with a wrong one.
    right: u32,
    wrong: u32,
    /// The numbers of jobs begun, of answers that the server accepted, and of answers that it
    /// refused as duplicates.
    begun: usize,
    taken: usize,
    refused: usize,
    /// The number of requesting processes that gave up because no server was running when they
    /// began.
    gave_up: u32,
}

struct Run<'a> {
    chaos: &'a Chaos,
    port: u16,
    server: Process,
    workers: Vec<Process>,
    asked: Asked,
    asking: Process,
    /// The number of bytes of the log that have already been read.
    read: usize,
    counts: Counts,
    rng: Rng,
}

impl Chaos {
    /// Starts the program with its errors appended to a file.
    fn start(&self, arguments: &str) -> Process {
        let log = fs::OpenOptions::new().create(true).append(true).open(self.path("log"));
        let mut command = Command::new(&self.program);
        command.args(arguments.split_whitespace()).stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(log.expect("a log"));
        Process(command.spawn().expect("the program starts"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn server(&self, port: u16) -> Process {
        let store = self.path("store");
        let process =
            self.start(&format!("serve nats://127.0.0.1:{port} --store {}", store.display()));
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            sleep(Duration::from_millis(10));
        }
        process
    }

    fn worker(&self, port: u16, number: u32) -> Process {
        let url = format!("nats://127.0.0.1:{port}");
        self.start(&format!("work --connect {url} --threads 1 --name w{number} --log debug"))
    }

    /// Returns the command line that writes the results to `out`.
    fn solve(&self, asked: Asked, out: &str) -> String {
        let (set, out) = (self.path("set.csv"), self.path(out));
        match asked {
            Asked::Set => format!(
                "solve connect-four --positions {} --out {} --algorithm gpn --threads 1 \
                 --memory 64M --playouts {}",
                set.display(),
                out.display(),
                self.playouts
            ),
            Asked::Proof => format!(
                "solve {} --algorithm dfpn --threads 1 --tt 64M --goal win --out {} --certificate \
                 {} --force",
                self.proof,
                out.display(),
                out.with_extension("proof").display()
            ),
        }
    }

    /// Starts a process that has many machines solve the set or the proof.
    fn ask(&self, asked: Asked, port: u16) -> Process {
        let more = if asked == Asked::Set { " --resume" } else { "" };
        let solve = self.solve(asked, asked.files()[1]);
        self.start(&format!("{solve} --on nats://127.0.0.1:{port}{more}"))
    }

    /// Reads the results in a file, without times and, for proofs, without figures that vary
    /// between runs.
    fn results(&self, asked: Asked, name: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.path(name)).unwrap_or_default();
        let read = |line| serde_json::from_str(line).expect("a result is whole");
        let mut all: Vec<Value> = text.lines().map(read).collect();
        for result in &mut all {
            let fields = result.as_object_mut().expect("a result is an object");
            match asked {
                Asked::Set => fields.retain(|name, _| !name.contains("second")),
                Asked::Proof => fields.retain(|name, _| name == "proven" || name == "solved"),
            }
        }
        all
    }

    fn run(&self) -> bool {
        let _ = fs::remove_dir_all(&self.folder);
        fs::create_dir_all(&self.folder).expect("a folder");
        let mut rng = Rng::new(self.seed);
        let moves =
            |rng: &mut Rng| (0..6).map(|_| (1 + rng.below(7)).to_string()).collect::<String>();
        let lines: String = (0..self.positions).map(|_| moves(&mut rng) + "\n").collect();
        fs::write(self.path("set.csv"), format!("moves\n{lines}")).expect("a file");
        for asked in [Asked::Set, Asked::Proof] {
            let begun = Instant::now();
            let _ = self.start(&self.solve(asked, asked.files()[0])).0.wait();
            println!("{asked:?} on one machine: {:.0} s", begun.elapsed().as_secs_f64());
        }

        let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let port = port.expect("a port").port();
        let server = self.server(port);
        let workers = (0..self.workers as u32).map(|number| self.worker(port, number)).collect();
        let (asked, asking) = (Asked::Set, self.ask(Asked::Set, port));
        let (read, counts) = (0, Counts::default());
        Run { chaos: self, port, server, workers, asked, asking, read, counts, rng }.go_on()
    }
}

impl Run<'_> {
    /// Solves the set and the proof in turn, and meanwhile kills one process after another. Returns
    /// whether all results were right.
    fn go_on(&mut self) -> bool {
        let (chaos, started) = (self.chaos, Instant::now());
        let mut moments: Vec<f64> = (0..chaos.kills)
            .map(|_| chaos.minutes * 60.0 * f64::from(self.rng.below(1 << 20)) / f64::from(1 << 20))
            .collect();
        // The earliest moment is the last in the list.
        moments.sort_by(|a, b| b.total_cmp(a));
        loop {
            sleep(Duration::from_millis(20));
            let elapsed = started.elapsed().as_secs_f64();
            if let Some(status) = self.asking.0.try_wait().expect("a process") {
                // All or not all positions were solved; with any other status, no server was found.
                if matches!(status.code(), Some(0 | 10)) {
                    self.look(elapsed);
                    if moments.is_empty() {
                        break;
                    }
                    self.asked = self.asked.next();
                } else {
                    self.counts.gave_up += 1;
                }
                self.asking = chaos.ask(self.asked, self.port);
            }
            if moments.pop_if(|moment| *moment <= elapsed).is_some() {
                self.end_one();
            }
        }
        self.report(started);
        self.counts.wrong == 0
    }

    fn end_one(&mut self) {
        let (chaos, port) = (self.chaos, self.port);
        match self.rng.below(10) {
            0 | 1 => {
                self.counts.server += 1;
                self.server.end();
                self.server = chaos.server(port);
            }
            2..4 => {
                self.counts.asking += 1;
                self.asking.end();
                self.asking = chaos.ask(self.asked, port);
            }
            _ => {
                self.counts.worker += 1;
                let number = self.rng.below(self.workers.len() as u32) as usize;
                self.workers[number].end();
                self.workers[number] =
                    chaos.worker(port, chaos.workers as u32 + self.counts.worker);
            }
        }
    }

    /// Compares the finished results with those of a single machine, and counts them.
    fn look(&mut self, elapsed: f64) {
        let (chaos, asked) = (self.chaos, self.asked);
        let [alone, many] = asked.files().map(|name| chaos.results(asked, name));
        let mut faults = Vec::new();
        if alone.is_empty() || alone != many {
            faults.push(format!("{} results of one machine, {} of many", alone.len(), many.len()));
        }
        let out = chaos.path(asked.files()[1]);
        if asked == Asked::Proof {
            let proof = out.with_extension("proof");
            let check = chaos.start(&format!("check {}", proof.display())).0.wait();
            if !check.is_ok_and(|status| status.success()) {
                faults.push("the certificate does not hold".into());
            }
            let _ = fs::remove_file(proof);
        }
        let _ = fs::remove_file(out);
        let twice = self.read_log();
        if twice > 0 {
            faults.push(format!("{twice} jobs were answered twice"));
        }
        match faults.is_empty() {
            true => self.counts.right += 1,
            false => self.counts.wrong += 1,
        }
        let faults = if faults.is_empty() { "right".into() } else { faults.join(", ") };
        println!("{elapsed:5.0} s, {asked:?}: {faults}; on the server: {}", self.left());
    }

    /// Counts the jobs and answers in the new part of the log; returns the number of jobs that were
    /// answered twice.
    fn read_log(&mut self) -> usize {
        let log = fs::read(self.chaos.path("log")).unwrap_or_default();
        let text = String::from_utf8_lossy(&log[self.read..]).into_owned();
        self.read = log.len();
        let (mut answered, mut twice) = (HashSet::new(), 0);
        for line in text.lines() {
            self.counts.begun += usize::from(line.contains("takes a job"));
            if !line.contains("sends an answer") {
                continue;
            }
            self.counts.refused += usize::from(line.contains("sent=Second"));
            if line.contains("sent=Kept") {
                self.counts.taken += 1;
                let subject = line.split_whitespace().find(|word| word.starts_with("subject="));
                twice += usize::from(!answered.insert(subject));
            }
        }
        twice
    }

    /// Describes the jobs and answers left on the server.
    fn left(&self) -> String {
        let url = format!("nats://127.0.0.1:{}", self.port);
        let status = Command::new(&self.chaos.program).args(["status", &url, "--json"]).output();
        let status = status.ok().and_then(|out| serde_json::from_slice::<Value>(&out.stdout).ok());
        match status.as_ref().and_then(|status| status["runs"].as_array()) {
            Some(runs) if runs.is_empty() => "nothing".into(),
            Some(runs) => {
                let of = |run: &Value| format!("{} jobs, {} answers", run["jobs"], run["answers"]);
                runs.iter().map(of).collect::<Vec<String>>().join("; ")
            }
            None => "no answer".into(),
        }
    }

    fn report(&self, started: Instant) {
        let Counts { server, asking, worker, right, wrong, begun, taken, refused, gave_up } =
            self.counts;
        println!(
            "in {:.0} s ended {server} times the server, {asking} times who asked, {worker} times \
             a worker; {right} sets and proofs came out right, {wrong} did not\n{begun} jobs \
             begun, {taken} answers taken by the server, {refused} refused as second ones; \
             {gave_up} times who asked gave up and was started anew",
            started.elapsed().as_secs_f64()
        );
    }
}

fn main() -> ExitCode {
    let chaos = Chaos::parse();
    assert!(Path::new(&chaos.program).exists(), "--program: there is none");
    match chaos.run() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
