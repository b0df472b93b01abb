//! The groups of commands in the help and the manual.

use clap::Command;

pub(crate) const USAGE: &str = "proofwood <COMMAND> [OPTIONS]";

pub(crate) const GROUPS: [(&str, &[&str]); 6] = [
    ("Play and analyse", &["games", "show", "search", "play", "review", "replay", "explore"]),
    ("Prove", &["solve", "check", "export"]),
    ("Measure", &["match", "tune", "scale", "bench", "perft"]),
    ("Protocols", &["analyze", "gtp", "ugi", "uci"]),
    ("Machines", &["serve", "work", "status"]),
    ("Help and setup", &["help", "man", "completions"]),
];

/// Returns the visible subcommands by group, each with its name and description.
pub(crate) fn grouped(command: &Command) -> Vec<(&'static str, Vec<(&'static str, String)>)> {
    let about = |name: &&'static str| {
        let below = command.find_subcommand(name).filter(|below| !below.is_hide_set());
        let about = below.and_then(Command::get_about).map(ToString::to_string);
        let help = (*name == "help").then(|| "Show the options of a command".to_string());
        Some((*name, about.or(help)?))
    };
    let groups = GROUPS.iter().map(|(title, names)| (*title, names.iter().filter_map(about)));
    let groups = groups.map(|(title, commands)| (title, commands.collect::<Vec<_>>()));
    groups.filter(|(_, commands)| !commands.is_empty()).collect()
}
