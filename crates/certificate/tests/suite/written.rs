//! Checks that written certificates are accepted, and that altered ones are refused or true.

use proofwood::certificate::{Checked, Claim, Promise, Root, write};
use proofwood::prover::Question;
use proofwood::{Game, Outcome, line_text};
use proofwood_games::{ConnectFour, Mnk, Othello};
use proofwood_testkit::certificates::file::{check, check_file, lines};
use proofwood_testkit::certificates::graph::Graph;
use proofwood_testkit::certificates::truth::{Knowing, Truth};
use proofwood_testkit::dice::Dice;
use std::hash::Hash;

/// Certifies true claims about a root, and checks the file.
fn certify<G: Game<State: Eq + Hash>>(
    game: &G,
    root: &Root,
    payoffs: &[(usize, i32)],
    forgets: u64,
) -> (Vec<u8>, Checked, u64) {
    let state = root.find(game).expect("a root");
    let truths: Vec<_> =
        payoffs.iter().map(|&(player, t)| Truth::new(game, &state, player, t)).collect();
    let claims: Vec<Claim> = truths.iter().map(|truth| truth.claim(&state)).collect();
    let mut oracle = Knowing { truths, forgets, solved: 0 };
    let mut out = Vec::new();
    let written = write(game, "a game", root, &claims, &mut oracle, &mut out).expect("a proof");
    let checked = check_file(game, &out).expect("a certificate");
    assert_eq!(checked.game, "a game");
    assert_eq!(checked.root, *root);
    assert_eq!(checked.claims.iter().map(|c| c.claim).collect::<Vec<_>>(), claims);
    assert_eq!(checked.claims.iter().map(|c| c.positions).sum::<u64>(), written.positions);
    assert_eq!(checked.claims.iter().map(|c| c.references).sum::<u64>(), written.references);
    (out, checked, oracle.solved)
}

/// Draws a game, a root in it and the payoff for a claim.
fn draw(seed: u64) -> (Graph, Root, (usize, i32), u64) {
    let game = Graph::new(seed);
    let mut dice = Dice::new(seed ^ 0xfeed);
    let position = game.written.then(|| format!("node {}", dice.below(game.nodes.len())));
    let position = position.filter(|_| dice.chance(60));
    let root = position.map_or_else(Root::default, |text| Root::default().position(text));
    let asked = (dice.below(game.players), dice.below(5) as i32 - 2);
    (game, root, asked, dice.pick(&[0, 50, 100]))
}

#[test]
fn random_graphs_round_trip() {
    let (mut endless, mut references, mut solved, mut both) = (0, 0, 0, [0, 0]);
    for seed in 0..4000 {
        let (game, root, asked, forgets) = draw(seed);
        let (_, checked, asked) = certify(&game, &root, &[asked], forgets);
        solved += asked;
        let claim = checked.claims[0];
        endless += u64::from(claim.endless);
        references += claim.references;
        match claim.claim.promise {
            Promise::AtLeast(_) => both[0] += 1,
            Promise::Below(_) => both[1] += 1,
        }
    }
    assert!(endless > 100 && references > 1000, "{endless} {references}");
    assert!(solved > 1000, "{solved}");
    assert!(both[0] > 500 && both[1] > 500, "{both:?}");
}

/// Returns small changes to the lines of a certificate: all simple changes and some random ones.
pub fn mutations(lines: &[String], dice: &mut Dice) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    let start = lines.iter().position(String::is_empty).expect("a header") + 1;
    for at in 0..lines.len() {
        let mut with = |new: Vec<String>| {
            let mut changed = lines.to_vec();
            changed.splice(at..=at, new);
            all.push(changed);
        };
        let line = &lines[at];
        with(vec![]);
        with(vec![line.clone(), line.clone()]);
        let other = &lines[dice.below(lines.len())];
        with(vec![other.clone()]);
        with(vec![other.clone(), line.clone()]);
        // Replace every number on the line by its neighbours and by 0.
        for (word_at, word) in line.split_inclusive([' ', '?', '=', '#']).enumerate() {
            let Ok(number) = word.trim().parse::<i64>() else { continue };
            for changed in [number - 1, number + 1, 0] {
                let words = line.split_inclusive([' ', '?', '=', '#']).enumerate();
                let words = words.map(|(i, w)| match i == word_at {
                    true => w.replace(word.trim(), &changed.to_string()),
                    false => w.to_string(),
                });
                with(vec![words.collect()]);
            }
        }
        if line.starts_with('!') {
            for letter in 'a'..='h' {
                with(vec![format!("!{letter}")]);
            }
        }
        if at >= start {
            for label in 0..3 {
                with(vec![format!("={label}")]);
                with(vec!["#1".into(), line.clone()]);
            }
            with(vec!["?1".into()]);
            // Omit all later lines.
            all.push(lines[..at].to_vec());
        }
        if at + 1 < lines.len() {
            let mut swapped = lines.to_vec();
            swapped.swap(at, at + 1);
            all.push(swapped);
        }
    }
    for at in 0..lines.len() {
        let mut changed = lines.to_vec();
        if changed[at].contains("at-least") {
            changed[at] = changed[at].replace("at-least", "below");
        } else {
            changed[at] = changed[at].replace("below", "at-least");
        }
        all.push(changed);
    }
    // Make several changes at once.
    for _ in 0..20 {
        let mut changed = lines.to_vec();
        for _ in 0..2 + dice.below(3) {
            let (at, from) = (dice.below(changed.len()), dice.below(changed.len()));
            changed[at] = changed[from].clone();
        }
        all.push(changed);
    }
    all
}

