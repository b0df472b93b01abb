//! From a game, a position and a configuration to a tree with a root.

use crate::error::SearchError;
use crate::game::{CHANCE, Game, Insight, MAX_PLAYERS, Outcome, Turn};
use crate::math::Rng;
use crate::playout::{
    BESIDE_SHARE, Beside, LeafEvaluation, MOST_MOVES, SettledTable, SharedSearch, TABLE_SHARE,
    Utility, list_children, playout_cap, read_payoffs, read_weights, tries,
};
use crate::rules::{Audited, Declared, check_suited, check_turn};
use crate::select::{Selection, Weight};
use crate::settings::{Bias, Config, Goal};
use crate::sync::Writers;
use crate::threads::{Control, Counted};
use crate::tree::{
    Columns, EndedChild, Listing, Logic, MoveTree, NoArena, Premises, ROOT, Sides, Slab,
};
use std::sync::Arc;

/// A tree with fewer nodes stays in the processor's caches, and says more with a few nodes more:
/// a leaf gets its children at once, however long it may wait later. Nodes that threads have
/// reserved count, 1,024 for each thread, so that four threads or more have no small tree.
const SMALL_TREE: u64 = 1 << 12;

/// Makes the tree and looks at the root.
pub(crate) fn prepare<G: Game, L: LeafEvaluation<G>>(
    game: G,
    position: G::State,
    config: Config,
    leaves: L,
) -> Result<SharedSearch<G, L>, SearchError> {
    let (priors, batches) = (leaves.has_priors(), leaves.batches().is_some());
    let root_turn = game.turn(&position);
    let suited = game.insight().suited();
    check_suited(suited)?;
    let prover_share = suited.prover_share;
    // Trees that are kept name it.
    let config = Config { playout_cap: Some(playout_cap(&config, &game)), ..config };
    let weight = Weight::of(&config, suited.c_pn, game.num_players());
    let numbers = counts_proof_numbers(&config, weight);
    let logic = make_logic(&game, &config, root_turn, numbers)?;
    check_goal(&logic)?;
    if L::PLAYS_OUT {
        check_losses(&game, &position, &logic)?;
    }
    // What the user left open is what suits the game, beside the playouts that suit it.
    let suited_c = suited.c.filter(|_| config.asks_game() && !priors);
    let chosen = Config { c: config.c.or(suited_c), ..config.clone() };
    let selection = Selection::new(&chosen, weight, game.has_chance(), priors, batches);
    let tries = L::PLAYS_OUT && tries(&config, &selection, &logic);
    // Priors say at once which of the children are worth a visit.
    let suited_expansion = suited.expand_after.filter(|_| !priors);
    let intervals = logic.num_intervals();
    let columns = Columns {
        proof_numbers: if numbers { logic.players } else { 0 },
        statuses: if numbers { 0 } else { logic.players },
        intervals: if logic.chance { 0 } else { intervals },
        spans: if logic.chance { intervals } else { 0 },
        weights: logic.chance,
        ranks: selection.bias.sorts(),
        priors,
        evaluations: config.audit,
        log_odds: false,
        move_bytes: size_of::<G::Move>(),
    };
    let carries = carries(&game, &config, &logic, &position);
    let settled = match carries && config.memory >= LEAST_MEMORY {
        true => SettledTable::new(config.memory / TABLE_SHARE),
        false => None,
    };
    let suited_share = prover_share.filter(|_| L::PLAYS_OUT && config.asks_game());
    let share = config.prover_share.or(suited_share).unwrap_or(0.0);
    let proves = share > 0.0 && !batches && can_prove(&game, &logic, &position);
    let beside = match proves && config.memory >= LEAST_MEMORY {
        true => Beside::new(&config, share),
        false => None,
    };
    let for_nodes = config.memory
        - settled.as_ref().map_or(0, SettledTable::bytes)
        - beside.as_ref().map_or(0, |beside| beside.table.bytes());
    let max_nodes = for_nodes / columns.bytes_per_node() as u64;
    let given = config.memory;
    let too_small = |nodes| too_small(given, (carries, proves), columns, nodes);
    let writers = Writers::of(config.threads);
    let tree =
        MoveTree::new(logic.clone(), columns, max_nodes, writers).map_err(|why| match why {
            NoArena::Small => too_small(1),
            NoArena::Refused(refused) => refused.into(),
        })?;
    let shared = SharedSearch {
        root_turn,
        moves_played: 0,
        root_player: player_of(root_turn),
        root: position,
        tree,
        prunes: 0,
        settled,
        beside,
        audited: config.audit.then(|| Audited::new(&game, false, config.foresight)),
        leaves,
        utility: Utility::new(logic.goal, game.has_chance(), logic.thresholds, logic.ranges),
        selection,
        expand_after: config.expand_after.or(suited_expansion).unwrap_or(1),
        // What the user says counts from the first node on.
        small: if config.expand_after.is_none() { SMALL_TREE } else { 0 },
        tries,
        config,
        control: Arc::new(Control::new()),
        counted: Counted::default(),
        game: Arc::new(game),
    };
    let children = prepare_root(&shared)?;
    match children {
        Ok(()) => Ok(shared),
        Err(children) => Err(match shared.tree.arena.refused() {
            Some(refused) => refused.into(),
            None => too_small(children + 1),
        }),
    }
}

