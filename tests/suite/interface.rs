//! Tests of the interface for embedding: watching a search that another thread waits for, callbacks
//! at its end, reading its tree, and helpful errors.

use proofwood::certificate::{CertificateError, Root};
use proofwood::evaluate::{PolicyRollout, RolloutPolicy};
use proofwood::inspect::{NodeStage, NodeView};
use proofwood::{
    Bounds, Budget, Config, Game, Goal, ProofSearch, ProverConfig, Rng, Search, SearchError,
    StopReason, TextError, Turn, Value, Watcher, prove, search,
};
use proofwood_games::{ConnectFour, Mnk, Pig};
use proofwood_testkit::toy::{Position, Toy, toy};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, RwLock};
use std::thread;
use std::time::Duration;

fn connect_four() -> ConnectFour {
    ConnectFour::new(7, 6, 4).expect("a board")
}

fn config(threads: usize) -> Config {
    Config::default().threads(threads).memory(64 << 20)
}

fn endless(threads: usize) -> Search<ConnectFour> {
    let game = connect_four();
    let start = game.initial_state();
    Search::new(game, start, config(threads)).expect("it fits")
}

#[test]
fn somebody_looks_while_somebody_waits() {
    let mut search = endless(2);
    let watcher = search.watcher();
    assert!(!watcher.is_running() && watcher.wait_timeout(Duration::MAX));
    let looking = thread::spawn(move || {
        while !watcher.is_running() {
            thread::yield_now();
        }
        // Threads add their playouts to the root only at intervals.
        let mut report = watcher.snapshot();
        while report.playouts == 0 {
            assert_eq!(report.stop_reason, None);
            thread::yield_now();
            report = watcher.snapshot();
        }
        assert!(watcher.is_running() && !watcher.wait_timeout(Duration::ZERO));
        watcher.stop();
        assert!(watcher.wait_timeout(Duration::MAX) && !watcher.is_running());
        (report, watcher.snapshot())
    });
    let report = search.search(&Budget::pondering()).expect("an answer");
    let (seen, last) = looking.join().expect("it looks");
    assert_eq!(report.stop_reason, Some(StopReason::Stopped));
    assert!(0 < seen.playouts && seen.playouts <= report.playouts);
    assert_eq!((last.stop_reason, last.playouts), (report.stop_reason, report.playouts));
    assert_eq!((last.nodes, last.elapsed), (report.nodes, report.elapsed));
}

#[test]
fn somebody_looks_at_a_prover() {
    let game = connect_four();
    let start = game.initial_state();
    let config = ProverConfig::default().threads(2).table(1 << 20);
    let mut search = ProofSearch::new(game, start, config).expect("it can be searched");
    let watcher = search.watcher();
    let looking = thread::spawn(move || {
        while watcher.snapshot().effort.nodes == 0 {
            thread::yield_now();
        }
        assert!(watcher.is_running());
        watcher.clone().stop();
        assert!(watcher.wait_timeout(Duration::MAX));
        watcher.snapshot()
    });
    let report = search.search(&Budget::default()).expect("an answer");
    let last = looking.join().expect("it looks");
    assert_eq!(report.stop_reason, Some(StopReason::Stopped));
    assert_eq!((last.stop_reason, last.effort), (report.stop_reason, report.effort));
    // After its answer, the prover is no longer running.
    assert_eq!(
        search.wait_timeout(Duration::MAX).map(|r| r.err()),
        Some(Some(SearchError::NotRunning))
    );
    search.start(&Budget::default()).expect("nothing runs");
    assert!(search.wait_timeout(Duration::ZERO).is_none());
    search.stop();
    let report = search.wait_timeout(Duration::MAX).expect("it ends").expect("an answer");
    assert_eq!(report.stop_reason, Some(StopReason::Stopped));
}

