//! `proofwood review`: finds the moves of a game that gave something away.

use crate::display::grid::{grid, left, right};
use crate::display::screen;
use crate::solving::live;
use crate::terminal::interrupt::Interrupt;
use crate::terminal::print::Printer;
use proofwood::{Algorithm, Config, Goal, ProofGoal, ProverConfig};
use proofwood_any_game::Rules;
use proofwood_notation::game_file::GameFile;
use proofwood_session::input::args::Words;
use proofwood_session::input::limits::Limits;
use proofwood_session::input::options::SearchOptions;
use proofwood_session::input::spec::find_game;
use proofwood_session::review::{BLUNDER, Judged, MISTAKE, Plan, Ply, look_at_all, plies};
use proofwood_session::words::numbers::number;
use proofwood_session::words::players::name;
use proofwood_session::{Ended, Trouble};
use std::str::FromStr;
use std::time::Duration;

/// The time for a position when no limit is given.
const USUAL_TIME: Duration = Duration::from_secs(1);

/// Review a finished game and mark its mistakes
///
/// Looks at every position of the game, from the last to the first. A prover gets half of the time;
/// if it proves nothing, playouts get the rest. The report names moves that gave away a proven
/// value (a forced win, a draw, or points) and moves that left a proven win or draw for an unproven
/// position. Moves that lose much of the win rate are marked.
#[derive(clap::Args, Debug)]
#[command(allow_missing_positional = true)]
#[command(after_help = "Examples:
  proofwood review game.sgf --time 2s
  proofwood review gardner game.pgn --playouts 1e5 --json
  proofwood review connect-four moves.txt --goal score

The file is SGF, PGN, or moves as for --moves; - is standard input. Only two-player
zero-sum games can be reviewed. Unproven values are estimates; more time proves more.
Games with chance are reviewed by playouts only.

Exit status: 0 when done, 2 for bad input, 130 after Ctrl-C, which keeps the moves
reviewed so far.")]
pub(crate) struct Review {
    /// The game with its options after a colon, if the file does not name it
    #[arg(value_name = "GAME")]
    name: Option<String>,
    /// Moves of the game: SGF, PGN, or as for --moves; - for standard input
    file: String,
    /// Same as GAME before the file
    #[arg(long, value_name = "GAME", conflicts_with = "name")]
    game: Option<String>,
    /// Number of the game in the file, counted from 1, if it holds several
    #[arg(long, value_name = "NUMBER", hide_short_help = true)]
    number: Option<usize>,
    /// Prover to run first, as for solve; gpn for playouts only
    #[arg(long, value_name = "NAME", default_value = "auto", hide_possible_values = true,
        value_parser = Words::of(Algorithm::ALL.iter().map(|prover| prover.name()).chain(["gpn"])))]
    algorithm: String,
    /// Print one JSON object per move
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    options: SearchOptions,
}

impl Review {
    pub(crate) fn run(self, printer: &mut Printer) -> Result<Ended, Trouble> {
        let budget = self.limits.budget(Some(USUAL_TIME))?;
        let (named, path) = self.name_and_file();
        let file = GameFile::open(path, self.number)?;
        let (game, rules) = find_game(&file.game_or(named)?)?;
        check_game(&game, &*rules)?;
        let mut config = self.options.clone().apply_to(Some(&game), Config::default())?;
        let prover = self.prover(&config)?.filter(|_| !rules.start().has_chance());
        if prover.is_some() && !self.options.gives("prover-share") {
            config.prover_share = Some(0.0);
        }
        let played = file.play(&game, &*rules, None)?;
        if played.moves.is_empty() {
            return Err(file.wrong("the file contains no moves"));
        }
        let interrupt = Interrupt::catch()?;
        let goal = config.goal;
        let budget = budget.cancel(interrupt.token());
        let observer = live::labelled;
        let plan = Plan { game: &game, prover, config: &config, budget: &budget, observer };
        let found = look_at_all(&*played.start, &played.moves, &plan)?;
        let names = rules.player_names();
        let plies = plies(&*played.start, &played.moves, &found, goal);
        match self.json {
            true => {
                plies.iter().try_for_each(|ply| printer.json(&ply.json(&game)))?;
            }
            false => {
                let text = written(&plies, &names, played.moves.len(), goal);
                printer.text(&screen::fit(&text))?;
            }
        }
        Ok(if interrupt.is_raised() { Ended::Interrupted } else { Ended::Done })
    }

