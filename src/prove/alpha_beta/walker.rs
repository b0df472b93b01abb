//! The walker, which runs one thread of alpha-beta.

use super::horizon::Horizon;
use super::order::{Gauge, Order, Rank};
use crate::error::{GameError, SearchError};
use crate::game::{DomainKnowledge, Game};
use crate::prove::memo::{Recall, Way};
use crate::prove::prospects::{LONGEST, Prospects};
use crate::prove::question::{Answer, Basis, Verdict};
use crate::prove::run::Meter;
use crate::prove::setting::{Hint, ToMove};
use crate::prove::shared::{Found, SharedTable};

pub(crate) struct AlphaBetaWalker<'w, 's, G: Game> {
    shared: &'w SharedTable<'s, G>,
    order: Order<G::Move>,
    gauge: Gauge,
    horizon: Horizon,
    /// Whether the walks began with the nearest horizon.
    deepens: bool,
    /// Whether lines may be endless: one had a repetition or was longer than any playout.
    endless: bool,
    thread: u64,
    frames: Vec<Frame>,
    states: Vec<G::State>,
    children: Vec<Child<G::Move>>,
    moves: Vec<G::Move>,
    counted: Vec<G::Move>,
    /// Counts the positions on the path by the low bits of their keys.
    on_way: Box<[u32; WAYS]>,
    /// The typical work below a position, for each depth.
    usual_work: Vec<u64>,
    until_look: u32,
}

const WAYS: usize = 1 << 10;
const LOOK_EVERY: u32 = 256;
/// A thread announces a position only if the typical work at its depth is at least this.
const WORTH_TELLING: u64 = 256;
struct Frame {
    key: u64,
    way: Way,
    first: usize,
    next: usize,
    chosen: usize,
    claimant: bool,
    counted: bool,
    left: u32,
    /// The number of expansions at and below the position during this visit.
    work: u64,
    open: Option<usize>,
    /// Whether some children were deferred because other threads are searching them.
    deferred: bool,
    late: bool,
}

/// The result for a child so far, from the point of view of the side to move at its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Nothing,
    Open,
    Good,
    Bad,
}

struct Child<M> {
    mv: M,
    key: u64,
    known: Known,
    score: i32,
    basis: Basis,
    number: u16,
    /// The index of the child's best move so far plus one; 0 if unknown.
    hint: u16,
    rank: Rank,
}

fn arrange<M>(children: &mut [Child<M>]) {
    children.sort_unstable_by_key(|child| (child.is_solved(), child.rank));
}

impl<M> Child<M> {
    fn settle(&mut self, claimant: bool, answer: Answer) {
        let good = (answer.verdict == Verdict::Proven) == claimant;
        self.known = if good { Known::Good } else { Known::Bad };
        (self.score, self.basis) = (answer.score, answer.basis);
    }

    fn is_solved(&self) -> bool {
        matches!(self.known, Known::Good | Known::Bad)
    }
}

enum FrameResult {
    /// The answer to the position, and the index of the deciding child if one child suffices.
    Solved(Answer, Option<usize>),
    /// The position is open because of the child with this index.
    Open(usize),
}

enum Step {
    Enter(usize),
    Close(FrameResult),
}

impl<'w, 's, G: Game> AlphaBetaWalker<'w, 's, G> {
    pub(crate) fn new(
        shared: &'w SharedTable<'s, G>,
        thread: usize,
        prospects: &Prospects,
    ) -> Self {
        AlphaBetaWalker {
            shared,
            order: Order::new(),
            gauge: Gauge::new(shared.setting.config.mobility.unwrap_or(false)),
            horizon: Horizon::of(prospects, thread),
            deepens: !prospects.ends(),
            endless: false,
            thread: thread as u64,
            frames: Vec::with_capacity(64),
            states: Vec::with_capacity(64),
            children: Vec::with_capacity(256),
            moves: Vec::with_capacity(64),
            counted: Vec::with_capacity(64),
            on_way: Box::new([0; WAYS]),
            usual_work: Vec::new(),
            until_look: LOOK_EVERY,
        }
    }

    /// Searches until the root is solved, the run ends or `nodes` nodes have been created; returns
    /// the answer if the root is solved. Another call continues the search.
    pub(crate) fn go_on(
        &mut self,
        meter: &mut Meter<'_, '_>,
        nodes: u64,
    ) -> Result<Option<Found<G::Move>>, SearchError> {
        let (enough, mut on) = (meter.nodes().saturating_add(nodes), true);
        while on && meter.nodes() < enough {
            if self.endless && !self.deepens {
                self.start_over();
            }
            if self.frames.is_empty() {
                on = self.open_root(meter)?;
                continue;
            }
            self.catch_up();
            match self.step() {
                Step::Enter(chosen) => {
                    on = self.descend(chosen, meter)?;
                }
                Step::Close(result) => {
                    let root = self.frames.len() == 1;
                    if let (true, FrameResult::Solved(answer, best)) = (root, &result) {
                        let (answer, best) = (*answer, best.map(|n| self.children[n].mv));
                        self.close(result);
                        return Ok(Some(Found { answer, best }));
                    }
                    self.close(result);
                    if root {
                        self.horizon = self.horizon.next(self.thread as usize);
                    }
                }
            }
        }
        Ok(None)
    }

