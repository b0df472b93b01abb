//! Tests of Minishogi: games recorded by two programs, mates, repetition and texts.

use crate::bad_input::{refused, same};
use crate::data::{csv_rows, jsonl};
use crate::recorded::{FairyGame, LudiiGame, Replay, winner};
use proofwood::{Game, Rng, Turn};
use proofwood_games::minishogi::{Move, State};
use proofwood_games::{Minishogi, perft};
use std::collections::BTreeSet;

/// Replays games from Ludii, where promotion is a separate ply: after a step, the same player
/// promotes or passes. Here the step and the promotion are one move, written with `+`. A pawn
/// promotes at once in Ludii, too.
#[test]
fn ludii() {
    let game = Minishogi::default();
    let games: Vec<LudiiGame> = jsonl("playouts_ludii/minishogi.jsonl");
    assert!(!games.is_empty());
    for record in games {
        let mut replay = Replay::new(&game);
        let mut plies = record.plies.iter().enumerate().peekable();
        while let Some((ply, theirs)) = plies.next() {
            let at = format!("game {} ply {ply}", record.id);
            assert_eq!(replay.board(), ludii_board(&theirs.board), "{at}");
            assert_eq!(game.turn(&replay.state), Turn::Player(theirs.player - 1), "{at}");
            let legal: BTreeSet<String> = theirs.legal.iter().map(|mv| ludii_move(mv)).collect();
            let moves: BTreeSet<String> =
                replay.moves().iter().map(|mv| mv.trim_end_matches('+').to_string()).collect();
            assert_eq!(moves, legal, "{at}");
            let mut played = ludii_move(&theirs.played);
            let choice = plies.next_if(|(_, next)| next.player == theirs.player);
            let promoting = format!("{played}+");
            let both = [&played, &promoting].iter().all(|mv| replay.moves().contains(*mv));
            if let Some((_, choice)) = choice {
                assert!(both && choice.legal.len() == 2, "{at}");
                if choice.played != "pass" {
                    played = promoting;
                }
            }
            replay.play(&played);
            // Only a mate ends the game before the choice.
            assert!(choice.is_some() == both || replay.is_over(), "{at}");
        }
        let at = format!("game {}", record.id);
        assert!(replay.is_over(), "{at}");
        assert_eq!(replay.board(), ludii_board(&record.end.board), "{at}");
        assert_eq!(winner(&game, &replay.state), record.end.winner, "{at}");
    }
}

/// Converts a move. In Ludii, the 25 cells are followed by each player's pieces in hand, in the
/// order P, S, R, B, G.
fn ludii_move(text: &str) -> String {
    let cell = |site: &str| {
        let site: u8 = site.parse().expect(site);
        format!("{}{}", char::from(b'a' + site % 5), site / 5 + 1)
    };
    let (from, to) = text.split_once('-').expect(text);
    match from.parse::<usize>().expect(text).checked_sub(25) {
        None => cell(from) + &cell(to),
        Some(hand) => format!("{}@{}", ["P", "S", "R", "B", "G"][hand % 5], cell(to)),
    }
}

/// Converts a board. In Ludii, components 1, 3, 5 and so on are the first player's pieces in the
/// order of `PIECES`, and components 2, 4, 6 and so on are the second player's.
fn ludii_board(board: &str) -> String {
    const PIECES: [&str; 10] = ["K", "P", "S", "R", "B", "G", "+P", "+S", "+R", "+B"];
    let piece = |number: &str| {
        let number: usize = number.parse().expect(number);
        let piece = PIECES[(number - 1) / 2];
        if number.is_multiple_of(2) { piece.to_lowercase() } else { piece.to_string() }
    };
    let mut parts = board.split('|');
    let cells: Vec<&str> = parts.next().expect("a board").split(',').collect();
    let mut text = String::new();
    for row in cells.chunks(5).rev() {
        let mut empty = 0;
        for &cell in row.iter().chain([&"end"]) {
            if cell == "." {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text += &empty.to_string();
                empty = 0;
            }
            if cell != "end" {
                text += &piece(cell);
            }
        }
    }
    text += "[";
    for hand in parts {
        let piles: Vec<&str> = hand.split(',').collect();
        // Our text lists the hands in the order G, P, S, R, B.
        for pile in [4, 0, 1, 2, 3].map(|place| piles[place]).into_iter().filter(|p| *p != ".") {
            let (number, count) = pile.split_once('x').unwrap_or((pile, "1"));
            text += &piece(number).repeat(count.parse().expect(pile));
        }
    }
    text + "]"
}

