//! Tests of rules in which the games with chess pieces differ from chess.

use crate::recorded::Replay;
use proofwood::Game;
use proofwood_games::{Minichess, ReachChess, Skirmish};

fn replay<'g, G: Game>(game: &'g G, position: &str) -> Replay<'g, G> {
    Replay { game, state: game.parse_state(position).unwrap_or_else(|error| panic!("{error}")) }
}

impl<G: Game> Replay<'_, G> {
    fn text(&self) -> String {
        self.game.state_text(&self.state)
    }

    fn has(&self, mv: &str) -> bool {
        self.moves().contains(mv)
    }

    fn only(&self, mv: &str) -> bool {
        self.moves().into_iter().eq([mv])
    }

    fn result(&self) -> Option<i32> {
        self.is_over().then(|| self.game.payoff(&self.state, 0))
    }
}

/// Moves the knights back and forth until the game is over; returns the number of plies.
fn shuffle(game: &Minichess, start: &str) -> usize {
    let mut replay = replay(game, start);
    let knights = ["b1a3", "b6a4", "a3b1", "a4b6"].into_iter().cycle();
    for (ply, mv) in knights.enumerate() {
        if replay.is_over() {
            assert_eq!(replay.result(), Some(0));
            return ply;
        }
        replay.play(mv);
    }
    unreachable!("knights go on for ever")
}

#[test]
fn long_games_are_drawn() {
    let start = "rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - -";
    let reset = "rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - - 0";
    let ludii = Minichess::los_alamos(false);
    assert_eq!(shuffle(&ludii, start), 102);
    assert_eq!(shuffle(&ludii, reset), 101);
    let chess = Minichess::los_alamos(true);
    assert_eq!(shuffle(&chess, start), 100);
    assert_eq!(shuffle(&chess, reset), 100);
    // A checkmate on the last ply takes precedence over the draw.
    for (game, last) in [(&ludii, 100), (&chess, 99)] {
        let position = format!("k5/6/1K4/6/p5/5R w - - {last}");
        for (mv, result) in [("f1f6", 1), ("f1f5", 0)] {
            let mut replay = replay(game, &position);
            replay.play(mv);
            assert_eq!(replay.result(), Some(result));
        }
        let mut replay = replay(game, &format!("k5/6/1K4/6/p5/5R w - - {}", last - 1));
        replay.play("f1f5");
        assert_eq!(replay.result(), None);
    }
}

#[test]
fn promotion_is_a_ply_of_ludii() {
    for (game, clock) in [(Minichess::los_alamos(false), 1), (Minichess::los_alamos(true), 0)] {
        let mut replay = replay(&game, "6/1P4/6/4k1/6/1K4 w - - 30");
        for piece in ["q", "r", "n"] {
            assert!(replay.has(&format!("b5b6{piece}")));
        }
        assert!(!replay.has("b5b6b") && !replay.has("b5b6"));
        replay.play("b5b6r");
        assert_eq!(replay.text(), format!("1R4/6/6/4k1/6/1K4 b - - {clock}"));
    }
}

#[test]
fn stalemate() {
    let position = "k5/2Q3/6/6/6/5K b - - 7";
    let ludii = Minichess::los_alamos(false);
    let mut passing = replay(&ludii, position);
    assert!(passing.only("pass"));
    passing.play("pass");
    assert_eq!(passing.result(), Some(0));
    assert_eq!(passing.text(), "k5/2Q3/6/6/6/5K w - - 8 pass");
    let chess = Minichess::los_alamos(true);
    assert_eq!(replay(&chess, position).result(), Some(0));
    assert_eq!(replay(&Minichess::gardner(), "k4/2Q2/5/5/4K b").result(), Some(0));
}

#[test]
fn pieces_that_cannot_mate() {
    let game = Minichess::gardner();
    for drawn in ["k4/5/5/5/4K w", "k4/5/5/1n3/4K w", "kb3/5/5/5/4K b", "1kB2/5/b1B2/5/4K w"] {
        assert_eq!(replay(&game, drawn).result(), Some(0), "{drawn}");
    }
    for open in ["k4/5/5/1nn2/4K w", "kb3/5/5/5/3NK b", "kbb2/5/5/5/4K w", "k4/p4/5/5/4K w"] {
        assert_eq!(replay(&game, open).result(), None, "{open}");
    }
    // By Ludii's rules the game continues.
    assert_eq!(replay(&Minichess::los_alamos(false), "k5/6/6/6/6/5K w").result(), None);
}

#[test]
fn reach_chess_has_no_mate() {
    let game = ReachChess::default();
    let mut replay = replay(&game, "8/7p/8/k1K5/8/8/8/R7 b - -");
    assert!(replay.only("pass"));
    replay.play("pass");
    assert_eq!(replay.text(), "8/7p/8/k1K5/8/8/8/R7 w - - pass");
    assert!(replay.has("a1a5"));
    replay.play("a1a5");
    assert_eq!(replay.moves().into_iter().collect::<Vec<_>>(), ["h7h5", "h7h6"]);
    replay.play("h7h5");
    replay.play("a5a8");
    assert_eq!(replay.result(), Some(1));
}

