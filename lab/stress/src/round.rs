//! Plays one round: grows a tree, stops the search, plays moves, saves and loads the tree, and
//! checks the tree each time.

use crate::ending::Ending;
use crate::plan::{Kind, Plan, Step};
use crate::position::Rules;
use crate::tally::Tally;
use crate::truth::{Named, Oracle, Truth};
use proofwood::evaluate::{LeafEvaluation, UniformRandom};
use proofwood::inspect::SavedError;
use proofwood::{Config, Game, Report, Search, SearchError, Turn};
use proofwood_games::AnyGame;
use proofwood_testkit::check::check_figures;
use proofwood_testkit::dice::Dice;
use proofwood_testkit::fuse::{BLOWN, Fuse, Fused};
use proofwood_testkit::guesses::Guesses;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) fn play(plan: &Plan, tally: &mut Tally) {
    match &plan.position.rules {
        Rules::Random(game) => {
            let round = Round::new(plan, tally, Arc::new(game.clone()), game);
            let guesses = Guesses { seed: plan.position.seed };
            let batching = || plan.batching.clone();
            match plan.kind {
                Kind::Playouts => round.play(Search::new),
                Kind::RandomPlayouts => round.play(|game, at, config| {
                    Search::with_rollout_policy(game, at, config, UniformRandom)
                }),
                Kind::Priors => {
                    round.play(|game, at, config| Search::with_evaluator(game, at, config, guesses))
                }
                Kind::Batches => round.play(|game, at, config| {
                    Search::with_batches(game, at, config, guesses, batching())
                }),
                Kind::Repeatable => round.play(|game, at, config| {
                    Search::repeatable(game, at, config, plan.batching.size)
                }),
            }
        }
        Rules::Named(name) => {
            // One type for all games, so that the search is compiled once.
            let game = Arc::new(AnyGame::from_spec(name).expect("the registry has this game"));
            let oracle = Named(Arc::clone(&game));
            Round::new(plan, tally, game, &oracle).play(Search::new);
        }
    }
}

struct Round<'r, G: Game> {
    plan: &'r Plan,
    tally: &'r mut Tally,
    game: Fused<Arc<G>>,
    config: Config,
    oracle: &'r dyn Oracle<G::State>,
    truth: Truth,
    /// Whether the search still has everything that a new search has: a table of proven positions,
    /// for which its first position needs a key, and the random numbers of all workers, some of
    /// which a panic may have lost.
    is_whole: bool,
}

type Searching<G, L> = Search<Fused<Arc<G>>, L>;

