//! Plays the search of the GPN-MCTS authors' own program against that program's baseline. Both
//! sides can be made to deviate from the program in the same way. Each deviation is a feature of
//! our engine, whose effect can thus be measured.
//!
//! `cargo lab -p proofwood-experiments --bin as_published -- knightthrough rank 5 1600 100` plays
//! 100 games with PNRank, `C_pn` 5 and 1,600 playouts a move. Score bounds are on for both sides.
//! The names of deviations may follow; see [`Otherwise`].
//!
//! Follows the program at github.com/acatai/PNMCTSLudii (commit a68d2ea). Nothing is kept from one
//! game to the next. Only two-player games without chance can be played.

use proofwood::{Game, Outcome, Rng, Turn};
use proofwood_games::{GameVisitor, with_game};
use std::process::ExitCode;

/// The most plies of a rollout; a game that is not over by then is a draw.
const LONGEST: usize = 200;

/// Deviations from the authors' program.
#[derive(Clone, Copy, Debug, Default)]
struct Otherwise {
    /// Links a child to its parent before the child's bounds are published. The authors' program
    /// publishes them first, so the last child never completes its parent's bounds.
    linked: bool,
    /// Bounds each player's payoff by the other's. In the authors' program, a node at which the
    /// mover wins is a loss for the other player only if every child is one.
    mirrored: bool,
    /// Gives an unvisited child its parent's mean. The authors' program counts the playout in
    /// flight as a loss against that mean.
    mean: bool,
    /// Sets bounds when proof numbers prove a value. In the authors' program, bounds are derived
    /// only from other bounds.
    settles: bool,
    /// Visits each child once before any children are compared.
    each_once: bool,
    /// Turns score bounds off for both sides.
    boundless: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Formula {
    Rank,
    Max,
    Sum,
}

#[derive(Clone, Copy)]
struct Side {
    /// The bias formula; `None` searches without proof numbers.
    formula: Option<Formula>,
    c_pn: f64,
    playouts: usize,
    otherwise: Otherwise,
}

struct Node<G: Game> {
    parent: Option<usize>,
    state: G::State,
    /// The player to move; `None` if the game is over.
    mover: Option<usize>,
    moves: Vec<G::Move>,
    children: Vec<Option<usize>>,
    visits: f64,
    totals: [f64; 2],
    proof: [f64; 2],
    /// Bounds on each player's payoff: the lower ones here, the upper ones in `most`.
    least: [f64; 2],
    most: [f64; 2],
    pruned: bool,
    terms: Vec<f64>,
    stale: bool,
}

struct Tree<'g, G: Game> {
    game: &'g G,
    side: Side,
    nodes: Vec<Node<G>>,
    root: Option<usize>,
    rng: Rng,
}

fn worth<G: Game>(game: &G, state: &G::State, player: usize) -> f64 {
    match game.outcome(player, game.payoff(state, player)) {
        Outcome::Win => 1.0,
        Outcome::Loss => -1.0,
        Outcome::Draw => 0.0,
    }
}

