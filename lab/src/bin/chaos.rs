//! Ends workers, who asks and the server at random moments, many times in one run, and holds
//! the results against those of one machine: the right answers, no job lost, none counted
//! twice.
//!
//! With `--proof` it is one position that all of them prove, again and again.
//!
//! `cargo run --release -p proofwood-lab --bin chaos -- --program target/release/proofwood
//! --kills 100`, with a program that was built with `--features machines`, and a `nats-server`.

#![forbid(unsafe_code)]

use clap::Parser;
use proofwood::Rng;
use serde_json::Value;
use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// End processes at random while many machines solve a set.
#[derive(Parser, Debug)]
struct Chaos {
    /// The program, with the feature `machines`
    #[arg(long)]
    program: PathBuf,
    /// How many processes are ended
    #[arg(long, default_value_t = 100)]
    kills: u64,
    /// Workers
    #[arg(long, default_value_t = 3)]
    workers: usize,
    /// The longest time between two ends, in seconds
    #[arg(long, default_value_t = 4.0)]
    between: f64,
    /// Positions
    #[arg(long, default_value_t = 400)]
    positions: u64,
    /// Playouts of each
    #[arg(long, default_value_t = 300_000)]
    playouts: u64,
    /// Prove one position again and again in place of a set: this game's first one
    #[arg(long)]
    proof: Option<String>,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A folder that is made anew
    #[arg(long, default_value = "target/chaos")]
    folder: PathBuf,
}

/// A process that does not outlive this one.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What was ended, and how often.
#[derive(Clone, Copy, Debug, Default)]
struct Kills {
    server: u64,
    asking: u64,
    worker: u64,
}

impl Kills {
    fn all(self) -> u64 {
        self.server + self.asking + self.worker
    }
}

/// Everything that runs, and what was ended.
struct Run<'a> {
    chaos: &'a Chaos,
    port: u16,
    server: Process,
    workers: Vec<Process>,
    asking: Process,
    kills: Kills,
    rng: Rng,
}

impl Chaos {
    /// Starts the program; what it complains of goes to a file.
    fn start(&self, arguments: &str) -> Process {
        let mut command = Command::new(&self.program);
        let log = self.folder.join("log");
        let log = fs::OpenOptions::new().create(true).append(true).open(log).expect("a log");
        command.args(arguments.split_whitespace()).stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(log);
        Process(command.spawn().expect("the program starts"))
    }

    fn server(&self, port: u16) -> Process {
        let store = self.folder.join("store");
        let process =
            self.start(&format!("serve nats://127.0.0.1:{port} --store {}", store.display()));
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            sleep(Duration::from_millis(10));
        }
        process
    }

    fn worker(&self, port: u16, number: u64) -> Process {
        let url = format!("nats://127.0.0.1:{port}");
        self.start(&format!("work --connect {url} --threads 1 --name w{number} --log debug"))
    }

    /// What is asked for, with the results in this file.
    fn solve(&self, out: &str) -> String {
        let (set, out) = (self.folder.join("set.csv"), self.folder.join(out));
        match &self.proof {
            Some(game) => format!(
                "solve {game} --algorithm dfpn --threads 1 --tt 64M --goal win --out {} --force",
                out.display()
            ),
            None => format!(
                "solve connect-four --positions {} --out {} --algorithm gpn --threads 1 \
                 --memory 64M --playouts {}",
                set.display(),
                out.display(),
                self.playouts
            ),
        }
    }

    /// The results but for the times and, of proofs, what differs from one to the next.
    fn results(&self, name: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.folder.join(name)).unwrap_or_default();
        let mut all: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).expect("a result is whole"))
            .collect();
        for result in &mut all {
            let fields = result.as_object_mut().expect("a result is an object");
            match self.proof {
                Some(_) => fields.retain(|name, _| name == "value" || name == "settled"),
                None => fields.retain(|name, _| !name.contains("second")),
            }
        }
        all
    }

    /// How often something is in the log.
    fn logged(&self, what: &str) -> usize {
        let text = fs::read(self.folder.join("log")).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        text.lines().filter(|line| line.contains(what)).count()
    }

    fn run(&self) -> bool {
        let _ = fs::remove_dir_all(&self.folder);
        fs::create_dir_all(&self.folder).expect("a folder");
        let mut rng = Rng::new(self.seed);
        let moves =
            |rng: &mut Rng| (0..6).map(|_| (1 + rng.below(7)).to_string()).collect::<String>();
        let lines: String = (0..self.positions).map(|_| moves(&mut rng) + "\n").collect();
        fs::write(self.folder.join("set.csv"), format!("moves\n{lines}")).expect("a file");
        println!("one machine");
        let alone = Instant::now();
        drop(self.start(&self.solve("alone.jsonl")).0.wait());
        println!("  {:.0} s", alone.elapsed().as_secs_f64());

        let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let port = port.expect("a port").port();
        let server = self.server(port);
        let workers = (0..self.workers as u64).map(|number| self.worker(port, number)).collect();
        let asking = self.start(&self.asks(port));
        let kills = Kills::default();
        let mut run = Run { chaos: self, port, server, workers, asking, kills, rng };
        run.go_on()
    }

    fn asks(&self, port: u16) -> String {
        let more = if self.proof.is_some() { "" } else { " --resume" };
        format!("{} --on nats://127.0.0.1:{port}{more}", self.solve("elsewhere.jsonl"))
    }
}

