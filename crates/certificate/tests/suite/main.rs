//! Certificates: what is written is accepted, what is accepted is true, and the
//! page that describes them says so.

mod agree;
mod forged;
mod forger;
mod limits;
mod spelling;
mod written;
