//! The closed call graph: is everything that a program calls there, before any device sees it?

use crate::annotations::Value;
use crate::builtins;
use crate::diagnostics::{Diagnostic, Place, Severity};
use crate::error::path_in_words;
use crate::graph::{Order, Reach};
use crate::lexer::TokenKind;
use crate::library::{Library, Shard};
use crate::preprocess::{Complaint, Position, Preprocessor};
use crate::program::{Layer, ProgramPiece, ProgramSource};
use crate::scan::{Call, FunctionDefinition, Scan, Space, Word, scan};
use gristmill_support::nearest;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The codes of what [`check_program`] may find.
pub const PROGRAM_RULES: &[&str] = &[
    "undefined-function",
    "used-before-declaration",
    "duplicate-definition",
    "recursion",
    "argument-count",
    "address-space",
    "extern-variable",
    "macro-redefined",
    "unterminated-conditional",
    "unmatched-directive",
    "bad-condition",
    "error-directive",
    "include",
    "macro-explosion",
];

/// Checks an assembled program: undefined functions, functions used before they are declared, duplicate definitions,
/// recursion, and what the preprocessor objects to. `defines` are the `-D` options of the build.
#[must_use]
pub fn check_program(program: &ProgramSource, defines: &[(String, String)]) -> Vec<Diagnostic> {
    let pieces: Vec<&ProgramPiece> = program.pieces().iter().collect();
    let mut found = Vec::new();
    Analysis::run(&pieces, defines, |analysis| found = analysis.program_findings(false));
    sort(&mut found);
    found
}

/// Checks a library: annotations, order, and the call graph of all its files behind a prelude (may be empty).
///
/// Without a prelude, a function that the library does not define may still come from one; then it is a warning.
#[must_use]
pub fn check_library(library: &Library, prelude: &[ProgramPiece]) -> Vec<Diagnostic> {
    let mut found = annotation_findings(library);
    let mut absent = provided_but_absent(library);
    let order = library.order();
    if let Ok(order) = &order {
        let shards: Vec<ProgramPiece> = order.shards(library).map(|s| ProgramPiece::new(Layer::Library, s)).collect();
        // A library that the prelude already loads is not there twice.
        let own: HashSet<&str> = shards.iter().map(|p| p.path.as_str()).collect();
        let pieces: Vec<&ProgramPiece> = without(prelude, &shards).into_iter().chain(&shards).collect();
        let first_own = pieces.len() - shards.len();
        Analysis::run(&pieces, &[], |analysis| {
            let is_own = |d: &Diagnostic| d.place.as_ref().is_none_or(|p| own.contains(p.file.as_str()));
            found.extend(analysis.program_findings(first_own == 0).into_iter().filter(is_own));
            found.extend(analysis.undeclared_dependencies(library, order, first_own));
            analysis.made_by_macros(order, first_own, &mut absent);
        });
    }
    found.extend(absent.into_iter().map(|(shard, value)| provides_nothing(&library.shards()[shard], value)));
    sort(&mut found);
    found
}

/// What `--strict` asks of a library beside [`check_library`]: every file says what it provides, every file that is no header
/// lists the header, and `@includes` says what the includes say.
#[must_use]
pub fn strict_findings(library: &Library) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let header = library.shard(library.name()).and_then(|s| library.resolve(s.stem()));
    let below: HashSet<usize> =
        header.map(|h| library.graph().reachable(&[h]).into_iter().collect()).unwrap_or_default();
    for (index, shard) in library.shards().iter().enumerate() {
        let first = |label: &str| Place::at(shard.path(), shard.text(), 1, 1, 0, label);
        let warn = |code: &'static str, message: String| Diagnostic::new(code, Severity::Warning, message);
        // `(none)` says it too.
        if !shard.annotations().has("provides") {
            found.push(
                warn("no-provides", format!("`{}` does not say what it provides", shard.stem()))
                    .at(first(""))
                    .help("add `// @provides: NAME`; `gristmill lib annotate` writes it from the code"),
            );
        }
        let is_header = matches!(shard.annotations().scalar("source_type"), Some("h" | "hpp"));
        if let Some(header) =
            header.filter(|h| !is_header && !below.contains(&index) && !library.graph().needs(index).contains(h))
        {
            let name = library.shards()[header].stem();
            found.push(
                warn("header-not-listed", format!("`{}` does not list the library's header `{name}`", shard.stem()))
                    .at(first(""))
                    .help(format!("add `{name}` to `@depends`")),
            );
        }
        found.extend(include_finding(library, shard));
    }
    sort(&mut found);
    found
}