impl<'r, G: Game> Round<'r, G> {
    fn new(
        plan: &'r Plan,
        tally: &'r mut Tally,
        game: Arc<G>,
        oracle: &'r dyn Oracle<G::State>,
    ) -> Round<'r, G> {
        let game = Fused { game, fuse: Fuse::default() };
        let (config, truth) = (plan.config.clone(), Truth::Unknown);
        Round { plan, tally, game, config, oracle, truth, is_whole: true }
    }

    fn play<L, M>(mut self, make: M)
    where
        L: LeafEvaluation<Fused<Arc<G>>>,
        M: Fn(Fused<Arc<G>>, G::State, Config) -> Result<Searching<G, L>, SearchError>,
    {
        let root = self.plan.position.reach(&self.game);
        let Some(mut search) = self.make_search(&make, &root) else { return };
        self.truth = self.oracle.truth(&root);
        for step in &self.plan.steps {
            let moved = match step {
                Step::Search(ending) => {
                    self.run(&mut search, ending);
                    Ok(())
                }
                Step::Move { best, any } => self.move_on(&mut search, *best, *any),
                Step::Begin => search.set_position(root.clone()),
                Step::File(dice) => {
                    self.through_a_file(&mut search, &make, dice.clone());
                    Ok(())
                }
            };
            self.audit(&mut search);
            match moved {
                Ok(()) => {}
                // The position has more moves than the memory can hold.
                Err(SearchError::Memory { .. }) => break,
                Err(error) => panic!("{step:?}: {error}"),
            }
            if !matches!(step, Step::Search(_)) {
                self.truth = self.oracle.truth(search.position());
                self.check_report(&search.snapshot(), search.position());
            }
        }
        self.tally.nodes += search.snapshot().nodes;
        if let Some(ending) = &self.plan.dropped {
            ending.start(&mut search).expect("nothing runs");
            self.tally.dropped += 1;
        }
    }

    /// Creates the search. If the memory is too small, the error must state the necessary size,
    /// which is then used. Returns `None` if the evaluator does not support the configuration.
    fn make_search<L: LeafEvaluation<Fused<Arc<G>>>>(
        &mut self,
        make: impl Fn(Fused<Arc<G>>, G::State, Config) -> Result<Searching<G, L>, SearchError>,
        root: &G::State,
    ) -> Option<Searching<G, L>> {
        self.is_whole = self.game.key(root).is_some();
        let make = |config: &Config| make(self.game.clone(), root.clone(), config.clone());
        match make(&self.config) {
            Ok(search) => Some(search),
            Err(SearchError::Memory { given, needed }) => {
                assert_eq!(given, self.config.memory);
                assert!(needed > given, "{given} bytes are no less than the {needed} needed");
                self.tally.too_small += 1;
                self.config.memory = needed;
                Some(make(&self.config).expect("it has the memory that it asked for"))
            }
            Err(SearchError::Config(_)) => {
                self.tally.refused += 1;
                None
            }
            Err(error) => panic!("no search: {error}"),
        }
    }

    fn run<L: LeafEvaluation<Fused<Arc<G>>>>(
        &mut self,
        search: &mut Searching<G, L>,
        ending: &Ending,
    ) {
        let before = search.snapshot();
        let watched = AtomicU64::new(0);
        if let Some((calls, lasting)) = ending.fuse {
            self.game.fuse.light(calls, lasting);
        }
        let result = ending.run(search, |report| {
            // Proven values hold at any moment.
            let known = self.truth.check(report, &self.config);
            watched.fetch_add(known.into(), Ordering::Relaxed);
        });
        self.game.fuse.put_out();
        let report = match result {
            Ok(report) => {
                ending.check(&self.config, &before, &report);
                self.tally.ended(report.stop_reason.expect("it has ended"));
                report
            }
            Err(SearchError::Panic(message)) if ending.fuse.is_some() && message == BLOWN => {
                self.tally.panics += 1;
                self.is_whole = false;
                search.snapshot()
            }
            Err(error) => panic!("the search failed: {error}"),
        };
        self.tally.searches += 1;
        self.tally.playouts += report.playouts;
        self.tally.prunings += report.prunes.saturating_sub(before.prunes);
        self.tally.compared += watched.into_inner();
        self.check_report(&report, search.position());
    }

    fn check_report(&mut self, report: &Report<Fused<Arc<G>>>, at: &G::State) {
        assert!(report.bytes <= self.config.memory, "{} bytes", report.bytes);
        if report.stop_reason.is_some() {
            check_figures(&self.game, at, report);
        }
        self.tally.compared += u64::from(self.truth.check(report, &self.config));
        let is_won_within = |moves| self.oracle.is_won_within(at, moves);
        let solved = self.truth.check_choice(&self.game, report, &self.config, is_won_within);
        self.tally.choices += u64::from(solved);
    }

    /// Plays a move, and checks that what was proven about the move is still proven about the
    /// position after it.
    fn move_on<L: LeafEvaluation<Fused<Arc<G>>>>(
        &mut self,
        search: &mut Searching<G, L>,
        best: bool,
        any: usize,
    ) -> Result<(), SearchError> {
        let (before, mut legal) = (search.snapshot(), Vec::new());
        if self.game.turn(search.position()) == Turn::Over {
            return Ok(());
        }
        self.game.legal_moves(search.position(), &mut legal);
        let best = before.best_move.filter(|_| best);
        let mv = best.unwrap_or_else(|| legal[any % legal.len()]);
        search.advance(mv)?;
        let after = search.snapshot();
        let known = before.moves.iter().filter(|known| known.mv == mv);
        for (old, new) in known.flat_map(|mv| mv.proof_numbers.iter().zip(&after.proof_numbers)) {
            assert!(old.is_open() || old == new, "a proof was lost: {old}, now {new}");
        }
        self.tally.moves += 1;
        Ok(())
    }

    /// Saves the tree and loads it into a new search, possibly with another configuration.
    fn through_a_file<L: LeafEvaluation<Fused<Arc<G>>>>(
        &mut self,
        search: &mut Searching<G, L>,
        make: impl Fn(Fused<Arc<G>>, G::State, Config) -> Result<Searching<G, L>, SearchError>,
        dice: Option<Dice>,
    ) {
        const SPEC: &str = "a game";
        if search.can_be_saved().is_err() {
            return;
        }
        let (before, mut file, mut again) = (search.snapshot(), Vec::new(), Vec::new());
        search.save_tree(SPEC, &mut file).expect("there is memory");
        let config = match dice {
            None => self.config.clone(),
            Some(mut dice) => (self.config.clone())
                .threads(dice.pick(&[1, 2, 4]))
                .memory(self.config.memory.max(4 << 20))
                .keep_choice(dice.pick(&[0, 1, 8, 32]))
                .prover_share(dice.pick(&[0.0, 0.5]))
                .look_ahead(dice.chance(50))
                .transpositions(dice.chance(70))
                .expand_after(dice.pick(&[1, 2]))
                .audit(dice.chance(80)),
        };
        let mut loaded = match make(self.game.clone(), search.position().clone(), config.clone()) {
            Ok(loaded) => loaded,
            Err(SearchError::Memory { .. } | SearchError::Config(_)) => return,
            Err(error) => panic!("no other search: {error}"),
        };
        match loaded.load_tree(SPEC, &file[..]) {
            Ok(()) => {}
            // Free blocks may be too small for blocks that were larger before.
            Err(SavedError::Full) if config.memory == self.config.memory => return,
            Err(error) => panic!("a saved tree is refused: {error}"),
        }
        let after = loaded.snapshot();
        let says = |report: &Report<_>| {
            let Report { proven: value, bounds, expected, total_playouts, .. } = *report;
            (value, bounds, expected, total_playouts, report.proof_numbers.clone())
        };
        assert_eq!(says(&after), says(&before), "what was loaded is not what was saved");
        if config == self.config && self.is_whole {
            loaded.save_tree(SPEC, &mut again).expect("there is memory");
            assert!(again == file, "what was loaded is saved as another file");
        }
        (*search, self.config) = (loaded, config);
        self.tally.files += 1;
    }

    fn audit<L: LeafEvaluation<Fused<Arc<G>>>>(&mut self, search: &mut Searching<G, L>) {
        let report = search.snapshot();
        let audit = search.audit().unwrap_or_else(|wrong| panic!("the audit found {wrong}"));
        assert_eq!(audit.visits, report.total_playouts, "playouts in the audit and in the report");
        let nodes = if report.reclaiming { audit.nodes } else { report.nodes };
        assert_eq!(audit.nodes, nodes, "nodes in the audit and in the report");
        self.tally.audits += 1;
    }
}
