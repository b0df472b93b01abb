//! Reads lines from another program. Their length is limited, so that the other program cannot
//! exhaust the memory.

use std::io::{self, BufRead, Read};

/// The maximum length of a line in bytes, enough for any recorded game.
const LONGEST: usize = 1 << 20;

/// A reader that limits the length of lines.
pub struct Lines<R> {
    reader: R,
    bytes: Vec<u8>,
    is_first: bool,
}

impl<R: BufRead> Lines<R> {
    /// Creates a reader for the lines of `reader`.
    pub fn new(reader: R) -> Lines<R> {
        Lines { reader, bytes: Vec::new(), is_first: true }
    }

    /// Reads the next line without its ending. `None` is the end of the input; an inner `Err` is an
    /// invalid line.
    #[expect(clippy::should_implement_trait, reason = "a line may be impossible to read")]
    pub fn next(&mut self) -> io::Result<Option<Result<String, String>>> {
        self.bytes.clear();
        let most = LONGEST as u64 + 1;
        if self.reader.by_ref().take(most).read_until(b'\n', &mut self.bytes)? == 0 {
            return Ok(None);
        }
        if self.bytes.len() > LONGEST && self.bytes.last() != Some(&b'\n') {
            self.reader.skip_until(b'\n')?;
            return Ok(Some(Err(format!("this line is longer than {LONGEST} bytes"))));
        }
        // PowerShell writes a byte-order mark at the start of a pipe.
        let mark = if std::mem::take(&mut self.is_first) { "\u{feff}".as_bytes() } else { b"" };
        let line = self.bytes.strip_prefix(mark).unwrap_or(&self.bytes);
        Ok(Some(match std::str::from_utf8(line) {
            Ok(text) => Ok(text.trim_end_matches(['\n', '\r']).to_string()),
            Err(_) => Err("this line is not UTF-8 text".into()),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_without_their_ends() {
        let long = [b"a".repeat(LONGEST + 1), b"\n".to_vec()].concat();
        let text = [b"\xef\xbb\xbfone\r\n\n\xff\n".to_vec(), long, b"last".to_vec()].concat();
        let mut lines = Lines::new(&text[..]);
        let mut next = || lines.next().unwrap();
        assert_eq!(next(), Some(Ok("one".into())));
        assert_eq!(next(), Some(Ok(String::new())));
        assert!(next().unwrap().unwrap_err().contains("UTF-8"));
        assert!(next().unwrap().unwrap_err().contains("longer"));
        assert_eq!(next(), Some(Ok("last".into())));
        assert_eq!(next(), None);
    }
}
