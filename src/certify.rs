//! Writes certificates from the results of searches.
//!
//! The certificate writer needs the moves that prove a claim, and looks them up in a table of
//! proven positions. If a position is missing there, because the table lost it or no search visited
//! it, df-pn proves it, using the same table.

use crate::bounds::{Bounds, Interval, Value};
use crate::certificate::{self, CertificateError, Claim, Oracle, Promise, Root, Written};
use crate::error::SearchError;
use crate::game::{Game, Outcome, Turn};
use crate::playout::{LeafEvaluation, SharedSearch};
use crate::prove::{
    DepthFirst, Dfpn, Memo, ProofSearch, Prover, Question, Run, Setting, Spent, Table, Verdict,
    remember,
};
use crate::rules::{Declared, canonical_key_after, canonical_root_key, key_after, root_key};
use crate::search::Search;
use crate::settings::{CancelToken, Goal, ProofGoal, ProverConfig, StopReason};
use crate::threads::{Control, WhenFull, catch_panic, has_threads};
use crate::tree::{ROOT, Stage};
use std::collections::VecDeque;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

impl From<SearchError> for CertificateError {
    fn from(error: SearchError) -> CertificateError {
        match error {
            SearchError::Game(error) => CertificateError::Game(error),
            error => CertificateError::Asked(Box::new(error)),
        }
    }
}

impl<G: Game> ProofSearch<G> {
    /// Writes a certificate of all results so far, for
    /// [`Certificate::check`](certificate::Certificate::check). `spec` identifies the game to a
    /// checker; `root` describes the searched position.
    ///
    /// # Errors
    /// Fails if `root` is not the searched position, nothing is proven, `cancel` was cancelled, or
    /// `out` cannot be written.
    ///
    /// # Panics
    /// Panics if a search is running.
    pub fn certify(
        &self,
        spec: &str,
        root: &Root,
        cancel: Option<&CancelToken>,
        out: impl Write,
    ) -> Result<Written, CertificateError> {
        assert!(!self.is_running(), "a certificate can be written only while no search is running");
        check_root(self.game(), self.position(), root)?;
        let report = self.snapshot();
        let known = KnownRoot {
            player: report.player,
            value: report.proven,
            bounds: report.bounds,
            score: report.goal == ProofGoal::Score,
        };
        let config = self.config().clone().threads(1);
        let table = self.table()?;
        let about = About { game: self.game(), config: &config, declared: self.declared() };
        certify(about, &table, &known, CertificateTarget { spec, root, cancel, out })
    }
}

impl<G: Game, L: LeafEvaluation<G>> Search<G, L> {
    /// Writes a certificate, as [`ProofSearch::certify`] does, from the proven values of the tree.
    /// Df-pn finds missing proofs. If a background prover ([`Config::prover_share`]) ran, its table
    /// already contains most of them.
    ///
    /// [`Config::prover_share`]: crate::Config::prover_share
    ///
    /// # Errors
    /// See [`ProofSearch::certify`].
    ///
    /// # Panics
    /// Panics if a search is running.
    pub fn certify(
        &self,
        spec: &str,
        root: &Root,
        cancel: Option<&CancelToken>,
        out: impl Write,
    ) -> Result<Written, CertificateError> {
        assert!(!self.is_running(), "a certificate can be written only while no search is running");
        check_root(self.game(), self.position(), root)?;
        let report = self.snapshot();
        let known = KnownRoot {
            player: report.player,
            value: report.proven,
            bounds: report.bounds,
            // An expected payoff is not a claim about a single game.
            score: self.config().goal == Goal::Score && !self.game().has_chance(),
        };
        let game = self.game();
        let shared = self.shared();
        // In a game without keys, keys are computed from moves and depend on the root, so the
        // background prover's table cannot be used.
        let has_hash = catch_panic(|| game.key(self.position()).is_some())?;
        let background = shared.background.as_ref().filter(|_| has_hash);
        let config = background.map_or(ProverConfig::default().threads(1), |b| b.config.clone());
        let mut solved = Vec::new();
        let declared = catch_panic(|| {
            let declared = Declared::from(game, self.position())?;
            let symmetric = config.symmetries && declared.symmetric;
            for claim in known.claims(game, &declared) {
                let question = question(claim);
                walk(&shared, symmetric, question, &mut |key, verdict| {
                    solved.push((question, key, verdict));
                });
            }
            Ok::<_, SearchError>(declared)
        })??;
        // The entries fill at most an eighth of a table of this size, so that few are lost.
        let bytes = solved.len() as u64 * 128;
        let own;
        let table = match background.filter(|background| background.table.bytes() >= bytes) {
            Some(background) => &background.table,
            None => {
                // Pages that are never touched use no memory.
                own = Table::new(bytes.max(256 << 20))?;
                &own
            }
        };
        let about = About { game, config: &config, declared: &declared };
        for (question, key, verdict) in solved {
            let setting = about.setting(question, self.position(), 0);
            remember(&Memo::new(table, &setting), question, key, verdict);
        }
        certify(about, table, &known, CertificateTarget { spec, root, cancel, out })
    }
}

