//! The completions for shells: games, and the values of options.

use super::groups::GROUPS;
use clap::{Arg, Command, ValueHint};
use proofwood_games::games;
use proofwood_session::input::args::Words;

/// Returns the completions for games: each name, an example with options, and the prefix of each
/// option.
fn words_of_games() -> Words {
    let mut words = Vec::new();
    for game in games() {
        words.push(game.name.to_string());
        if game.example.contains(':') {
            words.push(game.example.to_string());
        }
        let stems = game
            .options
            .iter()
            .map(|(option, _)| option.split_inclusive('=').next().unwrap_or_default());
        let stems = stems.filter(|stem| stem.starts_with(|c: char| c.is_ascii_lowercase()));
        words.extend(stems.map(|stem| format!("{}:{stem}", game.name)));
    }
    words.dedup();
    Words::of(words.iter().map(String::as_str))
}

fn is_game(arg: &Arg) -> bool {
    ["game", "games", "name", "what"].contains(&arg.get_id().as_str())
}

pub(crate) fn complete(arg: Arg) -> Arg {
    if !arg.get_action().takes_values() || !arg.get_possible_values().is_empty() {
        return arg;
    }
    let value = arg.get_value_names().and_then(|names| names.first()).map(|name| name.to_string());
    match value.as_deref() {
        Some("GAME" | "WHAT") | None if is_game(&arg) => {
            arg.value_parser(words_of_games()).hide_possible_values(true)
        }
        Some("COMMAND") if arg.is_positional() => arg
            .value_parser(Words::of(GROUPS.iter().flat_map(|(_, names)| names.iter().copied())))
            .hide_possible_values(true),
        Some("FILE") => arg.value_hint(ValueHint::FilePath),
        Some("DIR") => arg.value_hint(ValueHint::DirPath),
        Some(_) if arg.get_value_hint() == ValueHint::Unknown => arg.value_hint(ValueHint::Other),
        _ => arg,
    }
}

/// The part of bash's script that clap does not generate. bash splits words at colons, which
/// separate a game from its options, so options are offered only after a colon.
pub(crate) const FOR_BASH: &str = r#"
_proofwood_words() {
    local word="${COMP_LINE:0:COMP_POINT}" before="" reply found=()
    word="${word##*[[:space:]]}"
    _proofwood "$1" "$word" "$3"
    [[ "$COMP_WORDBREAKS" == *:* && "$word" == *:* ]] && before="${word%:*}:"
    for reply in "${COMPREPLY[@]}"; do
        [[ "$word" != *:* && "$reply" == *:* && "$reply" != /* ]] && continue
        found+=("${reply#"$before"}")
    done
    COMPREPLY=("${found[@]}")
    if [[ ${#found[@]} -eq 1 && "${found[0]}" == *= ]]; then
        compopt -o nospace 2>/dev/null
    fi
}
complete -F _proofwood_words -o bashdefault -o default proofwood
"#;

/// Returns the part of fish's script that clap does not generate: games for every command that
/// takes one.
pub(crate) fn for_fish(program: &Command) -> String {
    let takes_game = |command: &&Command| command.get_positionals().any(is_game);
    let commands: Vec<&str> =
        program.get_subcommands().filter(takes_game).map(Command::get_name).collect();
    format!(
        "complete -c proofwood -n '__fish_seen_subcommand_from {}' -f -a '{}'\n",
        commands.join(" "),
        words_of_games().texts().join(" ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_offered_and_can_be_read() {
        let words = words_of_games().texts().to_vec();
        for game in games() {
            assert!(words.iter().any(|word| word == game.name), "{}", game.name);
        }
        assert!(words.iter().any(|word| word == "othello:empties"), "{words:?}");
        assert!(words.iter().any(|word| word == "connect-four:k="), "{words:?}");
        for word in words.iter().filter(|word| word.contains(':') && !word.ends_with('=')) {
            proofwood_any_game::find(word).map(drop).unwrap_or_else(|e| panic!("{word}: {e}"));
        }
    }
}
