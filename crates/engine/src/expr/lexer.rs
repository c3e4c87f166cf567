//! Text to tokens.

use super::{ExprError, Span};

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    Number(f64),
    /// A plain name or one in backticks; only plain ones can be keywords.
    Name {
        text: String,
        quoted: bool,
    },
    /// Text in quotes, without them.
    Text(String),
    /// An operator or a bracket, as written.
    Symbol(&'static str),
    End,
}

/// Longest first, so that `<=` is not read as `<` and `=`.
const SYMBOLS: &[&str] = &[
    "%in%", "%/%", "%%", "<-", "<=", ">=", "==", "!=", "&&", "||", "**", "+", "-", "*", "/", "^", "<", ">", "&", "|",
    "!", "(", ")", ",", "=",
];

pub(super) fn tokens(source: &str) -> Result<Vec<(Token, Span)>, ExprError> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(c) = source[at..].chars().next() {
        let start = at;
        let rest = &source[at..];
        let token = if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        } else if c == '#' {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        } else if c.is_ascii_digit() || (c == '.' && rest[1..].starts_with(|d: char| d.is_ascii_digit())) {
            let length = number_length(rest);
            at += length;
            let value = number(&rest[..length]);
            // `10L` is R's way to write an integer.
            if source[at..].starts_with('L') {
                at += 1;
            }
            if let Some(next) = source[at..].chars().next().filter(|c| is_name_part(*c)) {
                let span = Span { start, end: at + next.len_utf8() };
                return Err(ExprError::new(source, span, format!("`{}` is not a number", &source[start..span.end]))
                    .help("put a space or an operator between a number and a name"));
            }
            match value {
                Some(value) => Token::Number(value),
                None => {
                    return Err(ExprError::new(
                        source,
                        Span { start, end: at },
                        format!("`{}` is not a number", &source[start..at]),
                    ));
                }
            }
        } else if c == '`' {
            let Some(length) = rest[1..].find('`') else {
                return Err(ExprError::new(source, Span { start, end: source.len() }, "a backtick is open to the end")
                    .help("close the name with a second backtick"));
            };
            at += length + 2;
            if length == 0 {
                return Err(ExprError::new(source, Span { start, end: at }, "a name in backticks is empty"));
            }
            Token::Name { text: rest[1..=length].to_string(), quoted: true }
        } else if c == '"' || c == '\'' {
            let (text, length) = quoted(rest).ok_or_else(|| {
                ExprError::new(source, Span { start, end: source.len() }, "a quote is open to the end")
                    .help(format!("close the text with a second {c}"))
            })?;
            at += length;
            Token::Text(text)
        } else if is_name_part(c) {
            at += rest.find(|c| !is_name_part(c)).unwrap_or(rest.len());
            Token::Name { text: source[start..at].to_string(), quoted: false }
        } else if let Some(symbol) = SYMBOLS.iter().find(|s| rest.starts_with(**s)) {
            at += symbol.len();
            Token::Symbol(symbol)
        } else {
            let span = Span { start, end: start + c.len_utf8() };
            let error = ExprError::new(source, span, format!("`{c}` has no meaning in an expression"));
            return Err(match c {
                '[' | '$' | '{' => error.help("every row is computed alone: columns are used by their name only"),
                _ => error,
            });
        };
        out.push((token, Span { start, end: at }));
    }
    out.push((Token::End, Span { start: source.len(), end: source.len() }));
    Ok(out)
}

/// The text in quotes at the start, as R reads it, and how many bytes it takes; `None` if the quote is not closed.
fn quoted(source: &str) -> Option<(String, usize)> {
    let mut characters = source.char_indices();
    let (_, quote) = characters.next()?;
    let mut text = String::new();
    while let Some((at, c)) = characters.next() {
        match c {
            '\\' => text.push(match characters.next()?.1 {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                other => other,
            }),
            c if c == quote => return Some((text, at + c.len_utf8())),
            c => text.push(c),
        }
    }
    None
}

fn is_name_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}

/// How many bytes the number at the start of `text` takes: `0x1F`, `12`, `1.5`, `.5`, `1e-5`.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| from + bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    if text.starts_with("0x") || text.starts_with("0X") {
        return 2 + bytes[2..].iter().take_while(|b| b.is_ascii_hexdigit()).count();
    }
    let mut end = digits(0);
    if bytes.get(end) == Some(&b'.') {
        end = digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        if exponent > end + 1 + sign {
            end = exponent;
        }
    }
    end
}

fn number(text: &str) -> Option<f64> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(hex) => u64::from_str_radix(hex, 16).ok().map(|n| n as f64),
        None => text.parse().ok(),
    }
}
