//! One round: a tree is grown, stopped, grown again, and checked each time.

use crate::ending::Ending;
use crate::plan::Plan;
use crate::position::Rules;
use crate::tally::Tally;
use crate::truth;
use proofwood::{Chance, Config, Game, Report, Search, SearchError, Turn};
use proofwood_games::AnyGame;
use proofwood_testkit::check::{check_claims, check_figures};
use proofwood_testkit::fuse::{BLOWN, Fuse, Fused};
use proofwood_testkit::oracle::Solution;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Plays a round.
///
/// # Panics
/// When anything is wrong.
pub(crate) fn play(plan: &Plan, tally: &mut Tally) {
    match &plan.position.rules {
        Rules::Random(game) => {
            let game = Arc::new(game.clone());
            let root = plan.position.reach(&game);
            let solution = (!game.has_chance()).then(|| Solution::of(&game, &root));
            Round { plan, tally, game, root, solution }.play();
        }
        Rules::Named(name) => {
            // One type for all, so that the search is compiled once.
            let game = Arc::new(AnyGame::from_spec(name).expect("the registry has this game"));
            let root = plan.position.reach(&game);
            let solution = (!game.has_chance()).then(|| truth::of_named(&game, &root)).flatten();
            Round { plan, tally, game, root, solution }.play();
        }
    }
}

/// A round of any game.
struct Round<'r, G: Game> {
    plan: &'r Plan,
    tally: &'r mut Tally,
    game: Arc<G>,
    root: G::State,
    /// The truth about the position, where it is known and a single game can
    /// show it: with chance, tests/suite/chance.rs compares means.
    solution: Option<Solution>,
}

type Searching<G> = Search<Fused<Arc<G>>>;

impl<G: Game> Round<'_, G> {
    fn play(mut self) {
        let fuse = Fuse::default();
        let mut search = self.make_search(&fuse);
        for ending in &self.plan.endings {
            self.run(&mut search, ending, &fuse);
            self.audit(&mut search);
        }
        self.tally.nodes += search.snapshot().nodes;
        if let Some(ending) = &self.plan.dropped {
            ending.start(&mut search).expect("nothing runs");
            self.tally.dropped += 1;
        }
    }

    /// Makes the search; memory that is too small must say how much is needed.
    fn make_search(&mut self, fuse: &Fuse) -> Searching<G> {
        let make = |config: Config| {
            let game = Fused { game: Arc::clone(&self.game), fuse: fuse.clone() };
            Search::new(game, self.root.clone(), config)
        };
        let config = self.plan.config.clone();
        // Without hashes, or with chance, positions have no common children.
        let has_twins = !self.game.has_chance() && self.game.key(&self.root).is_some();
        let graph = config.graph && has_twins;
        let config = config.graph(graph);
        match make(config.clone()) {
            Ok(search) => search,
            Err(SearchError::Memory { given, needed }) => {
                assert_eq!(given, config.memory);
                assert!(needed > given, "{given} bytes are no less than the {needed} needed");
                self.tally.too_small += 1;
                make(config.memory(needed)).expect("it has the memory that it asked for")
            }
            Err(error) => panic!("no search: {error}"),
        }
    }

    /// Runs a search to its end and checks its answer.
    fn run(&mut self, search: &mut Searching<G>, ending: &Ending, fuse: &Fuse) {
        let before = search.snapshot();
        let config = search.config().clone();
        let watched = AtomicU64::new(0);
        if let Some((calls, lasting)) = ending.fuse {
            fuse.light(calls, lasting);
        }
        let result = ending.run(search, |report| {
            // What is proven holds at any moment.
            if let Some(solution) = &self.solution {
                check_claims(report, &config, solution);
                watched.fetch_add(1, Ordering::Relaxed);
            }
        });
        fuse.put_out();
        let report = match result {
            Ok(report) => {
                ending.check(&config, &before, &report);
                self.tally.ended(report.stop_reason.expect("it has ended"));
                report
            }
            Err(SearchError::Panic(message)) if ending.fuse.is_some() && message == BLOWN => {
                self.tally.panics += 1;
                search.snapshot()
            }
            Err(error) => panic!("the search failed: {error}"),
        };
        self.tally.searches += 1;
        self.tally.playouts += report.playouts;
        self.tally.compared += watched.into_inner();
        self.check_report(&report, &config);
    }

    fn check_report(&mut self, report: &Report<Fused<Arc<G>>>, config: &Config) {
        assert!(report.bytes <= config.memory, "{} bytes", report.bytes);
        let game = Fused { game: Arc::clone(&self.game), fuse: Fuse::default() };
        // In open loop outcomes have no nodes, and so no figures.
        let has_figures = config.chance == Chance::Closed || game.turn(&self.root) != Turn::Chance;
        if has_figures {
            check_figures(&game, &self.root, report);
        }
        if let Some(solution) = &self.solution {
            check_claims(report, config, solution);
            self.tally.compared += 1;
        }
    }

    /// Holds the tree against its recomputation.
    fn audit(&mut self, search: &mut Searching<G>) {
        let report = search.snapshot();
        let audit = search.audit().unwrap_or_else(|wrong| panic!("the audit found {wrong}"));
        assert_eq!(audit.visits, report.total_playouts, "playouts in the audit and in the report");
        assert_eq!(audit.nodes, report.nodes, "nodes in the audit and in the report");
        self.tally.audits += 1;
    }
}
