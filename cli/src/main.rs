//! The program `proofwood`. Its code is in the crate's library, because cargo compiles a library in
//! parallel with the engine, but not a program.
#![forbid(unsafe_code)]

use std::process::ExitCode;

// Searches allocate on all threads at once, and mimalloc does this fast.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    proofwood_cli::main()
}
