//! The options of a search, and the types of their values.

use super::bias::Bias;
use super::goal::Goal;
use super::options::{
    self, Domain, OptionSpec, OptionValues, bytes, options, own, switch, within, words,
};
use crate::error::ConfigError;
use crate::game::Recommended;
use crate::memory::{MIN_MEMORY, usual_memory};
use std::ops::{RangeFrom, RangeInclusive};
use std::path::{Path, PathBuf};

/// The effect of playouts in progress on the selections of other threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VirtualLoss {
    /// Playouts in progress count as visits with an unknown value (WU-UCT): they lower the
    /// exploration term and leave the value unchanged.
    Unobserved,
    /// Playouts in progress have no effect.
    None,
}

/// The source of leaf values in a search made by [`Search::new`](crate::Search::new).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Leaves {
    /// Random playouts, which the library itself provides.
    Playouts,
    /// The game's static evaluation. [`Search::new`](crate::Search::new) returns an error for this
    /// value; a program that has an evaluation passes it to
    /// [`Search::with_evaluator`](crate::Search::with_evaluator).
    Game,
    /// The network in this file, whose name ends with [`Leaves::ENDING`].
    /// [`Search::new`](crate::Search::new) returns an error for this value; a program that runs
    /// networks passes an evaluator to [`Search::with_evaluator`](crate::Search::with_evaluator).
    Network(PathBuf),
}

/// The policy that chooses moves in playouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlayoutPolicy {
    /// Every legal move is equally likely.
    Random,
    /// Where the game prefers a move to random ones, such as a move that wins at once, that move is
    /// played ([`DomainKnowledge::rollout_move`](crate::DomainKnowledge::rollout_move)). Without
    /// such knowledge, moves are random.
    Informed,
}