    #[cold]
    fn start_over(&mut self) {
        self.deepens = true;
        self.horizon = Horizon::first(self.thread as usize);
        while !self.frames.is_empty() {
            self.leave();
        }
        self.children.clear();
    }

    fn open_root(&mut self, meter: &mut Meter<'_, '_>) -> Result<bool, SearchError> {
        let setting = self.shared.setting;
        let way = self.shared.memo.start();
        self.open(setting.root.clone(), setting.root_key(), way, 0, self.horizon.moves, meter)
    }

    fn descend(&mut self, chosen: usize, meter: &mut Meter<'_, '_>) -> Result<bool, SearchError> {
        let depth = self.frames.len() - 1;
        let frame = &mut self.frames[depth];
        frame.chosen = chosen;
        let (way, left) = (frame.way, frame.left - 1);
        let Child { mv, key, hint, .. } = self.children[chosen];
        let state = self.shared.setting.game.after(&self.states[depth], mv);
        self.open(state, key, way, hint, left, meter)
    }

    /// Pushes a frame for a position; returns whether the run continues.
    fn open(
        &mut self,
        state: G::State,
        key: u64,
        way: Way,
        hint: u16,
        left: u32,
        meter: &mut Meter<'_, '_>,
    ) -> Result<bool, SearchError> {
        let claimant = match self.shared.setting.look(&state)? {
            ToMove::Claimant => true,
            ToMove::Others => false,
            // It was not over when it was listed, so the turn depends on more than the position.
            ToMove::Over(_) => return Err(GameError::Undecided.into()),
        };
        self.on_way[key as usize & (WAYS - 1)] += 1;
        let depth = self.frames.len();
        if self.usual_work.len() == depth {
            self.usual_work.push(0);
            // If positions contain a counter or have no key, repetitions go unnoticed.
            self.endless |= depth >= LONGEST as usize;
        }
        let counted = self.shared.is_shared() && self.usual_work[depth] >= WORTH_TELLING;
        if counted {
            self.shared.enter(key);
        }
        let first = self.children.len();
        self.frames.push(Frame {
            key,
            way: way.past(key),
            first,
            next: first,
            chosen: first,
            claimant,
            counted,
            left,
            work: 1,
            open: None,
            deferred: false,
            late: false,
        });
        self.states.push(state);
        self.list(hint)?;
        Ok(meter.expanded(self.children.len() - first))
    }

    fn last(&self) -> &Frame {
        self.frames.last().expect("there is a frame while the search runs")
    }

    /// Lists the last frame's children in search order, with their status. The list ends at a move
    /// that wins at once.
    fn list(&mut self, hint: u16) -> Result<(), SearchError> {
        let shared = self.shared;
        let setting = &shared.setting;
        let &Frame { key, first, claimant, .. } = self.last();
        let depth = self.frames.len() - 1;
        let state = self.states.last().expect("every frame has its position");
        setting.list(state, &mut self.moves)?;
        // At the root all moves are listed, because the report shows them.
        let narrowed = depth > 0 && setting.narrow(state, &mut self.moves, &mut self.counted)?;
        self.order.reach(depth);
        let counts = self.gauge.is_on() && self.moves.len() > 1;
        for (number, &mv) in self.moves.iter().enumerate() {
            let next = setting.game.after(state, mv);
            let key = match narrowed {
                false => setting.key(key, state, number, &next),
                true => setting.key_of_move(key, state, mv, &next, &mut self.counted)?,
            };
            shared.memo.prefetch(key);
            let (number, rank) = (number as u16, Rank::default());
            let (known, score, basis) = (Known::Nothing, 0, Basis::ENDS);
            let mut child = Child { mv, key, known, score, basis, number, hint: 0, rank };
            match setting.look(&next)? {
                ToMove::Over(score) => {
                    let verdict = setting.answer(score);
                    child.settle(claimant, Answer { verdict, score, basis });
                }
                _ => {
                    child.rank = self.order.rank(claimant, depth, mv);
                    child.rank.priority(setting.game.knowledge().move_order(state, mv));
                    if counts {
                        let replies = setting.replies(&next, &mut self.counted)?;
                        child.rank.replies(replies);
                    }
                    if number + 1 == hint {
                        child.rank.first();
                    }
                }
            }
            let wins = child.known == Known::Good;
            self.children.push(child);
            if wins {
                return Ok(());
            }
        }
        // A separate loop lets the processor fetch several entries at the same time.
        let mut anew = 0;
        for number in first..self.children.len() {
            if self.children[number].is_solved() {
                continue;
            }
            self.recall(number);
            match self.children[number].known {
                Known::Good => return Ok(()),
                Known::Bad => {}
                _ => anew += 1,
            }
        }
        if anew == 0 {
            return Ok(());
        }
        let children = &mut self.children[first..];
        if counts {
            self.gauge.measure(children.iter().filter(|c| !c.is_solved()).map(|c| &c.rank));
        }
        if self.thread > 0 {
            let salt = key ^ self.thread;
            children.iter_mut().for_each(|child| child.rank.shake(salt ^ child.key));
        }
        arrange(children);
        if setting.foresees() {
            self.foresee()?;
        }
        Ok(())
    }

