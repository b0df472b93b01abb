//! `proofwood match`: plays games between two configurations.

use super::machines::{On, connect};
use crate::display::grid::{grid, left, right};
use crate::display::screen::Line;
use crate::terminal::interrupt::Interrupt;
use crate::terminal::print::Printer;
use crate::terminal::progress::Progress;
use proofwood::Config;
use proofwood_any_game::Rules;
use proofwood_protocols::{Opponent, Protocol};
use proofwood_session::contest::{
    Contender, Contest, End, Interval, MatchResult, Openings, Record, RemoteGames, Settings, Side,
    Sprt, SprtResult, Standing, Verdict, Verified, elo, elo_text, write_csv,
};
use proofwood_session::files::{Asked, Existing, Force, Whole, check_distinct};
use proofwood_session::input::args::with_default;
use proofwood_session::input::limits::{Limits, read, read_time, whole};
use proofwood_session::input::options::SearchOptions;
use proofwood_session::input::spec::find_game;
use proofwood_session::words::numbers;
use proofwood_session::{Ended, Trouble};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The time for a move when no limit is given.
const USUAL_TIME: Duration = Duration::from_secs(1);

/// Play two configurations against each other
///
/// Every opening is played once from each seat; with more than two players, A has one seat and B
/// all others. The best payoff earns one point, shared between the players who have it, so a draw
/// between two is half a point each. Win rates come with Wilson's 95 % interval. With --record,
/// every game is on disk before it counts.
#[derive(clap::Args, Debug)]
#[command(mut_arg("threads", |argument| with_default(argument, "1")))]
#[command(mut_arg("memory", |argument| with_default(argument, "256M")))]
#[command(mut_arg("seed", |argument| argument.help(
    "Seed for the openings and, with each game's number, for all searches [default: 0]")))]
#[command(after_help = "Examples:
  proofwood match othello --a \"--c-pn 0.5\" --b \"--preset uct\" --time 100ms
  proofwood match connect-four --a \"--bias sum\" --b \"\" --playouts 1e3
  proofwood match reach-chess --a \"--preset tuned\" --b \"\" --sprt 0,30
  proofwood match othello --a \"--c 1\" --b \"\" --openings set.txt
  proofwood match othello --a \"\" --b \"--c-pn 0\" --record match.jsonl
  proofwood replay --record match.jsonl --number 1
  proofwood match gardner --a \"\" --opponent fairy-stockfish --time 100ms

--a and --b take search options, --preset, limits per move (--time, --cpu-time,
--playouts, --nodes, --bytes) and --reuse off, which grows a new tree for every
move. The same options outside --a and --b apply to both. Without a limit, a move takes
1s.

--resume plays the games that the file lacks: those that a killed or interrupted match
did not finish, or more with a larger --games. The other settings must be the same.
With one thread per player and limits in playouts, nodes or bytes, each game is the
same whenever it is played.

--sprt tests two hypotheses about the Elo difference between A and B, and ends the match
as soon as the games, in the order of their numbers, decide between them.

--opponent starts the program anew for each game. The program forfeits a game if it exits,
does not answer in time, resigns, or plays an illegal move; the reason is recorded.

