//! What a game knows beyond its rules.
//!
//! A search needs the rules alone. A game may know more, and say it: who wins at a glance,
//! which moves to look at first, which positions are mirror images. An [`Insight`] makes
//! searches and provers sooner. No certificate rests on it.

use crate::{Game, Rng};
use std::ops::RangeInclusive;

/// What the rules can tell of a position at a glance; see [`Insight::foreseen`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Foreseen {
    /// Nothing that a search would not find.
    #[default]
    Nothing,
    /// One of the moves that were pushed is a best one. Provers look at no others, and the
    /// fewer they are, the sooner provers look at the position. Certificates do not rest
    /// on it. Where positions can come again, a best move is not enough; see
    /// [`Insight::foreseen`].
    Moves,
    /// The first player's payoff under best play: each side can force it in finitely many moves.
    /// A search believes it ([`Config::foresight`](../proofwood/struct.Config.html#method.foresight)), so it must be
    /// right; certificates do not rest on it.
    Payoff(i32),
    /// The first player can force a payoff of at least this in finitely many moves.
    AtLeast(i32),
    /// The second player can force in finitely many moves that the first player's payoff is at
    /// most this.
    AtMost(i32),
}

/// The settings that suit a game, where it says so: what wins most matches (`proofwood match`)
/// at the times that users have. A search takes them where its [`Config`](../proofwood/struct.Config.html) leaves
/// them open. `Suited::default().c(0.3)` sets one of them.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
#[non_exhaustive]
pub struct Suited {
    /// How much exploration should weigh beside the values of playouts, as
    /// [`Config::c`](../proofwood/struct.Config.html#method.c), from 0 to 1000: less where values differ little, as those
    /// of [`Insight::worth`] do. It is taken where playouts are informed and the question is who
    /// wins. `None` is 0.8, as it is elsewhere.
    pub c: Option<f64>,
    /// How much proof numbers should weigh beside the values of playouts, as
    /// [`Config::c_pn`](../proofwood/struct.Config.html#method.c_pn), from 0 to 1000. `None` lets a small weight fade as
    /// visits grow.
    pub c_pn: Option<f64>,
    /// Visits of a leaf before the next one expands it, as
    /// [`Config::expand_after`](../proofwood/struct.Config.html#method.expand_after), from 1 to 10^9. More than 1 makes
    /// more playouts and fewer nodes. It suits positions with so many moves that making a leaf's
    /// children takes longer than a playout, and games where children so soon tell little.
    /// `None` is 1. In a tree of fewer than 4,096 nodes, those that threads have reserved
    /// included, it is 1 whatever the game says.
    pub expand_after: Option<u64>,
    /// Moves after which an informed playout ends and is worth what the position looks worth
    /// ([`Insight::worth`]), as [`Config::playout_cap`](../proofwood/struct.Config.html#method.playout_cap), from 0 to
    /// 10^6; with 0 that is the leaf itself. It suits games whose random playouts are long and tell
    /// little. `None` is 1000.
    pub playout_cap: Option<u32>,
    /// The part of a long search's work that a prover does beside the playouts, as
    /// [`Config::prover_share`](../proofwood/struct.Config.html#method.prover_share), from 0 to 0.9, but after the first
    /// 32,768 playouts of a run: in short searches it costs games. It is taken where playouts are
    /// informed and the question is who wins. It suits games that are often settled long before
    /// they end. `None` is 0.
    pub prover_share: Option<f64>,
}

/// The ranges of the settings, which are those of a search's options.
#[doc(hidden)]
impl Suited {
    pub const C: RangeInclusive<f64> = 0.0..=1000.0;
    pub const C_PN: RangeInclusive<f64> = 0.0..=1000.0;
    pub const EXPAND_AFTER: RangeInclusive<u64> = 1..=1_000_000_000;
    pub const PLAYOUT_CAP: RangeInclusive<u32> = 0..=1_000_000;
    pub const PROVER_SHARE: RangeInclusive<f64> = 0.0..=0.9;
}

macro_rules! setters {
    ($($field:ident: $type:ty),*) => {
        impl Suited {
            $(
                #[doc = concat!("Sets [`", stringify!($field), "`](Suited#structfield.", stringify!($field), ").")]
                #[must_use]
                pub fn $field(mut self, $field: impl Into<Option<$type>>) -> Suited {
                    self.$field = $field.into();
                    self
                }
            )*
        }
    };
}

setters!(c: f64, c_pn: f64, expand_after: u64, playout_cap: u32, prover_share: f64);

