//! Prints the options of searches and provers, with values and defaults, as tables in Markdown.
//!
//! `cargo run --release --example options`

use proofwood::options::{OPTIONS, OptionSpec, PROVER_OPTIONS};

fn print<C: Default>(title: &str, options: &[OptionSpec<C>]) {
    println!("### {title}\n\n| option | values | default | use |\n|---|---|---|---|");
    for spec in options {
        let values = spec.values().to_string().replace(" | ", ", ");
        let values =
            values.replace("a number of bytes, optionally followed by K, M, G or T;", "bytes,");
        let (name, default, use_) = (spec.name, spec.default_value(), spec.help);
        println!("| `--{name}` | {values} | {default} | {} |", use_.trim_end_matches('.'));
    }
    println!();
}

fn main() {
    print("Of a search", OPTIONS);
    print("Of a prover", PROVER_OPTIONS);
}
