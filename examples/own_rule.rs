//! A selection rule of one's own, with data of one's own in the nodes: UCB1-Tuned, which
//! explores by the variance of the values (Auer, Cesa-Bianchi and Fischer, *Finite-time
//! Analysis of the Multiarmed Bandit Problem*, 2002, section 4).
//!
//! `cargo run --release --example own_rule`

use proofwood::{
    Budget, Config, DefaultPlayout, Game, NodeData, Observer, Passed, RuleChild, RuleNode, Search,
    SelectionRule, Turn, WithObserver, WithRule,
};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Two players take one, two or three sticks in turn. Who takes the last one wins.
struct Sticks;

impl Game for Sticks {
    type State = (u32, usize); // sticks left, player to move
    type Move = u32;

    fn initial_state(&self) -> (u32, usize) {
        (14, 0)
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
    fn zero_sum(&self) -> bool {
        true
    }
}

// ANCHOR: rule
/// UCB1-Tuned. For each node the sum of the squares of its values, in millionths.
struct Tuned {
    squares: NodeData<AtomicU64>,
}

/// The paper's rewards are from 0 to 1.
fn reward(value: f64) -> f64 {
    (value + 1.0) / 2.0
}

impl<G: Game> SelectionRule<G> for Tuned {
    fn score(&self, node: &RuleNode, child: &RuleChild<G::Move>) -> f64 {
        let Some(mean) = child.mean.map(reward) else { return f64::INFINITY };
        let squares = self.squares.get(child.node).load(Relaxed) as f64 / 1e6;
        let variance = (squares / child.visits as f64 - mean * mean).max(0.0);
        let share = (node.tried as f64).ln() / child.tried as f64;
        mean + (share * (variance + (2.0 * share).sqrt()).min(0.25)).sqrt()
    }
}

impl<G: Game> Observer<G> for Tuned {
    fn backed_up(&self, steps: &[Passed<G::Move>]) {
        for step in steps {
            let square = reward(step.value.into()).powi(2) * 1e6;
            self.squares.get(step.node).fetch_add(square as u64, Relaxed);
        }
    }
    fn made(&self, nodes: Range<u32>) {
        nodes.for_each(|node| self.squares.get(node).store(0, Relaxed));
    }
    fn moved(&self, from: u32, to: u32) {
        self.squares.get(to).store(self.squares.get(from).load(Relaxed), Relaxed);
    }
}
// ANCHOR_END: rule

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // ANCHOR: search
    let tuned = Arc::new(Tuned { squares: NodeData::new(AtomicU64::default) });
    let config = Config::default().threads(2);
    let evaluator = WithRule::new(DefaultPlayout::of(&config), Arc::clone(&tuned));
    let evaluator = WithObserver::new(evaluator, tuned);
    let mut search = Search::with_evaluator(Sticks, (14, 0), config, evaluator)?;
    let report = search.search(&Budget::default().playouts(20_000))?;
    println!("take {:?}: {} after {} playouts", report.best_move, report.value, report.playouts);
    assert_eq!(report.best_move, Some(2)); // leaves a multiple of four
    // ANCHOR_END: search
    Ok(())
}
