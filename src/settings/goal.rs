//! The goal of a search, which also determines the values of playouts.

/// The question that a search answers about its root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Goal {
    /// Whether the side to move wins, draws or loses. A playout's value is the outcome, 1, 0 or −1,
    /// whatever the payoff. If the sign of payoffs means nothing, as for coins or points that are
    /// all above 0, use [`Score`](Goal::Score).
    #[default]
    Outcome,
    /// The exact score: the payoff, or with chance the expected payoff.
    ///
    /// A playout's value is from −1 to 1. *Without chance* it is the average of the outcome (1, 0
    /// or −1) and of the payoff scaled from [`payoff_range`](crate::Game::payoff_range) to the
    /// range from −1 to 1; so a narrow win has a greater value than a draw with the most points.
    /// *With chance* ([`has_chance`](crate::Game::has_chance)) it is only the scaled payoff,
    /// because the mean of the values must correspond to the mean payoff. *Without a range* (if one
    /// of its ends is `i32::MIN` or `i32::MAX`) it is only the outcome. It is best to declare a
    /// range, above all in a game with chance, where a mean of outcomes does not estimate payoffs.
    ///
    /// So the best move need not be the one with the most points: a proven win is played before an
    /// unproven move with a greater mean. (In games of several players without coalitions a proven
    /// win counts as its payoff.) Proof numbers ([`Config::c_pn`](crate::Config::c_pn)) are about a
    /// win, whatever the goal.
    Score,
}
