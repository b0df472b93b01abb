//! Pieces on the board and in hand, and their moves.

use super::tables::{
    BETWEEN, BOARD, CELLS, COLUMN, SIDE, STEPS, THROUGH, ZONE, bishop_slides, rook_slides,
};
use super::{Kind, Move};
use crate::bits::{cells, nth_cell};
use crate::hash::{GAMMA, mix};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    kinds: [u32; Kind::COUNT],
    players: [u32; 2],
    hands: [[u8; Kind::IN_HAND]; 2],
    mover: u8,
    /// The XOR of the keys of all parts of the position.
    key: u64,
}

impl Position {
    pub(super) const EMPTY: Position = Position {
        kinds: [0; Kind::COUNT],
        players: [0; 2],
        hands: [[0; Kind::IN_HAND]; 2],
        mover: 0,
        key: 0,
    };

    #[inline]
    pub(super) fn mover(&self) -> usize {
        usize::from(self.mover)
    }

    #[inline]
    pub(super) fn key(&self) -> u64 {
        self.key
    }

    pub(super) fn in_hand(&self, player: usize, kind: Kind) -> u8 {
        self.hands[player][kind as usize]
    }

    #[inline]
    pub(super) fn pieces(&self, player: usize, kind: Kind) -> u32 {
        self.kinds[kind as usize] & self.players[player]
    }

    #[inline]
    pub(super) fn occupied(&self) -> u32 {
        self.players[0] | self.players[1]
    }

    pub(super) fn piece_at(&self, cell: usize) -> Option<(usize, Kind)> {
        let player = self.players.iter().position(|cells| cells >> cell & 1 == 1)?;
        Some((player, self.kind_at(cell)))
    }

    #[inline]
    fn kind_at(&self, cell: usize) -> Kind {
        let there = |kind: &&Kind| self.kinds[**kind as usize] >> cell & 1 == 1;
        *Kind::ALL.iter().find(there).expect("a piece on this cell")
    }

    #[inline]
    pub(super) fn toggle(&mut self, player: usize, kind: Kind, cell: usize) {
        self.kinds[kind as usize] ^= 1 << cell;
        self.players[player] ^= 1 << cell;
        self.key ^= KEYS.pieces[player][kind as usize][cell];
    }

    #[inline]
    pub(super) fn set_hand(&mut self, player: usize, kind: Kind, number: u8) {
        let held = &mut self.hands[player][kind as usize];
        let keys = &KEYS.hands[player][kind as usize];
        self.key ^= keys[usize::from(*held)] ^ keys[usize::from(number)];
        *held = number;
    }

    #[inline]
    pub(super) fn pass_turn(&mut self) {
        self.mover ^= 1;
        self.key ^= KEYS.mover;
    }

    #[inline]
    pub(super) fn play(&mut self, mv: Move) {
        let player = self.mover();
        match mv {
            Move::Step { from, to, promote } => {
                let (from, to) = (usize::from(from), usize::from(to));
                if self.players[1 - player] >> to & 1 == 1 {
                    let taken = self.kind_at(to);
                    self.toggle(1 - player, taken, to);
                    let kind = taken.unpromoted();
                    self.set_hand(player, kind, self.in_hand(player, kind) + 1);
                }
                let kind = self.kind_at(from);
                self.toggle(player, kind, from);
                self.toggle(player, if promote { kind.promoted() } else { kind }, to);
            }
            Move::Drop { kind, to } => {
                self.set_hand(player, kind, self.in_hand(player, kind) - 1);
                self.toggle(player, kind, usize::from(to));
            }
        }
        self.pass_turn();
    }

    /// The pieces of `player` that attack `cell` when `pieces` block sliding pieces.
    #[inline]
    fn attackers(&self, player: usize, cell: usize, pieces: u32) -> u32 {
        // The origins of steps to `cell` are the targets of the other player's steps from it.
        let from = &STEPS[1 - player];
        let kinds = &self.kinds;
        let at = |kind: Kind| from[kind as usize][cell] & kinds[kind as usize];
        let golds = kinds[Kind::Gold as usize]
            | kinds[Kind::PromotedPawn as usize]
            | kinds[Kind::PromotedSilver as usize];
        let steps = at(Kind::Pawn)
            | at(Kind::Silver)
            | at(Kind::King)
            | at(Kind::PromotedRook)
            | at(Kind::PromotedBishop)
            | from[Kind::Gold as usize][cell] & golds;
        let mut all = steps;
        let (rooks, bishops) = self.sliders();
        if rooks & self.players[player] != 0 {
            all |= rook_slides(cell, pieces) & rooks;
        }
        if bishops & self.players[player] != 0 {
            all |= bishop_slides(cell, pieces) & bishops;
        }
        all & self.players[player]
    }

