//! Annotations from code: what each file of a library provides and needs, and what kernels call.

use crate::annotations::Annotations;
use crate::builtins;
use crate::error::{LibraryError, Result};
use crate::files::write_all;
use crate::folder::Folder;
use crate::index::Index;
use crate::lexer::TokenKind;
use crate::library::{Library, Shard};
use crate::preprocess::Preprocessor;
use crate::program::{Layer, Piece};
use crate::scan::{Word, is_callable, scan};
use crate::text::decode;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

/// How a file makes a name known. The order is that of preference when several files do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum SymbolKind {
    Function,
    Macro,
    Type,
    Variable,
    StaticFunction,
}

/// What the code of one file says.
#[derive(Debug, Clone, Default)]
pub(crate) struct FileFacts {
    /// Names in the order in which the file makes them known.
    pub(crate) symbols: Vec<(String, SymbolKind)>,
    /// Names it calls.
    pub(crate) calls: BTreeSet<String>,
    /// Names it mentions without declaring them itself.
    pub(crate) mentions: BTreeSet<String>,
    /// Whether it pastes names together, so that its calls are not all visible.
    pub(crate) pastes: bool,
    /// For each function with a body: what it calls and mentions.
    pub(crate) functions: BTreeMap<String, BTreeSet<String>>,
}

impl FileFacts {
    pub(crate) fn defines(&self, name: &str) -> bool {
        self.symbols.iter().any(|(n, _)| n == name)
    }
}

/// Reads one file behind a prelude: the prelude's macros decide conditionals and are expanded.
pub(crate) fn file_facts(prelude: &Preprocessor, text: &str) -> FileFacts {
    let mut preprocessor = prelude.clone();
    preprocessor.tokens.clear();
    let piece = u32::MAX;
    preprocessor.piece(piece, text);
    let words: Vec<Word<'_>> = preprocessor
        .tokens
        .iter()
        .map(|t| Word { kind: t.kind, text: &t.text, position: t.position, via: t.via.as_deref() })
        .collect();
    let scanned = scan(&words);
    let mut facts =
        FileFacts { pastes: crate::lexer::lex(text).iter().any(|t| t.text(text) == "##"), ..FileFacts::default() };
    let mut symbols: Vec<(usize, String, SymbolKind)> = Vec::new();
    for function in &scanned.functions {
        let kind = if function.is_static { SymbolKind::StaticFunction } else { SymbolKind::Function };
        symbols.push((function.position.offset, function.name.to_owned(), kind));
        let mentioned = words[function.tokens.clone()]
            .iter()
            .filter(|w| w.kind == TokenKind::Identifier)
            .map(|w| w.text.to_owned());
        facts.functions.entry(function.name.to_owned()).or_default().extend(mentioned);
        facts.calls.extend(function.calls.iter().map(|c| c.name.to_owned()));
    }
    symbols.extend(scanned.typedefs.iter().map(|t| (t.position.offset, t.name.to_owned(), SymbolKind::Type)));
    symbols.extend(scanned.variables.iter().map(|v| (v.position.offset, v.name.to_owned(), SymbolKind::Variable)));
    symbols.sort();
    let mut macros = Vec::new();
    for (name, empty, body) in preprocessor.macros_of(piece) {
        if !(empty && is_guard(&name)) {
            macros.push((0, name.to_string(), SymbolKind::Macro));
        }
        for (at, token) in body.iter().enumerate() {
            if token.kind == TokenKind::Identifier && is_callable(&token.text) {
                facts.mentions.insert(token.text.to_string());
                if body.get(at + 1).is_some_and(|t| &*t.text == "(") {
                    facts.calls.insert(token.text.to_string());
                }
            }
        }
    }
    let mut seen = HashSet::new();
    for (_, name, kind) in macros.into_iter().chain(symbols) {
        if seen.insert(name.clone()) {
            facts.symbols.push((name, kind));
        }
    }
    let declared = declared_names(&words);
    let names =
        words.iter().filter(|w| w.kind == TokenKind::Identifier && is_callable(w.text) && !declared.contains(w.text));
    facts.mentions.extend(names.map(|w| w.text.to_owned()));
    facts
}

/// `X_H`, `X_CL_`: a macro that only says "seen".
fn is_guard(name: &str) -> bool {
    let name = name.trim_end_matches('_');
    ["_H", "_CL", "_HPP", "_INCLUDED"].iter().any(|end| name.ends_with(end))
}

