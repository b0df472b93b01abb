//! `proofwood-lab reproduce table1`: GPN-MCTS against the same engine without proof numbers, in the
//! paper's eleven games.

use super::paper::{self, PaperCell, PaperGame, VARIANTS, Variant, WEIGHTS};
use crate::chart::{Axis, Chart, LineStyle, Series};
use proofwood::{Budget, CancelToken, Config};
use proofwood_any_game::Rules;
use proofwood_cli::commands::machines::{On, connect};
use proofwood_cli::display::grid::{grid, left, right};
use proofwood_cli::display::screen::{self, Line};
use proofwood_cli::terminal::interrupt::Interrupt;
use proofwood_cli::terminal::print::Printer;
use proofwood_cli::terminal::progress::Progress;
use proofwood_session::contest::{
    Contender, Contest, End, Interval, Openings, Records, RemoteGames, Settings, Side, Standing,
};
use proofwood_session::files::{Folder, Force, csv_file};
use proofwood_session::input::args::with_default;
use proofwood_session::input::limits::{read, read_count, read_time, whole};
use proofwood_session::input::options::SearchOptions;
use proofwood_session::input::presets;
use proofwood_session::input::spec::find_game;
use proofwood_session::{Ended, Trouble};
use serde::Serialize;
use std::collections::HashMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The number of games that a cell plays before it is the next cell's turn, so that the results
/// cover all cells evenly at any time.
const ROUND: u64 = 4;

const TABLE: &str = "table1.csv";

/// Play Table 1 of the GPN-MCTS paper
///
/// The engine with proof numbers plays against the same engine without them, in the paper's eleven
/// games, for each bias formula and each C_pn. Our win rates are printed next to the paper's. The
/// paper gave each move one second, in which its program makes some hundred playouts; by default
/// the same number is played here.
#[derive(clap::Args, Debug)]
#[command(mut_arg("preset", |argument| with_default(argument, "paper")))]
#[command(mut_arg("c-pn", |argument| argument.value_name("LIST").help(
    "The columns: some of 0, 0.1, 0.5, 1, 2, 5, separated by commas [default: all]")))]
#[command(mut_arg("threads", |argument| with_default(argument, "1")))]
#[command(mut_arg("memory", |argument| with_default(argument, "256M")))]
#[command(after_help = "Examples:
  proofwood-lab reproduce table1 --best
  proofwood-lab reproduce table1 reversi ataxx --formulas max+sb --c-pn 0,0.5,1
  proofwood-lab reproduce table1 --games 200 --time 5ms --within 1h

Search options hold for both sides; bias and C_pn are the cell's. Rows with SB have
proven values and score bounds on both sides, others on neither. C_pn 0 keeps proof
numbers without using them, so with playouts as the limit all formulas share one
cell there.

With --out DIR takes a file of games for each cell, which `replay --record` reads, table1.csv,
and for each game a chart of the win rate over C_pn. What is in DIR is not played
again: a run that was ended goes on where it was, and a greater --games adds to it.

Exit status: 0 when all games were played, 130 when Ctrl-C or --within came first.")]
pub(crate) struct Table1 {
    /// Games: ataxx, awari, knightthrough, loa7, loa8, los-alamos, minishogi, reach-chess, reversi,
    /// skirmish, surakarta [default: all]
    #[arg(value_name = "GAME")]
    only: Vec<String>,
    /// Rows: rank, rank+sb, max+sb, sum+sb, separated by commas [default: all]
    #[arg(long, value_name = "LIST")]
    formulas: Option<String>,
    /// Play only the paper's best cell of each row with SB, and C_pn 0
    #[arg(long, conflicts_with_all = ["formulas", "c-pn"])]
    best: bool,
    /// Use PNRank as in the authors' program, which differs from the printed formula; the other two
    /// formulas are used as printed
    #[arg(long)]
    coded: bool,
    /// Games for each cell
    #[arg(short, long, value_name = "NUMBER", default_value_t = 60,
        value_parser = whole::<u64>(2..=1_000_000), allow_negative_numbers = true)]
    games: u64,
    /// Playouts per move [default: those that the paper's program makes in a second]
    #[arg(long, value_name = "NUMBER", conflicts_with = "time")]
    playouts: Option<String>,
    /// Time per move for both sides, instead of playouts
    #[arg(short, long, value_name = "TIME")]
    time: Option<String>,
    /// Number of games played at the same time
    #[arg(short, long, value_name = "NUMBER", default_value_t = 1,
        value_parser = whole::<u16>(1..=1024), allow_negative_numbers = true)]
    jobs: u16,
    /// Begin no game after this time, such as 20m
    #[arg(long, value_name = "TIME")]
    within: Option<String>,
    /// Folder for games, table and charts
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// Print one JSON object for each cell
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    on: On,
    #[command(flatten)]
    options: SearchOptions,
}