    /// The pieces that slide like rooks, and those that slide like bishops.
    #[inline]
    fn sliders(&self) -> (u32, u32) {
        let kinds = &self.kinds;
        (
            kinds[Kind::Rook as usize] | kinds[Kind::PromotedRook as usize],
            kinds[Kind::Bishop as usize] | kinds[Kind::PromotedBishop as usize],
        )
    }

    /// The cells that a piece on `cell` can reach, including cells with pieces of its own side.
    #[inline]
    pub(super) fn reach(&self, player: usize, kind: Kind, cell: usize, pieces: u32) -> u32 {
        let slides = match kind {
            Kind::Rook | Kind::PromotedRook => rook_slides(cell, pieces),
            Kind::Bishop | Kind::PromotedBishop => bishop_slides(cell, pieces),
            _ => 0,
        };
        slides | STEPS[player][kind as usize][cell]
    }

    #[inline]
    fn king(&self, player: usize) -> usize {
        self.pieces(player, Kind::King).trailing_zeros() as usize
    }

    /// The pieces that check the king of `player`.
    #[inline]
    pub(super) fn checkers(&self, player: usize) -> u32 {
        self.attackers(1 - player, self.king(player), self.players[0] | self.players[1])
    }

    /// The mover's pinned pieces: each is the only piece between the king and a slider.
    fn pinned(&self) -> u32 {
        let (player, king) = (self.mover(), self.king(self.mover()));
        let (own, other) = (self.players[player], self.players[1 - player]);
        let (rooks, bishops) = self.sliders();
        let aimed = rook_slides(king, other) & rooks | bishop_slides(king, other) & bishops;
        cells(u64::from(aimed & other)).fold(0, |pinned, slider| {
            let between = BETWEEN[king][usize::from(slider)] & own;
            if between.count_ones() == 1 { pinned | between } else { pinned }
        })
    }

    pub(super) fn moves(&self) -> Moves {
        let player = self.mover();
        let own = self.players[player];
        let pieces = own | self.players[1 - player];
        let king = self.king(player);
        let checkers = self.checkers(player);
        let mut moves = Moves::none(checkers != 0);
        let unguarded =
            |&to: &u8| self.attackers(1 - player, usize::from(to), pieces & !(1 << king)) == 0;
        let flights = STEPS[player][Kind::King as usize][king] & !own;
        let flights = cells(u64::from(flights)).filter(unguarded);
        moves.push(king as u8, flights.fold(0, |set, to| set | 1 << to), 0);
        // The permitted targets of other pieces: all cells, or those that end a check.
        let useful = match checkers.count_ones() {
            0 => BOARD,
            1 => checkers | BETWEEN[king][checkers.trailing_zeros() as usize],
            _ => return moves,
        };
        let pinned = self.pinned();
        for &kind in Kind::ALL.iter().filter(|&&kind| kind != Kind::King) {
            for from in cells(u64::from(self.pieces(player, kind))) {
                let cell = usize::from(from);
                let mut to = self.reach(player, kind, cell, pieces) & !own & useful;
                if pinned >> cell & 1 == 1 {
                    to &= THROUGH[king][cell];
                }
                let zone = if ZONE[player] >> cell & 1 == 1 { BOARD } else { ZONE[player] };
                match kind {
                    Kind::Pawn => moves.push(from, to & !zone, to & zone),
                    Kind::Silver | Kind::Rook | Kind::Bishop => moves.push(from, to, to & zone),
                    _ => moves.push(from, to, 0),
                }
            }
        }
        let free = BOARD & !pieces & useful;
        for &kind in &Kind::ALL[..Kind::IN_HAND] {
            if self.in_hand(player, kind) > 0 {
                let to = if kind == Kind::Pawn { self.pawn_drops(free) } else { free };
                moves.push(CELLS as u8 + kind as u8, to, 0);
            }
        }
        moves
    }