Exit status: 0 when all games were played or the test is decided, 2 for bad input,
1 for a failure, 130 after Ctrl-C, which drops unfinished games.")]
pub(crate) struct Match {
    /// The game with its options after a colon; `proofwood games` lists them all
    game: String,
    /// Options of contender A, such as "--c-pn 1 --bias rank --time 50ms"
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true)]
    a: String,
    /// Options of contender B
    #[arg(
        long,
        value_name = "OPTIONS",
        allow_hyphen_values = true,
        required_unless_present = "opponent"
    )]
    b: Option<String>,
    /// Play another program as B, started with this command
    #[arg(long, value_name = "COMMAND", conflicts_with = "b")]
    opponent: Option<String>,
    /// Set an option of that program before it plays (UCI and UGI); can be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    opponent_option: Vec<String>,
    /// Protocol of that program [gtp | ugi | uci] [default: uci]
    #[arg(long, value_name = "NAME", default_value = "uci", hide_default_value = true,
        value_parser = ["gtp", "ugi", "uci"], hide_possible_values = true)]
    protocol: String,
    /// Extra time that B may take beyond its time per move [default: 10s]
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    patience: Option<String>,
    /// Number of games
    #[arg(short, long, value_name = "NUMBER", default_value_t = 100,
        value_parser = whole::<u64>(1..=10_000_000), allow_negative_numbers = true)]
    games: u64,
    /// Number of games to play at a time [default: the number of cores divided by the threads per
    /// game]
    #[arg(short, long, value_name = "NUMBER",
        value_parser = whole::<u16>(1..=1024), allow_negative_numbers = true)]
    jobs: Option<u16>,
    /// Begin with this many random plies
    #[arg(long, value_name = "NUMBER", default_value_t = 2, conflicts_with = "openings",
        value_parser = whole::<u32>(0..=1000), allow_negative_numbers = true)]
    random_plies: u32,
    /// Begin with the positions or moves in this file, one per line, in turn
    #[arg(long, value_name = "FILE")]
    openings: Option<String>,
    /// Declare a game drawn after this many plies
    #[arg(long, value_name = "NUMBER", default_value_t = 2500,
        value_parser = whole::<u32>(1..=1_000_000), allow_negative_numbers = true)]
    max_plies: u32,
    /// Stop when a sequential test is decided: elo0,elo1 or elo0,elo1,alpha,beta (0.05 each by
    /// default)
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    sprt: Option<String>,
    /// Write every game to this file; `replay --record` shows them
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Continue the match in the --record file
    #[arg(long, requires = "record", conflicts_with = "force")]
    resume: bool,
    /// Print one JSON object with the result
    #[arg(long)]
    json: bool,
    /// Also write a table of the games as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    on: On,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    options: SearchOptions,
}

impl Match {
    pub(crate) fn run(mut self, printer: &mut Printer) -> Result<Ended, Trouble> {
        let (game, rules) = find_game(&self.game)?;
        let players = rules.players();
        if players < 2 {
            return Err(Trouble::Input(format!(
                "{game} has one player; a match needs two or more"
            )));
        }
        let sprt = self.sprt.as_deref().map(Sprt::read).transpose()?;
        if sprt.is_some() && players > 2 {
            return Err(Trouble::Input("--sprt needs a two-player game".into()));
        }
        let (a, b, seed) = self.contenders(&game)?;
        let openings = match &self.openings {
            Some(path) => Openings::read(path, &game, &*rules)?,
            None => Openings::Random(self.random_plies),
        };
        let (max_plies, game) = (self.max_plies, game.clone());
        let opponent = self.opponent(&game, &*rules, &b)?;
        let written = opponent.as_ref().map_or_else(|| b.written(), Opponent::written);
        let settings = Settings { game, a: a.written(), b: written, openings, seed, max_plies };
        let end = End { games: self.games, jobs: self.jobs(&a, &b), sprt };
        let machines = connect(&self.on)?;
        let interrupt = Interrupt::catch()?;
        if let Some(opponent) = &opponent {
            opponent.check(&*rules, interrupt.token())?;
        }
        let openings = self.openings.as_deref().map(Path::new);
        let claim = |option: &'static str, path: &Path| {
            for input in [self.record.as_deref(), openings].into_iter().flatten() {
                check_distinct(option, path, input)?;
            }
            Whole::claim(Asked::new(option, path, self.force))
        };
        let csv = self.csv.as_deref().map(|path| claim("--csv", path)).transpose()?;
        let mut record = match &self.record {
            None => Record::unkept(),
            Some(path) => {
                if let Some(openings) = openings {
                    check_distinct("--record", path, openings)?;
                }
                let existing =
                    if self.resume { Existing::Continued } else { self.force.existing() };
                let (option, resumable) = ("--record", Some("games"));
                let asked = Asked { option, path, existing, resumable };
                Record::open(asked, &settings, &*rules, &Verified::default())?
            }
        };
        let remote = machines.as_ref().map(|machines| &**machines as &dyn RemoteGames);
        let side = opponent.as_ref().map_or(Side::Engine(&b), |opponent| Side::Program(opponent));
        let contest = Contest { rules: &*rules, settings: &settings, a: &a, b: side, remote };
        let mut live = Live::new(self.games, record.games.len());
        contest.run(&mut record, end, interrupt.token(), |record| live.show(record, sprt))?;
        drop(live);