#[test]
fn a_watcher_outlives_its_search_and_then_lets_go_of_it() {
    let game = Arc::new(connect_four());
    for running in [false, true] {
        let (toy, root) = toy(Arc::clone(&game));
        let mut search = Search::new(toy, root, config(2)).expect("it fits");
        let watcher: Watcher<_> = search.watcher();
        if running {
            search.start(&Budget::pondering()).expect("nothing runs");
            assert!(watcher.is_running());
        } else {
            search.search(&Budget::default().playouts(500)).expect("an answer");
        }
        drop(search);
        assert!(watcher.wait_timeout(Duration::MAX));
        watcher.stop();
        let report = watcher.snapshot();
        let (reason, least) = match running {
            true => (StopReason::Stopped, 0),
            false => (StopReason::Playouts, 500),
        };
        assert_eq!(report.stop_reason, Some(reason));
        assert!(report.playouts >= least);
        assert!(Arc::strong_count(&game) > 1, "the tree and its game are kept");
        let text = format!("{watcher:?}");
        assert!(text.contains("is_running: false"), "{text}");
        drop(watcher);
        // Nothing else refers to the game now; a thread of the search drops the last reference.
        while Arc::strong_count(&game) > 1 {
            std::thread::yield_now();
        }
    }
}

#[test]
fn a_stop_does_nothing_to_the_next_search() {
    let mut search = endless(2);
    let watcher = search.watcher();
    search.search(&Budget::default().playouts(100)).expect("an answer");
    watcher.stop();
    let report = search.search(&Budget::default().playouts(100)).expect("an answer");
    assert_eq!((report.stop_reason, report.playouts), (Some(StopReason::Playouts), 100));
    // The search has ended, but its report was not fetched.
    search.start(&Budget::default().playouts(100)).expect("nothing runs");
    assert!(watcher.wait_timeout(Duration::MAX));
    watcher.stop();
    assert_eq!(search.snapshot().stop_reason, Some(StopReason::Playouts));
    assert_eq!(search.start(&Budget::default()), Err(SearchError::Running));
    assert_eq!(search.wait().expect("an answer").stop_reason, Some(StopReason::Playouts));
}

#[test]
fn a_wait_may_have_a_limit() {
    let mut search = endless(2);
    let none = search.wait_timeout(Duration::MAX).expect("nothing runs").err();
    assert_eq!(none, Some(SearchError::NotRunning));
    search.start(&Budget::pondering()).expect("nothing runs");
    assert!(search.wait_timeout(Duration::ZERO).is_none());
    assert!(search.wait_timeout(Duration::from_millis(1)).is_none());
    assert!(search.is_running());
    search.stop();
    let report = search.wait_timeout(Duration::MAX).expect("it ends").expect("an answer");
    assert_eq!(report.stop_reason, Some(StopReason::Stopped));
    assert!(search.wait_timeout(Duration::ZERO).expect("nothing runs").is_err());
}

#[test]
fn a_hook_is_called_once_at_the_end() {
    let mut search = endless(2);
    let (send, receive) = mpsc::channel();
    let watcher = search.watcher();
    // A hook is registered for the next search.
    let sender = send.clone();
    search.on_end(move || {
        assert!(!watcher.is_running());
        sender.send(watcher.snapshot().playouts).expect("somebody listens");
    });
    search.start(&Budget::default().playouts(100)).expect("nothing runs");
    assert_eq!(receive.recv(), Ok(100));
    // A hook registered after the end of a search whose report was not fetched is called at once.
    let sender = send.clone();
    search.on_end(move || sender.send(1).expect("somebody listens"));
    assert_eq!(receive.try_recv(), Ok(1));
    search.wait().expect("an answer");
    // The hook is not called again.
    search.search(&Budget::default().playouts(100)).expect("an answer");
    assert!(receive.try_recv().is_err());
    // A hook for a running search is called even if the search fails or is dropped.
    search.start(&Budget::pondering()).expect("nothing runs");
    let sender = send.clone();
    search.on_end(move || sender.send(2).expect("somebody listens"));
    assert!(receive.try_recv().is_err());
    drop(search);
    assert_eq!(receive.recv(), Ok(2));
}

