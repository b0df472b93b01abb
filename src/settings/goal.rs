//! What a search is asked.

/// What a search is asked to find out about its root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Goal {
    /// Whether the side to move wins, draws or loses. A playout is worth its outcome:
    /// 1, 0 or −1, whatever it pays. For payoffs that are no outcomes, such as coins or
    /// points all of which are above 0, ask for the score.
    #[default]
    Outcome,
    /// The exact score: the payoff, or with chance the expected one.
    ///
    /// A playout is worth −1 to 1. *Without chance* that is the average of its outcome (1, 0
    /// or −1) and of its payoff's place in
    /// [`payoff_range`](crate::Game::payoff_range), from −1 for the least to 1 for
    /// the greatest: a win by little is worth more than a draw with most points. *With chance*
    /// ([`has_chance`](crate::Game::has_chance)) it is the place alone, because the mean of
    /// the values must be that of the payoffs. *Without a range* (where an end is
    /// `i32::MIN` or `i32::MAX`) it is the outcome alone; state a range, above all with chance,
    /// where a mean of outcomes says nothing of payoffs.
    ///
    /// So the best move is not always the one with the most points: a win that is proven is
    /// played before an open move with a greater mean (but where each of several players
    /// plays for itself, it counts as what it pays), and proof numbers
    /// ([`Config::c_pn`](crate::Config::c_pn)) ask for a win, whatever the goal.
    Score,
}
