//! Descriptions of games for programs that list them.

/// A game's description for users of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameInfo {
    /// The name in kebab case; options follow it after a colon.
    pub name: &'static str,
    /// A one-line summary of the game.
    pub summary: &'static str,
    /// Other common names. A name that several games share is not accepted for any of them.
    pub also: &'static [&'static str],
    /// The rules in a paragraph.
    pub rules: &'static str,
    /// The notation of moves and positions.
    pub notation: &'static str,
    /// Each option's spelling and meaning.
    pub options: &'static [(&'static str, &'static str)],
    /// A valid example with options.
    pub example: &'static str,
}
