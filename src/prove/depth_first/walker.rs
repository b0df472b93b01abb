//! The walker, which runs one thread of a depth-first prover.

use super::{ChildNumbers, Guide, NumberLimits, Numbers, df_ppns, saturated};
use crate::error::{GameError, SearchError};
use crate::game::Game;
use crate::prove::memo::{INFINITE, Recall, Way};
use crate::prove::question::{Answer, Basis, Verdict};
use crate::prove::run::Meter;
use crate::prove::sampling::Sampler;
use crate::prove::setting::{Hint, ReplyBuffer, ToMove};
use crate::prove::shared::{Found, SharedTable};

pub(crate) struct Walker<'w, 's, G: Game> {
    shared: &'w SharedTable<'s, G>,
    guide: Box<dyn Guide>,
    frames: Vec<Frame>,
    states: Vec<G::State>,
    children: Vec<Child<G::Move>>,
    moves: Vec<G::Move>,
    new_numbers: NewNumbers<'w, G>,
    counted: Vec<G::Move>,
    replies: ReplyBuffer<G>,
    images: Vec<G::State>,
    /// Counts the positions on the path by the low bits of their keys.
    on_way: Box<[u32; WAYS]>,
    until_look: u32,
}

pub(crate) enum NewNumbers<'w, G: Game> {
    Ones,
    /// The number 1 for the side to move, and the number of its moves for the other side.
    Moves,
    /// Numbers from the win rate of playouts. All numbers are then probabilities.
    WinRates(Sampler<'w, G>),
}

const WAYS: usize = 1 << 10;

struct Frame {
    key: u64,
    way: Way,
    first: usize,
    chosen: usize,
    claimant: bool,
    counted: bool,
    limits: NumberLimits,
    /// The number of expansions at and below the position during this visit.
    work: u64,
    /// The value of `work` at which the children are looked up again.
    refresh_at: u64,
}

struct Child<M> {
    mv: M,
    key: u64,
    win: u32,
    lose: u32,
    score: i32,
    basis: Basis,
}

impl<M> Child<M> {
    fn take_numbers(&mut self, claimant: bool, proof: u32, disproof: u32) {
        (self.win, self.lose) = if claimant { (proof, disproof) } else { (disproof, proof) };
    }

    fn settle(&mut self, claimant: bool, answer: Answer) {
        let good = (answer.verdict == Verdict::Proven) == claimant;
        (self.win, self.lose) = if good { (0, INFINITE) } else { (INFINITE, 0) };
        (self.score, self.basis) = (answer.score, answer.basis);
    }

    fn is_open(&self) -> bool {
        self.win != 0 && self.win != INFINITE
    }
}

enum Scan {
    /// The answer to the position, and the index of the deciding child if one child suffices.
    Solved(Answer, Option<usize>),
    /// The numbers of the open position, and the index of the child to enter next.
    Open(Numbers, usize),
}

enum FrameResult {
    Solved(Answer),
    Open { proof: u32, disproof: u32 },
}