/// `@includes` against the `#include` lines, also those that a port has commented out.
fn include_finding(library: &Library, shard: &Shard) -> Option<Diagnostic> {
    let tag = shard.annotations().tags().iter().find(|t| t.name == "includes")?;
    let stem = |line: &str| {
        let line = line.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '/' | '*'));
        let file = line.strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start();
        let file = file.strip_prefix(['"', '<'])?.split(['"', '>']).next()?;
        let name = file.rsplit('/').next().unwrap_or(file);
        Some(name.split('.').next().unwrap_or(name).to_owned())
    };
    let included: HashSet<String> = shard.text().lines().filter_map(stem).collect();
    if included.is_empty() {
        return None;
    }
    let listed: HashSet<String> = shard.annotations().list("includes").into_iter().map(str::to_owned).collect();
    let mut differs: Vec<&str> = included
        .symmetric_difference(&listed)
        .map(String::as_str)
        .filter(|name| *name != library.name()) // the label of the group, which the tag may also hold
        .collect();
    if differs.is_empty() {
        return None;
    }
    differs.sort_unstable();
    let message = format!("`@includes` of `{}` is not what it includes", shard.stem());
    let label = format!("differs in: {}", differs.join(", "));
    let place = Place::at(shard.path(), shard.text(), tag.line, tag.column, 9, label);
    Some(Diagnostic::new("includes-differ", Severity::Warning, message).at(place))
}

/// The pieces of a prelude that are not among the library's own files.
pub(crate) fn without<'a>(prelude: &'a [ProgramPiece], own: &[ProgramPiece]) -> Vec<&'a ProgramPiece> {
    let real = |p: &ProgramPiece| std::fs::canonicalize(&p.path).unwrap_or_else(|_| p.path.clone().into());
    let own: HashSet<std::path::PathBuf> = own.iter().map(real).collect();
    prelude.iter().filter(|p| !own.contains(&real(p))).collect()
}

fn sort(found: &mut [Diagnostic]) {
    found.sort_by(|a, b| {
        let key = |d: &Diagnostic| d.place.as_ref().map(|p| (p.file.clone(), p.line, p.column));
        (a.severity, key(a), a.code, &a.message).cmp(&(b.severity, key(b), b.code, &b.message))
    });
}

/// What can be said from the annotations alone.
fn annotation_findings(library: &Library) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for missing in library.missing() {
        let shard = library.shard(&missing.needed_by);
        let text = shard.map(Shard::text).unwrap_or_default();
        found.push(missing_dependency(missing, text));
    }
    found.extend(cycle_findings(library));
    let mut reach = Reach::new(library.graph());
    for (index, shard) in library.shards().iter().enumerate() {
        if let Some(line) = shard.first_invalid_line() {
            let place = Place::at(shard.path(), shard.text(), line, 1, 0, "the first such byte is in this line");
            found.push(
                Diagnostic::new("not-utf8", Severity::Warning, format!("`{}` is not UTF-8", shard.stem())).at(place),
            );
        }
        found.extend(derived_tags(library, &mut reach, index, shard));
        found.extend(tag_in_block_comment(shard));
    }
    found
}

/// The findings for a library's dependency cycles, with the place of the annotation that enters each.
#[must_use]
pub fn cycle_findings(library: &Library) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for cycle in library.graph().cycles() {
        let stems = library.stems(&cycle);
        let shard = &library.shards()[cycle[0]];
        let value =
            shard.annotations().values("depends").into_iter().find(|v| library.resolve(&v.text) == Some(cycle[1]));
        let mut diagnostic = Diagnostic::new(
            "dependency-cycle",
            Severity::Error,
            format!("dependency cycle: {}", path_in_words(&stems)),
        )
        .help("`gristmill lib annotate --break-cycles --dry-run` shows how to break it");
        if let Some(value) = value {
            let length = u32::try_from(value.text.chars().count()).unwrap_or(1);
            diagnostic = diagnostic.at(Place::at(
                shard.path(),
                shard.text(),
                value.line,
                value.column,
                length,
                "the cycle starts here",
            ));
        }
        found.push(diagnostic);
    }
    found
}

