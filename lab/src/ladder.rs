//! `proofwood-lab ladder`: the Elo gain from more time, or from another value of an option.

use crate::chart::{Axis, Chart, LineStyle, Point, Series};
use proofwood::options::read_bytes;
use proofwood::{CancelToken, Config};
use proofwood_any_game::Rules;
use proofwood_cli::commands::machines::{On, connect};
use proofwood_cli::display::grid::{grid, left, right};
use proofwood_cli::display::screen::Line;
use proofwood_cli::terminal::interrupt::Interrupt;
use proofwood_cli::terminal::print::Printer;
use proofwood_cli::terminal::progress::Progress;
use proofwood_session::contest::{
    Contender, Contest, End, Interval, Openings, Records, RemoteGames, Settings, Side, Standing,
    elo,
};
use proofwood_session::files::{Asked, Folder, Force, Whole};
use proofwood_session::input::args::with_default;
use proofwood_session::input::limits::{Limits, read_count, read_time, whole};
use proofwood_session::input::options::SearchOptions;
use proofwood_session::input::spec::find_game;
use proofwood_session::solving::machines::Remote;
use proofwood_session::{Ended, Trouble};
use serde::Serialize;
use std::path::PathBuf;
use std::time::Duration;

/// Time for a move if no limit is given.
const USUAL_TIME: Duration = Duration::from_millis(100);

/// Measure the Elo gain from more time or threads
///
/// The values of one limit or option are the rungs of a ladder. Each plays a match against the
/// previous one. Differences in Elo are summed, beginning with the first rung.
#[derive(clap::Args, Debug)]
#[command(mut_arg("threads", |argument| with_default(argument, "1")))]
#[command(mut_arg("memory", |argument| with_default(argument, "256M")))]
#[command(mut_arg("seed", |argument| argument.help(
    "Seed for the openings and, with each game's number, for all searches [default: 0]")))]
#[command(after_help = "Examples:
  proofwood-lab ladder connect-four --svg ladder.svg
  proofwood-lab ladder othello --values 10ms,20ms,40ms,80ms --games 400
  proofwood-lab ladder hex:7 --over threads --values 1,2,4 --time 200ms
  proofwood-lab ladder loa7 --over playouts --preset uct
  proofwood-lab ladder ataxx --over c --values 0.4,0.8,1.6 --playouts 5000

NAME is a limit (time, cpu-time, playouts, nodes, bytes) or a search option. Without
--values time and cpu-time double from 1ms to 64ms, playouts from 1000 to 64000, and
threads from 1 to 4. Other options hold for all; without a limit a move takes 100ms.
With --out DIR takes the games, a file for each two rungs, which `replay --record`
reads; what is there is not played again, so that a greater --games adds to it.

Exit status: 0 at the end, 130 after Ctrl-C, with the games so far.")]
pub(crate) struct Ladder {
    /// Game with its options after a colon; `proofwood games` lists them all
    game: String,
    /// Limit or option to vary
    #[arg(long, value_name = "NAME", default_value = "time")]
    over: String,
    /// Values from the lowest rung to the highest, separated by commas
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    values: Option<String>,
    /// Games for each pair of neighbouring rungs
    #[arg(short, long, value_name = "NUMBER", default_value_t = 200,
        value_parser = whole::<u64>(2..=10_000_000), allow_negative_numbers = true)]
    games: u64,
    /// Games played at the same time [default: as many as there are cores for their threads]
    #[arg(short, long, value_name = "NUMBER",
        value_parser = whole::<u16>(1..=1024), allow_negative_numbers = true)]
    jobs: Option<u16>,
    /// Random plies at the beginning of each game
    #[arg(long, value_name = "NUMBER", default_value_t = 4,
        value_parser = whole::<u32>(0..=1000), allow_negative_numbers = true)]
    random_plies: u32,
    /// Folder for the records of the games
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write a plot of Elo over the values to a file, too
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
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

/// A rung: a value, and its score against the previous value.
#[derive(Clone, Debug, Serialize)]
struct Rung {
    value: String,
    /// The number of games against the previous rung. The first rung has no games, and its win rate
    /// is null.
    games: u64,
    win_rate: Option<f64>,
    /// Wilson's 95 % interval of the win rate.
    interval: Interval,
    /// The difference in Elo from the first rung.
    elo: f64,
    /// Half the width of the 95 % interval of `elo`: the square root of the sum of the steps'
    /// squared errors.
    elo_error: f64,
}

#[derive(Debug, Serialize)]
struct Climbed {
    game: String,
    over: String,
    /// The rungs whose games were played.
    rungs: Vec<Rung>,
    finished: bool,
    /// Whether the games are stored, so that running the same command again continues them.
    #[serde(skip)]
    kept: bool,
}

