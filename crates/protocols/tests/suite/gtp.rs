//! Tests GTP: games, boards, analysis and clocks.

use crate::client::run_with_input;

#[test]
fn a_finished_game_takes_passes_and_gives_them_back() {
    let said = "play b a1\nplay w b1\nplay b a2\nplay w b2\nplay b a3\n\
        genmove w\nplay b pass\nfinal_score\nundo\nundo\nundo\n\
        gogui-rules_side_to_move\nplay b a3\nplay w c3\n";
    let output = run_with_input("gtp tic-tac-toe --playouts 5 --threads 1", said);
    let answers: Vec<&str> = output.split("\n\n").map(str::trim).collect();
    assert_eq!(answers[5..8], ["= pass", "=", "= B+1"]);
    assert_eq!(answers[11..13], ["= black", "="]);
    assert!(answers[13].starts_with("? the game is over"), "{output}");
}

#[test]
fn players_of_hex_change_sides() {
    let output = run_with_input(
        "gtp hex:3 --playouts 20 --threads 1",
        "play w swap-pieces\nplay b a3\nplay w swap-pieces\nproofwood-position\n\
         play w swap-pieces\nundo\nundo\nplay b a3\nplay w swap\nplay w b2\nplay b swap\n",
    );
    let answers: Vec<&str> = output.split("\n\n").map(str::trim).collect();
    // A swap is refused before the first stone, after another swap, and later in the game.
    for at in [0, 4, 10] {
        assert!(answers[at].starts_with('?'), "{at}: {output}");
    }
    assert_eq!(answers[3], "= .../.../X.. O");
    for at in [1, 2, 5, 6, 7, 8, 9] {
        assert_eq!(answers[at], "=", "{at}: {output}");
    }
}

#[test]
fn connect_four_has_a_board_of_points() {
    let output = run_with_input(
        "gtp connect-four --playouts 50 --threads 1",
        "gogui-rules_board_size\nplay b d1\nplay w 4\nplay b d5\nplay b d3\n\
         gogui-rules_legal_moves\ngogui-rules_board\ngenmove w\nproofwood-line\n",
    );
    let answers: Vec<&str> = output.split("\n\n").map(str::trim).collect();
    assert_eq!(answers[..3], ["= 7 6", "=", "="]);
    assert!(answers[3].starts_with("? 'd5' is not a legal move"), "{output}");
    assert_eq!(answers[5], "= a1 b1 c1 d4 e1 f1 g1");
    let rows: Vec<&str> = answers[6].lines().collect();
    assert_eq!(rows[3..], [". . . X . . .", ". . . O . . .", ". . . X . . ."]);
    let is_point = |text: &str| {
        let (column, row) = text.split_at(1);
        ("a"..="g").contains(&column) && (1..=6).contains(&row.parse::<u32>().unwrap())
    };
    assert!(is_point(answers[7].strip_prefix("= ").unwrap()), "{output}");
    assert!(answers[8].strip_prefix("= ").unwrap().split(' ').all(is_point), "{output}");
}

/// Runs commands and returns their answers without the empty lines between them.
fn commands(mouth: &str, said: &str) -> Vec<String> {
    let output = run_with_input(mouth, said);
    output.split_terminator("\n\n").map(|answer| answer.trim().to_string()).collect()
}

#[test]
fn words_behind_an_analysis_are_honoured_or_refused() {
    let mouth = "gtp tic-tac-toe --playouts 400 --threads 1";
    let begin = "play b a1\nplay w b1\nplay b a2\nplay w b2\n";
    let after = |words: &str| {
        let all = commands(mouth, &format!("{begin}{words}\n"));
        all[4].clone()
    };
    let moves = |text: &str| text.matches("info move ").count();
    for words in ["lz-analyze b 1", "kata-analyze 1 ownership true pvVisits true rootInfo false"] {
        let text = after(words);
        assert!(text.starts_with('=') && text.contains("info move a3"), "{words}: {text}");
    }
    for words in ["lz-genmove_analyze b 100 avoid b a3 1", "genmove_analyze b avoid b a3,c1 1"] {
        let text = after(words);
        assert!(text.contains("\nplay ") && !text.contains("move a3"), "{words}: {text}");
        assert!(!text.contains("\nplay a3"), "{words}: {text}");
    }
    let text = after("kata-genmove_analyze b 100 allow b c1,c3 1");
    assert!(text.contains("\nplay c") && !text.contains("move a3"), "{text}");
    for (words, count) in [("maxmoves 2", 2), ("maxmoves 20 minmoves 9", 9)] {
        let text = &commands(mouth, &format!("kata-genmove_analyze b 100 {words}\n"))[0];
        assert_eq!(moves(text.lines().nth(1).unwrap()), count, "{words}: {text}");
    }
    for (words, why) in [
        ("lz-analyze b 10 avoid b a3 5", "depth must be 1"),
        ("lz-analyze avoid w a3 1", "it is black's turn"),
        ("lz-analyze avoid b a1 1", "not a legal move"),
        ("lz-analyze allow b c1 1 avoid b c1 1", "no legal move is left"),
        ("kata-analyze minmoves many", "minmoves needs"),
        ("kata-analyze ownership", "ownership needs"),
        ("kata-analyze nonsense true", "there is no player 'nonsense'"),
    ] {
        let text = after(words);
        assert!(text.starts_with('?') && text.contains(why), "{words}: {text}");
    }
    // The static bound proves the last position, so the report has a move without playouts.
    let foreseen = "play b b2\nplay w a1\nplay b c3\nplay w c1\nplay b a3\nplay w b3\nplay b c2\n";
    let all = commands(mouth, &format!("{foreseen}lz-analyze w 10\n"));
    assert!(all[7].contains("info move "), "{all:?}");
}

#[test]
fn clocks_and_sequences_are_read_in_full() {
    let all = commands(
        "gtp tic-tac-toe --playouts 5",
        "kata-list_time_settings\nkata-time_settings byoyomi 300 30 5\ntime_left b 30 5\n\
         kgs-time_settings none\ntime_left b 0 0\nreg_genmove b\nkata-time_settings fischer 5 5\n\
         kgs-time_settings byoyomi 10 2\ngogui-version 1.6\n\
         gogui-play_sequence b a1 w b1 w a2\ngogui-play_sequence b a2 w b1\nplay w c3\n",
    );
    assert_eq!(all[0], "= none absolute byoyomi canadian");
    assert!(all[6].contains("'fischer' should be"), "{all:?}");
    assert!(all[7].starts_with('?') && all[8] == "=", "{all:?}");
    // A sequence is played completely or not at all.
    assert!(all[9].starts_with('?') && all[10] == "=", "{all:?}");
    assert!(all[11].contains("it is black's turn; undo takes back a move"), "{all:?}");
}