/// The finding for a missing name, with the place in the annotation.
#[must_use]
pub fn missing_dependency(missing: &crate::error::MissingDependency, text: &str) -> Diagnostic {
    let message = format!("`{}` depends on `{}`, which no file provides", missing.needed_by, missing.name);
    let length = u32::try_from(missing.name.chars().count()).unwrap_or(1);
    let label = missing.nearest.as_ref().map_or_else(|| "not found".to_owned(), |n| format!("did you mean `{n}`?"));
    Diagnostic::new("missing-dependency", Severity::Error, message)
        .at(Place::at(&missing.file, text, missing.line, missing.column, length, label))
        .help(format!("add a file that provides `{}`, or drop it from `@{}`", missing.name, missing.tag))
}

/// `@all_depends` and `@all_depends_count` that no longer say what `@depends` says.
fn derived_tags(library: &Library, reach: &mut Reach<'_>, index: usize, shard: &Shard) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if !library.missing().is_empty() {
        return found;
    }
    let tag = |name: &str| shard.annotations().tags().iter().find(|t| t.name == name);
    let place = |t: &crate::annotations::Tag, label: &str| {
        Place::at(shard.path(), shard.text(), t.line, t.column, u32::try_from(t.name.len() + 1).unwrap_or(1), label)
    };
    if tag("all_depends").is_none() && tag("all_depends_count").is_none() {
        return found;
    }
    let needed: HashSet<usize> = reach.from(&[index]).into_iter().filter(|i| *i != index).collect();
    if let Some(tag) = tag("all_depends") {
        let listed: Vec<&str> = shard.annotations().list("all_depends");
        let known: HashSet<usize> = listed.iter().filter_map(|n| library.resolve(n)).filter(|i| *i != index).collect();
        if known != needed {
            let mut differs: Vec<usize> = known.symmetric_difference(&needed).copied().collect();
            differs.sort_unstable();
            let message = format!("`@all_depends` of `{}` is not what its `@depends` lead to", shard.stem());
            let label = format!("differs in: {}", library.stems(&differs).join(", "));
            found.push(Diagnostic::new("stale-annotation", Severity::Warning, message).at(place(tag, &label)));
        }
    }
    if let Some(tag) = tag("all_depends_count")
        && let Some(count) = tag.values.first()
        && count.text.parse::<usize>().ok() != Some(needed.len())
    {
        let message = format!(
            "`@all_depends_count` of `{}` is `{}`, but it needs {} files",
            shard.stem(),
            count.text,
            needed.len()
        );
        found.push(Diagnostic::new("stale-annotation", Severity::Warning, message).at(place(tag, "")));
    }
    found
}

/// An annotation in `/* … */` before the code: it looks like one, and nothing reads it.
fn tag_in_block_comment(shard: &Shard) -> Option<Diagnostic> {
    let text = shard.text();
    let tokens = crate::lexer::lex(text);
    // Conditionals and defines may stand between annotations; code ends them.
    let is_code = |t: &crate::lexer::Token| !t.is_comment() && t.starts_line && t.text(text) != "#";
    let before_code = tokens.iter().take_while(|t| !is_code(t)).filter(|t| t.kind == TokenKind::BlockComment);
    for comment in before_code {
        for (row, line) in comment.text(text).lines().enumerate() {
            let inside = line.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '/' | '*'));
            let Some(name) = inside.strip_prefix('@').and_then(|rest| rest.split([':', ' ', '\t', '*']).next()) else {
                continue;
            };
            let is_ours = matches!(name, "provides" | "depends" | "all_depends" | "also_depends")
                || name.starts_with("depends_")
                || name.starts_with("all_depends_");
            if is_ours && !shard.annotations().has(name) {
                let number = comment.line + u32::try_from(row).unwrap_or(0);
                let message =
                    format!("`@{name}` of `{}` stands in a block comment, where nobody reads it", shard.stem());
                return Some(
                    Diagnostic::new("annotation-unread", Severity::Warning, message)
                        .at(Place::at(shard.path(), text, number, 1, 0, ""))
                        .help(format!("write `// @{name}: …`")),
                );
            }
        }
    }
    None
}

/// Names in `@provides` that do not occur in the file as it is written, each with the number of its file.
fn provided_but_absent(library: &Library) -> Vec<(usize, &Value)> {
    let mut absent = Vec::new();
    for (index, shard) in library.shards().iter().enumerate() {
        let names = shard.annotations().values("provides");
        if names.is_empty() {
            continue;
        }
        let text = shard.text();
        let words: HashSet<&str> =
            crate::lexer::lex(text).iter().filter(|t| !t.is_comment()).map(|t| t.text(text)).collect();
        absent.extend(names.into_iter().filter(|v| !words.contains(v.text.as_str())).map(|value| (index, value)));
    }
    absent
}