/// The settings that all matches share.
struct Setup<'a> {
    rules: &'a dyn Rules,
    /// The game, the openings and the seed; each match adds the contenders' options.
    settings: Settings,
    records: Records,
    end: End,
    machines: Option<Box<dyn Remote>>,
    cancel: CancelToken,
}

impl Ladder {
    pub(crate) fn run(mut self, printer: &mut Printer) -> Result<Ended, Trouble> {
        let (game, rules) = find_game(&self.game)?;
        if rules.players() != 2 {
            let players = rules.players();
            return Err(Trouble::Input(format!(
                "{game} has {players} players; Elo is for games of two"
            )));
        }
        let seed = self.options.take("seed");
        let mut seeded = Config::default();
        if let Some(seed) = &seed {
            seeded.set("seed", seed)?;
        }
        let values = self.values()?;
        let contenders = self.contenders(&game, &values)?;
        let threads = contenders.iter().map(|one| one.config.threads).max().unwrap_or(1);
        let room = (Config::default().threads / threads).max(1);
        let jobs = self.jobs.map_or(room, usize::from).min(self.games as usize);
        let claim = |path: &PathBuf| Folder::claim("--out", path, self.force);
        let records = Records::of(self.out.as_ref().map(claim).transpose()?);
        let claim = |path| Whole::claim(Asked::new("--svg", path, self.force));
        let svg = self.svg.as_deref().map(claim).transpose()?;
        let machines = connect(&self.on)?;
        let interrupt = Interrupt::catch()?;
        let setup = Setup {
            rules: &*rules,
            settings: Settings {
                game: game.clone(),
                a: String::new(),
                b: String::new(),
                openings: Openings::Random(self.random_plies),
                seed: seeded.seed,
                max_plies: 2500,
            },
            records,
            end: End { games: self.games, jobs, sprt: None },
            machines,
            cancel: interrupt.token().clone(),
        };
        let rungs = setup.climb(&values, &contenders)?;
        let finished = !interrupt.is_raised();
        let kept = self.out.is_some();
        let climbed = Climbed { game, over: self.over, rungs, finished, kept };
        if self.json {
            printer.json(&climbed)?;
        } else {
            printer.text(&climbed.text())?;
        }
        if let Some(mut file) = svg {
            climbed.chart().write(&mut file)?;
        }
        Ok(if finished { Ended::Done } else { Ended::Interrupted })
    }

    /// The values of all rungs, as the user wrote them.
    fn values(&self) -> Result<Vec<String>, Trouble> {
        let doubled = |first: u64, last: u64, unit: &str| {
            let values = std::iter::successors(Some(first), |value| Some(value * 2));
            values
                .take_while(|&value| value <= last)
                .map(|value| format!("{value}{unit}"))
                .collect()
        };
        let values: Vec<String> = match (&self.values, self.over.as_str()) {
            (Some(list), _) => list.split(',').map(|value| value.trim().to_string()).collect(),
            (None, "time" | "cpu-time") => doubled(1, 64, "ms"),
            (None, "playouts") => doubled(1000, 64_000, ""),
            (None, "threads") => doubled(1, 4, ""),
            (None, over) => {
                return Err(Trouble::Input(format!(
                    "--values: give the values of --{over} to climb, separated by commas"
                )));
            }
        };
        if values.len() < 2 {
            return Err(Trouble::Input("--values: a ladder has two rungs or more".into()));
        }
        if let Some(twice) = values.iter().enumerate().find(|(at, one)| values[..*at].contains(one))
        {
            return Err(Trouble::Input(format!("--values: '{}' stands there twice", twice.1)));
        }
        Ok(values)
    }

    fn contenders(&self, game: &str, values: &[String]) -> Result<Vec<Contender>, Trouble> {
        let over = &self.over;
        if self.options.gives(over) || self.limits.given()?.iter().any(|(name, _)| name == over) {
            return Err(Trouble::Input(format!(
                "--{over} is what the rungs differ in; its values are those of --values"
            )));
        }
        let base = Config::default().threads(1).memory(256 << 20);
        let common = Contender {
            config: self.options.apply_to(Some(game), base)?,
            budget: self.limits.budget(Some(USUAL_TIME))?,
            reuse: true,
        };
        let read = |value: &String| {
            Contender::read("--values", &format!("--{over} {value}"), game, &common)
        };
        values.iter().map(read).collect()
    }
}

