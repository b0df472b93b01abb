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
//! | `connection` | the connection, the streams, and patience |
//! | `hub` | the side that hands jobs out and collects answers |
//! | `worker` | the side that takes them; `part` does a part of a proof, `shared_table` is what stays from one part to the next, and what workers tell each other |
//! | [`order`] | one position for all machines; `one` proves it |
//! | [`plan`] | the positions of a proof that are jobs; [`tree`], the proof-number tree above these; [`job_size`], how large jobs are; [`publish_rate`], what machines tell each other; `merge`, one certificate of their many |
//! | `status` | what there is in the streams |
//! | `serve` | a server |
#![forbid(unsafe_code)]

mod access;
mod connection;
mod console;
mod coordinator;
pub mod job;
pub mod job_size;
mod merge;
mod one;
pub mod order;
mod part;
pub mod plan;
pub mod publish_rate;
mod serve;
mod shared_table;
mod status;
pub mod tree;
mod worker;

pub use access::Access;
pub use connection::name_of;
pub use console::Console;
pub use coordinator::Machines;
pub use part::{Lent, solver};
pub use serve::{ServeTask, serve};
pub use status::{Run, Server, Status};
pub use worker::{Execute, WorkTask, work};
