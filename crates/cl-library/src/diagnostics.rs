//! Findings: what, where, and what to do.

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// A device compiler will refuse it, or the library cannot be used as asked.
    Error,
    /// It works, but not as the annotations say.
    Warning,
}

impl Severity {
    /// `error` or `warning`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file, as diagnostics show it.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1, in characters.
    pub column: u32,
    /// How many characters are meant; 0 for the whole line.
    pub length: u32,
    /// The line's text; nothing for a line that nobody could read, which thousands of findings may share.
    pub source: String,
    /// What to say at the caret.
    pub label: String,
}

fn shown(line: &str) -> String {
    if line.len() > 2000 { String::new() } else { line.to_owned() }
}

impl Place {
    /// A place in a text: `offset` is a byte of it.
    #[must_use]
    pub fn in_text(file: &str, text: &str, offset: usize, length: u32, label: impl Into<String>) -> Self {
        let offset = offset.min(text.len());
        let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
        let line = u32::try_from(text[..start].bytes().filter(|b| *b == b'\n').count() + 1).unwrap_or(u32::MAX);
        Self {
            file: file.to_owned(),
            line,
            column: crate::lexer::column(text, offset),
            length,
            source: shown(text[start..].lines().next().unwrap_or_default()),
            label: label.into(),
        }
    }

    /// A place by line and column, from 1.
    #[must_use]
    pub fn at(file: &str, text: &str, line: u32, column: u32, length: u32, label: impl Into<String>) -> Self {
        let source = shown(crate::text::line_of(text, line).unwrap_or_default());
        Self { file: file.to_owned(), line, column, length, source, label: label.into() }
    }
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// A name that never changes: `undefined-function`.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// One sentence, lower case, no full stop.
    pub message: String,
    /// Where it is.
    pub place: Option<Place>,
    /// Other places that belong to it.
    pub related: Vec<Place>,
    /// What to do.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A finding without a place.
    #[must_use]
    pub fn new(code: &'static str, severity: Severity, message: impl Into<String>) -> Self {
        Self { code, severity, message: message.into(), place: None, related: Vec::new(), help: None }
    }

    /// With its place.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// With another place that belongs to it.
    #[must_use]
    pub fn related(mut self, place: Place) -> Self {
        self.related.push(place);
        self
    }

    /// With what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}
