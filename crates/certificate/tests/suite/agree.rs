//! Compares the two checkers on certificates and on mutants of them.

use super::written::mutations;
use proofwood::Game;
use proofwood::certificate::{Claim, Root, write};
use proofwood_games::{Awari, ConnectFour, DotsAndBoxes, Mnk, Othello, Pig};
use proofwood_testkit::certificates::file::{compressed, first, lines, text};
use proofwood_testkit::certificates::graph::Graph;
use proofwood_testkit::certificates::second;
use proofwood_testkit::certificates::truth::{Knowing, Truth};
use proofwood_testkit::dice::Dice;
use proofwood_testkit::toy::listed;
use std::hash::Hash;

/// Asserts that both checkers agree on a file; returns whether they accept it.
fn agree<G: Game>(game: &G, file: &[u8], what: &dyn Fn() -> String) -> bool {
    let (first, second) = (first(game, file), second::check(game, file));
    assert_eq!(first.as_ref().ok(), second.as_ref().ok(), "{first:?} {second:?} {}", what());
    first.is_ok()
}

/// Returns the lines with one or two characters inserted, removed or replaced at random.
fn scribbled(lines: &[String], dice: &mut Dice) -> Vec<String> {
    const LETTERS: &[char] =
        &['0', '1', '2', '9', '-', '+', ' ', '!', '?', '=', '#', 'a', 'B', '\t', 'é', '\r'];
    let mut changed = lines.to_vec();
    for _ in 0..1 + dice.below(2) {
        let line = dice.below(changed.len());
        let mut letters: Vec<char> = changed[line].chars().collect();
        let at = dice.below(letters.len() + 1);
        match dice.below(3) {
            0 => letters.insert(at, dice.pick(LETTERS)),
            1 if at < letters.len() => drop(letters.remove(at)),
            2 if at < letters.len() => letters[at] = dice.pick(LETTERS),
            _ => {}
        }
        changed[line] = letters.into_iter().collect();
    }
    changed
}

/// Compares the checkers on a file and on mutants of it; returns the numbers of accepted mutants
/// and of all mutants.
fn compare<G: Game>(game: &G, file: &[u8], scribbles: usize, dice: &mut Dice) -> (u64, u64) {
    assert!(agree(game, file, &|| "as written".into()), "{:?}", first(game, file));
    let lines = lines(file);
    let mut all = Vec::new();
    if lines.len() < 100 {
        all = mutations(&lines, dice);
    }
    all.extend((0..scribbles).map(|_| scribbled(&lines, dice)));
    let mut accepted = 0;
    for changed in &all {
        let file = compressed(&text(changed));
        accepted += u64::from(agree(game, &file, &|| format!("{changed:#?}")));
    }
    (accepted, all.len() as u64)
}

/// Writes a certificate of true claims about the start.
fn certificate<G: Game<State: Eq + Hash>>(game: &G, asked: &[(usize, i32)]) -> Vec<u8> {
    let state = game.initial_state();
    let truths: Vec<_> =
        asked.iter().map(|&(player, payoff)| Truth::new(game, &state, player, payoff)).collect();
    let claims: Vec<Claim> = truths.iter().map(|truth| truth.claim(&state)).collect();
    let mut oracle = Knowing { truths, forgets: 0, solved: 0 };
    let mut file = Vec::new();
    write(game, "a game", &Root::default(), &claims, &mut oracle, &mut file).expect("a proof");
    file
}

#[test]
fn on_graphs_with_circles_with_chance_and_of_three_players() {
    let (mut accepted, mut all) = (0, 0);
    for seed in 0..150 {
        let game = Graph::new(seed);
        let mut dice = Dice::new(seed ^ 0xa9);
        let asked = (dice.below(game.players), dice.below(5) as i32 - 2);
        let file = certificate(&game, &[asked, asked]);
        let (good, number) = compare(&game, &file, 60, &mut dice);
        (accepted, all) = (accepted + good, all + number);
    }
    assert!(accepted > 500 && all > 20_000, "{accepted} of {all}");
}

#[test]
fn on_games() {
    fn play<G: Game<State: Eq + Hash>>(game: G, asked: &[(usize, i32)]) {
        let file = certificate(&game, asked);
        let (accepted, all) = compare(&listed(game).0, &file, 60, &mut Dice::new(7));
        assert!(accepted < all, "{accepted} of {all}");
    }
    play(Mnk::new(3, 3, 3, 3).expect("three players"), &[(0, 0), (1, -1), (2, 2)]);
    play(ConnectFour::new(3, 3, 3).expect("a board"), &[(0, 0), (0, 1), (1, 1)]);
    play(Othello::new(4, false).expect("a board"), &[(0, -8), (1, 9)]);
    play(Awari::new(2, 2, false).expect("it goes round"), &[(0, 0), (1, 0), (1, 1)]);
    play(Pig::new(5, 2, Some(2)).expect("dice"), &[(0, 0), (0, 1), (1, -1)]);
    play(Pig::new(4, 3, Some(1)).expect("three players and dice"), &[(0, 0), (2, 1)]);
    play(DotsAndBoxes::new(2, 1).expect("a player moves again"), &[(0, 0), (0, 1), (0, 2)]);
}
