//! Numbers as bytes, with a digest of all bytes written.
//!
//! A number takes one byte for every seven bits, the lowest bits first; most numbers of a tree are
//! small. Bytes are buffered, so that they are digested in large pieces.

use super::error::{SavedError, damaged};
use hmac_sha256::Hash as Sha256;
use std::io::{self, Read, Write};

const GATHERED: usize = 1 << 16;

pub(crate) struct Writer<'w> {
    out: &'w mut dyn Write,
    gathered: Vec<u8>,
    digest: Sha256,
}

impl<'w> Writer<'w> {
    pub(crate) fn new(out: &'w mut dyn Write) -> Writer<'w> {
        Writer { out, gathered: Vec::with_capacity(GATHERED + 64), digest: Sha256::new() }
    }

    #[inline]
    pub(crate) fn byte(&mut self, byte: u8) -> io::Result<()> {
        self.gathered.push(byte);
        if self.gathered.len() >= GATHERED { self.pass_on() } else { Ok(()) }
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        bytes.iter().try_for_each(|&byte| self.byte(byte))
    }

    #[inline]
    pub(crate) fn number(&mut self, mut number: u64) -> io::Result<()> {
        while number >= 0x80 {
            self.byte(number as u8 | 0x80)?;
            number >>= 7;
        }
        self.byte(number as u8)
    }

    /// Writes a signed number, with the sign in the lowest bit.
    #[inline]
    pub(crate) fn signed(&mut self, number: i64) -> io::Result<()> {
        self.number((number << 1 ^ number >> 63) as u64)
    }

    fn pass_on(&mut self) -> io::Result<()> {
        self.digest.update(&self.gathered);
        self.out.write_all(&self.gathered)?;
        self.gathered.clear();
        Ok(())
    }

    /// Writes bytes that have the digest `own`. The file's digest includes `own` instead of the
    /// bytes, so that several threads can compute such digests.
    pub(crate) fn digested(&mut self, bytes: &[&[u8]], own: &[u8; 32]) -> io::Result<()> {
        self.pass_on()?;
        self.digest.update(own);
        bytes.iter().try_for_each(|bytes| self.out.write_all(bytes))
    }

    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.pass_on()?;
        self.out.write_all(&self.digest.finalize())?;
        self.out.flush()
    }
}

pub(crate) struct Reader<'r> {
    input: &'r mut dyn Read,
    gathered: Box<[u8]>,
    /// The number of digested bytes in the buffer. `at` is the number of those that were read, and
    /// `end` the number of all bytes in the buffer.
    digested: usize,
    at: usize,
    end: usize,
    digest: Sha256,
}

impl<'r> Reader<'r> {
    pub(crate) fn new(input: &'r mut dyn Read) -> Reader<'r> {
        let gathered = vec![0; GATHERED].into_boxed_slice();
        Reader { input, gathered, digested: 0, at: 0, end: 0, digest: Sha256::new() }
    }

    #[inline]
    pub(crate) fn byte(&mut self) -> io::Result<u8> {
        if self.at == self.end && !self.fill()? {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.at += 1;
        Ok(self.gathered[self.at - 1])
    }

    pub(crate) fn array<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut array = [0; N];
        for byte in &mut array {
            *byte = self.byte()?;
        }
        Ok(array)
    }

    #[inline]
    pub(crate) fn number(&mut self) -> io::Result<u64> {
        let first = self.byte()?;
        if first < 0x80 { Ok(first.into()) } else { self.long_number(first) }
    }

    fn long_number(&mut self, first: u8) -> io::Result<u64> {
        let mut number = u64::from(first & 0x7f);
        for shift in (7..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                break;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(io::Error::new(io::ErrorKind::InvalidData, "the file is damaged: a number is too long"))
    }

    #[inline]
    pub(crate) fn signed(&mut self) -> io::Result<i64> {
        let number = self.number()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// Reads a line of at most `longest` bytes, without its end.
    pub(crate) fn line(&mut self, longest: usize) -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        loop {
            match self.byte() {
                Ok(b'\n') => return Ok(line),
                Ok(byte) => line.push(byte),
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(line),
                Err(error) => return Err(error),
            }
            if line.len() > longest {
                return Ok(line);
            }
        }
    }

    fn digest_read(&mut self) {
        self.digest.update(&self.gathered[self.digested..self.at]);
        self.digested = self.at;
    }

    /// Reads bytes that are not digested; [`take_digest`](Reader::take_digest) must follow.
    pub(crate) fn undigested(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.digest_read();
        for byte in bytes {
            *byte = self.byte()?;
            self.digested = self.at;
        }
        Ok(())
    }

    /// Adds to the digest `own`, the digest of bytes that were read undigested.
    pub(crate) fn take_digest(&mut self, own: &[u8; 32]) {
        self.digest.update(own);
    }

    /// Digests the bytes read and fills the buffer; returns whether there were more bytes.
    fn fill(&mut self) -> io::Result<bool> {
        self.digest_read();
        (self.digested, self.at, self.end) = (0, 0, 0);
        self.end = loop {
            match self.input.read(&mut self.gathered) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        Ok(self.end > 0)
    }

    /// Checks the digest at the end of the file, which nothing may follow.
    pub(crate) fn finish(mut self) -> Result<(), SavedError> {
        self.digest_read();
        let expected = std::mem::take(&mut self.digest).finalize();
        // Reading the digest's own bytes updates a new digest, which is not used.
        if self.array::<32>()? != expected {
            return Err(damaged("its checksum is wrong"));
        }
        if self.at < self.end || self.fill()? {
            return Err(damaged("data follows its checksum"));
        }
        Ok(())
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_come_back(numbers in prop::collection::vec(any::<u64>(), 0..50), shift in 0u32..64) {
            let mut file = Vec::new();
            let mut out = Writer::new(&mut file);
            for &number in &numbers {
                out.number(number >> shift).unwrap();
                out.signed(number as i64 >> shift).unwrap();
                out.bytes(&number.to_le_bytes()).unwrap();
            }
            out.finish().unwrap();
            let mut file = &file[..];
            let mut input = Reader::new(&mut file);
            for &number in &numbers {
                prop_assert_eq!(input.number().unwrap(), number >> shift);
                prop_assert_eq!(input.signed().unwrap(), number as i64 >> shift);
                prop_assert_eq!(input.array().unwrap(), number.to_le_bytes());
            }
            prop_assert!(input.finish().is_ok());
        }

        #[test]
        fn any_bytes_are_read_to_an_end(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let mut once = &bytes[..];
            let mut input = Reader::new(&mut once);
            while input.number().is_ok() {}
            let _ = Reader::new(&mut &bytes[..]).finish();
        }
    }

    #[test]
    fn a_digest_is_of_every_byte() {
        let mut file = Vec::new();
        let mut out = Writer::new(&mut file);
        // More bytes than fit into the buffer.
        (0..40_000u64).for_each(|number| out.number(number * number).unwrap());
        out.finish().unwrap();
        let read = |mut file: &[u8]| {
            let mut input = Reader::new(&mut file);
            for _ in 0..40_000 {
                if input.number().is_err() {
                    return false;
                }
            }
            input.finish().is_ok()
        };
        assert!(read(&file));
        for place in [0, 100, file.len() / 2, file.len() - 33, file.len() - 1] {
            file[place] ^= 1;
            assert!(!read(&file), "{place}");
            file[place] ^= 1;
        }
        assert!(!read(&file[..file.len() - 1]));
        file.push(0);
        assert!(!read(&file));
    }
}
