//! `proofwood export`: a tree or a proof for people, in a browser or in another program.

use crate::display::numbers;
use crate::display::outline::{Extent, MOST_NODES, Outline, dot, html};
use crate::display::screen::Line;
use crate::exit::{Failure, Outcome};
use crate::files::{Asked, Force, Whole, check_apart, check_distinct};
use crate::input::limits::{read, whole};
use crate::solving::check::{NotAccepted, check_within};
use crate::solving::kept::{Kept, is_tree};
use crate::solving::proof_outline::outlines;
use crate::solving::tree_outline::outline;
use crate::solving::variations::variations;
use crate::terminal::print::Printer;
use crate::terminal::progress::Progress;
use proofwood::certificate::DEFAULT_MEMORY;
use proofwood::read_bytes;
use proofwood_any_game::Position;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Write a tree or a proof as HTML, as a graph or as SGF
///
/// FILE is a tree that search --save-tree has written, or a certificate of solve
/// --certificate, which is checked first. What is written is cut at a depth and a width;
/// what is left out is counted where it would stand.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  proofwood search othello --time 10s --save-tree othello.tree
  proofwood export othello.tree --html othello.html --depth 4 --width 3
  proofwood solve tic-tac-toe --certificate draw.proof
  proofwood export draw.proof --html draw.html --dot draw.dot --sgf draw.sgf

The HTML file needs no other file, no network and no script. Of a tree the moves with
the most visits are written, of a proof the first of all replies. A file has at most
10,000 positions. Graphviz draws the graph: dot -Tsvg draw.dot -o draw.svg.

Exit status: 0 when the files are written, 1 when a certificate is refused, 2 for bad
input.")]
#[command(override_usage = "proofwood export [OPTIONS] <FILE>")]
#[command(group(clap::ArgGroup::new("to").args(["html", "dot", "sgf"]).required(true).multiple(true)))]
pub(crate) struct Export {
    /// The tree or the certificate
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Write a page for a browser
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write a graph for Graphviz
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Write variations for programs that show trees of moves
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,
    /// Moves from the root
    #[arg(short, long, value_name = "NUMBER", default_value_t = 4,
        value_parser = whole::<usize>(1..=200), allow_negative_numbers = true)]
    depth: usize,
    /// Moves of each position
    #[arg(short, long, value_name = "NUMBER", default_value_t = 8,
        value_parser = whole::<usize>(1..=1000), allow_negative_numbers = true)]
    width: usize,
    /// Memory that the check of a certificate may take [default: 1G]
    #[arg(long, value_name = "BYTES", allow_negative_numbers = true)]
    memory: Option<String>,
    #[command(flatten)]
    force: Force,
    /// Print one JSON object a file
    #[arg(long)]
    json: bool,
}

/// A file that was written.
#[derive(Debug, Serialize)]
struct WrittenJson {
    file: String,
    /// `html`, `dot` or `sgf`.
    format: &'static str,
    game: String,
    positions: usize,
    bytes: usize,
}

/// What is written.
struct Shown {
    game: String,
    root: Box<dyn Position>,
    /// What it has been made of, line by line.
    about: Vec<(&'static str, String)>,
    outlines: Vec<Outline>,
}

impl Export {
    /// Reads, checks and writes.
    pub(crate) fn run(self, printer: &mut Printer) -> Result<Outcome, Failure> {
        let memory = read("--memory", self.memory.as_deref(), read_bytes)?;
        let mut claimed: Vec<(&'static str, &Path, Whole)> = Vec::new();
        let wanted = [("--html", &self.html), ("--dot", &self.dot), ("--sgf", &self.sgf)];
        for (option, path) in wanted {
            let Some(path) = path else { continue };
            check_distinct(option, path, &self.file)?;
            for (_, other, _) in &claimed {
                check_apart(option, path, other)?;
            }
            let file = Whole::claim(Asked::new(option, path, self.force))?;
            claimed.push((option, path, file));
        }
        let progress = Progress::new();
        let name = self.file.display().to_string();
        progress.show(&Line::new().item(0, "reading").item(1, &name));
        let extent = Extent { depth: self.depth, width: self.width, nodes: MOST_NODES };
        let shown = match is_tree(&self.file)? {
            true => of_tree(&self.file, extent)?,
            false => of_proof(&self.file, memory.unwrap_or(DEFAULT_MEMORY), extent)?,
        };
        let title = format!("{}: {name}", shown.game);
        let mut texts = Vec::new();
        for (option, ..) in &claimed {
            texts.push(match *option {
                "--html" => html(&title, &shown.about, &shown.outlines),
                "--dot" => dot(&title, &shown.outlines),
                _ => variations(&shown.game, &*shown.root, &shown.outlines)?,
            });
        }
        drop(progress);
        let positions: usize = shown.outlines.iter().map(|outline| outline.nodes.len()).sum();
        for ((option, path, file), text) in claimed.iter_mut().zip(texts) {
            file.write(text.as_bytes())?;
            let (name, game) = (path.display().to_string(), shown.game.clone());
            let format = option.trim_start_matches('-');
            let written = numbers::number(positions as u64, "position");
            match self.json {
                true => printer.json(&WrittenJson {
                    file: name,
                    format,
                    game,
                    positions,
                    bytes: text.len(),
                })?,
                false => printer.text(&format!("{name}: {written}\n"))?,
            }
        }
        Ok(Outcome::Done)
    }
}

/// The outline of a kept tree.
fn of_tree(path: &Path, extent: Extent) -> Result<Shown, Failure> {
    let Kept { game, position, search, .. } = Kept::load(path)?;
    let outline = outline(&*search, &*position, extent)?;
    let answer = search.snapshot();
    let figures = "for who has played the move: points are the share of all points that \
                   playouts brought, bounds are proven";
    let about = vec![
        ("Game", game.clone()),
        ("Position", position.text()),
        ("Tree", format!("{} nodes", numbers::count(answer.nodes as f64))),
        ("Figures", figures.to_string()),
    ];
    Ok(Shown { game, root: position, about, outlines: vec![outline] })
}

/// The outlines of an accepted certificate.
fn of_proof(path: &Path, memory: u64, extent: Extent) -> Result<Shown, Failure> {
    let (checked, _) = check_within(path, memory).map_err(|error| match error {
        NotAccepted::Refused(refusal) if refusal.lacks_memory() => {
            Failure::Failed(format!("{}: {refusal}; --memory allows more", path.display()))
        }
        NotAccepted::Refused(refusal) => Failure::Failed(format!("{}: {refusal}", path.display())),
        NotAccepted::Unreadable(failure) => failure.about(&path.display().to_string()),
    })?;
    let (root, outlines) = outlines(path, &checked, extent)?;
    let positions: u64 = checked.claims.iter().map(|claim| claim.positions).sum();
    let about = vec![
        ("Game", checked.game.clone()),
        ("Position", checked.position.clone()),
        ("Proof", format!("{} positions, checked by the rules", numbers::count(positions as f64))),
        ("Figures", "positions: how many the proof lists from there on".into()),
    ];
    Ok(Shown { game: checked.game, root, about, outlines })
}
