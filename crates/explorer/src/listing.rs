//! What a certificate lists, for going from a position to the next.
//!
//! The checker tells of every position in the order of the file. Here the order becomes a tree:
//! of each position it is known how many follow below it, which says where its next sibling is.
//! Nothing in it is trusted: it was accepted by the checker, and the moves come from the rules.

use proofwood::certificate::Listed;
use std::collections::HashMap;

/// The most positions that can be walked through: a page has little memory.
pub(crate) const MOST: usize = if cfg!(target_family = "wasm") { 8_000_000 } else { 100_000_000 };

/// A position of a proof, as far as it is listed.
#[derive(Clone, Copy, Debug)]
struct Node {
    what: What,
    /// Positions from here to the last one below.
    size: u32,
    /// Those of them that have an entry in the file.
    entries: u32,
}

/// What is shown there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// The game is over.
    Over,
    /// One move, with the text of this number.
    Choice(u32),
    /// All moves.
    All,
    /// What is shown at this node.
    Same(u32),
}

/// What a certificate shows at a position, for whoever goes through it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown<'l> {
    /// The game is over.
    Over,
    /// This move of the side that makes its claim good.
    Choice(&'l str),
    /// All moves of the others.
    All,
}

/// All proofs of a certificate.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    nodes: Vec<Node>,
    /// Where the proof of each claim begins.
    claims: Vec<u32>,
    texts: Vec<Box<str>>,
    numbers: HashMap<Box<str>, u32>,
    /// The nodes with labels, of the claim that is being listed.
    labels: Vec<u32>,
    /// The nodes whose children are being listed, and how many are still to come.
    open: Vec<(u32, usize)>,
    too_large: bool,
}

impl Listing {
    /// Takes what the checker tells next.
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
                // The checker knows the label; its node is at least this one.
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

    /// Completes what has all its children.
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

    /// Where the proof of a claim begins; none where there is no such claim, or too much was
    /// listed.
    pub(crate) fn claim(&self, number: usize) -> Option<usize> {
        self.claims.get(number).map(|&node| node as usize)
    }

    /// Whether more was listed than can be walked through.
    pub(crate) fn is_too_large(&self) -> bool {
        self.too_large
    }

    /// What is shown at a node.
    pub(crate) fn shown(&self, node: usize) -> Shown<'_> {
        match self.nodes[self.shown_at(node)].what {
            What::Choice(number) => Shown::Choice(&self.texts[number as usize]),
            What::All => Shown::All,
            What::Over | What::Same(_) => Shown::Over,
        }
    }

    /// The node after the move with this number in the order of the shown ones.
    pub(crate) fn after(&self, node: usize, number: usize) -> usize {
        let first = self.shown_at(node) + 1;
        (0..number).fold(first, |child, _| child + self.nodes[child].size as usize)
    }

    /// The nodes after so many moves, in their order.
    pub(crate) fn children(&self, node: usize, count: usize) -> impl Iterator<Item = usize> {
        let mut next = self.shown_at(node) + 1;
        (0..count).map(move |_| {
            let child = next;
            next += self.nodes[child].size as usize;
            child
        })
    }

    /// Entries that are still to show from a node on, itself left out.
    pub(crate) fn left(&self, node: usize) -> u32 {
        self.nodes[self.shown_at(node)].entries.saturating_sub(1)
    }

    /// The node where what holds here is shown. A label stands at no reference.
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
