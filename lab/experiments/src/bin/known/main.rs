//! Solves positions with published answers and compares: `cargo lab -p proofwood-experiments --bin
//! known -- --time 10s`.

#![forbid(unsafe_code)]

mod ask;
mod sets;

use ask::{Answer, Solver, ask};
use clap::Parser;
use proofwood::options::read_bytes;
use proofwood::{Algorithm, Budget, Config, ProverConfig};
use serde::Serialize;
use sets::{Question, Questions};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{IsTerminal, Write as _, stderr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Solve positions with known answers in crates/games/tests/data
///
/// Prints a table of the answered positions of each set. An answer is wrong if any proven value of
/// the position or of one of its first moves contradicts the file.
#[derive(Parser)]
#[command(after_help = "Examples:
  known                      every set, 10 s a position on two threads
  known mates lines_of       the sets with one of these in their names
  known hex --time 60s --option c-pn=2 --out hex.json

Exit status: 0 when nothing is wrong, 1 when something is, 2 for a bad option or
a file that cannot be written.")]
struct Arguments {
    /// Solve only the sets whose name contains one of these words
    #[arg(value_name = "SET")]
    sets: Vec<String>,
    /// Time for each position, such as 10s or 500ms
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = read_time)]
    time: Duration,
    /// Worker threads of each search
    #[arg(long, default_value = "2")]
    threads: usize,
    /// An option of the search, such as c-pn=0.5; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// Algorithm: gpn, the search with playouts, or a prover such as dfpn
    #[arg(long, default_value = "gpn")]
    algorithm: String,
    /// Size of a prover's transposition table, in bytes
    #[arg(long, value_name = "BYTES", default_value = "1G", value_parser = read_bytes)]
    tt: u64,
    /// Start a leaf's proof number with its number of moves
    #[arg(long)]
    mobility: Option<bool>,
    /// Print one JSON document instead of the table
    #[arg(long)]
    json: bool,
    /// Write the JSON document to a file, too
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Default, Serialize)]
struct Row {
    set: String,
    asked: usize,
    answered: usize,
    wrong: usize,
    /// The number of positions that were answered with one of the moves listed in the file; `None`
    /// if it lists no moves.
    by_listed_move: Option<usize>,
    slowest_seconds: f64,
    total_seconds: f64,
}

#[derive(Serialize)]
struct Asked {
    #[serde(flatten)]
    question: Question,
    #[serde(flatten)]
    answer: Answer,
}

#[derive(Serialize)]
struct Results {
    seconds_each: f64,
    threads: usize,
    options: Vec<String>,
    sets: Vec<Row>,
    /// The questions that were left out because their games are not built in.
    left_out: Vec<String>,
    questions: Vec<Asked>,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("known: {error}");
            ExitCode::from(2)
        }
    }
}

/// Asks all questions, prints the results, and returns the number of wrong answers.
fn run(arguments: &Arguments) -> Result<usize, String> {
    let solver = solver(arguments)?;
    let questions = questions(&arguments.sets)?;
    let not_written = |error| format!("--out: {error}");
    let file = arguments.out.as_ref().map(File::create_new).transpose().map_err(not_written)?;
    let results = solve(questions, arguments, &solver);
    let json = serde_json::to_string_pretty(&results).expect("plain data") + "\n";
    if arguments.json {
        print!("{json}");
    } else {
        print!("{}", table(&results));
    }
    if let Some(mut file) = file {
        file.write_all(json.as_bytes()).map_err(not_written)?;
    }
    Ok(results.sets.iter().map(|row| row.wrong).sum())
}

fn solver(arguments: &Arguments) -> Result<Solver, String> {
    if arguments.algorithm.eq_ignore_ascii_case("gpn") {
        return config(arguments).map(Solver::Playouts);
    }
    if !arguments.options.is_empty() {
        return Err("--option is for --algorithm gpn".into());
    }
    let algorithm: Algorithm =
        arguments.algorithm.parse().map_err(|error: proofwood::TextError| error.to_string())?;
    let config = ProverConfig::default().algorithm(algorithm).threads(arguments.threads);
    let config = config.table(arguments.tt);
    Ok(Solver::Prover(match arguments.mobility {
        Some(mobility) => config.mobility(mobility),
        None => config,
    }))
}

/// The configuration that `proofwood solve` uses, changed by the options on the command line.
fn config(arguments: &Arguments) -> Result<Config, String> {
    let mut config = Config::proving().threads(arguments.threads);
    for option in &arguments.options {
        let (name, value) =
            option.split_once('=').ok_or(format!("'{option}' should be NAME=VALUE"))?;
        config.set(name, value).map_err(|error| error.to_string())?;
    }
    config.check().map_err(|error| error.to_string())?;
    Ok(config)
}

