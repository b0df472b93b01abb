//! A client in this process, connected to an engine by pipes.

use clap::Parser;
use proofwood_protocols::{Analyze, Connection, Gtp, Uci, Ugi};
use proofwood_session::{Ended, Trouble};
use serde_json::Value;
use std::io::{self, BufRead, BufReader, PipeReader, PipeWriter, Read, Write};
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};

/// A command line without the program's name.
#[derive(Parser)]
#[command(no_binary_name = true)]
enum Command {
    Analyze(Box<Analyze>),
    Gtp(Box<Gtp>),
    Ugi(Box<Ugi>),
    Uci(Box<Uci>),
}

impl Command {
    fn run(self, connection: Connection<'_>) -> Result<Ended, Trouble> {
        match self {
            Command::Analyze(command) => command.run(connection),
            Command::Gtp(command) => command.run(connection),
            Command::Ugi(command) => command.run(connection),
            Command::Uci(command) => command.run(connection),
        }
    }
}

/// A client and the engine that it is connected to.
pub struct Client {
    pub input: Option<PipeWriter>,
    pub output: BufReader<PipeReader>,
    pub engine: JoinHandle<Result<Ended, Trouble>>,
    hooks: Receiver<Box<dyn Fn() + Send>>,
}

impl Client {
    /// Starts an engine with these arguments, split at spaces.
    pub fn start(arguments: &str) -> Client {
        let command = Command::try_parse_from(arguments.split_whitespace());
        let command = command.unwrap_or_else(|error| panic!("{arguments}: {error}"));
        let (read, input) = io::pipe().unwrap();
        let (output, write) = io::pipe().unwrap();
        let (sender, hooks) = mpsc::channel();
        let engine = thread::spawn(move || {
            command.run(Connection {
                input: Box::new(BufReader::new(read)),
                output: Box::new(write),
                on_interrupt: &|hook| {
                    let _ = sender.send(hook);
                    Ok(())
                },
            })
        });
        Client { input: Some(input), output: BufReader::new(output), engine, hooks }
    }

    pub fn say(&mut self, text: &str) {
        self.input.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    }

    pub fn hear(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line
    }

    /// Reads up to a line that begins with `start`; returns all lines read.
    pub fn hear_until(&mut self, start: &str) -> String {
        let mut heard = String::new();
        loop {
            let line = self.hear();
            assert!(!line.is_empty(), "no line begins with {start}: {heard}");
            heard += &line;
            if line.starts_with(start) {
                return heard;
            }
        }
    }

    /// Interrupts the engine as Ctrl-C would.
    pub fn interrupt(&self) {
        self.hooks.recv().unwrap()();
    }

    /// Reads the rest of the output. Returns how the engine ended, and the text that was read.
    pub fn rest(mut self) -> (Ended, String) {
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).unwrap();
        (self.engine.join().unwrap().unwrap(), rest)
    }

    /// Closes the input, waits until the engine ends, and returns the rest of the output.
    pub fn end(mut self) -> String {
        drop(self.input.take());
        let (ended, rest) = self.rest();
        assert_eq!(ended, Ended::Done, "{rest}");
        rest
    }
}

/// Runs an engine with this input to its end; returns the output.
pub fn run_with_input(arguments: &str, input: impl Into<Vec<u8>>) -> String {
    let mut client = Client::start(arguments);
    let (mut end, input) = (client.input.take().unwrap(), input.into());
    // Writing fails if the engine has ended early.
    let writer = thread::spawn(move || drop(end.write_all(&input)));
    let (ended, output) = client.rest();
    writer.join().unwrap();
    assert_eq!(ended, Ended::Done, "{arguments}");
    output
}

/// Parses an output that has one JSON document per line.
pub fn documents(output: &str) -> Vec<Value> {
    output.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}
