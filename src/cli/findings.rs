//! Findings with file, line and caret, or as JSON.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use gristmill_cl_library::{Diagnostic, Library, LibraryError, Place, SORT_FAILED, Severity, missing_dependency};
use serde_json::{Value, json};
use std::io::IsTerminal;

pub(crate) use super::output::{Format, write_json};

/// The byte range of a place within its line.
fn span(place: &Place) -> std::ops::Range<usize> {
    let offset = |chars: usize| place.source.char_indices().nth(chars).map_or(place.source.len(), |(at, _)| at);
    if place.length == 0 {
        let start = place.source.len() - place.source.trim_start().len();
        return start..place.source.trim_end().len().max(start);
    }
    let start = usize::try_from(place.column).unwrap_or(1).saturating_sub(1);
    offset(start)..offset(start + usize::try_from(place.length).unwrap_or(1))
}

fn snippet(place: &Place, kind: AnnotationKind) -> Snippet<'_, annotate_snippets::Annotation<'_>> {
    let annotation = kind.span(span(place));
    let annotation = if place.label.is_empty() { annotation } else { annotation.label(&place.label) };
    let line = usize::try_from(place.line).unwrap_or(1);
    Snippet::source(&place.source).line_start(line).path(&place.file).annotation(annotation)
}

/// One finding as text.
pub(crate) fn render(diagnostic: &Diagnostic, styled: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = annotate_snippets::Group::with_title(level.primary_title(&diagnostic.message).id(diagnostic.code));
    if let Some(place) = &diagnostic.place {
        group = group.element(snippet(place, AnnotationKind::Primary));
    }
    for place in &diagnostic.related {
        group = group.element(snippet(place, AnnotationKind::Context));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help));
    }
    let renderer = if styled { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&[group])
}

/// Findings on stderr, where they are not what the command was asked for.
pub(crate) fn print(findings: &[Diagnostic], files: usize) {
    super::output::write_stderr(&text(findings, files, std::io::stderr().is_terminal()));
}

/// Findings on stdout, where they are what the command was asked for.
pub(crate) fn print_as_data(findings: &[Diagnostic], files: usize) -> super::Result<()> {
    super::write_stdout(text(findings, files, std::io::stdout().is_terminal()).as_bytes())
}

/// All findings, then how many there are among `files` files. Nothing if there are none.
fn text(findings: &[Diagnostic], files: usize, on_terminal: bool) -> String {
    let styled = on_terminal && std::env::var_os("NO_COLOR").is_none();
    let mut text: String = findings.iter().map(|finding| format!("{}\n\n", render(finding, styled))).collect();
    if !findings.is_empty() {
        text.push_str(&format!("{}\n", summary(findings, files)));
    }
    text
}

fn summary(findings: &[Diagnostic], files: usize) -> String {
    let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let errors = errors(findings);
    let warnings = findings.len() - errors;
    let parts: Vec<String> = [(errors, "error"), (warnings, "warning")]
        .into_iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, what)| count(n, what))
        .collect();
    format!("{} in {}", parts.join(" and "), count(files, "file"))
}

/// How many findings are errors.
pub(crate) fn errors(findings: &[Diagnostic]) -> usize {
    findings.iter().filter(|d| d.severity == Severity::Error).count()
}

/// The findings as JSON.
pub(crate) fn to_json(findings: &[Diagnostic]) -> Value {
    let place =
        |p: &Place| json!({"file": p.file, "line": p.line, "column": p.column, "length": p.length, "label": p.label});
    let one = |d: &Diagnostic| {
        json!({
            "code": d.code,
            "severity": d.severity.name(),
            "message": d.message,
            "place": d.place.as_ref().map(place),
            "related": d.related.iter().map(place).collect::<Vec<_>>(),
            "help": d.help,
        })
    };
    findings.iter().map(one).collect()
}

/// What of an error is a problem of the library (exit code 1) rather than a reason not to run (exit code 2).
pub(crate) fn from_error(error: &LibraryError, text_of: impl Fn(&str) -> String) -> Option<Vec<Diagnostic>> {
    let one =
        |code, message: String, help: &str| Some(vec![Diagnostic::new(code, Severity::Error, message).help(help)]);
    match error {
        LibraryError::MissingDependencies { missing } => {
            Some(missing.iter().map(|m| missing_dependency(m, &text_of(&m.file))).collect())
        }
        LibraryError::DependencyCycles { cycles } => {
            let help = "`gristmill lib annotate --break-cycles --dry-run` shows how to break it";
            let message = |c: &Vec<String>| format!("dependency cycle: {}", c.join(" -> "));
            Some(
                cycles
                    .iter()
                    .map(|c| Diagnostic::new("dependency-cycle", Severity::Error, message(c)).help(help))
                    .collect(),
            )
        }
        LibraryError::StaleIndex { .. } => {
            one("stale-index", error.to_string(), "the index must say what the files say")
        }
        LibraryError::DamagedIndex { .. } => one("damaged-index", error.to_string(), "the index cannot be read"),
        _ => None,
    }
}

/// The line that scripts look for, when findings mean that a library cannot be ordered.
pub(crate) fn announce_sort_failure(findings: &[Diagnostic]) {
    if findings.iter().any(|d| matches!(d.code, "missing-dependency" | "dependency-cycle")) {
        say!("error: {SORT_FAILED}");
    }
}

/// The text of a library's file, by the path that findings show.
pub(crate) fn text_in(library: &Library, file: &str) -> String {
    let found = library.shards().iter().find(|s| s.path() == file).map(|s| s.text().to_owned());
    found.or_else(|| std::fs::read(file).ok().map(|b| gristmill_cl_library::decode(b).text)).unwrap_or_default()
}