/// What a game knows of its positions beyond the rules. Every method has a default, which
/// knows nothing.
///
/// [`Game::insight`] returns it. `G` is the game whose positions are spoken of: mostly the
/// type itself. A game that is made of another one can pass on what the other knows.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an insight into `{G}`",
    note = "write `impl Insight<{G}> for {Self}`, with the game as its parameter; a game without \
            knowledge leaves out `Game::insight`"
)]
pub trait Insight<G: Game + ?Sized> {
    /// What can be told at a glance of best play: who wins by a chain that cannot be cut, or
    /// the few moves that stop a threat. Such moves are pushed onto `moves`, which is empty:
    /// one at least, in the order of [`legal_moves`](Game::legal_moves), and only in games
    /// with a [`key`](Game::key). For games of two players with zero sum and no chance;
    /// never called when the game is over. [`Foreseen::Nothing`] by default.
    ///
    /// # Where positions can come again
    /// Play that goes round for ever pays nobody, and provers count as a win only an end that
    /// a side can *force*: one that it reaches in finitely many moves whatever the other side
    /// plays. So payoffs and bounds are those that can be forced. Moves that are pushed keep what
    /// each side can force, for each payoff that a question may be about:
    /// - Where the side to move can force the payoff, one of the pushed moves leads nearer to it: a
    ///   number that cannot fall for ever, such as the moves that are left under best play, is
    ///   smaller after it, and after each answer.
    /// - Where the other side cannot force its payoff, one of the pushed moves keeps it so.
    ///
    /// A move from which the side to move wins just as well as before, but no sooner, must not be
    /// pushed alone: if play comes back, provers see no end. Nor may the best ending be pushed
    /// alone where going round is better. In games whose plays all end, every best move is
    /// enough. [`check_rules`](crate::check_rules) and audits
    /// ([`ProverConfig::audit`](../proofwood/struct.ProverConfig.html#method.audit)) compare both near the positions that
    /// they come to.
    fn foreseen(&self, state: &G::State, moves: &mut Vec<G::Move>) -> Foreseen {
        let _ = (state, moves);
        Foreseen::Nothing
    }

    /// The same for provers, by default [`foreseen`](Insight::foreseen). Override it where a
    /// closer look pays for a prover and not for a search with playouts, which comes to more
    /// positions in the same time.
    fn foreseen_closely(&self, state: &G::State, moves: &mut Vec<G::Move>) -> Foreseen {
        self.foreseen(state, moves)
    }

    /// The same for provers that ask whether the first player's payoff under best play is
    /// `at_least` so much, by default [`foreseen_closely`](Insight::foreseen_closely).
    /// Override it where that is told sooner than the payoff itself: by
    /// [`Foreseen::AtLeast`] or [`Foreseen::AtMost`] with a number that answers it.
    fn foreseen_against(
        &self,
        state: &G::State,
        at_least: i32,
        moves: &mut Vec<G::Move>,
    ) -> Foreseen {
        let _ = at_least;
        self.foreseen_closely(state, moves)
    }

    /// How early a prover is to look at a move, beside the other moves of the position: the
    /// greater, the earlier. All alike by default, which is as good as nothing. Alpha-beta
    /// asks for it at every move, and lives on good answers: in Connect Four, the threats that
    /// the move makes, it settles positions in a fifth of the time. Any answer is sound.
    fn priority(&self, state: &G::State, mv: G::Move) -> u32 {
        let _ = (state, mv);
        0
    }

    /// Plays a whole informed playout, up to `cap` moves, and answers how many it has played: the
    /// moves that [`playout_move`](Insight::playout_move) and [`random_move`](Game::random_move)
    /// would draw one after the other, with the same random numbers. It ends where the game ends,
    /// where chance decides, or after `cap` moves. Override it where a game that goes on from move
    /// to move has less to work out than one that begins anew at each: Connect Four, where a move
    /// changes the threats of one side only. By default it plays no move, and playouts ask
    /// for each.
    #[inline]
    fn play_out(&self, state: &mut G::State, cap: u32, rng: &mut Rng) -> u32 {
        let _ = (state, cap, rng);
        0
    }

    /// The same for a playout of random moves: those that [`random_move`](Game::random_move) would
    /// draw. Othello plays one in three quarters of the time.
    #[inline]
    fn play_out_randomly(&self, state: &mut G::State, cap: u32, rng: &mut Rng) -> u32 {
        let _ = (state, cap, rng);
        0
    }

    /// A legal move for a playout that is better than a random one, where it costs little to
    /// find: one that wins at once, else one that keeps the other side from winning at once
    /// (decisive and anti-decisive moves; Teytaud and Teytaud, *On the Huge Benefit of Decisive
    /// Moves in Monte-Carlo Tree Search Algorithms*, 2010). `None`, the default, has the playout
    /// draw a [`random_move`](Game::random_move). Searches that play by
    /// [`PlayoutPolicy::Informed`](../proofwood/enum.PlayoutPolicy.html) ask for it at every move of a playout.
    /// No proof rests on it. Never called when the game is over or chance decides; `moves` is
    /// an empty buffer to work in.
    #[inline]
    fn playout_move(
        &self,
        state: &G::State,
        moves: &mut Vec<G::Move>,
        rng: &mut Rng,
    ) -> Option<G::Move> {
        let _ = (state, moves, rng);
        None
    }

