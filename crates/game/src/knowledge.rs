//! A game's knowledge beyond its rules.
//!
//! A search needs only the rules. A game can provide more: the winner of some positions without
//! search, the moves to try first, the positions that are mirror images. Such [`DomainKnowledge`]
//! makes searches and provers faster. No certificate depends on it.

use crate::{Game, Rng};
use std::ops::RangeInclusive;

/// A static result for a position; see [`DomainKnowledge::static_bound`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum StaticBound {
    /// There is no static result.
    #[default]
    Nothing,
    /// At least one pushed move is optimal. Provers search only these moves, and the fewer moves
    /// are pushed, the earlier they search the position. Certificates do not depend on them. In
    /// games whose positions repeat, an optimal move is not enough; see
    /// [`DomainKnowledge::static_bound`].
    Moves,
    /// The first player's payoff under best play, which each side can force in finitely many moves.
    /// A search trusts it
    /// ([`Config::foresight`](../proofwood/struct.Config.html#method.foresight)), so it must be
    /// right; certificates do not depend on it.
    Payoff(i32),
    /// A lower bound: the first player can force at least this payoff in finitely many moves.
    AtLeast(i32),
    /// An upper bound: the second player can limit the first player to this payoff in finitely many
    /// moves.
    AtMost(i32),
}

/// Settings recommended by a game: those that win the most matches (`proofwood match`) at usual
/// thinking times. A recommendation applies if a [`Config`](../proofwood/struct.Config.html) leaves
/// the setting unset. For example, `Recommended::default().c(0.3)` recommends a value for `c`.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
#[non_exhaustive]
pub struct Recommended {
    /// The weight of exploration against mean values, as
    /// [`Config::c`](../proofwood/struct.Config.html#method.c), from 0 to 1000: choose a smaller
    /// weight if values differ little, such as those of [`DomainKnowledge::evaluate`]. It applies
    /// to searches with informed playouts and the goal `outcome`. `None` is 0.8, the general
    /// default.
    pub c: Option<f64>,
    /// The weight of proof numbers relative to mean values, from 0 to 1000; see
    /// [`Config::c_pn`](../proofwood/struct.Config.html#method.c_pn). `None` means a small weight
    /// that fades as visits accumulate.
    pub c_pn: Option<f64>,
    /// The number of visits to a leaf after which the next visit expands it, as
    /// [`Config::expand_after`](../proofwood/struct.Config.html#method.expand_after), from 1 to
    /// 10^9. A value above 1 results in more playouts and fewer nodes. It helps in positions with
    /// so many moves that creating a leaf's children takes longer than a playout, and in games
    /// where early children carry little information. `None` is 1. In a tree of fewer than 4,096
    /// nodes, including those that threads have reserved, it is always 1.
    pub expand_after: Option<u64>,
    /// The number of moves after which an informed playout ends with the static evaluation
    /// ([`DomainKnowledge::evaluate`]), as
    /// [`Config::playout_cap`](../proofwood/struct.Config.html#method.playout_cap), from 0 to 10^6;
    /// 0 evaluates the leaf itself. It helps in games whose random playouts are long and carry
    /// little information. `None` is 1000.
    pub playout_cap: Option<u32>,
    /// The fraction of a search's work that a background prover does, as
    /// [`Config::prover_share`](../proofwood/struct.Config.html#method.prover_share), from 0 to
    /// 0.9. The prover starts after the first 32,768 playouts of a run, because it makes short
    /// searches play worse. The setting applies to searches with informed playouts and the goal
    /// `outcome`. It helps in games that are often proven long before they end. `None` is 0.
    pub prover_share: Option<f64>,
}

/// The ranges of the settings, equal to those of the search options.
#[doc(hidden)]
impl Recommended {
    pub const C: RangeInclusive<f64> = 0.0..=1000.0;
    pub const C_PN: RangeInclusive<f64> = 0.0..=1000.0;
    pub const EXPAND_AFTER: RangeInclusive<u64> = 1..=1_000_000_000;
    pub const PLAYOUT_CAP: RangeInclusive<u32> = 0..=1_000_000;
    pub const PROVER_SHARE: RangeInclusive<f64> = 0.0..=0.9;
}