options! {
    /// The configuration of a search. Each option has a method of the same name, which sets it.
    ///
    /// ```
    /// use proofwood::Config;
    /// use proofwood::options::Bias;
    ///
    /// let config = Config::default().threads(2).bias(Bias::Rank).c_pn(0.5);
    /// assert_eq!(config.threads, 2);
    /// ```
    pub struct Config;

    /// The options of a search.
    table OPTIONS;

    threads "threads": usize = num_cpus::get().min(*Config::THREADS.end()) => "one per core",
        within(Config::THREADS), "Number of worker threads that search the tree together.";
    seed "seed": u64 = 0, within(0..=u64::MAX),
        "Seed for all random numbers; with one thread, the same seed grows the same tree.";
    goal "goal": Goal = Goal::Outcome, words(GOALS),
        "Question to answer: who wins (outcome), or the exact score.";
    /// √2 is the constant of UCT for values from −1 to 1. `None` means the game's recommendation
    /// ([`DomainKnowledge::recommended`](crate::DomainKnowledge::recommended)) if playouts are
    /// informed and the goal is the outcome, else 0.8. With 20,000 playouts for each move, 0.8 wins
    /// more games than √2 in Connect Four, Othello 6x6 and Clobber.
    ///
    /// If the evaluator has priors, PUCT replaces UCT. The option is then the c_init of AlphaZero's
    /// C(s) = ln((1 + N(s) + 19,652) / 19,652) + c_init, by default 1.25.
    c "c": Option<f64> | f64 = None => "recommended by the game", own(within(Recommended::C)),
        "Exploration constant C of UCT; with priors, c_init of PUCT (default 1.25).";
    /// The library itself supports playouts only; for other values, pass an evaluator to
    /// [`Search::with_evaluator`](crate::Search::with_evaluator).
    leaves "leaves": Leaves = Leaves::Playouts, leaves(),
        "Evaluate leaves by playouts, by the game's static evaluation, or by the network in a \
         file; the last two also provide priors.";
    /// The noise is the same in every run of a search until the root changes. The tree keeps the
    /// evaluator's priors without noise.
    noise "noise": f64 = 0.0, within(0.0..=1.0),
        "Share of Dirichlet noise in the root's priors, for self-play.",
        "AlphaZero uses 0.25. The concentration is 10 divided by the number of moves.";
    /// Proven values take precedence: a proven win is played, and a proven loss only if all moves
    /// lose.
    temperature "temperature": f64 = 0.0, within(0.0..=100.0),
        "Draw the move to play with probability proportional to visits^(1 / temperature); 0 plays \
         the most visited move.";
    /// Moves are counted from the first root of the search; see
    /// [`Search::advance`](crate::Search::advance).
    temperature_moves "temperature-moves": u32 = 30, within(0..=1_000_000),
        "Number of plies after which the temperature is 0.";
    /// Proof numbers count the leaves that are still to be won, whatever the goal. So with
    /// [`Goal::Score`] the bias still directs playouts to moves that may force a winning payoff (by
    /// default greater than 0), and the most visited move need not have the best mean. With 0 there
    /// is no bias.
    ///
    /// `None` means the game's recommendation
    /// ([`DomainKnowledge::recommended`](crate::DomainKnowledge::recommended)). Without one, the
    /// weight is 0.1 at a node without visits and fades: to a half after 1,000 visits of the node,
    /// to a third after 2,000. With three players or more it is 0. A weight that is set or
    /// recommended does not fade.
    ///
    /// Proof numbers are counted only if they have a weight. Otherwise they only distinguish proven
    /// (0), open (1) and impossible (∞), which makes a playout an eighth cheaper.
    /// [`Report::counts_proof_numbers`] reports which is the case.
    ///
    /// [`Report::counts_proof_numbers`]: crate::Report::counts_proof_numbers
    c_pn "c-pn": Option<f64> | f64 = None => "recommended by the game", own(within(Recommended::C_PN)),
        "Weight C_pn of the proof-number bias; 0 turns off proof numbers.";
    bias "bias": Bias = Bias::Max, words(BIASES), "Formula of the proof-number bias.";
    solver "solver": bool = true, switch(),
        "Use proven wins, draws and losses (MCTS-Solver).";
    score_bounds "score-bounds": bool = true, switch(),
        "Keep and use score intervals (Score-Bounded MCTS).";
    look_ahead "look-ahead": bool = true, switch(),
        "Check new children for the end of the game as soon as they are added.";
    transpositions "transpositions": bool = true, switch(),
        "Share proofs between nodes with the same position, if the game has hash keys.",
        "The table takes a sixteenth of the memory if the limit is at least 1M.";
    foresight "foresight": bool = true, switch(),
        "Use the game's static bounds for unfinished positions (in Hex, chains that cannot be \
         cut).";
    /// The first thread takes turns between playouts and the prover `auto`
    /// ([`Algorithm::Auto`](crate::Algorithm)), which tries to prove the root with its own table; a
    /// proof is imported into the root's moves. The share is a fraction of the work of all threads,
    /// limited to the work of one thread. It is counted in moves and nodes rather than time, so
    /// that a search with one thread is reproducible. The option requires a two-player zero-sum
    /// game with keys and without chance, and leaves that are not evaluated in batches; otherwise
    /// it has no effect.
    ///
    /// `None` means the game's recommendation for long searches
    /// ([`DomainKnowledge::recommended`](crate::DomainKnowledge::recommended)), if informed
    /// playouts evaluate leaves and the goal is the outcome. A recommended prover starts after
    /// 32,768 playouts of a run, and a prover whose share is set here at once. Without a
    /// recommendation there is no prover.
    prover_share "prover-share": Option<f64> | f64 = None => "recommended by the game", own(within(Recommended::PROVER_SHARE)),
        "Share of the work that a background prover of the root does, if the game has hash keys; \
         0 turns it off.",
        "The prover takes a quarter of the memory if the limit is at least 1M.";
    paranoid "paranoid": bool = false, switch(),
        "Search for the payoff that the side to move can force against all other players \
         together, and use it for pruning (three or more players, or not zero-sum).";
    disprove_rest "disprove-rest": bool = false, switch(),
        "Reserve one visit in eight for tightening bounds (games with chance, goal score).",
        "These visits go to randomly chosen children that may still be best, so that upper bounds \
         fall.";
    virtual_loss "virtual-loss": VirtualLoss = VirtualLoss::Unobserved, words(VIRTUAL_LOSSES),
        "Count playouts in flight as visits for other threads (unobserved), or not at all (none).";
    keep_choice "keep-choice": u64 = 32, within(0..=1_000_000),
        "Visits per thread after which a node reuses its selection for several playouts; 0 \
         selects at every visit.",
        "A selection serves two playouts, four after twice as many visits, and so on up to 16. \
         Games with chance select at every visit.";
    /// `None` means the game's recommendation
    /// ([`DomainKnowledge::recommended`](crate::DomainKnowledge::recommended)), but 1 before the
    /// tree has 4,096 nodes. Without a recommendation, and with an evaluator that has priors, it
    /// means 1. If playouts evaluate leaves and proof numbers have no weight, the next visit tries
    /// one of the moves, and the visit after that expands the leaf. The playouts are the same but
    /// take less memory.
    expand_after "expand-after": Option<u64> | u64 = None => "recommended by the game", own(within(Recommended::EXPAND_AFTER)),
        "Number of visits to a leaf before the next visit expands it.";
    playout_policy "playout-policy": PlayoutPolicy = PlayoutPolicy::Informed, words(PLAYOUT_POLICIES),
        "Moves in playouts: random, or informed by the game (immediate wins, for example).";
    /// `None` means the game's recommendation
    /// ([`DomainKnowledge::recommended`](crate::DomainKnowledge::recommended)) if playouts are
    /// informed and the goal is the outcome, else 1000. An informed playout that is cut off gets
    /// the value of the static evaluation
    /// ([`DomainKnowledge::evaluate`](crate::DomainKnowledge::evaluate)), if the game has one. A
    /// cap of 0 evaluates the leaf itself. Without an evaluation, a playout that is cut off pays
    /// every player 0, so a cap of 0 gives no information.
    playout_cap "playout-cap": Option<u32> | u32 = None => "recommended by the game", own(within(Recommended::PLAYOUT_CAP)),
        "Cut off playouts after this many moves; informed playouts then use the game's static \
         evaluation.";
    /// The default is half of [`machine_memory`](crate::internals::machine_memory), or 4 GiB if
    /// that is unknown. Memory is allocated as the tree grows, except that addresses for a table of
    /// proofs, a sixteenth of the limit, are reserved at once. Concurrent searches do not share
    /// this limit: divide the memory among them. If the system has less memory than configured, the
    /// tree is full when the system's memory is used up, and the table is smaller.
    memory "memory": u64 = usual_memory() => "half of the machine's memory", bytes(Config::MEMORY),
        "Memory for the tree; when it is full, a search without another limit ends, and any other \
         search drops solved or rarely visited nodes.";
    stack "stack": u64 = 2 << 20, bytes(Config::STACKS),
        "Stack size of each worker thread; increase it for deeply recursive rules or evaluators.";
    stop_when_decided "stop-when-decided": bool = false, switch(),
        "End the search early when no other move can overtake the most visited one.";
    audit "audit": bool = false, switch(),
        "Count evaluations at every node, so that an audit can check all visits.";
}