/// Compares games with those of Fairy-Stockfish, whose rules include sennichite; the plain rules
/// differ only at the fourth repetition. The boards come from the plain rules, whose positions have
/// no history. In Fairy-Stockfish a player may mate with a dropped pawn but then loses at once;
/// here such a drop is illegal.
fn fairy(name: &str) -> usize {
    let (game, plain) = (Minishogi::new(true), Minishogi::default());
    let games: Vec<FairyGame> = jsonl(&format!("playouts_fairy/{name}.jsonl"));
    assert!(!games.is_empty());
    let mut repetitions = 0;
    'games: for record in games {
        let (mut replay, mut boards) = (Replay::new(&game), Replay::new(&plain));
        for (ply, text) in record.moves.iter().enumerate() {
            let at = format!("{name} game {} ply {ply}", record.id);
            assert!(!replay.is_over(), "{at}");
            let mut moves = replay.moves();
            assert_eq!(boards.moves(), moves, "{at}");
            let mates = pawn_drop_mates(&plain, &boards.state);
            moves.extend(mates.iter().cloned());
            assert_eq!(moves.len(), record.n_legal[ply], "{at}");
            if let Some(legal) = record.legal(ply) {
                assert_eq!(moves, legal.iter().cloned().collect(), "{at}");
            }
            if let Some(fens) = &record.fens {
                assert_eq!(boards.board(), fairy_board(&fens[ply]), "{at}");
            }
            if mates.contains(text) {
                assert_eq!(ply + 1, record.moves.len(), "{at}");
                assert_eq!(record.result, ["0-1", "1-0"][ply % 2], "{at}");
                continue 'games;
            }
            replay.play(text);
            boards.play(text);
        }
        let at = format!("{name} game {}", record.id);
        assert_eq!(boards.board(), fairy_board(&record.final_fen), "{at}");
        assert_eq!(replay.is_over(), record.end == "game_over", "{at}");
        if replay.is_over() {
            let result = ["1/2-1/2", "1-0", "0-1"][winner(&game, &replay.state)];
            assert_eq!(result, record.result, "{at}");
        }
        repetitions += usize::from(replay.is_over() && !boards.is_over());
    }
    repetitions
}

/// Returns the pawn drops that would mate, which are illegal here. To find them, this function adds
/// a pawn on each empty cell to the text of the board, and parses the text with the other side to
/// move.
fn pawn_drop_mates(plain: &Minishogi, state: &State) -> BTreeSet<String> {
    let text = plain.state_text(state);
    let (board, rest) = text.split_once('[').expect("hands");
    let (hands, rest) = rest.split_once(']').expect("hands");
    let (pawn, next) = if rest.starts_with(" w") { ("P", "b") } else { ("p", "w") };
    if !hands.contains(pawn) {
        return BTreeSet::new();
    }
    let hands = hands.replacen(pawn, "", 1);
    let board = cells_of(board);
    let mut mates = BTreeSet::new();
    for cell in (0..board.len()).filter(|&cell| board[cell] == ".") {
        let mut board = board.clone();
        board[cell] = pawn.to_string();
        let rows: Vec<String> = board.chunks(5).map(|row| row.concat()).collect();
        let after = plain.parse_state(&format!("{}[{hands}] {next}", rows.join("/")));
        if after.is_ok_and(|after| plain.turn(&after) == Turn::Over) {
            mates.insert(format!("P@{}{}", char::from(b'a' + cell as u8 % 5), 5 - cell / 5));
        }
    }
    mates
}

fn cells_of(board: &str) -> Vec<String> {
    let mut cells = Vec::new();
    let mut plus = "";
    for c in board.chars() {
        match (c, c.to_digit(10)) {
            ('/', _) => {}
            ('+', _) => plus = "+",
            (_, Some(run)) => cells.extend((0..run).map(|_| ".".to_string())),
            (piece, None) => cells.push(format!("{}{piece}", std::mem::take(&mut plus))),
        }
    }
    cells
}

fn fairy_board(fen: &str) -> String {
    fen.split(' ').next().expect(fen).replace('/', "")
}

#[test]
fn fairy_stockfish() {
    fairy("minishogi");
}

#[test]
fn fairy_stockfish_repetitions() {
    assert!(fairy("minishogi_repetition") >= 20);
}