struct Cell {
    game: PaperGame,
    variant: Variant,
    weight: &'static str,
    coded: bool,
    paper: PaperCell,
}

#[derive(Debug, Serialize)]
struct CellResult {
    game: String,
    variant: &'static str,
    bias: &'static str,
    c_pn: f64,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    win_rate: f64,
    lower: f64,
    upper: f64,
    paper_win_rate: f64,
    paper_margin: f64,
    /// Whether our interval and the paper's overlap.
    overlaps: bool,
    limit: String,
}

impl Table1 {
    /// Plays the cells in turn, round after round, and prints the table.
    pub(crate) fn run(mut self, printer: &mut Printer) -> Result<Ended, Trouble> {
        let cells = self.cells()?;
        let within = read("--within", self.within.as_deref(), read_time)?;
        let limit = self.limit()?;
        let base = self.base()?;
        let claim = |path: &PathBuf| Folder::claim("--out", path, self.force);
        let records = Records::of(self.out.as_ref().map(claim).transpose()?);
        let mut table = records.folder.as_ref().map(|folder| folder.file(TABLE)).transpose()?;
        let interrupt = Interrupt::catch()?;
        let clock = Clock { started: Instant::now(), within };
        let mut played = HashMap::new();
        let machines = connect(&self.on)?;
        let remote = machines.as_deref().map(|machines| machines as &dyn RemoteGames);
        let complete =
            self.play(&cells, &base, &limit, &interrupt, &clock, remote, &records, &mut played)?;
        let results: Vec<CellResult> = cells
            .iter()
            .map(|cell| cell.result(played.get(&cell.file()).copied().unwrap_or_default(), &limit))
            .collect();
        if self.json {
            results.iter().try_for_each(|result| printer.json(result))?;
        } else {
            printer.text(&text(&cells, &results))?;
        }
        if let (Some(folder), Some(table)) = (&records.folder, &mut table) {
            csv_file(table, &results)?;
            draw(folder, &cells, &results)?;
        }
        Ok(if complete { Ended::Done } else { Ended::Interrupted })
    }

    /// Plays until every cell has its games, the time is up, or the user stops it; returns the
    /// reason.
    #[expect(clippy::too_many_arguments, reason = "what a run of all cells has in common")]
    fn play(
        &self,
        cells: &[Cell],
        base: &Config,
        limit: &Budget,
        interrupt: &Interrupt,
        clock: &Clock,
        remote: Option<&dyn RemoteGames>,
        records: &Records,
        played: &mut HashMap<String, Standing>,
    ) -> Result<bool, Trouble> {
        let cancel = interrupt.token();
        let progress = Progress::new();
        let mut target = 0;
        while target < self.games {
            target = (target + ROUND).min(self.games);
            for (number, cell) in cells.iter().enumerate() {
                if cancel.is_cancelled() || clock.is_over() {
                    return Ok(false);
                }
                if played.get(&cell.file()).is_some_and(|standing| standing.games() >= target) {
                    continue;
                }
                progress.show(&cell.live_line(number + 1, cells.len(), target));
                let end = End { games: target, jobs: usize::from(self.jobs), sprt: None };
                let standing = cell
                    .play(records, base, limit, end, cancel, remote)
                    .map_err(|failure| failure.about(&cell.game.game))?;
                played.insert(cell.file(), standing);
            }
        }
        Ok(!cancel.is_cancelled())
    }

