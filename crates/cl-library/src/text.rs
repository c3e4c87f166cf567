//! Bytes of a `.cl` file to text, whatever editor wrote them.

/// A file's text as the rest of the crate sees it: no byte order mark, `\n` line ends, valid UTF-8.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded {
    /// The text.
    pub text: String,
    /// The first line (from 1) that held bytes which are not UTF-8; each became U+FFFD.
    pub first_invalid_line: Option<u32>,
}

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Decodes a file. Never fails: a Latin-1 accent in a comment must not make a library unusable.
#[must_use]
pub fn decode(bytes: Vec<u8>) -> Decoded {
    let mut bytes = bytes;
    if bytes.starts_with(BYTE_ORDER_MARK) {
        bytes.drain(..BYTE_ORDER_MARK.len());
    }
    let (text, first_invalid_line) = match String::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let line = 1 + count_newlines(&error.as_bytes()[..valid]);
            (String::from_utf8_lossy(error.as_bytes()).into_owned(), Some(line))
        }
    };
    let text = if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text };
    Decoded { text, first_invalid_line }
}

fn count_newlines(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.iter().filter(|b| **b == b'\n').count()).unwrap_or(u32::MAX)
}

/// A path with `/` between its parts, as it is shown and written into `#line`.
#[must_use]
pub fn display_path(path: &std::path::Path) -> String {
    let text = path.to_string_lossy();
    if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() }
}

/// The `1`-based line `number` of `text`, without its line end.
#[must_use]
pub fn line_of(text: &str, number: u32) -> Option<&str> {
    text.lines().nth(usize::try_from(number).ok()?.checked_sub(1)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_and_carriage_returns_disappear() {
        let decoded = decode(b"\xEF\xBB\xBF// @provides: a\r\nint x;\rint y;".to_vec());
        assert_eq!(decoded.text, "// @provides: a\nint x;\nint y;");
        assert_eq!(decoded.first_invalid_line, None);
    }

    #[test]
    fn the_first_line_that_is_not_utf8_is_named() {
        let decoded = decode(b"// a\n// caf\xE9\n// \xE8\n".to_vec());
        assert_eq!(decoded.text, "// a\n// caf\u{FFFD}\n// \u{FFFD}\n");
        assert_eq!(decoded.first_invalid_line, Some(2));
    }
}