/// Names that the text declares as variables or parameters: they follow a type, a name or `*`, and are no call.
fn declared_names<'a>(words: &[Word<'a>]) -> HashSet<&'a str> {
    let mut declared = HashSet::new();
    for pair in words.windows(3) {
        let [before, name, after] = [pair[0], pair[1], pair[2]];
        let follows_type = before.kind == TokenKind::Identifier
            && !matches!(before.text, "return" | "else" | "case" | "goto" | "sizeof");
        let is_name = name.kind == TokenKind::Identifier && matches!(after.text, "=" | ";" | "," | ")" | "[");
        if is_name && (follows_type || before.text == "*" && matches!(after.text, "," | ")")) {
            declared.insert(name.text);
        }
    }
    declared
}

/// Runs the prelude once, for all files.
pub(crate) fn prelude_state(prelude: &[Piece], library: &Library) -> Preprocessor {
    let own: Vec<Piece> = library.shards().iter().map(|s| Piece::new(Layer::Library, s)).collect();
    let mut preprocessor = Preprocessor::new(&[]);
    for (number, piece) in crate::check::without(prelude, &own).into_iter().enumerate() {
        preprocessor.piece(u32::try_from(number).unwrap_or(0), &piece.text);
    }
    preprocessor
}

/// The facts of all files of a library, and who makes each name known best.
pub(crate) struct LibraryFacts {
    pub(crate) files: Vec<FileFacts>,
    pub(crate) owners: HashMap<String, (SymbolKind, usize)>,
}

impl LibraryFacts {
    pub(crate) fn new(library: &Library, prelude: &[Piece]) -> Self {
        let state = prelude_state(prelude, library);
        let files: Vec<FileFacts> = library.shards().iter().map(|shard| file_facts(&state, shard.text())).collect();
        let mut owners: HashMap<String, (SymbolKind, usize)> = HashMap::new();
        for (index, facts) in files.iter().enumerate() {
            for (name, kind) in &facts.symbols {
                let best = owners.entry(name.clone()).or_insert((*kind, index));
                *best = (*best).min((*kind, index));
            }
        }
        Self { files, owners }
    }

    /// The other file that a name in `file` refers to, if any.
    pub(crate) fn target(&self, file: usize, name: &str) -> Option<usize> {
        let facts = &self.files[file];
        if facts.defines(name) {
            return None;
        }
        let (kind, owner) = *self.owners.get(name)?;
        let used = match kind {
            SymbolKind::Function | SymbolKind::StaticFunction => facts.calls.contains(name),
            SymbolKind::Macro | SymbolKind::Type | SymbolKind::Variable => facts.mentions.contains(name),
        };
        (used && owner != file).then_some(owner)
    }

    /// What each file needs: by its code, by `@also_depends`, and the library's header.
    fn needs(&self, library: &Library) -> Vec<BTreeSet<usize>> {
        let mut needs: Vec<BTreeSet<usize>> = Vec::new();
        for (file, facts) in self.files.iter().enumerate() {
            let names = facts.mentions.iter().chain(&facts.calls);
            let mut list: BTreeSet<usize> = names.filter_map(|name| self.target(file, name)).collect();
            // What no scan can see: stated by hand, or perhaps made by pasting names.
            let annotations = library.shards()[file].annotations();
            let mut said = annotations.list("also_depends");
            if facts.pastes {
                said.extend(annotations.list("depends"));
            }
            list.extend(said.iter().filter_map(|name| library.resolve(name)).filter(|i| *i != file));
            needs.push(list);
        }
        // Every file lists the header (the file named like the library), unless the header needs it.
        if let Some(header) = library.shard(library.name()).and_then(|s| library.resolve(s.stem())) {
            let lists: Vec<Vec<usize>> = needs.iter().map(|l| l.iter().copied().collect()).collect();
            let below: HashSet<usize> = crate::graph::Graph::new(&lists).reachable(&[header]).into_iter().collect();
            for (file, list) in needs.iter_mut().enumerate() {
                if !below.contains(&file) {
                    list.insert(header);
                }
            }
        }
        needs
    }
}

/// A file with new content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The path.
    pub path: PathBuf,
    /// The content now; `None` if the file is new.
    pub before: Option<Vec<u8>>,
    /// The content to be written.
    pub after: Vec<u8>,
}

impl Change {
    /// Replaces the file, atomically.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn apply(&self) -> Result<()> {
        write_all(&[(self.path.clone(), self.after.clone())])
    }

    /// The change as a unified diff.
    #[must_use]
    pub fn diff(&self) -> String {
        let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (before, after) = (lossy(self.before.as_deref().unwrap_or_default()), lossy(&self.after));
        let name = crate::text::display_path(&self.path);
        let old = if self.before.is_some() { name.clone() } else { "/dev/null".to_owned() };
        format!("--- {old}\n+++ {name}\n{}", hunk(&before, &after))
    }
}

