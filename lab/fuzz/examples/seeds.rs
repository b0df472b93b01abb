//! Writes the texts that fuzzing starts from to `corpus/`: positions and moves of random games and
//! of those recorded in `crates/games/tests/data`. Run `cargo run --release --example seeds` in
//! this package's folder.

use proofwood::{Game, Rng, Turn};
use proofwood_games::{GameVisitor, games, with_game};
use proofwood_games_fuzz::specs;
use std::path::{Path, PathBuf};
use std::{fs, io};

fn main() -> io::Result<()> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let recorded = Recorded::read(&here.join("../../crates/games/tests/data"))?;
    let mut corpus = Corpus { folder: here.join("corpus"), written: 0 };
    for (game, &spec) in (0..).zip(specs()) {
        let texts = with_game(spec, Texts { recorded: &recorded }).map_err(io::Error::other)?;
        for text in texts.positions {
            corpus.write("positions", &[&[game], text.as_bytes()].concat())?;
        }
        for (plies, seed, text) in texts.moves {
            corpus.write("moves", &[&[game, plies, seed], text.as_bytes()].concat())?;
        }
        corpus.write("specs", spec.as_bytes())?;
    }
    for info in games() {
        for (option, _) in info.options {
            corpus.write("specs", format!("{}:{option}", info.name).as_bytes())?;
        }
    }
    println!("wrote {} texts to {}", corpus.written, corpus.folder.display());
    Ok(())
}

struct Corpus {
    folder: PathBuf,
    written: usize,
}

impl Corpus {
    fn write(&mut self, target: &str, input: &[u8]) -> io::Result<()> {
        let folder = self.folder.join(target);
        fs::create_dir_all(&folder)?;
        self.written += 1;
        fs::write(folder.join(format!("seed-{}", self.written)), input)
    }
}

/// Games and positions recorded by other programs, of any game: each game takes those that it can
/// read.
#[derive(Default)]
struct Recorded {
    positions: Vec<String>,
    games: Vec<Vec<String>>,
}

impl Recorded {
    fn read(folder: &Path) -> io::Result<Recorded> {
        const RECORDS: usize = 4;
        let mut recorded = Recorded::default();
        for topic in fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()? {
            let topic = topic.path();
            if !topic.is_dir() {
                continue;
            }
            for file in fs::read_dir(topic)? {
                let file = file?.path();
                let text = fs::read_to_string(&file)?;
                let json = file.extension().is_some_and(|extension| extension == "jsonl");
                for line in text.lines().take(RECORDS + 1) {
                    match json {
                        true => recorded.games.extend(moves_of(line)),
                        false => recorded.positions.extend(line.split(',').map(String::from)),
                    }
                }
            }
        }
        recorded.positions.retain(|text| text.len() > 10);
        Ok(recorded)
    }
}

fn moves_of(line: &str) -> Option<Vec<String>> {
    let game: serde_json::Value = serde_json::from_str(line).ok()?;
    let moves = game["moves"].as_array()?;
    Some(moves.iter().filter_map(|mv| mv.as_str().map(String::from)).collect())
}

struct Texts<'r> {
    recorded: &'r Recorded,
}

#[derive(Default)]
struct Collected {
    positions: Vec<String>,
    /// Lists of moves, each after the number of plies and the seed of the random game that is
    /// played before them.
    moves: Vec<(u8, u8, String)>,
}

impl GameVisitor for Texts<'_> {
    type Output = Collected;

    fn visit<G: Game>(self, game: G) -> Collected {
        /// If fewer moves of a recorded game than this can be read, the record belongs to another
        /// game.
        const FEWEST: usize = 6;
        /// Moves with cells that no board has, and with numbers too large for any integer type.
        const FAR: &str = "a18446744073709551615 a1b18446744073709551615";
        let mut texts = Collected::default();
        texts.moves.push((0, 0, FAR.to_string()));
        let recorded = self.recorded.positions.iter();
        texts.positions.extend(recorded.filter(|text| game.parse_state(text).is_ok()).cloned());
        for recorded in &self.recorded.games {
            let mut moves = recorded.iter();
            let (states, names) = play(&game, |state| game.parse_move(state, moves.next()?).ok());
            if names.len() >= FEWEST {
                texts.add(&game, &states, &names);
            }
        }
        for seed in 0..3 {
            let mut rng = Rng::new(seed);
            let (states, names) =
                play(&game, |state| game.random_move(state, &mut Vec::new(), &mut rng));
            texts.add(&game, &states, &names);
            // The same game again, with its first half given by its seed.
            let half = names.len().min(80) / 2;
            let rest = names[half..].join(" ");
            texts.moves.push((half as u8, seed as u8, clipped(&rest)));
        }
        texts
    }
}

impl Collected {
    fn add<G: Game>(&mut self, game: &G, states: &[G::State], names: &[String]) {
        const POSITIONS: usize = 5;
        let some = states.iter().step_by(states.len() / POSITIONS + 1).chain(states.last());
        self.positions.extend(some.map(|state| game.state_text(state)));
        self.moves.push((0, 0, clipped(&names.join(" "))));
    }
}

/// Cuts a list of moves to the maximum length of an input.
fn clipped(moves: &str) -> String {
    const LONGEST: usize = 390;
    match moves.get(..LONGEST).and_then(|start| start.rfind(' ')) {
        Some(end) => moves[..end].to_string(),
        None => moves.to_string(),
    }
}

/// Plays from the start until `next` returns no move.
fn play<G: Game>(
    game: &G,
    mut next: impl FnMut(&G::State) -> Option<G::Move>,
) -> (Vec<G::State>, Vec<String>) {
    const LONGEST: usize = 300;
    let mut states = vec![game.initial_state()];
    let mut names = Vec::new();
    while let Some(state) = states.last().filter(|state| game.turn(state) != Turn::Over) {
        let Some(mv) = next(state).filter(|_| names.len() < LONGEST) else { break };
        names.push(game.move_text(state, mv));
        states.push(game.after(state, mv));
    }
    (states, names)
}
