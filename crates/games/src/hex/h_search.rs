//! Links composed of other links, for provers (H-search; Anshelevich, *A hierarchical approach to
//! computer Hex*, 2002).
//!
//! A *full* link holds whichever side moves first, a *weak* link only if its own side does. Each
//! end of a link is a chain, which may include an edge, or an empty cell, treated as if the side
//! had a stone there. A cell and each of its neighbours have a full link with an empty carrier. All
//! other links are composed by two rules:
//! - **And.** Two full links that meet and share no cell are one link: a full link if they meet in
//!   a chain, and a weak link if they meet in an empty cell, which the side must then take.
//! - **Or.** Weak links between the same ends are a full link if no cell is in all of their
//!   carriers: each move of the opponent leaves one of them intact.
//!
//! A full link between the edges wins. If the edges have weak links, the opponent must play in the
//! intersection of their carriers (the must-play region of Hayward et al., *Solving 7x7 Hex with
//! domination, fill-in, and virtual connections*, 2005).
//!
//! Only the opponent's links are searched this deeply. A weak link between the mover's own edges
//! also wins, but it usually existed before, so the opponent has answered it; if not, the win is
//! found one move later, when the link is full.

use super::links::Linked;
use super::{Hex, State, hash};
use crate::stones::{Cells, STRIDE, each};
use std::cell::RefCell;

/// The empty cells that a link needs; bit n stands for the n-th empty cell.
type Carrier = u64;

const EMPTY: usize = Carrier::BITS as usize;
/// The greatest number of chains. Two adjacent rows can be divided into triangles of adjacent
/// cells, and a side's stones in the same triangle belong to the same chain. Therefore a side has
/// at most 46 chains on an 11x11 board; two more are needed for edges without a stone.
const CHAINS: usize = 48;
/// The greatest number of points, the ends of links: edges, then other chains, then empty cells.
const POINTS: usize = CHAINS + EMPTY;
const PAIRS: usize = POINTS * (POINTS - 1) / 2;

/// The maximum numbers of full links and of weak links stored for two points, and of weak links
/// that compose a full link. Higher limits would save few positions.
const FULL: usize = 8;
const WEAK: usize = 12;
const JOINED: usize = 4;

/// Carriers of links between two points, none of which contains another.
#[derive(Clone, Copy)]
struct Ways<const N: usize> {
    len: usize,
    carriers: [Carrier; N],
}

impl<const N: usize> Ways<N> {
    const NONE: Self = Ways { len: 0, carriers: [0; N] };

    /// Returns whether a known link needs no cell outside `carrier`.
    #[inline]
    fn cover(&self, carrier: Carrier) -> bool {
        self.carriers[..self.len].iter().any(|&known| known & !carrier == 0)
    }

    /// Adds a carrier, unless it contains a known one or the list is full of smaller carriers.
    /// Returns whether it was added.
    fn add(&mut self, carrier: Carrier) -> bool {
        if self.cover(carrier) {
            return false;
        }
        let mut kept = 0;
        for number in 0..self.len {
            self.carriers[kept] = self.carriers[number];
            kept += usize::from(carrier & !self.carriers[number] != 0);
        }
        self.len = kept;
        let size = |number: usize| self.carriers[number].count_ones();
        let place = match self.len {
            len if len < N => len,
            len => (0..len).max_by_key(|&number| size(number)).unwrap_or(0),
        };
        if place < self.len && size(place) <= carrier.count_ones() {
            return false;
        }
        self.carriers[place] = carrier;
        self.len = self.len.max(place + 1);
        true
    }
}

struct Search {
    /// The number of chains, including edges: points below this number are chains.
    chains: usize,
    stones: [Cells; CHAINS],
    full: Box<[Ways<FULL>]>,
    weak: Box<[Ways<WEAK>]>,
    /// For each point, the points with which it has full links.
    partners: [u128; POINTS],
    /// Queues of full links by carrier size; each link is to be combined with the earlier ones.
    waiting: [Vec<(u8, u8, Carrier)>; EMPTY + 1],
    /// The cells common to the carriers of all weak links between the edges.
    in_the_way: Carrier,
    is_made: bool,
}