/// Goes to another position: after child `number` of the root, or any. After an
/// error the search is there without moves.
pub(crate) fn move_root<G: Game, L: LeafEvaluation<G>>(
    shared: &mut SharedSearch<G, L>,
    position: G::State,
    turn: Turn,
    number: Option<usize>,
) -> Result<(), SearchError> {
    let logic = &shared.tree.logic;
    let player = match number {
        // Values below chance stay those of the player who left it to chance.
        Some(_) if turn == Turn::Chance => shared.root_player,
        _ => player_of(turn),
    };
    let sides = choose_sides(&shared.config, logic.zero_sum, logic.players, player);
    let same_question = turn == Turn::Over || sides == logic.sides;
    // What was drawn for the moves of another root.
    shared.selection.forget_root();
    let before = std::mem::replace(&mut shared.root_turn, turn);
    shared.root_player = player;
    shared.root = position;
    let tree = &mut shared.tree;
    if tree.has_contradiction() {
        // One of two proofs was wrong, and nobody knows what it made of others.
        shared.settled.iter_mut().for_each(SettledTable::forget);
        shared.beside = None;
    }
    let has_children = match number {
        Some(number) => tree.advance(before, number, same_question),
        None => {
            tree.reset();
            false
        }
    };
    tree.logic = Logic::new(Premises { sides, ..*tree.logic });
    // The budget of the last search is none of the next one's.
    tree.arena.set_cap(u64::MAX);
    if has_children {
        return Ok(());
    }
    let mut made = prepare_root(shared)?;
    if let Err(children) = made {
        // The blocks that the old tree leaves may all be too small.
        shared.tree.clear_root();
        shared.tree.make_room(children as u32);
        made = prepare_root(shared)?;
    }
    match made {
        Ok(()) => Ok(()),
        Err(children) => {
            if let Some(refused) = shared.tree.arena.refused() {
                return Err(refused.into());
            }
            let (logic, columns) = (&shared.tree.logic, shared.tree.arena.columns());
            let carries = carries(&*shared.game, &shared.config, logic, &shared.root);
            let tables = (carries, shared.beside.is_some());
            Err(too_small(shared.config.memory, tables, columns, children + 1))
        }
    }
}

/// There is a table of settled positions where the game has hashes, answers can be
/// carried from one node to another, and the memory is not less than this.
const LEAST_MEMORY: u64 = if cfg!(loom) { 1 << 12 } else { 1 << 20 };

/// Whether proofs are carried between nodes with the same position.
fn carries<G: Game>(game: &G, config: &Config, logic: &Logic, position: &G::State) -> bool {
    config.transpositions && logic.can_carry() && game.key(position).is_some()
}

/// Whether a prover can take turns with the playouts.
fn can_prove<G: Game>(game: &G, logic: &Logic, position: &G::State) -> bool {
    let suits = logic.zero_sum && logic.prunes() && !logic.chance && !game.has_chance();
    suits && game.key(position).is_some()
}

