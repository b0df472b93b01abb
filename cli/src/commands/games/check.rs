//! `proofwood games --check`: checks the rules of games by random play.

use crate::terminal::print::Printer;
use anstyle::{AnsiColor, Style};
use proofwood::rules::{RulesError, RulesReport};
use proofwood_any_game::find;
use proofwood_games::games;
use proofwood_session::input::spec::find_game;
use proofwood_session::{Ended, Trouble};
use serde::Serialize;

const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();

pub(super) struct CheckGames<'c> {
    pub(super) spec: Option<&'c str>,
    pub(super) games: u64,
    pub(super) seed: u64,
    pub(super) json: bool,
}

#[derive(Serialize)]
struct CheckedGameJson<'c> {
    game: &'c str,
    seed: u64,
    /// Whether no violation was found.
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// The moves that lead to the violation.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<&'c [String]>,
    #[serde(flatten)]
    seen: Option<SeenJson>,
}

#[derive(Serialize)]
struct SeenJson {
    games: u64,
    /// The number of games that were played to their end.
    ended: u64,
    /// The number of moves in the longest game.
    longest: usize,
    positions: u64,
    hashes: usize,
    /// The number of positions that were reached again by other moves.
    transpositions: u64,
    /// The number of positions whose text was read back.
    texts: u64,
    /// The number of static bounds that were compared with play to the end.
    static_bounds: u64,
    /// The number of narrowed lists of moves that were compared with play to the end.
    narrowed: u64,
    /// The number of symmetric images that were compared with their positions.
    images: u64,
}

impl CheckGames<'_> {
    /// Checks the games one after another; a failure in one does not stop the others.
    pub(super) fn run(self, printer: &mut Printer) -> Result<Ended, Trouble> {
        let specs = match self.spec {
            Some(spec) => vec![spec],
            None => games().iter().map(|info| whole(info.name, info.example)).collect(),
        };
        let wide = specs.iter().map(|spec| spec.len()).max().unwrap_or(0);
        let mut outcome = Ended::Done;
        for spec in specs {
            let (spec, rules) = find_game(spec)?;
            let checked = rules.check_rules(self.seed, self.games);
            if checked.is_err() {
                outcome = Ended::Failed;
            }
            match self.json {
                true => printer.json(&json(&spec, self.seed, &checked))?,
                false => printer.text(&format!("{spec:<wide$}  {}\n", text(&checked)))?,
            }
        }
        Ok(outcome)
    }
}

/// Returns a game's name, or its example if the name by itself is not a complete description.
fn whole(name: &'static str, example: &'static str) -> &'static str {
    if find(name).is_ok() { name } else { example }
}

fn text(checked: &Result<RulesReport, RulesError>) -> String {
    match checked {
        Ok(report) => {
            let (positions, games) = (report.positions, report.games);
            let s = if games == 1 { "" } else { "s" };
            let remarks = report.remarks().into_iter().map(|remark| format!("; {remark}"));
            let remarks: String = remarks.collect();
            format!("{GOOD}ok{GOOD:#}  {positions} positions in {games} game{s}{remarks}")
        }
        Err(error) => format!("{BAD}wrong{BAD:#}: {error}"),
    }
}

fn json<'c>(
    game: &'c str,
    seed: u64,
    checked: &'c Result<RulesReport, RulesError>,
) -> CheckedGameJson<'c> {
    let error = checked.as_ref().err();
    let seen = checked.as_ref().ok().map(|report| SeenJson {
        games: report.games,
        ended: report.ended,
        longest: report.longest,
        positions: report.positions,
        hashes: report.hashes,
        transpositions: report.transpositions,
        texts: report.texts,
        static_bounds: report.static_bounds,
        narrowed: report.narrowed,
        images: report.images,
    });
    CheckedGameJson {
        game,
        seed,
        ok: error.is_none(),
        reason: error.map(|error| error.to_string()),
        moves: error.map(|error| &error.moves[..]),
        seen,
    }
}
