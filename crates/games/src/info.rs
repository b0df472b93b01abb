//! What a game says of itself for programs that list games.

/// What a program tells its users about a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameInfo {
    /// The name in kebab case; options follow it after a colon.
    pub name: &'static str,
    /// One line on how the game goes.
    pub summary: &'static str,
    /// Other names that people use. One that several games share means none of
    /// them alone.
    pub also: &'static [&'static str],
    /// The rules in a paragraph.
    pub rules: &'static str,
    /// How moves and positions are written.
    pub notation: &'static str,
    /// Each option's spelling and meaning.
    pub options: &'static [(&'static str, &'static str)],
    /// A description with options that works.
    pub example: &'static str,
}
