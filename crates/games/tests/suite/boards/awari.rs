use super::ludii_perft;
use crate::bad_input::{no_game, refused, same};
use crate::data::jsonl;
use crate::perft::check;
use crate::recorded::{LudiiGame, OpenSpielGame, Replay, openspiel, winner};
use proofwood::{Game, Rng, Turn};
use proofwood_games::{Awari, Oware};
use std::collections::{BTreeSet, HashSet};

fn ludii_pit(site: &str) -> String {
    match site.parse::<u8>() {
        Ok(site) => format!("{}{}", char::from(b'a' + site % 6), site / 6 + 1),
        Err(_) => "pass".to_string(),
    }
}

/// Converts Ludii's sites and hands to our text without the side to move.
fn ludii_seeds(board: &str) -> String {
    let count = |pile: &str| match pile.split_once('x') {
        Some((_, count)) => count.to_string(),
        None if pile == "." => "0".to_string(),
        None => "1".to_string(),
    };
    let [sites, first, second] = board.split('|').collect::<Vec<_>>()[..] else {
        panic!("{board}")
    };
    let pits: Vec<String> = sites.split(',').map(count).collect();
    format!("{}/{} {}-{}", pits[..6].join(","), pits[6..].join(","), count(first), count(second),)
}

#[test]
fn ludii_games() {
    let game = Awari::default();
    let games: Vec<LudiiGame> = jsonl("playouts_ludii/awari.jsonl");
    assert_eq!(games.len(), 10);
    for record in games {
        let mut replay = Replay::new(&game);
        let seeds = |replay: &Replay<Awari>| {
            let text = game.state_text(&replay.state);
            text.split(' ').take(2).collect::<Vec<_>>().join(" ")
        };
        for (ply, theirs) in record.plies.iter().enumerate() {
            let at = format!("game {} ply {ply}", record.id);
            assert_eq!(seeds(&replay), ludii_seeds(&theirs.board), "{at}");
            assert_eq!(game.turn(&replay.state), Turn::Player(theirs.player - 1), "{at}");
            let legal: BTreeSet<String> = theirs.legal.iter().map(|mv| ludii_pit(mv)).collect();
            assert_eq!(replay.moves(), legal, "{at}");
            replay.play(&ludii_pit(&theirs.played));
        }
        assert!(replay.is_over(), "game {}", record.id);
        assert_eq!(seeds(&replay), ludii_seeds(&record.end.board), "game {}", record.id);
        assert_eq!(winner(&game, &replay.state), record.end.winner, "game {}", record.id);
    }
}

/// Converts a pit's name in OpenSpiel, which names the second player's pits in sowing order.
fn openspiel_pit(text: &str) -> String {
    match text.as_bytes()[0] {
        first @ b'A'..=b'F' => format!("{}1", char::from(first.to_ascii_lowercase())),
        second => format!("{}2", char::from(b'a' + (b'f' - second))),
    }
}

/// Replays games from OpenSpiel: six end in a repetition, eight because a player has no move.
#[test]
fn openspiel_games() {
    let rows = |drawing: &str| -> String {
        let digits = |line: &&str| line.trim().starts_with(|c: char| c.is_ascii_digit());
        let mut rows: Vec<String> = drawing
            .lines()
            .filter(digits)
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(","))
            .collect();
        rows.reverse();
        rows.concat()
    };
    let game = Oware::default();
    openspiel("oware", &game, openspiel_pit, rows);

    let games: Vec<OpenSpielGame> = jsonl("playouts_openspiel/oware.jsonl");
    let mut drawings = 0;
    for record in &games {
        let Some(drawing) = &record.final_state else { continue };
        let mut replay = Replay::new(&game);
        record.moves.iter().for_each(|mv| replay.play(&openspiel_pit(mv)));
        let score = |player: usize| {
            let (_, rest) = drawing.split_once(&format!("Player {player} score = ")).unwrap();
            rest.lines().next().unwrap().to_string()
        };
        let text = game.state_text(&replay.state);
        assert_eq!(text.split(' ').nth(1), Some(&*format!("{}-{}", score(0), score(1))));
        drawings += 1;
    }
    assert_eq!((games.len(), drawings), (60, 3));
}

#[test]
fn perft() {
    ludii_perft("awari", "default", "awari");
    check("openspiel", "oware", "oware");
    check("openspiel", "oware_3x2", "oware:3,2");
}