    /// The cells among `free` on which a pawn may be dropped.
    fn pawn_drops(&self, free: u32) -> u32 {
        let player = self.mover();
        let pawns = cells(u64::from(self.pieces(player, Kind::Pawn)));
        let columns = pawns.fold(0, |set, pawn| set | COLUMN[usize::from(pawn) % SIDE]);
        let drops = free & !columns & !ZONE[player];
        let check = STEPS[1 - player][Kind::Pawn as usize][self.king(1 - player)];
        if drops & check != 0 && self.mates(check.trailing_zeros() as u8) {
            return drops & !check;
        }
        drops
    }

    /// Returns whether a pawn dropped on `to`, in front of the king, gives mate.
    fn mates(&self, to: u8) -> bool {
        let mut next = *self;
        next.play(Move::Drop { kind: Kind::Pawn, to });
        next.moves().count() == 0
    }
}

/// The legal moves of a position, grouped by piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moves {
    pieces: [PieceMoves; Moves::MOST],
    len: u8,
    pub(super) check: bool,
}

#[derive(Clone, Copy, Debug)]
struct PieceMoves {
    /// The piece's cell; if it is in hand, the number of cells plus its kind.
    from: u8,
    to: u32,
    promoting: u32,
}

impl Moves {
    /// The greatest number of pieces in a position, on the board and in the hands.
    const MOST: usize = 12;

    pub(super) fn none(check: bool) -> Moves {
        let nothing = PieceMoves { from: 0, to: 0, promoting: 0 };
        Moves { pieces: [nothing; Moves::MOST], len: 0, check }
    }

    #[inline]
    fn push(&mut self, from: u8, to: u32, promoting: u32) {
        if to | promoting != 0 {
            self.pieces[usize::from(self.len)] = PieceMoves { from, to, promoting };
            self.len += 1;
        }
    }

    fn pieces(&self) -> &[PieceMoves] {
        &self.pieces[..usize::from(self.len)]
    }

    #[inline]
    pub(super) fn count(&self) -> usize {
        self.pieces().iter().map(|piece| piece.count() as usize).sum()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Move> {
        self.pieces().iter().flat_map(|piece| {
            let plain = cells(u64::from(piece.to)).map(|to| piece.mv(to, false));
            plain.chain(cells(u64::from(piece.promoting)).map(|to| piece.mv(to, true)))
        })
    }

    #[inline]
    pub(super) fn nth(&self, mut rank: u32) -> Option<Move> {
        for piece in self.pieces() {
            let (plain, all) = (piece.to.count_ones(), piece.count());
            if rank < plain {
                return Some(piece.mv(nth_cell(u64::from(piece.to), rank), false));
            }
            if rank < all {
                return Some(piece.mv(nth_cell(u64::from(piece.promoting), rank - plain), true));
            }
            rank -= all;
        }
        None
    }
}

impl PieceMoves {
    #[inline]
    fn count(&self) -> u32 {
        self.to.count_ones() + self.promoting.count_ones()
    }

    #[inline]
    fn mv(&self, to: u8, promote: bool) -> Move {
        match usize::from(self.from).checked_sub(CELLS) {
            None => Move::Step { from: self.from, to, promote },
            Some(kind) => Move::Drop { kind: Kind::ALL[kind], to },
        }
    }
}

/// Random words for all parts of a position (Zobrist).
struct Keys {
    pieces: [[[u64; CELLS]; Kind::COUNT]; 2],
    /// Words indexed by the number of pieces of a kind in hand; the word for zero is 0.
    hands: [[[u64; 1 + Kind::EACH]; Kind::IN_HAND]; 2],
    mover: u64,
}

static KEYS: Keys = {
    let mut keys = Keys {
        pieces: [[[0; CELLS]; Kind::COUNT]; 2],
        hands: [[[0; 1 + Kind::EACH]; Kind::IN_HAND]; 2],
        mover: mix(GAMMA),
    };
    let mut word = GAMMA;
    let mut at = 0;
    while at < 2 * Kind::COUNT * CELLS {
        word = word.wrapping_add(GAMMA);
        keys.pieces[at / CELLS / Kind::COUNT][at / CELLS % Kind::COUNT][at % CELLS] = mix(word);
        at += 1;
    }
    at = 0;
    while at < 2 * Kind::IN_HAND * Kind::EACH {
        word = word.wrapping_add(GAMMA);
        let (kind, number) = (at / Kind::EACH, 1 + at % Kind::EACH);
        keys.hands[kind / Kind::IN_HAND][kind % Kind::IN_HAND][number] = mix(word);
        at += 1;
    }
    keys
};