/// A game of sticks whose moves wait until the gate is open.
#[derive(Clone)]
struct Gated {
    gate: Arc<RwLock<()>>,
    waiting: Sender<()>,
}

impl Game for Gated {
    type State = (u32, usize);
    type Move = u32;

    fn initial_state(&self) -> (u32, usize) {
        (1000, 0)
    }
    fn turn(&self, &(sticks, mover): &(u32, usize)) -> Turn {
        if sticks == 0 { Turn::Over } else { Turn::Player(mover) }
    }
    fn legal_moves(&self, &(sticks, _): &(u32, usize), moves: &mut Vec<u32>) {
        moves.extend(1..=sticks.min(3));
    }
    fn play(&self, state: &mut (u32, usize), taken: u32) {
        if self.gate.try_read().is_err() {
            let _ = self.waiting.send(());
            drop(self.gate.read());
        }
        *state = (state.0 - taken, 1 - state.1);
    }
    fn payoff(&self, &(_, mover): &(u32, usize), player: usize) -> i32 {
        if player == mover { -1 } else { 1 }
    }
    fn zero_sum(&self) -> bool {
        true
    }
}

/// Dropping several running searches stops all of them before waiting for any of their threads.
#[test]
fn dropping_running_searches_waits_for_none_of_them() {
    const MANY: usize = 25;
    let (waiting, waits) = mpsc::channel();
    let game = Gated { gate: Arc::default(), waiting };
    let start = game.initial_state();
    let config = Config::default().threads(1).memory(1 << 20);
    let mut searches: Vec<_> = (0..MANY)
        .map(|_| Search::new(game.clone(), start, config.clone()).expect("it fits"))
        .collect();
    let config = ProverConfig::default().threads(1).table(1 << 16);
    let mut proofs: Vec<_> = (0..MANY)
        .map(|_| ProofSearch::new(game.clone(), start, config.clone()).expect("it fits"))
        .collect();
    let (ending, ends) = mpsc::channel();
    let closed = game.gate.write().expect("nobody panics");
    for search in &mut searches {
        let ending = ending.clone();
        search.on_end(move || ending.send(()).expect("somebody listens"));
        search.start(&Budget::pondering()).expect("nothing runs");
    }
    for proof in &mut proofs {
        let ending = ending.clone();
        proof.on_end(move || ending.send(()).expect("somebody listens"));
        proof.start(&Budget::default()).expect("nothing runs");
    }
    assert_eq!(waits.iter().take(2 * MANY).count(), 2 * MANY);
    let watchers: Vec<_> = searches.iter().map(Search::watcher).collect();
    let provers: Vec<_> = proofs.iter().map(ProofSearch::watcher).collect();
    drop((searches, proofs));
    assert!(ends.try_recv().is_err(), "they cannot have ended");
    drop(closed);
    assert_eq!(ends.iter().take(2 * MANY).count(), 2 * MANY);
    let reasons = watchers.iter().map(|watcher| watcher.snapshot().stop_reason);
    let all = reasons.chain(provers.iter().map(|watcher| watcher.snapshot().stop_reason));
    assert_eq!(all.filter(|&reason| reason == Some(StopReason::Stopped)).count(), 2 * MANY);
}

/// A callback for a search that cannot start is dropped; otherwise it would be called for a later
/// search.
#[test]
fn a_hook_for_a_search_that_cannot_start_is_dropped() {
    let (send, receive) = mpsc::channel();
    let mut search = endless(1);
    let sender = send.clone();
    search.on_end(move || sender.send(()).expect("somebody listens"));
    assert!(matches!(search.start(&Budget::default().playouts(0)), Err(SearchError::Budget(_))));
    search.search(&Budget::default().playouts(100)).expect("an answer");
    let game = connect_four();
    let (start, config) = (game.initial_state(), ProverConfig::default().table(1 << 20));
    let mut search = ProofSearch::new(game, start, config).expect("a game");
    search.on_end(move || send.send(()).expect("somebody listens"));
    assert!(search.start(&Budget::default().playouts(1)).is_err());
    search.search(&Budget::default().nodes(100)).expect("an answer");
    // Both hooks are dropped, and neither was called.
    assert_eq!(receive.recv(), Err(mpsc::RecvError));
}

