//! `proofwood export`: writes a tree or a proof as HTML, as a graph or as SGF.

use crate::display::screen::Line;
use crate::terminal::print::Printer;
use crate::terminal::progress::Progress;
use proofwood::certificate::{Checked, DEFAULT_MEMORY};
use proofwood::options::read_bytes;
use proofwood_any_game::{Position, Searching};
use proofwood_notation::outline::proof::{depth_of, outlines, root_of};
use proofwood_notation::outline::tree::outline;
use proofwood_notation::outline::variations::variations;
use proofwood_notation::outline::{Extent, MOST_DRAWN, MOST_NODES, Outline, dot, html};
use proofwood_session::files::{Asked, Force, Whole, check_apart, check_distinct};
use proofwood_session::input::limits::{read, whole};
use proofwood_session::solving::check::{NotAccepted, check_within};
use proofwood_session::solving::kept::{Kept, is_tree};
use proofwood_session::words::numbers;
use proofwood_session::{Ended, Trouble};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Write a tree or a proof as HTML, as a graph or as SGF
///
/// FILE is a tree from search --save-tree, or a certificate from solve --certificate, which is
/// checked first. Omitted moves are counted where they would stand.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  proofwood search othello --time 10s --save-tree othello.tree
  proofwood export othello.tree --html othello.html --depth 4 --width 3
  proofwood solve tic-tac-toe --certificate draw.proof
  proofwood export draw.proof --html draw.html --dot draw.dot --sgf draw.sgf

The HTML file needs no other file, no network and no script. A tree is reduced to the
moves with the most visits. A proof is written in full, or as deep as 10,000 positions
allow (500 in a graph). Graphviz draws the graph: dot -Tsvg draw.dot -o draw.svg.

Exit status: 0 if the files are written, 1 if a certificate is refused, 2 for bad
input.")]
#[command(override_usage = "proofwood export [OPTIONS] <FILE>")]
#[command(group(clap::ArgGroup::new("to").args(["html", "dot", "sgf"]).required(true).multiple(true)))]
pub(crate) struct Export {
    /// Tree or certificate to export
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Write a page for a browser
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write a graph for Graphviz
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Write variations in SGF
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,
    /// Maximum depth, in moves from the root [default: 4 for a tree, as many as fit for a proof]
    #[arg(short, long, value_name = "NUMBER",
        value_parser = whole::<usize>(1..=DEEPEST), allow_negative_numbers = true)]
    depth: Option<usize>,
    /// Maximum number of moves per position [default: 8 for a tree, all for a proof]
    #[arg(short, long, value_name = "NUMBER",
        value_parser = whole::<usize>(1..=1000), allow_negative_numbers = true)]
    width: Option<usize>,
    /// Memory limit for checking a certificate [default: 1G]
    #[arg(long, value_name = "BYTES", allow_negative_numbers = true)]
    memory: Option<String>,
    #[command(flatten)]
    force: Force,
    /// Print one JSON object per file
    #[arg(long)]
    json: bool,
}

/// The maximum depth; browsers display deeper nesting badly.
const DEEPEST: u64 = 200;

/// A file that was written.
#[derive(Debug, Serialize)]
struct WrittenJson {
    file: String,
    /// The format: `html`, `dot` or `sgf`.
    format: &'static str,
    game: String,
    /// The number of positions in the file.
    positions: usize,
    /// The size of the file in bytes.
    bytes: usize,
}

struct Shown<'f> {
    game: String,
    root: Box<dyn Position>,
    /// Facts about the origin of the tree or the proof, each with a label.
    about: Vec<(&'static str, String)>,
    source: Source<'f>,
}

enum Source<'f> {
    Tree(Box<dyn Searching>),
    Proof(&'f Path, Checked),
}

impl Export {
    pub(crate) fn run(self, printer: &mut Printer) -> Result<Ended, Trouble> {
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
        let shown = match is_tree(&self.file)? {
            true => of_tree(&self.file)?,
            false => of_proof(&self.file, memory.unwrap_or(DEFAULT_MEMORY))?,
        };
        let title = format!("{}: {name}", shown.game);
        let mut texts = Vec::new();
        for (option, ..) in &claimed {
            let outlines = self.outlines(&shown, option)?;
            let positions: usize = outlines.iter().map(|outline| outline.nodes.len()).sum();
            let text = match *option {
                "--html" => html(&title, &shown.about, &outlines),
                "--dot" => dot(&title, &outlines),
                _ => variations(&shown.game, &*shown.root, &outlines)?,
            };
            texts.push((text, positions));
        }
        drop(progress);
        for ((option, path, file), (text, positions)) in claimed.iter_mut().zip(texts) {
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
        Ok(Ended::Done)
    }

    fn outlines(&self, shown: &Shown, option: &str) -> Result<Vec<Outline>, Trouble> {
        let extent = |depth, width, nodes| Extent {
            depth: self.depth.unwrap_or(depth),
            width: self.width.unwrap_or(width),
            nodes,
        };
        match &shown.source {
            Source::Tree(search) => {
                Ok(vec![outline(&**search, &*shown.root, extent(4, 8, MOST_NODES))?])
            }
            Source::Proof(path, checked) => {
                let drawn = option == "--dot" && self.depth.is_none();
                let nodes = if drawn { MOST_DRAWN } else { MOST_NODES };
                let mut extent = extent(0, usize::MAX, nodes);
                if self.depth.is_none() {
                    extent.depth = depth_of(path, checked, extent)?.min(DEEPEST as usize);
                }
                outlines(path, checked, extent).map(|(_, outlines)| outlines)
            }
        }
    }
}

fn of_tree(path: &Path) -> Result<Shown<'_>, Trouble> {
    let Kept { game, position, search, .. } = Kept::load(path)?;
    let answer = search.snapshot();
    let figures = "Values are for the player who made the move; points are playout averages, and \
                   bounds are proven.";
    let about = vec![
        ("Game", game.clone()),
        ("Position", position.text()),
        ("Tree", format!("{} nodes", numbers::count(answer.nodes as f64))),
        ("Figures", figures.to_string()),
    ];
    Ok(Shown { game, root: position, about, source: Source::Tree(search) })
}

fn of_proof(path: &Path, memory: u64) -> Result<Shown<'_>, Trouble> {
    let (checked, _) = check_within(path, memory).map_err(|error| match error {
        NotAccepted::Refused(refusal) if refusal.lacks_memory() => {
            Trouble::Failed(format!("{}: {refusal}; raise --memory", path.display()))
        }
        NotAccepted::Refused(refusal) => Trouble::Failed(format!("{}: {refusal}", path.display())),
        NotAccepted::Unreadable(failure) => failure.about(&path.display().to_string()),
    })?;
    let (root, _) = root_of(&checked)?;
    let positions: u64 = checked.claims.iter().map(|claim| claim.positions).sum();
    let about = vec![
        ("Game", checked.game.clone()),
        ("Position", checked.position.clone()),
        (
            "Proof",
            format!("{} positions, checked against the rules", numbers::count(positions as f64)),
        ),
        ("Figures", "positions: number of positions in the proof from this point on".into()),
    ];
    Ok(Shown { game: checked.game.clone(), root, about, source: Source::Proof(path, checked) })
}
