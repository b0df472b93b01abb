//! Many machines at one set of jobs, or at one proof.
//!
//! Jobs, answers and who is at work are messages in streams of a NATS server with JetStream;
//! nothing here queues, leases or elects. The page "Protocols" of the book has the shapes.
//!
//! | module | contents |
//! |---|---|
//! | `access` | the server's address, and what may be sent there unprotected: nothing |
//! | [`job`] | the shapes of jobs and answers, and their checks |
//! | `console` | lines for people, wherever those look |
//! | `link` | the connection, the streams, and patience |
//! | `hub` | the side that hands jobs out and collects answers |
//! | `worker` | the side that takes them; `part` does a part of a proof, `common` is what stays from one part to the next, and what workers tell each other |
//! | [`order`] | one position for all machines; `one` proves it |
//! | [`plan`] | the positions of a proof that are jobs; [`tree`], the proof-number tree above these; [`pace`], how large jobs are; [`share`], what machines tell each other; `stitch`, one certificate of their many |
//! | `status` | what there is in the streams |
//! | `serve` | a server |
#![forbid(unsafe_code)]

mod access;
mod common;
mod console;
mod hub;
pub mod job;
mod link;
mod one;
pub mod order;
pub mod pace;
mod part;
pub mod plan;
mod serve;
pub mod share;
mod status;
mod stitch;
pub mod tree;
mod worker;

pub use access::Access;
pub use console::Console;
pub use hub::Machines;
pub use link::name_of;
pub use part::{Lent, solver};
pub use serve::{ServeTask, serve};
pub use status::{Run, Server, Status};
pub use worker::{Execute, WorkTask, work};
