//! Links: connections that are incomplete but cannot be cut.
//!
//! Two stones with two common empty neighbours are as good as connected: if the opponent takes one
//! of the two cells, the other one is left (a *bridge*). The same is true of a stone on the second
//! row and the edge, and of a stone on the third row with enough room (the *ziggurat*). The empty
//! cells are the link's *carrier*; links with disjoint carriers hold simultaneously.
//!
//! The winner follows in three cases (after Anshelevich's H-search and the must-play region of
//! Hayward et al., which cover many more kinds of links):
//! 1. the side not to move has already linked its edges;
//! 2. the side to move can link its edges with one stone;
//! 3. the side not to move could link its edges with one stone in any of several places, and no
//!    single cell blocks all of these links.

use super::{Hex, State};
use crate::stones::{Board, Cells, STRIDE, each};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Linked {
    /// The side that wins against any defence.
    Wins(usize),
    /// The side to move loses unless it plays in one of these cells.
    MustPlay(Cells),
}

type PerCell<T> = Box<[Vec<T>; STRIDE * STRIDE]>;

#[derive(Clone, Debug)]
pub(super) struct Links {
    /// For each cell, the other ends of its bridges, with their carriers.
    bridges: PerCell<(u8, Cells)>,
    /// The carriers of links to each side's first and second edge.
    to_edge: [[PerCell<Cells>; 2]; 2],
}

/// For the top, bottom, left and right edge, the step along the edge and the step towards it. In
/// these steps, the neighbours of a cell on the side of the edge are `(0, 1)` and `(-1, 1)`.
const WAYS_TO_EDGES: [[(isize, isize); 2]; 4] =
    [[(-1, 0), (0, -1)], [(1, 0), (0, 1)], [(0, -1), (-1, 0)], [(0, 1), (1, 0)]];

/// The carriers of a link from the second row and of two links from the third. A cell is given as
/// the number of steps along the edge and the number of steps towards it.
const TEMPLATES: [&[(isize, isize)]; 3] = [
    &[(0, 1), (-1, 1)],
    &[(-1, 0), (-2, 1), (-1, 1), (0, 1), (-3, 2), (-2, 2), (-1, 2), (0, 2)],
    &[(1, 0), (-1, 1), (0, 1), (1, 1), (-2, 2), (-1, 2), (0, 2), (1, 2)],
];

/// The stones that are linked to an edge, with the carriers of their links.
struct Reach {
    stones: Cells,
    carriers: [Cells; STRIDE * STRIDE],
}

const WAYS: usize = 16;

#[derive(Default)]
struct Ways {
    carriers: [Cells; WAYS],
    len: usize,
}

impl Ways {
    fn push(&mut self, carrier: Cells) {
        if self.len < WAYS {
            self.carriers[self.len] = carrier;
            self.len += 1;
        }
    }

    fn all(&self) -> &[Cells] {
        &self.carriers[..self.len]
    }
}

fn nothing<T>() -> PerCell<T> {
    Box::new([const { Vec::new() }; STRIDE * STRIDE])
}

impl Links {
    /// Computes the links of a board, given its edges and the cells that touch each cell.
    pub(super) fn new(
        board: &Board,
        touching: &[Cells; STRIDE * STRIDE],
        edges: &[[Cells; 2]; 2],
    ) -> Links {
        let mut bridges: PerCell<(u8, Cells)> = nothing();
        let mut to_edge: [[PerCell<Cells>; 2]; 2] =
            [[nothing(), nothing()], [nothing(), nothing()]];
        for cell in each(board.all) {
            let from = usize::from(cell);
            for to in each(board.all & !touching[from] & !(1 << cell)) {
                let carrier = touching[from] & touching[usize::from(to)];
                if carrier.count_ones() == 2 {
                    bridges[from].push((to, carrier));
                }
            }
            for (number, steps) in WAYS_TO_EDGES.into_iter().enumerate() {
                let (side, end) = (number / 2, number % 2);
                let carriers = TEMPLATES.iter().filter_map(|template| {
                    template_at(board, cell, template, steps, edges[side][end])
                });
                to_edge[side][end][from].extend(carriers);
            }
        }
        Links { bridges, to_edge }
    }
}

/// The cells of a template at a stone, if they are on the board and reach the edge.
fn template_at(
    board: &Board,
    stone: u8,
    template: &[(isize, isize)],
    [along, towards]: [(isize, isize); 2],
    edge: Cells,
) -> Option<Cells> {
    let (column, row) = (usize::from(stone) % STRIDE, usize::from(stone) / STRIDE);
    let mut carrier = 0;
    for &(a, t) in template {
        let column = column.checked_add_signed(a * along.0 + t * towards.0)?;
        let row = row.checked_add_signed(a * along.1 + t * towards.1)?;
        carrier |= 1 << board.cell(column, row)?;
    }
    (carrier & edge != 0).then_some(carrier)
}

impl Hex {
    /// The winner or the must-play cells, as far as links determine them.
    pub(super) fn look(&self, state: &State) -> Linked {
        self.look_at(state, self.filled(state.stones).stones)
    }

