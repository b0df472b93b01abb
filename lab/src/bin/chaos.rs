//! Ends workers, who asks and the server at random moments, many times in one run, and holds
//! the results against those of one machine: the right answers, no job lost, none counted
//! twice.
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

impl Chaos {
    fn start(&self, arguments: &str) -> Process {
        let mut command = Command::new(&self.program);
        command.args(arguments.split_whitespace()).stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(Stdio::null());
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

    fn solve(&self, out: &str) -> String {
        let (set, out) = (self.folder.join("set.csv"), self.folder.join(out));
        format!(
            "solve connect-four --positions {} --out {} --algorithm gpn --threads 1 --memory 64M \
             --playouts {}",
            set.display(),
            out.display(),
            self.playouts
        )
    }

    /// The results but for the times.
    fn results(&self, name: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.folder.join(name)).unwrap_or_default();
        let mut all: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).expect("a result is whole"))
            .collect();
        for result in &mut all {
            let fields = result.as_object_mut().expect("a result is an object");
            fields.retain(|name, _| !name.contains("second"));
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
        fs::write(self.folder.join("set.csv"), format!("moves\n{lines}")).expect("a file");
        println!("one machine");
        let alone = Instant::now();
        drop(self.start(&self.solve("alone.jsonl")).0.wait());
        println!("  {:.0} s", alone.elapsed().as_secs_f64());

        let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let port = port.expect("a port").port();
        let url = format!("nats://127.0.0.1:{port}");
        let asks = format!("{} --on {url} --resume", self.solve("elsewhere.jsonl"));
        let works = |number: usize| format!("work --connect {url} --threads 1 --name w{number}");
        let mut server = self.server(port);
        let mut workers: Vec<Process> =
            (0..self.workers).map(|number| self.start(&works(number))).collect();
        let mut asking = self.start(&asks);
        let (mut kills, mut of) = (0, [0_u64; 3]);
        let started = Instant::now();
        loop {
            let pause = self.between * f64::from(rng.below(1000)) / 1000.0;
            sleep(Duration::from_secs_f64(pause));
            if let Some(status) = asking.0.try_wait().expect("a process") {
                // Started again it must find that all is done; a server that is just coming up
                // is no end.
                if status.code().is_some_and(|code| code == 0 || code == 10) {
                    break;
                }
                asking = self.start(&asks);
                continue;
            }
            if kills >= self.kills {
                continue;
            }
            kills += 1;
            match rng.below(10) {
                0 | 1 => {
                    of[0] += 1;
                    drop(server);
                    server = self.server(port);
                }
                2..4 => {
                    of[1] += 1;
                    asking = self.start_after(asking, &asks);
                }
                _ => {
                    of[2] += 1;
                    let number = rng.below(self.workers as u32) as usize;
                    let worker = workers.swap_remove(number);
                    workers.push(self.start_after(worker, &works(kills as usize + self.workers)));
                }
            }
        }
        println!(
            "ended {} times the server, {} times who asked, {} times a worker, in {:.0} s",
            of[0],
            of[1],
            of[2],
            started.elapsed().as_secs_f64()
        );
        drop((workers, server));
        let (alone, elsewhere) = (self.results("alone.jsonl"), self.results("elsewhere.jsonl"));
        println!("{} results of one machine, {} of many", alone.len(), elsewhere.len());
        alone == elsewhere
    }

    fn start_after(&self, ended: Process, arguments: &str) -> Process {
        drop(ended);
        self.start(arguments)
    }
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
