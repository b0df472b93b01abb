//! `proofwood review`: where a proven value was thrown away.

mod known;

use crate::display::chart::{Axis, Chart, LineStyle, Series};
use crate::display::grid::{grid, left, right};
use crate::display::players::name;
use crate::display::{numbers, screen};
use crate::exit::{Failure, Outcome};
use crate::files::{Asked, Force, Whole};
use crate::input::game_file::{ReadGame, game_of, read_game, read_text};
use crate::input::limits::Limits;
use crate::input::options::SearchOptions;
use crate::input::positions::{file_name, find_game};
use crate::solving::live;
use crate::terminal::interrupt::Interrupt;
use crate::terminal::print::Printer;
use crate::terminal::progress::Watch;
use known::{Known, Thrown};
use proofwood::{Budget, Config, StopReason, Turn, Value};
use proofwood_any_game::{Position, Rules};
use serde::Serialize;
use std::path::PathBuf;
use std::time::Duration;

/// How long a position is searched when no limit is given.
const USUAL_TIME: Duration = Duration::from_secs(1);

/// Find where a played game threw a proven value away
///
/// Every position of the game is searched, from the last to the first, so that what is
/// proven of the end helps with what came before. A move is named when it gave away
/// something that was proven: a forced win, a draw, or points.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  proofwood review game.sgf --time 2s --svg game.svg
  proofwood review game.pgn --game gardner --playouts 1e5 --json
  proofwood review moves.txt --game connect-four --goal score

The file is SGF, PGN, or moves as --moves takes them; - is standard input. A game
of two players with zero sum can be reviewed. A value that was not proven cannot
be thrown away: more time proves more.

Exit status: 0 when done, 2 for bad input, 130 after Ctrl-C, which keeps the moves
that were looked at.")]
pub(crate) struct Review {
    /// The game's moves: SGF, PGN, or as --moves takes them; - for standard input
    file: String,
    /// The game, where the file does not say which
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Draw the value over the moves into a file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// Print one JSON object a move
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    options: SearchOptions,
}

/// A move of the game, with what is known before and after it, for who moved; for the
/// first player where chance decided.
struct Ply<'a> {
    number: usize,
    player: Option<usize>,
    mv: &'a str,
    best: Option<String>,
    before: Known,
    after: Known,
    thrown: Option<Thrown>,
}

impl Review {
    /// Searches, prints and draws.
    pub(crate) fn run(self, printer: &mut Printer) -> Result<Outcome, Failure> {
        let budget = self.limits.budget(Some(USUAL_TIME))?;
        let text = read_text(&self.file)?;
        let about = |error: String| Failure::Input(format!("{}: {error}", file_name(&self.file)));
        let named = game_of(&text).map_err(about)?;
        let Some(game) = self.game.clone().or(named) else {
            return Err(about("it does not say of which game it is; give --game GAME".into()));
        };
        let (game, rules) = find_game(&game)?;
        check_game(&game, &*rules)?;
        let config = self.options.apply_to(Some(&game), Config::default())?;
        let played = read_game(&*rules, &text, None).map_err(about)?;
        if played.moves.is_empty() {
            return Err(about("it has no moves to go through".into()));
        }
        let svg = match &self.svg {
            Some(path) => Some(Whole::claim(Asked::new("--svg", path, self.force))?),
            None => None,
        };
        let interrupt = Interrupt::catch()?;
        let found = search_all(&played, &config, &budget.cancel(interrupt.token()))?;
        let names = rules.player_names();
        let plies = plies(&played, &found);
        match self.json {
            true => {
                plies.iter().try_for_each(|ply| printer.json(&PlyJson::new(&game, ply)))?;
            }
            false => {
                let text = table(&plies, &names) + &summary(&plies, &names, played.moves.len());
                printer.text(&screen::fit(&text))?;
            }
        }
        if let Some(mut file) = svg {
            chart(&format!("{game}: the value for {}", name(&names, 0)), &found)
                .write(&mut file)?;
        }
        Ok(if interrupt.is_raised() { Outcome::Interrupted } else { Outcome::Done })
    }
}

