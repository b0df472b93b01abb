//! `proofwood explore`: serves the explorer to a browser.

use crate::input::positions::{Place, Start};
use crate::terminal::print::Printer;
use proofwood_notation::game_file::GameFile;
use proofwood_session::input::limits::whole;
use proofwood_session::input::spec::find_game;
use proofwood_session::input::threads::cores;
use proofwood_session::solving::kept::{Kept, is_tree};
use proofwood_session::{Ended, Trouble};
use std::path::{Path, PathBuf};

/// Explore a game or a proof in a browser, with all cores
///
/// Serves the explorer's page on this machine alone and opens it: set up positions, play,
/// search, prove, look into the tree, walk a proof. WHAT is a game, a certificate, a game in
/// SGF or PGN, or a tree of search --save-tree, with which the page goes on.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  proofwood explore
  proofwood explore connect-four --moves 4433 --solve
  proofwood explore draw.proof
  proofwood explore game.sgf --no-open --port 8000

The address is printed. There is a token in it that nobody else knows: requests without it
are refused, and so are those of other pages in the same browser. Ctrl-C ends it.")]
pub(crate) struct Explore {
    /// A game with its options after a colon, or a file
    #[arg(value_name = "WHAT")]
    what: Option<String>,
    /// The game, where a file does not say which
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Number of the game in a file, counted from 1, where it holds several
    #[arg(long, value_name = "NUMBER")]
    number: Option<usize>,
    /// Moves to play from the start, or from --position
    #[arg(short, long, value_name = "MOVES", allow_hyphen_values = true)]
    moves: Option<String>,
    /// The position, in the text form that `proofwood show` prints
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true)]
    position: Option<String>,
    /// Ask at once who wins, and watch the proof
    #[arg(long, conflicts_with = "search")]
    solve: bool,
    /// Search at once
    #[arg(long)]
    search: bool,
    /// Threads of each search [default: as many as there are cores]
    #[arg(long, value_name = "NUMBER", value_parser = whole::<usize>(1..=1024),
        allow_negative_numbers = true)]
    threads: Option<usize>,
    /// The port [default: any that is free]
    #[arg(long, value_name = "NUMBER", value_parser = whole::<u16>(1..=65535),
        allow_negative_numbers = true)]
    port: Option<u16>,
    /// Print the address, and open no browser
    #[arg(long)]
    no_open: bool,
}

#[derive(Default)]
#[cfg_attr(not(feature = "explore"), expect(dead_code, reason = "nothing is served"))]
struct Exploring {
    /// The fragment of the page's address, which describes the start of the page.
    fragment: String,
    certificate: Option<Vec<u8>>,
    /// A tree with which each page begins, and the path of its file.
    tree: Option<(PathBuf, Kept)>,
    threads: usize,
    /// The port; 0 for any free one.
    port: u16,
}

/// The first bytes of a certificate, which is compressed.
const CERTIFICATE: &[u8] = &[0x1f, 0x8b];

impl Explore {
    pub(crate) fn run(self, printer: &mut Printer) -> Result<Ended, Trouble> {
        let mut exploring = Exploring {
            threads: self.threads.unwrap_or_else(cores),
            port: self.port.unwrap_or(0),
            ..Exploring::default()
        };
        let what = self.what.as_deref().or(self.game.as_deref());
        if let Some(what) = what {
            // A name that is not a game is a file; an existing file comes before a game of its
            // name.
            let is_file = Path::new(what).is_file()
                || (what.contains(['/', '.']) && find_game(what).is_err());
            match is_file {
                true => self.begin_with_file(what, &mut exploring)?,
                false => exploring.fragment = self.fragment_of_game(what)?,
            }
            exploring.fragment += self.question();
        } else if self.moves.is_some() || self.position.is_some() || self.solve || self.search {
            let wrong = "--moves, --position, --solve and --search are of a game; name it";
            return Err(Trouble::Input(wrong.into()));
        }
        exploring.serve(!self.no_open, printer)
    }

