//! Tests of proofs that continue from a checkpoint.

use proofwood::inspect::SavedError;
use proofwood::{
    Algorithm, Budget, Game, Outcome, ProofGoal, ProofReport, ProofSearch, ProverConfig, Turn,
    Value,
};
use proofwood_games::{ConnectFour, Othello};
use proofwood_testkit::graph::Graph;
use proofwood_testkit::oracle::Solution;
use proofwood_testkit::random_game::RandomGame;
use proofwood_testkit::rounds::rounds;
use proofwood_testkit::toy::toy;
use std::time::Duration;

fn new<G: Game + Clone>(game: &G, config: &ProverConfig) -> ProofSearch<G> {
    ProofSearch::new(game.clone(), game.initial_state(), config.clone()).expect("a configuration")
}

fn saved<G: Game>(search: &ProofSearch<G>) -> Vec<u8> {
    let mut file = Vec::new();
    search.save("a game", &mut file).expect("memory");
    file
}

/// Proves the start of a game in short runs, each of which loads the checkpoint of the previous
/// one.
fn in_pieces<G: Game + Clone>(game: &G, config: &ProverConfig, nodes: u64) -> ProofReport<G> {
    let mut file: Option<Vec<u8>> = None;
    for piece in 0..40 {
        let mut search = new(game, config);
        if let Some(file) = &file {
            search.load("a game", &file[..]).expect("its own file");
        }
        // Entries that the table cannot hold must be recomputed within a run, so the runs grow.
        let budget = Budget::default().nodes(nodes << piece);
        let report = search.search(&budget).expect("a sound game");
        if report.solved {
            return report;
        }
        file = Some(saved(&search));
    }
    panic!("it does not end: {config:?}")
}

fn table_provers() -> impl Iterator<Item = Algorithm> {
    Algorithm::ALL.iter().copied().filter(|algorithm| algorithm.has_table())
}

#[test]
fn proofs_in_pieces_are_right() {
    for seed in 0..rounds(300) {
        let game = RandomGame::new(seed);
        let root = game.initial_state();
        // Positions without a key have no checkpoints.
        if game.turn(&root) == Turn::Over || game.key(&root).is_none() {
            continue;
        }
        let truth = Solution::of(&game, &game.initial_state()).root;
        for algorithm in table_provers() {
            let config = ProverConfig::default()
                .algorithm(algorithm)
                .goal(ProofGoal::Score)
                .threads(1 + seed as usize % 2)
                .playouts_per_leaf(2)
                .table(1 << 16);
            let report = in_pieces(&game, &config, 5);
            assert_eq!(report.bounds.exact(), Some(truth.scores[report.player]), "seed {seed}");
        }
    }
}

#[test]
fn circles_in_pieces_are_right() {
    for seed in 0..rounds(400) {
        let game = Graph::new(seed);
        if game.turn(&game.initial_state()) == Turn::Over {
            continue;
        }
        for algorithm in table_provers() {
            let config = ProverConfig::default()
                .algorithm(algorithm)
                .goal(ProofGoal::Win)
                .player(0)
                .threads(1)
                .table(1 << 16);
            let report = in_pieces(&toy(game.clone()).0, &config, 3);
            let win = proofwood::prover::Question::threshold(&game, 0, Outcome::Win);
            let wins = win.is_some_and(|win| game.secures(0, win)[0]);
            assert_eq!(report.proven == Value::Win, wins, "seed {seed}");
        }
    }
}

#[test]
fn a_proof_goes_on_where_it_was() {
    let game = Othello::new(4, false).expect("a board");
    let config = ProverConfig::default().goal(ProofGoal::Score).threads(1).table(16 << 20);
    let whole = new(&game, &config).search(&Budget::default()).expect("a sound game");
    assert_eq!(whole.bounds.exact(), Some(-8));
    let mut first = new(&game, &config);
    let most = whole.effort.nodes * 3 / 4;
    assert!(!first.search(&Budget::default().nodes(most)).expect("a sound game").solved);
    let mut second = new(&game, &config);
    second.load("a game", &saved(&first)[..]).expect("its own file");
    let rest = second.search(&Budget::default()).expect("a sound game");
    assert_eq!(rest.bounds.exact(), Some(-8));
    assert!(rest.effort.nodes < whole.effort.nodes / 2, "{rest:?} after {whole:?}");
    // A finished proof is available at once.
    let mut third = new(&game, &config);
    third.load("a game", &saved(&second)[..]).expect("its own file");
    let known = third.search(&Budget::default()).expect("a sound game");
    assert_eq!(known.bounds.exact(), Some(-8));
    assert!(known.effort.nodes < 1000, "{known:?}");
}

