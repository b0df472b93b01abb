//! `--watch` in a real terminal, which tmux lends.

use crate::common::{PROGRAM, complaint};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A terminal of its own, gone with the value.
struct Terminal {
    server: String,
}

impl Terminal {
    /// A terminal of this size, which runs a command and then tells its status; `None`
    /// where there is no tmux.
    fn open(name: &str, (width, height): (u32, u32), arguments: &str) -> Option<Terminal> {
        // A server that ends may still be there under its name.
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let server = format!("proofwood-{name}-{}-{number}", std::process::id());
        let terminal = Terminal { server };
        let shell = format!("'{PROGRAM}' {arguments}; echo \"status $?\"; exec cat");
        let size = [width.to_string(), height.to_string()];
        let all = ["-f", "/dev/null", "new-session", "-d", "-x", &size[0], "-y", &size[1], &shell];
        terminal.tmux(&all)?;
        Some(terminal)
    }

    /// What tmux answers; `None` where it is not installed.
    fn tmux(&self, arguments: &[&str]) -> Option<String> {
        let mut command = Command::new("tmux");
        command.args(["-L", &self.server, "-u"]).args(arguments);
        let output = command.env_remove("TMUX").env("LC_ALL", "C.UTF-8").output().ok()?;
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "tmux {arguments:?}: {errors}");
        Some(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn screen(&self) -> String {
        self.tmux(&["capture-pane", "-p"]).expect("tmux")
    }

    /// Waits for a screen that is as it should be.
    fn wait_for(&self, what: &str, is_right: impl Fn(&str) -> bool) -> String {
        let start = Instant::now();
        loop {
            let screen = self.screen();
            if is_right(&screen) {
                return screen;
            }
            assert!(start.elapsed() < Duration::from_secs(120), "no {what}:\n{screen}");
            sleep(Duration::from_millis(50));
        }
    }

    fn press(&self, key: &str) {
        self.tmux(&["send-keys", key]).expect("tmux");
    }

    /// Whether the screen is an alternate one, as of programs that take the whole of it,
    /// and whether the cursor is shown.
    fn state(&self) -> String {
        let state = ["display-message", "-p", "#{alternate_on} #{cursor_flag}"];
        self.tmux(&state).expect("tmux").trim().to_string()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let mut command = Command::new("tmux");
        let _ = command.args(["-L", &self.server, "kill-server"]).output();
    }
}

fn without_tmux() {
    eprintln!("skipped: tmux is not installed");
}

#[test]
fn a_search_is_watched_and_left_in_a_terminal() {
    let search = "search othello --threads 1 --memory 64M --time 10m --watch";
    for (key, size) in [("q", (80, 24)), ("Escape", (60, 15)), ("C-c", (100, 30))] {
        let Some(terminal) = Terminal::open("left", size, search) else { return without_tmux() };
        let screen = terminal.wait_for("moves", |screen| screen.contains("playouts/s"));
        assert!(screen.contains("best is") || screen.contains("Not settled"), "{screen}");
        assert_eq!(terminal.state(), "1 0", "{screen}");
        terminal.press(key);
        // The answer stands where the program was called.
        let screen = terminal.wait_for("answer", |screen| screen.contains("status "));
        assert!(screen.contains("interrupted after") || screen.contains("Search   "), "{screen}");
        assert!(screen.contains("status 130"), "{screen}");
        assert_eq!(terminal.state(), "0 1", "{screen}");
    }
}

#[test]
fn a_watched_search_fits_after_a_resize_and_leaves_at_its_end() {
    let search = "search connect-four --threads 1 --memory 64M --time 10m --watch";
    let Some(terminal) = Terminal::open("resize", (100, 30), search) else { return without_tmux() };
    terminal.wait_for("graph", |screen| screen.contains("win rate of the best move"));
    terminal.tmux(&["resize-window", "-x", "44", "-y", "9"]);
    let is_right = |screen: &str| {
        screen.contains("playouts/s") && !screen.contains("win rate of the best move")
    };
    terminal.wait_for("smaller view", is_right);
    terminal.tmux(&["resize-window", "-x", "120", "-y", "40"]);
    terminal.wait_for("graph", |screen| screen.contains("win rate of the best move"));
    // A signal ends it as a key does.
    let pid = terminal.tmux(&["display-message", "-p", "#{pane_pid}"]).expect("tmux");
    let children = Command::new("pkill").args(["-TERM", "-P", pid.trim()]).status();
    if !children.is_ok_and(|status| status.success()) {
        terminal.press("q");
    }
    let screen = terminal.wait_for("answer", |screen| screen.contains("status 130"));
    assert_eq!(terminal.state(), "0 1", "{screen}");

    let proof = "solve tic-tac-toe --algorithm pns --threads 1 --watch";
    let Some(terminal) = Terminal::open("end", (80, 24), proof) else { return without_tmux() };
    let screen = terminal.wait_for("end", |screen| screen.contains("status 0"));
    assert!(screen.contains("A draw"), "{screen}");
    assert_eq!(terminal.state(), "0 1", "{screen}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_search_ends_with_its_terminal() {
    let search = "search connect-four --threads 1 --memory 64M --time 10m --watch";
    let Some(terminal) = Terminal::open("closed", (80, 24), search) else { return without_tmux() };
    terminal.wait_for("moves", |screen| screen.contains("playouts/s"));
    let shell = terminal.tmux(&["display-message", "-p", "#{pane_pid}"]).expect("tmux");
    // The shell's one child; or the shell has become it.
    let of_shell = format!("/proc/{0}/task/{0}/children", shell.trim());
    let children = std::fs::read_to_string(of_shell).expect("the shell is there");
    let search = children.split_whitespace().next().unwrap_or(shell.trim()).to_string();
    let name = std::fs::read_to_string(format!("/proc/{search}/comm")).expect("it is there");
    assert_eq!(name.trim(), "proofwood");
    drop(terminal);
    let start = Instant::now();
    while is_running(&search) {
        assert!(start.elapsed() < Duration::from_secs(120), "it goes on without its terminal");
        sleep(Duration::from_millis(50));
    }
}

/// Whether a process is there, and has not ended.
#[cfg(target_os = "linux")]
fn is_running(process: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with('Z'))
}

#[test]
fn without_a_terminal_nothing_is_watched() {
    for arguments in ["search othello --watch", "solve othello --watch --json"] {
        assert!(
            complaint(arguments, 2).contains("needs a terminal on standard error"),
            "{arguments}"
        );
    }
}