        record.games.sort_unstable_by_key(|game| game.number);
        let file = self.record.as_deref();
        let players = rules.player_names();
        let result = MatchResult::new(&settings, players, &record.games, sprt, self.games, file);
        if self.json {
            printer.json(&result)?;
        } else {
            printer.text(&text(&result))?;
        }
        if let Some(mut file) = csv {
            write_csv(&mut file, &record.games)?;
        }
        Ok(if result.finished { Ended::Done } else { Ended::Interrupted })
    }

    fn contenders(&mut self, game: &str) -> Result<(Contender, Contender, u64), Trouble> {
        const MEMORY: u64 = 256 << 20;
        let mut seeded = Config::default();
        if let Some(seed) = self.options.take("seed") {
            seeded.set("seed", &seed)?;
        }
        let base = Config::default().threads(1).memory(MEMORY);
        let common = Contender {
            config: self.options.apply_to(Some(game), base)?,
            budget: self.limits.budget(Some(USUAL_TIME))?,
            reuse: true,
        };
        let a = Contender::read("--a", &self.a, game, &common)?;
        let b = Contender::read("--b", self.b.as_deref().unwrap_or_default(), game, &common)?;
        Ok((a, b, seeded.seed))
    }

    fn opponent(
        &self,
        game: &str,
        rules: &dyn Rules,
        b: &Contender,
    ) -> Result<Option<Opponent>, Trouble> {
        const PATIENCE: Duration = Duration::from_secs(10);
        let patience = read("--patience", self.patience.as_deref(), read_time)?;
        let patience = patience.unwrap_or(PATIENCE);
        let Some(command) = &self.opponent else {
            return match self.opponent_option.is_empty() {
                true => Ok(None),
                // clap does not require `--opponent` here, because `--b` excludes it.
                false => Err(Trouble::Input("--opponent-option needs --opponent".into())),
            };
        };
        // clap accepts no other names.
        let protocol = Protocol::named(&self.protocol).unwrap_or(Protocol::Uci);
        let opponent = Opponent::new(command, protocol, game, rules, &b.budget, patience)?;
        opponent.with_options(&self.opponent_option).map(Some)
    }

    fn jobs(&self, a: &Contender, b: &Contender) -> usize {
        let threads = a.config.threads.max(b.config.threads);
        let room = (Config::default().threads / threads).max(1);
        self.jobs.map_or(room, usize::from).min(self.games as usize)
    }
}

fn sprt_text(result: &SprtResult) -> String {
    let Sprt { elo0, elo1, .. } = result.test;
    let verdict = match result.verdict {
        Verdict::Elo0 => format!("{elo0} Elo accepted"),
        Verdict::Elo1 => format!("{elo1} Elo accepted"),
        Verdict::Open => "undecided".to_string(),
    };
    let [low, high] = result.limits;
    let ratio = result.log_likelihood_ratio;
    format!(
        "{elo0} or {elo1} Elo: {verdict}, log-likelihood ratio {ratio:.2}, limits {low:.2} \
         and {high:.2}"
    )
}