fn play<G: Game>(game: &G, position: &str, moves: &str) -> String {
    let mut state = game.parse_state(position).unwrap();
    for text in moves.split_whitespace() {
        let mv = game.parse_move(&state, text).unwrap();
        game.play(&mut state, mv);
    }
    game.state_text(&state)
}

#[test]
fn captures() {
    let [plain, round] = [false, true].map(|round| Awari::new(6, 4, round).unwrap());
    // A capture continues backwards from the last seed while pits contain two or three seeds.
    let position = "0,0,0,0,0,4/0,0,2,1,4,1 20-16 S";
    assert_eq!(play(&plain, position, "f1"), "0,0,0,0,0,0/0,0,0,0,5,2 25-16 N");
    let position = "0,0,0,0,0,4/3,0,2,1,1,1 20-16 S";
    assert_eq!(play(&plain, position, "f1"), "0,0,0,0,0,0/3,0,0,0,0,0 29-16 N");
    // A sowing of 12 seeds ends in the pit after its origin; it captures only with the option.
    let position = "0,0,0,0,0,12/1,0,0,0,0,1 17-17 S";
    assert_eq!(play(&plain, position, "f1"), "1,1,1,1,1,0/2,1,1,1,1,3 17-17 N");
    assert_eq!(play(&round, position, "f1"), "1,1,1,1,1,0/2,1,1,1,1,0 20-17 N");
    // A sowing of 13 seeds ends one pit further and captures in any case.
    let position = "0,0,0,0,0,13/1,0,0,0,0,1 17-16 S";
    for game in [&plain, &round] {
        assert_eq!(play(game, position, "f1"), "1,1,1,1,1,0/2,1,1,1,0,0 22-16 N");
    }
}

/// Checks that a capture of a whole row is illegal in Awari and captures nothing in Oware.
#[test]
fn whole_rows() {
    let position = "3,0,0,0,0,1/0,0,0,0,0,1 22-21 S";
    let awari = Awari::default();
    let state = awari.parse_state(position).unwrap();
    let error = awari.parse_move(&state, "f1").unwrap_err().to_string();
    assert_eq!(error, "'f1' is not a legal move here; legal moves: a1");
    let oware = Oware::default();
    assert_eq!(play(&oware, position, "f1"), format!("{position} moves f1"));
    let drawn = oware.board_text(&oware.parse_state(&format!("{position} moves f1")).unwrap());
    assert_eq!(
        drawn,
        "North has captured 21\n2  0  0  0  0  0  2\n1  3  0  0  0  0  0\n   a  b  c  d  e  f\n\
         South has captured 22\n",
    );
}

/// Tests the two ways in which Awari ends: no pit holds more than one seed, or both sides have
/// passed.
#[test]
fn awari_ends() {
    let game = Awari::default();
    let over = game.parse_state("1,0,0,0,0,1/0,0,0,0,0,1 20-25 N").unwrap();
    assert_eq!((game.turn(&over), game.payoff(&over, 1)), (Turn::Over, 1));
    assert_eq!(game.state_text(&over), "1,0,0,0,0,1/0,0,0,0,0,1 20-25 S");
    // Neither S nor N can sow into the other side's pits.
    let stuck = "2,2,0,0,0,0/0,0,0,0,0,0 30-14 S";
    assert!(game.parse_state(&format!("{stuck} 2")).is_ok());
    assert_eq!(play(&game, stuck, "pass"), "2,2,0,0,0,0/0,0,0,0,0,0 30-14 N 1");
    assert_eq!(play(&game, stuck, "pass pass"), "2,2,0,0,0,0/0,0,0,0,0,0 30-14 S 2");
    let over = game.parse_state(&play(&game, stuck, "pass pass")).unwrap();
    assert_eq!((game.turn(&over), game.payoff(&over, 0)), (Turn::Over, 0));
    // S could only capture a whole row, so S passes; N can move, so the pass is not counted.
    let passed = "0,0,0,0,0,1/0,0,0,0,0,2 30-15 S";
    assert_eq!(play(&game, passed, "pass"), "0,0,0,0,0,1/0,0,0,0,0,2 30-15 N");
    assert_eq!(play(&game, passed, "pass f2"), "0,0,0,0,0,1/0,0,0,1,1,0 30-15 S");
}

/// A second implementation of Oware, simple and slow.
struct Plain {
    pits: Vec<usize>,
    captured: [usize; 2],
    side: usize,
    past: HashSet<(Vec<usize>, usize)>,
}

