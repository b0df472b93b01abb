//! Derived code for types that have a game for a parameter.

/// Clones and shows a report whatever its game: derived code would ask of the game, of
/// which nothing is stored, what it asks of the fields.
macro_rules! clone_and_debug {
    ($report:ident: $($field:ident),* $(,)?) => {
        impl<G: $crate::game::Game> Clone for $report<G> {
            fn clone(&self) -> Self {
                $report { $($field: Clone::clone(&self.$field)),* }
            }
        }

        impl<G: $crate::game::Game> std::fmt::Debug for $report<G> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($report))
                    $(.field(stringify!($field), &self.$field))*
                    .finish()
            }
        }
    };
}
pub(crate) use clone_and_debug;
