//! The entries of a certificate as a tree, for stepping through positions.
//!
//! The checker reports every position in the order of the file. Here this order becomes a tree:
//! each node stores the size of its subtree, which locates the next sibling. The tree need not be
//! trusted: the checker has accepted the proof, and the moves come from the rules.

use proofwood::certificate::Listed;
use std::collections::HashMap;

/// The greatest number of positions in a listing; smaller in a web page, where memory is limited.
pub(crate) const MOST: usize = if cfg!(target_family = "wasm") { 8_000_000 } else { 100_000_000 };

#[derive(Clone, Copy, Debug)]
struct Node {
    what: What,
    /// The number of positions in this subtree.
    size: u32,
    /// The number of these positions with an entry in the file.
    entries: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Over,
    /// The proof shows one move; this is the index of its text.
    Choice(u32),
    All,
    /// A reference to the node with this index.
    Same(u32),
}

/// The information that a certificate shows for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown<'l> {
    Over,
    /// A move of the favoured side.
    Choice(&'l str),
    /// All moves of the other side.
    All,
}

/// All proofs of a certificate.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    nodes: Vec<Node>,
    /// The node at which each claim's proof begins.
    claims: Vec<u32>,
    texts: Vec<Box<str>>,
    numbers: HashMap<Box<str>, u32>,
    /// The labelled nodes of the current claim, to which references point.
    labels: Vec<u32>,
    /// The nodes whose children are being listed, each with the number of children still missing.
    open: Vec<(u32, usize)>,
    too_large: bool,
}

impl Listing {
    /// Adds the next entry reported by the checker.
    pub(crate) fn take(&mut self, listed: Listed<'_>) {
        if self.too_large || self.nodes.len() >= MOST {
            *self = Listing { too_large: true, ..Listing::default() };
            return;
        }
        let node = self.nodes.len() as u32;
        if self.open.is_empty() {
            self.claims.push(node);
            self.labels.clear();
        }
        let (what, children, labelled) = match listed {
            Listed::Choice { text, labelled } => (What::Choice(self.number(text)), 1, labelled),
            Listed::All { moves, labelled } => (What::All, moves, labelled),
            Listed::Same(label) => {
                let target = usize::try_from(label).ok().and_then(|label| self.labels.get(label));
                // The checker has verified the label; the fallback is this node itself.
                (What::Same(target.copied().unwrap_or(node)), 0, false)
            }
            _ => (What::Over, 0, false),
        };
        if labelled {
            self.labels.push(node);
        }
        self.nodes.push(Node { what, size: 1, entries: u32::from(what != What::Over) });
        self.open.push((node, children));
        self.close();
    }

    /// Completes nodes that have all their children.
    fn close(&mut self) {
        while let Some(&(node, 0)) = self.open.last() {
            self.open.pop();
            let Node { size, entries, .. } = self.nodes[node as usize];
            if let Some((parent, left)) = self.open.last_mut() {
                *left -= 1;
                let parent = &mut self.nodes[*parent as usize];
                parent.size += size;
                parent.entries += entries;
            }
        }
    }

    fn number(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.texts.len() as u32;
        self.texts.push(text.into());
        self.numbers.insert(text.into(), number);
        number
    }

    /// Returns the node at which a claim's proof begins; `None` if there is no such claim, or the
    /// listing is too large.
    pub(crate) fn claim(&self, number: usize) -> Option<usize> {
        self.claims.get(number).map(|&node| node as usize)
    }

    /// Returns whether the listing is too large to be walked through.
    pub(crate) fn is_too_large(&self) -> bool {
        self.too_large
    }

    pub(crate) fn shown(&self, node: usize) -> Shown<'_> {
        match self.nodes[self.shown_at(node)].what {
            What::Choice(number) => Shown::Choice(&self.texts[number as usize]),
            What::All => Shown::All,
            What::Over | What::Same(_) => Shown::Over,
        }
    }

    /// Returns the child to which the move with this number leads; moves are numbered in the order
    /// of the entries.
    pub(crate) fn after(&self, node: usize, number: usize) -> usize {
        let first = self.shown_at(node) + 1;
        (0..number).fold(first, |child, _| child + self.nodes[child].size as usize)
    }

    /// Returns the first `count` children in order.
    pub(crate) fn children(&self, node: usize, count: usize) -> impl Iterator<Item = usize> {
        let mut next = self.shown_at(node) + 1;
        (0..count).map(move |_| {
            let child = next;
            next += self.nodes[child].size as usize;
            child
        })
    }

    /// Returns the number of entries below a node.
    pub(crate) fn left(&self, node: usize) -> u32 {
        self.nodes[self.shown_at(node)].entries.saturating_sub(1)
    }

    /// Resolves a reference to the node with the entry. References never point to references.
    fn shown_at(&self, node: usize) -> usize {
        match self.nodes[node].what {
            What::Same(target) => target as usize,
            _ => node,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listing_is_a_tree() {
        let mut listing = Listing::default();
        let choice = |text, labelled| Listed::Choice { text, labelled };
        for listed in [
            choice("a", false),
            Listed::All { moves: 3, labelled: false },
            choice("b", true),
            Listed::Over,
            Listed::Same(0),
            Listed::Over,
            // The second claim.
            Listed::All { moves: 1, labelled: false },
            Listed::Over,
        ] {
            listing.take(listed);
        }
        let root = listing.claim(0).unwrap();
        assert_eq!((listing.shown(root), listing.left(root)), (Shown::Choice("a"), 3));
        let replies = listing.after(root, 0);
        assert_eq!(listing.shown(replies), Shown::All);
        let children: Vec<_> = listing.children(replies, 3).collect();
        assert_eq!(children[2], listing.after(replies, 2));
        let shown = [Shown::Choice("b"), Shown::Choice("b"), Shown::Over];
        assert_eq!([0, 1, 2].map(|number| listing.shown(children[number])), shown);
        assert_eq!(listing.shown(listing.after(children[1], 0)), Shown::Over);
        assert_eq!(listing.shown(listing.claim(1).unwrap()), Shown::All);
        assert_eq!(listing.claim(2), None);
    }
}