#[test]
fn perft_ludii() {
    let rows = csv_rows("perft/ludii_perft.csv");
    let row = rows.iter().find(|row| row[0] == "minishogi" && row[1].contains("within"));
    // The last two depths need a release build.
    let depths = if cfg!(debug_assertions) { 4 } else { 6 };
    let counts: Vec<&String> = row.expect("a row")[2..].iter().filter(|c| !c.is_empty()).collect();
    assert_eq!(counts.len(), 6);
    for sennichite in [false, true] {
        let game = Minishogi::new(sennichite);
        for (depth, count) in (1..).zip(&counts[..depths]) {
            assert_eq!(perft(&game, &game.initial_state(), depth).to_string(), **count);
        }
    }
}

#[test]
fn perft_fairy_stockfish() {
    let game = Minishogi::default();
    let rows = csv_rows("perft/perft_start.csv");
    let rows = rows.iter().filter(|row| row[0] == "fairy-stockfish" && row[1] == "minishogi");
    let depths = if cfg!(debug_assertions) { 4 } else { 5 };
    let mut checked = 0;
    for row in rows.take(depths) {
        let start = game.parse_state(&row[2]).unwrap();
        assert_eq!(game.state_text(&start), game.state_text(&game.initial_state()));
        assert_eq!(perft(&game, &start, row[3].parse().unwrap()).to_string(), row[4]);
        checked += 1;
    }
    assert_eq!(checked, depths);
}

fn moves_of(game: &Minishogi, state: &State) -> Vec<Move> {
    let mut moves = Vec::new();
    if game.turn(state) != Turn::Over {
        game.legal_moves(state, &mut moves);
    }
    moves
}

/// Returns whether `mv` mates within `moves` moves against any defence; with `pawn_drops`, also by
/// dropping a pawn.
fn wins(game: &Minishogi, state: &State, mv: Move, moves: u32, pawn_drops: bool) -> bool {
    let Turn::Player(mover) = game.turn(state) else { return false };
    let next = game.after(state, mv);
    if game.turn(&next) == Turn::Over {
        return game.payoff(&next, mover) > 0;
    }
    let can_win = |state: &State| {
        moves_of(game, state).into_iter().any(|mv| wins(game, state, mv, moves - 1, pawn_drops))
            || pawn_drops && !pawn_drop_mates(game, state).is_empty()
    };
    moves > 1 && moves_of(game, &next).into_iter().all(|reply| can_win(&game.after(&next, reply)))
}

fn winning(game: &Minishogi, state: &State, moves: u32, pawn_drops: bool) -> BTreeSet<String> {
    let won =
        moves_of(game, state).into_iter().filter(|&mv| wins(game, state, mv, moves, pawn_drops));
    let won: BTreeSet<String> = won.map(|mv| game.move_text(state, mv)).collect();
    if pawn_drops { &won | &pawn_drop_mates(game, state) } else { won }
}

/// Compares mates with those of Fairy-Stockfish, for which a mate by a dropped pawn counts: if the
/// mating moves differ from those here, such a mate must be the reason. No position repeats in
/// these mates, so the plain rules apply.
#[test]
fn mates() {
    let game = Minishogi::default();
    let (longest, all) = if cfg!(debug_assertions) { (2, 50) } else { (3, 70) };
    let (mut checked, mut by_pawn_drops) = (0, 0);
    for row in csv_rows("mates/minishogi.csv") {
        let moves: u32 = row[3].parse().unwrap();
        if moves > longest {
            continue;
        }
        let state = game.parse_state(&row[1]).unwrap();
        let mover = ["white", "black"].iter().position(|side| *side == row[2]).unwrap();
        assert_eq!(game.turn(&state), Turn::Player(mover), "{row:?}");
        let legal = moves_of(&game, &state).len() + pawn_drop_mates(&game, &state).len();
        assert_eq!(legal.to_string(), row[5], "{row:?}");
        let sooner = (1..moves).any(|moves| !winning(&game, &state, moves, false).is_empty());
        assert!(!sooner, "{row:?}");
        let theirs: BTreeSet<String> = row[4].split(' ').map(str::to_string).collect();
        if winning(&game, &state, moves, false) != theirs {
            assert_eq!(winning(&game, &state, moves, true), theirs, "{row:?}");
            by_pawn_drops += 1;
        }
        checked += 1;
    }
    assert_eq!((checked, by_pawn_drops), (all, 1));
}