    #[inline]
    fn recall(&mut self, number: usize) {
        let &Frame { way, claimant, left, .. } = self.last();
        let child = &mut self.children[number];
        match self.shared.memo.recall(child.key, way) {
            Recall::Solved(answer) => return child.settle(claimant, answer),
            Recall::Open { proof: walked, disproof: hint } => {
                child.hint = hint as u16;
                if self.horizon.covers(walked, left - 1) {
                    child.known = Known::Open;
                }
            }
            Recall::Nothing => {}
        }
        let key = child.key;
        if self.on_way[key as usize & (WAYS - 1)] != 0
            && let Some(depth) = self.frames.iter().rposition(|frame| frame.key == key)
        {
            self.endless = true;
            let basis = Basis::repetition(depth);
            let score = self.shared.setting.question.at_least - 1;
            child.settle(claimant, Answer { verdict: Verdict::Disproven, score, basis });
        }
    }

    /// Applies static bounds to the last frame's children in search order, until a child is good.
    fn foresee(&mut self) -> Result<(), SearchError> {
        let setting = &self.shared.setting;
        let &Frame { first, claimant, .. } = self.last();
        let state = self.states.last().expect("every frame has its position");
        let mut narrowed = false;
        for child in &mut self.children[first..] {
            if child.is_solved() {
                continue;
            }
            let next = setting.game.after(state, child.mv);
            match setting.static_bound(&next, &mut self.counted)? {
                Hint::Nothing => {}
                Hint::Moves => {
                    narrowed = true;
                    child.rank.replies(self.counted.len() as u32);
                }
                Hint::Answer(answer) => {
                    child.settle(claimant, answer);
                    if child.known == Known::Good {
                        return Ok(());
                    }
                }
            }
        }
        if narrowed {
            arrange(&mut self.children[first..]);
        }
        Ok(())
    }

    fn step(&mut self) -> Step {
        let &Frame { first, claimant, left, .. } = self.last();
        let fresh = self.last().next == first && !self.last().late;
        if fresh && self.children[first..].iter().any(|child| child.known == Known::Good) {
            return Step::Close(self.won());
        }
        let helps = self.horizon.helps(claimant);
        // If the horizon favours the side to move, one open move suffices.
        if fresh && helps {
            let open = |child: &Child<_>| child.known == Known::Open;
            let at_horizon = |child: &Child<_>| left == 1 && !child.is_solved();
            let children = &self.children[first..];
            if let Some(n) = children.iter().position(|c| open(c) || at_horizon(c)) {
                return Step::Close(FrameResult::Open(first + n));
            }
        }
        loop {
            let number = self.last().next;
            if number == self.children.len() {
                let frame = self.frames.last_mut().expect("a frame");
                if !frame.deferred {
                    return Step::Close(match frame.open {
                        Some(child) => FrameResult::Open(child),
                        None => self.lost(),
                    });
                }
                (frame.next, frame.deferred, frame.late) = (first, false, true);
                continue;
            }
            let frame = self.frames.last_mut().expect("a frame");
            frame.next += 1;
            if self.children[number].is_solved() {
                continue;
            }
            let (work, late) = (frame.work, frame.late);
            if self.children[number].known == Known::Nothing {
                // Searches of siblings or other threads may have solved the child meanwhile.
                if work > 1 || late {
                    self.recall(number);
                }
                if self.children[number].known == Known::Good {
                    return Step::Close(self.won());
                }
            }
            let child = &self.children[number];
            match child.known {
                Known::Nothing if left > 1 => {
                    let elsewhere = number > first && !late && self.shared.busy(child.key) > 0;
                    if !elsewhere {
                        return Step::Enter(number);
                    }
                    self.frames.last_mut().expect("a frame").deferred = true;
                }
                Known::Nothing | Known::Open if helps => {
                    return Step::Close(FrameResult::Open(number));
                }
                Known::Nothing | Known::Open => {
                    self.children[number].known = Known::Open;
                    self.frames.last_mut().expect("a frame").open = Some(number);
                }
                _ => {}
            }
        }
    }