#[test]
fn a_hook_that_panics_is_an_error() {
    let mut search = endless(2);
    search.on_end(|| panic!("the hook breaks"));
    let error = search.search(&Budget::default().playouts(100)).expect_err("a panic");
    assert_eq!(error, SearchError::Panic("the hook breaks".into()));
    let report = search.search(&Budget::default().playouts(100)).expect("an answer");
    assert_eq!(report.total_playouts, 200);
    search.audit().expect("a sound tree");

    let game = Mnk::new(3, 3, 3, 2).expect("a board");
    let config = ProverConfig::default().threads(1).table(1 << 20);
    let mut search = ProofSearch::new(game.clone(), game.initial_state(), config).expect("a game");
    let (send, receive) = mpsc::channel();
    search.on_end(move || send.send(()).expect("somebody listens"));
    search.on_end(|| panic!("the hook breaks"));
    let error = search.search(&Budget::default()).expect_err("a panic");
    assert_eq!(error, SearchError::Panic("the hook breaks".into()));
    assert_eq!(receive.try_recv(), Ok(()));
}

/// A game that implements only the rules, and neither `Clone` nor `Debug`.
struct Sticks;

impl Game for Sticks {
    type State = (u32, usize);
    type Move = u32;

    fn initial_state(&self) -> (u32, usize) {
        (10, 0)
    }
    fn turn(&self, &(sticks, mover): &(u32, usize)) -> Turn {
        if sticks == 0 { Turn::Over } else { Turn::Player(mover) }
    }
    fn legal_moves(&self, &(sticks, _): &(u32, usize), moves: &mut Vec<u32>) {
        moves.extend(1..=sticks.min(3));
    }
    fn play(&self, state: &mut (u32, usize), taken: u32) {
        *state = (state.0 - taken, 1 - state.1);
    }
    fn payoff(&self, &(_, mover): &(u32, usize), player: usize) -> i32 {
        if player == mover { -1 } else { 1 }
    }
    fn payoff_range(&self, _: usize) -> std::ops::RangeInclusive<i32> {
        -1..=1
    }
    fn zero_sum(&self) -> bool {
        true
    }
    fn move_text(&self, &(sticks, _): &(u32, usize), taken: u32) -> String {
        assert!(taken <= sticks, "there are only {sticks} sticks");
        format!("take {taken}")
    }
    fn parse_state(&self, text: &str) -> Result<(u32, usize), TextError> {
        let sticks = text.parse().map_err(|_| TextError::new("no number"))?;
        Ok((sticks, 0))
    }
}

#[test]
fn reports_and_searches_can_be_copied_and_shown() {
    let budget = Budget::default();
    let report = search(Sticks, (10, 0), config(1), &budget).expect("an answer");
    let copy = report.clone();
    assert_eq!((copy.proven, copy.best_move, copy.moves.len()), (Value::Win, Some(2), 3));
    assert_eq!(format!("{copy:?}"), format!("{report:?}"));
    assert!(format!("{report:?}").starts_with("Report { to_move: Some(0), "));

    let prover = ProverConfig::default().threads(1).table(1 << 16);
    let report = prove(Sticks, (10, 0), prover.clone(), &budget).expect("an answer");
    assert_eq!(format!("{:?}", report.clone()), format!("{report:?}"));
    // In a lost position the prover has no move or line.
    let lost = prove(Sticks, (8, 0), prover.clone(), &budget).expect("an answer");
    assert_eq!((lost.proven, lost.best_move, lost.pv.len()), (Value::Loss, None, 0));

    let wrong = Search::new(Sticks, (10, 0), config(0)).expect_err("no thread");
    assert_eq!(wrong.to_string(), "Config::threads: '0' should be a number from 1 to 1024");
    let wrong = ProofSearch::new(Sticks, (10, 0), prover.threads(0)).expect_err("no thread");
    assert!(wrong.to_string().starts_with("ProverConfig::threads: '0'"), "{wrong}");
    let search = Search::new(Sticks, (10, 0), config(1)).expect("it fits");
    let text = format!("{search:?}");
    assert!(text.starts_with("Search { config: Config { threads: 1, "), "{text}");
}

