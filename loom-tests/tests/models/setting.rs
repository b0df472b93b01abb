//! The trees that models start from, and their threads.

use loom::thread::{self, JoinHandle};
use proofwood::model::{Expansion, ModelSlab, ModelTree, Shape};
use std::sync::Arc;

/// The root.
pub const ROOT: u32 = 0;
/// Its only child in [`two_levels`].
pub const NODE: u32 = 1;
/// The children of [`NODE`] start here in [`two_levels`].
pub const FIRST: u32 = 2;

/// A root with one child, on which player 1 moves, with `children` that were
/// never visited.
pub fn two_levels(shape: Shape, children: usize) -> Arc<ModelTree> {
    let tree = ModelTree::new(shape);
    let mut slab = ModelSlab::default();
    grow(&tree, &[ROOT], &mut slab, 0, 1);
    grow(&tree, &[ROOT, NODE], &mut slab, 1, children);
    assert_eq!(tree.load(NODE).first_child(), FIRST);
    tree.check().expect("a tree grown by one thread");
    Arc::new(tree)
}

/// Evaluates and expands the last node of `path`, alone in the tree.
pub fn grow(tree: &ModelTree, path: &[u32], slab: &mut ModelSlab, mover: usize, children: usize) {
    tree.evaluate_and_climb(path, mover, children);
    assert!(matches!(tree.expand_and_climb(path, slab, children, &[]), Expansion::Made(_)));
}

/// A model's thread that works on a tree.
pub fn worker<T: 'static>(
    tree: &Arc<ModelTree>,
    work: impl FnOnce(&ModelTree) -> T + 'static,
) -> JoinHandle<T> {
    let tree = Arc::clone(tree);
    thread::spawn(move || work(&tree))
}

/// What a model's thread answered.
pub fn join<T>(thread: JoinHandle<T>) -> T {
    thread.join().expect("a model's thread ends")
}

/// The central test.
pub fn check(tree: &ModelTree) {
    if let Err(what) = tree.check() {
        panic!("the tree at rest is wrong: {what}");
    }
}

/// How [`check`] fails.
pub const WRONG: &str = "the tree at rest is wrong";