/// Checks that `root` describes the searched position. Without this check, df-pn might spend hours
/// proving a different position.
fn check_root<G: Game>(game: &G, searched: &G::State, root: &Root) -> Result<(), CertificateError> {
    let found = catch_panic(|| root.find(game))?.map_err(CertificateError::Root)?;
    catch_panic(|| match looks_like(game, &found, searched) {
        true => Ok(()),
        false => {
            let text = |state| game.state_text(state);
            Err(CertificateError::OtherRoot { root: text(&found), searched: text(searched) })
        }
    })?
}

/// Returns whether two positions are equal. In a game without keys, it compares the turns, moves
/// and payoffs of the first 1,000 positions below them.
fn looks_like<G: Game>(game: &G, a: &G::State, b: &G::State) -> bool {
    const MOST: usize = 1000;
    if game.turn(a) == game.turn(b)
        && let (Some(a), Some(b)) = (game.key(a), game.key(b))
    {
        return a == b;
    }
    let mut below = VecDeque::from([(a.clone(), b.clone())]);
    let (mut seen, mut moves, mut others) = (1, Vec::new(), Vec::new());
    while let Some((a, b)) = below.pop_front() {
        let turn = game.turn(&a);
        if turn != game.turn(&b) {
            return false;
        }
        if turn == Turn::Over {
            if (0..game.num_players()).any(|who| game.payoff(&a, who) != game.payoff(&b, who)) {
                return false;
            }
            continue;
        }
        moves.clear();
        others.clear();
        game.legal_moves(&a, &mut moves);
        game.legal_moves(&b, &mut others);
        // A position reached by different moves may list its legal moves in a different order.
        let same = |mv| others.contains(mv);
        if moves != others && !(moves.len() == others.len() && moves.iter().all(same)) {
            return false;
        }
        let next = moves.iter().take(MOST - seen);
        below.extend(next.map(|&mv| (game.after(&a, mv), game.after(&b, mv))));
        seen = (seen + moves.len()).min(MOST);
    }
    true
}

struct KnownRoot {
    player: usize,
    value: Value,
    bounds: Bounds,
    score: bool,
}

struct CertificateTarget<'t, W> {
    spec: &'t str,
    root: &'t Root,
    cancel: Option<&'t CancelToken>,
    out: W,
}

impl KnownRoot {
    /// Returns the claims to prove, except for claims that follow from the payoff range.
    fn claims<G: Game>(&self, game: &G, declared: &Declared) -> Vec<Claim> {
        let claims = match self.score {
            true => self.score_claims(),
            false => self.value_claims(game, declared),
        };
        let says_something = |claim: &Claim| {
            let Interval { lower, upper } = declared.ranges[claim.player];
            match claim.promise {
                Promise::AtLeast(payoff) => payoff > lower,
                Promise::Below(payoff) => payoff <= upper,
            }
        };
        claims.into_iter().flatten().filter(says_something).collect()
    }

