//! The commands in groups, as the help and the manual list them.

use clap::Command;

/// How the program is called.
pub(crate) const USAGE: &str = "proofwood <COMMAND> [OPTIONS]";

/// All commands, in the groups that the help lists.
pub(crate) const GROUPS: [(&str, &[&str]); 6] = [
    ("Play and analyse", &["games", "show", "search", "play", "review", "replay", "explore"]),
    ("Prove", &["solve", "check", "export"]),
    ("Measure", &["match", "tune", "scale", "bench", "perft"]),
    ("Protocols", &["analyze", "gtp", "ugi", "uci"]),
    ("Machines", &["serve", "work", "status"]),
    ("Help and setup", &["help", "man", "completions"]),
];

/// The commands below a command that are shown, group by group: names and what they do.
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