    /// The cells that the options select, game by game.
    fn cells(&mut self) -> Result<Vec<Cell>, Trouble> {
        let games = chosen_games(&self.only)?;
        let variants = chosen(&self.formulas, "--formulas", &VARIANTS, |variant| {
            variant.name.to_ascii_lowercase().replacen("pn", "", 1)
        })?;
        let list = self.options.take("c-pn");
        let weights = chosen(&list, "--c-pn", &WEIGHTS, |weight| weight.to_string())?;
        let table = paper::cells()?;
        let mut cells = Vec::new();
        for game in games {
            for &variant in &variants {
                let row: Vec<&PaperCell> = table
                    .iter()
                    .filter(|cell| cell.game == game.game && cell.variant == variant.name)
                    .collect();
                let best = row.iter().max_by(|a, b| a.win_rate.total_cmp(&b.win_rate));
                for paper in &row {
                    let Some(&weight) = weights.iter().find(|&&weight| weight == paper.c_pn) else {
                        continue;
                    };
                    let is_best = best.is_some_and(|best| best.c_pn == weight);
                    if self.best && !(variant.score_bounded && (is_best || weight == "0")) {
                        continue;
                    }
                    let (game, paper, coded) = (game.clone(), (*paper).clone(), self.coded);
                    cells.push(Cell { game, variant, weight, coded, paper });
                }
            }
        }
        Ok(cells)
    }

    /// The limits on a move that the options set. They are empty if the paper's number of playouts
    /// is used.
    fn limit(&self) -> Result<Budget, Trouble> {
        let mut budget = Budget::default();
        budget.time = read("--time", self.time.as_deref(), read_time)?;
        budget.playouts = read("--playouts", self.playouts.as_deref(), read_count)?;
        Ok(budget)
    }

    /// The configuration that both sides share.
    fn base(&mut self) -> Result<Config, Trouble> {
        for fixed in ["bias", "seed"] {
            if self.options.take(fixed).is_some() {
                return Err(Trouble::Input(format!("--{fixed}: each cell has its own")));
            }
        }
        let mut base = Config::default().threads(1).memory(256 << 20);
        presets::apply("paper", None, &mut base)?;
        self.options.apply(base)
    }
}

struct Clock {
    started: Instant,
    within: Option<Duration>,
}

impl Clock {
    fn is_over(&self) -> bool {
        self.within.is_some_and(|within| self.started.elapsed() >= within)
    }
}

/// The paper's games called `names`; all games if `names` is empty.
fn chosen_games(names: &[String]) -> Result<Vec<PaperGame>, Trouble> {
    let games = paper::games()?;
    if names.is_empty() {
        return Ok(games);
    }
    let find = |name: &String| {
        games.iter().find(|game| game.game == name.to_ascii_lowercase()).cloned().ok_or_else(|| {
            let known: Vec<&str> = games.iter().map(|game| game.game.as_str()).collect();
            Trouble::Input(format!("'{name}' should be one of {}", known.join(", ")))
        })
    };
    names.iter().map(find).collect()
}

/// The choices named in `list`; all choices if there is no list.
fn chosen<T: Copy>(
    list: &Option<String>,
    option: &str,
    choices: &[T],
    name: impl Fn(&T) -> String,
) -> Result<Vec<T>, Trouble> {
    let Some(list) = list else { return Ok(choices.to_vec()) };
    let find = |text: &str| {
        let text = text.trim().to_ascii_lowercase();
        choices.iter().find(|choice| name(choice) == text).copied().ok_or_else(|| {
            let names: Vec<String> = choices.iter().map(&name).collect();
            Trouble::Input(format!("{option}: '{text}' should be one of {}", names.join(", ")))
        })
    };
    list.split(',').map(find).collect()
}

impl Cell {
    fn live_line(&self, number: usize, cells: usize, games: u64) -> Line {
        Line::new()
            .item(0, format!("cell {number} of {cells}"))
            .item(3, format!("to {games} games"))
            .item(1, self.game.game.as_str())
            .item(2, format!("{} C_pn {}", self.variant.name, self.weight))
    }

    /// The name of the cell's record. All formulas share the record of a weight of 0: with a limit
    /// on playouts the games are the same for all of them, and with a limit on time the formulas
    /// cost about the same.
    fn file(&self) -> String {
        let Variant { name, score_bounded, .. } = self.variant;
        // These names need no quotes in a shell.
        let variant = match (self.weight, score_bounded) {
            ("0", true) => "sb".to_string(),
            ("0", false) => "plain".to_string(),
            _ => name.to_ascii_lowercase().replace('+', "-"),
        };
        let coded = if self.coded && self.weight != "0" { ".coded" } else { "" };
        format!("{}.{variant}.{}{coded}", self.game.game, self.weight)
    }

