//! Starts a server: the program `nats-server` with a safe configuration.

use crate::access::{Access, Address};
use crate::console::Console;
use proofwood_session::Trouble;
use std::fmt::Write as _;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

const SERVER: &str = "nats-server";

/// The settings of a server.
#[derive(Clone, Debug)]
pub struct ServeTask {
    /// The address on which it listens.
    pub url: String,
    /// The folder in which it stores its streams.
    pub store: PathBuf,
    /// The path of its TLS certificate.
    pub tls_cert: Option<PathBuf>,
    /// The path of the certificate's key.
    pub tls_key: Option<PathBuf>,
    /// The credentials that clients need.
    pub access: Access,
    /// Whether to print the configuration without starting a server.
    pub dry_run: bool,
    /// The name of the log level on standard error; `None` to log to a file in the folder instead.
    pub log: Option<&'static str>,
}

/// Starts a server in place of this process.
pub fn serve(task: &ServeTask, console: &dyn Console) -> Result<(), Trouble> {
    let config = config(task)?;
    if task.dry_run {
        console.print(config.trim_end())?;
        return Ok(());
    }
    let store = &task.store;
    let unusable =
        |error: &io::Error| Trouble::Input(format!("--store {}: {error}", store.display()));
    let mut folder = DirBuilder::new();
    folder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
    folder.create(store).map_err(|error| unusable(&error))?;
    #[cfg(unix)]
    check_room(store)?;
    let file = store.join("proofwood.conf");
    write_secretly(&file, &config).map_err(|error| unusable(&error))?;
    check_config(&file)?;
    check_port(&Address::read("<URL>", &task.url)?)?;
    let log = if task.log.is_none() { " and log" } else { "" };
    let store = store.display();
    console.print(&format!("serving {}; storing data{log} in {store}", task.url))?;
    let mut command = Command::new(SERVER);
    command.arg("--config").arg(&file);
    Err(run(command))
}

/// Checks the free disk space before the start, since a server that cannot write may hang.
#[cfg(unix)]
fn check_room(store: &Path) -> Result<(), Trouble> {
    /// The space needed for empty streams and a few thousand answers, in bytes.
    const LEAST: u64 = 64 << 20;
    if let Ok(disk) = rustix::fs::statvfs(store)
        && disk.f_bavail.saturating_mul(disk.f_frsize) < LEAST
    {
        let (left, store) = (disk.f_bavail.saturating_mul(disk.f_frsize) >> 10, store.display());
        return Err(Trouble::Failed(format!(
            "--store {store}: the disk has {left} KiB left, but a server needs 64 MiB"
        )));
    }
    Ok(())
}

/// Makes the server check its configuration and certificates.
fn check_config(file: &Path) -> Result<(), Trouble> {
    let checked = Command::new(SERVER).arg("-t").arg("--config").arg(file).output();
    let checked = checked.map_err(|error| missing(&error))?;
    match checked.status.success() {
        true => Ok(()),
        false => {
            let said = String::from_utf8_lossy(&checked.stderr).trim().to_string();
            Err(Trouble::Failed(format!("{SERVER} rejects its configuration: {said}")))
        }
    }
}

/// Returns an error if the port is in use.
fn check_port(address: &Address) -> Result<(), Trouble> {
    let Err(error) = TcpListener::bind((address.host.as_str(), address.port)) else {
        return Ok(());
    };
    let Address { host, port, .. } = address;
    Err(Trouble::Failed(match error.kind() {
        io::ErrorKind::AddrInUse => {
            format!("port {port} is in use: stop the program that uses it, or give another port")
        }
        _ => format!("cannot listen on port {port} of {host}: {error}"),
    }))
}

fn config(task: &ServeTask) -> Result<String, Trouble> {
    let address = Address::read("<URL>", &task.url)?;
    address.check("<URL>", task.access.has_secret())?;
    if task.access.creds.is_some() || task.access.tls_ca.is_some() {
        let what = "--creds and --tls-ca are for clients; serve takes --tls-cert, --tls-key, \
                    --user and --password-file";
        return Err(Trouble::Input(what.into()));
    }
    let mut text = format!("listen: {}\n", quoted(&address.place()));
    let store = absolute(&task.store)?;
    let _ = writeln!(text, "jetstream {{ store_dir: {} }}", quoted(&store));
    // Proofs are sent in pieces, but an answer with all moves of a large game is one message.
    text.push_str("max_payload: 8MB\n");
    match task.log {
        Some("debug") => text.push_str("debug: true\n"),
        Some("trace") => text.push_str("debug: true\ntrace: true\n"),
        // The server has no level below its default.
        Some(_) => {}
        None => {
            let log = absolute(&task.store.join("server.log"))?;
            let _ = writeln!(text, "log_file: {}\nlogfile_size_limit: 16MB", quoted(&log));
        }
    }
    match (address.tls, &task.tls_cert, &task.tls_key) {
        (true, Some(cert), Some(key)) => {
            let (cert, key) = (absolute(cert)?, absolute(key)?);
            let _ = writeln!(
                text,
                "tls {{ cert_file: {}, key_file: {} }}",
                quoted(&cert),
                quoted(&key)
            );
        }
        (false, None, None) => {}
        _ => {
            let what = "tls:// needs --tls-cert FILE and --tls-key FILE; nats:// takes neither";
            return Err(Trouble::Input(what.into()));
        }
    }
    if let Some((user, password)) = task.access.password()? {
        let (user, password) = (quoted(&user), quoted(&password));
        let _ = writeln!(text, "authorization {{ user: {user}, password: {password} }}");
    }
    Ok(text)
}

fn absolute(path: &Path) -> Result<String, Trouble> {
    let found: io::Result<PathBuf> = std::path::absolute(path);
    let found = found.map_err(|error| Trouble::reading(path.display(), &error))?;
    Ok(found.display().to_string())
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

/// Writes a file that only this user can read.
fn write_secretly(path: &Path, text: &str) -> io::Result<()> {
    // A file or link that another user has put there must not be written to.
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(text.as_bytes())
}

fn missing(error: &io::Error) -> Trouble {
    Trouble::Failed(format!(
        "cannot start {SERVER}: {error}; install it from a package, such as Debian's \
         {SERVER}, or download it from nats.io"
    ))
}

/// Replaces this process with the server, so that it receives the signals.
#[cfg(unix)]
fn run(mut command: Command) -> Trouble {
    missing(&std::os::unix::process::CommandExt::exec(&mut command))
}

#[cfg(not(unix))]
fn run(mut command: Command) -> Trouble {
    match command.status() {
        Ok(status) => Trouble::Failed(format!("{SERVER}: {status}")),
        Err(error) => missing(&error),
    }
}