#[test]
fn checkpoints_are_taken_while_threads_work() {
    let game = ConnectFour::new(5, 4, 4).expect("a board");
    let config = ProverConfig::default().threads(4).table(1 << 20);
    let answer = new(&game, &config).search(&Budget::default()).expect("a sound game").proven;
    let mut search = new(&game, &config);
    search.start(&Budget::default()).expect("a budget");
    let mut files = Vec::new();
    while search.is_running() && files.len() < 20 {
        files.push(saved(&search));
        std::thread::sleep(Duration::from_millis(2));
    }
    search.wait().expect("a sound game");
    assert!(!files.is_empty());
    for file in &files {
        let mut search = new(&game, &config);
        search.load("a game", &file[..]).expect("its own file");
        let report = search.search(&Budget::default()).expect("a sound game");
        assert_eq!(report.proven, answer);
    }
}

#[test]
fn damaged_and_foreign_checkpoints_are_refused() {
    let game = ConnectFour::new(4, 4, 4).expect("a board");
    let config = ProverConfig::default().threads(1).table(1 << 12);
    let mut search = new(&game, &config);
    search.search(&Budget::default().nodes(2000)).expect("a sound game");
    let file = saved(&search);
    let refuse = |file: &[u8]| -> String {
        new(&game, &config).load("a game", file).expect_err("it is bad").to_string()
    };
    for length in (0..file.len()).step_by(7) {
        refuse(&file[..length]);
    }
    assert_eq!(refuse(&file[..file.len() - 1]), "the file is truncated");
    assert_eq!(
        refuse(&[&file[..], b"x"].concat()),
        "the file is damaged: data follows its checksum"
    );
    for at in (0..file.len()).step_by(11) {
        let mut changed = file.clone();
        changed[at] ^= 1;
        refuse(&changed);
    }
    assert_eq!(refuse(b"a text\n"), "the file does not begin with 'proofwood-checkpoint'");
    let error = new(&game, &config).load("another game", &file[..]).expect_err("foreign");
    assert!(matches!(&error, SavedError::Foreign { what, .. } if what == "the game"), "{error}");
    let after = game.after(&game.initial_state(), 1);
    let mut elsewhere = ProofSearch::new(game.clone(), after, config.clone()).expect("a position");
    let error = elsewhere.load("a game", &file[..]).expect_err("foreign").to_string();
    assert!(error.starts_with("the file was saved with the position"), "{error}");
    let text = String::from_utf8_lossy(&file).replace("proofwood 0.", "proofwood 9.");
    assert!(
        refuse(text.as_bytes()).starts_with("the file was saved with the program 'proofwood 9.")
    );
}

/// Several threads pack and unpack a table of several blocks.
#[test]
fn large_tables_come_back_as_they_were() {
    let game = ConnectFour::new(6, 5, 4).expect("a board");
    let config = ProverConfig::default().algorithm(Algorithm::Dfpn).table(16 << 20);
    let mut search = new(&game, &config.clone().threads(3));
    search.search(&Budget::default().nodes(300_000)).expect("a sound game");
    let file = saved(&search);
    let load = |threads: usize, file: &[u8]| {
        let mut search = new(&game, &config.clone().threads(threads));
        search.load("a game", file).map(|()| saved(&search))
    };
    // The first load may change the order of the entries in a bucket.
    let file = load(1, &file).expect("its own file");
    for threads in [1, 2, 5] {
        assert!(load(threads, &file).expect("its own file") == file, "{threads} threads");
    }
    for at in (0..file.len()).step_by(file.len() / 60) {
        let mut changed = file.clone();
        changed[at] ^= 1 << (at % 8);
        load(2, &changed).expect_err("a bit is wrong");
        load(2, &file[..at]).expect_err("the file is truncated");
    }
    // The file has at least two blocks, and is refused with them in another order.
    let text = file.windows(2).position(|two| two == b"\n\n").expect("a header") + 2 + 8;
    let length = |at: usize| {
        let bytes = file[at..at + 4].try_into().expect("four bytes");
        4 + u32::from_le_bytes(bytes) as usize
    };
    let second = text + length(text);
    let third = second + length(second);
    assert!(third + 32 <= file.len());
    let swapped = [&file[..text], &file[second..third], &file[text..second], &file[third..]];
    let error = load(2, &swapped.concat()).expect_err("its blocks are out of order").to_string();
    assert_eq!(error, "the file is damaged: its checksum is wrong");
}