impl<'w, 's, G: Game> Walker<'w, 's, G> {
    pub(crate) fn new(
        shared: &'w SharedTable<'s, G>,
        guide: Box<dyn Guide>,
        new_numbers: NewNumbers<'w, G>,
    ) -> Self {
        Walker {
            shared,
            guide,
            frames: Vec::with_capacity(64),
            states: Vec::with_capacity(64),
            children: Vec::with_capacity(256),
            moves: Vec::with_capacity(64),
            new_numbers,
            counted: Vec::with_capacity(64),
            replies: ReplyBuffer::default(),
            images: Vec::new(),
            on_way: Box::new([0; WAYS]),
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
        let setting = self.shared.setting;
        let (enough, mut on) = (meter.nodes().saturating_add(nodes), true);
        if let Some(found) = self.shared.root_from_elsewhere() {
            return Ok(Some(found));
        }
        if self.frames.is_empty() {
            let limits = self.guide.root();
            let way = self.shared.memo.start();
            on = self.open(setting.root.clone(), setting.root_key(), way, limits, meter)?;
        }
        while on && meter.nodes() < enough {
            if let Some(found) = self.catch_up() {
                return Ok(Some(found));
            }
            let depth = self.frames.len() - 1;
            match self.scan() {
                Scan::Solved(answer, best) if depth == 0 => {
                    let best = best.map(|number| self.children[number].mv);
                    self.close(FrameResult::Solved(answer));
                    return Ok(Some(Found { answer, best }));
                }
                Scan::Solved(answer, _) => self.close(FrameResult::Solved(answer)),
                Scan::Open(numbers, chosen) => {
                    let frame = &mut self.frames[depth];
                    if self.guide.leaves(frame.limits, numbers) {
                        if depth == 0 {
                            match self.guide.again(frame.limits, numbers) {
                                Some(limits) => frame.limits = limits,
                                None => {
                                    meter.estimated();
                                    on = false;
                                }
                            }
                            continue;
                        }
                        let (win, lose) = (numbers.win, saturated(numbers.lose));
                        let (proof, disproof) =
                            if frame.claimant { (win, lose) } else { (lose, win) };
                        self.close(FrameResult::Open { proof, disproof });
                    } else {
                        on = self.descend(numbers, chosen, meter)?;
                    }
                }
            }
        }
        if !on {
            self.put_down();
        }
        Ok(None)
    }

    /// Returns the estimated probability that the root is proven, after a search without an answer;
    /// `None` if numbers are not probabilities.
    pub(crate) fn estimate(&mut self) -> Option<f64> {
        if !self.has_probabilities() || self.frames.len() != 1 {
            return None;
        }
        let Scan::Open(Numbers { win, lose, .. }, _) = self.scan() else { return None };
        let proof = if self.last().claimant { win } else { saturated(lose) };
        Some(df_ppns::probability(proof))
    }

    fn has_probabilities(&self) -> bool {
        matches!(self.new_numbers, NewNumbers::WinRates(_))
    }

    /// Stores the numbers of the positions on the path when the run ends, so that another search
    /// can continue with this table.
    fn put_down(&mut self) {
        while self.frames.len() > 1 {
            match self.scan() {
                Scan::Solved(answer, _) => self.close(FrameResult::Solved(answer)),
                Scan::Open(numbers, _) => {
                    let (win, lose) = (numbers.win, saturated(numbers.lose));
                    let claimant = self.last().claimant;
                    let (proof, disproof) = if claimant { (win, lose) } else { (lose, win) };
                    self.close(FrameResult::Open { proof, disproof });
                }
            }
        }
    }

    #[inline]
    fn descend(
        &mut self,
        numbers: Numbers,
        chosen: usize,
        meter: &mut Meter<'_, '_>,
    ) -> Result<bool, SearchError> {
        let depth = self.frames.len() - 1;
        let frame = &mut self.frames[depth];
        let child = &self.children[chosen];
        frame.chosen = chosen;
        let of_child = ChildNumbers { win: child.win, lose: child.lose };
        let limits = self.guide.enter(frame.limits, numbers, of_child);
        let limits = if frame.claimant { limits } else { limits.reversed() };
        let (key, way) = (child.key, frame.way);
        let state = self.shared.setting.game.after(&self.states[depth], child.mv);
        self.open(state, key, way, limits, meter)
    }

    /// Pushes a frame with limits of the claimant's numbers; returns whether the run continues.
    fn open(
        &mut self,
        state: G::State,
        key: u64,
        way: Way,
        limits: NumberLimits,
        meter: &mut Meter<'_, '_>,
    ) -> Result<bool, SearchError> {
        let setting = &self.shared.setting;
        let claimant = match setting.look(&state)? {
            ToMove::Claimant => true,
            ToMove::Others => false,
            // It was not over when it was listed, so the turn depends on more than the position.
            ToMove::Over(_) => return Err(GameError::Undecided.into()),
        };
        self.on_way[key as usize & (WAYS - 1)] += 1;
        let counted = self.tells(limits);
        if counted {
            self.shared.enter(key);
        }
        self.frames.push(Frame {
            key,
            counted,
            way: way.past(key),
            first: self.children.len(),
            chosen: 0,
            claimant,
            limits: if claimant { limits } else { limits.reversed() },
            work: 1,
            refresh_at: 0,
        });
        self.states.push(state);
        self.list(meter)?;
        let children = self.children.len() - self.last().first;
        self.frames.last_mut().expect("it was pushed").refresh_at = 1 + children as u64;
        Ok(meter.expanded(children))
    }

    #[inline]
    fn tells(&self, limits: NumberLimits) -> bool {
        self.shared.is_shared() && limits.win.min(limits.lose) >= WORTH_TELLING
    }

    fn last(&self) -> &Frame {
        self.frames.last().expect("there is a frame while the search runs")
    }

    /// Lists the last frame's children and statuses, up to a move that wins at once.
    fn list(&mut self, meter: &Meter<'_, '_>) -> Result<(), SearchError> {
        let shared = self.shared;
        let setting = &shared.setting;
        let (key, way, first, claimant) = {
            let frame = self.last();
            (frame.key, frame.way, frame.first, frame.claimant)
        };
        let state = self.states.last().expect("every frame has its position");
        setting.list(state, &mut self.moves)?;
        // At the root all moves are listed, because the report shows them.
        let narrowed =
            self.frames.len() > 1 && setting.narrow(state, &mut self.moves, &mut self.counted)?;
        let is_own_image = setting.is_own_image(state, &mut self.images);
        for (number, &mv) in self.moves.iter().enumerate() {
            let next = setting.game.after(state, mv);
            let key = match narrowed {
                false => setting.key(key, state, number, &next),
                true => setting.key_of_move(key, state, mv, &next, &mut self.counted)?,
            };
            // If several moves lead to symmetric positions, one of them suffices.
            if is_own_image && self.children[first..].iter().any(|child| child.key == key) {
                continue;
            }
            shared.memo.prefetch(key);
            let mut child = Child { mv, key, win: 1, lose: 1, score: 0, basis: Basis::ENDS };
            match setting.look(&next)? {
                ToMove::Over(score) => {
                    let verdict = setting.answer(score);
                    child.settle(claimant, Answer { verdict, score, basis: Basis::ENDS });
                }
                ToMove::Claimant | ToMove::Others => {}
            }
            let wins = child.win == 0;
            self.children.push(child);
            if wins {
                return Ok(());
            }
        }
        // A separate loop lets the processor fetch several entries at the same time.
        let mut anew = false;
        for child in &mut self.children[first..] {
            if !child.is_open() {
                continue;
            }
            match shared.memo.recall(child.key, way) {
                Recall::Solved(answer) => child.settle(claimant, answer),
                Recall::Open { proof, disproof } => child.take_numbers(claimant, proof, disproof),
                Recall::Nothing => anew = true,
            }
            if child.is_open()
                && self.on_way[child.key as usize & (WAYS - 1)] != 0
                && let Some(depth) = self.frames.iter().rposition(|frame| frame.key == child.key)
            {
                let basis = Basis::repetition(depth);
                let score = setting.question.at_least - 1;
                child.settle(claimant, Answer { verdict: Verdict::Disproven, score, basis });
            }
        }
        if anew && (setting.foresees() || !matches!(self.new_numbers, NewNumbers::Ones)) {
            self.look_ahead(meter)?;
        }
        Ok(())
    }

    /// Evaluates the unknown children of the last frame until a child wins. It uses static bounds
    /// or, if there is none, the number of moves or the win rate.
    fn look_ahead(&mut self, meter: &Meter<'_, '_>) -> Result<(), SearchError> {
        let SharedTable { setting, memo, .. } = self.shared;
        let Frame { way, first, claimant, .. } = *self.last();
        let state = self.states.last().expect("every frame has its position");
        for child in &mut self.children[first..] {
            if child.win == 0 {
                return Ok(());
            }
            if !child.is_open() || !matches!(memo.recall(child.key, way), Recall::Nothing) {
                continue;
            }
            let next = setting.game.after(state, child.mv);
            let hint = setting.static_bound(&next, &mut self.counted)?;
            let moves = match (hint, &mut self.new_numbers) {
                (Hint::Answer(answer), _) => {
                    child.settle(claimant, answer);
                    continue;
                }
                (_, NewNumbers::WinRates(sampler)) => {
                    let rate = sampler.win_rate(setting, &next, meter);
                    let (proof, disproof) = df_ppns::numbers_of(rate.unwrap_or(0.5));
                    child.take_numbers(claimant, proof, disproof);
                    // Stored, so that the playouts are not repeated.
                    if rate.is_some() {
                        memo.put_open(child.key, proof, disproof, 1);
                    }
                    continue;
                }
                (Hint::Moves, _) => self.counted.len() as u32,
                (Hint::Nothing, NewNumbers::Moves) => setting.mobility(&next, &mut self.replies)?,
                (Hint::Nothing, NewNumbers::Ones) => continue,
            };
            // The game is not over, so either the claimant or the others are to move.
            let theirs = matches!(setting.look(&next), Ok(ToMove::Claimant));
            let (proof, disproof) = if theirs { (1, moves) } else { (moves, 1) };
            child.take_numbers(claimant, proof, disproof);
        }
        Ok(())
    }

    /// Looks up the last frame's children again, but never lowers a number that selects children.
    fn refresh(&mut self) {
        // If numbers are probabilities, one of them falls when the other rises.
        let has_probabilities = self.has_probabilities();
        let frame = self.frames.last_mut().expect("there is a frame while the search runs");
        let (way, claimant) = (frame.way, frame.claimant);
        let children = &mut self.children[frame.first..];
        frame.refresh_at = frame.work + children.len() as u64;
        for child in children.iter_mut().filter(|child| child.is_open()) {
            match self.shared.memo.recall(child.key, way) {
                Recall::Solved(answer) => child.settle(claimant, answer),
                Recall::Open { proof, disproof } => {
                    let (win, lose) = if claimant { (proof, disproof) } else { (disproof, proof) };
                    if win >= child.win && (lose >= child.lose || has_probabilities) {
                        (child.win, child.lose) = (win, lose);
                    }
                }
                Recall::Nothing => {}
            }
        }
    }

    /// Adds up the numbers of the last frame's children and chooses the child to enter.
    #[inline]
    fn scan(&mut self) -> Scan {
        let frame = self.last();
        if frame.work >= frame.refresh_at {
            self.refresh();
        }
        let frame = self.last();
        // Computed for each scan, because the limits of the root may have risen. If this visit is
        // not announced, the visits below it rarely are, so there are no virtual numbers.
        let alone = !self.tells(frame.limits);
        let children = &self.children[frame.first..];
        let mut win = INFINITE;
        let mut lose = 0u64;
        // The child to enter is chosen by numbers that include virtual proof numbers.
        let (mut least, mut second, mut chosen) = (INFINITE, INFINITE, 0);
        for (number, child) in children.iter().enumerate() {
            if child.win == 0 {
                return self.won();
            }
            lose += u64::from(child.lose);
            win = win.min(child.win);
            let mut number_seen = child.win;
            if !alone && child.win < INFINITE {
                number_seen =
                    self.guide.burdened(frame.limits, child.win, self.shared.busy(child.key));
            }
            if number_seen < least {
                (second, least, chosen) = (least, number_seen, number);
            } else if number_seen < second {
                second = number_seen;
            }
        }
        if win == INFINITE {
            return self.lost();
        }
        let chosen_lose = children[chosen].lose;
        let numbers = match self.has_probabilities() {
            false => Numbers { win, lose, others: lose - u64::from(chosen_lose), second },
            true => {
                let others = children.iter().enumerate().filter(|&(number, _)| number != chosen);
                df_ppns::numbers(chosen_lose, others.map(|(_, child)| child.lose), second)
            }
        };
        Scan::Open(numbers, frame.first + chosen)
    }

    #[cold]
    fn won(&self) -> Scan {
        let frame = self.last();
        let winning = (frame.first..self.children.len()).filter(|&n| self.children[n].win == 0);
        // Prefers an answer that holds on every path.
        let best = winning.max_by_key(|&n| self.children[n].basis).expect("one was seen");
        let Child { score, basis, .. } = self.children[best];
        let verdict = if frame.claimant { Verdict::Proven } else { Verdict::Disproven };
        Scan::Solved(Answer { verdict, score, basis }, Some(best))
    }

    #[cold]
    fn lost(&self) -> Scan {
        let frame = self.last();
        let children = &self.children[frame.first..];
        let basis = children.iter().fold(Basis::ENDS, |basis, child| basis.and(child.basis));
        let scores = children.iter().map(|child| child.score);
        let (verdict, score) = match frame.claimant {
            true => (Verdict::Disproven, scores.max()),
            false => (Verdict::Proven, scores.min()),
        };
        let score = score.expect("a position that is not over has moves");
        Scan::Solved(Answer { verdict, score, basis }, None)
    }

    /// Pops the last frame, stores its result and passes it to the frame above.
    #[inline]
    fn close(&mut self, outcome: FrameResult) {
        let frame = self.frames.pop().expect("there is a frame while the search runs");
        self.states.pop();
        self.children.truncate(frame.first);
        self.on_way[frame.key as usize & (WAYS - 1)] -= 1;
        if frame.counted {
            self.shared.leave(frame.key);
        }
        let memo = &self.shared.memo;
        let depth = self.frames.len();
        let mut above = self.frames.last_mut();
        let way = above.as_ref().map_or_else(|| memo.start(), |above| above.way);
        if let Some(above) = &mut above {
            above.work += frame.work;
        }
        match outcome {
            FrameResult::Open { proof, disproof } => {
                memo.put_open(frame.key, proof, disproof, frame.work);
                if let Some(above) = above {
                    let claimant = above.claimant;
                    self.children[above.chosen].take_numbers(claimant, proof, disproof);
                }
            }
            FrameResult::Solved(answer) => {
                memo.put_answer(frame.key, way, depth, answer, frame.work);
                if let Some(above) = above {
                    let basis = answer.basis.outside(depth);
                    let claimant = above.claimant;
                    self.children[above.chosen].settle(claimant, Answer { basis, ..answer });
                }
            }
        }
    }

    /// Unwinds to the first position on the path that another thread or machine has solved; returns
    /// the answer if that is the root.
    #[inline]
    fn catch_up(&mut self) -> Option<Found<G::Move>> {
        if !self.shared.has_others() {
            return None;
        }
        self.until_look -= 1;
        if self.until_look > 0 {
            return None;
        }
        self.until_look = LOOK_EVERY;
        let memo = &self.shared.memo;
        let mut depths = 1..self.frames.len();
        let Some(depth) = depths.find(|&depth| memo.solved(self.frames[depth].key).is_some())
        else {
            return self.shared.root_from_elsewhere();
        };
        while self.frames.len() > depth + 1 {
            let frame = self.frames.pop().expect("there are more");
            self.states.pop();
            self.children.truncate(frame.first);
            self.on_way[frame.key as usize & (WAYS - 1)] -= 1;
            if frame.counted {
                self.shared.leave(frame.key);
            }
            self.frames[depth].work += frame.work;
        }
        if let Some((answer, _)) = memo.solved(self.frames[depth].key) {
            self.close(FrameResult::Solved(answer));
        }
        None
    }
}

/// The least limit at which a thread announces a visit. Shorter visits end before another thread
/// could react, and they are so frequent that the counters would bounce between cores.
const WORTH_TELLING: u32 = 8;

/// The number of steps between two checks for positions that other threads have solved.
const LOOK_EVERY: u32 = 256;