fn text(result: &MatchResult<'_>) -> String {
    let mut text = format!("{}, {}", result.settings.game, numbers::number(result.games, "game"));
    if !result.finished {
        text.push_str(match result.record {
            Some(_) => ", not finished; --resume continues it",
            None => ", not finished",
        });
    }
    let _ = write!(text, "\nA  {}\nB  {}\n\n", result.settings.a, result.settings.b);
    let Some(win_rate) = result.win_rate else { return text };
    let header =
        [left("", 0), right("won", 1), right("drawn", 1), right("lost", 1), right("win rate", 0)];
    let row = vec![
        "A".to_string(),
        result.wins.to_string(),
        result.draws.to_string(),
        result.losses.to_string(),
        format!("{:.1} %", win_rate * 100.0),
    ];
    text.push_str(&grid(&header, std::iter::once(row)));
    let Interval { lower, upper } = result.interval;
    let _ = write!(
        text,
        "\nInterval  {:.1} % to {:.1} % (Wilson, 95 %); equal players would score {:.1} %\n",
        lower * 100.0,
        upper * 100.0,
        result.even * 100.0
    );
    if let Some(interval) = result.elo_interval {
        let _ = writeln!(text, "Elo       {}", elo_text(win_rate, result.elo, interval));
    }
    if let Some(sprt) = &result.sprt {
        let _ = writeln!(text, "SPRT      {}", sprt_text(sprt));
    }
    for (name, spent) in [("A", &result.a_spent), ("B", &result.b_spent)] {
        let moves = spent.moves.max(1) as f64;
        let time = numbers::time(Duration::from_secs_f64(spent.seconds / moves));
        let each = numbers::count(spent.playouts as f64 / moves);
        let rate = numbers::count(spent.playouts as f64 / spent.seconds.max(1e-9));
        let _ = match spent.playouts {
            // Another program need not report its nodes.
            0 => writeln!(text, "{name}         {time} per move, playouts unknown"),
            _ => writeln!(
                text,
                "{name}         {each} playouts and {time} per move, {rate} playouts/s"
            ),
        };
    }
    if let Some(first) = result.forfeits.first() {
        let lost = numbers::number(result.forfeits.len() as u64, "game");
        let _ = writeln!(text, "Forfeits  B forfeited {lost} ({first})");
    }
    let seats = result.players.len() as u64;
    if result.finished && result.sprt.is_none() && !result.games.is_multiple_of(seats) {
        let even = result.games.next_multiple_of(seats);
        let _ = writeln!(
            text,
            "Openings  the last one was not played from every seat; use --games {even}"
        );
    }
    let kept = match result.record {
        Some(path) => format!("recorded in {}", path.display()),
        None => "not recorded (--record FILE records them)".into(),
    };
    let _ = writeln!(text, "Games     {:.1} plies on average, {kept}", result.mean_plies);
    text
}

struct Live {
    progress: Progress,
    games: u64,
    before: usize,
    started: Instant,
}

impl Live {
    fn new(games: u64, before: usize) -> Live {
        Live { progress: Progress::new(), games, before, started: Instant::now() }
    }

    fn show(&mut self, record: &Record, sprt: Option<Sprt>) {
        let done = record.games.len();
        let new = done.saturating_sub(self.before).max(1) as u32;
        let left = (self.games as usize).saturating_sub(done) as u32;
        let rest = self.started.elapsed() / new * left;
        let sprt = sprt.map(|test| SprtResult::new(test, &record.games));
        let standing = Standing::of(&record.games);
        self.progress.show(&live_line(self.games, &standing, sprt.as_ref(), rest));
    }
}

fn live_line(games: u64, standing: &Standing, sprt: Option<&SprtResult>, rest: Duration) -> Line {
    let (rate, Interval { lower, upper }) = (standing.rate(), standing.interval());
    let Standing { wins, draws, losses, .. } = standing;
    let sprt =
        sprt.map_or_else(String::new, |SprtResult { limits, log_likelihood_ratio, .. }| {
            let [low, high] = limits;
            format!("SPRT {log_likelihood_ratio:.2} in {low:.2}..{high:.2}")
        });
    Line::new()
        .item(1, format!("{} of {games}", standing.games()))
        .item(2, format!("+{wins} ={draws} -{losses}"))
        .item(0, format!("A {:.1} %", rate * 100.0))
        .item(4, format!("({:.1} to {:.1})", lower * 100.0, upper * 100.0))
        .item(5, format!("Elo {:+.0}", elo(rate)))
        .item(6, sprt)
        .item(3, format!("{} left", numbers::time(rest)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::screen::tests::check;

    #[test]
    fn the_live_line_fits() {
        let standing = Standing { wins: 4321, losses: 4000, draws: 1679, points: 5160.5 };
        let test = Sprt::read("0,5").unwrap();
        let sprt = SprtResult::new(test, &[]);
        let rest = Duration::from_secs(7300);
        let always = [(20, "A 51.6 %"), (30, "10000 of 1000000"), (72, "2 h 1 min left")];
        check(&live_line(1_000_000, &standing, Some(&sprt), rest), &always);
        check(&live_line(10, &Standing::default(), None, rest), &[(20, "A 50.0 %")]);
    }
}