    /// How good a position looks for the side to move, from a loss (−1) to a win (1), where that
    /// costs little to tell. A playout that has made as many moves as it may
    /// ([`Config::playout_cap`](../proofwood/struct.Config.html#method.playout_cap)) ends there and is worth that much,
    /// where searches play by [`PlayoutPolicy::Informed`](../proofwood/enum.PlayoutPolicy.html) and ask who wins
    /// (Lorentz, *Amazons Discover Monte-Carlo*, 2008; Winands and Björnsson, *Evaluation
    /// Function Based Monte-Carlo LOA*, 2010). For games of two players with zero sum; never
    /// called when the game is over. No proof rests on it. `None`, the default, says nothing: then
    /// such a playout pays 0 to everybody.
    #[inline]
    fn worth(&self, state: &G::State) -> Option<f32> {
        let _ = state;
        None
    }

    /// The settings that suit the game. Matches with as much time as users have say what does
    /// (`proofwood match`); answer what they said. By default the game says nothing.
    fn suited(&self) -> Suited {
        Suited::default()
    }

    /// Pushes the images of a position under the symmetries of the rules onto `images`, which
    /// is empty: its mirror image, or what it looks like from the other sides of the board.
    /// None by default. Provers settle a position and its images once, for all of them
    /// ([`ProverConfig::symmetries`](../proofwood/struct.ProverConfig.html#method.symmetries)).
    ///
    /// The same player is to move in an image, the same payoffs are paid at its end, and its
    /// moves lead to images of the positions that the position's own moves lead to, chance
    /// with the same weights. How the moves are called and in which order they are listed may
    /// differ. A position may be its own image. Provers do without symmetries where no position
    /// within two moves of the one that is to be solved is its own image or that of another.
    ///
    /// An image in which the players have changed places is none: their payoffs would have
    /// changed places, too. [`check_rules`](crate::check_rules) and audits
    /// ([`ProverConfig::audit`](../proofwood/struct.ProverConfig.html#method.audit)) hold images to this, and
    /// certificates do not rest on them.
    fn images(&self, state: &G::State, images: &mut Vec<G::State>) {
        let _ = (state, images);
    }

    /// The hash of the position or of one of its [`images`](Insight::images): of the same one,
    /// whichever of them is given. Answer it where the game can find one of them without
    /// making them all: provers ask for it at every move that they look at. `None`, the
    /// default, has them take the least of the hashes of them all.
    fn least_hash(&self, state: &G::State) -> Option<u64> {
        let _ = state;
        None
    }
}

/// The insight of a game that knows its rules alone: the default of [`Game::insight`].
#[derive(Clone, Copy, Debug, Default)]
pub struct NoInsight;

impl<G: Game + ?Sized> Insight<G> for NoInsight {}

/// Forwards every method, so that none falls back to its default.
#[deny(clippy::missing_trait_methods)]
impl<G: Game + ?Sized, I: Insight<G>> Insight<G> for &I {
    #[inline]
    fn foreseen(&self, state: &G::State, moves: &mut Vec<G::Move>) -> Foreseen {
        (**self).foreseen(state, moves)
    }

    #[inline]
    fn foreseen_closely(&self, state: &G::State, moves: &mut Vec<G::Move>) -> Foreseen {
        (**self).foreseen_closely(state, moves)
    }

    #[inline]
    fn foreseen_against(
        &self,
        state: &G::State,
        at_least: i32,
        moves: &mut Vec<G::Move>,
    ) -> Foreseen {
        (**self).foreseen_against(state, at_least, moves)
    }

    #[inline]
    fn priority(&self, state: &G::State, mv: G::Move) -> u32 {
        (**self).priority(state, mv)
    }

    #[inline]
    fn play_out(&self, state: &mut G::State, cap: u32, rng: &mut Rng) -> u32 {
        (**self).play_out(state, cap, rng)
    }

    #[inline]
    fn play_out_randomly(&self, state: &mut G::State, cap: u32, rng: &mut Rng) -> u32 {
        (**self).play_out_randomly(state, cap, rng)
    }

    #[inline]
    fn playout_move(
        &self,
        state: &G::State,
        moves: &mut Vec<G::Move>,
        rng: &mut Rng,
    ) -> Option<G::Move> {
        (**self).playout_move(state, moves, rng)
    }

    #[inline]
    fn worth(&self, state: &G::State) -> Option<f32> {
        (**self).worth(state)
    }

    fn suited(&self) -> Suited {
        (**self).suited()
    }

    #[inline]
    fn images(&self, state: &G::State, images: &mut Vec<G::State>) {
        (**self).images(state, images);
    }

    #[inline]
    fn least_hash(&self, state: &G::State) -> Option<u64> {
        (**self).least_hash(state)
    }
}

/// The hash that a position and its images are found by: what the game says of it
/// ([`Insight::least_hash`]), or the least of their hashes.
#[inline]
pub fn least_hash<G: Game>(game: &G, state: &G::State) -> Option<u64> {
    let insight = game.insight();
    insight.least_hash(state).or_else(|| {
        let mut images = Vec::new();
        insight.images(state, &mut images);
        images.iter().map(|image| game.key(image)).fold(game.key(state), std::cmp::min)
    })
}
