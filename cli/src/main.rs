//! The program `proofwood`. All its code is in the crate's library, which is compiled while
//! the engine still is; a program would wait for it.
#![forbid(unsafe_code)]

use std::process::ExitCode;

/// Searches allocate in every thread at once.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    proofwood_cli::main()
}