    /// Returns the names of the game and the file, which may be given in either order.
    fn name_and_file(&self) -> (Option<&str>, &str) {
        match &self.name {
            Some(name) if find_game(name).is_err() && find_game(&self.file).is_ok() => {
                (Some(&self.file), name)
            }
            name => (name.as_deref().or(self.game.as_deref()), &self.file),
        }
    }

    /// Returns the prover to run on each position; `None` for playouts only.
    fn prover(&self, config: &Config) -> Result<Option<ProverConfig>, Trouble> {
        if self.algorithm.trim().eq_ignore_ascii_case("gpn") {
            return Ok(None);
        }
        let algorithm = Algorithm::from_str(&self.algorithm)
            .map_err(|error| Trouble::Input(format!("--algorithm: {error} or gpn")))?;
        let goal = match config.goal {
            Goal::Score => ProofGoal::Score,
            _ => ProofGoal::Outcome,
        };
        let prover = ProverConfig::default().algorithm(algorithm).goal(goal);
        Ok(Some(prover.threads(config.threads).seed(config.seed)))
    }
}

/// Refuses games that are not zero-sum, because in such games one side's loss need not be the
/// other's gain.
fn check_game(game: &str, rules: &dyn Rules) -> Result<(), Trouble> {
    match rules.zero_sum() {
        true => Ok(()),
        false => {
            Err(Trouble::Input(format!("{game}: only two-player zero-sum games can be reviewed")))
        }
    }
}

fn written(plies: &[Ply<'_>], names: &[String], moves: usize, goal: Goal) -> String {
    let missing = moves - plies.len();
    let interrupted = match missing {
        0 => String::new(),
        _ => format!(
            "Interrupted before the first {} could be reviewed.\n",
            number(missing as u64, "move")
        ),
    };
    match plies {
        [] => interrupted,
        _ => table(plies, names, goal) + &summary(plies, names, goal) + &interrupted,
    }
}

fn table(plies: &[Ply<'_>], names: &[String], goal: Goal) -> String {
    let header = [
        right("ply", 0),
        left("side", 3),
        left("move", 0),
        left("", 0),
        right("before", 1),
        right("after", 1),
        left("best", 2),
        left("", 0),
    ];
    let rows = plies.iter().map(|ply| {
        let side = ply.player.map_or("chance", |player| name(names, player));
        let best = ply.best.clone().unwrap_or_default();
        let values = [&ply.before, &ply.after].map(|known| known.text(goal));
        let [before, after] = values;
        let mark = ply.mark().unwrap_or_default().to_string();
        let note = ply.note(goal).unwrap_or_default();
        vec![ply.number.to_string(), side.into(), ply.mv.into(), mark, before, after, best, note]
    });
    grid(&header, rows)
}

fn summary(plies: &[Ply<'_>], names: &[String], goal: Goal) -> String {
    let mut text = format!(
        "\nValues are for the player who moved: proven, or otherwise the win rate of playouts.\n\
         ?  loses {:.0} % or more of the win rate, or points   ??  loses {:.0} % or more, or a \
         proven value\n\n",
        MISTAKE * 100.0,
        BLUNDER * 100.0,
    );
    for ply in plies {
        let (Some(note), Some(player)) = (ply.note(goal), ply.player) else { continue };
        let better = ply.best.as_deref().filter(|best| *best != ply.mv);
        let better = better.map(|best| match ply.judged {
            Some(Judged::Open) => format!("; {best} looks better"),
            _ => format!("; {best} was better"),
        });
        let (side, better) = (name(names, player), better.unwrap_or_default());
        text += &format!("Move {}, {side} {}: {note}{better}\n", ply.number, ply.mv);
    }
    let judged = || plies.iter().filter_map(|ply| ply.judged);
    let all = judged().count();
    let solved = judged().filter(|judged| *judged != Judged::Open).count();
    let thrown = judged().filter(|judged| matches!(judged, Judged::Thrown(_))).count();
    let none = if thrown == 0 { "; none gave away a proven value" } else { "" };
    text += &match solved {
        0 => "Nothing is proven about the moves.\n".to_string(),
        _ if solved == all => format!("Proven: all {}{none}.\n", number(all as u64, "move")),
        _ => {
            let all_moves = number(all as u64, "move");
            let others = if all - solved == 1 { "one".into() } else { (all - solved).to_string() };
            format!(
                "Proven: {solved} of {all_moves}{none}. Nothing is proven about the other \
                 {others}.\n"
            )
        }
    };
    text
}