/// The error for a memory that does not hold `nodes` nodes beside the tables of settled
/// positions and of a prover, as far as there are these.
fn too_small(given: u64, tables: (bool, bool), columns: Columns, nodes: usize) -> SearchError {
    // In parts of 256 of the memory; the marks of settled positions take one beside their table.
    let (settled, beside) = tables;
    let of_settled = if settled { 256 / TABLE_SHARE + 1 } else { 0 };
    let of_others = of_settled + if beside { 256 / BESIDE_SHARE } else { 0 };
    let bytes = nodes as u64 * columns.bytes_per_node() as u64;
    // More memory may be enough for tables, which then take their shares.
    let needed = match given.max(bytes) >= LEAST_MEMORY && of_others > 0 {
        true => (bytes * 256).div_ceil(256 - of_others) + 64,
        false => bytes,
    };
    SearchError::Memory { given, needed }
}

/// Evaluates and expands the root; the inner error says how many children
/// found no room.
pub(crate) fn prepare_root<G: Game, L: LeafEvaluation<G>>(
    shared: &SharedSearch<G, L>,
) -> Result<Result<(), usize>, SearchError> {
    let (tree, game) = (&shared.tree, &shared.game);
    shared.check_hash(&shared.root)?;
    let root = tree.node(ROOT);
    let (Some(claim), players) = (tree.claim_evaluation(root), tree.logic.players) else {
        unreachable!("the tree is new");
    };
    let mover = match shared.root_turn {
        Turn::Over => {
            let mut payoffs = [0; MAX_PLAYERS];
            read_payoffs(game, tree, &shared.root, &mut payoffs[..players])?;
            tree.set_terminal(claim, ROOT, &payoffs[..players]);
            return Ok(Ok(()));
        }
        Turn::Player(mover) => mover,
        Turn::Chance => CHANCE,
    };
    let (mut moves, mut buffer): (Vec<G::Move>, Vec<G::Move>) = Default::default();
    let mut ended: Vec<EndedChild> = Vec::new();
    let mut weights = Vec::new();
    list_children(shared, &shared.root, &mut moves, &mut ended, &mut buffer)?;
    if mover == CHANCE {
        read_weights(game, &shared.root, &moves, &mut weights)?;
    }
    tree.set_leaf(claim, ROOT, mover, moves.len());
    let mut slab = Slab::default();
    let reservation = tree.arena.reserve(&mut slab, moves.len());
    tree.arena.give_back(&mut slab);
    let Ok(reservation) = reservation else { return Ok(Err(moves.len())) };
    let Some(claim) = tree.claim_expansion(root) else {
        unreachable!("nobody else works on a new tree");
    };
    let listing = Listing { weights: &weights, ended: &ended, was_tried: false };
    let made = tree.expand(claim, tree.fill(reservation, &moves), listing);
    let _ = tree.finish_expansion(ROOT, made);
    Ok(Ok(()))
}

/// Whether proof numbers are counted, which is where something depends on them.
fn counts_proof_numbers(config: &Config, weight: Weight) -> bool {
    config.bias != Bias::None && weight.c_pn > 0.0
}

/// The reasoning that the game and the configuration call for.
fn make_logic<G: Game>(
    game: &G,
    config: &Config,
    turn: Turn,
    proof_numbers: bool,
) -> Result<Logic, SearchError> {
    let declared = Declared::by(game)?;
    check_turn(game, turn)?;
    Ok(Logic::new(Premises {
        goal: config.goal,
        sides: choose_sides(config, declared.zero_sum, declared.players, player_of(turn)),
        solver: config.solver,
        score_bounds: config.score_bounds,
        proof_numbers,
        mobility: true,
        chance: declared.chance,
        ..Premises::of(declared)
    }))
}

/// Whether a win is a question at all: it is none where a player's payoffs all mean the
/// same, whoever the player is.
fn check_goal(logic: &Logic) -> Result<(), SearchError> {
    let ranges = &logic.ranges[..logic.players];
    let ends = ranges.iter().zip(&logic.thresholds);
    let mut ends = ends.map(|(range, cuts)| [cuts.outcome(range.lower), cuts.outcome(range.upper)]);
    match (logic.goal, ends.all(|[least, most]| least == most)) {
        (Goal::Outcome, true) => Err(SearchError::OneOutcome),
        _ => Ok(()),
    }
}

