//! The goal of a search.

/// The question that a search answers about its root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Goal {
    /// Win, draw or loss of the side to move. A playout's value is its outcome: 1, 0 or −1,
    /// whatever the payoff. For payoffs without a meaningful sign, such as coins or points that are
    /// all above 0, use the score.
    #[default]
    Outcome,
    /// The exact score: the payoff, or with chance the expected payoff.
    ///
    /// A playout's value is from −1 to 1. *Without chance* it is the average of its outcome (1, 0
    /// or −1) and of its payoff scaled to [`payoff_range`](crate::Game::payoff_range), from −1 for
    /// the least to 1 for the greatest: a narrow win is worth more than a draw with most points.
    /// *With chance* ([`has_chance`](crate::Game::has_chance)) it is the scaled payoff alone,
    /// because the mean of the values must correspond to the mean payoff. *Without a range* (if an
    /// end is `i32::MIN` or `i32::MAX`) it is the outcome alone; declare a range, above all with
    /// chance, where a mean of outcomes does not estimate payoffs.
    ///
    /// So the best move need not have the most points: a proven win is played before an unproven
    /// move with a greater mean (except that in games of several players without coalitions it
    /// counts as its payoff), and proof numbers ([`Config::c_pn`](crate::Config::c_pn)) concern a
    /// win, whatever the goal.
    Score,
}