/// Makes all changes, or none.
///
/// # Errors
/// If a file cannot be written, or is a link: what it leads to is not the file that was named.
pub fn apply_changes(changes: &[Change]) -> Result<()> {
    write_all(&changes.iter().map(|c| (c.path.clone(), c.after.clone())).collect::<Vec<_>>())
}

/// One hunk from the first line that differs to the last, with up to three lines around it.
fn hunk(before: &str, after: &str) -> String {
    let (a, b): (Vec<&str>, Vec<&str>) =
        (before.split_inclusive('\n').collect(), after.split_inclusive('\n').collect());
    let head = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let tail = a[head..].iter().rev().zip(b[head..].iter().rev()).take_while(|(x, y)| x == y).count();
    let (from, a_end, b_end) = (head.saturating_sub(3), a.len() - tail, b.len() - tail);
    let context = (a_end + 3).min(a.len()) - a_end;
    let range = |start: usize, count: usize| format!("{},{count}", if count == 0 { start } else { start + 1 });
    let mut text = format!("@@ -{} +{} @@\n", range(from, a_end + context - from), range(from, b_end + context - from));
    let mut push = |sign: char, line: &str| {
        text.push(sign);
        text.push_str(line.trim_end_matches(['\n', '\r']));
        text.push('\n');
    };
    a[from..head].iter().for_each(|l| push(' ', l));
    a[head..a_end].iter().for_each(|l| push('-', l));
    b[head..b_end].iter().for_each(|l| push('+', l));
    a[a_end..a_end + context].iter().for_each(|l| push(' ', l));
    text
}

/// Sets annotations in a file's bytes. A list that already has these values is left as it is; other bytes are kept.
#[must_use]
pub fn set_annotations(bytes: &[u8], tags: &[(&str, Option<Vec<String>>)]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for (name, values) in tags {
        bytes = set_annotation(&bytes, name, values.as_deref());
    }
    bytes
}

fn set_annotation(bytes: &[u8], name: &str, values: Option<&[String]>) -> Vec<u8> {
    let annotations = Annotations::parse(&decode(bytes.to_vec()).text);
    let existing: Vec<&crate::annotations::Tag> = annotations.tags().iter().filter(|t| t.name == name).collect();
    if let Some(values) = values
        && !existing.is_empty()
    {
        let said: BTreeSet<&str> = annotations.list(name).into_iter().collect();
        if said == values.iter().map(String::as_str).collect() {
            return bytes.to_vec();
        }
    }
    let lines = byte_lines(bytes);
    let end: &[u8] = if lines.first().is_some_and(|l| l.ends_with(b"\r\n")) { b"\r\n" } else { b"\n" };
    let mut removed: HashSet<usize> = HashSet::new();
    for tag in &existing {
        removed.extend((tag.line..=tag.last_line).map(|l| usize::try_from(l).unwrap_or(1) - 1));
    }
    let last = annotations.tags().iter().map(|t| usize::try_from(t.last_line).unwrap_or(0)).max();
    let at = existing.first().map(|t| usize::try_from(t.line).unwrap_or(1) - 1).or(last).unwrap_or(0);
    let new_line = values.map(|values| {
        let list = if values.is_empty() { "(none)".to_owned() } else { values.join(", ") };
        format!("// @{name}: {list}")
    });
    let mut out = Vec::with_capacity(bytes.len() + 80);
    for index in 0..=lines.len() {
        if index == at
            && let Some(line) = &new_line
        {
            if index > 0 && !out.is_empty() && !out.ends_with(b"\n") && !out.ends_with(b"\r") {
                out.extend_from_slice(end);
            }
            let mark: &[u8] = if index == 0 && bytes.starts_with(b"\xEF\xBB\xBF") { b"\xEF\xBB\xBF" } else { b"" };
            out.extend_from_slice(mark);
            out.extend_from_slice(line.as_bytes());
            out.extend_from_slice(end);
        }
        if let Some(line) = lines.get(index).filter(|_| !removed.contains(&index)) {
            let line = if index == 0 && at == 0 && new_line.is_some() {
                line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line)
            } else {
                line
            };
            out.extend_from_slice(line);
        }
    }
    out
}

/// Lines with their ends, split where [`decode`] sees line ends.
fn byte_lines(bytes: &[u8]) -> Vec<&[u8]> {
    let mut lines = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while at < bytes.len() {
        let end = match bytes[at] {
            b'\n' => at + 1,
            b'\r' if bytes.get(at + 1) == Some(&b'\n') => at + 2,
            b'\r' => at + 1,
            _ => {
                at += 1;
                continue;
            }
        };
        lines.push(&bytes[start..end]);
        (start, at) = (end, end);
    }
    if start < bytes.len() {
        lines.push(&bytes[start..]);
    }
    lines
}

