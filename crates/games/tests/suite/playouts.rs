//! Tests of the moves that games choose in informed playouts.

use proofwood::evaluate::{Informed, RolloutPolicy};
use proofwood::{Game, Rng, Turn};
use proofwood_games::AnyGame;

/// Checks that playouts play winning moves and avoid moves that let the other side win at once,
/// unless all moves do so.
fn check_decisive<G: Game>(spec: &str, game: &G) {
    let (mut rng, mut wins, mut escapes) = (Rng::new(3), 0, 0);
    for _ in 0..60 {
        let mut state = game.initial_state();
        while let Turn::Player(mover) = game.turn(&state) {
            let moves = legal(game, &state);
            let winning: Vec<G::Move> =
                moves.iter().copied().filter(|&mv| wins_by(game, &state, mover, mv)).collect();
            let safe = moves.iter().copied().filter(|&mv| !gives_win(game, &state, mv));
            let safe: Vec<G::Move> = safe.collect();
            let (wanted, met) = match (winning.is_empty(), safe.is_empty()) {
                (false, _) => (&winning, &mut wins),
                (true, false) => (&safe, &mut escapes),
                (true, true) => (&moves, &mut 0),
            };
            *met += usize::from(wanted.len() < moves.len());
            for _ in 0..4 {
                let mv = choose(game, &state, &mut rng);
                let text = game.state_text(&state);
                assert!(wanted.contains(&mv), "{}: {mv:?} in {text}", spec);
            }
            let mv = moves[rng.below(moves.len() as u32) as usize];
            game.play(&mut state, mv);
        }
    }
    assert!(wins > 20 && escapes > 20, "{}: {wins} {escapes}", spec);
}

fn choose<G: Game>(game: &G, state: &G::State, rng: &mut Rng) -> G::Move {
    Informed.choose(game, state, &mut Vec::new(), rng).expect("a move")
}

fn legal<G: Game>(game: &G, state: &G::State) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.legal_moves(state, &mut moves);
    moves
}

fn wins_by<G: Game>(game: &G, state: &G::State, mover: usize, mv: G::Move) -> bool {
    let after = game.after(state, mv);
    game.turn(&after) == Turn::Over && game.payoff(&after, mover) > 0
}

fn gives_win<G: Game>(game: &G, state: &G::State, mv: G::Move) -> bool {
    let after = game.after(state, mv);
    match game.turn(&after) {
        Turn::Player(next) => {
            legal(game, &after).into_iter().any(|mv| wins_by(game, &after, next, mv))
        }
        _ => false,
    }
}

#[test]
fn wins_are_taken_and_stopped() {
    for spec in [
        "connect-four",
        "connect-four:5x4,k=3",
        "connect-four:9x6,k=5",
        "mnk:3,3,3",
        "mnk:7,7,4",
        "mnk:6,5,3",
        "mnk:8,8,5",
        "mnk:5,5,4,players=3",
        "breakthrough",
        "breakthrough:6x6",
        "breakthrough:5x7",
        "knightthrough",
        "knightthrough:6x7",
    ] {
        check_decisive(spec, &AnyGame::from_spec(spec).expect(spec));
    }
}
