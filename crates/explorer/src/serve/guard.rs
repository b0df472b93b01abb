//! Admits or refuses requests.
//!
//! The server listens only on this machine. But a browser on it also runs other sites' pages, which
//! can send requests to any address. Three independent checks keep them out:
//!
//! - The address contains a token, 128 random bits from the system, new for each server. Without it
//!   every request is answered with 404.
//! - `Host` must be this machine's address or `localhost`. This refuses other names that resolve to
//!   this machine (DNS rebinding).
//! - `Origin`, if the browser sends one, must be this server.

use super::http::Request;
use proofwood_session::Trouble;

#[derive(Debug)]
pub(super) struct Guard {
    token: String,
    hosts: [String; 2],
}

impl Guard {
    /// Creates a guard with a new token, for the server at this port.
    pub(super) fn new(port: u16) -> Result<Guard, Trouble> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)
            .map_err(|error| Trouble::Failed(format!("cannot create a random token: {error}")))?;
        let token = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Guard { token, hosts: ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}")) })
    }

    /// Returns the prefix of all valid paths, with a / at both ends.
    pub(super) fn root(&self) -> String {
        format!("/{}/", self.token)
    }

    /// Returns a request's path below the root, or the status of a refusal.
    pub(super) fn admit<'u>(&self, request: &'u Request) -> Result<&'u str, u16> {
        let mut hosts = request.values("Host");
        let host = hosts.next().ok_or(403_u16)?;
        let is_own = |name: &str| self.hosts.iter().any(|own| own.eq_ignore_ascii_case(name));
        if !is_own(host) || hosts.next().is_some() {
            return Err(403);
        }
        let is_ours = |origin: &str| origin.strip_prefix("http://").is_some_and(is_own);
        if !request.values("Origin").all(is_ours) {
            return Err(403);
        }
        let path = request.path.split(['?', '#']).next().unwrap_or_default();
        let path = path.strip_prefix('/').ok_or(404_u16)?;
        let (token, rest) = path.split_once('/').unwrap_or((path, ""));
        match self.is_token(token) {
            true => Ok(rest),
            false => Err(404),
        }
    }

    /// Compares a text with the token in constant time.
    fn is_token(&self, text: &str) -> bool {
        let pairs = std::iter::zip(text.bytes(), self.token.bytes());
        text.len() == self.token.len() && pairs.fold(0, |wrong, (a, b)| wrong | (a ^ b)) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(path: &str, headers: &[(&str, &str)]) -> Request {
        let own = |(name, value): &(&str, &str)| (name.to_string(), value.to_string());
        let headers = headers.iter().map(own).collect();
        Request { method: "GET".into(), path: path.into(), headers }
    }

    #[test]
    fn only_the_page_itself_is_let_in() {
        let guard = Guard::new(4711).unwrap();
        let root = guard.root();
        assert_eq!(root.len(), 34);
        assert_ne!(Guard::new(4711).unwrap().root(), root, "each has its own");
        let path = format!("{root}7/ask?x=1");
        let own = [("Host", "127.0.0.1:4711")];
        assert_eq!(guard.admit(&request(&path, &own)), Ok("7/ask"));
        assert_eq!(guard.admit(&request(&root, &[("host", "LocalHost:4711")])), Ok(""));
        let own_origin = [own[0], ("Origin", "http://127.0.0.1:4711")];
        assert_eq!(guard.admit(&request(&root, &own_origin)), Ok(""));
        for wrong in [
            vec![],
            vec![("Host", "127.0.0.1")],
            vec![("Host", "127.0.0.1:4712")],
            vec![("Host", "evil.example:4711")],
            vec![("Host", "127.0.0.1:4711.evil.example")],
            vec![own[0], own[0]],
            vec![own[0], ("Origin", "null")],
            vec![own[0], ("Origin", "https://127.0.0.1:4711")],
            vec![own[0], ("Origin", "http://evil.example")],
            vec![own[0], own_origin[1], ("Origin", "http://evil.example")],
        ] {
            assert_eq!(guard.admit(&request(&root, &wrong)), Err(403), "{wrong:?}");
        }
        let longer = format!("{}0/", &root[..33]);
        let other = if root.starts_with("/0") { "1" } else { "0" };
        let altered = format!("/{other}{}", &root[2..]);
        for wrong in ["", "/", "//", "x", "/ask", &root[..33 - 1], &longer, &altered] {
            assert_eq!(guard.admit(&request(wrong, &own)), Err(404), "{wrong}");
        }
    }
}