/// The number of edges, which are the first points.
const EDGES: usize = 2;

#[inline]
fn pair(one: usize, other: usize) -> usize {
    let (low, high) = (one.min(other), one.max(other));
    high * (high - 1) / 2 + low
}

impl Search {
    fn new() -> Search {
        Search {
            chains: 0,
            stones: [0; CHAINS],
            full: vec![Ways::NONE; PAIRS].into(),
            weak: vec![Ways::NONE; PAIRS].into(),
            partners: [0; POINTS],
            waiting: [const { Vec::new() }; EMPTY + 1],
            in_the_way: 0,
            is_made: false,
        }
    }

    /// The cells that block all links between a side's edges: none if the edges have a full link,
    /// and all empty cells if no link is found.
    fn in_the_way(&mut self, hex: &Hex, stones: [Cells; 2], side: usize) -> Cells {
        let empty = hex.board.all & !(stones[0] | stones[1]);
        if !self.begin(hex, stones, side) {
            return empty;
        }
        // Start with the smallest carriers: compositions are never smaller than their parts.
        for size in 0..=EMPTY {
            let mut next = 0;
            while let Some(&(one, other, carrier)) = self.waiting[size].get(next) {
                next += 1;
                let (one, other) = (usize::from(one), usize::from(other));
                if self.full[pair(one, other)].add(carrier) {
                    self.and(one, other, carrier);
                    self.and(other, one, carrier);
                    self.partners[one] |= 1 << other;
                    self.partners[other] |= 1 << one;
                }
                if self.is_made {
                    return 0;
                }
            }
        }
        let cells = each(empty).zip(0..);
        let left = cells.filter(|&(_, number)| self.in_the_way >> number & 1 == 1);
        left.fold(0, |set, (cell, _)| set | 1 << cell)
    }

    /// Resets the search to a position; returns `false` if the position is too large.
    fn begin(&mut self, hex: &Hex, stones: [Cells; 2], side: usize) -> bool {
        let (mut own, empty) = (stones[side], hex.board.all & !(stones[0] | stones[1]));
        let count = empty.count_ones() as usize;
        let mut len = 0;
        while len < EDGES || own != 0 {
            if len == CHAINS {
                return false;
            }
            let seeds = match len < EDGES {
                true => own & hex.edges[side][len],
                false => own & own.wrapping_neg(),
            };
            self.stones[len] = hex.connected(seeds, own);
            own &= !self.stones[len];
            len += 1;
        }
        if count > EMPTY {
            return false;
        }
        self.chains = len;
        let points = len + count;
        let pairs = points * (points - 1) / 2;
        self.full[..pairs].iter_mut().for_each(|ways| ways.len = 0);
        self.weak[..pairs].iter_mut().for_each(|ways| ways.len = 0);
        self.partners[..points].fill(0);
        self.waiting.iter_mut().for_each(Vec::clear);
        self.in_the_way = Carrier::MAX;
        self.is_made = false;
        let mut points = [0; STRIDE * STRIDE];
        for (point, cell) in (len as u8..).zip(each(empty)) {
            points[usize::from(cell)] = point;
            let touching = hex.touching[usize::from(cell)];
            for (chain, &stones) in self.stones[..len].iter().enumerate() {
                let at_edge = chain < EDGES && hex.edges[side][chain] >> cell & 1 == 1;
                if at_edge || touching & stones != 0 {
                    self.waiting[0].push((point, chain as u8, 0));
                }
            }
            // Consider only cells that already have a number, so that each pair is listed once.
            for other in each(touching & empty & ((1 << cell) - 1)) {
                self.waiting[0].push((point, points[usize::from(other)], 0));
            }
        }
        true
    }

    /// The set with the empty cell of a point; the empty set for a chain.
    #[inline]
    fn cell(&self, point: usize) -> Carrier {
        if point < self.chains { 0 } else { 1 << (point - self.chains) }
    }

