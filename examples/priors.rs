//! An evaluator with priors that evaluates many leaves at a time: a formula in place of a neural
//! network.
//!
//! `cargo run --release --example priors`

use proofwood::evaluate::{BatchContext, BatchEvaluator, Batching, Leaf, NoValue};
use proofwood::{Budget, Config, Game, Search, Turn};

/// Two players take one to five sticks from one of three heaps in turn. The player who takes the
/// last stick wins.
struct Heaps;

type State = ([u8; 3], usize); // sticks in each heap, player to move

impl Game for Heaps {
    type State = State;
    type Move = (u8, u8); // which heap, how many

    fn initial_state(&self) -> State {
        ([11, 17, 23], 0)
    }
    fn turn(&self, &(heaps, mover): &State) -> Turn {
        if heaps == [0; 3] { Turn::Over } else { Turn::Player(mover) }
    }
    fn legal_moves(&self, (heaps, _): &State, moves: &mut Vec<(u8, u8)>) {
        for (heap, &sticks) in heaps.iter().enumerate() {
            moves.extend((1..=sticks.min(5)).map(|taken| (heap as u8, taken)));
        }
    }
    fn play(&self, (heaps, mover): &mut State, (heap, taken): (u8, u8)) {
        heaps[usize::from(heap)] -= taken;
        *mover = 1 - *mover;
    }
    fn payoff(&self, &(_, mover): &State, player: usize) -> i32 {
        if player == mover { -1 } else { 1 }
    }
    fn zero_sum(&self) -> bool {
        true
    }
    fn key(&self, &(heaps, mover): &State) -> Option<u64> {
        Some(u64::from_le_bytes([heaps[0], heaps[1], heaps[2], mover as u8, 1, 0, 0, 0]))
    }
}

/// An evaluator with half of the game's theory: it prefers moves after which the heaps' sizes,
/// modulo six, cancel out.
struct Theory;

impl BatchEvaluator<Heaps> for Theory {
    fn evaluate_batch(
        &self,
        leaves: &mut [Leaf<Heaps>],
        context: &mut BatchContext<'_, Heaps>,
    ) -> Result<(), NoValue> {
        let cancel = |heaps: [u8; 3]| heaps.iter().fold(0, |sum, heap| sum ^ (heap % 6)) == 0;
        // A network would send the whole batch to its device here.
        for leaf in leaves {
            let (heaps, mover) = *leaf.state();
            let chances = if cancel(heaps) { -0.5 } else { 0.5 };
            (leaf.values[mover], leaf.values[1 - mover]) = (chances, -chances);
            for number in 0..leaf.moves().len() {
                let (after, _) = context.game.after(&(heaps, mover), leaf.moves()[number]);
                leaf.priors[number] = if cancel(after) { 0.8 } else { 0.1 };
            }
        }
        Ok(())
    }
}

fn main() -> Result<(), proofwood::SearchError> {
    let batching = Batching::default().size(32);
    let config = Config::default().threads(2).memory(256 << 20);
    let mut search = Search::with_batches(Heaps, Heaps.initial_state(), config, Theory, batching)?;
    let report = search.search(&Budget::default().playouts(20_000))?;
    let mut moves = report.moves.clone();
    moves.sort_by_key(|known| std::cmp::Reverse(known.visits));
    println!(
        "{:?} after {} playouts; the moves with the most visits:",
        report.proven, report.playouts
    );
    for known in moves.iter().take(3) {
        let (heap, taken) = known.mv;
        let prior = known.prior.unwrap_or_default();
        println!("{taken} from heap {heap}: {} visits, prior {prior:.3}", known.visits);
    }
    // 11, 17 and 23 are 5, 5 and 5 modulo six: taking five from any heap leaves 0, 5 and 5.
    assert_eq!(moves[0].mv.1, 5);
    Ok(())
}
