//! Saved trees, with which another search can continue.
//!
//! The file begins with text up to an empty line: the format, the program, the game, the position
//! with its key, the payoffs, the settings on which the meaning of nodes depends, and the number of
//! nodes. A file that differs from the search in any of these is refused. The rest is numbers: the
//! states of the workers' random generators, the results about the root that do not follow from its
//! children, the nodes (`nodes.rs`), the table of proven positions, and the SHA-256 of everything
//! before it.
//!
//! A file's contents are checked against the rules and each other: the player to move, the number
//! of moves, the results of finished games, and everything that the nodes below prove. Four kinds
//! of results cannot be checked and are protected only by the checksum: answers in the table;
//! answers at nodes whose position was proven elsewhere or has a static bound; results of nodes
//! that lost their children when the memory was full; and results about the root from before it was
//! the root. A checksum detects damage but not forgery. Certificates do not depend on these files.

mod nodes;

use super::prepare::choose_sides;
use super::{FinishedRun, Search, WorkerSeed};
use crate::error::SearchError;
use crate::game::{Game, Turn};
use crate::math::Rng;
use crate::playout::{LeafEvaluation, SharedSearch, SolvedTable, TABLE_SHARE};
use crate::saved::{Header, Reader, SavedError, Writer, damaged, text_and_key};
use crate::settings::{Config, OPTIONS};
use crate::threads::catch_panic;
use crate::tree::{Logic, MoveTree, NoArena, Premises, Solved, Tree};
use nodes::Nodes;
use std::io::{self, Read, Write};

const MAGIC: &str = "proofwood-tree 3";
/// The settings on which the meaning of a tree depends.
const SETTINGS: [&str; 6] =
    ["goal", "solver", "score-bounds", "foresight", "playout-policy", "playout-cap"];
/// A further setting, which matters only in games for several players that are not two-player
/// zero-sum games.
const PARANOID: &str = "paranoid";

impl<G: Game, L: LeafEvaluation<G>> Search<G, L> {
    /// Checks that the tree of this search can be saved and loaded.
    ///
    /// # Errors
    /// [`SavedError::Unidentified`] if the position has no [`key`](Game::key).
    pub fn can_be_saved(&self) -> Result<(), SavedError> {
        match catch_panic(|| self.game.key(&self.position))? {
            Some(_) => Ok(()),
            None => Err(SavedError::Unidentified),
        }
    }

    /// Writes the tree for [`load_tree`](Search::load_tree): every node with its statistics, all
    /// proven results, and the states of the random generators. `spec` identifies the game. An
    /// evaluator's own data ([`Workspace`](crate::evaluate::Workspace)) is not written.
    ///
    /// ```
    /// use proofwood::{Budget, Config, Search};
    /// # use proofwood_testkit::sticks::Sticks;
    /// let new = || Search::new(Sticks(40), (40, 0), Config::default().threads(1));
    /// let mut search = new()?;
    /// search.search(&Budget::default().playouts(1000))?;
    /// let mut file = Vec::new();
    /// search.save_tree("sticks:40", &mut file)?;
    ///
    /// let mut other = new()?;
    /// other.load_tree("sticks:40", &file[..])?;
    /// assert_eq!(other.search(&Budget::default().playouts(1000))?.total_playouts, 2000);
    /// # Ok::<(), proofwood::inspect::SavedError>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`can_be_saved`](Search::can_be_saved). Also fails if a search is running or
    /// was not waited for, two proofs contradict each other, or `out` cannot be written.
    pub fn save_tree(&self, spec: &str, mut out: impl Write) -> Result<(), SavedError> {
        self.can_be_saved()?;
        if self.coordinator.is_some() {
            return Err(SearchError::Running.into());
        }
        let shared = self.core.shared.read();
        if let Some(node) = shared.tree.contradiction() {
            return Err(SearchError::Contradiction { node }.into());
        }
        let header = catch_panic(|| header(&shared, spec))?;
        let states = {
            let figures = self.core.figures.lock();
            figures.workers.iter().filter_map(|worker| worker.rng.state()).collect()
        };
        let saved = Saved {
            tree: &shared.tree,
            solved: shared.solved.as_ref(),
            root_player: shared.root_player,
            seed: shared.config.seed,
            states,
        };
        saved.write(&header, &mut out).map_err(SavedError::Write)
    }