/// Whether playouts can tell who wins. Where nobody can lose, as by payoffs from 0 on, a few from
/// the root show whether everybody always wins.
fn check_losses<G: Game>(game: &G, root: &G::State, logic: &Logic) -> Result<(), SearchError> {
    const PLAYOUTS: u64 = 32;
    let players = 0..logic.players;
    let worst = |player: usize| logic.thresholds[player].outcome(logic.ranges[player].lower);
    let asked = logic.goal == Goal::Outcome && logic.players > 1 && !logic.chance;
    if !asked || players.clone().any(|player| worst(player) == Outcome::Loss) {
        return Ok(());
    }
    let mut moves = Vec::new();
    for seed in 0..PLAYOUTS {
        let (mut state, mut rng) = (root.clone(), Rng::new(seed));
        let mut left = MOST_MOVES;
        while matches!(game.turn(&state), Turn::Player(_)) && left > 0 {
            moves.clear();
            let Some(mv) = game.random_move(&state, &mut moves, &mut rng) else { return Ok(()) };
            game.play(&mut state, mv);
            left -= 1;
        }
        let wins = |player| game.outcome(player, game.payoff(&state, player)) == Outcome::Win;
        if game.turn(&state) != Turn::Over || left == MOST_MOVES || !players.clone().all(wins) {
            return Ok(());
        }
    }
    Err(SearchError::NobodyLoses)
}

/// The player whose values a root's statistics hold that nothing led to.
fn player_of(turn: Turn) -> usize {
    match turn {
        Turn::Player(mover) => mover,
        Turn::Chance | Turn::Over => 0,
    }
}

/// Who stands against whom where the root's values are those of `player`.
pub(crate) fn choose_sides(
    config: &Config,
    zero_sum: bool,
    players: usize,
    player: usize,
) -> Sides {
    match (zero_sum, players) {
        (true, _) | (_, 1) => Sides::Versus(0),
        _ if config.paranoid => Sides::Versus(player),
        _ => Sides::Free,
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::search::Search;
    use crate::settings::Budget;

    /// One stick or three at a time; the second player takes the last one, and wins.
    struct Sticks;

    impl Game for Sticks {
        type State = u32;
        type Move = u32;

        fn initial_state(&self) -> u32 {
            14
        }
        fn turn(&self, &sticks: &u32) -> Turn {
            if sticks == 0 { Turn::Over } else { Turn::Player(sticks as usize % 2) }
        }
        fn legal_moves(&self, &sticks: &u32, moves: &mut Vec<u32>) {
            moves.extend([1, 3].into_iter().filter(|&taken| taken <= sticks));
        }
        fn play(&self, sticks: &mut u32, taken: u32) {
            *sticks -= taken;
        }
        fn payoff(&self, _sticks: &u32, player: usize) -> i32 {
            if player == 1 { 1 } else { -1 }
        }
        fn zero_sum(&self) -> bool {
            true
        }
        fn key(&self, &sticks: &u32) -> Option<u64> {
            Some(u64::from(sticks + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
        }
    }

    /// What contradicts itself is the tree, and another position has another tree. What was
    /// carried between nodes is not believed any more.
    #[test]
    fn a_contradiction_ends_with_its_tree() {
        let config = Config::default().threads(1).memory(1 << 20);
        let mut search = Search::new(Sticks, 14, config).unwrap();
        let budget = Budget::default().playouts(2000);
        assert!(search.search(&budget).unwrap().value.is_decided());
        let known = |search: &Search<Sticks>| {
            let shared = search.shared();
            let is_known = |sticks: &u32| shared.known(sticks, &mut Vec::new()).unwrap().is_some();
            (1..14).filter(is_known).count()
        };
        let remembered = known(&search);
        assert!(remembered > 4, "{remembered} positions");
        search.shared().tree.contradict(ROOT);
        for _ in 0..2 {
            let error = search.search(&budget).err();
            assert_eq!(error, Some(SearchError::Contradiction { node: ROOT }));
        }
        search.set_position(10).unwrap();
        assert_eq!(known(&search), 0);
        assert!(search.search(&budget).unwrap().value.is_decided());
    }
}
