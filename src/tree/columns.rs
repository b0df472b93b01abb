//! Generates the columns of a chunk from the table in `arena.rs`.

/// Defines `Columns`, `Chunk` and the accessors of `Block`. A row has the column's name, the number
/// of values per node (or whether there is one), their type, and a function that resets a value.
macro_rules! columns {
    ($($(#[$doc:meta])* $name:ident: $count:ty => $value:ty, zeroed by $zero:expr;)*) => {
        /// The number of values that a node has in each column.
        #[derive(Clone, Copy, Debug, Default)]
        pub(crate) struct Columns {
            $($(#[$doc])* pub(crate) $name: $count,)*
            /// The size of a move in bytes.
            pub(crate) move_bytes: usize,
        }

        impl Columns {
            pub(crate) fn bytes_per_node(self) -> usize {
                let optional = 0 $(+ usize::from(self.$name) * size_of::<$value>())*;
                size_of::<Node>() + optional + self.move_bytes
            }
        }

        pub(super) struct Chunk {
            nodes: Pages<Node>,
            $($name: Pages<$value>,)*
            moves: Pages<MoveByte>,
        }

        impl Chunk {
            pub(super) fn new(columns: Columns, nodes: usize) -> Result<Chunk, Refused> {
                Ok(Chunk {
                    nodes: Pages::zeroed(nodes)?,
                    $($name: Pages::zeroed(nodes * usize::from(columns.$name))?,)*
                    moves: Pages::zeroed(nodes * columns.move_bytes)?,
                })
            }

            /// Has the system allocate the memory of these nodes in all columns.
            pub(super) fn populate(&self, nodes: Range<usize>) {
                fn fetch<T: Zeroed>(column: &Pages<T>, all: usize, nodes: &Range<usize>) {
                    let each = column.len() / all;
                    column.populate(nodes.start * each..nodes.end * each);
                }
                let all = self.nodes.len();
                fetch(&self.nodes, all, &nodes);
                $(fetch(&self.$name, all, &nodes);)*
                fetch(&self.moves, all, &nodes);
            }
        }

        impl<'t> Block<'t> {
            $(
                $(#[$doc])*
                #[inline]
                pub(crate) fn $name(self) -> &'t [$value] {
                    let n = usize::from(self.columns.$name);
                    &self.chunk.$name[self.start * n..(self.start + self.len) * n]
                }
            )*

            /// Resets the nodes of a block that no other thread can reach. The moves need no reset,
            /// since those of a fresh block are never read.
            pub(super) fn zero(self) {
                self.nodes().iter().for_each(Node::zero);
                $(self.$name().iter().for_each($zero);)*
            }
        }
    };
}
pub(super) use columns;