impl Setup<'_> {
    /// Plays each rung against the previous one, until all have played or the user stops the
    /// ladder.
    fn climb(&self, values: &[String], contenders: &[Contender]) -> Result<Vec<Rung>, Trouble> {
        let progress = Progress::new();
        let mut rungs = vec![Rung::first(&values[0])];
        for number in 1..values.len() {
            progress.show(&live_line(number, &values[number - 1..=number], values.len() - 1));
            let [b, a] = [&contenders[number - 1], &contenders[number]];
            let name = format!("{}-{}", values[number], values[number - 1]);
            let standing = self.play(a, b, &name)?;
            if standing.games() > 0 {
                rungs.push(rungs[number - 1].next(&values[number], &standing));
            }
            if self.cancel.is_cancelled() {
                break;
            }
        }
        Ok(rungs)
    }

    /// Plays one contender against another, with a record called `name`. Returns the first one's
    /// score.
    fn play(&self, a: &Contender, b: &Contender, name: &str) -> Result<Standing, Trouble> {
        let settings = Settings { a: a.written(), b: b.written(), ..self.settings.clone() };
        let remote = self.machines.as_deref().map(|machines| machines as &dyn RemoteGames);
        let b = Side::Engine(b);
        let contest = Contest { rules: self.rules, settings: &settings, a, b, remote };
        contest.resume(&self.records, name, self.end, &self.cancel)
    }
}

impl Rung {
    fn first(value: &str) -> Rung {
        let interval = Standing::default().interval();
        let value = value.into();
        Rung { value, games: 0, win_rate: None, interval, elo: 0.0, elo_error: 0.0 }
    }

    /// The rung above this one, given the result of its games against this one.
    fn next(&self, value: &str, standing: &Standing) -> Rung {
        /// The 97.5 % quantile of the normal distribution.
        const Z: f64 = 1.959_963_984_540_054;
        // Half a win and half a loss are added, so that the difference is finite even if one side
        // won all games.
        let games = standing.games() as f64 + 1.0;
        let rate = (standing.points + 0.5) / games;
        // The derivative of Elo with respect to the win rate.
        let slope = 400.0 / std::f64::consts::LN_10 / (rate * (1.0 - rate));
        let error = Z * slope * (rate * (1.0 - rate) / games).sqrt();
        Rung {
            value: value.into(),
            games: standing.games(),
            win_rate: Some(standing.rate()),
            interval: standing.interval(),
            elo: self.elo + elo(rate),
            elo_error: self.elo_error.hypot(error),
        }
    }
}

fn live_line(number: usize, values: &[String], matches: usize) -> Line {
    Line::new()
        .item(0, format!("match {number} of {matches}"))
        .item(1, format!("{} against {}", values[1], values[0]))
}