    /// Composes a full link with the full links that it meets at its end `middle`. Links are not
    /// extended beyond an edge.
    fn and(&mut self, end: usize, middle: usize, carrier: Carrier) {
        if middle < EDGES {
            return;
        }
        let taken = carrier | self.cell(end);
        let middle_cell = self.cell(middle);
        let mut left = self.partners[middle] & !(1 << end);
        while left != 0 {
            let to = left.trailing_zeros() as usize;
            left &= left - 1;
            if self.cell(to) & carrier != 0 {
                continue;
            }
            let at = pair(middle, to);
            for number in 0..self.full[at].len {
                let more = self.full[at].carriers[number];
                if more & taken == 0 {
                    match middle < self.chains {
                        true => self.add_full(end, to, carrier | more),
                        false => self.add_weak(end, to, carrier | more | middle_cell),
                    }
                }
            }
        }
    }

    fn add_full(&mut self, one: usize, other: usize, carrier: Carrier) {
        if one.max(other) < EDGES {
            self.is_made = true;
        } else if !self.full[pair(one, other)].cover(carrier) {
            self.waiting[carrier.count_ones() as usize].push((one as u8, other as u8, carrier));
        }
    }

    fn add_weak(&mut self, one: usize, other: usize, carrier: Carrier) {
        if one.max(other) < EDGES {
            self.in_the_way &= carrier;
            self.is_made |= self.in_the_way == 0;
            return;
        }
        let at = pair(one, other);
        if !self.full[at].cover(carrier) && self.weak[at].add(carrier) {
            self.or((one, other), 0, carrier, carrier, JOINED - 1);
        }
    }

    /// Composes full links from the weak links chosen so far, whose carriers have the intersection
    /// `common` and the union `all`, and from up to `many` further weak links, beginning at index
    /// `from`.
    fn or(
        &mut self,
        ends: (usize, usize),
        from: usize,
        common: Carrier,
        all: Carrier,
        many: usize,
    ) {
        let at = pair(ends.0, ends.1);
        for number in from..self.weak[at].len {
            let way = self.weak[at].carriers[number];
            match common & way {
                0 => self.add_full(ends.0, ends.1, all | way),
                rest if rest != common && many > 1 => {
                    self.or(ends, number + 1, rest, all | way, many - 1);
                }
                _ => {}
            }
        }
    }
}

/// A cache of the results of `look_closely`. It is useful because provers visit positions
/// repeatedly.
struct Seen {
    all: Cells,
    entries: Box<[Option<(State, Linked)>]>,
}

const REMEMBERED: usize = 1 << 14;

impl Seen {
    fn entry(&mut self, hex: &Hex, state: &State) -> &mut Option<(State, Linked)> {
        if self.all != hex.board.all {
            *self = Seen { all: hex.board.all, entries: vec![None; REMEMBERED].into() };
        }
        &mut self.entries[hash(state.stones, state.side) as usize % REMEMBERED]
    }
}

thread_local! {
    /// The tables of the search, reused for all positions of a thread because they take a megabyte.
    static SEARCH: RefCell<Search> = RefCell::new(Search::new());
    static SEEN: RefCell<Seen> = RefCell::new(Seen { all: 0, entries: Box::default() });
}

impl Hex {
    /// The winner or the must-play cells, as far as composed links determine them.
    pub(super) fn look_closely(&self, state: &State) -> Linked {
        SEEN.with_borrow_mut(|seen| match seen.entry(self, state) {
            Some((known, linked)) if known == state => *linked,
            entry => entry.insert((*state, self.look_anew(state))).1,
        })
    }