macro_rules! setters {
    ($($field:ident: $type:ty),*) => {
        impl Recommended {
            $(
                #[doc = concat!("Sets [`", stringify!($field), "`](Recommended#structfield.", stringify!($field), ").")]
                #[must_use]
                pub fn $field(mut self, $field: impl Into<Option<$type>>) -> Recommended {
                    self.$field = $field.into();
                    self
                }
            )*
        }
    };
}

setters!(c: f64, c_pn: f64, expand_after: u64, playout_cap: u32, prover_share: f64);

/// Knowledge of a game's positions beyond the rules. The default methods provide none.
///
/// [`Game::knowledge`] returns it. `G` is the game to which the positions belong, usually the
/// implementing type itself. A game that wraps another one can forward the inner game's knowledge.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not provide knowledge of `{G}`",
    note = "write `impl DomainKnowledge<{G}> for {Self}`, with the game as its parameter; a game \
            without knowledge need not define `Game::knowledge`"
)]
pub trait DomainKnowledge<G: Game + ?Sized> {
    /// The result of best play, as far as the game can determine it without search: for example, a
    /// win by a chain that cannot be cut, or the few moves that stop a threat. Push such moves onto
    /// `moves`, which is empty: at least one, in the order of [`legal_moves`](Game::legal_moves),
    /// and only in games with a [`key`](Game::key). The method is called only in two-player
    /// zero-sum games without chance, and never when the game is over. The default is
    /// [`StaticBound::Nothing`].
    ///
    /// # Games whose positions repeat
    /// Endless play pays no player, and provers count as a win only an end that a side can *force*:
    /// one that it reaches in finitely many moves whatever the replies. Payoffs and bounds must
    /// therefore be results that can be forced. Pushed moves must preserve, for each payoff
    /// threshold, the result that each side can force:
    /// - If the side to move can force the payoff, one of the pushed moves makes progress towards
    ///   it: a number that cannot decrease for ever, such as the number of moves left under best
    ///   play, decreases with this move and with each reply.
    /// - If the other side cannot force its payoff, it still cannot after at least one pushed move.
    ///
    /// A move that preserves the win without making progress must not be the only pushed move: if
    /// play returns to the position, provers find no end. Nor may the move to the best end be the
    /// only pushed move if endless play is better. In games without endless play, one optimal move
    /// is enough. [`check_rules`](crate::check_rules) and audits
    /// ([`ProverConfig::audit`](../proofwood/struct.ProverConfig.html#method.audit)) verify both
    /// conditions near the positions that they visit.
    fn static_bound(&self, state: &G::State, moves: &mut Vec<G::Move>) -> StaticBound {
        let _ = (state, moves);
        StaticBound::Nothing
    }

    /// The form of [`static_bound`](DomainKnowledge::static_bound) that provers call, equal to it
    /// by default. Override it if a more expensive analysis pays off for a prover but not for a
    /// search with playouts, which visits more positions in the same time.
    fn static_bound_for_prover(&self, state: &G::State, moves: &mut Vec<G::Move>) -> StaticBound {
        self.static_bound(state, moves)
    }

    /// The form of [`static_bound_for_prover`](DomainKnowledge::static_bound_for_prover) for
    /// provers that ask whether the first player's payoff under best play is at least `at_least`;
    /// equal to it by default. Override it if that question is cheaper than the payoff itself:
    /// return [`StaticBound::AtLeast`] or [`StaticBound::AtMost`] with a bound that answers it.
    fn static_bound_at(
        &self,
        state: &G::State,
        at_least: i32,
        moves: &mut Vec<G::Move>,
    ) -> StaticBound {
        let _ = at_least;
        self.static_bound_for_prover(state, moves)
    }