/// `@provides` and `@depends` for every file of a library, from its code. `@all_depends`, its count and `@load_order` are
/// brought up to date where a file has them.
///
/// # Errors
/// If a file cannot be read. Cycles are no error here: see [`LibraryPlan::cycles`].
pub fn annotate_library(dir: &Path, prelude: &[Piece]) -> Result<LibraryPlan> {
    Folder::at(dir)?.annotate(prelude)
}

impl Folder {
    /// As [`annotate_library`].
    ///
    /// # Errors
    /// As there.
    pub fn annotate(&self, prelude: &[Piece]) -> Result<LibraryPlan> {
        let stems = self.stems()?;
        let read = |stem: String| Ok((stem.clone(), self.read(&format!("{stem}.cl"))?));
        let contents: Vec<(String, Vec<u8>)> = stems.into_iter().map(read).collect::<Result<_>>()?;
        if contents.is_empty() {
            return Err(LibraryError::EmptyLibrary { dir: PathBuf::from(self.shown()) });
        }
        LibraryPlan::new(&self.path_of(""), &self.name(), contents, prelude)
    }
}

/// The new content of a library's files.
#[derive(Debug)]
pub struct LibraryPlan {
    pub(crate) dir: PathBuf,
    pub(crate) before: BTreeMap<String, Vec<u8>>,
    pub(crate) after: BTreeMap<String, Vec<u8>>,
    pub(crate) library: Library,
    pub(crate) cycles: Vec<Vec<usize>>,
}

impl LibraryPlan {
    fn new(dir: &Path, name: &str, contents: Vec<(String, Vec<u8>)>, prelude: &[Piece]) -> Result<Self> {
        let before: BTreeMap<String, Vec<u8>> = contents.iter().cloned().collect();
        let (library, after) = annotate_contents(dir, name, contents, prelude)?;
        let cycles = library.graph().cycles();
        Ok(Self { dir: dir.to_path_buf(), before, after, library, cycles })
    }

    /// The library as it would be.
    #[must_use]
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// Cycles that remain, as paths of stems.
    #[must_use]
    pub fn cycles(&self) -> Vec<Vec<String>> {
        self.cycles.iter().map(|path| self.library.stems(path)).collect()
    }

    /// The files whose content changes.
    #[must_use]
    pub fn changes(&self) -> Vec<Change> {
        let changed = self.after.iter().filter(|(stem, bytes)| self.before.get(*stem) != Some(*bytes));
        changed
            .map(|(stem, bytes)| Change {
                path: self.dir.join(format!("{stem}.cl")),
                before: self.before.get(stem).cloned(),
                after: bytes.clone(),
            })
            .collect()
    }
}

fn shards_of(dir: &Path, contents: &BTreeMap<String, Vec<u8>>) -> Vec<Shard> {
    let path = |stem: &str| crate::text::display_path(&dir.join(format!("{stem}.cl")));
    contents.iter().map(|(stem, bytes)| Shard::from_bytes(stem.clone(), path(stem), bytes.clone())).collect()
}

/// Annotates contents in memory; the result may have cycles.
pub(crate) fn annotate_contents(
    dir: &Path,
    name: &str,
    contents: Vec<(String, Vec<u8>)>,
    prelude: &[Piece],
) -> Result<(Library, BTreeMap<String, Vec<u8>>)> {
    let contents: BTreeMap<String, Vec<u8>> = contents.into_iter().collect();
    let library = Library::new(name, shards_of(dir, &contents))?;
    let facts = LibraryFacts::new(&library, prelude);
    let needs = facts.needs(&library);
    let mut after: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for (index, shard) in library.shards().iter().enumerate() {
        // A static function is the file's own affair, unless another file calls it.
        let used = |name: &str| (0..facts.files.len()).any(|f| f != index && facts.target(f, name) == Some(index));
        let public =
            facts.files[index].symbols.iter().filter(|(n, kind)| *kind != SymbolKind::StaticFunction || used(n));
        let provides: Vec<String> = public.map(|(n, _)| n.clone()).collect();
        let list: Vec<usize> = needs[index].iter().copied().collect();
        // What is written as symbols of the right files is right already.
        let said: BTreeSet<usize> = shard
            .annotations()
            .list("depends")
            .iter()
            .filter_map(|n| library.resolve(n))
            .filter(|i| *i != index)
            .collect();
        let unresolved =
            shard.annotations().list("depends").iter().any(|n| library.resolve(n).is_none_or(|i| i == index));
        let mut tags: Vec<(&str, Option<Vec<String>>)> = vec![("provides", Some(provides))];
        if said != needs[index] || unresolved || !shard.annotations().has("depends") {
            tags.push(("depends", Some(library.stems(&list))));
        }
        after.insert(shard.stem().to_owned(), set_annotations(&contents[shard.stem()], &tags));
    }
    let annotated = Library::new(name, shards_of(dir, &after))?;
    if let Ok(order) = annotated.order() {
        for (index, shard) in annotated.shards().iter().enumerate() {
            let closure = annotated.graph().closure(&[index], &order);
            let all: Vec<usize> = closure.into_iter().filter(|i| *i != index).collect();
            let mut tags: Vec<(&str, Option<Vec<String>>)> = Vec::new();
            for (tag, values) in [
                ("all_depends_count", vec![all.len().to_string()]),
                ("all_depends", annotated.stems(&all)),
                ("load_order", vec![(order.position(index) + 1).to_string()]),
            ] {
                if shard.annotations().has(tag) {
                    tags.push((tag, Some(values)));
                }
            }
            let bytes = set_annotations(&after[shard.stem()], &tags);
            after.insert(shard.stem().to_owned(), bytes);
        }
    }
    Ok((annotated, after))
}

