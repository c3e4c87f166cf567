//! Why a text is no kernel.

use std::fmt;

/// An error in a text: what, and where. Its author has to act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceError {
    /// What is wrong, in one line.
    pub message: String,
    /// The line, from 1.
    pub line: usize,
    /// The column of the first character it is about, from 1.
    pub column: usize,
    /// How many characters it is about.
    pub width: usize,
    /// That line.
    pub text: String,
    /// What the text is called, if it has a name.
    pub name: String,
}

/// The most characters of a line that are shown.
const MOST: usize = 160;

impl SourceError {
    /// At a byte of a text.
    pub(crate) fn at(text: &str, at: usize, message: String) -> SourceError {
        let start = text[..at].rfind('\n').map_or(0, |i| i + 1);
        let (line, column) = (text[..at].matches('\n').count() + 1, text[start..at].chars().count() + 1);
        SourceError::at_place(text, line, column, 1, message)
    }

    /// Where syn says that something is.
    pub(crate) fn of(text: &str, error: &syn::Error) -> SourceError {
        let (start, end) = (error.span().start(), error.span().end());
        let width = if start.line == end.line { end.column.saturating_sub(start.column) } else { usize::MAX };
        let message = error.to_string();
        let message = match message.strip_prefix("#[kernel]: ").unwrap_or(&message) {
            // What the lexer says of all that it cannot read.
            "cannot parse string into token stream" => {
                "a bracket or a quote is not closed, or a character has no meaning here"
            }
            message => message,
        };
        SourceError::at_place(text, start.line, start.column + 1, width.max(1), message.to_string())
    }

    fn at_place(text: &str, line: usize, column: usize, width: usize, message: String) -> SourceError {
        let shown = text.lines().nth(line.saturating_sub(1)).unwrap_or("").to_string();
        let left = shown.chars().count().saturating_sub(column - 1).max(1);
        SourceError { message, line, column, width: width.min(left), text: shown, name: String::new() }
    }

    /// The same, of a text with a name.
    #[must_use]
    pub fn in_file(mut self, name: &str) -> SourceError {
        self.name = name.to_string();
        self
    }
}

impl fmt::Display for SourceError {
    /// The message, where it is, the line and carets below it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.name.is_empty() { "kernels" } else { &self.name };
        let number = self.line.to_string();
        let margin = gristmill_support::align_right("", number.len());
        let (text, before) = gristmill_support::crop(&self.text, self.column - 1, self.column - 1 + self.width, MOST);
        let width = self.width.min(text.chars().count().saturating_sub(before)).max(1);
        write!(
            f,
            "{}\n{margin}--> {name}:{}:{}\n{margin} |\n{number} | {text}\n{margin} | {}{}",
            self.message,
            self.line,
            self.column,
            gristmill_support::align_right("", before),
            "^".repeat(width)
        )
    }
}

impl std::error::Error for SourceError {}