#[test]
fn an_illegal_move_leaves_a_pondering_search_alone() {
    let game = connect_four();
    let mut start = game.initial_state();
    for _ in 0..6 {
        let full = game.parse_move(&start, "1").expect("a legal move");
        game.play(&mut start, full);
    }
    let full = game.parse_move(&game.initial_state(), "1").expect("a legal move");
    let mut search = Search::new(game, start, config(2)).expect("it fits");
    search.start(&Budget::pondering()).expect("nothing runs");
    let refused = search.advance(full).expect_err("the column is full");
    assert_eq!(refused.to_string(), "'1' is not a legal move here; legal moves: 2 3 4 5 6 7");
    assert!(matches!(refused, SearchError::Move(_)));
    assert!(search.is_running());
    assert_eq!(search.snapshot().stop_reason, None);
    search.stop();
    let report = search.wait().expect("an answer");
    assert_eq!(report.moves.len(), 6);

    // The error about an illegal move, for which the game has no text, lists the legal moves.
    let mut search = Search::new(Sticks, (10, 0), config(1)).expect("it fits");
    search.advance(3).expect("a legal move");
    search.advance(3).expect("a legal move");
    search.advance(3).expect("a legal move");
    let refused = search.advance(3).expect_err("one stick is left").to_string();
    assert_eq!(refused, "'3' is not a legal move here; legal moves: take 1");
    search.advance(1).expect("a legal move");
    let refused = search.advance(1).expect_err("it is over").to_string();
    assert_eq!(refused, "the game is over before the move '1'");
}

/// One player who moves without end.
struct Walk;

impl Game for Walk {
    type State = u64;
    type Move = u8;

    fn initial_state(&self) -> u64 {
        0
    }
    fn turn(&self, _: &u64) -> Turn {
        Turn::Player(0)
    }
    fn legal_moves(&self, _: &u64, moves: &mut Vec<u8>) {
        moves.extend([0, 1]);
    }
    fn play(&self, state: &mut u64, _: u8) {
        *state += 1;
    }
    fn payoff(&self, _: &u64, _: usize) -> i32 {
        unreachable!("it is never over")
    }
    fn num_players(&self) -> usize {
        1
    }
}

/// A policy that always plays the first move, and counts its calls.
struct First(Arc<AtomicU64>);

impl RolloutPolicy<Toy> for First {
    fn choose(&self, _: &Toy, _: &Position, _: &mut Vec<u32>, _: &mut Rng) -> Option<u32> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Some(0)
    }
}

#[test]
fn a_policy_of_ones_own_has_the_cap_of_the_configuration() {
    let budget = Budget::default().playouts(100);
    let calls = Arc::new(AtomicU64::new(0));
    let capped = config(1).playout_cap(7);
    let policy = First(Arc::clone(&calls));
    let (game, root) = toy(Walk);
    let mut search =
        Search::with_rollout_policy(game.clone(), root.clone(), capped.clone(), policy)
            .expect("it fits");
    assert_eq!(search.search(&budget).expect("an answer").mean, Some(0.0));
    assert_eq!(calls.swap(0, Ordering::Relaxed), 700);
    // A rollout from the caller has its own cap.
    let playout = PolicyRollout::new(First(Arc::clone(&calls)), 3);
    let mut search = Search::with_rollouts(game, root, capped, playout).expect("it fits");
    assert_eq!(search.search(&budget).expect("an answer").mean, Some(0.0));
    assert_eq!(calls.load(Ordering::Relaxed), 300);
}

