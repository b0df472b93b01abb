//! `proofwood completions`: prints a shell's completion script.

use crate::input::words::{self, FOR_BASH};
use crate::terminal::print::Printer;
use clap_complete::Shell;
use proofwood_session::{Ended, Trouble};

/// Print shell completions for commands, games and options
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  proofwood completions bash >> ~/.bash_completion
  proofwood completions zsh > ~/.zfunc/_proofwood
  proofwood completions fish > ~/.config/fish/completions/proofwood.fish")]
pub(crate) struct Completions {
    /// The shell: bash, zsh, fish, elvish or powershell
    #[arg(hide_possible_values = true)]
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(
        self,
        mut program: clap::Command,
        printer: &mut Printer,
    ) -> Result<Ended, Trouble> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut program, "proofwood", &mut script);
        printer.text(&String::from_utf8_lossy(&script))?;
        match self.shell {
            Shell::Bash => printer.text(FOR_BASH)?,
            Shell::Fish => printer.text(&words::for_fish(&program))?,
            _ => {}
        }
        Ok(Ended::Done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::command_line;
    use std::process::Command;

    fn script(shell: Shell) -> String {
        let (mut script, mut program) = (Vec::new(), command_line());
        clap_complete::generate(shell, &mut program, "proofwood", &mut script);
        let own = match shell {
            Shell::Bash => FOR_BASH.to_string(),
            Shell::Fish => words::for_fish(&program),
            _ => String::new(),
        };
        String::from_utf8(script).unwrap() + &own
    }

    /// Runs a program in a shell; returns `None` if the shell is not installed.
    fn run(shell: &str, flags: &[&str], program: &str) -> Option<String> {
        let file = std::env::temp_dir().join(format!("proofwood-{shell}.{}", std::process::id()));
        std::fs::write(&file, program).unwrap();
        let ran = Command::new(shell).args(flags).arg(&file).output();
        let _ = std::fs::remove_file(&file);
        let Ok(ran) = ran else {
            println!("there is no {shell} here; its completions are not tested");
            return None;
        };
        let errors = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert_eq!(errors, "", "{shell}");
        Some(String::from_utf8(ran.stdout).unwrap())
    }

    /// Lines whose last word is to be completed, the words that must be offered, and those that
    /// must not.
    const LINES: &[(&str, &[&str], &[&str])] = &[
        ("sea", &["search"], &["solve"]),
        ("search oth", &["othello"], &["hex", "othello:6,empties"]),
        ("search --bias r", &["rank", "rank-ludii"], &["none", "Cargo.toml"]),
        ("search --solver o", &["on", "off"], &[]),
        ("search --goal ", &["score"], &["draw-or-better"]),
        ("search --virtual-loss u", &["unobserved"], &[]),
        ("solve --goal ", &["outcome", "draw-or-better"], &[]),
        ("solve --algorithm p", &["pds", "pns", "pn2", "ppns"], &["dfpn"]),
        ("solve --algorithm d", &["dfpn", "df-ppns"], &["ppns"]),
        ("play --preset ", &["paper", "tuned", "uct"], &[]),
        ("solve othello --algor", &["--algorithm"], &[]),
        ("explore oth", &["othello"], &["hex"]),
        ("review --game oth", &["othello"], &["hex"]),
        ("man s", &["search", "solve"], &["othello"]),
    ];

    fn check(line: &str, offered: &str, wanted: &[&str], unwanted: &[&str]) {
        let words: Vec<&str> = offered.split_whitespace().collect();
        for word in wanted {
            assert!(words.contains(word), "'{line}': no {word} in {offered}");
        }
        for word in unwanted {
            assert!(!words.contains(word), "'{line}': {word} in {offered}");
        }
    }

    #[test]
    fn bash_completes_words_and_values() {
        let script = script(Shell::Bash);
        // After the colon, options are offered without the game's name.
        let options: &[(&str, &[&str], &[&str])] = &[
            ("search othello:", &["empties", "6,empties"], &["hex", "othello:empties"]),
            ("show connect-four:k", &["k="], &["hex"]),
        ];
        for (line, wanted, unwanted) in LINES.iter().chain(options) {
            // bash splits words at spaces and colons.
            let spaced = format!("proofwood {line}").replace(':', " : ");
            let mut words: Vec<&str> = spaced.split(' ').filter(|word| !word.is_empty()).collect();
            if line.ends_with([' ', ':']) {
                words.push("");
            }
            let current = words.len() - 1;
            let (last, before) = (words[current], words[current - 1]);
            let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
            let program = format!(
                "{script}\nCOMP_WORDS=({})\nCOMP_CWORD={current}\nCOMP_LINE='proofwood {line}'\n\
                 COMP_POINT=${{#COMP_LINE}}\ncompopt() {{ :; }}\n\
                 _proofwood_words proofwood '{last}' '{before}'\necho \"${{COMPREPLY[@]}}\"\n",
                quoted.join(" ")
            );
            if let Some(offered) = run("bash", &["--norc", "--noprofile"], &program) {
                check(line, &offered, wanted, unwanted);
            }
        }
    }

    #[test]
    fn fish_completes_words_and_values() {
        let script = script(Shell::Fish);
        for (line, wanted, unwanted) in LINES {
            let program = format!("{script}\ncomplete -C 'proofwood {line}' | cut -f1\n");
            if let Some(offered) = run("fish", &["--no-config"], &program) {
                // fish offers a game's options without a colon.
                let unwanted: Vec<&str> =
                    unwanted.iter().copied().filter(|word| !word.contains(':')).collect();
                check(line, &offered, wanted, &unwanted);
            }
        }
    }

    #[test]
    fn zsh_can_read_its_script() {
        let script = script(Shell::Zsh);
        for word in ["othello", "rank-ludii", "draw-or-better", "unobserved", "pn2"] {
            assert!(script.contains(word), "{word}");
        }
        let program = format!("compdef() {{ :; }}\n{script}\nprint ok\n");
        if let Some(said) = run("zsh", &["-f"], &program) {
            assert!(said.ends_with("ok\n"), "{said}");
        }
    }
}