impl Climbed {
    fn chart(&self) -> Chart<'_> {
        let number = |rung: &Rung| match self.over.as_str() {
            "time" | "cpu-time" => read_time(&rung.value).ok().map(|time| time.as_secs_f64()),
            "playouts" | "nodes" => read_count(&rung.value).ok().map(|count| count as f64),
            "bytes" => read_bytes(&rung.value).ok().map(|bytes| bytes as f64),
            _ => None,
        };
        let numbers: Vec<f64> = self.rungs.iter().filter_map(number).collect();
        let values: Vec<String> = self.rungs.iter().map(|rung| rung.value.clone()).collect();
        let across = match self.over.as_str() {
            "time" => Axis::times("time for a move", numbers.iter().copied()),
            "cpu-time" => Axis::times("processor time for a move", numbers.iter().copied()),
            over if numbers.len() == values.len() => Axis::counts(over, numbers.iter().copied()),
            over => Axis::places(over, &values),
        };
        let ends = |rung: &Rung| (rung.elo - rung.elo_error, rung.elo + rung.elo_error);
        let points: Vec<Point> = self
            .rungs
            .iter()
            .enumerate()
            .map(|(place, rung)| {
                let across = numbers.get(place).copied().unwrap_or(place as f64);
                (across, rung.elo, (place > 0).then(|| ends(rung)))
            })
            .collect();
        let least = self.rungs.iter().map(|rung| ends(rung).0).fold(0.0, f64::min);
        let most = self.rungs.iter().map(|rung| ends(rung).1).fold(10.0, f64::max);
        Chart {
            title: &self.game,
            across,
            up: Axis::linear("Elo above the first", least, most),
            mark: Some(0.0),
            legend: "with 95 % intervals",
            beside: false,
            series: vec![Series {
                name: "sum of the steps".into(),
                colour: 0,
                style: LineStyle::Line,
                points,
            }],
        }
    }

    fn text(&self) -> String {
        let header = [
            left(&self.over, 0),
            right("games", 1),
            right("win rate", 0),
            right("95 %", 1),
            right("Elo", 0),
            right("±", 1),
        ];
        let row = |rung: &Rung| {
            let played = |text: String| if rung.games > 0 { text } else { String::new() };
            vec![
                rung.value.clone(),
                played(rung.games.to_string()),
                rung.win_rate.map_or_else(String::new, |rate| format!("{:.1} %", rate * 100.0)),
                played(rung.interval.text()),
                format!("{:+.0}", rung.elo),
                played(format!("{:.0}", rung.elo_error)),
            ]
        };
        let table = grid(&header, self.rungs.iter().map(row));
        format!("{}, win rates against the line above\n\n{table}\n{}", self.game, self.conclusion())
    }

    /// A sentence about the steps that lose, and about games that were not played.
    fn conclusion(&self) -> String {
        let steps = self.rungs.windows(2).filter(|pair| pair[1].interval.upper < 0.5);
        let worse: Vec<String> =
            steps.map(|pair| format!("from {} to {}", pair[0].value, pair[1].value)).collect();
        let mut text = match worse.len() {
            _ if self.rungs.len() < 2 => String::new(),
            0 if !self.finished => String::new(),
            0 => "No step is significantly weaker than the one before (95 %).\n".into(),
            _ => format!("Significantly weaker (95 %): {}.\n", worse.join(", ")),
        };
        if !self.finished {
            text.push_str(match self.kept {
                true => "Interrupted; the same command continues from here.\n",
                false => "Interrupted; with --out DIR, a run can be continued.\n",
            });
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(wins: u64, losses: u64) -> Standing {
        Standing { wins, losses, draws: 0, points: wins as f64 }
    }

    fn climbed(steps: &[Standing], finished: bool) -> Climbed {
        let mut rungs = vec![Rung::first("1")];
        for (step, number) in steps.iter().zip(2..) {
            rungs.push(rungs[rungs.len() - 1].next(&format!("{number}"), step));
        }
        let (game, over) = ("othello".into(), "threads".into());
        Climbed { game, over, rungs, finished, kept: true }
    }

    #[test]
    fn differences_add_up() {
        // With half a game more for each side, 304 of 400 are won: 200.24 Elo.
        let rungs = climbed(&[standing(303, 96), standing(303, 96), standing(96, 303)], true).rungs;
        let elos: Vec<f64> = rungs.iter().map(|rung| rung.elo.round()).collect();
        assert_eq!(elos[0], 0.0);
        assert!((elos[1] - 200.0).abs() <= 1.0 && (elos[2] - 400.0).abs() <= 2.0, "{elos:?}");
        assert!((rungs[3].elo - rungs[1].elo).abs() < 1e-9);
        assert!((rungs[3].elo_error - rungs[1].elo_error * 3f64.sqrt()).abs() < 1e-9);
        // The difference is finite even if all games of a match are won.
        assert!(climbed(&[standing(10, 0)], true).rungs[1].elo.is_finite());
    }

    #[test]
    fn the_error_is_that_of_many_matches() {
        let mut rng = proofwood::Rng::new(7);
        let rate = 0.6;
        let true_elo = elo(rate);
        let mut within = 0;
        for _ in 0..1000 {
            let wins = (0..200).filter(|_| f64::from(rng.below(1000)) < rate * 1000.0).count();
            let rung = Rung::first("a").next("b", &standing(wins as u64, 200 - wins as u64));
            within += u32::from((rung.elo - true_elo).abs() <= rung.elo_error);
        }
        assert!((920..=980).contains(&within), "{within} of 1000");
    }

    #[test]
    fn a_step_that_loses_is_named() {
        let text = climbed(&[standing(60, 40), standing(30, 70)], true).text();
        assert!(text.contains("weaker (95 %): from 2 to 3.\n"), "{text}");
        let text = climbed(&[standing(60, 40), standing(45, 55)], false).text();
        assert!(!text.contains("No step") && text.contains("Interrupted"), "{text}");
        assert!(climbed(&[standing(60, 40)], true).text().contains("No step is"), "{text}");
        assert!(!climbed(&[], false).text().contains("No step"));
    }

    #[test]
    fn charts_have_a_scale_for_what_has_one() {
        let mut played = climbed(&[standing(60, 40)], true);
        assert!(played.chart().svg().contains("threads"));
        played.over = "time".into();
        played.rungs[0].value = "10ms".into();
        played.rungs[1].value = "20ms".into();
        let svg = played.chart().svg();
        assert!(svg.contains("time for a move") && svg.contains("10 ms"), "{svg}");
    }

    #[test]
    fn the_live_line_fits() {
        let line = live_line(12, &["100ms".into(), "200ms".into()], 17);
        proofwood_cli::display::screen::fits::check(
            &line,
            &[(20, "match 12 of 17"), (60, "200ms against 100ms")],
        );
    }
}