const GOALS: &[(&str, Goal)] = &[("outcome", Goal::Outcome), ("score", Goal::Score)];
const BIASES: &[(&str, Bias)] = &[
    ("none", Bias::None),
    ("rank", Bias::Rank),
    ("max", Bias::Max),
    ("sum", Bias::Sum),
    ("rank-ludii", Bias::RankLudii),
];
const VIRTUAL_LOSSES: &[(&str, VirtualLoss)] =
    &[("unobserved", VirtualLoss::Unobserved), ("none", VirtualLoss::None)];
const PLAYOUT_POLICIES: &[(&str, PlayoutPolicy)] =
    &[("random", PlayoutPolicy::Random), ("informed", PlayoutPolicy::Informed)];

impl Config {
    /// The allowed numbers of threads of a search or a prover.
    pub const THREADS: RangeInclusive<usize> = 1..=1024;
    /// The allowed stack sizes of a thread in bytes. The minimum suffices for the worker's own
    /// calls; the maximum is the limit of the address space.
    pub const STACKS: RangeInclusive<u64> = 256 << 10..=1 << 62;
    /// The allowed memory of a search in bytes; the minimum is the size of the smallest tree.
    pub const MEMORY: RangeFrom<u64> = MIN_MEMORY..;

    /// Returns a configuration for proving. Proof numbers dominate ([`c_pn`](Config::c_pn) 1),
    /// [`c`](Config::c) is √2, and playouts are uniformly random. With three players or more the
    /// goal is the result that the side to move can force ([`paranoid`](Config::paranoid)). In
    /// games with chance every eighth visit tightens bounds
    /// ([`disprove_rest`](Config::disprove_rest)). A background prover does four fifths of the work
    /// if it can run ([`prover_share`](Config::prover_share)).
    ///
    /// The defaults are for playing. A large `c_pn` finds proofs several times faster but plays
    /// some games much worse, so tune it for each game.
    pub fn proving() -> Config {
        let config = Config::default().c(std::f64::consts::SQRT_2).c_pn(1.0).expand_after(1);
        let config = config.playout_policy(PlayoutPolicy::Random).prover_share(0.8);
        config.paranoid(true).disprove_rest(true)
    }

