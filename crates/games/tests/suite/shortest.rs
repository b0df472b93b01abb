//! Compares shortest wins with exhaustive search and with mates found by Fairy-Stockfish.

use crate::data::csv_rows;
use proofwood::prover::shortest_win;
use proofwood::{Budget, Game, Outcome, ProverConfig, Rng, Turn};
use proofwood_games::domineering::Side;
use proofwood_games::{Clobber, ConnectFour, Domineering, Hex, Minichess, Mnk, Othello, Through};
use std::collections::HashMap;
use std::hash::Hash;

struct Within<'g, G: Game> {
    game: &'g G,
    winner: usize,
    known: HashMap<(G::State, u32), bool>,
}

impl<G: Game<State: Eq + Hash>> Within<'_, G> {
    fn wins(&mut self, state: &G::State, left: u32) -> bool {
        let Within { game, winner, .. } = *self;
        let Turn::Player(mover) = game.turn(state) else {
            return game.outcome(winner, game.payoff(state, winner)) == Outcome::Win;
        };
        if left == 0 {
            return false;
        }
        if let Some(&known) = self.known.get(&(state.clone(), left)) {
            return known;
        }
        let mut moves = Vec::new();
        game.legal_moves(state, &mut moves);
        let mut after = moves.into_iter().map(|mv| game.after(state, mv));
        let wins = match mover == winner {
            true => after.any(|next| self.wins(&next, left - 1)),
            false => after.all(|next| self.wins(&next, left - 1)),
        };
        self.known.insert((state.clone(), left), wins);
        wins
    }
}

fn config() -> ProverConfig {
    ProverConfig::default().threads(1).table(1 << 20)
}

fn found<G: Game + Clone>(game: &G, state: &G::State, winner: usize) -> (u32, Vec<G::Move>) {
    let budget = Budget::default();
    let found = shortest_win(game.clone(), state.clone(), winner, &config(), &budget);
    let found = found.expect("a sound game");
    let moves = found.moves.expect("there is a win");
    assert_eq!(found.line.len(), moves as usize, "{}", game.board_text(state));
    let mut end = state.clone();
    found.line.iter().for_each(|&mv| game.play(&mut end, mv));
    assert_eq!(game.turn(&end), Turn::Over, "{}", game.board_text(state));
    assert_eq!(game.outcome(winner, game.payoff(&end, winner)), Outcome::Win);
    (moves, found.line)
}

fn check<G: Game<State: Eq + Hash> + Clone>(game: G, most: u32, games: u64) -> u32 {
    let mut checked = 0;
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let mut state = game.initial_state();
        while game.turn(&state) != Turn::Over {
            for winner in 0..2 {
                let mut within = Within { game: &game, winner, known: HashMap::new() };
                let soonest = (0..=most).find(|&left| within.wins(&state, left));
                let Some(soonest) = soonest else { continue };
                assert_eq!(found(&game, &state, winner).0, soonest, "{}", game.board_text(&state));
                checked += 1;
            }
            let mv = game.random_move(&state, &mut Vec::new(), &mut rng).expect("a move");
            game.play(&mut state, mv);
        }
    }
    checked
}

#[test]
fn small_boards_are_won_as_soon_as_exhaustive_search_finds() {
    let checked = [
        check(Mnk::new(3, 3, 3, 2).unwrap(), 9, 12),
        check(Mnk::new(4, 3, 3, 2).unwrap(), 7, 4),
        check(ConnectFour::new(4, 4, 3).unwrap(), 9, 6),
        check(ConnectFour::new(5, 4, 4).unwrap(), 7, 4),
        check(Hex::new(3, 3).unwrap(), 9, 4),
        check(Clobber::new(3, 3).unwrap(), 9, 6),
        check(Domineering::new(4, 4, Side::Vertical).unwrap(), 9, 4),
        check(Through::breakthrough(4, 4).unwrap(), 7, 3),
        check(Othello::new(4, false).unwrap(), 6, 3),
    ];
    assert!(checked.iter().all(|&checked| checked > 5), "{checked:?}");
}

fn mates(file: &str, game: &Minichess) {
    let rows = csv_rows(&format!("mates/{file}.csv"));
    for row in rows.iter().take(40) {
        let [id, fen, side, length, solving, _] = row.as_slice() else { panic!("{row:?}") };
        let state = game.parse_state(fen).expect("a position");
        let winner = usize::from(side == "black");
        let (moves, line) = found(game, &state, winner);
        let length: u32 = length.parse().expect("a number");
        assert_eq!(moves, 2 * length - 1, "{file} {id}");
        let first = game.move_text(&state, line[0]);
        assert!(solving.split(' ').any(|mv| mv == first), "{file} {id}: {first}");
    }
}

#[test]
fn mates_are_as_short_as_fairy_stockfish_finds() {
    mates("losalamos", &Minichess::los_alamos(true));
    mates("gardner", &Minichess::gardner());
}

#[test]
fn limits_and_games_of_other_kinds_are_told() {
    let game = ConnectFour::default();
    let budget = Budget::default().nodes(2000);
    let found = shortest_win(game.clone(), game.initial_state(), 0, &config(), &budget);
    let found = found.expect("a sound game");
    assert!(found.moves.is_none() && found.more_than >= 3 && found.stop_reason.is_some());
    let three = Mnk::new(3, 3, 3, 3).unwrap();
    let start = three.initial_state();
    let error = shortest_win(three, start, 0, &config(), &budget).expect_err("three players");
    assert!(error.to_string().contains("two-player"), "{error}");
    let error = shortest_win(game.clone(), game.initial_state(), 2, &config(), &budget);
    assert!(error.expect_err("no player").to_string().contains("0 or 1"));
}
