//! Published perft counts of standard chess. No game in this crate has all of its rules.

use super::{Chess, Kind, Move, Position, Setup, text};

const PROMOTIONS: &[Kind] = &[Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight];

fn perft(chess: &Chess, position: &Position, depth: u32) -> usize {
    let spans = chess.spans(position, PROMOTIONS);
    assert_eq!(spans.count() > 0, chess.has_move(position));
    if depth == 1 {
        return spans.count();
    }
    let mut moves = Vec::new();
    spans.list(&mut moves);
    let after = |mv| {
        let mut next = *position;
        if let Move::Step { from, to, promotion } = mv {
            chess.play(&mut next, from, to, promotion);
        }
        perft(chess, &next, depth - 1)
    };
    moves.into_iter().map(after).sum()
}

fn check(counts: &[(&str, u32, usize)]) {
    let setup = Setup { promotions: PROMOTIONS, royal: true, kings_fall: false, long_moves: true };
    let chess = Chess::new(&Chess::USUAL, setup);
    for &(fen, depth, count) in counts {
        let (position, _) = text::read(&chess, fen).expect(fen);
        assert_eq!(perft(&chess, &position, depth), count, "{fen} at depth {depth}");
    }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const ENDGAME: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -";
const PROMOTING: &str = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8";

/// Checks the counts from Fairy-Stockfish's perft test.
#[test]
fn chess_counts() {
    check(&[(START, 5, 4_865_609), (ENDGAME, 6, 11_030_083), (PROMOTING, 5, 89_941_194)]);
}