/// Compares a node, whose position is `state`, and all nodes below it with the rules; returns their
/// number.
fn walk<G: Game>(game: &G, state: &G::State, node: NodeView<'_, G>, pruned: &mut u64) -> u64 {
    let children = node.children();
    *pruned += u64::from(node.is_pruned());
    let turn = game.turn(state);
    match node.stage() {
        NodeStage::Expanded => {
            let mut moves = Vec::new();
            game.legal_moves(state, &mut moves);
            let made: Vec<_> = children.iter().filter_map(|child| child.mv()).collect();
            assert_eq!(made, moves);
            let below: u64 = children.iter().map(|child| child.visits()).sum();
            assert!(below <= node.visits());
            let total: f64 = children.iter().filter_map(|child| child.probability()).sum();
            match turn {
                Turn::Player(mover) => {
                    assert_eq!(node.to_move(), Some(mover));
                    assert!(children.iter().all(|child| child.player() == mover));
                    assert_eq!(total, 0.0);
                }
                _ => {
                    assert_eq!(node.to_move(), None);
                    assert!(children.iter().all(|child| child.player() == node.player()));
                    assert!((total - 1.0).abs() < 1e-9);
                }
            }
        }
        NodeStage::Over => {
            assert_eq!(turn, Turn::Over);
            for player in 0..game.num_players() {
                assert!(node.value(player).is_decided());
                assert_eq!(node.bounds(player).exact(), Some(game.payoff(state, player)));
            }
        }
        NodeStage::New => assert_eq!((node.visits(), node.mean()), (0, None)),
        _ => {}
    }
    if node.stage() != NodeStage::Expanded {
        assert!(children.is_empty());
    }
    let below = |child: &NodeView<'_, G>| {
        let mv = child.mv().expect("a move leads to a child");
        walk(game, &game.after(state, mv), *child, pruned)
    };
    1 + children.iter().map(below).sum::<u64>()
}

#[test]
fn the_tree_below_the_root_can_be_read() {
    let game = Mnk::new(3, 3, 3, 2).expect("a board");
    let start = game.initial_state();
    let mut search = Search::new(game.clone(), start, config(2)).expect("it fits");
    let report = search.search(&Budget::default().playouts(3000)).expect("an answer");
    let tree = search.tree().expect("it rests");
    let root = tree.root();
    assert_eq!((root.mv(), root.visits(), root.mean()), (None, report.total_playouts, report.mean));
    assert_eq!((root.player(), root.value(0), root.bounds(0)), (0, report.proven, report.bounds));
    assert_eq!(root.proof_numbers(), report.proof_numbers);
    for (child, known) in root.children().iter().zip(&report.moves) {
        assert_eq!((child.mv(), child.visits()), (Some(known.mv), known.visits));
        assert_eq!((child.mean(), child.value(0)), (known.mean, known.proven));
        assert_eq!(
            (child.bounds(0), child.proof_numbers()),
            (known.bounds, known.proof_numbers.clone())
        );
        // With zero sum, the other player's interval is the negative.
        let (lower, upper) =
            (known.bounds.upper.map(|most| -most), known.bounds.lower.map(|least| -least));
        assert_eq!(child.bounds(1), Bounds { lower, upper });
    }
    assert_eq!(walk(&game, &start, root, &mut 0), report.nodes);

    let mut search = endless(2);
    search.start(&Budget::pondering()).expect("nothing runs");
    assert_eq!(search.tree().err(), Some(SearchError::Running));
    search.stop();
    search.wait().expect("an answer");
    assert!(search.tree().is_ok());
}