#[test]
fn two_passes_draw_reach_chess() {
    let game = ReachChess::default();
    let mut replay = replay(&game, "8/8/8/p7/P7/8/8/8 w - -");
    replay.play("pass");
    assert!(replay.only("pass"));
    replay.play("pass");
    assert_eq!(replay.result(), Some(0));
    assert_eq!(replay.text(), "8/8/8/p7/P7/8/8/8 w - - pass pass");
}

#[test]
fn any_piece_reaches() {
    let game = ReachChess::default();
    for (position, mv, result) in [
        ("r7/6P1/8/k7/8/8/8/4K3 w - -", "g7g8", 1),
        ("4r3/3P4/8/k7/8/8/8/4K3 w - -", "d7e8", 1),
        ("8/8/8/8/7K/8/3k4/8 b - -", "d2d1", -1),
    ] {
        let mut replay = replay(&game, position);
        replay.play(mv);
        assert_eq!(replay.result(), Some(result), "{position}");
    }
}

#[test]
fn castling() {
    let reach = ReachChess::default();
    let both = |attacker: &str| format!("4k3/8/8/{attacker}/8/8/8/R3K2R w KQ -");
    for (attacker, short, long) in [
        ("8", true, true),
        ("1r6", true, true), // b1 may be attacked
        ("2r5", true, false),
        ("3r4", true, false),
        ("4r3", false, false),
        ("5r2", false, true),
        ("6r1", false, true),
        ("7r", true, true),
    ] {
        let replay = replay(&reach, &both(attacker));
        assert_eq!((replay.has("e1g1"), replay.has("e1c1")), (short, long), "{attacker}");
    }
    let skirmish = Skirmish::default();
    for attacker in ["8", "3r4", "4r3", "5r2"] {
        let replay = replay(&skirmish, &both(attacker));
        assert!(replay.has("e1g1") && replay.has("e1c1"), "{attacker}");
    }
    let mut replay = replay(&skirmish, "r3k2r/8/8/8/8/8/8/R3KN1R w KQkq - 30");
    assert!(!replay.has("e1g1"));
    replay.play("O-O-O");
    assert_eq!(replay.text(), "r3k2r/8/8/8/8/8/8/2KR1N1R b kq - 31");
    replay.play("h8h1");
    assert_eq!(replay.text(), "r3k3/8/8/8/8/8/8/2KR1N1r w q - 32");
}

#[test]
fn en_passant() {
    let reach = ReachChess::default();
    let mut open = replay(&reach, "4k3/8/8/8/2p5/8/3P4/4K3 w - -");
    open.play("d2d4");
    assert_eq!(open.text(), "4k3/8/8/8/2pP4/8/8/4K3 b - d3");
    open.play("c4d3");
    assert_eq!(open.text(), "4k3/8/8/8/8/3p4/8/4K3 w - -");
    // An en passant capture would remove both pawns from between the king and the rook.
    let mut pinned = replay(&reach, "8/8/8/8/k1p4R/8/3P4/4K3 w - -");
    pinned.play("d2d4");
    assert_eq!(pinned.text(), "8/8/8/8/k1pP3R/8/8/4K3 b - -");
    assert!(!pinned.has("c4d3"));
    // The pawn that gives check may be taken en passant.
    let mut check = replay(&reach, "8/8/8/4k3/2p5/8/3P4/4K3 w - -");
    check.play("d2d4");
    assert!(check.has("c4d3"));
    let skirmish = Skirmish::default();
    let mut free = replay(&skirmish, "8/8/8/8/k1p4R/8/3P4/4K3 w - - 30");
    free.play("d2d4");
    assert!(free.has("c4d3"));
}

#[test]
fn skirmish_counts_pieces() {
    let game = Skirmish::default();
    // The king can be captured like other pieces.
    let mut bare = replay(&game, "8/8/8/p7/P6k/8/8/7R w - - 20");
    bare.play("h1h4");
    assert_eq!(bare.result(), Some(1));
    // On the last ply a pawn is not promoted.
    let mut last = replay(&game, "k7/7P/8/8/8/8/8/8 w - - 99");
    assert!(last.only("h7h8"));
    last.play("h7h8");
    assert_eq!(last.result(), Some(0));
    assert_eq!(last.text(), "k6P/8/8/8/8/8/8/8 b - - 100");
    // Here the promotion is itself the last ply.
    let mut promotion = replay(&game, "k7/7P/8/8/8/8/8/K7 w - - 98");
    promotion.play("h7h8b");
    assert_eq!(promotion.result(), Some(1));
    assert_eq!(promotion.text(), "k6B/8/8/8/8/8/8/K7 b - - 100");
}
