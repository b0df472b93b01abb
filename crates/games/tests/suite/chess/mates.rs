//! Compares the checkmates that plain search finds with those that Fairy-Stockfish finds.

use crate::data::csv_rows;
use proofwood::{Game, Turn};
use proofwood_games::Minichess;
use std::collections::BTreeSet;

fn moves<G: Game>(game: &G, state: &G::State) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.legal_moves(state, &mut moves);
    moves
}

/// Returns whether `player` has mated, or can mate within `more` moves after every reply.
fn keeps_mate<G: Game>(game: &G, state: &G::State, player: usize, more: u32) -> bool {
    if game.turn(state) == Turn::Over {
        return game.payoff(state, player) == 1;
    }
    more > 0
        && moves(game, state).into_iter().all(|reply| {
            let state = game.after(state, reply);
            game.turn(&state) != Turn::Over
                && moves(game, &state)
                    .into_iter()
                    .any(|mv| keeps_mate(game, &game.after(&state, mv), player, more - 1))
        })
}

fn check(file: &str, game: &Minichess) {
    let mut checked = 0;
    for row in csv_rows(&format!("mates/{file}.csv")) {
        let [id, fen, side, length, solving, legal] = row.as_slice() else { panic!("{row:?}") };
        let length: u32 = length.parse().unwrap();
        let state = game.parse_state(fen).unwrap_or_else(|error| panic!("{id}: {error}"));
        let player = usize::from(side == "black");
        assert_eq!(game.turn(&state), Turn::Player(player), "{file} {id}");
        let moves = moves(game, &state);
        assert_eq!(moves.len().to_string(), *legal, "{file} {id}");
        let mates_within = |more: u32| -> BTreeSet<String> {
            let keeps = |&&mv: &&_| keeps_mate(game, &game.after(&state, mv), player, more);
            moves.iter().filter(keeps).map(|&mv| game.move_text(&state, mv)).collect()
        };
        for shorter in 1..length {
            assert_eq!(mates_within(shorter - 1), BTreeSet::new(), "{file} {id}");
        }
        let solving = solving.split(' ').map(str::to_string).collect();
        assert_eq!(mates_within(length - 1), solving, "{file} {id}");
        checked += 1;
    }
    assert_eq!(checked, 100, "{file}");
}

#[test]
fn fairy_stockfish() {
    check("losalamos", &Minichess::los_alamos(true));
    check("losalamos", &Minichess::los_alamos(false));
    check("gardner", &Minichess::gardner());
}