    /// Returns the configuration of flat UCB, a baseline player: UCB1 divides random playouts among
    /// the root's moves, and the most visited move is played. Nothing is proven, and the tree ends
    /// at the root's moves.
    pub fn flat_monte_carlo() -> Config {
        let config = Config::default().c(std::f64::consts::SQRT_2).expand_after(1_000_000_000);
        let config = config.c_pn(0.0).solver(false).score_bounds(false).look_ahead(false);
        let config = config.transpositions(false).foresight(false).keep_choice(0);
        config.playout_policy(PlayoutPolicy::Random)
    }

    /// Returns the configuration of a nearly random player, a baseline: it draws among the moves
    /// that its few playouts have tried, with nearly equal probabilities.
    pub fn random_player() -> Config {
        let config = Config::flat_monte_carlo().c(1000.0);
        config.temperature(100.0).temperature_moves(1_000_000)
    }

    /// Returns whether the game's recommendations apply: informed playouts and the goal `Outcome`.
    #[inline]
    pub(crate) fn asks_game(&self) -> bool {
        (self.playout_policy, self.goal) == (PlayoutPolicy::Informed, Goal::Outcome)
    }

    /// Checks all options, and whether they can be combined.
    ///
    /// Returns an error if any option has an invalid value; the error names the first such option.
    pub fn check(&self) -> Result<(), ConfigError> {
        for spec in OPTIONS {
            (spec.check)(self)?;
        }
        if self.goal == Goal::Score && !self.score_bounds {
            return Err(ConfigError::ScoreNeedsBounds);
        }
        Ok(())
    }
}

impl Leaves {
    /// The ending that the names of network files must have.
    pub const ENDING: &str = ".safetensors";
}

struct LeavesWords;

fn leaves() -> LeavesWords {
    LeavesWords
}

impl Domain<Leaves> for LeavesWords {
    fn values(&self) -> OptionValues {
        OptionValues::WordsOrFile(vec!["playouts", "game"], Leaves::ENDING)
    }

    fn read(&self, text: &str) -> Option<Leaves> {
        let text = text.trim();
        match &*text.to_ascii_lowercase() {
            "playouts" => Some(Leaves::Playouts),
            "game" => Some(Leaves::Game),
            _ => Some(Leaves::Network(text.into())).filter(|leaves| self.holds(leaves)),
        }
    }

    fn holds(&self, leaves: &Leaves) -> bool {
        let ends = |path: &Path| path.to_str().is_some_and(|name| name.ends_with(Leaves::ENDING));
        !matches!(leaves, Leaves::Network(path) if !ends(path))
    }

    fn write(&self, leaves: &Leaves) -> String {
        match leaves {
            Leaves::Playouts => "playouts".into(),
            Leaves::Game => "game".into(),
            Leaves::Network(path) => path.display().to_string(),
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn leaves_are_words_or_files_of_networks() {
        let mut config = Config::default();
        for text in ["playouts", "game", "nets/Othello.safetensors"] {
            config.set("leaves", text).unwrap();
            assert_eq!(LeavesWords.write(&config.leaves), text);
        }
        assert_eq!(config.leaves, Leaves::Network("nets/Othello.safetensors".into()));
        let error = config.set("leaves", "gmae").unwrap_err().to_string();
        assert!(error.ends_with("one of playouts, game, or a *.safetensors file"), "{error}");
        assert!(config.leaves(Leaves::Network("a network".into())).check().is_err());
    }

    #[test]
    fn values_out_of_range_are_refused_with_the_range() {
        let mut config = Config::default();
        for (name, value) in [
            ("threads", "0"),
            ("threads", "many"),
            ("c", "-1"),
            ("c", "NaN"),
            ("bias", "best"),
            ("memory", "1"),
            ("memory", "1X"),
            ("memory", "inf"),
            ("solver", "maybe"),
            ("virtual-loss", "-1"),
        ] {
            let error = config.set(name, value).unwrap_err().to_string();
            let field = format!("Config::{}: '{value}' should be ", name.replace('-', "_"));
            assert!(error.starts_with(&field), "{error}");
        }
        assert!(config.set("colour", "red").is_err());
        assert_eq!(config, Config::default());
        assert!(Config::default().threads(0).check().is_err());
        assert!(Config::default().c(f64::NAN).check().is_err());
    }

    #[test]
    fn combinations_that_cannot_work_are_refused() {
        assert!(Config::default().goal(Goal::Score).score_bounds(false).check().is_err());
    }
}
