//! Prepares the tree and its root for a search.

use crate::error::SearchError;
use crate::game::{CHANCE, DomainKnowledge, Game, MAX_PLAYERS, Outcome, Turn};
use crate::math::Rng;
use crate::playout::{
    BACKGROUND_SHARE, BackgroundProver, LeafEvaluation, SharedSearch, SolvedTable, TABLE_SHARE,
    Utility, list_children, read_payoffs, read_weights,
};
use crate::rules::{Audited, Declared, check_recommended, check_turn};
use crate::select::Selection;
use crate::settings::{Bias, Config, Goal, MOST_MOVES, Resolved, Source};
use crate::sync::Writers;
use crate::threads::{Control, Counted};
use crate::tree::{
    Columns, Listing, Logic, MoveTree, NoArena, Premises, ROOT, SeenChild, Sides, Slab,
};
use std::sync::Arc;

/// The maximum number of nodes in a small tree. Leaves of a small tree are expanded immediately,
/// regardless of [`Config::expand_after`]: the tree stays in the processor's caches anyway, and
/// more nodes make it more informative. The 1,024 nodes that each thread reserves are included, so
/// trees of four threads or more are never small.
const SMALL_TREE: u64 = 1 << 12;

pub(crate) fn prepare<G: Game, L: LeafEvaluation<G>>(
    game: G,
    position: G::State,
    config: Config,
    leaves: L,
) -> Result<SharedSearch<G, L>, SearchError> {
    let (priors, batches) = (leaves.has_priors(), leaves.batches().is_some());
    let root_turn = game.turn(&position);
    let recommended = game.knowledge().recommended();
    check_recommended(recommended)?;
    let resolved = Resolved::of(&config, &recommended, game.num_players(), L::PLAYS_OUT, priors);
    let settings = resolved.settings(&config).into();
    // Saved trees contain the cap in force.
    let config = Config { playout_cap: Some(resolved.playout_cap.value), ..config };
    let selection = Selection::new(&config, &resolved, game.has_chance(), priors, batches);
    let numbers = selection.bias != Bias::None;
    let logic = make_logic(&game, &config, root_turn, numbers)?;
    check_goal(&logic)?;
    if L::PLAYS_OUT {
        check_losses(&game, &position, &logic)?;
    }
    let expands_lazily = L::PLAYS_OUT && expands_lazily(&config, &selection, &logic);
    let plan = MemoryPlan {
        memory: config.memory,
        carries: carries(&game, &config, &logic, &position),
        proves: resolved.prover_share.value > 0.0
            && !batches
            && can_prove(&game, &logic, &position),
        columns: Columns {
            move_bytes: size_of::<G::Move>(),
            ranks: selection.bias.sorts(),
            priors,
            evaluations: config.audit,
            ..logic.columns()
        },
    };
    let (solved, background) = (plan.solved_table(), plan.prover(&config, &resolved));
    let tree = plan.tree(&solved, &background, logic.clone(), Writers::of(config.threads))?;
    let shared = SharedSearch {
        root_turn,
        moves_played: 0,
        root_player: player_of(root_turn),
        root: position,
        tree,
        prunes: 0,
        solved,
        background,
        audited: config.audit.then(|| Audited::new(&game, false, config.foresight)),
        leaves,
        utility: Utility::new(logic.goal, game.has_chance(), logic.thresholds, logic.ranges),
        selection,
        expand_after: resolved.expand_after.value,
        // A number that the user gives applies from the first node on.
        small: if resolved.expand_after.source == Source::Given { 0 } else { SMALL_TREE },
        expands_lazily,
        config,
        settings,
        control: Arc::new(Control::new()),
        counted: Counted::default(),
        game: Arc::new(game),
    };
    let children = prepare_root(&shared)?;
    match children {
        Ok(()) => Ok(shared),
        Err(children) => Err(match shared.tree.arena.refused() {
            Some(refused) => refused.into(),
            None => plan.too_small(children + 1),
        }),
    }
}

/// Returns whether a search by playouts tries moves before it creates children.
fn expands_lazily(config: &Config, selection: &Selection, logic: &Logic) -> bool {
    let by_uct_alone = selection.bias == Bias::None;
    by_uct_alone && !logic.chance && config.look_ahead
}

/// Changes the root to `position`. If `number` is given, `position` is that of the old root's child
/// with this number. After an error the new root has no children.
pub(crate) fn move_root<G: Game, L: LeafEvaluation<G>>(
    shared: &mut SharedSearch<G, L>,
    position: G::State,
    turn: Turn,
    number: Option<usize>,
) -> Result<(), SearchError> {
    let logic = &shared.tree.logic;
    let player = match number {
        // Values below a chance node are those of the player who moved to it.
        Some(_) if turn == Turn::Chance => shared.root_player,
        _ => player_of(turn),
    };
    let sides = choose_sides(&shared.config, logic.zero_sum, logic.players, player);
    let same_question = turn == Turn::Over || sides == logic.sides;
    // The noise and the drawn move belong to the old root.
    shared.selection.forget_root();
    let before = std::mem::replace(&mut shared.root_turn, turn);
    shared.root_player = player;
    shared.root = position;
    let tree = &mut shared.tree;
    if tree.has_contradiction() {
        // One of the two proofs is wrong, and other results may depend on it.
        shared.solved.iter_mut().for_each(SolvedTable::forget);
        shared.background = None;
    }
    let has_children = match number {
        Some(number) => tree.advance(before, number, same_question),
        None => {
            tree.reset();
            false
        }
    };
    tree.logic = Logic::new(Premises { sides, ..*tree.logic });
    // The budget of the last search no longer applies.
    tree.arena.set_cap(u64::MAX);
    if has_children {
        return Ok(());
    }
    let mut made = prepare_root(shared)?;
    if let Err(children) = made {
        // The free blocks of the old tree may all be too small.
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
            let logic = &shared.tree.logic;
            let plan = MemoryPlan {
                memory: shared.config.memory,
                carries: carries(&*shared.game, &shared.config, logic, &shared.root),
                proves: shared.background.is_some(),
                columns: shared.tree.arena.columns(),
            };
            Err(plan.too_small(children + 1))
        }
    }
}

