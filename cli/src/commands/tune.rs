//! `proofwood tune`: finds good search options for a game.

use super::machines::{On, connect};
use crate::display::grid::{grid, left, right};
use crate::display::screen::Line;
use crate::terminal::interrupt::Interrupt;
use crate::terminal::print::Printer;
use crate::terminal::progress::Progress;
use proofwood::Config;
use proofwood_session::contest::tune::{Candidate, Tuning, Turn};
use proofwood_session::contest::{Interval, Openings, Records, Standing};
use proofwood_session::files::{Folder, Force};
use proofwood_session::input::args::with_default;
use proofwood_session::input::limits::{Limits, whole};
use proofwood_session::input::options::SearchOptions;
use proofwood_session::input::presets;
use proofwood_session::input::spec::find_game;
use proofwood_session::words::numbers;
use proofwood_session::{Ended, Trouble};
use serde::Serialize;
use std::path::PathBuf;

/// The playouts for a move when no limit is given.
const USUAL_PLAYOUTS: u64 = 1000;

/// Find C_pn, bias formula and C for a game by matches
///
/// Every candidate plays against the same engine without proof numbers. After each stage, the
/// better half stays and plays twice as many games (successive halving, Karnin et al. 2013). The
/// winner then plays a match with other seeds, because the best of many looks better than it is.
#[derive(clap::Args, Debug)]
#[command(mut_arg("threads", |argument| with_default(argument, "1")))]
#[command(mut_arg("memory", |argument| with_default(argument, "256M")))]
#[command(mut_arg("bias", |argument| argument.value_name("LIST").help(
    "Formulas to try, separated by commas [default: rank,max,sum]")))]
#[command(mut_arg("c-pn", |argument| argument.value_name("LIST").help(
    "Values of C_pn to try [default: 0.05,0.1,0.25,0.5,1,2,5]")))]
#[command(mut_arg("c", |argument| argument.value_name("LIST").help(
    "Values of C to try [default: 0.7,default]")))]
#[command(after_help = "Examples:
  proofwood tune othello:6 --out games
  proofwood tune connect-four --time 10ms --games 2000 --jobs 2
  proofwood tune hex:6 --bias max --c-pn 0.1,1 --c 0.5,1,1.5 --playouts 5000

Without a limit, a move takes 1000 playouts; the values found suit limits of about that
size. Other search options apply to all players. With --out, the games are written to
DIR, one file per candidate, for `replay --record`; after Ctrl-C, the same command
continues from there.

Exit status: 0 at the end, 130 after Ctrl-C, with the results so far.")]
pub(crate) struct Tune {
    /// The game with its options after a colon; `proofwood games` lists them all
    game: String,
    /// Total number of games of all candidates before the last match
    #[arg(short, long, value_name = "NUMBER", default_value_t = 1200,
        value_parser = whole::<u64>(2..=10_000_000), allow_negative_numbers = true)]
    games: u64,
    /// Number of games in the last match
    #[arg(long, value_name = "NUMBER", default_value_t = 100,
        value_parser = whole::<u64>(2..=10_000_000), allow_negative_numbers = true)]
    last: u64,
    /// Begin with this many random plies
    #[arg(long, value_name = "NUMBER", default_value_t = 2,
        value_parser = whole::<u32>(0..=1000), allow_negative_numbers = true)]
    random_plies: u32,
    /// Number of games to play at a time
    #[arg(short, long, value_name = "NUMBER", default_value_t = 1,
        value_parser = whole::<u16>(1..=1024), allow_negative_numbers = true)]
    jobs: u16,
    /// Folder to write the games to
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    on: On,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    options: SearchOptions,
}

/// The result of tuning.
#[derive(Debug, Serialize)]
struct Tuned {
    game: String,
    /// The best candidate with the results of its last match; null if this match has not begun.
    best: Option<Candidate>,
    /// The number of games of the last match.
    last: u64,
    /// All candidates with the results so far; the best first once all stages are finished.
    candidates: Vec<Candidate>,
    /// Whether all games were played; false after Ctrl-C.
    finished: bool,
    /// The number of the stage in which Ctrl-C ended the command, counted from 1, and the number of
    /// stages; null if all stages are finished.
    interrupted_in: Option<(usize, usize)>,
    /// Whether the games are stored, so that the same command can continue with them.
    #[serde(skip)]
    kept: bool,
}