#[derive(Debug, PartialEq, Eq, Hash)]
enum End {
    Majority,
    NoMove,
    Repetition,
}

impl Plain {
    fn new(pits: usize, seeds: usize) -> Plain {
        let pits = vec![seeds; 2 * pits];
        let past = HashSet::from([(pits.clone(), 0)]);
        Plain { pits, captured: [0, 0], side: 0, past }
    }

    fn row(&self, side: usize) -> std::ops::Range<usize> {
        let half = self.pits.len() / 2;
        side * half..(side + 1) * half
    }

    fn seeds(&self, side: usize) -> usize {
        self.pits[self.row(side)].iter().sum()
    }

    fn sow(&mut self, from: usize) -> usize {
        let seeds = std::mem::take(&mut self.pits[from]);
        let ring = self.pits.len();
        let pits = (from + 1..).map(|pit| pit % ring).filter(|&pit| pit != from);
        let mut last = from;
        for pit in pits.take(seeds) {
            self.pits[pit] += 1;
            last = pit;
        }
        last
    }

    fn moves(&self) -> Vec<usize> {
        let feeds = |&pit: &usize| {
            let mut next = Plain { pits: self.pits.clone(), past: HashSet::new(), ..*self };
            self.pits[pit] > 0 && {
                next.sow(pit);
                next.seeds(1 - self.side) > 0
            }
        };
        self.row(self.side).filter(feeds).collect()
    }

    fn play(&mut self, from: usize) -> Option<End> {
        let last = self.sow(from);
        let row = self.row(1 - self.side);
        let back = (0..=last).rev();
        let caught: Vec<usize> =
            back.take_while(|pit| row.contains(pit) && [2, 3].contains(&self.pits[*pit])).collect();
        let taken: usize = caught.iter().map(|&pit| self.pits[pit]).sum();
        if taken < self.seeds(1 - self.side) {
            caught.iter().for_each(|&pit| self.pits[pit] = 0);
            self.captured[self.side] += taken;
        }
        self.side = 1 - self.side;
        let repeated = !self.past.insert((self.pits.clone(), self.side));
        let end = if self.captured[1 - self.side] > self.total() / 2 {
            Some(End::Majority)
        } else if self.moves().is_empty() {
            Some(End::NoMove)
        } else {
            repeated.then_some(End::Repetition)
        };
        if end.is_some() {
            self.captured = [0, 1].map(|side| self.captured[side] + self.seeds(side));
        }
        end
    }

    fn total(&self) -> usize {
        self.pits.iter().sum::<usize>() + self.captured[0] + self.captured[1]
    }
}

#[test]
fn oware_games() {
    let mut rng = Rng::new(9);
    let mut ends = std::collections::HashMap::new();
    for (pits, seeds) in [(2, 3), (3, 2), (4, 5), (6, 4)] {
        let game = Oware::new(pits, seeds).unwrap();
        for _ in 0..100 {
            let mut state = game.initial_state();
            let mut plain = Plain::new(pits, seeds);
            loop {
                let mut moves = Vec::new();
                game.legal_moves(&state, &mut moves);
                let moves: Vec<usize> = moves.into_iter().map(usize::from).collect();
                assert_eq!(moves, plain.moves(), "{}", game.state_text(&state));
                let mv = game.random_move(&state, &mut Vec::new(), &mut rng).unwrap();
                game.play(&mut state, mv);
                let end = plain.play(mv.into());
                let text = game.state_text(&state);
                let captured = format!(" {}-{} ", plain.captured[0], plain.captured[1]);
                assert!(text.contains(&captured), "{text}:{captured}");
                assert_eq!(game.turn(&state) == Turn::Over, end.is_some(), "{text}: {end:?}");
                if let Some(end) = end {
                    let sign = plain.captured[0].cmp(&plain.captured[1]) as i32;
                    assert_eq!(game.payoff(&state, 0), sign, "{text}");
                    *ends.entry(end).or_insert(0) += 1;
                    break;
                }
            }
        }
    }
    assert_eq!(ends.len(), 3, "{ends:?}");
    assert!(ends.values().all(|&games| games > 10), "{ends:?}");
}

