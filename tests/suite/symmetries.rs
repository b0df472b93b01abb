//! Tests of symmetries: their use by provers, and the detection of wrong ones.

use proofwood::certificate::{Certificate, Root};
use proofwood::rules::RulesFault;
use proofwood::{
    Algorithm, Budget, DomainKnowledge, Game, ProofGoal, ProofSearch, ProverConfig, TextError,
    Turn, Value, check_rules, prove,
};
use proofwood_games::{ConnectFour, Mnk};
use proofwood_testkit::dice::Dice;
use proofwood_testkit::graph::Graph;
use proofwood_testkit::rounds::rounds;
use proofwood_testkit::toy::{Position, Toy, toy};
use std::ops::RangeInclusive;

/// A game on two copies ("sheets") of a graph. A move leads to a place as in the graph, on the same
/// sheet or on the other one; a place's positions on the two sheets are symmetric.
#[derive(Clone)]
struct Sheets {
    graph: Graph,
    mistake: Mistake,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mistake {
    None,
    /// The position given as symmetric is at the next place.
    OtherPlace,
    /// On the second sheet, places with several moves have only the first one.
    FewerMoves,
    /// The second sheet's payoffs have the opposite sign.
    OtherPayoffs,
    /// On the second sheet the other player is to move at some places.
    OtherMover,
    /// On the second sheet the moves of some places lead elsewhere.
    OtherMoves,
    /// Each sheet has its own canonical key.
    TwoCanonicalKeys,
    /// The canonical key belongs to neither position.
    LeastHashOfNobody,
}

impl Sheets {
    fn new(seed: u64) -> Sheets {
        Sheets { graph: Graph::new(seed), mistake: Mistake::None }
    }

    fn has(&self, mistake: Mistake) -> bool {
        self.mistake == mistake
    }

    fn width(&self, (place, sheet): (usize, bool)) -> usize {
        let all = self.graph.positions[place].moves.len();
        if self.has(Mistake::FewerMoves) && sheet { all.min(1) } else { all }
    }
}

impl Game for Sheets {
    type State = (usize, bool);
    type Move = usize;

