//! Tests of certificates: written ones are accepted, accepted ones are true, and the page that
//! describes the format is correct.

mod agree;
mod forged;
mod forger;
mod limits;
mod spelling;
mod written;
