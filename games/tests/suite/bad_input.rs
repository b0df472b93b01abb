//! Texts that are no positions, no moves and no games, and what is said then.