    /// Replaces the tree with one that [`save_tree`](Search::save_tree) has written. The position
    /// must be the same, and so must the settings on which the contents of nodes depend: the goal,
    /// whether proof numbers are counted, the solver, score bounds, static bounds, and the policy
    /// and the cap of playouts; in games with three or more players, and in games that are not
    /// zero-sum, also whether the search is paranoid. All other settings may differ, such as
    /// threads, seed, memory, C and the bias.
    ///
    /// With one thread and the seed of the saved search, later searches grow the same tree as they
    /// would without the interruption, until the memory is full. With a different number of threads
    /// or a different seed, each worker draws new random numbers.
    ///
    /// Everything that follows from the rules is computed again, so a file cannot misstate how a
    /// game ended or what the nodes below prove. Results that were proven elsewhere, or kept when
    /// the memory was full, are protected by the checksum only, which detects damage but not
    /// forgery. So load only files from a trusted source.
    ///
    /// # Errors
    /// The errors of [`can_be_saved`](Search::can_be_saved). Also fails if the file is damaged, or
    /// differs in game, position, settings or version of this library; if its tree does not fit
    /// into the memory; if a search is running or was not waited for; or if the rules fail. The
    /// search is then unchanged.
    pub fn load_tree(&mut self, spec: &str, mut input: impl Read) -> Result<(), SavedError> {
        self.can_be_saved()?;
        if self.coordinator.is_some() {
            return Err(SearchError::Running.into());
        }
        let loaded = {
            let shared = self.core.shared.read();
            catch_panic(|| Loaded::read(&shared, spec, &mut input))??
        };
        let mut shared = self.core.shared.write();
        let mut figures = self.core.figures.lock();
        figures.last = FinishedRun::nothing(shared.root_turn);
        // The workers' slabs belong to the old tree.
        figures.workers = loaded.workers(self.config.seed, self.config.threads);
        let before = std::mem::replace(&mut shared.tree, loaded.tree);
        shared.solved = loaded.solved;
        shared.selection.forget_root();
        shared.root_player = loaded.root_player;
        drop((figures, shared));
        drop(before);
        Ok(())
    }
}

/// Returns the header without its last line.
fn header<G: Game, L>(shared: &SharedSearch<G, L>, spec: &str) -> Header {
    let position = text_and_key(&*shared.game, &shared.root);
    header_without_types(&shared.config, &shared.tree, Header::new(MAGIC, spec, position))
}

/// Adds the settings to a header. Independent of the game's type, so it is compiled once.
fn header_without_types(config: &Config, tree: &Tree, mut header: Header) -> Header {
    let logic = &tree.logic;
    header.payoffs(&logic.ranges[..logic.players]);
    let counted = if logic.proof_numbers { "on" } else { "off" };
    header.line("the setting proof-numbers", format!("proof-numbers {counted}"));
    if tree.arena.columns().priors {
        header.line("the evaluator", "priors on".into());
    }
    let is_free = logic.players > 1 && !logic.zero_sum;
    for spec in OPTIONS {
        if SETTINGS.contains(&spec.name) || (is_free && spec.name == PARANOID) {
            let line = format!("{} {}", spec.name, (spec.get)(config));
            header.line(format!("the setting {}", spec.name), line);
        }
    }
    header
}

struct Saved<'s> {
    tree: &'s Tree,
    solved: Option<&'s SolvedTable>,
    root_player: usize,
    seed: u64,
    states: Vec<[u8; 32]>,
}

impl Saved<'_> {
    fn write(&self, header: &Header, out: &mut dyn Write) -> io::Result<()> {
        let mut out = Writer::new(out);
        header.write(&mut out)?;
        out.bytes(format!("nodes {}\n\n", nodes::count(self.tree)).as_bytes())?;
        out.number(self.seed)?;
        out.number(self.states.len() as u64)?;
        self.states.iter().try_for_each(|state| out.bytes(state))?;
        out.number(self.root_player as u64)?;
        nodes::write_facts(self.tree, &self.tree.known, &mut out)?;
        nodes::write(self.tree, &mut out)?;
        write_table(self.solved, &mut out)?;
        out.finish()
    }
}

/// Writes the table of proven positions: its extent, and each entry with its place.
fn write_table(table: Option<&SolvedTable>, out: &mut Writer<'_>) -> io::Result<()> {
    let Some(table) = table else { return out.number(0) };
    let (used, moved) = table.extent();
    out.number(used)?;
    out.number(moved)?;
    let mut next = 0;
    for (place, key, answer) in table.entries() {
        out.number(place - next + 1)?;
        out.bytes(&key.to_le_bytes())?;
        out.number(answer.to_bits())?;
        next = place + 1;
    }
    out.number(0)
}

struct Loaded<M> {
    tree: MoveTree<M>,
    solved: Option<SolvedTable>,
    root_player: usize,
    seed: u64,
    states: Vec<[u8; 32]>,
}

impl<M> Loaded<M> {
    fn workers(&self, seed: u64, threads: usize) -> Vec<WorkerSeed> {
        if seed == self.seed && threads == self.states.len() {
            return self.states.iter().map(|&s| WorkerSeed::new(Rng::from_state(s))).collect();
        }
        // A new seed, so that workers do not draw the numbers of the saved search again.
        let seed = if seed == self.seed { !seed } else { seed };
        Rng::for_workers(seed).take(threads).map(WorkerSeed::new).collect()
    }
}