/// A value that one side has not is the other's only where two play for a fixed sum.
fn check_game(game: &str, rules: &dyn Rules) -> Result<(), Failure> {
    match rules.zero_sum() {
        true => Ok(()),
        false => Err(Failure::Input(format!(
            "{game}: a game of two players with zero sum can be reviewed"
        ))),
    }
}

/// What is known of a position for the first player, and the move that is best there.
struct Found {
    known: Known,
    best: Option<String>,
}

/// Searches every position, the last one first; after Ctrl-C the first ones are missing.
/// `found[n]` is the position after `n` moves.
fn search_all(
    game: &ReadGame,
    config: &Config,
    budget: &Budget,
) -> Result<Vec<Option<Found>>, Failure> {
    let mut positions = vec![game.start.copy()];
    for mv in &game.moves {
        let mut next = positions[positions.len() - 1].copy();
        next.play(mv).map_err(|error| Failure::Failed(error.to_string()))?;
        positions.push(next);
    }
    let mut found: Vec<Option<Found>> = positions.iter().map(|_| None).collect();
    let mut search = game.end.search(config)?;
    for (number, position) in positions.iter().enumerate().rev() {
        search.go_to(&**position)?;
        let label = format!("{} of {}", positions.len() - number, positions.len());
        let answer = live::run(&mut *search, budget, Watch { label: &label, ..Watch::default() })?;
        let mut known = match position.turn() {
            Turn::Over => Known::of_end(&position.view(), &answer),
            _ => Known::of(&answer),
        };
        if let (Turn::Player(mover), Some(Some(after))) = (position.turn(), found.get(number + 1)) {
            let after = after.known.of_player(mover);
            known = known.of_player(mover).with_move(&after).of_player(mover);
        }
        let is_ended = answer.stop_reason == Some(StopReason::Cancelled);
        found[number] = Some(Found { known, best: answer.best_move });
        if is_ended {
            break;
        }
    }
    Ok(found)
}

/// The moves between two positions that were looked at.
fn plies<'a>(game: &'a ReadGame, found: &[Option<Found>]) -> Vec<Ply<'a>> {
    let mut position: Box<dyn Position> = game.start.copy();
    let mut plies = Vec::new();
    for (number, (mv, pair)) in (1..).zip(game.moves.iter().zip(found.windows(2))) {
        let player = match position.turn() {
            Turn::Player(player) => Some(player),
            _ => None,
        };
        if let [Some(before), Some(after)] = pair {
            let side = player.unwrap_or(0);
            let (known, next) = (before.known.of_player(side), after.known.of_player(side));
            let thrown = player.and_then(|_| known.thrown_by(&next));
            let best = before.best.clone();
            plies.push(Ply { number, player, mv, best, before: known, after: next, thrown });
        }
        // It was played before.
        let _ = position.play(mv);
    }
    plies
}

/// What is proven, else the share of points that playouts brought.
fn value_text(known: &Known) -> String {
    match (known.value(), known.mean) {
        (Value::Unknown, Some(mean)) => numbers::share(mean),
        (Value::Unknown, None) => String::new(),
        (value, _) => value.name().to_string(),
    }
}

fn thrown_text(thrown: &Thrown) -> String {
    let payoff = thrown.payoff.map(|lost| format!("{lost} or more points given away"));
    match (thrown.from, payoff) {
        (Value::Unknown, Some(payoff)) => payoff,
        (from, _) => format!("{from} thrown away, now {}", thrown.to),
    }
}