impl<G: Game> Tree<'_, G> {
    fn new_node(&mut self, parent: Option<usize>, state: G::State) -> usize {
        let mover = match self.game.turn(&state) {
            Turn::Player(player) => Some(player),
            _ => None,
        };
        let mut moves = Vec::new();
        if mover.is_some() {
            self.game.legal_moves(&state, &mut moves);
        }
        let count = moves.len();
        let mut node = Node {
            parent,
            mover,
            children: vec![None; count],
            visits: 0.0,
            totals: [0.0; 2],
            proof: [1.0; 2],
            least: [-1.0; 2],
            most: [1.0; 2],
            pruned: false,
            terms: vec![0.0; count],
            stale: false,
            moves,
            state,
        };
        if mover.is_none() {
            let worths = [0, 1].map(|player| worth(self.game, &node.state, player));
            node.proof = worths.map(|worth| if worth > 0.0 { 0.0 } else { f64::INFINITY });
            (node.least, node.most) = (worths, worths);
        }
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Updates the parent's bounds if the game is over in a new node, and computes the new node's
    /// proof numbers.
    fn tell(&mut self, index: usize) {
        if let (Some(parent), None) = (self.nodes[index].parent, self.nodes[index].mover)
            && !self.side.otherwise.boundless
        {
            for player in 0..2 {
                let worth = self.nodes[index].least[player];
                if worth != 0.0 {
                    self.raise(parent, player, worth);
                    self.lower(parent, player, worth, index);
                }
            }
        }
        self.count(index);
    }

    /// Raises a node's lower bound after one of its children has received the lower bound `least`.
    fn raise(&mut self, index: usize, player: usize, least: f64) {
        let old = self.nodes[index].least[player];
        if least <= old {
            return;
        }
        let mut new = least;
        if self.nodes[index].mover == Some(player) {
            for child in self.nodes[index].children.clone().into_iter().flatten() {
                self.nodes[child].pruned |= self.nodes[child].most[player] <= least;
            }
        } else {
            for child in &self.nodes[index].children {
                let Some(child) = child else { return };
                new = new.min(self.nodes[*child].least[player]);
            }
            if new <= old {
                return;
            }
        }
        self.nodes[index].least[player] = new;
        if let Some(parent) = self.nodes[index].parent {
            self.raise(parent, player, new);
        }
        if self.side.otherwise.mirrored {
            self.set_most(index, 1 - player, -new);
        }
    }

    /// Lowers a node's upper bound after its child `from` has received the upper bound `most`.
    fn lower(&mut self, index: usize, player: usize, most: f64, from: usize) {
        if self.nodes[index].mover == Some(player) && most <= self.nodes[index].least[player] {
            self.nodes[from].pruned = true;
        }
        let old = self.nodes[index].most[player];
        if most >= old {
            return;
        }
        let mut new = most;
        for child in &self.nodes[index].children {
            let Some(child) = child else { return };
            new = new.max(self.nodes[*child].most[player]);
        }
        self.set_most(index, player, new);
    }

    fn set_most(&mut self, index: usize, player: usize, most: f64) {
        if most >= self.nodes[index].most[player] {
            return;
        }
        self.nodes[index].most[player] = most;
        if let Some(parent) = self.nodes[index].parent {
            self.lower(parent, player, most, index);
        }
        if self.side.otherwise.mirrored && self.nodes[index].least[1 - player] < -most {
            self.nodes[index].least[1 - player] = -most;
            if let Some(parent) = self.nodes[index].parent {
                self.raise(parent, 1 - player, -most);
            }
        }
    }

    /// Recomputes a node's proof numbers; returns whether one changed.
    fn count(&mut self, index: usize) -> bool {
        let node = &self.nodes[index];
        let Some(mover) = node.mover else { return true };
        let (mut proof, mut changed) = (node.proof, false);
        for player in 0..2 {
            if proof[player] == 0.0 || proof[player].is_infinite() {
                continue;
            }
            let numbers = node
                .children
                .iter()
                .map(|child| child.map_or(1.0, |at| self.nodes[at].proof[player]));
            let number = match player == mover {
                true => numbers.fold(f64::INFINITY, f64::min),
                false => numbers.sum(),
            };
            if number != proof[player] {
                (proof[player], changed) = (number, true);
                if number == 0.0 {
                    proof[1 - player] = f64::INFINITY;
                }
            }
        }
        self.nodes[index].proof = proof;
        if self.side.otherwise.settles
            && let Some(winner) = proof.iter().position(|&number| number == 0.0)
        {
            let mut worths = [-1.0; 2];
            worths[winner] = 1.0;
            (self.nodes[index].least, self.nodes[index].most) = (worths, worths);
        }
        changed
    }

    fn is_solved(&self, index: usize, player: usize) -> bool {
        let node = &self.nodes[index];
        match self.side.otherwise.boundless {
            true => self.side.formula.is_some() && node.proof[player] == 0.0,
            false => node.least[player] == node.most[player],
        }
    }

    fn expected(&self, index: usize, player: usize, under_way: f64) -> f64 {
        let node = &self.nodes[index];
        if self.is_solved(index, player)
            && (node.parent.is_some() || !self.side.otherwise.boundless)
        {
            return if self.side.otherwise.boundless { 1.0 } else { node.least[player] };
        }
        let mean = match node.visits {
            0.0 => 0.0,
            visits => (node.totals[player] - under_way) / (visits + under_way),
        };
        match self.side.formula.is_some() && !self.side.otherwise.boundless {
            true => mean.clamp(node.least[player], node.most[player]),
            false => mean,
        }
    }

    fn select(&mut self, index: usize) -> usize {
        if self.nodes[index].stale {
            self.rate(index);
        }
        let node = &self.nodes[index];
        let mover = node.mover.expect("a node where someone moves");
        let made: f64 = node.children.iter().flatten().map(|&child| self.nodes[child].visits).sum();
        let log = made.max(1.0).ln();
        let under_way = if self.side.otherwise.mean { 0.0 } else { 1.0 };
        let unvisited = match node.visits {
            _ if self.side.otherwise.each_once => 10_000.0,
            0.0 => 10_000.0,
            _ => self.expected(index, mover, under_way),
        };
        let (mut best, mut most, mut ties) = (0, f64::NEG_INFINITY, 0);
        for (number, child) in node.children.iter().enumerate() {
            let (value, visits) = match *child {
                None => (unvisited, 1.0),
                Some(child) => {
                    let below = &self.nodes[child];
                    let pruned = below.pruned && node.most[mover] > below.least[mover];
                    let value = if pruned { -10_000.0 } else { self.expected(child, mover, 0.0) };
                    (value, below.visits.max(1.0))
                }
            };
            let score =
                value + 2f64.sqrt() * (log / visits).sqrt() + self.side.c_pn * node.terms[number];
            if score > most {
                (best, most, ties) = (number, score, 1);
            } else if score == most {
                ties += 1;
                if self.rng.below(ties) == 0 {
                    best = number;
                }
            }
        }
        best
    }

    /// Computes the term that the formula adds to each child's score.
    fn rate(&mut self, index: usize) {
        let Some(formula) = self.side.formula else { return };
        let node = &self.nodes[index];
        let mover = node.mover.expect("a node where someone moves");
        let numbers: Vec<f64> = node
            .children
            .iter()
            .map(|child| child.map_or(1.0, |at| self.nodes[at].proof[mover]))
            .collect();
        let finite = || numbers.iter().copied().filter(|number| number.is_finite());
        let (sum, most) = (finite().sum::<f64>(), finite().fold(0.0, f64::max));
        let least = finite().fold(f64::INFINITY, f64::min);
        let term = |number: f64| match formula {
            Formula::Rank => {
                let before = numbers.iter().filter(|&&other| other < number).count();
                1.0 - (before + 1) as f64 / numbers.len() as f64
            }
            _ if most == 0.0 || number.is_infinite() => 0.0,
            Formula::Sum => 1.0 - number / (1.0 + sum),
            Formula::Max => 1.0 - (number - least) / (1.0 + most - least),
        };
        let terms = numbers.iter().map(|&number| term(number)).collect();
        self.nodes[index].terms = terms;
        self.nodes[index].stale = false;
    }

    fn playout(&mut self, state: &G::State) -> [f64; 2] {
        let (mut state, mut moves) = (state.clone(), Vec::new());
        for _ in 0..LONGEST {
            if self.game.turn(&state) == Turn::Over {
                break;
            }
            moves.clear();
            self.game.legal_moves(&state, &mut moves);
            let mv = moves[self.rng.below(moves.len() as u32) as usize];
            self.game.play(&mut state, mv);
        }
        match self.game.turn(&state) {
            Turn::Over => [0, 1].map(|player| worth(self.game, &state, player)),
            _ => [0.0; 2],
        }
    }

    fn iterate(&mut self, root: usize) {
        let mut at = root;
        while self.nodes[at].mover.is_some() {
            let number = self.select(at);
            if let Some(child) = self.nodes[at].children[number] {
                at = child;
                continue;
            }
            let mut state = self.nodes[at].state.clone();
            self.game.play(&mut state, self.nodes[at].moves[number]);
            let child = self.new_node(Some(at), state);
            match self.side.otherwise.linked {
                true => {
                    self.nodes[at].children[number] = Some(child);
                    self.tell(child);
                }
                false => {
                    self.tell(child);
                    self.nodes[at].children[number] = Some(child);
                }
            }
            at = child;
            break;
        }
        let worths = match self.nodes[at].mover {
            None => self.nodes[at].least,
            Some(_) => {
                let state = self.nodes[at].state.clone();
                self.playout(&state)
            }
        };
        let (mut up, mut counts, mut is_first) = (Some(at), self.side.formula.is_some(), true);
        while let Some(index) = up {
            let node = &mut self.nodes[index];
            node.visits += 1.0;
            node.totals = [0, 1].map(|player| node.totals[player] + worths[player]);
            if !is_first && counts {
                counts = self.count(index);
                self.nodes[index].stale = true;
            }
            is_first = false;
            up = self.nodes[index].parent;
        }
    }

    /// Chooses the move to play: the program's "robust child" with its rule for proven values.
    fn choose(&mut self, root: usize) -> usize {
        let mover = self.nodes[root].mover.expect("a node where someone moves");
        let (mut best, mut value, mut visits) = (Vec::new(), f64::NEG_INFINITY, -1.0);
        let mut is_proven = false;
        for number in 0..self.nodes[root].children.len() {
            let child = self.nodes[root].children[number];
            let its_visits = child.map_or(0.0, |at| self.nodes[at].visits);
            let its_value = child.map_or(0.0, |at| self.expected(at, mover, 0.0));
            if child.is_some_and(|at| self.is_solved(at, mover)) && its_value >= value {
                is_proven = true;
                if its_value > value {
                    (best, value, visits) = (vec![number], its_value, its_visits);
                } else {
                    visits = f64::max(visits, its_visits);
                    best.push(number);
                }
            } else if !is_proven || its_value > value {
                is_proven = false;
                if its_visits > visits || (its_visits == visits && its_value > value) {
                    (best, value, visits) = (vec![number], its_value, its_visits);
                } else if its_visits == visits && its_value == value {
                    best.push(number);
                }
            }
        }
        best[self.rng.below(best.len() as u32) as usize]
    }

    /// Searches a position, which follows the previous one by the moves `played`.
    fn think(&mut self, state: &G::State) -> G::Move {
        let root = match self.root {
            Some(root) => root,
            None => {
                self.nodes.clear();
                let root = self.new_node(None, state.clone());
                self.count(root);
                root
            }
        };
        self.nodes[root].parent = None;
        self.root = Some(root);
        if self.nodes[root].moves.len() > 1 {
            for _ in 0..self.side.playouts {
                self.iterate(root);
            }
        }
        if self.nodes[root].moves.len() == 1 {
            return self.nodes[root].moves[0];
        }
        let number = self.choose(root);
        self.nodes[root].moves[number]
    }

    fn follow(&mut self, mv: G::Move) {
        let Some(root) = self.root else { return };
        let number = self.nodes[root].moves.iter().position(|&other| other == mv);
        self.root = number.and_then(|number| self.nodes[root].children[number]);
    }
}