    /// Returns the question that the page asks at once, as part of the fragment.
    fn question(&self) -> &'static str {
        match () {
            () if self.solve => "&ask=who-wins",
            () if self.search => "&ask=analyse",
            () => "",
        }
    }

    fn fragment_of_game(&self, game: &str) -> Result<String, Trouble> {
        let place = Place {
            moves: self.moves.clone(),
            position: self.position.clone(),
            ..Place::default()
        };
        let (_, rules) = find_game(game)?;
        let before = place.before_moves(&*rules)?.text();
        let found = Start { game: game.into(), place }.find()?;
        let position = self.position.is_some().then_some(before);
        Ok(fragment(&found.game, position.as_deref(), &found.played))
    }

    /// Loads a certificate, a tree or a game from a file.
    fn begin_with_file(&self, path: &str, exploring: &mut Exploring) -> Result<(), Trouble> {
        if self.moves.is_some() || self.position.is_some() {
            return Err(Trouble::Input(format!("{path}: a file has its own moves and position")));
        }
        let bytes = std::fs::read(path).map_err(|error| Trouble::reading(path, &error))?;
        let is_certificate = bytes.starts_with(CERTIFICATE);
        let is_kept = is_certificate || is_tree(Path::new(path))?;
        if is_kept && (self.solve || self.search) {
            let wrong = format!("{path}: --solve and --search are of a position; ask in the page");
            return Err(Trouble::Input(wrong));
        }
        if is_certificate {
            (exploring.certificate, exploring.fragment) = (Some(bytes), "#certificate=".into());
            return Ok(());
        }
        if is_kept {
            let kept = Kept::load(Path::new(path))?;
            exploring.fragment =
                fragment(&kept.game, Some(&kept.position.text()), &[]) + "&ask=kept";
            exploring.tree = Some((path.into(), kept));
            return Ok(());
        }
        let file = GameFile::open(path, self.number)?;
        let (game, rules) = find_game(&file.game_or(self.game.as_deref())?)?;
        let read = file.play(&game, &*rules, None)?;
        let is_start = read.start.text() == rules.start().text();
        let position = (!is_start).then(|| read.start.text());
        exploring.fragment = fragment(&game, position.as_deref(), &read.moves);
        Ok(())
    }
}

impl Exploring {
    #[cfg(feature = "explore")]
    fn serve(self, opens: bool, printer: &mut Printer) -> Result<Ended, Trouble> {
        use proofwood_explorer::{KeptTree, serve};

        let tree = self.tree.map(|(path, Kept { game, position, options, .. })| serve::Tree {
            path,
            kept: KeptTree { game, position: position.text(), options },
        });
        let Exploring { fragment, certificate, threads, port, .. } = self;
        let server =
            serve::Server::open(serve::Exploring { fragment, certificate, tree, threads, port })?;
        crate::terminal::interrupt::Interrupt::catch()?.call(server.end());
        let address = server.address();
        printer.text(&format!("{address}\n"))?;
        if opens {
            open(&address);
        }
        server.run();
        Ok(Ended::Done)
    }

    #[cfg(not(feature = "explore"))]
    fn serve(self, _: bool, _: &mut Printer) -> Result<Ended, Trouble> {
        let what = "this program was built without the feature explore: `cargo install \
                    proofwood-cli --features explore` (here: --path cli) builds one that serves \
                    the explorer";
        Err(Trouble::Input(what.into()))
    }
}

/// Asks the system to open an address in a browser. Failures are ignored, since the address was
/// printed.
#[cfg(feature = "explore")]
fn open(address: &str) {
    use std::process::{Command, Stdio};

    let words: &[&str] = match () {
        () if cfg!(target_os = "macos") => &["open"],
        () if cfg!(windows) => &["rundll32", "url.dll,FileProtocolHandler"],
        () => &["xdg-open"],
    };
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).arg(address);
    let _ = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}

fn fragment(game: &str, position: Option<&str>, moves: &[String]) -> String {
    let mut fragment = format!("#game={}", escaped(game));
    if let Some(position) = position {
        fragment += &format!("&position={}", escaped(position));
    }
    if !moves.is_empty() {
        fragment += &format!("&moves={}", escaped(&moves.join(",")));
    }
    fragment
}

fn escaped(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.,:/@".contains(&byte);
    let escape = |byte: u8| match plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    text.bytes().map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_keep_what_is_put_in() {
        let moves = ["e2-e4".to_string(), "roll 6".into()];
        let text = fragment("mnk:3,3,3", Some("a/b &c=d%+ü x"), &moves);
        assert_eq!(
            text,
            "#game=mnk:3,3,3&position=a/b%20%26c%3Dd%25%2B%C3%BC%20x&moves=e2-e4,roll%206"
        );
    }
}
