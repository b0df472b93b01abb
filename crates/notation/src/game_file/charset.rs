//! Decodes files in any charset.
//!
//! Moves are ASCII in every charset. However, in Shift_JIS, Big5 and GBK the second byte of a
//! character may equal `\` or `]`, which are special in SGF. The file is therefore decoded in each
//! possible charset, and the results must agree except in names and comments.

use super::kind::Kind;

/// The encoding of characters whose first byte is 0x80 or greater.
#[derive(Clone, Copy, PartialEq)]
enum Letters {
    /// One byte for each character, as in Latin-1 and KOI8.
    Single,
    /// Two bytes, except for half-width characters, which have one.
    ShiftJis,
    /// Two bytes for each character: Big5, GBK and the EUC codes.
    Double,
}

impl Letters {
    /// Returns the possible encodings of a text; only one if the text has a property CA with a
    /// known name.
    fn of(bytes: &[u8]) -> Vec<Letters> {
        let at = bytes.windows(3).position(|part| part == b"CA[");
        let name = at.map_or(&[][..], |at| &bytes[at + 3..]).iter().take_while(|&&b| b != b']');
        let name: String = name.take(40).map(|&b| char::from(b.to_ascii_lowercase())).collect();
        let name = name.replace(['-', '_'], "");
        let begins = |names: &[&str]| names.iter().any(|known| name.starts_with(known));
        if begins(&["shiftjis", "sjis", "cp932", "windows31j", "mskanji"]) {
            vec![Letters::ShiftJis]
        } else if begins(&["big5", "gb", "euc", "ksc", "cp936", "cp949", "cp950", "windows949"]) {
            vec![Letters::Double]
        } else if begins(&["iso8859", "latin", "windows125", "cp125", "koi8", "macintosh"]) {
            vec![Letters::Single]
        } else {
            vec![Letters::Single, Letters::ShiftJis, Letters::Double]
        }
    }

    /// Decodes the text, with a placeholder for each character that is not ASCII.
    fn text(self, bytes: &[u8]) -> String {
        let mut text = String::new();
        let mut bytes = bytes.iter().copied().peekable();
        while let Some(byte) = bytes.next() {
            let is_lead = match self {
                Letters::Single => false,
                Letters::ShiftJis => matches!(byte, 0x81..=0x9f | 0xe0..=0xfc),
                Letters::Double => matches!(byte, 0x81..=0xfe),
            };
            if is_lead && bytes.peek().is_some_and(|trail| matches!(trail, 0x40..=0x7e | 0x80..)) {
                bytes.next();
            }
            text.push(if byte.is_ascii() { char::from(byte) } else { char::REPLACEMENT_CHARACTER });
        }
        text
    }
}

/// Parses a file as UTF-8, or otherwise in each charset that it may use.
pub(super) fn read(
    bytes: &[u8],
    read: &dyn Fn(&str) -> Result<Kind, String>,
) -> Result<Kind, String> {
    // A file that names another charset but is valid UTF-8 was almost certainly converted.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") || bytes.contains(&0) {
        return Err("the file is UTF-16 or binary; save it as UTF-8".into());
    }
    if bytes.contains(&0x1b) {
        return Err("the file contains escape sequences, as in ISO-2022; save it as UTF-8".into());
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return read(text);
    }
    let mut found: Option<Kind> = None;
    let mut wrong = None;
    for letters in Letters::of(bytes) {
        match read(&letters.text(bytes)).map(Kind::without_names) {
            Ok(kind) if found.as_ref().is_some_and(|found| *found != kind) => {
                return Err(
                    "the file is not UTF-8, and its encoding is unclear; name the encoding in \
                            CA[...] or save the file as UTF-8"
                        .into(),
                );
            }
            Ok(kind) => found = Some(kind),
            Err(error) => wrong = wrong.or(Some(error)),
        }
    }
    found.ok_or_else(|| format!("{} (the file is not UTF-8)", wrong.unwrap_or_default()))
}