/// The questions in the sets whose names contain one of `wanted`; all questions if `wanted` is
/// empty.
fn questions(wanted: &[String]) -> Result<Questions, String> {
    let Questions { mut asked, left_out } = Questions::read();
    if wanted.is_empty() {
        return Ok(Questions { asked, left_out });
    }
    let mut sets: Vec<&str> = Vec::new();
    for Question { set, .. } in &asked {
        if !sets.contains(&set.as_str()) {
            sets.push(set);
        }
    }
    if let Some(part) = wanted.iter().find(|part| !sets.iter().any(|set| set.contains(*part))) {
        return Err(format!("no set has '{part}' in its name; there are: {}", sets.join(", ")));
    }
    asked.retain(|question| wanted.iter().any(|part| question.set.contains(part)));
    Ok(Questions { asked, left_out: Vec::new() })
}

fn solve(questions: Questions, arguments: &Arguments, solver: &Solver) -> Results {
    let Questions { asked, left_out } = questions;
    let mut results = Results {
        seconds_each: arguments.time.as_secs_f64(),
        threads: arguments.threads,
        options: arguments.options.clone(),
        sets: Vec::new(),
        left_out,
        questions: Vec::new(),
    };
    let budget = Budget::default().time(arguments.time);
    let (all, live) = (asked.len(), stderr().is_terminal());
    for (number, question) in (1..).zip(asked) {
        if live {
            eprint!("\r\x1b[K{number} of {all}: {}, {}", question.set, question.id);
        }
        match ask(&question, solver, &budget) {
            Some(answer) => results.add(question, answer),
            None if results.left_out.contains(&question.set) => {}
            None => results.left_out.push(question.set),
        }
    }
    if live {
        eprint!("\r\x1b[K");
    }
    results
}

impl Results {
    fn add(&mut self, question: Question, answer: Answer) {
        let place = self.sets.iter().position(|row| row.set == question.set);
        let place = place.unwrap_or_else(|| {
            self.sets.push(Row { set: question.set.clone(), ..Row::default() });
            self.sets.len() - 1
        });
        let row = &mut self.sets[place];
        row.asked += 1;
        row.answered += usize::from(answer.answered);
        row.wrong += usize::from(answer.wrong.is_some());
        if let Some(listed) = answer.by_listed_move {
            *row.by_listed_move.get_or_insert(0) += usize::from(listed);
        }
        row.slowest_seconds = row.slowest_seconds.max(answer.seconds);
        row.total_seconds += answer.seconds;
        self.questions.push(Asked { question, answer });
    }
}

/// The results as a table in Markdown, followed by wrong answers and omitted questions.
fn table(results: &Results) -> String {
    let mut text = String::from(
        "| set | asked | answered | wrong | by a listed move | slowest | all together |\n\
         |---|---|---|---|---|---|---|\n",
    );
    let mut all = Row { set: "**all**".into(), ..Row::default() };
    for row in &results.sets {
        line(&mut text, row);
        all.asked += row.asked;
        all.answered += row.answered;
        all.wrong += row.wrong;
        all.slowest_seconds = all.slowest_seconds.max(row.slowest_seconds);
        all.total_seconds += row.total_seconds;
    }
    line(&mut text, &all);
    for Asked { question, answer } in &results.questions {
        if let Some(why) = &answer.wrong {
            let Question { set, id, value, .. } = question;
            let _ = writeln!(text, "\nwrong: {set}, {id}: {value} is known; {why}");
        }
    }
    if !results.left_out.is_empty() {
        let _ = writeln!(text, "\nNo such game here: {}.", results.left_out.join(", "));
    }
    text
}

fn line(text: &mut String, row: &Row) {
    let Row { set, asked, answered, wrong, slowest_seconds, total_seconds, .. } = row;
    let listed = row.by_listed_move.map_or(String::new(), |moves| moves.to_string());
    let _ = writeln!(
        text,
        "| {set} | {asked} | {answered} | {wrong} | {listed} | {slowest_seconds:.2} s | {total_seconds:.1} s |"
    );
}

/// Reads `10s`, `500ms` or a plain number of seconds.
fn read_time(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 0.001),
        None => (text.strip_suffix('s').unwrap_or(text), 1.0),
    };
    let seconds = number.parse::<f64>().map_err(|_| "a time is written like 10s or 500ms")?;
    match Duration::try_from_secs_f64(seconds * unit) {
        Ok(time) if !time.is_zero() => Ok(time),
        _ => Err("the time should be more than 0".into()),
    }
}
