//! Tests of the games with chess pieces: Los Alamos chess, Gardner minichess, Reach Chess and
//! Skirmish.

mod mates;
mod recorded;
mod rules;
mod texts;
