//! A macro that implements traits for types that cannot derive them due to a game parameter.

/// Implements `Clone` and `Debug` for reports about any game. Derived implementations would require
/// these traits of the game, although a report does not contain it.
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
