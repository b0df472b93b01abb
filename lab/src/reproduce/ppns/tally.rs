//! Tables that sum up the runs of each method.

use super::methods::{Answer, Done, Method};
use super::paper::{POSITIONS, Row};
use proofwood_cli::display::grid::{left, markdown, right};
use proofwood_cli::display::screen;
use proofwood_session::Trouble;
use proofwood_session::words::numbers;

/// The numbers of answers of one method at one stage.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) wins: u32,
    pub(crate) not_wins: u32,
    pub(crate) out: u32,
    seconds: f64,
    nodes: u64,
    /// The number of estimates; of these, `checked` were compared with a proof, and `wrong` were
    /// false.
    estimates: u32,
    checked: u32,
    wrong: u32,
}

impl Tally {
    fn add(&mut self, done: &Done, truth: Option<bool>) {
        match done.answer.says_win() {
            Some(true) => self.wins += 1,
            Some(false) => self.not_wins += 1,
            None => self.out += 1,
        }
        self.seconds += done.seconds;
        self.nodes += done.nodes;
        if done.answer.is_estimate() {
            self.estimates += 1;
            if let Some(truth) = truth {
                self.checked += 1;
                self.wrong += u32::from(done.answer.says_win() != Some(truth));
            }
        }
    }

    pub(crate) fn positions(&self) -> u32 {
        self.wins + self.not_wins + self.out
    }

    pub(crate) fn completion(&self) -> f64 {
        let positions = f64::from(self.positions().max(1));
        100.0 * f64::from(self.wins + self.not_wins) / positions
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Origin {
    Random,
    Authors,
    /// Positions from the file of this name.
    File(String),
}

/// A stage of the experiment: positions of a game after `plies` random plies.
pub(crate) struct Stage {
    pub(crate) game: &'static str,
    /// The game's name and options.
    pub(crate) spec: &'static str,
    pub(crate) plies: u32,
    pub(crate) methods: Vec<Method>,
    pub(crate) tallies: Vec<Tally>,
    pub(crate) origin: Origin,
    pub(crate) paper: fn(u32, &str) -> Option<Row>,
}

/// Whether the side to move wins, if any of the runs has proven it. Returns an error if two proofs
/// contradict each other, which would be a bug.
pub(crate) fn truth(methods: &[Method], runs: &[Done]) -> Result<Option<bool>, Trouble> {
    let mut known: Option<(bool, &str)> = None;
    for (method, done) in methods.iter().zip(runs) {
        let (Answer::Win | Answer::NotWin, Some(win)) = (done.answer, done.answer.says_win())
        else {
            continue;
        };
        match known {
            Some((other, name)) if other != win => {
                let text = format!("{name} and {} prove the opposite of each other", method.name);
                return Err(Trouble::Failed(text));
            }
            _ => known = Some((win, &method.name)),
        }
    }
    Ok(known.map(|(win, _)| win))
}

impl Stage {
    pub(crate) fn add(&mut self, runs: &[Done], truth: Option<bool>) {
        for (tally, done) in self.tallies.iter_mut().zip(runs) {
            tally.add(done, truth);
        }
    }

    pub(crate) fn has_runs(&self) -> bool {
        self.tallies.iter().any(|tally| tally.positions() > 0)
    }

    pub(crate) fn title(&self) -> String {
        match &self.origin {
            Origin::Random => format!("{} after {} random plies", self.game, self.plies),
            Origin::Authors => {
                format!("{} after {} plies, the authors' positions", self.game, self.plies)
            }
            Origin::File(file) => format!("{}, positions of {file}", self.game),
        }
    }

    /// The paper's figures; `None` for positions from a file.
    fn paper_row(&self, method: &str) -> Option<Row> {
        match self.origin {
            Origin::File(_) => None,
            _ => (self.paper)(self.plies, method),
        }
    }

    /// The table in Markdown. If there is little room, the paper's figures are dropped first.
    pub(crate) fn table(&self) -> String {
        let positions = self.tallies.first().map_or(0, Tally::positions);
        let title = format!("\n### {}, {positions} positions\n\n", self.title());
        let header = [
            left("method", 0),
            right("win", 1),
            right("not a win", 1),
            right("out", 1),
            right("answered", 0),
            right("mean time", 3),
            right("mean nodes", 4),
            right("false estimates", 2),
            right("paper: solved", 6),
            right("unsolved", 6),
            right("out", 6),
            left("answered", 5),
        ];
        let rows = self.methods.iter().zip(&self.tallies).map(|(method, tally)| {
            let runs = f64::from(tally.positions().max(1));
            let estimates = match method.is_tolerant() {
                true => format!(
                    "{} of {} checked, {} in all",
                    tally.wrong, tally.checked, tally.estimates
                ),
                false => "–".into(),
            };
            let ours = [
                method.name.clone(),
                tally.wins.to_string(),
                tally.not_wins.to_string(),
                tally.out.to_string(),
                format!("{:.1} %", tally.completion()),
                format!("{:.2} s", tally.seconds / runs),
                numbers::count(tally.nodes as f64 / runs),
                estimates,
            ];
            ours.into_iter().chain(paper_columns(self.paper_row(&method.name))).collect()
        });
        screen::fit(&title) + &markdown(&header, rows)
    }
}

fn paper_columns(row: Option<Row>) -> [String; 4] {
    let Some(row) = row else { return ["–"; 4].map(str::to_string) };
    let number = |number: Option<u32>| number.map_or("–".into(), |number| number.to_string());
    let percent = 100.0 * f64::from(row.answered) / f64::from(POSITIONS);
    let mean = row.means.map_or(String::new(), |(seconds, nodes)| {
        format!(" ({seconds:.0} s, {} nodes)", numbers::count(nodes))
    });
    [
        number(row.solved),
        number(row.unsolved),
        (POSITIONS - row.answered).to_string(),
        format!("{percent:.1} %{mean}"),
    ]
}