    fn look_anew(&self, state: &State) -> Linked {
        let (mover, filled) = (usize::from(state.side), self.filled(state.stones));
        let cells = match self.look_at(state, filled.stones) {
            Linked::MustPlay(cells) => cells,
            wins => return wins,
        };
        let cells = cells
            & SEARCH.with_borrow_mut(|search| search.in_the_way(self, filled.stones, 1 - mover));
        match filled.best_of(cells, mover) {
            0 => Linked::Wins(1 - mover),
            cells => Linked::MustPlay(cells),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofwood_game::{Game, Rng};

    /// A link to be checked by the rules of the game.
    struct Link<'h> {
        hex: &'h Hex,
        side: usize,
        ends: [End; 2],
    }

    #[derive(Clone, Copy)]
    enum End {
        Edge(usize),
        Stones(Cells),
    }

    impl Link<'_> {
        fn is_made(&self, own: Cells) -> bool {
            let [one, other] = self.ends.map(|end| match end {
                End::Edge(edge) => own & self.hex.edges[self.side][edge],
                End::Stones(stones) => stones,
            });
            self.hex.connected(one, own) & other != 0
        }

        /// Returns whether the side can connect the ends by playing within the carrier, against any
        /// defence there.
        fn holds(&self, own: Cells, carrier: Cells, own_move: bool) -> bool {
            let then = |cell: u8| {
                let (left, taken) = (carrier & !(1 << cell), if own_move { 1 << cell } else { 0 });
                self.holds(own | taken, left, !own_move)
            };
            match carrier {
                _ if self.is_made(own) => true,
                0 => false,
                _ if own_move => each(carrier).any(then),
                _ => each(carrier).all(then),
            }
        }
    }

    #[test]
    fn links_hold_by_play() {
        let (mut search, mut rng) = (Search::new(), Rng::new(1));
        let mut counts = [0; 2];
        for (width, height, plies) in [(4, 4, 4), (4, 4, 8), (5, 5, 8), (5, 5, 14), (6, 5, 16)] {
            let hex = Hex::new(width, height).expect("a board");
            for _ in 0..30 {
                let mut state = hex.initial_state();
                for _ in 0..plies {
                    let mv = hex.random_move(&state, &mut Vec::new(), &mut rng);
                    mv.into_iter().for_each(|mv| hex.play(&mut state, mv));
                }
                for side in 0..2 {
                    search.in_the_way(&hex, state.stones, side);
                    check(&search, &hex, &state, side, &mut counts);
                }
            }
        }
        assert!(counts.iter().all(|&count| count > 3_000), "{counts:?}");
    }

    /// Plays out all full and weak links that the search found, to check that they hold.
    fn check(search: &Search, hex: &Hex, state: &State, side: usize, counts: &mut [u32; 2]) {
        let empty: Vec<u8> = each(hex.board.all & !(state.stones[0] | state.stones[1])).collect();
        let end = |point: usize| match point {
            edge if edge < EDGES => End::Edge(edge),
            chain if chain < search.chains => End::Stones(search.stones[chain]),
            cell => End::Stones(1 << empty[cell - search.chains]),
        };
        let points = search.chains + empty.len();
        for (one, other) in (0..points).flat_map(|other| (0..other).map(move |one| (one, other))) {
            let link = Link { hex, side, ends: [end(one), end(other)] };
            // Empty cells at the ends count as stones.
            let stones = link.ends.map(|end| if let End::Stones(set) = end { set } else { 0 });
            let own = state.stones[side] | stones[0] | stones[1];
            let Ways { len, ref carriers } = search.full[pair(one, other)];
            let full = carriers[..len].iter().map(|&carrier| (carrier, false));
            let Ways { len, ref carriers } = search.weak[pair(one, other)];
            let weak = carriers[..len].iter().map(|&carrier| (carrier, true));
            for (carrier, own_move) in full.chain(weak) {
                let cells = (0..empty.len()).filter(|&number| carrier >> number & 1 == 1);
                let cells = cells.fold(0, |set: Cells, number| set | 1 << empty[number]);
                if cells.count_ones() <= 7 {
                    let at = (hex.state_text(state), side, one, other);
                    assert!(link.holds(own, cells, own_move), "{at:?} {carrier:b} {own_move}");
                    counts[usize::from(own_move)] += 1;
                }
            }
        }
    }
}