    fn initial_state(&self) -> (usize, bool) {
        (0, false)
    }
    fn turn(&self, &(place, sheet): &(usize, bool)) -> Turn {
        match self.graph.turn(&place) {
            Turn::Player(mover) if self.has(Mistake::OtherMover) && sheet => {
                Turn::Player((mover + place % 2) % self.graph.players)
            }
            turn => turn,
        }
    }
    fn legal_moves(&self, &state: &(usize, bool), moves: &mut Vec<usize>) {
        moves.extend(0..self.width(state));
    }
    fn play(&self, state: &mut (usize, bool), number: usize) {
        let (place, sheet) = *state;
        let moves = &self.graph.positions[place].moves;
        let to = match self.has(Mistake::OtherMoves) && sheet && place % 3 == 1 {
            true => 0,
            false => moves[number],
        };
        *state = (to, sheet ^ ((place * 7 + number * 3) % 5 < 2));
    }
    fn payoff(&self, &(place, sheet): &(usize, bool), player: usize) -> i32 {
        let payoff = self.graph.payoff(&place, player);
        if self.has(Mistake::OtherPayoffs) && sheet { -payoff } else { payoff }
    }
    fn num_players(&self) -> usize {
        self.graph.players
    }
    fn zero_sum(&self) -> bool {
        self.graph.zero_sum
    }
    fn payoff_range(&self, player: usize) -> RangeInclusive<i32> {
        self.graph.payoff_range(player)
    }
    fn key(&self, &(place, sheet): &(usize, bool)) -> Option<u64> {
        let key = (place as u64) << 1 | u64::from(sheet);
        Some((key + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn knowledge(&self) -> impl DomainKnowledge<Self> {
        self
    }
    fn state_text(&self, (place, sheet): &(usize, bool)) -> String {
        format!("{place} {}", u8::from(*sheet))
    }
    fn parse_state(&self, text: &str) -> Result<(usize, bool), TextError> {
        let (place, sheet) = text.split_once(' ').ok_or_else(|| TextError::new("no position"))?;
        let place = place.parse().map_err(|_| TextError::new("no place"))?;
        Ok((place, sheet == "1"))
    }
}

impl DomainKnowledge<Sheets> for Sheets {
    fn symmetries(&self, &(place, sheet): &(usize, bool), images: &mut Vec<(usize, bool)>) {
        let place = match self.has(Mistake::OtherPlace) {
            true => (place + 1) % self.graph.positions.len(),
            false => place,
        };
        images.push((place, !sheet));
    }

    fn canonical_key(&self, &(place, sheet): &(usize, bool)) -> Option<u64> {
        let sheet = self.has(Mistake::TwoCanonicalKeys) && sheet;
        let nobody = u64::from(self.has(Mistake::LeastHashOfNobody));
        self.key(&(place, sheet)).map(|hash| hash ^ nobody)
    }
}

/// Every prover gives the same answers as retrograde analysis, even with repetitions and a table
/// that is too small. Its certificates, which use no symmetries, are accepted.
#[test]
fn images_settle_each_other() {
    let (mut shown, mut proven) = (0, 0);
    for seed in 0..rounds(600) {
        let game = Sheets::new(seed);
        if game.turn(&(0, false)) == Turn::Over {
            continue;
        }
        let mut dice = Dice::new(seed);
        let player = dice.below(game.num_players());
        let right = game.graph.secures(player, 1)[0];
        let (game, root) = toy(game);
        for &algorithm in Algorithm::ALL {
            let config = ProverConfig::default()
                .algorithm(algorithm)
                .goal(ProofGoal::Win)
                .player(player)
                .threads(dice.pick(&[1, 1, 2]))
                .table(dice.pick(&[1 << 9, 1 << 12, 1 << 20]))
                .memory(8 << 20)
                .playouts_per_leaf(2)
                .playout_cap(50)
                .pn2_growth([300.0, 30.0])
                .audit(true)
                .keep_proofs(true);
            let mut search = ProofSearch::new(game.clone(), root.clone(), config).expect("it fits");
            let report = search.search(&Budget::default()).expect("a sound game");
            // Trees of games with repetitions may fill the memory.
            if !report.solved {
                continue;
            }
            assert_eq!(report.proven == Value::Win, right, "{algorithm} of {seed} for {player}");
            proven += 1;
            let mut file = Vec::new();
            if search.certify("sheets", &Root::default(), None, &mut file).is_ok() {
                let checked = Certificate::open(&file[..]).and_then(|file| file.check(&game));
                checked.unwrap_or_else(|wrong| panic!("{algorithm} of {seed}: {wrong}"));
                shown += 1;
            }
        }
    }
    assert!(proven > rounds(3000) && shown > rounds(1000), "{proven} proven, {shown} shown");
}

/// Entries that one prover leaves in a table are valid for the next one, with symmetries or
/// without: the canonical key is the key of a real position.
#[test]
fn tables_serve_all_provers_with_symmetries_and_without() {
    use Algorithm::{Ab, Auto, DfPpns, Dfpn, Pds};
    let (mut proven, mut resumed) = (0, 0);
    for seed in 0..400 {
        let game = Sheets::new(seed);
        if game.turn(&(0, false)) == Turn::Over {
            continue;
        }
        let mut dice = Dice::new(seed);
        let player = dice.below(game.num_players());
        let right = game.graph.secures(player, 1)[0];
        let (game, root) = toy(game);
        for (first, then) in [
            (Dfpn, Dfpn),
            (Dfpn, Ab),
            (Ab, Pds),
            (Pds, Auto),
            (Auto, Dfpn),
            (Dfpn, DfPpns),
            (DfPpns, Dfpn),
        ] {
            let mut file: Option<Vec<u8>> = None;
            for piece in 0.. {
                // The prover changes from run to run.
                let config = ProverConfig::default()
                    .algorithm(if piece % 3 == 0 { first } else { then })
                    .goal(ProofGoal::Win)
                    .player(player)
                    .symmetries(seed % 2 == 0)
                    .threads(1)
                    .table(1 << 16);
                let mut search =
                    ProofSearch::new(game.clone(), root.clone(), config).expect("fits");
                if let Some(file) = &file {
                    search.load("sheets", &file[..]).expect("a checkpoint of this search");
                    resumed += 1;
                }
                let budget = Budget::default().nodes(4 << piece);
                let report = search.search(&budget).expect("a sound game");
                if report.solved {
                    let won = report.proven == Value::Win;
                    assert_eq!(won, right, "{first}, then {then}, of {seed} for {player}");
                    proven += 1;
                    break;
                }
                let mut saved = Vec::new();
                search.save("sheets", &mut saved).expect("memory");
                file = Some(saved);
            }
        }
    }
    assert!(proven > 1000 && resumed > 1000, "{proven} proven, {resumed} resumed");
}

/// Symmetries are used near the start, where symmetric positions occur, and not in mid-game.
#[test]
fn images_that_are_far_away_are_not_looked_for() {
    let game = ConnectFour::default();
    let nodes = |moves: &[u8], symmetries: bool| {
        let mut position = game.initial_state();
        moves.iter().for_each(|&mv| game.play(&mut position, mv));
        let config = ProverConfig::default().algorithm(Algorithm::Dfpn).threads(1);
        let config = config.symmetries(symmetries).table(1 << 24);
        let budget = Budget::default().nodes(20_000);
        let report = prove(game.clone(), position, config, &budget).expect("a sound game");
        (report.effort, report.best_move)
    };
    // For a symmetric position each side would need one more stone.
    let far = [1, 3, 0, 1, 0, 3, 1, 0, 0, 5, 1];
    assert_eq!(nodes(&far, true), nodes(&far, false));
    assert_ne!(nodes(&[3, 3], true), nodes(&[3, 3], false));
}

/// Connect Four in which only every other position has a key.
#[derive(Clone)]
struct Forgetful(ConnectFour);

type Board = <ConnectFour as Game>::State;

impl Forgetful {
    fn knows(&self, state: &Board) -> bool {
        // One of these letters shows the side to move.
        self.0.state_text(state).matches(['x', 'o']).count() % 2 == 1
    }
}

impl Game for Forgetful {
    type State = Board;
    type Move = u8;

    fn initial_state(&self) -> Board {
        self.0.initial_state()
    }
    fn turn(&self, state: &Board) -> Turn {
        self.0.turn(state)
    }
    fn legal_moves(&self, state: &Board, moves: &mut Vec<u8>) {
        self.0.legal_moves(state, moves);
    }
    fn play(&self, state: &mut Board, mv: u8) {
        self.0.play(state, mv);
    }
    fn payoff(&self, state: &Board, player: usize) -> i32 {
        self.0.payoff(state, player)
    }
    fn zero_sum(&self) -> bool {
        true
    }
    fn payoff_range(&self, _: usize) -> RangeInclusive<i32> {
        -1..=1
    }
    fn key(&self, state: &Board) -> Option<u64> {
        self.0.key(state).filter(|_| self.knows(state))
    }

    fn knowledge(&self) -> impl DomainKnowledge<Self> {
        self
    }
}

impl DomainKnowledge<Forgetful> for Forgetful {
    fn symmetries(&self, state: &Board, images: &mut Vec<Board>) {
        self.0.knowledge().symmetries(state, images);
    }

    fn canonical_key(&self, state: &Board) -> Option<u64> {
        self.0.knowledge().canonical_key(state).filter(|_| self.knows(state))
    }
}

/// If a position has a key but its children have no keys, a child is identified by its move's
/// number. That number means different moves in symmetric positions, whose children must not be
/// confused.
#[test]
fn moves_of_images_are_told_apart_without_hashes() {
    let mut solved = 0;
    for (width, height) in [(3, 3), (4, 3), (5, 2), (6, 2), (3, 4), (5, 3)] {
        let game = Forgetful(ConnectFour::new(width, height, 3).expect("a board"));
        let mut positions = vec![game.initial_state()];
        for first in 0..width as u8 {
            let next = game.after(&positions[0], first);
            positions.extend((0..width as u8).map(|second| game.after(&next, second)));
        }
        let (game, _) = toy(game);
        for position in positions {
            let root = Position::of(position);
            let config = ProverConfig::default().threads(1).table(1 << 20).memory(64 << 20);
            let config = config.foresight(false).playouts_per_leaf(2);
            let plain = config.clone().algorithm(Algorithm::Dfpn).symmetries(false);
            let truth =
                prove(game.clone(), root.clone(), plain, &Budget::default()).expect("rules");
            for &algorithm in Algorithm::ALL {
                let config = config.clone().algorithm(algorithm);
                let budget = Budget::default().nodes(50_000);
                let report =
                    prove(game.clone(), root.clone(), config, &budget).expect("sound rules");
                if report.solved {
                    let what = format!("{algorithm}, {width}x{height}: {position:?}");
                    assert_eq!(report.proven, truth.proven, "{what}");
                    solved += 1;
                }
            }
        }
    }
    assert!(solved > 500, "{solved}");
}

fn with(mistake: Mistake) -> (Toy, Position) {
    // Two players with zero sum, several places, and moves at most of them.
    let is_rich = |game: &Sheets| {
        let graph = &game.graph;
        let ends = graph.positions.iter().filter(|place| place.is_over()).count();
        graph.zero_sum && graph.positions.len() > 12 && (2..6).contains(&ends)
    };
    let game = (0..).map(Sheets::new).find(is_rich).expect("one of them is");
    toy(Sheets { mistake, ..game })
}

const LIES: [(Mistake, &str); 7] = [
    (Mistake::OtherPlace, ""),
    (Mistake::FewerMoves, "moves here"),
    (Mistake::OtherPayoffs, "is paid"),
    (Mistake::OtherMover, "is to move here"),
    (Mistake::OtherMoves, "no move there leads to a position symmetric to the one"),
    (Mistake::TwoCanonicalKeys, "the canonical key is"),
    (Mistake::LeastHashOfNobody, "which is not the key of any symmetric position"),
];

#[test]
fn rules_that_lie_about_images_are_told_so() {
    let report = check_rules(&with(Mistake::None).0, 1, 20).expect("sound rules");
    assert!(report.images > 100, "{report:?}");
    for (mistake, said) in LIES {
        let error = check_rules(&with(mistake).0, 1, 20).expect_err("a lie");
        assert!(matches!(*error.fault, RulesFault::Image { .. }), "{mistake:?}: {error}");
        let text = error.to_string();
        assert!(text.contains(said) && !text.contains('\n'), "{mistake:?}: {text}");
    }
}

#[test]
fn audits_find_lies_about_images() {
    for (mistake, said) in LIES {
        let config = ProverConfig::default().threads(1).audit(true).table(1 << 16);
        let (game, root) = with(mistake);
        let error = prove(game.clone(), root.clone(), config, &Budget::default());
        let text = error.map(|r| r.proven).expect_err("a lie").to_string();
        assert!(text.contains(said) && text.contains("symmetric to"), "{mistake:?}: {text}");
        assert!(!text.contains('\n'), "{text}");
    }
}

/// With symmetries, real games get the same answers with fewer nodes.
#[test]
fn symmetries_save_nodes() {
    fn nodes<G: Game + Clone>(game: &G, algorithm: Algorithm) -> [u64; 2] {
        let reports = [false, true].map(|symmetries| {
            let config = ProverConfig::default().algorithm(algorithm).threads(1).audit(false);
            let config = config.symmetries(symmetries).memory(1 << 30).table(1 << 24);
            let start = game.initial_state();
            prove(game.clone(), start, config, &Budget::default()).expect("a sound game")
        });
        assert!(reports.iter().all(|report| report.solved));
        assert_eq!(reports[0].proven, reports[1].proven);
        reports.map(|report| report.effort.nodes)
    }
    for algorithm in [Algorithm::Dfpn, Algorithm::Pds, Algorithm::Pns, Algorithm::Pn2] {
        let [without, with] = nodes(&Mnk::new(3, 3, 3, 2).expect("a board"), algorithm);
        assert!(with * 3 < without, "tic-tac-toe, {algorithm}: {with} and {without}");
    }
    for algorithm in [Algorithm::Dfpn, Algorithm::Pds] {
        let [without, with] = nodes(&ConnectFour::new(4, 4, 4).expect("a board"), algorithm);
        assert!(with * 10 < without * 9, "Connect Four 4x4, {algorithm}: {with} and {without}");
    }
}