    fn bias(&self) -> &'static str {
        if self.coded { self.variant.coded } else { self.variant.bias }
    }

    fn budget(&self, limit: &Budget) -> Budget {
        match (limit.time, limit.playouts) {
            (None, None) => Budget::default().playouts(self.game.iterations),
            _ => limit.clone(),
        }
    }

    /// The two sides: with proof numbers, and without.
    fn sides(&self, base: &Config, limit: &Budget) -> Result<[Contender; 2], Trouble> {
        let sides =
            [format!("--bias {} --c-pn {}", self.bias(), self.weight), "--c-pn 0".to_string()];
        let side = |own: &String| {
            let mut config = base.clone();
            if !self.variant.score_bounded {
                presets::set("--solver off --score-bounds off", &mut config)?;
            }
            presets::set(own, &mut config)?;
            config.check()?;
            Ok::<_, Trouble>(Contender { config, budget: self.budget(limit), reuse: true })
        };
        Ok([side(&sides[0])?, side(&sides[1])?])
    }

    /// Plays until there are `games` games; returns the score.
    fn play(
        &self,
        records: &Records,
        base: &Config,
        limit: &Budget,
        end: End,
        cancel: &CancelToken,
        remote: Option<&dyn RemoteGames>,
    ) -> Result<Standing, Trouble> {
        let (game, rules) = find_game(&self.game.game)?;
        let [a, b] = self.sides(base, limit)?;
        let rules: &dyn Rules = &*rules;
        let settings = Settings {
            game,
            a: if self.weight == "0" { shared(&a) } else { a.written() },
            b: b.written(),
            // The paper's games begin at the start of the game.
            openings: Openings::Random(0),
            seed: 0,
            // Ludii's limit: 1250 turns for each player.
            max_plies: 2500,
        };
        let contest = Contest { rules, settings: &settings, a: &a, b: Side::Engine(&b), remote };
        contest.resume(records, &self.file(), end, cancel)
    }

    fn result(&self, standing: Standing, limit: &Budget) -> CellResult {
        let interval = standing.interval();
        let budget = self.budget(limit);
        let limit = match (budget.time, budget.playouts) {
            (Some(time), _) => format!("{} s", time.as_secs_f64()),
            (None, playouts) => format!("{} playouts", playouts.unwrap_or(0)),
        };
        CellResult {
            game: self.game.game.clone(),
            variant: self.variant.name,
            bias: self.bias(),
            c_pn: number(self.weight),
            games: standing.games(),
            wins: standing.wins,
            draws: standing.draws,
            losses: standing.losses,
            win_rate: standing.rate(),
            lower: interval.lower,
            upper: interval.upper,
            paper_win_rate: self.paper.win_rate / 100.0,
            paper_margin: self.paper.margin / 100.0,
            overlaps: interval.overlaps(self.paper.interval()),
            limit,
        }
    }
}

/// The number that a column's name stands for.
fn number(weight: &str) -> f64 {
    weight.parse().unwrap_or(f64::NAN)
}

/// The options of a side whose weight is 0. The formula is set to the default, because it does not
/// matter.
fn shared(side: &Contender) -> String {
    let mut side = side.clone();
    side.config.bias = Config::default().bias;
    side.written()
}

fn text(cells: &[Cell], results: &[CellResult]) -> String {
    let header = [
        left("game", 0),
        left("row", 0),
        right("C_pn", 0),
        right("games", 4),
        right("ours", 0),
        right("", 3),
        right("paper", 1),
        right("", 3),
        left("", 2),
    ];
    let rows = cells.iter().zip(results).map(|(cell, result)| {
        let interval = Interval { lower: result.lower, upper: result.upper };
        let (ours, margin, verdict) = match result.games {
            0 => (String::new(), String::new(), ""),
            _ => (
                format!("{:.1}", result.win_rate * 100.0),
                format!("({})", interval.text()),
                match result.overlaps {
                    true => "",
                    false if result.win_rate > result.paper_win_rate => "above the paper",
                    false => "below the paper",
                },
            ),
        };
        vec![
            cell.game.game.clone(),
            cell.variant.name.to_string(),
            cell.weight.to_string(),
            result.games.to_string(),
            ours,
            margin,
            format!("{:.1}", cell.paper.win_rate),
            format!("({})", cell.paper.interval().text()),
            verdict.to_string(),
        ]
    });
    let formulas = match cells.iter().any(|cell| cell.coded) {
        true => "\nFormulas are those of the authors' program.\n",
        false => "",
    };
    let legend = "\nWin rates in per cent with their 95 % intervals, ours Wilson's; the last column\n\
        is empty where our interval and the paper's have a value in common. Rules are those\n\
        of Ludii 1.3.13; the paper ran 1.3.14, 500 games a cell with 1 s a move.\n";
    grid(&header, rows) + &screen::fit(&format!("{formulas}{legend}"))
}

