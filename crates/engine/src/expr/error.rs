//! An error that points at the characters it is about.

use super::Span;
use gristmill_support::{align_right, crop};
use std::fmt;

/// The most characters that are shown of a line.
const MOST: usize = 160;

/// Why an expression cannot be used. Its author has to act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExprError {
    /// What is wrong, in one line.
    pub message: String,
    /// The whole source text.
    pub source: String,
    /// The characters it is about.
    pub span: Span,
    /// What to do about it.
    pub help: Option<String>,
}

impl ExprError {
    /// An error without help.
    pub fn new(source: &str, span: Span, message: impl Into<String>) -> ExprError {
        ExprError { message: message.into(), source: source.to_string(), span, help: None }
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> ExprError {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for ExprError {
    /// The message, the line or the part of it that matters, carets below the characters, the help.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.span.start.min(self.source.len());
        let line_start = self.source[..start].rfind('\n').map_or(0, |i| i + 1);
        let line_end = self.source[start..].find('\n').map_or(self.source.len(), |i| start + i);
        let line = &self.source[line_start..line_end];
        // One column per character: right for everything but wide glyphs, where the caret is a little to the left.
        let before = self.source[line_start..start].chars().count();
        let end = self.span.end.clamp(start, line_end);
        let width = self.source[start..end].chars().count();
        let (line, before) = crop(line, before, before + width, MOST);
        let width = width.min(line.chars().count() - before).max(1);
        write!(f, "{}\n  {line}\n  {}{}", self.message, align_right("", before), "^".repeat(width))?;
        match &self.help {
            Some(help) => write!(f, "\n  help: {help}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ExprError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_carets_stand_below_the_span_also_after_wide_bytes_and_line_breaks() {
        let source = "a +\nµ + men";
        let start = source.find("men").unwrap();
        let error = ExprError::new(source, Span { start, end: start + 3 }, "no column `men`").help("try `mean`");
        assert_eq!(error.to_string(), "no column `men`\n  µ + men\n      ^^^\n  help: try `mean`");
    }

    #[test]
    fn of_a_long_line_the_part_that_matters_is_shown() {
        let source = format!("`{}` + men + {}", "x".repeat(70_000), "y".repeat(70_000));
        for name in ["x", "men", "y"] {
            let start = source.find(name).unwrap();
            let end = start + source[start..].find([' ', '`']).unwrap_or(source.len() - start);
            let text = ExprError::new(&source, Span { start, end }, "wrong").to_string();
            let lines: Vec<&str> = text.lines().collect();
            assert!(lines.len() == 3 && lines[1..].iter().all(|l| l.chars().count() <= MOST + 3), "{text}");
            let at = lines[2].find('^').unwrap();
            assert!(lines[1].chars().skip(at).collect::<String>().starts_with(name), "{text}");
        }
    }

    #[test]
    fn an_error_at_the_end_of_the_text_has_one_caret() {
        let error = ExprError::new("1 +", Span { start: 3, end: 3 }, "an operand is missing");
        assert_eq!(error.to_string(), "an operand is missing\n  1 +\n     ^");
    }
}
