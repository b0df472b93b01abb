//! `proofwood explore`: serves the explorer to a browser.

use crate::terminal::print::Printer;
use proofwood_session::input::limits::whole;
use proofwood_session::{Ended, Trouble};

/// Explore a game or a proof in a browser, with all cores
///
/// Serves the explorer on this machine only and opens it, to set up positions, play, search, prove,
/// look into the tree and walk through a proof. WHAT is a game, a certificate, a game record in SGF
/// or PGN, or a tree from search --save-tree, which the explorer continues.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  proofwood explore
  proofwood explore connect-four --moves 4433 --solve
  proofwood explore draw.proof
  proofwood explore game.sgf --no-open --port 8000

The printed address contains a secret token: requests without it are refused, and so
are requests from other pages in the same browser. Ctrl-C stops the server.")]
pub(crate) struct Explore {
    /// A game with its options after a colon, or a file
    #[arg(value_name = "WHAT")]
    what: Option<String>,
    /// Game, if the file does not name it
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Number of the game in the file, counted from 1, if it holds several
    #[arg(long, value_name = "NUMBER")]
    number: Option<usize>,
    /// Moves to play from the start, or from --position
    #[arg(short, long, value_name = "MOVES", allow_hyphen_values = true)]
    moves: Option<String>,
    /// The position, in the text form that `proofwood show` prints
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true)]
    position: Option<String>,
    /// Start proving who wins as soon as the page opens
    #[arg(long, conflicts_with = "search")]
    solve: bool,
    /// Start a search as soon as the page opens
    #[arg(long)]
    search: bool,
    /// Threads per search [default: one per core]
    #[arg(long, value_name = "NUMBER", value_parser = whole::<usize>(1..=1024),
        allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Port to listen on [default: any free port]
    #[arg(long, value_name = "NUMBER", value_parser = whole::<u16>(1..=65535),
        allow_negative_numbers = true)]
    port: Option<u16>,
    /// Print the address without opening a browser
    #[arg(long)]
    no_open: bool,
}

impl Explore {
    #[cfg(feature = "explore")]
    pub(crate) fn run(self, printer: &mut Printer) -> Result<Ended, Trouble> {
        use crate::terminal::interrupt::Interrupt;
        use proofwood_explorer::serve::{Exploring, Server};

        let mut exploring = match self.what.as_deref().or(self.game.as_deref()) {
            Some(what) => self.content(what)?,
            None if self.moves.is_some()
                || self.position.is_some()
                || self.solve
                || self.search =>
            {
                let wrong = "--moves, --position, --solve and --search need a game; give one";
                return Err(Trouble::Input(wrong.into()));
            }
            None => Exploring::default(),
        };
        exploring.threads = self.threads.unwrap_or_else(proofwood_session::input::threads::cores);
        exploring.port = self.port.unwrap_or(0);
        let server = Server::open(exploring)?;
        Interrupt::catch()?.call(server.end());
        let address = server.address();
        printer.text(&format!("{address}\n"))?;
        if !self.no_open {
            open(&address);
        }
        server.run();
        Ok(Ended::Done)
    }

    #[cfg(not(feature = "explore"))]
    pub(crate) fn run(self, _: &mut Printer) -> Result<Ended, Trouble> {
        let what = "this program was built without the feature explore; to install one with it: \
                    cargo install proofwood-cli --features explore (from the sources: --path cli)";
        Err(Trouble::Input(what.into()))
    }

    /// Returns the page's initial content from a game or a file.
    #[cfg(feature = "explore")]
    fn content(&self, what: &str) -> Result<proofwood_explorer::serve::Exploring, Trouble> {
        use crate::input::positions::{Place, Start};
        use proofwood_explorer::serve::Exploring;
        use proofwood_session::input::spec::find_game;

        // An existing file takes precedence over a game of the same name. Otherwise a name with a
        // slash or a dot that is not a game is a file.
        let is_file = std::path::Path::new(what).is_file()
            || (what.contains(['/', '.']) && find_game(what).is_err());
        let mut exploring = if is_file {
            if self.moves.is_some() || self.position.is_some() {
                let wrong = format!(
                    "{what}: a file has its own moves and position; leave out --moves and --position"
                );
                return Err(Trouble::Input(wrong));
            }
            let exploring = Exploring::of_file(what, self.game.as_deref(), self.number)?;
            let is_kept = exploring.certificate.is_some() || exploring.tree.is_some();
            if is_kept && (self.solve || self.search) {
                let wrong =
                    format!("{what}: leave out --solve and --search, and start them on the page");
                return Err(Trouble::Input(wrong));
            }
            exploring
        } else {
            let (moves, position) = (self.moves.clone(), self.position.clone());
            let place = Place { moves, position, ..Place::default() };
            let (_, rules) = find_game(what)?;
            let before = place.before_moves(&*rules)?.text();
            let found = Start { game: what.into(), place }.find()?;
            let position = self.position.is_some().then_some(before);
            Exploring::of_game(&found.game, position.as_deref(), &found.played)
        };
        exploring.fragment += match () {
            () if self.solve => "&ask=who-wins",
            () if self.search => "&ask=analyse",
            () => "",
        };
        Ok(exploring)
    }
}

/// Opens an address in the system's browser. Failures are ignored, because the address was printed.
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
