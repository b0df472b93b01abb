//! Checks of a report's claims against exhaustive solutions.

use crate::expectimax;
use crate::oracle::{Solution, Truth};
use proofwood::{
    Bounds, Config, Game, Goal, Outcome, ProofNumber, Report, StopReason, Turn, Value,
};

/// Returns whether a proven value agrees with an outcome.
pub fn is_true(value: Value, outcome: Outcome) -> bool {
    match value {
        Value::Win => outcome == Outcome::Win,
        Value::Draw => outcome == Outcome::Draw,
        Value::Loss => outcome == Outcome::Loss,
        Value::NotWin => outcome != Outcome::Win,
        Value::NotLoss => outcome != Outcome::Loss,
        Value::Unknown => true,
        other => panic!("what is {other:?}?"),
    }
}

struct Claims<'r> {
    value: Value,
    bounds: Bounds,
    proof_numbers: &'r [ProofNumber],
}

impl Claims<'_> {
    fn check(&self, player: usize, truth: &Truth, what: &str) {
        let (score, outcome) = (truth.scores[player], truth.outcomes[player]);
        assert!(is_true(self.value, outcome), "{what}: {:?}, but it is {outcome:?}", self.value);
        let Bounds { lower, upper } = self.bounds;
        assert!(
            lower.is_none_or(|lower| lower <= score) && upper.is_none_or(|upper| score <= upper),
            "{what}: {:?} without the payoff {score}",
            self.bounds
        );
        if self.bounds.exact().is_none() {
            let limits = (lower.unwrap_or(0), upper.unwrap_or(0));
            assert!(
                limits.0 > -i32::MAX && limits.1 < i32::MAX,
                "{what}: no limit must read as none: {:?}",
                self.bounds
            );
        }
        assert_eq!(self.proof_numbers.len(), truth.outcomes.len(), "{what}");
        for (p, (&number, &outcome)) in self.proof_numbers.iter().zip(&truth.outcomes).enumerate() {
            let wins = outcome == Outcome::Win;
            assert!(
                !(number.is_proven() && !wins || number.is_infinite() && wins),
                "{what}: player {p} has the proof number {number}, but can secure {outcome:?}"
            );
        }
    }
}

/// Asserts that every claim of the report about the root or a move is true, and that a solved
/// search has found the true outcome or score.
pub fn check_claims<G: Game>(report: &Report<G>, config: &Config, solution: &Solution) {
    let player = report.to_move.unwrap_or(0);
    let root = Claims {
        value: report.proven,
        bounds: report.bounds,
        proof_numbers: &report.proof_numbers,
    };
    root.check(player, &solution.root, "root");
    assert_eq!(report.moves.len(), solution.moves.len());
    for (mv, truth) in report.moves.iter().zip(&solution.moves) {
        let claims =
            Claims { value: mv.proven, bounds: mv.bounds, proof_numbers: &mv.proof_numbers };
        claims.check(player, truth, &format!("move {:?}", mv.mv));
    }
    if report.stop_reason == Some(StopReason::Solved) {
        check_solved(report, config, &solution.root);
    }
    if !report.counts_proof_numbers {
        let numbers = report.moves.iter().flat_map(|mv| &mv.proof_numbers);
        for number in numbers.chain(&report.proof_numbers) {
            assert!(number.get().is_none_or(|n| n <= 1), "{number} with proof numbers off");
        }
    }
}

/// Asserts that every claim of a report on a game with chance is true.
pub fn check_means<G: Game>(report: &Report<G>, config: &Config, solution: &expectimax::Solution) {
    let player = report.player;
    let mut all = vec![(report.proven, report.expected, &report.proof_numbers, &solution.root)];
    assert_eq!(report.moves.len(), solution.moves.len());
    for (mv, truth) in report.moves.iter().zip(&solution.moves) {
        all.push((mv.proven, mv.expected, &mv.proof_numbers, truth));
    }
    for (number, (value, expected, numbers, truth)) in all.into_iter().enumerate() {
        let what = format!("number {number} for player {player}");
        assert!(truth.allows(player, value), "{what}: {value:?}, but {truth:?}");
        assert_eq!(expected.is_some(), config.score_bounds);
        if let Some(expected) = expected {
            truth.check(player, expected, &what);
        }
        for (p, number) in numbers.iter().enumerate() {
            let wins = truth.allows(p, Value::Win);
            assert!(!(number.is_proven() && !wins || number.is_infinite() && wins), "{what}");
        }
    }
    if report.stop_reason == Some(StopReason::Solved) {
        match config.goal {
            Goal::Score => assert!(report.expected.is_some_and(|known| known.is_final())),
            _ => assert!(report.proven.is_decided(), "solved, but {:?}", report.proven),
        }
    }
}

/// Asserts that a report without open questions has the true outcome or score.
pub fn check_solved<G: Game>(report: &Report<G>, config: &Config, truth: &Truth) {
    let player = report.to_move.unwrap_or(0);
    if config.goal == Goal::Score {
        assert_eq!(report.bounds.exact(), Some(truth.scores[player]), "the solved score");
    }
    let outcome = truth.outcomes[player];
    // Without score bounds, the search need not distinguish a draw from a loss.
    let win_or_not = !config.score_bounds && outcome != Outcome::Win;
    assert!(
        report.proven.is_decided() || win_or_not && report.proven == Value::NotWin,
        "solved, but {:?}",
        report.proven
    );
    assert!(is_true(report.proven, outcome));
}

/// Asserts that the numbers in a report are consistent with each other and with the game.
pub fn check_figures<G: Game>(game: &G, root: &G::State, report: &Report<G>) {
    let mut legal = Vec::new();
    if game.turn(root) != Turn::Over {
        game.legal_moves(root, &mut legal);
    }
    assert_eq!(report.moves.iter().map(|mv| mv.mv).collect::<Vec<_>>(), legal);
    let visits: u64 = report.moves.iter().map(|mv| mv.visits).sum();
    assert_eq!(visits, report.total_playouts, "every playout enters a move");
    let means = report.moves.iter().map(|mv| mv.mean).chain([report.mean]);
    assert!(means.flatten().all(|mean| (-1.0..=1.0).contains(&mean)));
    for mv in &report.moves {
        assert_eq!(mv.mean.is_some(), mv.visits > 0);
    }
    check_line(game, root, report);
}

/// Asserts that the principal variation is legal and starts with the best move, and that there is a
/// best move if it is a player's turn.
pub fn check_line<G: Game>(game: &G, root: &G::State, report: &Report<G>) {
    assert_eq!(report.best_move, report.pv.first().copied());
    assert_eq!(report.best_move.is_none(), !matches!(game.turn(root), Turn::Player(_)));
    let mut state = root.clone();
    for &mv in &report.pv {
        assert_ne!(game.turn(&state), Turn::Over, "the line goes on after the end");
        let mut legal = Vec::new();
        game.legal_moves(&state, &mut legal);
        assert!(legal.contains(&mv), "{mv:?} is not legal in the line {:?}", report.pv);
        game.play(&mut state, mv);
    }
}