/// Draws a chart of the win rate over C_pn for each game.
fn draw(folder: &Folder, cells: &[Cell], results: &[CellResult]) -> Result<(), Trouble> {
    let place =
        |weight: f64| WEIGHTS.iter().position(|known| number(known) == weight).unwrap_or(0) as f64;
    let mut games: Vec<&PaperGame> = cells.iter().map(|cell| &cell.game).collect();
    games.dedup_by_key(|game| &game.game);
    let published = paper::cells()?;
    for game in games {
        let mut series = Vec::new();
        for (colour, variant) in VARIANTS.iter().enumerate() {
            let ours = results.iter().filter(|result| {
                result.game == game.game && result.variant == variant.name && result.games > 0
            });
            let points: Vec<_> = ours
                .map(|result| {
                    let ends = (result.lower * 100.0, result.upper * 100.0);
                    (place(result.c_pn), result.win_rate * 100.0, Some(ends))
                })
                .collect();
            if points.is_empty() {
                continue;
            }
            let paper = published
                .iter()
                .filter(|cell| cell.game == game.game && cell.variant == variant.name)
                .map(|cell| (place(number(&cell.c_pn)), cell.win_rate, None))
                .collect();
            let name = variant.name.to_string();
            let of_paper = format!("{name}, the paper");
            series.push(Series { name, colour, style: LineStyle::Line, points });
            series.push(Series { name: of_paper, colour, style: LineStyle::Thin, points: paper });
        }
        if series.is_empty() {
            continue;
        }
        let chart = Chart {
            title: &game.title,
            across: Axis::places("C_pn", &WEIGHTS.map(str::to_string)),
            up: Axis::percent("win rate against MCTS, %"),
            mark: Some(50.0),
            legend: "formula",
            beside: false,
            series,
        };
        chart.write(&mut folder.file(&format!("{}.svg", game.game))?)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_fits() {
        let limits = Budget::default();
        let mut cells = Vec::new();
        for game in paper::games().unwrap() {
            let paper = paper::cells().unwrap().into_iter();
            let paper = paper.filter(|cell| cell.game == game.game && cell.variant == "PNRank+SB");
            let variant = *VARIANTS.iter().find(|variant| variant.name == "PNRank+SB").unwrap();
            cells.extend(paper.map(|paper| {
                let weight = *WEIGHTS.iter().find(|&&weight| weight == paper.c_pn).unwrap();
                Cell { game: game.clone(), variant, weight, coded: true, paper }
            }));
        }
        let standing = Standing { wins: 300, losses: 200, draws: 0, points: 300.0 };
        let results: Vec<CellResult> =
            cells.iter().map(|cell| cell.result(standing, &limits)).collect();
        let always = ["knightthrough", "PNRank+SB", "60.0", "C_pn"];
        proofwood_cli::display::screen::fits::check_text(|| text(&cells, &results), &always);
        for cell in &cells {
            let always = [(20, "cell 12 of 264"), (34, cell.game.game.as_str())];
            proofwood_cli::display::screen::fits::check(&cell.live_line(12, 264, 500), &always);
        }
    }

    #[test]
    fn lists_choose_by_name() {
        let list = |text: &str| {
            chosen(&Some(text.into()), "--c-pn", &WEIGHTS, |weight| weight.to_string())
        };
        assert_eq!(list("0.5, 2").unwrap(), ["0.5", "2"]);
        assert!(list("0.3").unwrap_err().to_string().contains("one of 0, 0.1"));
        assert_eq!(chosen(&None, "", &WEIGHTS, |w| w.to_string()).unwrap().len(), 6);
        assert_eq!(chosen_games(&["LOA7".into()]).unwrap()[0].iterations, 470);
    }
}