#[test]
fn positions() {
    let game = Minishogi::default();
    refused(
        &game,
        &[
            ("", "the position has 1 row separated by '/'; the board has 5"),
            (
                "rbsgk/4p/5/P4/KGSBR",
                "the pieces in hand are missing; add them in brackets after the board, or [] for \
                 none",
            ),
            (
                "rbsgk/4p/5/P4/KGSBR w",
                "the pieces in hand are missing; add them in brackets after the board, or [] for \
                 none",
            ),
            (
                "rbsgk/4p/5/P4/KGSBR w - - 0 1",
                "the pieces in hand are missing; add them in brackets after the board, or [] for \
                 none",
            ),
            ("rbsgk/4p/5/P4/KGSBR[", "the bracket before the pieces in hand is not closed"),
            (
                "rbsgk/4p/5/P4/KGSBR[]",
                "the side to move is missing; expected w for Sente or b for Gote",
            ),
            (
                "rbsgk/4p/5/P4/KGSBR[] x",
                "'x' is not a side to move; expected w for Sente or b for Gote",
            ),
            ("rbsgk/4p/5/P4/KGSBR[] w - - 0 1 2", "unexpected '2' after the position"),
            ("rbsgk/4p/5/P4/KGSBR[] w KQ - 0 1", "unexpected 'KQ' after the position"),
            ("rbsgk/4p/5/P4/KGSBR[K] w", "'K' cannot be in hand; only G, P, S, R and B can"),
            (
                "rbsgk/4p/5/P4/KGSBR[g] w",
                "there are 3 G on the board and in hand; the game has only two",
            ),
            ("rbsgk/4p/5/P4/KGSBR[3P] w", "3 P cannot be in hand; there are only two of each kind"),
            ("rbsgk/4p/5/P4/KGSB1[0R] w", "0 R cannot be in hand; there are only two of each kind"),
            (
                "rbsgk/4p/5/P4/KGSB1[R2] w",
                "the number 2 among the pieces in hand must be followed by a piece",
            ),
            (
                "rbsgk/4p/5/P4/KGSBQ[] w",
                "'Q' in row 5 from the top, column 5, is not a piece; expected K, G, S, B, R or P, \
                 with + before S, B, R or P if promoted, lower-case for Gote",
            ),
            (
                "rbsgk/4p/5/P4/KGSB+[] w",
                "'+' in row 5 from the top, column 5, is not a piece; expected K, G, S, B, R or P, \
                 with + before S, B, R or P if promoted, lower-case for Gote",
            ),
            (
                "rbsgk/4p/5/P4/K+GSBR[] w",
                "'+' in row 5 from the top, column 2, is not a piece; expected K, G, S, B, R or P, \
                 with + before S, B, R or P if promoted, lower-case for Gote",
            ),
            ("rbsgk/4p/5/P4/KKSBR[G] w", "Sente has 2 kings (K), but must have one"),
            ("rbsg1/4p/5/P4/KGSBR[] w", "Gote has 0 kings (k), but must have one"),
            (
                "rbsgk/4p/2g2/P4/KGSBR[] w",
                "there are 3 G on the board and in hand; the game has only two",
            ),
            (
                "rbsgk/4p/2+P2/P4/KGSBR[] w",
                "there are 3 P on the board and in hand; the game has only two",
            ),
            ("rbsgk/5/P4/P4/KGSBR[] w", "Sente has two pawns in column a; only one is allowed"),
            ("Pbsgk/4p/5/5/KGSBR[r] w", "the pawn on a5 is on the last row and must be promoted"),
            ("rbsgk/5/5/P4/KGSBp[R] b", "the pawn on e1 is on the last row and must be promoted"),
            ("rbsgk/4R/5/P4/KGSB1[p] w", "Gote is in check, but Sente is to move"),
            ("5/5/2kK1/5/5[] b", "Sente is in check, but Gote is to move"),
            (
                "rbsgk/4p/5/P4/KGSBR[] w - - 0 1 moves e1e2 e1e2",
                "move 2: 'e1e2' is not a legal move here; legal moves: e5d4 d5c4 d5d4 e4e3 c5b4 \
                 c5c4 c5d4 a5a2 a5a3 a5a4 b5e2 b5d3 b5a4 b5c4",
            ),
            (
                "startpos moves a1a5",
                "move 1: 'a1a5' is not a legal move here; legal moves: a1b2 b1b2 b1c2 a2a3 c1b2 \
                 c1c2 c1d2 e1e2 e1e3 e1e4 d1c2 d1e2 d1b3 d1a4",
            ),
        ],
    );
    let text = "rs1gk/2b2/5/P4/KGS1R[Bp] b - - 0 1";
    same(
        &game,
        text,
        &[
            "rs1gk/2b2/5/P4/KGS1R[Bp] b",
            "rs1gk/2b2/5/P4/KGS1R[pB] B - - 7 12",
            " rs.gk/2b2/..---/P4/KGS1R [ 1B p ] b 0 1",
            "rs1gk/2b2/5/P4/KGS1R w Bp 5",
            "rs1gk/2b2/5/P4/KGS1R w 1B1p",
        ],
    );
    same(
        &game,
        &game.state_text(&game.initial_state()),
        &["startpos", "rbsgk/4p/5/P4/KGSBR b - 1", "rbsgk/4p/5/P4/KGSBR[-] w 0 1"],
    );
    let played = "rbsgk/5/4p/P3R/KGSB1[] w - - 0 1";
    same(
        &game,
        played,
        &["startpos moves e1e2 e4e3", "rbsgk/4p/5/P4/KGSBR[]\nw moves E1-E2, e4xe3"],
    );
}