    fn won(&self) -> FrameResult {
        let frame = self.last();
        let good =
            (frame.first..self.children.len()).filter(|&n| self.children[n].known == Known::Good);
        // Prefers an answer that holds on every path.
        let best = good.max_by_key(|&n| self.children[n].basis).expect("one was seen");
        let Child { score, basis, .. } = self.children[best];
        let verdict = if frame.claimant { Verdict::Proven } else { Verdict::Disproven };
        FrameResult::Solved(Answer { verdict, score, basis }, Some(best))
    }

    fn lost(&self) -> FrameResult {
        let frame = self.last();
        let children = &self.children[frame.first..];
        let basis = children.iter().fold(Basis::ENDS, |basis, child| basis.and(child.basis));
        let scores = children.iter().map(|child| child.score);
        let (verdict, score) = match frame.claimant {
            true => (Verdict::Disproven, scores.max()),
            false => (Verdict::Proven, scores.min()),
        };
        let score = score.expect("a position that is not over has moves");
        FrameResult::Solved(Answer { verdict, score, basis }, None)
    }

    /// Pops the last frame, stores its result and passes it to the frame above.
    fn close(&mut self, result: FrameResult) {
        self.learn(&result);
        let frame = self.leave();
        let memo = &self.shared.memo;
        let depth = self.frames.len();
        let usual = &mut self.usual_work[depth];
        *usual = (*usual * 7 + frame.work) / 8;
        let mut above = self.frames.last_mut();
        let way = above.as_ref().map_or_else(|| memo.start(), |above| above.way);
        if let Some(above) = &mut above {
            above.work += frame.work;
        }
        match result {
            FrameResult::Open(child) => {
                let hint = u32::from(self.children[child].number) + 1;
                memo.put_open(frame.key, self.horizon.number(frame.left), hint, frame.work);
                self.children.truncate(frame.first);
                if let Some(above) = above {
                    let chosen = above.chosen;
                    self.children[chosen].known = Known::Open;
                    // The scan continues at this child, which is now open.
                    above.next = chosen;
                }
            }
            FrameResult::Solved(answer, _) => {
                memo.put_answer(frame.key, way, depth, answer, frame.work);
                self.children.truncate(frame.first);
                if let Some(above) = above {
                    let basis = answer.basis.outside(depth);
                    let (claimant, chosen) = (above.claimant, above.chosen);
                    self.children[chosen].settle(claimant, Answer { basis, ..answer });
                    if self.children[chosen].known == Known::Good {
                        // Restarts the scan of the frame, which will find the good child.
                        (above.next, above.late) = (above.first, false);
                    }
                }
            }
        }
    }

    fn leave(&mut self) -> Frame {
        let frame = self.frames.pop().expect("there is a frame while the search runs");
        self.states.pop();
        self.on_way[frame.key as usize & (WAYS - 1)] -= 1;
        if frame.counted {
            self.shared.leave(frame.key);
        }
        frame
    }

    fn learn(&mut self, result: &FrameResult) {
        let (FrameResult::Solved(_, Some(best)) | FrameResult::Open(best)) = *result else {
            return;
        };
        let &Frame { first, claimant, work, .. } = self.last();
        let depth = self.frames.len() - 1;
        if work > 1 && self.horizon.helps(claimant) | matches!(result, FrameResult::Solved(..)) {
            let tried = self.children[first..best].iter().map(|child| child.mv);
            self.order.learn(claimant, depth, self.children[best].mv, tried, work);
        }
    }

    /// Unwinds to the first position on the path that another thread or machine has solved.
    #[inline]
    fn catch_up(&mut self) {
        if !self.shared.has_others() {
            return;
        }
        self.until_look -= 1;
        if self.until_look > 0 {
            return;
        }
        self.until_look = LOOK_EVERY;
        let memo = &self.shared.memo;
        let mut depths = 1..self.frames.len();
        let solved = depths.find_map(|depth| {
            memo.solved(self.frames[depth].key).map(|(answer, _)| (depth, answer))
        });
        let Some((depth, answer)) = solved else { return };
        while self.frames.len() > depth + 1 {
            let frame = self.leave();
            self.children.truncate(frame.first);
            self.frames[depth].work += frame.work;
        }
        self.close(FrameResult::Solved(answer, None));
    }
}
