//! The server's address and the credentials for it.
//!
//! Jobs and answers are plain text, and anyone who can send a job can make a machine compute.
//! Messages therefore leave this machine only over an encrypted connection with credentials.

use proofwood_session::Trouble;
use std::net::IpAddr;
use std::path::PathBuf;

const PORT: u16 = 4222;

/// The credentials for the server.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "args", derive(clap::Args), command(next_help_heading = "The server"))]
pub struct Access {
    /// File with NATS credentials for the server
    #[cfg_attr(feature = "args", arg(long, value_name = "FILE",
        conflicts_with_all = ["user", "password_file"]))]
    pub creds: Option<PathBuf>,
    /// User name on the server
    #[cfg_attr(feature = "args", arg(long, value_name = "NAME", requires = "password_file"))]
    pub user: Option<String>,
    /// File with the password of --user on its first line
    #[cfg_attr(feature = "args", arg(long, value_name = "FILE", requires = "user"))]
    pub password_file: Option<PathBuf>,
    /// CA certificate (PEM), if the server's certificate is not signed by a CA that the system
    /// trusts
    #[cfg_attr(feature = "args", arg(long, value_name = "FILE"))]
    pub tls_ca: Option<PathBuf>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) host: String,
    pub(crate) port: u16,
    pub(crate) tls: bool,
}

impl Address {
    /// Reads `nats://HOST:PORT` or `tls://HOST:PORT`; `option` names its source in errors.
    pub(crate) fn read(option: &str, url: &str) -> Result<Address, Trouble> {
        let wrong = |why: &str| {
            let what = "expected nats://HOST:PORT or tls://HOST:PORT";
            Trouble::Input(format!("{option} {url}: {why}; {what}"))
        };
        let (scheme, rest) = url.trim().split_once("://").unwrap_or(("nats", url.trim()));
        let tls = match scheme {
            "nats" => false,
            "tls" => true,
            _ => return Err(wrong("unsupported scheme")),
        };
        if rest.contains('@') {
            let why = "a password in an address is visible to everybody";
            return Err(wrong(&format!("{why}; use --user and --password-file, or --creds")));
        }
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        let (host, port) = match rest.strip_prefix('[') {
            Some(rest) => {
                let (host, rest) =
                    rest.split_once(']').ok_or_else(|| wrong("the closing ] is missing"))?;
                (host, rest.strip_prefix(':'))
            }
            None => match rest.split_once(':') {
                Some((host, port)) => (host, Some(port)),
                None => (rest, None),
            },
        };
        let port = port.map_or(Ok(PORT), str::parse);
        let port = port.map_err(|_| wrong("the port is not a number up to 65535"))?;
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | ':' | '_');
        if host.is_empty() || !host.chars().all(fits) {
            return Err(wrong("the host name is invalid"));
        }
        Ok(Address { host: host.into(), port, tls })
    }

    /// Returns whether messages stay on this machine.
    pub(crate) fn is_this_machine(&self) -> bool {
        self.host == "localhost" || self.host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
    }

    /// Returns an error if the server is on another machine, and encryption or credentials are
    /// missing.
    pub(crate) fn check(&self, option: &str, has_secret: bool) -> Result<(), Trouble> {
        if self.is_this_machine() || (self.tls && has_secret) {
            return Ok(());
        }
        let missing = match (self.tls, has_secret) {
            (false, true) => "tls:// instead of nats://",
            (true, _) => "--creds FILE, or --user NAME and --password-file FILE",
            (false, false) => {
                "tls:// instead of nats://, and --creds FILE, or --user NAME and --password-file \
                 FILE"
            }
        };
        Err(Trouble::Input(format!(
            "{option}: {} is another machine, so encryption and a password are needed: give \
             {missing}",
            self.host
        )))
    }

    pub(crate) fn url(&self) -> String {
        let scheme = if self.tls { "tls" } else { "nats" };
        format!("{scheme}://{}", self.place())
    }

    /// Returns host and port.
    pub(crate) fn place(&self) -> String {
        match self.host.contains(':') {
            true => format!("[{}]:{}", self.host, self.port),
            false => format!("{}:{}", self.host, self.port),
        }
    }
}

impl Access {
    pub(crate) fn has_secret(&self) -> bool {
        self.creds.is_some() || self.password_file.is_some()
    }

    /// Returns the user's name and password, if they were given.
    pub(crate) fn password(&self) -> Result<Option<(String, String)>, Trouble> {
        let (Some(user), Some(path)) = (&self.user, &self.password_file) else { return Ok(None) };
        let text = std::fs::read_to_string(path)
            .map_err(|error| Trouble::reading(path.display(), &error))?;
        match text.lines().next().map(str::trim) {
            Some(password) if !password.is_empty() => Ok(Some((user.clone(), password.into()))),
            _ => {
                let path = path.display();
                Err(Trouble::Input(format!(
                    "--password-file {path}: the first line of the file is empty"
                )))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(url: &str) -> Result<Address, String> {
        Address::read("--on", url).map_err(|failure| failure.to_string())
    }

    #[test]
    fn addresses_are_read() {
        for (url, host, port, tls) in [
            ("nats://127.0.0.1:4222", "127.0.0.1", 4222, false),
            ("tls://jobs.example:7422/", "jobs.example", 7422, true),
            ("localhost", "localhost", 4222, false),
            ("nats://[::1]:5", "::1", 5, false),
        ] {
            let wanted = Address { host: host.into(), port, tls };
            assert_eq!(read(url), Ok(wanted), "{url}");
        }
        for (url, why) in [
            ("http://localhost", "unsupported scheme"),
            ("nats://me:secret@localhost", "--password-file"),
            ("nats://localhost:99999", "port"),
            ("nats://:4222", "host"),
            ("nats://[::1", "]"),
            ("nats://a b", "host"),
            ("nats://a\"b", "host"),
        ] {
            let error = read(url).unwrap_err();
            assert!(error.contains(why) && error.starts_with("--on"), "{url}: {error}");
        }
    }

    #[test]
    fn nothing_leaves_this_machine_unprotected() {
        for (url, has_secret, right) in [
            ("nats://127.0.0.1", false, true),
            ("nats://127.9.9.9", false, true),
            ("nats://[::1]", false, true),
            ("nats://localhost", false, true),
            ("nats://10.0.0.1", false, false),
            ("nats://10.0.0.1", true, false),
            ("tls://10.0.0.1", false, false),
            ("tls://10.0.0.1", true, true),
            ("nats://localhost.example", false, false),
            ("nats://0.0.0.0", false, false),
            ("nats://[::]", false, false),
        ] {
            let address = read(url).unwrap();
            assert_eq!(address.check("--on", has_secret).is_ok(), right, "{url} {has_secret}");
        }
    }
}
