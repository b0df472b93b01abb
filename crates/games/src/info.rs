//! Descriptions of games for programs that list them.

/// A game's description for the users of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameInfo {
    /// The name in kebab case; options follow it after a colon.
    pub name: &'static str,
    /// A summary of the game in one line.
    pub summary: &'static str,
    /// Other common names. A name that several games share is rejected.
    pub also: &'static [&'static str],
    /// The rules of the game, in a paragraph.
    pub rules: &'static str,
    /// The notation of moves and positions, in a paragraph.
    pub notation: &'static str,
    /// The options, each with its spelling and its meaning.
    pub options: &'static [(&'static str, &'static str)],
    /// A valid specification of the game with options.
    pub example: &'static str,
}