/// What a kernel calls of a library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelCalls {
    /// The kernel's stem.
    pub kernel: String,
    /// Symbols of the library that it calls.
    pub calls: Vec<String>,
    /// Stems that provide what it uses.
    pub depends: Vec<String>,
    /// All stems that it needs, in load order.
    pub all_depends: Vec<String>,
    /// Work-item, synchronisation and special functions of OpenCL C that it calls.
    pub opencl_builtins: Vec<String>,
    /// The file's new content, if it changes.
    pub change: Option<Change>,
}

/// `@calls_LIB`, `@depends_LIB` and `@all_depends_LIB` for kernels, from their code and the library's `@provides`.
///
/// # Errors
/// If a kernel cannot be read or the library cannot be ordered.
pub fn annotate_kernels(
    kernels: &[PathBuf],
    library: &Library,
    tag: &str,
    prelude: &[Piece],
) -> Result<Vec<KernelCalls>> {
    let index = Index::of_library(library)?;
    let state = prelude_state(prelude, library);
    let mut results = Vec::new();
    for path in kernels {
        let (folder, name) = Folder::of_file(path)?;
        let bytes = folder.read(&name)?;
        let shard = Shard::from_bytes(
            path.file_stem().unwrap_or_default().to_string_lossy(),
            crate::text::display_path(path),
            bytes.clone(),
        );
        let facts = file_facts(&state, shard.text());
        let provided = |name: &&String| library.provider(name).is_some() && !facts.defines(name);
        let calls: Vec<String> = facts.calls.iter().filter(provided).cloned().collect();
        let stem = |name: &String| library.provider(name).map(|i| library.shards()[i].stem().to_owned());
        let depends: BTreeSet<String> =
            facts.calls.iter().chain(&facts.mentions).filter(provided).filter_map(stem).collect();
        let depends: Vec<String> = depends.into_iter().collect();
        let roots: Vec<&str> = depends.iter().map(String::as_str).collect();
        let all_depends: Vec<String> = index.closure(&roots).iter().map(|row| row.stem.clone()).collect();
        let opencl_builtins: Vec<String> =
            facts.calls.iter().filter(|c| builtins::is_execution_function(c)).cloned().collect();
        let names = ["calls", "depends", "all_depends"].map(|t| format!("{t}_{tag}"));
        let count = format!("all_depends_{tag}_count");
        let mut libraries: Vec<String> =
            shard.annotations().list("library_deps").iter().map(|s| (*s).to_owned()).collect();
        libraries.retain(|l| l != tag);
        if !depends.is_empty() {
            libraries.push(tag.to_owned());
        }
        let tags = [
            ("library_deps", Some(libraries)),
            (names[0].as_str(), Some(calls.clone())),
            (names[1].as_str(), Some(depends.clone())),
            ("calls_opencl_builtin", Some(opencl_builtins.clone())),
            (count.as_str(), Some(vec![all_depends.len().to_string()])),
            (names[2].as_str(), Some(all_depends.clone())),
        ];
        let after = set_annotations(&bytes, &tags);
        let change = (after != bytes).then(|| Change { path: path.clone(), before: Some(bytes), after });
        results.push(KernelCalls {
            kernel: shard.stem().to_owned(),
            calls,
            depends,
            all_depends,
            opencl_builtins,
            change,
        });
    }
    Ok(results)
}