#[test]
fn moves() {
    let game = Minishogi::default();
    // White has a pawn that must promote, a rook that may promote, and a pawn and a bishop in hand.
    let state = game.parse_state("1k3/P3R/5/5/K4[PB] w").unwrap();
    let mv = |text: &str| game.parse_move(&state, text).map(|mv| game.move_text(&state, mv));
    for (text, written) in [
        ("a4a5", "a4a5+"),
        ("A4-A5+", "a4a5+"),
        ("a4xb5", ""),
        ("e4e5", "e4e5"),
        ("e4e5=", "e4e5"),
        ("e4-e5+", "e4e5+"),
        ("e4e2", "e4e2"),
        ("e4xe2", "e4e2"),
        ("e4e3+", ""),
        ("e4e5++", ""),
        ("P@b3", "P@b3"),
        ("p*B3", "P@b3"),
        ("P@a3", ""),
        ("P@c5", ""),
        ("B@c5", "B@c5"),
        ("b*c5", "B@c5"),
        ("R@c5", ""),
        ("B@c6", ""),
        ("B@c5+", ""),
        ("B@", ""),
        ("@c5", ""),
        ("pass", ""),
    ] {
        match mv(text) {
            Ok(read) => assert_eq!(read, written, "{text}"),
            Err(error) => {
                assert_eq!(written, "", "{text}");
                let start = format!("'{text}' is not a legal move here; legal moves: a1b1 ");
                assert!(error.to_string().starts_with(&start), "{error}");
            }
        }
    }
}

#[test]
fn sennichite_texts() {
    let game = Minishogi::new(true);
    let round = " e1e2 a5a4 e2e1 a4a5";
    let start = "rbsgk/4p/5/P4/KGSBR[] w - - 0 1";
    let thrice = format!("{start} moves{}", round.repeat(2));
    same(&game, start, &["startpos", "rbsgk/4p/5/P4/KGSBR b -"]);
    same(&game, &thrice, &[&format!("startpos moves{}", round.repeat(2).replace(" a5", " , A5"))]);
    let state = game.parse_state(&thrice).unwrap();
    assert_eq!((game.turn(&state), game.key(&state)), (Turn::Player(0), None));
    let last = game.parse_state(&(thrice + round)).unwrap();
    assert_eq!((game.turn(&last), game.payoff(&last, 0)), (Turn::Over, -1));
    let text = format!("startpos moves{} e1e2", round.repeat(3));
    refused(&game, &[(&text, "move 13: the game is over before the move 'e1e2'")]);
}

#[test]
fn sennichite_forgets() {
    let game = Minishogi::new(true);
    let mut rng = Rng::new(2);
    let (mut longest, mut forgetful) = (0, 0);
    while forgetful < 2 {
        let mut state = game.initial_state();
        let mut plies = 0;
        while game.turn(&state) != Turn::Over {
            let mv = game.random_move(&state, &mut Vec::new(), &mut rng).expect("a move");
            game.play(&mut state, mv);
            plies += 1;
            if plies > 510 {
                let text = game.state_text(&state);
                let written = text.split(" moves ").nth(1).map_or(0, |m| m.split(' ').count());
                assert_eq!(written, if plies <= 512 { plies } else { 257 + (plies - 1) % 256 });
                let read = game.parse_state(&text).unwrap();
                assert_eq!(game.state_text(&read), text);
                assert_eq!(game.turn(&read), game.turn(&state));
                forgetful += usize::from(plies == 513);
            }
        }
        longest = longest.max(plies);
    }
    assert!(longest > 512);
}
