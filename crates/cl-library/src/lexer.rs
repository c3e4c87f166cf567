//! A lexer for OpenCL C: comments, strings, identifiers, numbers, punctuation. Any bytes of text give tokens.
//!
//! It is not a parser: ported sources are full of macros, and what a macro makes of its arguments is known only after
//! preprocessing, which [`check_program`](crate::check_program) does.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// A name or keyword.
    Identifier,
    /// A preprocessing number: `1e-5f`, `0x1p3`.
    Number,
    /// `"…"` or `'…'`, closed or ended by the line.
    String,
    /// One operator or bracket; `##`, `->` and `...` are one token, all others one character each.
    Punctuation,
    /// `// …` without the line end.
    LineComment,
    /// `/* … */`, or to the end of the text.
    BlockComment,
}

/// One token: a span of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// Line of the first byte, from 1.
    pub line: u32,
    /// Whether it is the first token, comments aside, of its line (lines joined by `\` are one).
    pub starts_line: bool,
    /// Whether a blank, a comment or a line end stands before it.
    pub space_before: bool,
}

impl Token {
    /// The token's text.
    #[must_use]
    pub fn text<'a>(&self, source: &'a str) -> &'a str {
        &source[self.start..self.end]
    }

    /// Whether it is a comment.
    #[must_use]
    pub fn is_comment(&self) -> bool {
        matches!(self.kind, TokenKind::LineComment | TokenKind::BlockComment)
    }
}

/// The column, from 1 and in characters, of a byte of the text.
#[must_use]
pub fn column(source: &str, offset: usize) -> u32 {
    let start = source[..offset].rfind('\n').map_or(0, |at| at + 1);
    u32::try_from(source[start..offset].chars().count() + 1).unwrap_or(u32::MAX)
}

/// All tokens of a text, in order. Blanks, line ends and joined line ends are between tokens.
///
/// ```
/// use gristmill_cl_library::lexer::{TokenKind, lex};
/// let source = "x = f(1e-5f); // end";
/// let texts: Vec<&str> = lex(source).iter().map(|t| t.text(source)).collect();
/// assert_eq!(texts, ["x", "=", "f", "(", "1e-5f", ")", ";", "// end"]);
/// ```
#[must_use]
pub fn lex(source: &str) -> Vec<Token> {
    let bytes = source.as_bytes();
    let mut tokens = Vec::with_capacity(bytes.len() / 5);
    let (mut at, mut line) = (0, 1_u32);
    let (mut starts_line, mut space_before) = (true, true);
    while at < bytes.len() {
        let start = at;
        let start_line = line;
        let next = bytes.get(at + 1).copied();
        let kind = match bytes[at] {
            b'\n' => {
                line += 1;
                at += 1;
                (starts_line, space_before) = (true, true);
                continue;
            }
            b'\\' if next == Some(b'\n') || next == Some(b'\r') && bytes.get(at + 2) == Some(&b'\n') => {
                at += if next == Some(b'\n') { 2 } else { 3 };
                line += 1;
                space_before = true;
                continue;
            }
            b if b.is_ascii_whitespace() || b == 0x0B => {
                at += 1;
                space_before = true;
                continue;
            }
            b'/' if next == Some(b'/') => {
                at = end_of_line(bytes, at, &mut line);
                TokenKind::LineComment
            }
            b'/' if next == Some(b'*') => {
                at += 2;
                while at < bytes.len() && !(bytes[at] == b'*' && bytes.get(at + 1) == Some(&b'/')) {
                    line += u32::from(bytes[at] == b'\n');
                    at += 1;
                }
                at = (at + 2).min(bytes.len());
                TokenKind::BlockComment
            }
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
                    if bytes[at] == b'\\' && at + 1 < bytes.len() {
                        at += 1;
                        line += u32::from(bytes[at] == b'\n');
                    }
                    at += 1;
                }
                if at < bytes.len() && bytes[at] == quote {
                    at += 1;
                }
                while !source.is_char_boundary(at) {
                    at += 1;
                }
                TokenKind::String
            }
            b if is_identifier_start(b) => {
                while at < bytes.len() && IN_NAME[usize::from(bytes[at])] {
                    at += 1;
                }
                TokenKind::Identifier
            }
            b if b.is_ascii_digit() || b == b'.' && next.is_some_and(|n| n.is_ascii_digit()) => {
                at += 1;
                while at < bytes.len() {
                    let exponent =
                        matches!(bytes[at - 1], b'e' | b'E' | b'p' | b'P') && matches!(bytes[at], b'+' | b'-');
                    if !(exponent || bytes[at] == b'.' || IN_NAME[usize::from(bytes[at])]) {
                        break;
                    }
                    at += 1;
                }
                TokenKind::Number
            }
            b => {
                at += match (b, next, bytes.get(at + 2)) {
                    (b'.', Some(b'.'), Some(b'.')) => 3,
                    (b'#', Some(b'#'), _) | (b'-', Some(b'>'), _) => 2,
                    _ => 1,
                };
                TokenKind::Punctuation
            }
        };
        tokens.push(Token { kind, start, end: at, line: start_line, starts_line, space_before });
        if matches!(kind, TokenKind::LineComment | TokenKind::BlockComment) {
            space_before = true;
        } else {
            (starts_line, space_before) = (false, false);
        }
    }
    tokens
}

/// The end of a line that a `\` may continue.
fn end_of_line(bytes: &[u8], mut at: usize, line: &mut u32) -> usize {
    while at < bytes.len() && bytes[at] != b'\n' {
        if bytes[at] == b'\\' && bytes.get(at + 1) == Some(&b'\n') {
            *line += 1;
            at += 1;
        }
        at += 1;
    }
    at.min(bytes.len())
}

/// Letters, `_`, `$`, and every byte of a character outside ASCII.
const fn is_identifier_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// Which bytes may stand behind the first of a name.
const IN_NAME: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = is_identifier_start(byte as u8) || (byte as u8).is_ascii_digit();
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<&str> {
        lex(source).iter().map(|t| t.text(source)).collect()
    }

    #[test]
    fn comments_strings_and_joined_lines_are_single_tokens() {
        assert_eq!(texts("a/* b\n c */d"), ["a", "/* b\n c */", "d"]);
        assert_eq!(texts("// one \\\n two\nx"), ["// one \\\n two", "x"]);
        assert_eq!(texts(r#"f("a // \" b", '"')"#), ["f", "(", r#""a // \" b""#, ",", "'\"'", ")"]);
        assert_eq!(texts("#define A \\\n  b\nc"), ["#", "define", "A", "b", "c"]);
    }

    #[test]
    fn what_is_never_closed_ends_with_the_line_or_the_text() {
        assert_eq!(texts("x /* y"), ["x", "/* y"]);
        assert_eq!(texts("x \"y\nz"), ["x", "\"y", "z"]);
        assert_eq!(texts("'\\"), ["'\\"]);
    }

    #[test]
    fn lines_and_line_starts_are_counted() {
        let source = "a b\n  /* x\n */ c\n\\\nd";
        let found: Vec<(&str, u32, bool)> =
            lex(source).iter().map(|t| (t.text(source), t.line, t.starts_line)).collect();
        assert_eq!(found, [("a", 1, true), ("b", 1, false), ("/* x\n */", 2, true), ("c", 3, true), ("d", 5, true)]);
    }
}