    /// The winner or the must-play cells of a position with filled-in stones.
    pub(super) fn look_at(&self, state: &State, stones: [Cells; 2]) -> Linked {
        let mover = usize::from(state.side);
        let last = 1 - mover;
        let threats = Threats::new(self, stones, last);
        if state.joined || threats.are_made() {
            return Linked::Wins(last);
        }
        let own = Threats::new(self, stones, mover);
        if own.are_made() || each(own.empty).any(|cell| own.at(cell).is_some()) {
            return Linked::Wins(mover);
        }
        match threats.in_the_way() {
            0 => Linked::Wins(last),
            cells => Linked::MustPlay(cells),
        }
    }

    /// The carriers of the links from a cell to an edge of its side.
    fn edge_links(
        &self,
        (side, end): (usize, usize),
        cell: u8,
        empty: Cells,
    ) -> impl Iterator<Item = Cells> {
        let carriers = &self.links.to_edge[side][end][usize::from(cell)];
        carriers.iter().copied().filter(move |carrier| carrier & !empty == 0)
    }

    /// The stones of a side that are linked to one of its edges.
    fn reach(&self, at: (usize, usize), own: Cells, empty: Cells) -> Reach {
        let mut reach = Reach { stones: 0, carriers: [0; STRIDE * STRIDE] };
        // Begin with the stones that touch the edge: their links need no empty cells.
        let mut fresh = self.connected(own & self.edges[at.0][at.1], own);
        reach.stones = fresh;
        for stone in each(own & !reach.stones) {
            if let Some(carrier) = self.edge_links(at, stone, empty).next() {
                reach.add(self, stone, carrier, own, &mut fresh);
            }
        }
        while fresh != 0 {
            let stone = fresh.trailing_zeros() as usize;
            fresh &= fresh - 1;
            let carrier = reach.carriers[stone];
            for &(to, between) in &self.links.bridges[stone] {
                let free = between & (!empty | carrier) == 0;
                if free && own & !reach.stones & 1 << to != 0 {
                    reach.add(self, to, carrier | between, own, &mut fresh);
                }
            }
        }
        reach
    }

    /// The links that a stone on an empty cell would have to an edge.
    fn ways(&self, cell: u8, at: (usize, usize), reach: &Reach, empty: Cells) -> Ways {
        let mut ways = Ways::default();
        if self.edges[at.0][at.1] >> cell & 1 == 1 {
            ways.push(0);
        }
        for carrier in self.edge_links(at, cell, empty) {
            ways.push(carrier);
        }
        for stone in each(self.touching[usize::from(cell)] & reach.stones) {
            ways.push(reach.carriers[usize::from(stone)]);
        }
        for &(stone, between) in &self.links.bridges[usize::from(cell)] {
            let carrier = reach.carriers[usize::from(stone)];
            if reach.stones >> stone & 1 == 1 && between & (!empty | carrier) == 0 {
                ways.push(carrier | between);
            }
        }
        ways
    }
}

impl Reach {
    /// Adds a stone with a carrier, and the stones connected to it.
    fn add(&mut self, hex: &Hex, stone: u8, carrier: Cells, own: Cells, fresh: &mut Cells) {
        for member in each(hex.connected(1 << stone, own & !self.stones)) {
            self.stones |= 1 << member;
            self.carriers[usize::from(member)] = carrier;
            *fresh |= 1 << member;
        }
    }
}

/// The links of one side to both of its edges.
struct Threats<'h> {
    hex: &'h Hex,
    side: usize,
    reach: [Reach; 2],
    empty: Cells,
}

impl<'h> Threats<'h> {
    fn new(hex: &'h Hex, stones: [Cells; 2], side: usize) -> Threats<'h> {
        let (own, empty) = (stones[side], hex.board.all & !(stones[0] | stones[1]));
        let reach = [0, 1].map(|end| hex.reach((side, end), own, empty));
        Threats { hex, side, reach, empty }
    }

    fn are_made(&self) -> bool {
        let [begin, end] = &self.reach;
        each(begin.stones & end.stones)
            .any(|stone| begin.carriers[usize::from(stone)] & end.carriers[usize::from(stone)] == 0)
    }

    /// The cells that block every link that an additional stone would make between the edges.
    fn in_the_way(&self) -> Cells {
        let mut cells = self.empty;
        for cell in each(self.empty) {
            if let Some(carrier) = self.at(cell) {
                cells &= carrier;
                if cells == 0 {
                    break;
                }
            }
        }
        cells
    }

    /// The carrier, including `cell`, of the link between the edges that a stone on `cell` would
    /// make; the smallest one if there are several.
    fn at(&self, cell: u8) -> Option<Cells> {
        let ways = |end: usize| {
            self.hex.ways(cell, (self.side, end), &self.reach[end], self.empty & !(1 << cell))
        };
        let (begin, end) = (ways(0), ways(1));
        let mut best = None;
        for &one in begin.all().iter().filter(|&one| one >> cell & 1 == 0) {
            for &other in end.all().iter().filter(|&other| other >> cell & 1 == 0) {
                let both = one | other;
                let fewer = best.is_none_or(|best: Cells| both.count_ones() < best.count_ones());
                if one & other == 0 && fewer {
                    best = Some(both);
                }
            }
        }
        best.map(|carrier| carrier | 1 << cell)
    }
}
