//! `proofwood search`: finds the best move.

use crate::display::{screen, search_text};
use crate::input::positions::Start;
use crate::solving::file_options::TreeOptions;
use crate::solving::live::Shown;
use crate::solving::report_to::ReportTo;
use crate::terminal::interrupt::Interrupt;
use crate::terminal::print::Printer;
use proofwood::{Budget, Config};
use proofwood_any_game::Position;
use proofwood_session::files::Growing;
use proofwood_session::input::limits::Limits;
use proofwood_session::input::options::SearchOptions;
use proofwood_session::json::AnswerJson;
use proofwood_session::solving::search::{Searched, audit_text, outcome, run};
use proofwood_session::solving::tree_file::TreeFiles;
use proofwood_session::{Ended, Trouble};
use std::time::Duration;

/// The time of a search when no limit is given.
const USUAL_TIME: Duration = Duration::from_secs(5);

/// Search a position for the best move
///
/// Searches until a limit is reached (5 seconds if none is given), or until the position is solved.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  proofwood search othello
  proofwood search connect-four --moves 4433 --time 10s --threads 4
  proofwood search othello:6 --goal score --playouts 1e6 --seed 1 --json
  proofwood search mnk:3,3,3,players=3 --paranoid on
  proofwood search pig:20 --moves \"roll 6 roll 5\" --goal score
  proofwood search othello --time 1m --save-tree othello.tree
  proofwood search othello --time 1m --load-tree othello.tree

Values are from the side to move's point of view. Win rates are playout averages: 100 %
if all were won, 50 % if all were drawn. Bounds and proven values hold against every
reply, and a proven move shows no win rate. --moves includes chance outcomes, such as
dice; when chance decides, the table lists the outcomes, for the first player.

Exit status: 0 with an answer, 1 for a failure, 2 for bad input, 130 after Ctrl-C,
which ends the search with the best answer so far.")]
pub(crate) struct Search {
    #[command(flatten)]
    start: Start,
    #[command(flatten)]
    report: ReportTo,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    trees: TreeOptions,
    #[command(flatten)]
    options: SearchOptions,
}

impl Search {
    pub(crate) fn run(self, printer: &mut Printer) -> Result<Ended, Trouble> {
        let budget = self.limits.budget(Some(USUAL_TIME))?;
        let config = self.options.apply_to(Some(&self.start.game), Config::default())?;
        One::prepare(&self.start, &self.report, &self.trees, config, budget)?.run(printer)
    }
}

struct One {
    game: String,
    position: Box<dyn Position>,
    config: Config,
    budget: Budget,
    json: bool,
    file: Option<Growing>,
    trees: TreeFiles,
}

impl One {
    /// Checks all arguments before the search starts.
    fn prepare(
        start: &Start,
        report: &ReportTo,
        trees: &TreeOptions,
        config: Config,
        budget: Budget,
    ) -> Result<One, Trouble> {
        let found = start.find()?;
        let file = report.open()?;
        let trees = trees.open(&found.game, report.force)?;
        let budget = budget.cancel(Interrupt::catch()?.token());
        Ok(One {
            game: found.game,
            position: found.position,
            config,
            budget,
            json: report.is_json(),
            file,
            trees,
        })
    }

    fn run(&mut self, printer: &mut Printer) -> Result<Ended, Trouble> {
        let mut search = self.position.search(&self.config)?;
        self.trees.load(&mut *search)?;
        let Searched { search, answer, audit } =
            run(search, &self.config, &self.budget, &Shown::default())?;
        let text = self.position.text();
        let mut json = AnswerJson::new(&self.game, &text, &answer);
        json.audit = audit.clone().map(audit_text);
        if let Some(file) = &mut self.file {
            file.json(&json)?;
        }
        if self.json {
            printer.json(&json)?;
        } else {
            let mut text = search_text::answer(&self.position.view(), &answer, &self.config);
            if let Some(audit) = &json.audit {
                text.push_str(&format!("Audit    {audit}\n"));
            }
            printer.text(&screen::fit(&text))?;
        }
        // The answer is printed before an error in saving the tree can occur.
        self.trees.save(&*search)?;
        Ok(outcome(&answer, audit.as_ref()))
    }
}