/// The minimum memory, in bytes, for which a search has tables. The table of proven positions also
/// requires keys and a logic whose answers can be carried between nodes.
const LEAST_MEMORY: u64 = if cfg!(loom) { 1 << 12 } else { 1 << 20 };

fn carries<G: Game>(game: &G, config: &Config, logic: &Logic, position: &G::State) -> bool {
    config.transpositions && logic.can_carry() && game.key(position).is_some()
}

fn can_prove<G: Game>(game: &G, logic: &Logic, position: &G::State) -> bool {
    let suits = logic.zero_sum && logic.prunes() && !logic.chance && !game.has_chance();
    suits && game.key(position).is_some()
}

/// The division of the memory: tables take their shares, and the tree takes the rest.
struct MemoryPlan {
    memory: u64,
    /// Whether there is a table of proven positions.
    carries: bool,
    proves: bool,
    columns: Columns,
}

impl MemoryPlan {
    fn solved_table(&self) -> Option<SolvedTable> {
        let fits = self.carries && self.memory >= LEAST_MEMORY;
        if fits { SolvedTable::new(self.memory / TABLE_SHARE) } else { None }
    }

    fn prover(&self, config: &Config, resolved: &Resolved) -> Option<BackgroundProver> {
        let fits = self.proves && self.memory >= LEAST_MEMORY;
        if fits { BackgroundProver::new(config, resolved.prover_share.value) } else { None }
    }

    fn tree<M: Copy>(
        &self,
        solved: &Option<SolvedTable>,
        background: &Option<BackgroundProver>,
        logic: Logic,
        writers: Writers,
    ) -> Result<MoveTree<M>, SearchError> {
        let of_solved = solved.as_ref().map_or(0, SolvedTable::bytes);
        let of_prover = background.as_ref().map_or(0, |background| background.table.bytes());
        let for_nodes = self.memory - of_solved - of_prover;
        let max_nodes = for_nodes / self.columns.bytes_per_node() as u64;
        MoveTree::new(logic, self.columns, max_nodes, writers).map_err(|why| match why {
            NoArena::Small => self.too_small(1),
            NoArena::Refused(refused) => refused.into(),
        })
    }

    fn too_small(&self, nodes: usize) -> SearchError {
        // Shares in units of 1/256 of the memory; the marks of the table of proven positions take
        // one further unit.
        let of_solved = if self.carries { 256 / TABLE_SHARE + 1 } else { 0 };
        let of_others = of_solved + if self.proves { 256 / BACKGROUND_SHARE } else { 0 };
        let bytes = nodes as u64 * self.columns.bytes_per_node() as u64;
        // With this memory there may be tables, which take their shares.
        let needed = match self.memory.max(bytes) >= LEAST_MEMORY && of_others > 0 {
            true => (bytes * 256).div_ceil(256 - of_others) + 64,
            false => bytes,
        };
        SearchError::Memory { given: self.memory, needed }
    }
}

/// Evaluates and expands the root; the inner error is the number of children that do not fit.
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
    let mut ended: Vec<(usize, SeenChild)> = Vec::new();
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

/// Checks that the goal is meaningful: for `Goal::Outcome` at least one player must have payoffs
/// with different outcomes.
fn check_goal(logic: &Logic) -> Result<(), SearchError> {
    let ranges = &logic.ranges[..logic.players];
    let ends = ranges.iter().zip(&logic.thresholds);
    let mut ends = ends.map(|(range, cuts)| [cuts.outcome(range.lower), cuts.outcome(range.upper)]);
    match (logic.goal, ends.all(|[least, most]| least == most)) {
        (Goal::Outcome, true) => Err(SearchError::OneOutcome),
        _ => Ok(()),
    }
}

/// Checks that playouts can show who wins. If no payoff is a loss, for instance because all payoffs
/// are 0 or more, it makes some playouts from the root to find out whether all players always win.
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

/// Returns the player for whom the root's values are stored if no known move led to the root.
fn player_of(turn: Turn) -> usize {
    match turn {
        Turn::Player(mover) => mover,
        Turn::Chance | Turn::Over => 0,
    }
}

/// Determines which players oppose each other if the root's values are stored for `player`.
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

    /// A game in which the players take one or three sticks in turn; the second player always takes
    /// the last stick and wins.
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

    /// Checks that a contradiction does not outlast its tree: another position starts a new tree,
    /// and results carried between nodes are dropped.
    #[test]
    fn a_contradiction_ends_with_its_tree() {
        let config = Config::default().threads(1).memory(1 << 20);
        let mut search = Search::new(Sticks, 14, config).unwrap();
        let budget = Budget::default().playouts(2000);
        assert!(search.search(&budget).unwrap().proven.is_decided());
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
        assert!(search.search(&budget).unwrap().proven.is_decided());
    }
}