impl Tune {
    pub(crate) fn run(mut self, printer: &mut Printer) -> Result<Ended, Trouble> {
        let (game, rules) = find_game(&self.game)?;
        if rules.players() < 2 {
            return Err(Trouble::Input(format!(
                "{game} has one player; a match needs two or more"
            )));
        }
        let mut candidates = self.candidates()?;
        let base = Config::default().threads(1).memory(256 << 20);
        let base = self.options.apply_to(Some(&game), base)?;
        let mut budget = self.limits.budget(None)?;
        if !self.limits.is_given() {
            budget = budget.playouts(USUAL_PLAYOUTS);
        }
        let claim = |path: &PathBuf| Folder::claim("--out", path, self.force);
        let records = Records::of(self.out.as_ref().map(claim).transpose()?);
        let machines = connect(&self.on)?;
        let interrupt = Interrupt::catch()?;
        let setup = Tuning {
            game,
            rules,
            base,
            budget,
            openings: Openings::Random(self.random_plies),
            records,
            jobs: usize::from(self.jobs),
            machines,
            cancel: interrupt.token().clone(),
        };
        let progress = Progress::new();
        let show = |turn: Turn<'_>| progress.show(&live_line(&turn));
        let interrupted_in = setup.halve(&mut candidates, self.games, &show)?;
        drop(progress);
        let best = match interrupted_in {
            Some(_) => None,
            None => Some(setup.play(&candidates[0].options, self.last, 1)?),
        };
        let finished = !interrupt.is_raised();
        let (game, last) = (setup.game, self.last);
        let kept = self.out.is_some();
        let found = Tuned { game, best, last, candidates, finished, interrupted_in, kept };
        if self.json {
            printer.json(&found)?;
        } else {
            printer.text(&found.text())?;
        }
        Ok(if finished { Ended::Done } else { Ended::Interrupted })
    }

    /// Returns all combinations of values to try.
    fn candidates(&mut self) -> Result<Vec<Candidate>, Trouble> {
        let mut list = |name: &str, usual: &str| {
            let text = self.options.take(name).unwrap_or_else(|| usual.to_string());
            text.split(',').map(|value| value.trim().to_string()).collect::<Vec<String>>()
        };
        let biases = list("bias", "rank,max,sum");
        let weights = list("c-pn", "0.05,0.1,0.25,0.5,1,2,5");
        let explorations = list("c", "0.7,default");
        let mut candidates = Vec::new();
        for c in &explorations {
            for bias in &biases {
                for weight in &weights {
                    let options = format!("--bias {bias} --c-pn {weight} --c {c}");
                    presets::set(&options, &mut Config::default())?;
                    candidates.push(Candidate::new(&options, &Standing::default()));
                }
            }
        }
        Ok(candidates)
    }
}

fn values(options: &str) -> [&str; 3] {
    let mut values = options.split_whitespace().skip(1).step_by(2);
    std::array::from_fn(|_| values.next().unwrap_or_default())
}

fn live_line(turn: &Turn<'_>) -> Line {
    let Turn { stage, number, of, games, options } = turn;
    Line::new()
        .item(1, format!("stage {stage}"))
        .item(0, format!("candidate {number} of {of}"))
        .item(2, format!("up to {games} games"))
        .item(3, *options)
}

impl Tuned {
    fn text(&self) -> String {
        const SHOWN: usize = 12;
        let header = [
            left("bias", 0),
            right("C_pn", 0),
            right("C", 0),
            right("games", 1),
            right("win rate", 0),
            right("95 %", 2),
        ];
        let row = |candidate: &&Candidate| {
            let mut row = values(&candidate.options).map(str::to_string).to_vec();
            row.push(candidate.games.to_string());
            row.push(format!("{:.1} %", candidate.win_rate * 100.0));
            row.push(candidate.interval.text());
            row
        };
        let played: Vec<&Candidate> =
            self.candidates.iter().filter(|candidate| candidate.games > 0).collect();
        let table = grid(&header, played.iter().take(SHOWN).map(row));
        let more = match self.candidates.len() - played.len().min(SHOWN) {
            0 => String::new(),
            _ if played.is_empty() => return self.conclusion(),
            hidden => {
                format!(
                    "{hidden} of {} candidates are not shown; --json lists all\n",
                    self.candidates.len()
                )
            }
        };
        format!("{table}{more}\n{}", self.conclusion())
    }