/// The finding for a name in `@provides` that the file does not hold.
fn provides_nothing(shard: &Shard, value: &Value) -> Diagnostic {
    let length = u32::try_from(value.text.chars().count()).unwrap_or(1);
    let place = Place::at(shard.path(), shard.text(), value.line, value.column, length, "never mentioned below");
    let message = format!("`{}` says it provides `{}`, which does not occur in it", shard.stem(), value.text);
    Diagnostic::new("provides-nothing", Severity::Warning, message)
        .at(place)
        .help("correct `@provides`; `gristmill lib annotate` writes it from the code")
}

struct Analysis<'a> {
    pieces: &'a [&'a ProgramPiece],
    words: &'a [Word<'a>],
    scan: Scan<'a>,
    complaints: &'a [Complaint],
    by_name: HashMap<&'a str, Vec<usize>>,
    declared: HashMap<&'a str, usize>,
    /// The first prototype of each name.
    prototypes: HashMap<&'a str, usize>,
    guesses: std::cell::Cell<usize>,
}

impl<'a> Analysis<'a> {
    fn run(pieces: &[&ProgramPiece], defines: &[(String, String)], use_it: impl FnOnce(&Analysis<'_>)) {
        let mut preprocessor = Preprocessor::new(defines);
        preprocessor.expect(pieces.iter().map(|piece| piece.text.len()).sum());
        for (number, piece) in pieces.iter().enumerate() {
            preprocessor.piece(u32::try_from(number).unwrap_or(u32::MAX), &piece.text);
        }
        let words: Vec<Word<'_>> = preprocessor
            .tokens
            .iter()
            .map(|t| Word { kind: t.kind, text: &t.text, position: t.position, via: t.via.as_deref() })
            .collect();
        let scan = scan(&words);
        let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut declared: HashMap<&str, usize> = HashMap::new();
        for (index, function) in scan.functions.iter().enumerate() {
            by_name.entry(function.name).or_default().push(index);
        }
        let prototypes = scan.prototypes.iter().map(|p| (p.name, p.at));
        for (name, at) in prototypes.chain(scan.functions.iter().map(|f| (f.name, f.at))) {
            let first = declared.entry(name).or_insert(at);
            *first = (*first).min(at);
        }
        let mut first_prototypes: HashMap<&str, usize> = HashMap::new();
        for (index, prototype) in scan.prototypes.iter().enumerate() {
            first_prototypes.entry(prototype.name).or_insert(index);
        }
        use_it(&Analysis {
            pieces,
            words: &words,
            scan,
            complaints: &preprocessor.complaints,
            by_name,
            declared,
            prototypes: first_prototypes,
            guesses: std::cell::Cell::new(0),
        });
    }

    fn place(&self, position: Position, length: usize, label: impl Into<String>) -> Place {
        let piece = &self.pieces[usize::try_from(position.piece).unwrap_or(0).min(self.pieces.len() - 1)];
        Place::in_text(&piece.path, &piece.text, position.byte(), u32::try_from(length).unwrap_or(1), label)
    }

    /// The functions that a kernel reaches; all, if there is no kernel.
    fn reached(&self) -> Vec<bool> {
        let functions = &self.scan.functions;
        let mut reached = vec![false; functions.len()];
        let mut stack: Vec<usize> = (0..functions.len()).filter(|i| functions[*i].is_kernel).collect();
        if stack.is_empty() {
            return vec![true; functions.len()];
        }
        while let Some(index) = stack.pop() {
            if !std::mem::replace(&mut reached[index], true) {
                for call in &functions[index].calls {
                    stack.extend(self.by_name.get(call.name).into_iter().flatten());
                }
            }
        }
        reached
    }

    fn program_findings(&self, may_lack_prelude: bool) -> Vec<Diagnostic> {
        let mut found = self.preprocessor_findings();
        self.duplicates(&mut found);
        self.recursion(&mut found);
        for variable in &self.scan.externs {
            found.push(
                Diagnostic::new(
                    "extern-variable",
                    Severity::Error,
                    format!("`extern` variable `{}` is not in constant memory", variable.name),
                )
                .at(self.place(variable.position, variable.name.len(), "declared here"))
                .help("declare it `extern __constant`: variables outside functions must be constant"),
            );
        }
        let reached = self.reached();
        let has_include = self.complaints.iter().any(|c| matches!(c, Complaint::Include { .. }));
        let mut seen: HashSet<(&str, &str, Position)> = HashSet::new();
        for (index, function) in self.scan.functions.iter().enumerate() {
            for call in &function.calls {
                // Only a macro makes several calls at one place.
                if call.via.is_some() && !seen.insert((function.name, call.name, call.position)) {
                    continue;
                }
                if builtins::is_function(call.name) {
                    continue;
                }
                found.extend(self.argument_findings(function, call));
                if let Some(mut diagnostic) = self.call_finding(function, call) {
                    // An unreached function is dropped before linking, so only what it calls undeclared is an error there.
                    let harmless = diagnostic.code == "undefined-function"
                        && self.declared.contains_key(call.name)
                        && !reached[index];
                    if harmless || has_include || may_lack_prelude {
                        diagnostic.severity = Severity::Warning;
                    }
                    if may_lack_prelude && diagnostic.code == "undefined-function" {
                        diagnostic.help = Some(
                            "if a prelude defines it, name the package's manifest so that the prelude is checked too"
                                .to_owned(),
                        );
                    }
                    found.push(diagnostic);
                }
            }
        }
        found
    }

    /// Too many or too few arguments, and pointers into another address space than the function takes.
    fn argument_findings(&self, function: &FunctionDefinition<'_>, call: &Call<'_>) -> Vec<Diagnostic> {
        let (position, parameters) = match self.by_name.get(call.name).map(Vec::as_slice) {
            Some([only]) if !self.scan.functions[*only].is_overloadable => {
                (self.scan.functions[*only].position, &self.scan.functions[*only].parameters)
            }
            Some(_) => return Vec::new(),
            None => match self.prototypes.get(call.name) {
                Some(index) => (self.scan.prototypes[*index].position, &self.scan.prototypes[*index].parameters),
                None => return Vec::new(),
            },
        };
        let Some(parameters) = parameters else { return Vec::new() };
        let declared = || self.place(position, self.width(position), "declared here");
        let width = self.width(call.position);
        if call.arguments.len() != parameters.len() {
            let (given, taken) = (call.arguments.len(), parameters.len());
            let plural = if given == 1 { "" } else { "s" };
            let message = format!(
                "`{}` calls `{}` with {given} argument{plural}, but it takes {taken}",
                function.name, call.name
            );
            return vec![
                Diagnostic::new("argument-count", Severity::Error, message)
                    .at(self.place(call.position, width, format!("{given} argument{plural}")))
                    .related(declared()),
            ];
        }
        let mut found = Vec::new();
        for (argument, parameter) in call.arguments.iter().zip(parameters) {
            let (Some(from), Some(to)) = (self.space_of(function, argument), parameter.space) else { continue };
            if from != to {
                let name = parameter.name.unwrap_or("its parameter");
                let message = format!(
                    "`{}` passes a `{}` pointer to `{}`, where `{name}` is a `{}` pointer",
                    function.name,
                    from.name(),
                    call.name,
                    to.name()
                );
                found.push(
                    Diagnostic::new("address-space", Severity::Error, message)
                        .at(self.place(call.position, width, "called here"))
                        .related(declared())
                        .help("copy the values, or write the function for this address space"),
                );
            }
        }
        found
    }

    /// Where an argument points, if it is visibly one of the caller's own pointers: `x`, `x + 1`, `&x[1]`.
    fn space_of(&self, function: &FunctionDefinition<'_>, argument: &std::ops::Range<usize>) -> Option<Space> {
        let word = |at: usize| self.words.get(at).filter(|_| at < argument.end).map_or("", |w| w.text);
        let first = argument.start;
        let name = match (word(first), word(first + 1), word(first + 2)) {
            ("&", name, "[") => name,
            (name, "" | "+" | "-", _) => name,
            _ => return None,
        };
        let own = function.parameters.as_ref()?.iter().find(|p| p.name == Some(name))?;
        own.space
    }

    fn call_finding(&self, function: &FunctionDefinition<'_>, call: &Call<'_>) -> Option<Diagnostic> {
        let through = call.via.map(|via| format!(" (through macro `{via}`)")).unwrap_or_default();
        let width = self.width(call.position);
        let declared_at = self.declared.get(call.name).copied();
        if self.by_name.contains_key(call.name) {
            if declared_at.is_some_and(|at| at < call.at) {
                return None;
            }
            let message = format!("`{}` calls `{}` before it is declared{through}", function.name, call.name);
            let definition = &self.scan.functions[self.by_name[call.name][0]];
            return Some(
                Diagnostic::new("used-before-declaration", Severity::Error, message)
                    .at(self.place(call.position, width, "called here"))
                    .related(self.place(definition.position, definition.name.len(), "defined only here"))
                    .help("load its file earlier (`@depends`), or declare it before this function"),
            );
        }
        // A guess compares a name with every other; whoever misses thousands of names does not mistype them.
        let guesses = self.guesses.get();
        self.guesses.set(guesses + 1);
        let near = if guesses < 50 { nearest(call.name, self.by_name.keys().copied()) } else { None };
        let what = if declared_at.is_some() { "which is declared but never defined" } else { "which nothing defines" };
        let message = format!("`{}` calls `{}`, {what}{through}", function.name, call.name);
        let label = near.map_or_else(|| "called here".to_owned(), |n| format!("did you mean `{n}`?"));
        let mut diagnostic =
            Diagnostic::new("undefined-function", Severity::Error, message).at(self.place(call.position, width, label));
        if let Some(prototype) = self.prototypes.get(call.name).map(|i| &self.scan.prototypes[*i]) {
            diagnostic = diagnostic.related(self.place(prototype.position, prototype.name.len(), "declared here"));
        }
        Some(diagnostic.help(format!("add the file that defines `{}` to the program, or remove the call", call.name)))
    }

    /// The length of the identifier in the source at a position (a macro's name, if the call came through one).
    fn width(&self, position: Position) -> usize {
        let piece = &self.pieces[usize::try_from(position.piece).unwrap_or(0).min(self.pieces.len() - 1)];
        let rest = piece.text.get(position.byte()..).unwrap_or_default();
        rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').count().max(1)
    }

    fn duplicates(&self, found: &mut Vec<Diagnostic>) {
        let mut definitions: BTreeMap<&str, Vec<(Position, bool)>> = BTreeMap::new();
        for function in self.scan.functions.iter().filter(|f| !f.is_overloadable) {
            definitions.entry(function.name).or_default().push((function.position, true));
        }
        for variable in &self.scan.variables {
            definitions.entry(variable.name).or_default().push((variable.position, false));
        }
        for (name, mut places) in definitions {
            places.sort();
            for (position, is_function) in places.iter().skip(1) {
                let kind = if *is_function { "function" } else { "variable" };
                found.push(
                    Diagnostic::new(
                        "duplicate-definition",
                        Severity::Error,
                        format!("{kind} `{name}` is defined more than once"),
                    )
                    .at(self.place(*position, self.width(*position), "defined again"))
                    .related(self.place(places[0].0, self.width(places[0].0), "first defined here"))
                    .help("keep one definition, or rename the other: a program is one text"),
                );
            }
        }
    }

    /// OpenCL C has no recursion.
    fn recursion(&self, found: &mut Vec<Diagnostic>) {
        let functions = &self.scan.functions;
        let needs: Vec<Vec<usize>> = functions
            .iter()
            .map(|f| {
                let mut list: Vec<usize> =
                    f.calls.iter().filter_map(|c| self.by_name.get(c.name)?.first().copied()).collect();
                list.sort_unstable();
                list.dedup();
                list
            })
            .collect();
        for cycle in crate::graph::Graph::new(&needs).cycles() {
            let names: Vec<&str> = cycle.iter().map(|i| functions[*i].name).collect();
            let first = &functions[cycle[0]];
            // Overloaded functions share a name; which one is called cannot be told from it.
            if cycle.iter().any(|i| functions[*i].is_overloadable) {
                continue;
            }
            let message = format!("recursion, which OpenCL C forbids: {}", names.join(" -> "));
            found.push(
                Diagnostic::new("recursion", Severity::Error, message)
                    .at(self.place(first.position, self.width(first.position), "this function reaches itself"))
                    .help("rewrite it as a loop"),
            );
        }
    }

    fn preprocessor_findings(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for complaint in self.complaints {
            found.push(match complaint {
                Complaint::Redefined { name, first, second } => Diagnostic::new(
                    "macro-redefined",
                    Severity::Warning,
                    format!("macro `{name}` gets another meaning"),
                )
                .at(self.place(*second, 1, "defined again"))
                .related(self.place(*first, 1, "first defined here"))
                .help(format!("say `#undef {name}` before, if it is meant")),
                Complaint::Unterminated { directive, position } => Diagnostic::new(
                    "unterminated-conditional",
                    Severity::Error,
                    format!("`{directive}` has no `#endif` in its file"),
                )
                .at(self.place(*position, 1, "opened here"))
                .help("close it in the same file: the next piece of the program would belong to it"),
                Complaint::Unmatched { directive, position } => {
                    Diagnostic::new("unmatched-directive", Severity::Error, format!("`#{directive}` without its `#if`"))
                        .at(self.place(*position, 1, ""))
                }
                Complaint::ErrorDirective { text, position } => {
                    Diagnostic::new("error-directive", Severity::Error, format!("`#error {text}` is reached"))
                        .at(self.place(*position, 1, ""))
                }
                Complaint::Include { text, position } => Diagnostic::new(
                    "include",
                    Severity::Warning,
                    format!("`#include {text}`: a program string has no files to include"),
                )
                .at(self.place(*position, 1, "not followed"))
                .help("put the included text into a library file and depend on it"),
                Complaint::BadCondition { problem, position } => Diagnostic::new(
                    "bad-condition",
                    Severity::Error,
                    format!("the condition cannot be evaluated: {problem}"),
                )
                .at(self.place(*position, 1, "")),
                Complaint::TooMuch { position } => Diagnostic::new(
                    "macro-explosion",
                    Severity::Error,
                    "macros expand to more than any compiler should be given",
                )
                .at(self.place(*position, 1, "reached here"))
                .help("write the innermost calls out, or as functions"),
            });
        }
        found
    }

    /// Takes from a list of names, each with the file that says it provides it, those that macros make in that file: `##`
    /// joins names that occur nowhere as a whole.
    fn made_by_macros(&self, order: &Order, first_own: usize, absent: &mut Vec<(usize, &Value)>) {
        if absent.is_empty() {
            return;
        }
        let shard_of: Vec<usize> = order.indices().collect();
        let wanted: HashSet<(usize, &str)> =
            absent.iter().map(|(shard, value)| (*shard, value.text.as_str())).collect();
        let made_in = |word: &Word<'_>| {
            let own = usize::try_from(word.position.piece).ok()?.checked_sub(first_own)?;
            shard_of.get(own).copied()
        };
        let made: HashSet<(usize, &str)> = self
            .words
            .iter()
            .filter_map(|word| Some((made_in(word)?, word.text)))
            .filter(|word| wanted.contains(word))
            .collect();
        absent.retain(|(shard, value)| !made.contains(&(*shard, value.text.as_str())));
    }