#[test]
fn awari_positions() {
    let game = Awari::default();
    let seeds = "4,4,4,4,4,4";
    refused(
        &game,
        &[
            ("", "the position has one row; expected two, separated by '/'"),
            (seeds, "the position has one row; expected two, separated by '/'"),
            (&format!("4,4,4,4,4/{seeds} 2-2 S"), "S's row has 5 pits, but must have 6"),
            (
                &format!("{seeds}/4,4,4,4,4 2 S"),
                "there are 46 seeds, including captured ones; the game has 48",
            ),
            (
                &format!("{seeds}/{seeds},4 0-0 S"),
                "the '/' is followed by 9 numbers; expected the 6 pits of N, then the seeds \
                 captured by S and N",
            ),
            (
                &format!("{seeds}/{seeds} 2-2 S"),
                "there are 52 seeds, including captured ones; the game has 48",
            ),
            (
                "4,4,4,4,4,3/4,4,4,4,4,4 1-0 S",
                "S cannot have captured 1 seed: a capture takes at least two",
            ),
            (
                &format!("{seeds}/{seeds} 0-0"),
                "the side to move is missing; add S or N after the seeds",
            ),
            (
                &format!("{seeds}/{seeds} 0-0 X"),
                "'X' is not a side; expected S or N after the seeds",
            ),
            (
                &format!("{seeds}/4,4,4,4,4,-4 0-0 S x"),
                "'x' is not a number of passes; expected 0, 1 or 2",
            ),
            (
                &format!("{seeds}/{seeds} 0-0 S 1"),
                "N cannot have passed, because it had a legal move",
            ),
            (
                "0,0,0,0,0,0/2,2,0,0,0,0 30-14 S 2",
                "N cannot have passed, because it had a legal move",
            ),
            ("4,4,4,4,4,999/1 S", "'999' is not a number of seeds; expected 0 to 255"),
            (
                "0,0,0,0,0,0/2,2,0,0,0,0 30-14 S",
                "S's row is empty, but a move must leave the other side a seed; if the last move was a pass, add 1 at the end",
            ),
        ],
    );
    same(
        &game,
        "4,4,4,4,4,4/4,4,4,4,4,4 0-0 S",
        &[
            "4 4 4 4 4 4 / 4 4 4 4 4 4 / 0 0 / south",
            "4, 4, 4, 4, 4, 4 | 4, 4, 4, 4, 4, 4 s",
            "4,4,4,4,4,4/4,4,4,4,4,4 0:0 S 0",
        ],
    );
    no_game(
        "awari:7",
        "awari: '7' is not a valid value for the number of pits on each side; it must be a number \
         from 2 to 6",
    );
    no_game(
        "awari:6,1",
        "awari: '1' is not a valid value for the number of seeds in each pit; it must be a number \
         from 2 to 8",
    );
    assert_eq!(
        Oware::new(6, 9).unwrap_err().to_string(),
        "oware: each side must have 2 to 6 pits with 2 to 8 seeds each, not 6 pits with 9 seeds \
         each",
    );
}

#[test]
fn oware_positions() {
    let game = Oware::default();
    let start = "4,4,4,4,4,4/4,4,4,4,4,4 0-0 S";
    refused(
        &game,
        &[
            (
                &format!("{start} f1"),
                "unexpected 'f1' after the side to move; only moves may follow it",
            ),
            (
                &format!("{start} moves f1 f1"),
                "'f1' is not a legal move here; legal moves: f2 e2 d2 c2 b2 a2",
            ),
        ],
    );
    same(&game, &format!("{start} moves f1 a2"), &[&format!("{start} Moves F1 A2")]);
    same(&game, start, &[&format!("{start} moves")]);
    // A capture clears the record of moves; at the end, all seeds are counted.
    assert_eq!(
        play(&game, "0,0,0,0,4,1/0,0,0,4,4,1 17-17 S", "f1"),
        "0,0,0,0,4,0/0,0,0,4,4,0 19-17 N",
    );
    assert_eq!(
        play(&game, "0,0,0,0,4,1/0,0,0,4,4,1 24-10 S", "f1"),
        "0,0,0,0,0,0/0,0,0,0,0,0 30-18 S",
    );
    // After one round of the board, the last move repeats the first position.
    let circle = "1,0,0,0,0,0/0,0,0,0,0,1 23-23 S";
    let moves = "a1 f2 b1 e2 c1 d2 d1 c2 e1 b2 f1";
    assert_eq!(play(&game, circle, moves), format!("{circle} moves {moves}"));
    assert_eq!(play(&game, circle, &format!("{moves} a2")), "0,0,0,0,0,0/0,0,0,0,0,0 24-24 S",);
}