#[test]
fn a_tree_with_holes_and_one_with_dice_can_be_read() {
    // Pruned nodes are marked as such.
    let game = connect_four();
    let start = game.initial_state();
    let small = Config::default().threads(1).memory(300 << 10);
    let mut search = Search::new(game.clone(), start, small).expect("it fits");
    let report = search.search(&Budget::default().playouts(20_000)).expect("an answer");
    assert!(report.prunes > 0);
    let mut pruned = 0;
    let nodes = walk(&game, &start, search.tree().expect("it rests").root(), &mut pruned);
    assert!(pruned > 0 && nodes <= report.nodes, "{pruned} of {nodes}, {}", report.nodes);

    let game = Pig::new(12, 2, None).expect("a game");
    let start = game.initial_state();
    let closed = config(2).goal(Goal::Score);
    let mut search = Search::new(game.clone(), start, closed).expect("it fits");
    let report = search.search(&Budget::default().playouts(3000)).expect("an answer");
    let tree = search.tree().expect("it rests");
    assert_eq!(walk(&game, &start, tree.root(), &mut 0), report.nodes);
    assert!(tree.root().expected(0).is_some() && tree.root().expected(0) == report.expected);
}

#[test]
fn a_root_of_another_position_is_refused() {
    let game = Mnk::new(3, 3, 3, 2).expect("a board");
    let mut state = game.initial_state();
    for text in ["a1", "b1", "a2", "b2"] {
        let mv = game.parse_move(&state, text).expect("a legal move");
        game.play(&mut state, mv);
    }
    let budget = Budget::default();
    let mut searched = Search::new(game.clone(), state, config(1)).expect("it fits");
    assert_eq!(searched.search(&budget).expect("an answer").proven, Value::Win);
    let prover = ProverConfig::default().threads(1).table(1 << 16);
    let mut proven = ProofSearch::new(game.clone(), state, prover.clone()).expect("a game");
    assert_eq!(proven.search(&budget).expect("an answer").proven, Value::Win);
    let other = Root::default().moves(["a1", "b1", "a2", "b3"]);
    for wrong in [Root::default(), other] {
        let errors = [
            searched.certify("mnk:3,3,3", &wrong, None, Vec::new()),
            proven.certify("mnk:3,3,3", &wrong, None, Vec::new()),
        ];
        for error in errors {
            let error = error.expect_err("another position");
            assert!(matches!(error, CertificateError::OtherRoot { .. }), "{error}");
            let (root, here) = (wrong.find(&game).expect("a root"), game.state_text(&state));
            let message = format!(
                "the root is not the position that was searched: expected '{here}', found '{}'",
                game.state_text(&root)
            );
            assert_eq!(error.to_string(), message);
        }
    }
    // Other moves that lead to the same position.
    let same = Root::default().moves(["a2", "b2", "a1", "b1"]);
    for right in [same, Root::at(&game, &state).expect("it has a text")] {
        searched.certify("mnk:3,3,3", &right, None, Vec::new()).expect("a certificate");
        proven.certify("mnk:3,3,3", &right, None, Vec::new()).expect("a certificate");
    }

    // Without a key or a text, a position is identified by the positions below it.
    let mut searched = Search::new(Sticks, (9, 0), config(1)).expect("it fits");
    searched.search(&budget).expect("an answer");
    let mut proven = ProofSearch::new(Sticks, (9, 0), prover).expect("a game");
    proven.search(&budget).expect("an answer");
    for wrong in [Root::default(), Root::default().position("13")] {
        let errors = [
            searched.certify("sticks", &wrong, None, Vec::new()),
            proven.certify("sticks", &wrong, None, Vec::new()),
        ];
        for error in errors {
            let message = "the root is not the position that was searched";
            assert_eq!(error.expect_err("another position").to_string(), message);
        }
    }
    let right = Root::default().position("9");
    searched.certify("sticks", &right, None, Vec::new()).expect("a certificate");
    proven.certify("sticks", &right, None, Vec::new()).expect("a certificate");
}