struct Match {
    sides: [Side; 2],
    games: u64,
}

impl GameVisitor for Match {
    /// The points and the number of plies; `None` for a game that the program cannot play.
    type Output = Option<(f64, u64)>;

    fn visit<G: Game>(self, game: G) -> Option<(f64, u64)> {
        if game.num_players() != 2 || game.has_chance() {
            return None;
        }
        let (mut points, mut plies) = (0.0, 0);
        for number in 0..self.games {
            let seat = (number % 2) as usize;
            let mut trees = [0, 1].map(|player| Tree {
                game: &game,
                side: self.sides[usize::from(player != seat)],
                nodes: Vec::new(),
                root: None,
                rng: Rng::new(2 * number + player as u64),
            });
            let mut state = game.initial_state();
            while let Turn::Player(player) = game.turn(&state) {
                let mv = trees[player].think(&state);
                for tree in &mut trees {
                    tree.follow(mv);
                }
                game.play(&mut state, mv);
                plies += 1;
            }
            points += (worth(&game, &state, seat) + 1.0) / 2.0;
        }
        Some((points, plies))
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let usage = "as_published: GAME rank|max|sum C_PN PLAYOUTS GAMES \
        [linked] [mirrored] [mean] [settles] [each-once] [boundless]";
    let parsed = || {
        let formula = match arguments.get(1)?.as_str() {
            "rank" => Formula::Rank,
            "max" => Formula::Max,
            "sum" => Formula::Sum,
            _ => return None,
        };
        let (c_pn, playouts) = (arguments.get(2)?.parse().ok()?, arguments.get(3)?.parse().ok()?);
        let games = arguments.get(4)?.parse().ok().filter(|&games| games > 0)?;
        let mut otherwise = Otherwise::default();
        for name in &arguments[5..] {
            match name.as_str() {
                "linked" => otherwise.linked = true,
                "mirrored" => otherwise.mirrored = true,
                "mean" => otherwise.mean = true,
                "settles" => otherwise.settles = true,
                "each-once" => otherwise.each_once = true,
                "boundless" => otherwise.boundless = true,
                _ => return None,
            }
        }
        let ours = Side { formula: Some(formula), c_pn, playouts, otherwise };
        Some(Match { sides: [ours, Side { formula: None, ..ours }], games })
    };
    let Some(planned) = parsed() else {
        eprintln!("{usage}");
        return ExitCode::from(2);
    };
    let games = planned.games as f64;
    match with_game(&arguments[0], planned) {
        Ok(Some((points, plies))) => {
            // Wilson's 95 % interval.
            let (share, z) = (points / games, 1.96f64);
            let middle = (share + z * z / (2.0 * games)) / (1.0 + z * z / games);
            let error = z / (1.0 + z * z / games)
                * (share * (1.0 - share) / games + z * z / (4.0 * games * games)).sqrt();
            println!(
                "{}: {points} of {games} points, {:.1} % ({:.1} to {:.1}), {:.1} plies",
                arguments.join(" "),
                share * 100.0,
                (middle - error) * 100.0,
                (middle + error) * 100.0,
                plies as f64 / games,
            );
            ExitCode::SUCCESS
        }
        Ok(None) => {
            eprintln!(
                "as_published: {}: a game of two players without chance, please",
                arguments[0]
            );
            ExitCode::from(2)
        }
        Err(error) => {
            eprintln!("as_published: {error}");
            ExitCode::from(2)
        }
    }
}