/// A game of two moves whose payoffs depend on heads or tails.
#[derive(Clone, Debug)]
struct Toss {
    /// Player 0's payoffs after heads and tails, and then player 1's.
    pays: [[i32; 2]; 2],
    chance: bool,
    hashed: bool,
}

impl Game for Toss {
    type State = u32;
    type Move = u8;

    fn initial_state(&self) -> u32 {
        1
    }
    fn turn(&self, &state: &u32) -> Turn {
        match state {
            1 => Turn::Player(0),
            2..=3 if self.chance => Turn::Chance,
            2..=3 => Turn::Player(1),
            _ => Turn::Over,
        }
    }
    fn legal_moves(&self, _: &u32, moves: &mut Vec<u8>) {
        moves.extend([0, 1]);
    }
    fn play(&self, state: &mut u32, mv: u8) {
        *state = *state * 2 + u32::from(mv);
    }
    fn payoff(&self, &state: &u32, player: usize) -> i32 {
        self.pays[player][state as usize % 2]
    }
    fn zero_sum(&self) -> bool {
        self.pays[0].iter().zip(&self.pays[1]).all(|(own, other)| own + other == 0)
    }
    fn has_chance(&self) -> bool {
        self.chance
    }
    fn payoff_range(&self, _: usize) -> std::ops::RangeInclusive<i32> {
        -1..=1
    }
    fn key(&self, &state: &u32) -> Option<u64> {
        self.hashed.then(|| u64::from(state).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

/// Values proven for one player do not hold for another, except in two-player zero-sum games
/// without chance. The entries about the two have different keys, and a checkpoint about one player
/// is refused for the other.
#[test]
fn a_checkpoint_about_another_player_is_refused() {
    let games = [
        // The payoffs do not always sum to zero.
        Toss { pays: [[1, 1], [-1, 0]], chance: false, hashed: true },
        Toss { pays: [[1, -1], [-1, 1]], chance: true, hashed: true },
    ];
    for game in games {
        let (game, _) = toy(game);
        let config = ProverConfig::default().threads(1).table(1 << 16).goal(ProofGoal::Win);
        let mut first = new(&game, &config.clone().player(0));
        first.search(&Budget::default()).expect("a sound game");
        let file = saved(&first);
        let mut second = new(&game, &config.clone().player(1));
        let error = second.load("a game", &file[..]).expect_err("of another player").to_string();
        assert_eq!(error, "the file was saved with the player 'player 0', not 'player 1'");
        let mut again = new(&game, &config.player(0));
        again.load("a game", &file[..]).expect("its own file");
    }
    // With two players, zero sum and no chance, one file serves both players.
    let (game, _) = toy(Toss { pays: [[1, -1], [-1, 1]], chance: false, hashed: true });
    let config = ProverConfig::default().threads(1).table(1 << 16);
    let mut first = new(&game, &config.clone().player(0));
    assert_eq!(first.search(&Budget::default()).expect("a sound game").proven, Value::Loss);
    let mut second = new(&game, &config.player(1));
    second.load("a game", &saved(&first)[..]).expect("it serves both");
    assert_eq!(second.search(&Budget::default()).expect("a sound game").proven, Value::Win);
}

#[test]
fn players_share_no_entries_where_they_must_not() {
    for seed in 0..rounds(400) {
        let game = RandomGame::with_players(seed, 2 + seed as usize % 2);
        let root = game.initial_state();
        if game.turn(&root) == Turn::Over {
            continue;
        }
        let truth = Solution::of(&game, &root).root;
        let config = ProverConfig::default().threads(1).table(1 << 16).goal(ProofGoal::Score);
        let mut file: Option<Vec<u8>> = None;
        for player in 0..game.players {
            let mut search = new(&game, &config.clone().player(player));
            if let Some(file) = &file {
                // The file may be refused or used, but no answer is wrong.
                let _ = search.load("a game", &file[..]);
            }
            let report = search.search(&Budget::default()).expect("a sound game");
            let what = format!("player {player} of seed {seed}");
            assert_eq!(report.bounds.exact(), Some(truth.scores[player]), "{what}");
            file = search.can_be_saved().is_ok().then(|| saved(&search));
        }
    }
}

/// Without keys a checkpoint cannot identify the position that it belongs to.
#[test]
fn positions_without_a_hash_have_no_checkpoints() {
    let nameless = Toss { pays: [[1, -1], [-1, 1]], chance: false, hashed: false };
    let (game, _) = toy(nameless.clone());
    let config = ProverConfig::default().threads(1).table(1 << 16);
    let mut search = new(&game, &config);
    search.search(&Budget::default()).expect("a sound game");
    assert!(matches!(search.can_be_saved(), Err(SavedError::Unidentified)));
    let mut file = Vec::new();
    let error = search.save("a game", &mut file).expect_err("no hash");
    assert!(matches!(error, SavedError::Unidentified) && file.is_empty(), "{error}");
    let (hashed, _) = toy(Toss { hashed: true, ..nameless });
    let mut other = new(&hashed, &config);
    other.search(&Budget::default()).expect("a sound game");
    let error = search.load("a game", &saved(&other)[..]).expect_err("no hash");
    assert!(matches!(error, SavedError::Unidentified), "{error}");
}

/// A checkpoint made with static bounds is refused by a search without them.
#[test]
fn foresight_is_told_apart() {
    let game = ConnectFour::new(4, 4, 4).expect("a board");
    let config = ProverConfig::default().threads(1).table(1 << 12);
    let mut search = new(&game, &config);
    search.search(&Budget::default().nodes(2000)).expect("a sound game");
    let mut doubter = new(&game, &config.foresight(false));
    let error = doubter.load("a game", &saved(&search)[..]).expect_err("it was believed");
    assert!(matches!(&error, SavedError::Foreign { what, .. } if what == "foresight"), "{error}");
}

/// With symmetries entries are stored under the canonical key, so checkpoints with and without them
/// do not mix.
#[test]
fn symmetries_are_told_apart() {
    let game = ConnectFour::new(4, 4, 4).expect("a board");
    let config = ProverConfig::default().threads(1).table(1 << 12);
    let of = |symmetries| new(&game, &config.clone().symmetries(symmetries));
    for used in [true, false] {
        let mut search = of(used);
        search.search(&Budget::default().nodes(2000)).expect("a sound game");
        let file = saved(&search);
        of(used).load("a game", &file[..]).expect("its own file");
        let error = of(!used).load("a game", &file[..]).expect_err("other keys");
        assert!(
            matches!(&error, SavedError::Foreign { what, .. } if what == "symmetries"),
            "{error}"
        );
    }
}

/// Results of another goal usually shorten proofs, but a few proofs become longer, since entries
/// that do not answer the new question take up memory.
#[test]
fn what_is_known_makes_proofs_shorter() {
    let (mut fresh_nodes, mut nodes, mut longer, mut games) = (0, 0, 0, 0);
    for seed in 0..rounds(3000) {
        let game = Graph::new(seed);
        if game.turn(&0) == Turn::Over || !game.zero_sum() {
            continue;
        }
        let (game, _) = toy(game);
        let config = |goal| ProverConfig::default().threads(1).table(1 << 20).player(0).goal(goal);
        let mut outcome = new(&game, &config(ProofGoal::Outcome));
        outcome.search(&Budget::default()).expect("a sound game");
        let fresh = new(&game, &config(ProofGoal::Score)).search(&Budget::default());
        let fresh = fresh.expect("a sound game").effort.nodes;
        let mut after = new(&game, &config(ProofGoal::Score));
        after.load("a game", &saved(&outcome)[..]).expect("its own file");
        let after = after.search(&Budget::default()).expect("a sound game").effort.nodes;
        (fresh_nodes, nodes, games) = (fresh_nodes + fresh, nodes + after, games + 1);
        longer += usize::from(after > fresh);
    }
    assert!(nodes * 10 < fresh_nodes * 9, "{nodes} nodes, {fresh_nodes} without the files");
    assert!(longer * 100 < games, "{longer} of {games} proofs are longer");
}