    /// Formats the conclusion to draw from the games, or a message if Ctrl-C ended the command.
    fn conclusion(&self) -> String {
        let rest = match self.kept {
            true => "the same command continues from here",
            false => "with --out DIR, a run can be continued",
        };
        if let Some((stage, stages)) = self.interrupted_in {
            return format!(
                "Interrupted in stage {stage} of {stages}: no candidate is chosen yet; {rest}.\n"
            );
        }
        let Some(Candidate { options, games, win_rate, interval }) = &self.best else {
            return String::new();
        };
        let figures = match games {
            0 => String::new(),
            _ => format!(": {:.1} % ({})", win_rate * 100.0, interval.text()),
        };
        if !self.finished {
            return format!(
                "Interrupted in the last match, after {games} of {} games{figures}; no \
                 candidate is chosen yet; {rest}. The finalist is\n{options}\n",
                self.last
            );
        }
        let judgement = match interval {
            Interval { lower, .. } if *lower > 0.5 => "better than without proof numbers",
            Interval { upper, .. } if *upper < 0.5 => "worse than without proof numbers",
            _ => "not shown to be better than without proof numbers",
        };
        format!(
            "Best for {}; in {} with other seeds{figures}, {judgement}\n{options}\n",
            self.game,
            numbers::number(*games, "game")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(wins: u64, losses: u64) -> Candidate {
        let standing = Standing { wins, losses, draws: 0, points: wins as f64 };
        Candidate::new("--bias sum", &standing)
    }

    #[test]
    fn nothing_is_claimed_that_was_not_played() {
        let found = |best: Option<Candidate>, finished, interrupted_in| Tuned {
            game: "othello".into(),
            best,
            last: 100,
            candidates: vec![candidate(1, 0), candidate(0, 0)],
            finished,
            interrupted_in,
            kept: true,
        };
        let mut nothing = found(None, false, Some((1, 6)));
        nothing.candidates.remove(0);
        assert_eq!(nothing.text().lines().count(), 1, "{}", nothing.text());
        let text = found(None, false, Some((1, 6))).text();
        assert!(text.contains("Interrupted in stage 1 of 6: no candidate is chosen yet"), "{text}");
        assert!(
            text.contains("20.7 to 100.0") && text.contains("1 of 2 candidates are not"),
            "{text}"
        );
        assert!(!text.contains("Best for") && !text.contains("better"), "{text}");
        let text = found(Some(candidate(1, 0)), false, None).text();
        assert!(
            text.contains("after 1 of 100 games: 100.0 % (20.7 to 100.0); no candidate"),
            "{text}"
        );
        assert!(!text.contains("Best for") && !text.contains("better"), "{text}");
        for (wins, judgement) in [
            (100, ": 100.0 % (96.3 to 100.0), better than without"),
            (55, ": 55.0 % (45.2 to 64.4), not shown to be better than without"),
            (0, ": 0.0 % (0.0 to 3.7), worse than without"),
        ] {
            let text = found(Some(candidate(wins, 100 - wins)), true, None).text();
            assert!(text.contains("Best for othello; in 100 games with other seeds"), "{text}");
            assert!(text.contains(judgement), "{text}");
        }
    }

    #[test]
    fn the_live_line_fits() {
        let options = "--bias rank --c-pn 0.05 --c 1.4142135623730951";
        let turn = Turn { stage: 2, number: 13, of: 21, games: 1234, options };
        crate::display::screen::tests::check(
            &live_line(&turn),
            &[(20, "candidate 13 of 21"), (60, "to 1234 games")],
        );
    }
}
