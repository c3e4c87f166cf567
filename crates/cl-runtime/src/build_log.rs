//! What a device's compiler said, taken apart: which message belongs to which line of which file.

use std::fmt;

/// How grave a message of the compiler is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The program does not compile.
    Error,
    /// The program compiles, but something looks wrong.
    Warning,
    /// More on the message before.
    Note,
}

/// One message of the device's compiler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The shard's file, as its `#line` says; empty if the compiler named none.
    pub file: String,
    /// Line, from 1; 0 if unknown.
    pub line: u32,
    /// Column, from 1; 0 if unknown.
    pub column: u32,
    /// How grave.
    pub severity: Severity,
    /// What the compiler said.
    pub text: String,
    /// The line of the program it points at.
    pub source: Option<String>,
}

/// A program that does not compile.
#[derive(Debug, Clone)]
pub struct BuildFailure {
    /// The device whose compiler refused it.
    pub device: String,
    /// What the compiler said, without noise; empty if its log could not be read so.
    pub messages: Vec<Message>,
    /// The compiler's log as it came.
    pub log: String,
}

impl fmt::Display for BuildFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the program does not compile for {}", self.device)?;
        if self.messages.is_empty() {
            return write!(f, "; the compiler said:\n{}", if self.log.is_empty() { "(nothing)" } else { &self.log });
        }
        for message in &self.messages {
            write!(f, "\n{message}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        write!(f, "{word}: {}", self.text)?;
        if self.line == 0 {
            return Ok(());
        }
        let number = self.line.to_string();
        let margin = " ".repeat(number.len());
        write!(f, "\n{margin}--> {}:{}:{}", self.file, self.line, self.column)?;
        if let Some(source) = &self.source {
            write!(f, "\n{margin} |\n{number} | {source}")?;
            if self.column > 0 {
                // Tabs before the place stay tabs, so that the caret stands under it.
                let before: String =
                    source.chars().take(self.column as usize - 1).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
                write!(f, "\n{margin} | {before}^")?;
            }
        }
        Ok(())
    }
}

/// Reads a compiler's log: clang's `FILE:LINE:COLUMN: error: TEXT`, or PoCL's `error: FILE:LINE:COLUMN: TEXT`.
pub(crate) fn read(log: &str, program: &str) -> Vec<Message> {
    let places = Places::new(program);
    let mut messages: Vec<Message> = Vec::new();
    for line in log.lines() {
        let line = line.trim_end();
        let Some(mut message) = parse(line) else { continue };
        message.file = places.file_name(&message.file);
        message.source = places.line(&message.file, message.line).map(str::to_string);
        if !messages.contains(&message) {
            messages.push(message);
        }
    }
    messages
}

fn parse(line: &str) -> Option<Message> {
    const WORDS: [(&str, Severity); 4] = [
        ("fatal error: ", Severity::Error),
        ("error: ", Severity::Error),
        ("warning: ", Severity::Warning),
        ("note: ", Severity::Note),
    ];
    for (word, severity) in WORDS {
        // PoCL: `error: FILE:LINE:COLUMN: TEXT`.
        if let Some(rest) = line.strip_prefix(word) {
            let (place, text) = split_place(rest).unwrap_or((("<program>".into(), 0, 0), rest));
            return Some(Message {
                file: place.0,
                line: place.1,
                column: place.2,
                severity,
                text: text.to_string(),
                source: None,
            });
        }
        // clang: `FILE:LINE:COLUMN: error: TEXT`.
        if let Some((place, text)) = line.split_once(&format!(": {word}"))
            && let Some((file, line, column)) = parse_place(place)
        {
            return Some(Message { file, line, column, severity, text: text.to_string(), source: None });
        }
    }
    None
}

/// `FILE:LINE:COLUMN: TEXT`
fn split_place(text: &str) -> Option<((String, u32, u32), &str)> {
    text.match_indices(": ").find_map(|(at, _)| Some((parse_place(&text[..at])?, &text[at + 2..])))
}

fn parse_place(place: &str) -> Option<(String, u32, u32)> {
    let (rest, last) = place.rsplit_once(':')?;
    let last: u32 = last.parse().ok()?;
    match rest.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse::<u32>().ok()?))) {
        Some((file, line)) => Some((file.to_string(), line, last)),
        None => Some((rest.to_string(), last, 0)),
    }
}

/// Which line of the program text is which line of which file, by its `#line` directives.
struct Places<'a> {
    /// File, first line, lines of the text.
    pieces: Vec<(&'a str, u32, Vec<&'a str>)>,
}

impl<'a> Places<'a> {
    fn new(program: &'a str) -> Places<'a> {
        let mut pieces: Vec<(&str, u32, Vec<&str>)> = vec![("", 1, Vec::new())];
        for line in program.lines() {
            match directive(line) {
                Some((number, file)) => {
                    let file = file.unwrap_or_else(|| pieces.last().map_or("", |p| p.0));
                    pieces.push((file, number, Vec::new()));
                }
                None => {
                    if let Some(piece) = pieces.last_mut() {
                        piece.2.push(line);
                    }
                }
            }
        }
        Places { pieces }
    }

    /// The compiler's own name for text without `#line` (a temporary file) becomes `<program>`.
    fn file_name(&self, file: &str) -> String {
        if self.pieces.iter().any(|p| p.0 == file && !file.is_empty()) {
            file.to_string()
        } else {
            "<program>".to_string()
        }
    }

    fn line(&self, file: &str, line: u32) -> Option<&'a str> {
        let wanted = if file == "<program>" { "" } else { file };
        self.pieces
            .iter()
            .filter(|p| p.0 == wanted && line >= p.1)
            .find_map(|p| p.2.get((line - p.1) as usize))
            .copied()
    }
}

/// `#line 7 "dnorm.cl"`
fn directive(line: &str) -> Option<(u32, Option<&str>)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("line")?.trim_start();
    let (number, rest) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()));
    let file = rest.trim().strip_prefix('"').and_then(|r| r.strip_suffix('"'));
    Some((number.parse().ok()?, file))
}