fn table(plies: &[Ply<'_>], names: &[String]) -> String {
    let header = [
        right("ply", 0),
        left("side", 3),
        left("move", 0),
        right("before", 1),
        right("after", 1),
        left("best", 2),
        left("", 0),
    ];
    let rows = plies.iter().map(|ply| {
        let side = ply.player.map_or("chance", |player| name(names, player));
        let note = ply.thrown.as_ref().map(thrown_text).unwrap_or_default();
        let best = ply.best.clone().unwrap_or_default();
        let values = [&ply.before, &ply.after].map(value_text);
        let [before, after] = values;
        vec![ply.number.to_string(), side.into(), ply.mv.into(), before, after, best, note]
    });
    grid(&header, rows)
}

fn summary(plies: &[Ply<'_>], names: &[String], moves: usize) -> String {
    let mut text = String::from("\n");
    for ply in plies {
        let (Some(thrown), Some(player)) = (&ply.thrown, ply.player) else { continue };
        let better = ply.best.as_deref().filter(|best| *best != ply.mv);
        let better = better.map(|best| format!("; {best} was better")).unwrap_or_default();
        let side = name(names, player);
        text +=
            &format!("Move {}, {side} {}: {}{better}\n", ply.number, ply.mv, thrown_text(thrown));
    }
    if plies.iter().all(|ply| ply.thrown.is_none()) {
        text += "No proven value was thrown away.\n";
    }
    let decided = |ply: &&Ply<'_>| ply.before.value() != Value::Unknown;
    let proven = plies.iter().filter(decided).count();
    text += &format!("Something was proven before {proven} of {} moves.\n", plies.len());
    if plies.len() < moves {
        text +=
            &format!("Interrupted: the first {} moves were not looked at.\n", moves - plies.len());
    }
    text
}

/// A move as JSON.
#[derive(Serialize)]
struct PlyJson<'a> {
    game: &'a str,
    ply: usize,
    /// Null where chance decided.
    player: Option<usize>,
    #[serde(rename = "move")]
    mv: &'a str,
    best_move: Option<&'a str>,
    before: KnownJson,
    after: KnownJson,
    /// What was given away for certain; null where nothing was.
    thrown: Option<ThrownJson>,
}

/// What is known for who moved, for player 0 where chance decided.
#[derive(Serialize)]
struct KnownJson {
    value: &'static str,
    bounds: [Option<i32>; 2],
    mean: Option<f64>,
}

#[derive(Serialize)]
struct ThrownJson {
    /// Null where points alone are given away.
    from: Option<&'static str>,
    to: Option<&'static str>,
    /// How much of the payoff at least.
    payoff: Option<i64>,
}

impl<'a> PlyJson<'a> {
    fn new(game: &'a str, ply: &'a Ply<'_>) -> PlyJson<'a> {
        let known = |known: &Known| KnownJson {
            value: known.value().name(),
            bounds: [known.bounds.lower, known.bounds.upper],
            mean: known.mean,
        };
        let word = |value: Value| Some(value.name()).filter(|_| value != Value::Unknown);
        PlyJson {
            game,
            ply: ply.number,
            player: ply.player,
            mv: ply.mv,
            best_move: ply.best.as_deref(),
            before: known(&ply.before),
            after: known(&ply.after),
            thrown: ply.thrown.map(|Thrown { from, to, payoff }| ThrownJson {
                from: word(from),
                to: word(to),
                payoff,
            }),
        }
    }
}

/// The value for the first player over the moves: what playouts say, and what is proven.
fn chart<'a>(title: &'a str, found: &[Option<Found>]) -> Chart<'a> {
    let all = || (0..).zip(found).filter_map(|(ply, found)| Some((ply, &found.as_ref()?.known)));
    let at = |(ply, known): (u32, &Known)| Some((f64::from(ply), known.height()?, None));
    let series =
        |name: &str, colour, style, points| Series { name: name.into(), colour, style, points };
    let proven =
        all().filter(|(_, known)| matches!(known.value(), Value::Win | Value::Draw | Value::Loss));
    let mut lines = vec![series("value", 0, LineStyle::Thin, all().filter_map(at).collect())];
    let proven: Vec<_> = proven.filter_map(at).collect();
    if !proven.is_empty() {
        lines.push(series("proven", 1, LineStyle::Line, proven));
    }
    Chart {
        title,
        across: Axis::whole("moves played", found.len().saturating_sub(1).max(1) as f64),
        up: Axis::linear("from a loss (-1) to a win (1)", -1.0, 1.0),
        mark: Some(0.0),
        legend: "for the first player",
        beside: false,
        series: lines,
    }
}