    fn score_claims(&self) -> [Option<Claim>; 2] {
        let lower = self.bounds.lower.map(Promise::AtLeast);
        let upper = self.bounds.upper.and_then(|most| most.checked_add(1)).map(Promise::Below);
        [lower, upper].map(|promise| promise.map(|promise| self.own(promise)))
    }

    /// Returns the claims for the goal "outcome". With one opponent, a loss is stated as the
    /// opponent's win. If the player can avoid a loss only by endless play, the claim is that the
    /// opponent cannot win.
    fn value_claims<G: Game>(&self, game: &G, declared: &Declared) -> [Option<Claim>; 2] {
        let own = |outcome, promise: fn(i32) -> Promise| {
            let payoff = declared.thresholds[self.player].least(outcome)?;
            Some(self.own(promise(payoff)))
        };
        let opponent = declared.zero_sum.then(|| 1 - self.player);
        let opponents = |promise: fn(i32) -> Promise| {
            let player = opponent?;
            let payoff = declared.thresholds[player].win?;
            Some(Claim { player, promise: promise(payoff) })
        };
        let draws = |payoff| game.outcome(self.player, payoff) >= Outcome::Draw;
        let lower = match self.value {
            Value::Win => own(Outcome::Win, Promise::AtLeast),
            Value::Draw | Value::NotLoss if self.bounds.lower.is_some_and(draws) => {
                own(Outcome::Draw, Promise::AtLeast)
            }
            Value::Draw | Value::NotLoss => {
                opponents(Promise::Below).or_else(|| own(Outcome::Draw, Promise::AtLeast))
            }
            _ => None,
        };
        let upper = match self.value {
            Value::Loss => {
                opponents(Promise::AtLeast).or_else(|| own(Outcome::Draw, Promise::Below))
            }
            Value::Draw | Value::NotWin => own(Outcome::Win, Promise::Below),
            _ => None,
        };
        [lower, upper]
    }

    fn own(&self, promise: Promise) -> Claim {
        Claim { player: self.player, promise }
    }
}

fn question(claim: Claim) -> Question {
    let (Promise::AtLeast(at_least) | Promise::Below(at_least)) = claim.promise;
    Question { player: claim.player, at_least }
}

struct About<'s, G> {
    game: &'s G,
    config: &'s ProverConfig,
    declared: &'s Declared,
}

impl<'s, G: Game> About<'s, G> {
    fn setting<'a>(&self, question: Question, root: &'a G::State, root_key: u64) -> Setting<'a, G>
    where
        's: 'a,
    {
        let About { game, config, declared } = *self;
        let (audited, bytes) = (None, config.memory);
        Setting { game, root, root_key, config, declared, audited, question, bytes }
    }

    /// Converts `own`, a position's key in the certificate, to the key that the provers use.
    /// Certificates distinguish symmetric positions, but provers may not.
    fn key(&self, state: &G::State, own: u64) -> u64 {
        let symmetric = self.config.symmetries && self.declared.symmetric;
        match symmetric && self.game.key(state).is_some() {
            false => own,
            true => canonical_root_key(self.game, state),
        }
    }
}

fn certify<G: Game>(
    about: About<'_, G>,
    table: &Table,
    known: &KnownRoot,
    target: CertificateTarget<'_, impl Write>,
) -> Result<Written, CertificateError> {
    let CertificateTarget { spec, root, cancel, out } = target;
    let game = about.game;
    let claims = known.claims(game, about.declared);
    if claims.is_empty() {
        return Err(CertificateError::NoProof(
            "nothing that needs a proof has been proven yet; search longer".into(),
        ));
    }
    let control = Control::new();
    let mut oracle = Deciding { about, table, control: &control, cancel, memo: None };
    let write = || catch_panic(|| certificate::write(game, spec, root, &claims, &mut oracle, out));
    if !has_threads() {
        // Without threads, the token cannot be watched.
        return write()?;
    }
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let watcher = thread::Builder::new().spawn_scoped(scope, || {
            // Relaxed: no other data depends on the flags.
            while !done.load(Ordering::Relaxed) {
                if cancel.is_some_and(CancelToken::is_cancelled) {
                    control.stop(StopReason::Cancelled);
                }
                thread::park_timeout(Duration::from_millis(10));
            }
        });
        let watcher = watcher.map_err(|error| SearchError::Threads(error.to_string()))?;
        let written = write();
        done.store(true, Ordering::Relaxed);
        watcher.thread().unpark();
        written?
    })
}

