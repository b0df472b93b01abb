//! Distributes jobs, or one proof, over many machines.
//!
//! Jobs, answers and workers' announcements are messages in streams of a NATS server with
//! JetStream; this crate has no queues, leases or elections of its own. The book's page "Protocols"
//! describes the formats.
//!
//! | module | contents |
//! |---|---|
//! | `access` | the server's address and credentials |
//! | [`job`] | jobs and answers as JSON, and their checks |
//! | `console` | messages and progress for users |
//! | `connection` | the connection to the server, and its streams |
//! | `coordinator` | hands jobs out and collects answers |
//! | `positions`, `games` | sets of positions and matches that the coordinator hands out |
//! | `worker` | takes jobs; `execute` solves positions and plays games, `part` solves a subproblem of a proof, `shared_table` is the table kept between subproblems and shared with other workers |
//! | [`order`] | the answer about a position that several machines prove together; `one` runs the proof |
//! | [`plan`] | divides a proof into jobs; [`tree`] is the proof-number tree above them, [`job_size`] chooses their sizes, [`publish_rate`] the entries that machines share; `merge` merges their certificates |
//! | `status` | the runs and workers of a server |
//! | `serve` | starts a server |
#![forbid(unsafe_code)]

mod access;
mod connection;
mod console;
mod coordinator;
mod execute;
mod games;
pub mod job;
pub mod job_size;
mod merge;
mod one;
pub mod order;
mod part;
pub mod plan;
mod positions;
pub mod publish_rate;
mod serve;
mod shared_table;
mod status;
pub mod tree;
mod worker;

pub use access::Access;
pub use console::Console;
pub use coordinator::Machines;
pub use serve::{ServeTask, serve};
pub use status::{Run, Server, Status};
pub use worker::{WorkTask, work};