impl Run<'_> {
    /// Ends one after the other until all is done; whether it is right.
    fn go_on(&mut self) -> bool {
        let (chaos, started) = (self.chaos, Instant::now());
        let (mut done, mut right) = (0, 0);
        loop {
            let pause = chaos.between * f64::from(self.rng.below(1000)) / 1000.0;
            sleep(Duration::from_secs_f64(pause));
            if let Some(status) = self.asking.0.try_wait().expect("a process") {
                // Started again it must find that all is done; a server that is just coming up
                // is no end.
                if status.code().is_some_and(|code| code == 0 || code == 10) {
                    let (alone, elsewhere) =
                        (chaos.results("alone.jsonl"), chaos.results("elsewhere.jsonl"));
                    done += 1;
                    right += u64::from(alone == elsewhere && !alone.is_empty());
                    println!(
                        "{} results of one machine, {} of many: {}",
                        alone.len(),
                        elsewhere.len(),
                        if alone == elsewhere { "the same" } else { "NOT the same" }
                    );
                    if chaos.proof.is_none() || self.kills.all() >= chaos.kills {
                        break;
                    }
                }
                self.asking = chaos.start(&chaos.asks(self.port));
                continue;
            }
            if self.kills.all() < chaos.kills {
                self.end_one();
            }
        }
        self.report(started);
        done == right
    }

    /// Ends a server, who asks or a worker, and starts another one.
    fn end_one(&mut self) {
        let (chaos, port) = (self.chaos, self.port);
        match self.rng.below(10) {
            0 | 1 => {
                self.kills.server += 1;
                end(&mut self.server);
                self.server = chaos.server(port);
            }
            2..4 => {
                self.kills.asking += 1;
                end(&mut self.asking);
                self.asking = chaos.start(&chaos.asks(port));
            }
            _ => {
                self.kills.worker += 1;
                let number = self.rng.below(self.workers.len() as u32) as usize;
                end(&mut self.workers[number]);
                let name = self.kills.all() + chaos.workers as u64;
                self.workers[number] = chaos.worker(port, name);
            }
        }
    }

    /// What was ended, and what the server and the workers have counted.
    fn report(&self, started: Instant) {
        let Kills { server, asking, worker } = self.kills;
        println!(
            "ended {server} times the server, {asking} times who asked, {worker} times a worker, \
             in {:.0} s",
            started.elapsed().as_secs_f64()
        );
        let url = format!("nats://127.0.0.1:{}", self.port);
        let status = Command::new(&self.chaos.program).args(["status", &url, "--json"]).output();
        let status = status.ok().and_then(|out| serde_json::from_slice::<Value>(&out.stdout).ok());
        let count = |name: &str| status.as_ref().and_then(|status| status[name].as_u64());
        println!(
            "jobs: {:?} handed out, {} begun, {} left when called off; answers: {:?} taken by the \
             server, {} sent, {} refused as second ones",
            count("handed_out"),
            self.chaos.logged("takes a job"),
            self.chaos.logged("called off"),
            count("answered"),
            self.chaos.logged("sends an answer"),
            self.chaos.logged("sent=Second"),
        );
    }
}

fn end(process: &mut Process) {
    let _ = process.0.kill();
    let _ = process.0.wait();
}

fn main() -> ExitCode {
    let chaos = Chaos::parse();
    assert!(Path::new(&chaos.program).exists(), "--program: there is none");
    match chaos.run() {
        true => {
            println!("the same");
            ExitCode::SUCCESS
        }
        false => {
            println!("NOT the same");
            ExitCode::FAILURE
        }
    }
}
