//! Proofs that nodes with the same position share through the table of proven positions.
//!
//! ```text
//!   thread A                        thread B
//!   settles a node, announces on
//!     its parent, stores the answer
//!                                   reaches a new node with this position,
//!                                     finds the answer, settles the node
//!                                   announces on its parent
//! ```
//!
//! The rule: only a proven node's answer is stored in the table, so its numbers are final; and a
//! node that is proven by the table announces on its parent like a node that is proven by its
//! children. Whether B finds the answer or comes too early, every node agrees with its children.

use super::check::{Model, fails, holds};
use super::whole::{AUDIT, ModelSearch, audit, search, work, worker};
use crate::sync::Fault;
use crate::threads::WhenFull;
use crate::tree::ROOT;
use crate::{Config, Game, Turn};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A game with two paths to the same loss: a direct one and a detour. The places are 0, the start;
/// 1, the detour; 2, where both paths meet; and 3, the end.
struct Detour;

impl Game for Detour {
    type State = u8;
    type Move = u8;

    fn initial_state(&self) -> u8 {
        0
    }
    fn turn(&self, &place: &u8) -> Turn {
        match place {
            3 => Turn::Over,
            2 => Turn::Player(1),
            _ => Turn::Player(0),
        }
    }
    fn legal_moves(&self, &place: &u8, moves: &mut Vec<u8>) {
        match place {
            0 => moves.extend([1, 2]),
            _ => moves.push(place + 1),
        }
    }
    fn play(&self, place: &mut u8, to: u8) {
        *place = to;
    }
    fn payoff(&self, _: &u8, player: usize) -> i32 {
        [-1, 1][player]
    }
    fn payoff_range(&self, _: usize) -> std::ops::RangeInclusive<i32> {
        -1..=1
    }
    fn zero_sum(&self) -> bool {
        true
    }
    fn key(&self, &place: &u8) -> Option<u64> {
        Some(u64::from(place) + 1)
    }
}

/// Whether some run found no answer in the table, and whether some run found one.
static CARRIED: [AtomicBool; 2] = [const { AtomicBool::new(false) }; 2];

const CARRY: Model = Model {
    name: "carried, an answer from one node to another",
    threads: 2,
    preemptions: Some(1),
    run: || {
        let config = Config::default().threads(2).look_ahead(false).keep_choice(0).audit(true);
        // With other seeds one of the root's two moves is visited twice.
        let mut begun = (1..).map(|seed| {
            let search = search(Detour, config.clone(), 16, 2);
            work(&search, seed).expect("sound rules");
            search
        });
        let both = |search: &ModelSearch<Detour>| {
            let moves = search.tree.arena.children(search.tree.node(ROOT).load());
            moves.nodes().iter().all(|node| node.statistics().visits == 1)
        };
        let search = Arc::new(begun.find(both).expect("some seed"));
        search.control.reset(1, Some(2), WhenFull::Freeze);
        let other = worker(&search, 2);
        work(&search, 3).expect("sound rules");
        other.join().unwrap().expect("sound rules");
        audit(&search);
        CARRIED[usize::from(search.is_solved())].store(true, Ordering::Relaxed);
        // The search now ends soon, whether or not the table had the answer.
        search.control.reset(1, Some(8), WhenFull::Freeze);
        work(&search, 4).expect("sound rules");
        assert!(search.is_solved(), "the question is not answered");
        audit(&search);
    },
};

#[test]
fn an_answer_is_carried() {
    holds(CARRY);
    let seen = [0, 1].map(|solved| CARRIED[solved].load(Ordering::Relaxed));
    assert_eq!(seen, [true; 2], "no race for the table");
}

#[test]
fn silent_known() {
    fails(CARRY, Fault::SilentKnown, AUDIT);
}