    /// Calls into a file of the same library that the caller's `@depends` do not lead to: a subset would lack it.
    fn undeclared_dependencies(&self, library: &Library, order: &Order, first_own: usize) -> Vec<Diagnostic> {
        let shard_of: Vec<usize> = order.indices().collect();
        let owner =
            |p: Position| usize::try_from(p.piece).ok()?.checked_sub(first_own).and_then(|i| shard_of.get(i).copied());
        let mut found = Vec::new();
        let mut reachable: HashMap<usize, HashSet<usize>> = HashMap::new();
        let mut seen: HashSet<(usize, &str)> = HashSet::new();
        for function in &self.scan.functions {
            for call in &function.calls {
                let (Some(from), Some(target)) = (owner(call.position), self.by_name.get(call.name)) else { continue };
                let Some(to) = owner(self.scan.functions[target[0]].position) else { continue };
                if from == to || library.graph().needs(from).contains(&to) {
                    continue;
                }
                let reach =
                    reachable.entry(from).or_insert_with(|| library.graph().reachable(&[from]).into_iter().collect());
                if reach.contains(&to) || !seen.insert((from, call.name)) {
                    continue;
                }
                let (stem, other) = (library.shards()[from].stem(), library.shards()[to].stem());
                let message =
                    format!("`{stem}` calls `{}` of `{other}`, but its `@depends` do not lead there", call.name);
                found.push(
                    Diagnostic::new("undeclared-dependency", Severity::Warning, message)
                        .at(self.place(call.position, self.width(call.position), format!("defined in `{other}`")))
                        .help(format!(
                            "add `{other}` to `@depends`: a program with only what `{stem}` asks for would lack it"
                        )),
                );
            }
        }
        found
    }
}