    /// A move-ordering score for provers: they search moves with greater scores first. By default
    /// all moves score 0, which expresses no preference. Alpha-beta calls the method for every move
    /// and depends on good ordering: in Connect Four, scoring moves by the threats they make solves
    /// positions in a fifth of the time. Any score is sound.
    fn move_order(&self, state: &G::State, mv: G::Move) -> u32 {
        let _ = (state, mv);
        0
    }

    /// Plays a whole informed playout in place and returns the number of moves. They must be the
    /// moves that [`rollout_move`](DomainKnowledge::rollout_move) and
    /// [`random_move`](Game::random_move) would draw one after the other, with the same random
    /// numbers. The playout ends when the game is over, when chance decides, or after `cap` moves.
    /// Override it if the game can reuse work from one move to the next: in Connect Four a move
    /// changes the threats of only one side. The default plays no move; playouts then request their
    /// moves one by one.
    #[inline]
    fn rollout(&self, state: &mut G::State, cap: u32, rng: &mut Rng) -> u32 {
        let _ = (state, cap, rng);
        0
    }

    /// Plays a whole random playout in place, as [`rollout`](DomainKnowledge::rollout) does, with
    /// the moves that [`random_move`](Game::random_move) would draw. In Othello this takes three
    /// quarters of the time of a playout move by move.
    #[inline]
    fn rollout_randomly(&self, state: &mut G::State, cap: u32, rng: &mut Rng) -> u32 {
        let _ = (state, cap, rng);
        0
    }

    /// A legal move for a playout that is better than a random one and cheap to find: one that wins
    /// at once, else one that keeps the other side from winning at once (decisive and anti-decisive
    /// moves; Teytaud and Teytaud, *On the Huge Benefit of Decisive Moves in Monte-Carlo Tree
    /// Search Algorithms*, 2010). With `None`, the default, the playout draws a
    /// [`random_move`](Game::random_move). Searches with
    /// [`PlayoutPolicy::Informed`](../proofwood/options/enum.PlayoutPolicy.html) call it at every
    /// move of a playout. No proof depends on it. It is never called when the game is over or
    /// chance decides; `moves` is an empty scratch buffer.
    #[inline]
    fn rollout_move(
        &self,
        state: &G::State,
        moves: &mut Vec<G::Move>,
        rng: &mut Rng,
    ) -> Option<G::Move> {
        let _ = (state, moves, rng);
        None
    }

    /// A static evaluation of a position for the side to move, from −1 (loss) to 1 (win), if one is
    /// cheap to compute. A playout that reaches its cap
    /// ([`Config::playout_cap`](../proofwood/struct.Config.html#method.playout_cap)) returns this
    /// value in searches with
    /// [`PlayoutPolicy::Informed`](../proofwood/options/enum.PlayoutPolicy.html) and the goal
    /// `outcome` (Lorentz, *Amazons Discover Monte-Carlo*, 2008; Winands and Björnsson, *Evaluation
    /// Function Based Monte-Carlo LOA*, 2010). It is called only in two-player zero-sum games, and
    /// never when the game is over. No proof depends on it. With `None`, the default, a playout
    /// that reaches its cap pays every player 0.
    #[inline]
    fn evaluate(&self, state: &G::State) -> Option<f32> {
        let _ = state;
        None
    }

    /// The settings that the game recommends, by default none. Choose settings that win matches at
    /// usual thinking times (`proofwood match`).
    fn recommended(&self) -> Recommended {
        Recommended::default()
    }

