//! How deep a text is, before anything recursive sees it.

/// The largest text that is read.
const MOST_BYTES: usize = 4 << 20;
/// The most brackets within each other.
const MOST_BRACKETS: usize = 250;
/// The most tokens on the way to one of them: an upper bound of the depth of its syntax tree.
const MOST_DEEP: usize = 6000;
/// Room for that depth.
pub(crate) const STACK: usize = 512 << 20;

/// Why a text is not read: where, and what is too much.
pub(crate) struct TooDeep {
    pub(crate) at: usize,
    pub(crate) message: String,
}

/// One pair of brackets, while it is open.
struct Open {
    /// Tokens since the last `;` or `,`, or since a statement ended with a block.
    chain: usize,
    /// The last token was a block's end.
    after_block: bool,
}

/// Refuses a text whose syntax tree might be too deep for [`on_large_stack`].
///
/// Brackets nest; so do chains of operators, of methods and of `else if`, which the parser makes into deep trees. The depth of
/// a token is at most the number of tokens before it, in its own brackets and in those around them, that belong to one expression.
pub(crate) fn check(text: &str) -> Result<(), TooDeep> {
    if text.len() > MOST_BYTES {
        let message = format!("the text has {} bytes, but at most {MOST_BYTES} are read", text.len());
        return Err(TooDeep { at: 0, message });
    }
    let bytes = text.as_bytes();
    let mut open = vec![Open { chain: 0, after_block: false }];
    let mut below = 0usize;
    let mut i = 0;
    while i < bytes.len() {
        let start = i;
        let c = bytes[i];
        match c {
            _ if c.is_ascii_whitespace() => {
                i += 1;
                continue;
            }
            b'/' if bytes.get(i + 1) == Some(&b'/') => {
                i += text[i..].find('\n').unwrap_or(text.len() - i);
                continue;
            }
            b'/' if bytes.get(i + 1) == Some(&b'*') => {
                let mut level = 0usize;
                while i < bytes.len() {
                    match (bytes[i], bytes.get(i + 1)) {
                        (b'/', Some(b'*')) => (level, i) = (level + 1, i + 2),
                        (b'*', Some(b'/')) => (level, i) = (level - 1, i + 2),
                        _ => i += 1,
                    }
                    if level == 0 {
                        break;
                    }
                }
                continue;
            }
            b'"' => {
                i += 1;
                while i < bytes.len() && bytes[i] != b'"' {
                    i += if bytes[i] == b'\\' { 2 } else { 1 };
                }
                i += 1;
            }
            _ if c.is_ascii_alphanumeric() || c == b'_' || c >= 0x80 => {
                while i < bytes.len() && (bytes[i].is_ascii_alphanumeric() || bytes[i] == b'_' || bytes[i] >= 0x80) {
                    i += 1;
                }
            }
            _ => i += 1,
        }
        let word = &bytes[start..i.min(bytes.len())];
        let here = open.last_mut().expect("the outermost is never closed");
        let begins_statement = c.is_ascii_alphanumeric() || c == b'_' || matches!(c, b'#' | b'\'');
        if here.after_block && begins_statement && !matches!(word, b"else" | b"as") {
            here.chain = 0;
        }
        here.after_block = false;
        here.chain += 1;
        if below + here.chain > MOST_DEEP {
            let message =
                format!("an expression of more than {MOST_DEEP} tokens is too deep: name its parts with `let`");
            return Err(TooDeep { at: start, message });
        }
        match c {
            b';' | b',' => here.chain = 0,
            b'(' | b'[' | b'{' => {
                below += here.chain;
                open.push(Open { chain: 0, after_block: false });
                if open.len() > MOST_BRACKETS {
                    let message = format!("more than {MOST_BRACKETS} brackets stand within each other");
                    return Err(TooDeep { at: start, message });
                }
            }
            b')' | b']' | b'}' if open.len() > 1 => {
                open.pop();
                let here = open.last_mut().expect("the outermost is never closed");
                below -= here.chain;
                here.after_block = c == b'}';
            }
            _ => {}
        }
    }
    Ok(())
}

/// Runs what is recursive in the depth of a text. An error if its thread cannot be started, or if it panicked.
pub(crate) fn on_large_stack<R: Send>(work: impl FnOnce() -> R + Send) -> Result<R, String> {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().name("kernel text".into()).stack_size(STACK);
        let thread =
            builder.spawn_scoped(scope, work).map_err(|e| format!("no thread can be started for the text: {e}"))?;
        thread.join().map_err(|_| "the translation of the text failed: this is a bug of ours".to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_refused(text: &str) -> bool {
        check(text).is_err()
    }

    #[test]
    fn what_nests_is_refused_and_what_is_only_long_is_not() {
        assert!(is_refused(&"{".repeat(10_000)));
        assert!(is_refused(&format!("fn f(x: f64) -> f64 {{ {}x }}", "-".repeat(100_000))));
        assert!(is_refused(&format!("fn f(x: f64) -> f64 {{ x{} }}", ".abs()".repeat(100_000))));
        assert!(is_refused(&format!("fn f() {{ {} }}", "if a {} else ".repeat(10_000))));
        let many = "    let y = x * (y + 1.0); if x > y { y = 2.0; } while c {}\n".repeat(20_000);
        assert!(!is_refused(&format!("fn f(x: f64) -> f64 {{\n{many} y }}")));
        assert!(!is_refused(&format!("const T: [f64; 20000] = [{}];", "1.0, ".repeat(20_000))));
        assert!(!is_refused("// ((((\n/* {{ /* [[ */ */ fn f() { \"((\" }"));
    }
}