impl<M: Copy + PartialEq> Loaded<M> {
    fn read<G: Game<Move = M>, L: LeafEvaluation<G>>(
        shared: &SharedSearch<G, L>,
        spec: &str,
        input: &mut dyn Read,
    ) -> Result<Loaded<M>, SavedError> {
        let mut input = Reader::new(input);
        header(shared, spec).check(&mut input)?;
        let (before, has_table) = (&shared.tree, shared.solved.is_some());
        let start = Start::read(&shared.config, before, has_table, shared.root_turn, &mut input)?;
        let (columns, capacity) = (before.arena.columns(), before.arena.capacity());
        let tree = MoveTree::new(start.logic, columns, capacity, before.writers());
        let mut tree = tree.map_err(|why| match why {
            NoArena::Small => SavedError::Full,
            NoArena::Refused(refused) => SavedError::Search(refused.into()),
        })?;
        tree.known = nodes::read_facts(&tree, &mut input)?;
        let read = Nodes { shared, tree: &tree, input: &mut input }.read();
        read.map_err(|error| match (&error, tree.arena.refused()) {
            (SavedError::Full, Some(refused)) => SavedError::Search(refused.into()),
            _ => error,
        })?;
        if tree.arena.len() != start.nodes {
            return Err(damaged("it does not have the number of nodes that it declares"));
        }
        let solved = read_table(shared.solved.as_ref(), &tree.logic, &mut input)?;
        input.finish()?;
        let Start { root_player, seed, states, .. } = start;
        Ok(Loaded { tree, solved, root_player, seed, states })
    }
}

struct Start {
    nodes: u64,
    seed: u64,
    states: Vec<[u8; 32]>,
    root_player: usize,
    logic: Logic,
}

impl Start {
    /// Reads the start of the file, after the settings; `before` is the tree of the search that
    /// reads it.
    fn read(
        config: &Config,
        before: &Tree,
        has_table: bool,
        root_turn: Turn,
        input: &mut Reader<'_>,
    ) -> Result<Start, SavedError> {
        let nodes = read_nodes_line(input)?;
        if nodes > before.arena.capacity() {
            let bytes = nodes.saturating_mul(before.arena.columns().bytes_per_node() as u64);
            let table = if has_table { bytes / (TABLE_SHARE - 1) } else { 0 };
            let (given, needed) = (config.memory, bytes.saturating_add(table));
            return Err(SavedError::Damaged(format!(
                "the tree has {nodes} nodes, which need {needed} bytes of memory, but the search \
                 has {given}"
            )));
        }
        let seed = input.number()?;
        let threads = input.number()?;
        if threads > *Config::THREADS.end() as u64 {
            return Err(damaged("it was saved with too many threads"));
        }
        let states = (0..threads).map(|_| input.array()).collect::<io::Result<Vec<_>>>()?;
        let root_player = input.number()? as usize;
        let fits = match root_turn {
            Turn::Player(mover) => root_player == mover,
            Turn::Chance | Turn::Over => root_player < before.logic.players,
        };
        if !fits {
            return Err(damaged("its values are for a different player"));
        }
        let premises = &before.logic;
        let sides = choose_sides(config, premises.zero_sum, premises.players, root_player);
        let logic = Logic::new(Premises { sides, ..**premises });
        Ok(Start { nodes, seed, states, root_player, logic })
    }
}

/// Reads the header's last line, with the number of nodes, and the empty line.
fn read_nodes_line(input: &mut Reader<'_>) -> Result<u64, SavedError> {
    let (line, end) = (input.line(40)?, input.line(40)?);
    let nodes = std::str::from_utf8(&line).ok().and_then(|line| line.strip_prefix("nodes "));
    let nodes = nodes.and_then(|nodes| nodes.parse().ok()).filter(|_| end.is_empty());
    nodes.ok_or_else(|| damaged("its number of nodes is missing"))
}

/// Reads the table of proven positions into a table of the search's own size.
fn read_table(
    before: Option<&SolvedTable>,
    logic: &Logic,
    input: &mut Reader<'_>,
) -> Result<Option<SolvedTable>, SavedError> {
    let table = before.and_then(|table| SolvedTable::new(table.bytes()));
    let used = input.number()?;
    if used == 0 {
        return Ok(table);
    }
    let extent = (used, input.number()?);
    if !used.is_power_of_two() || used > 1 << 40 {
        return Err(damaged("its table has an impossible size"));
    }
    let as_it_was = table.as_ref().is_some_and(|table| table.extend(extent));
    let mut place = 0u64;
    loop {
        let step = input.number()?;
        if step == 0 {
            return Ok(table);
        }
        place = place
            .checked_add(step)
            .filter(|&next| next <= 2 * used)
            .ok_or_else(|| damaged("its table is longer than declared"))?;
        let key = u64::from_le_bytes(input.array()?);
        let answer = Solved::from_bits(input.number()?);
        if !logic.admits(answer) {
            return Err(damaged("its table contains an impossible answer"));
        }
        let placed = match &table {
            Some(table) if as_it_was => table.place_entry(place - 1, key, answer),
            Some(table) => {
                table.put(key, answer);
                true
            }
            None => true,
        };
        if !placed {
            return Err(damaged("an entry of its table is out of place"));
        }
    }
}