    /// Pushes the images of a position under the symmetries of the rules onto `images`, which is
    /// empty: for example, the mirrored or rotated board. By default there are none. Provers prove
    /// a position and its images together
    /// ([`ProverConfig::symmetries`](../proofwood/struct.ProverConfig.html#method.symmetries)).
    ///
    /// An image has the same player to move or, if the game is over, the same payoffs; its moves
    /// lead to images of the position's children, with the same weights at chance nodes. The names
    /// and the order of the moves may differ. A position may be its own image. Provers ignore
    /// symmetries if no position within two moves of the root is its own image or another
    /// position's.
    ///
    /// A position with the players exchanged is not an image, because the payoffs would be
    /// exchanged, too. [`check_rules`](crate::check_rules) and audits
    /// ([`ProverConfig::audit`](../proofwood/struct.ProverConfig.html#method.audit)) verify images;
    /// certificates do not depend on them.
    fn symmetries(&self, state: &G::State, images: &mut Vec<G::State>) {
        let _ = (state, images);
    }

    /// The canonical key: the key of one representative among the position and its
    /// [`symmetries`](DomainKnowledge::symmetries), the same for all of them. Override it if the
    /// game can find a representative without generating all images: provers call it for every move
    /// that they consider. With `None`, the default, they take the least key of the position and
    /// its images.
    fn canonical_key(&self, state: &G::State) -> Option<u64> {
        let _ = state;
        None
    }
}

/// No knowledge beyond the rules: the default of [`Game::knowledge`].
#[derive(Clone, Copy, Debug, Default)]
pub struct NoKnowledge;

impl<G: Game + ?Sized> DomainKnowledge<G> for NoKnowledge {}

/// Forwards every method, so that no method falls back to its default.
#[deny(clippy::missing_trait_methods)]
impl<G: Game + ?Sized, I: DomainKnowledge<G>> DomainKnowledge<G> for &I {
    #[inline(always)]
    fn static_bound(&self, state: &G::State, moves: &mut Vec<G::Move>) -> StaticBound {
        (**self).static_bound(state, moves)
    }

    #[inline]
    fn static_bound_for_prover(&self, state: &G::State, moves: &mut Vec<G::Move>) -> StaticBound {
        (**self).static_bound_for_prover(state, moves)
    }

    #[inline]
    fn static_bound_at(
        &self,
        state: &G::State,
        at_least: i32,
        moves: &mut Vec<G::Move>,
    ) -> StaticBound {
        (**self).static_bound_at(state, at_least, moves)
    }

    #[inline]
    fn move_order(&self, state: &G::State, mv: G::Move) -> u32 {
        (**self).move_order(state, mv)
    }

    #[inline]
    fn rollout(&self, state: &mut G::State, cap: u32, rng: &mut Rng) -> u32 {
        (**self).rollout(state, cap, rng)
    }

    #[inline]
    fn rollout_randomly(&self, state: &mut G::State, cap: u32, rng: &mut Rng) -> u32 {
        (**self).rollout_randomly(state, cap, rng)
    }

    #[inline(always)]
    fn rollout_move(
        &self,
        state: &G::State,
        moves: &mut Vec<G::Move>,
        rng: &mut Rng,
    ) -> Option<G::Move> {
        (**self).rollout_move(state, moves, rng)
    }

    #[inline]
    fn evaluate(&self, state: &G::State) -> Option<f32> {
        (**self).evaluate(state)
    }

    fn recommended(&self) -> Recommended {
        (**self).recommended()
    }

    #[inline]
    fn symmetries(&self, state: &G::State, images: &mut Vec<G::State>) {
        (**self).symmetries(state, images);
    }

    #[inline]
    fn canonical_key(&self, state: &G::State) -> Option<u64> {
        (**self).canonical_key(state)
    }
}

/// The canonical key of a position and its images: [`DomainKnowledge::canonical_key`] or, if that
/// is `None`, the least of their keys.
#[inline]
pub fn canonical_key<G: Game>(game: &G, state: &G::State) -> Option<u64> {
    let knowledge = game.knowledge();
    knowledge.canonical_key(state).or_else(|| {
        let mut images = Vec::new();
        knowledge.symmetries(state, &mut images);
        images.iter().map(|image| game.key(image)).fold(game.key(state), std::cmp::min)
    })
}