#[test]
fn no_altered_certificate_shows_what_is_false() {
    let (mut accepted, mut refused) = (0, 0);
    for seed in 0..400 {
        let (game, root, asked, forgets) = draw(seed);
        let (file, ..) = certify(&game, &root, &[asked], forgets);
        let mut dice = Dice::new(seed);
        for changed in mutations(&lines(&file), &mut dice) {
            let Ok(checked) = check(&game, &changed) else {
                refused += 1;
                continue;
            };
            accepted += 1;
            let root = checked.root.find(&game).expect("it was accepted");
            for claim in checked.claims.iter().map(|checked| checked.claim) {
                let (Promise::AtLeast(payoff) | Promise::Below(payoff)) = claim.promise;
                let truth = Truth::new(&game, &root, claim.player, payoff);
                assert!(truth.is_true(claim, &root), "seed {seed}: {claim}: {changed:#?}");
            }
        }
    }
    assert!(accepted > 1000 && refused > 30_000, "{accepted} accepted, {refused} refused");
}

#[test]
fn damaged_files_are_refused_wherever_they_are_damaged() {
    let (file, ..) =
        certify(&Mnk::new(3, 3, 3, 2).expect("a board"), &Root::default(), &[(0, 0)], 0);
    for length in 0..file.len() {
        let error = check_file(&Mnk::new(3, 3, 3, 2).expect("a board"), &file[..length])
            .expect_err("cut short");
        assert!(error.to_string().starts_with("the certificate is refused: "), "{error}");
    }
    let mut longer = file.clone();
    longer.push(0);
    let error = check_file(&Mnk::new(3, 3, 3, 2).expect("a board"), &longer)
        .expect_err("too long")
        .to_string();
    assert!(error.contains("the file continues after the compressed data"), "{error}");
    let twice = [&file[..], &file[..]].concat();
    assert!(check_file(&Mnk::new(3, 3, 3, 2).expect("a board"), &twice).is_err());
    let accepted = (0..file.len()).filter(|&at| {
        let mut changed = file.clone();
        changed[at] ^= 0x10;
        check_file(&Mnk::new(3, 3, 3, 2).expect("a board"), &changed).is_ok()
    });
    // The check ignores the time and the system in the gzip header.
    assert!(accepted.count() < 10);
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let game = Mnk::new(3, 3, 3, 2).expect("a board");
    let (_, checked, _) = certify(&game, &Root::default(), &[(0, 0), (0, 1)], 30);
    let promises: Vec<Promise> = checked.claims.iter().map(|c| c.claim.promise).collect();
    assert_eq!(promises, [Promise::AtLeast(0), Promise::Below(1)]);
    assert!(checked.claims.iter().all(|claim| !claim.endless && claim.references > 0));
}

#[test]
fn small_othello_is_lost_by_eight() {
    let game = Othello::new(4, false).expect("a board");
    let (_, checked, _) = certify(&game, &Root::default(), &[(0, -8), (0, -7)], 10);
    let promises: Vec<Promise> = checked.claims.iter().map(|c| c.claim.promise).collect();
    assert_eq!(promises, [Promise::AtLeast(-8), Promise::Below(-7)]);
}

#[test]
fn three_players_and_a_coalition() {
    let game = Mnk::new(3, 3, 3, 3).expect("a board");
    for player in 0..3 {
        let win = Question::threshold(&game, player, Outcome::Win).expect("a win");
        let draw = Question::threshold(&game, player, Outcome::Draw).expect("a draw");
        let (_, checked, _) = certify(&game, &Root::default(), &[(player, win), (player, draw)], 0);
        assert_eq!(checked.claims.len(), 2);
    }
}

#[test]
fn a_root_after_moves() {
    let game = ConnectFour::new(4, 4, 4).expect("a board");
    let root = Root::default().moves(["1", "1", "2"]);
    let (_, checked, _) = certify(&game, &root, &[(1, 0), (1, 1)], 0);
    let state = root.find(&game).expect("legal moves");
    assert_eq!(checked.position, game.state_text(&state));
}

#[test]
fn roots_are_made_of_moves_and_of_positions() {
    let game = ConnectFour::new(4, 4, 4).expect("a board");
    let start = game.initial_state();
    let moves = [0, 0, 1].map(|column| {
        let text = (column + 1).to_string();
        game.parse_move(&start, &text).expect("a legal move")
    });
    let root = Root::after(&game, &moves).expect("legal moves");
    assert_eq!(root, Root::default().moves(["1", "1", "2"]));
    assert_eq!(line_text(&game, &start, &moves), root.moves);
    let state = root.find(&game).expect("a root");
    let at = Root::at(&game, &state).expect("it has a text");
    assert_eq!(at.position.as_deref(), Some(game.state_text(&state).as_str()));
    assert_eq!(game.state_text(&at.find(&game).expect("a root")), game.state_text(&state));
    let refused = Root::after(&game, &[moves[0]; 5]).expect_err("the column is full").to_string();
    assert!(
        refused.starts_with("move 5: ") && refused.ends_with("legal moves: 2 3 4"),
        "{refused}"
    );
    // A game without texts.
    let graph = (0..).map(Graph::new).find(|game| !game.written).expect("one without");
    let refused = Root::at(&graph, &graph.initial_state()).expect_err("it has no text");
    assert!(refused.to_string().contains("give the moves instead"), "{refused}");
}
