//! Measures the processor time spent on communication while many workers prove one position: the
//! time of the server, of the process that asks, and of those threads of the workers that are not
//! provers, and the total.
//!
//! The program recognises threads by their names. A prover's threads end with its job, so their
//! time is computed as the rest of their process's time, which includes ended threads. A prover's
//! coordinator proves in the first moments of a job and then only keeps time, so it has its own
//! row, and the communication time is printed both with it and without it. The program reads
//! `/proc`, so it runs on Linux only.
//!
//! `cargo lab -p proofwood-experiments --bin network_overhead -- --program target/release/proofwood
//! --workers 8 connect-four:6x6 --algorithm dfpn --tt 256M --goal win --player 0`. It needs a
//! program built with `--features machines`, and a `nats-server`.

#![forbid(unsafe_code)]

use clap::Parser;
use std::collections::HashMap;
use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Measure the time spent on communication while workers prove one position
#[derive(Parser, Debug)]
struct Talking {
    /// Program built with the feature `machines`
    #[arg(long)]
    program: PathBuf,
    /// Number of workers, with one thread for each job
    #[arg(long, default_value_t = 8)]
    workers: usize,
    /// Number of jobs that each worker does at a time
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Arguments of `proofwood solve`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    solve: Vec<String>,
}

/// A child process, which is killed when this value is dropped.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Prover,
    Coordinator,
    Other,
}

impl Role {
    /// The role of the thread called `name`, of which the kernel keeps 15 letters.
    fn of(name: &str) -> Role {
        match name.strip_prefix("proofwood-") {
            Some("coord") => Role::Coordinator,
            Some(number) if number.parse::<u32>().is_ok() => Role::Prover,
            _ => Role::Other,
        }
    }
}

/// The role and the processor seconds of each thread, by process and thread.
type Threads = HashMap<(u32, String), (Role, f64)>;

/// The processor seconds of each process, including those of its ended threads.
type Processes = HashMap<u32, f64>;

/// The number of ticks per second in which `/proc` counts processor time; it is the same on every
/// current Linux.
const TICKS: f64 = 100.0;

/// The name and the processor seconds of a process or thread; `None` if it has ended.
fn read(folder: &Path) -> Option<(String, f64)> {
    let stat = fs::read_to_string(folder.join("stat")).ok()?;
    let (before, after) = stat.rsplit_once(") ")?;
    let (_, name) = before.split_once('(')?;
    // The 14th and 15th field: user and system time.
    let fields = after.split_whitespace().skip(11).take(2);
    let ticks: f64 = fields.filter_map(|field| field.parse::<f64>().ok()).sum();
    Some((name.into(), ticks / TICKS))
}

/// Records the processor time that a process and each of its threads have used so far.
fn look(process: u32, threads: &mut Threads, processes: &mut Processes) {
    let folder = Path::new("/proc").join(process.to_string());
    for task in fs::read_dir(folder.join("task")).into_iter().flatten().flatten() {
        if let Some((name, seconds)) = read(&task.path()) {
            let thread = task.file_name().to_string_lossy().into_owned();
            threads.insert((process, thread), (Role::of(&name), seconds));
        }
    }
    if let Some((_, seconds)) = read(&folder) {
        processes.insert(process, seconds);
    }
}

fn main() -> ExitCode {
    let Talking { program, workers, jobs, solve } = Talking::parse();
    let start = |arguments: &[&str], out: Stdio| {
        let mut command = Command::new(&program);
        command.args(arguments).stdin(Stdio::null()).stdout(out).stderr(Stdio::null());
        Process(command.spawn().expect("the program starts"))
    };
    let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    let port = port.expect("a port").port();
    let url = format!("nats://127.0.0.1:{port}");
    let store = std::env::temp_dir().join(format!("proofwood-talking-{port}"));
    let server = start(&["serve", &url, "--store", &store.display().to_string()], Stdio::null());
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        sleep(Duration::from_millis(10));
    }
    let worker = |_| {
        let jobs = jobs.to_string();
        start(&["work", "--connect", &url, "--threads", "1", "--jobs", &jobs], Stdio::null())
    };
    let all: Vec<Process> = (0..workers).map(worker).collect();
    let arguments: Vec<&str> = ["solve"]
        .into_iter()
        .chain(solve.iter().map(String::as_str))
        .chain(["--on", &url])
        .collect();
    let begun = Instant::now();
    let mut asking = start(&arguments, Stdio::inherit());
    let server_itself = children_of(server.0.id());
    let (mut threads, mut processes) = (Threads::new(), Processes::new());
    let status = loop {
        let all_workers = all.iter().map(|process| process.0.id());
        for process in
            all_workers.chain([server.0.id(), asking.0.id()]).chain(server_itself.clone())
        {
            look(process, &mut threads, &mut processes);
        }
        if let Ok(Some(status)) = asking.0.try_wait() {
            break status;
        }
        sleep(Duration::from_millis(50));
    };
    let works = |process: &u32| all.iter().any(|worker| worker.0.id() == *process);
    let of_workers = |wanted: Role| {
        let some =
            threads.iter().filter(|((process, _), (role, _))| works(process) && *role == wanted);
        some.map(|(_, (_, seconds))| seconds).sum::<f64>()
    };
    let whole: f64 = processes.values().sum();
    let asks = processes.get(&asking.0.id()).copied().unwrap_or(0.0);
    let (coordinating, other) = (of_workers(Role::Coordinator), of_workers(Role::Other));
    let working: f64 =
        processes.iter().filter(|(process, _)| works(process)).map(|(_, seconds)| *seconds).sum();
    let rows = [
        ("provers", working - coordinating - other),
        ("their coordinators", coordinating),
        ("workers' other threads", other),
        ("who asks", asks),
        ("server", whole - working - asks),
    ];
    println!("{workers} workers, {:.1} s on the wall", begun.elapsed().as_secs_f64());
    for (who, seconds) in rows {
        println!("{who:24} {seconds:8.2} s");
    }
    let part = |seconds| seconds / whole * 100.0;
    let talking = other + whole - working;
    println!("talking                  {:8.2} %", part(talking));
    println!("with the coordinators    {:8.2} %", part(talking + coordinating));
    drop((all, server));
    let _ = fs::remove_dir_all(&store);
    if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn children_of(process: u32) -> Vec<u32> {
    let path = format!("/proc/{process}/task/{process}/children");
    let text = fs::read_to_string(path).unwrap_or_default();
    text.split_whitespace().filter_map(|number| number.parse().ok()).collect()
}
