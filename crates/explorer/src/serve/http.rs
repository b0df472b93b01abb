//! Reads one request and writes one answer over HTTP, and then closes the connection. A page on the
//! same machine needs no more.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

/// The greatest length of a request's head in bytes, and the greatest number of headers.
const LONGEST: u64 = 16 << 10;
const HEADERS: usize = 64;
/// The time for which a connection may be silent, since some browsers connect before they have a
/// request.
const SILENCE: Duration = Duration::from_secs(10);
/// The number of bytes of a refused body that are read anyway; otherwise the client might lose the
/// answer.
const REST: u64 = 1 << 20;

#[derive(Clone, Debug, Default)]
pub(super) struct Request {
    pub(super) method: String,
    /// The path as it was sent.
    pub(super) path: String,
    pub(super) headers: Vec<(String, String)>,
}

#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) kind: &'static str,
    pub(super) body: Vec<u8>,
    /// The target of a redirect.
    pub(super) location: Option<String>,
}

pub(super) struct Connection {
    reader: BufReader<TcpStream>,
    pub(super) request: Request,
}

impl Request {
    /// Returns the values of a header in the order in which they were sent.
    pub(super) fn values<'r>(&'r self, name: &'r str) -> impl Iterator<Item = &'r str> {
        let named = self.headers.iter().filter(move |(known, _)| known.eq_ignore_ascii_case(name));
        named.map(|(_, value)| value.as_str())
    }

    /// Reads the head up to its empty line; returns `None` if it is invalid.
    fn read(reader: &mut impl BufRead) -> io::Result<Option<Request>> {
        let (mut head, mut reader) = (Vec::new(), reader.take(LONGEST));
        while !head.ends_with(b"\r\n\r\n") {
            if reader.read_until(b'\n', &mut head)? == 0 {
                return Ok(None);
            }
        }
        let mut headers = [httparse::EMPTY_HEADER; HEADERS];
        let mut parsed = httparse::Request::new(&mut headers);
        if !parsed.parse(&head).is_ok_and(|status| status.is_complete()) {
            return Ok(None);
        }
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_string();
        let own = |header: &httparse::Header<'_>| (header.name.to_string(), text(header.value));
        Ok(Some(Request {
            method: parsed.method.unwrap_or_default().to_string(),
            path: parsed.path.unwrap_or_default().to_string(),
            headers: parsed.headers.iter().map(own).collect(),
        }))
    }
}

impl Connection {
    /// Reads the head of a request. Answers an invalid one with an error, and returns `None`.
    pub(super) fn read(stream: TcpStream) -> io::Result<Option<Connection>> {
        stream.set_read_timeout(Some(SILENCE))?;
        stream.set_write_timeout(Some(SILENCE))?;
        stream.set_nodelay(true)?;
        let mut reader = BufReader::new(stream);
        let request = Request::read(&mut reader)?;
        let mut connection = Connection { reader, request: Request::default() };
        let Some(request) = request else {
            connection.answer(&Answer::told(400, "not an HTTP request"))?;
            return Ok(None);
        };
        connection.request = request;
        Ok(Some(connection))
    }

    /// Reads the body, whose length must be given and at most `most` bytes; otherwise returns an
    /// error.
    pub(super) fn body(&mut self, most: u64) -> Result<Vec<u8>, Answer> {
        let mut lengths = self.request.values("Content-Length");
        let length = lengths.next().and_then(|text| text.parse::<u64>().ok());
        let several = lengths.next().is_some();
        let is_coded = self.request.values("Transfer-Encoding").next().is_some();
        let Some(length) = length.filter(|_| !several && !is_coded) else {
            return Err(Answer::told(411, "Content-Length is missing"));
        };
        if length > most {
            return Err(Answer::told(413, "the request is too large"));
        }
        let lost = |_: io::Error| Answer::told(400, "the request is truncated");
        if self.request.values("Expect").next().is_some() {
            self.reader.get_mut().write_all(b"HTTP/1.1 100 Continue\r\n\r\n").map_err(lost)?;
        }
        let mut body = Vec::new();
        self.reader.by_ref().take(length).read_to_end(&mut body).map_err(lost)?;
        match body.len() as u64 == length {
            true => Ok(body),
            false => Err(Answer::told(400, "the request is truncated")),
        }
    }

    pub(super) fn answer(mut self, answer: &Answer) -> io::Result<()> {
        let stream = self.reader.get_mut();
        stream.write_all(answer.head().as_bytes())?;
        if self.request.method != "HEAD" {
            stream.write_all(&answer.body)?;
        }
        stream.flush()?;
        stream.shutdown(Shutdown::Write)?;
        io::copy(&mut self.reader.take(REST), &mut io::sink())?;
        Ok(())
    }
}

impl Answer {
    pub(super) fn body(kind: &'static str, body: impl Into<Vec<u8>>) -> Answer {
        Answer { status: 200, kind, body: body.into(), location: None }
    }

    /// Creates an answer of one line.
    pub(super) fn told(status: u16, what: &str) -> Answer {
        Answer { status, ..Answer::body("text/plain; charset=utf-8", format!("{what}\n")) }
    }

    /// Writes the head. It forbids storing and framing the page, and loading from other origins.
    fn head(&self) -> String {
        let Answer { status, kind, body, location } = self;
        let word = match status {
            200 => "OK",
            204 => "No Content",
            303 => "See Other",
            _ => "Refused",
        };
        let location = location.as_ref().map(|place| format!("Location: {place}\r\n"));
        let length = match status {
            204 => String::new(),
            _ => format!("Content-Length: {}\r\nContent-Type: {kind}\r\n", body.len()),
        };
        format!(
            "HTTP/1.1 {status} {word}\r\nConnection: close\r\nCache-Control: no-store\r\n\
             X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
             Cross-Origin-Resource-Policy: same-origin\r\n\
             Content-Security-Policy: default-src 'self'; img-src 'self' data:; style-src 'self' \
             'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n\
             {}{length}\r\n",
            location.unwrap_or_default()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_read_to_their_end_and_no_further() {
        let mut text: &[u8] = b"POST /a?b HTTP/1.1\r\nHost:  x:1 \r\nhost: y\r\n\r\nbody";
        let request = Request::read(&mut text).unwrap().expect("a request");
        assert_eq!((&*request.method, &*request.path), ("POST", "/a?b"));
        assert_eq!(request.values("HOST").collect::<Vec<_>>(), ["x:1", "y"]);
        assert_eq!(text, b"body");
        let long = format!("GET / HTTP/1.1\r\nA: {}\r\n\r\n", "x".repeat(20_000));
        let many = format!("GET / HTTP/1.1\r\n{}\r\n", "A: b\r\n".repeat(100));
        for wrong in
            ["", "\r\n\r\n", "GET", "GET / HTTP/1.1\r\nHost: x", "\u{0}\r\n\r\n", &long, &many]
        {
            assert!(Request::read(&mut wrong.as_bytes()).unwrap().is_none(), "{wrong:?}");
        }
    }
}