/// An oracle that reads proofs from a table and finds missing proofs with df-pn.
struct Deciding<'s, G: Game> {
    about: About<'s, G>,
    table: &'s Table,
    control: &'s Control,
    cancel: Option<&'s CancelToken>,
    memo: Option<(Question, Memo<'s>)>,
}

/// Returns whether `verdict`, which answers the question about a claim, confirms the claim.
fn shows(claim: Claim, verdict: Verdict) -> bool {
    match claim.promise {
        Promise::AtLeast(_) => verdict == Verdict::Proven,
        Promise::Below(_) => verdict == Verdict::Disproven,
    }
}

impl<G: Game> Oracle<G> for Deciding<'_, G> {
    fn known(&mut self, claim: Claim, state: &G::State, key: u64) -> Option<bool> {
        let (asked, key) = (question(claim), self.about.key(state, key));
        if self.memo.as_ref().is_none_or(|(known, _)| *known != asked) {
            let memo = Memo::new(self.table, &self.about.setting(asked, state, key));
            self.memo = Some((asked, memo));
        }
        let (_, memo) = self.memo.as_ref()?;
        memo.solved(key).map(|(answer, _)| shows(claim, answer.verdict))
    }

    fn decide(
        &mut self,
        claim: Claim,
        state: &G::State,
        key: u64,
    ) -> Result<bool, CertificateError> {
        let key = self.about.key(state, key);
        let setting = self.about.setting(question(claim), state, key);
        let prover = DepthFirst::new::<Dfpn>(setting, self.table);
        self.control.reset(1, None, WhenFull::Freeze);
        let spent = Spent::default();
        let run = Run::new(self.control, &spent, None, 1);
        prover.work(0, &run)?;
        let stopped = || CertificateError::Stopped("interrupted".into());
        prover.verdict().map(|verdict| shows(claim, verdict)).ok_or_else(stopped)
    }

    fn stopped(&self) -> bool {
        self.cancel.is_some_and(CancelToken::is_cancelled)
    }
}

/// Calls `tell` with the key and the answer of each answered position in a tree. The walk does not
/// go below positions without an answer. Keys are canonical if `symmetric`.
fn walk<G: Game, L: LeafEvaluation<G>>(
    shared: &SharedSearch<G, L>,
    symmetric: bool,
    question: Question,
    tell: &mut dyn FnMut(u64, Verdict),
) {
    let (game, tree) = (&shared.game, &shared.tree);
    let root = match symmetric {
        false => root_key(game, &shared.root),
        true => canonical_root_key(game, &shared.root),
    };
    let mut todo = vec![(ROOT, shared.root.clone(), root)];
    while let Some((index, state, key)) = todo.pop() {
        let word = tree.node(index).load();
        if word.stage() == Stage::Terminal {
            continue;
        }
        // An expected payoff proves nothing about a single game.
        let interval = match tree.logic.chance {
            true => tree.logic.ranges[question.player],
            false => tree.span(index, question.player).whole(),
        };
        let prospect = tree.prospect(index, question.player);
        let secured = tree.logic.thresholds[question.player].least(prospect.worst);
        let lower = secured.map_or(interval.lower, |payoff| payoff.max(interval.lower));
        if lower >= question.at_least {
            tell(key, Verdict::Proven);
        } else if interval.upper < question.at_least
            || prospect.best < game.outcome(question.player, question.at_least)
        {
            tell(key, Verdict::Disproven);
        } else {
            continue;
        }
        if word.stage() == Stage::Expanded {
            for number in 0..word.num_children() {
                let next = game.after(&state, tree.child_move(word, number));
                let next_key = match symmetric {
                    false => key_after(game, key, number, &next),
                    true => canonical_key_after(game, key, &state, number, &next),
                };
                todo.push((word.first_child() + number as u32, next, next_key));
            }
        }
    }
}
