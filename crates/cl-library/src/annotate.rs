//! Annotations from code: what each file of a library provides and needs. What is right stays as it is.

use crate::annotations::Annotations;
use crate::error::{LibraryError, Result};
use crate::facts::{FileFacts, LibraryFacts, SymbolKind};
use crate::files::write_all;
use crate::folder::Folder;
use crate::graph::Reach;
use crate::library::{Library, Shard};
use crate::program::ProgramPiece;
use crate::text::decode;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

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
pub fn annotate_library(dir: &Path, prelude: &[ProgramPiece]) -> Result<LibraryPlan> {
    Folder::at(dir)?.annotate(prelude)
}

impl Folder {
    /// As [`annotate_library`].
    ///
    /// # Errors
    /// As there.
    pub fn annotate(&self, prelude: &[ProgramPiece]) -> Result<LibraryPlan> {
        let stems = self.stems()?;
        let read = |stem: String| Ok((stem.clone(), self.read(&format!("{stem}.cl"))?));
        let contents: Vec<(String, Vec<u8>)> = stems.into_iter().map(read).collect::<Result<_>>()?;
        if contents.is_empty() {
            return Err(LibraryError::EmptyLibrary { dir: PathBuf::from(self.shown()) });
        }
        LibraryPlan::new(&self.path_of(""), &self.name(), contents, prelude)
    }

    /// Only the annotations that follow from `@depends`: `@all_depends`, its count, `@load_order`.
    ///
    /// # Errors
    /// If a file cannot be read or the library cannot be ordered.
    pub fn refresh_derived(&self) -> Result<LibraryPlan> {
        let library = self.library()?;
        library.order()?;
        let read = |s: &Shard| Ok((s.stem().to_owned(), self.read(&format!("{}.cl", s.stem()))?));
        let before: BTreeMap<String, Vec<u8>> = library.shards().iter().map(read).collect::<Result<_>>()?;
        let mut after = before.clone();
        refresh_derived(&library, &mut after);
        Ok(LibraryPlan { dir: self.path_of(""), before, after, library, cycles: Vec::new() })
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
    fn new(dir: &Path, name: &str, contents: Vec<(String, Vec<u8>)>, prelude: &[ProgramPiece]) -> Result<Self> {
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

/// `@annotate: by_hand`: a file that says so is left as it is, and what it defines tells nothing about what others need. For files
/// whose lists follow from no code of theirs: one that only brings others, or a header that nobody must be taken to use.
const BY_HAND: &str = "by_hand";

/// Annotates contents in memory; the result may have cycles.
pub(crate) fn annotate_contents(
    dir: &Path,
    name: &str,
    contents: Vec<(String, Vec<u8>)>,
    prelude: &[ProgramPiece],
) -> Result<(Library, BTreeMap<String, Vec<u8>>)> {
    let contents: BTreeMap<String, Vec<u8>> = contents.into_iter().collect();
    let whole = Library::new(name, shards_of(dir, &contents))?;
    let is_by_hand = |shard: &Shard| shard.annotations().scalar("annotate") == Some(BY_HAND);
    let by_hand: BTreeSet<&str> = whole.shards().iter().filter(|s| is_by_hand(s)).map(Shard::stem).collect();
    let (left_alone, contents): (BTreeMap<_, _>, BTreeMap<_, _>) =
        contents.into_iter().partition(|(stem, _)| by_hand.contains(stem.as_str()));
    if contents.is_empty() {
        return Ok((whole, left_alone));
    }
    let library = Library::new(name, shards_of(dir, &contents))?;
    let facts = LibraryFacts::new(&library, prelude);
    let depends = facts.depends(&library);
    let used_elsewhere: HashSet<(usize, &str)> = (0..facts.files.len())
        .flat_map(|file| facts.files[file].calls.iter().map(move |name| (file, name)))
        .filter_map(|(file, name)| Some((facts.target(file, name)?, name.as_str())))
        .collect();
    let mut after: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for (index, shard) in library.shards().iter().enumerate() {
        let mut tags: Vec<(&str, Option<Vec<String>>)> = Vec::new();
        let is_used = |name: &str| used_elsewhere.contains(&(index, name));
        tags.push(("provides", Some(provides(shard, &facts.files[index], is_used))));
        let listed = shard.annotations().list("depends");
        let target = |name: &str| library.resolve(name).filter(|i| *i != index);
        let said: BTreeSet<usize> = listed.iter().filter_map(|n| target(n)).collect();
        // What somebody wrote about a file that is left alone is left alone, too.
        let of_these = |name: &str| {
            let stem = whole.resolve(name).map(|i| whole.shards()[i].stem())?;
            by_hand.contains(stem).then(|| stem.to_owned())
        };
        let dangling = listed.iter().any(|n| target(n).is_none() && of_these(n).is_none());
        // What is written as symbols of the right files is right already.
        if said != depends[index] || dangling || !shard.annotations().has("depends") {
            let list: Vec<usize> = depends[index].iter().copied().collect();
            let kept = listed.iter().filter(|n| target(n).is_none()).filter_map(|n| of_these(n));
            tags.push(("depends", Some(library.stems(&list).into_iter().chain(kept).collect())));
        }
        after.insert(shard.stem().to_owned(), set_annotations(&contents[shard.stem()], &tags));
    }
    after.extend(left_alone);
    let annotated = Library::new(name, shards_of(dir, &after))?;
    refresh_derived(&annotated, &mut after);
    Ok((annotated, after))
}

/// What a file should say that it provides: what it says rightly, and its functions. A file that says nothing right yet
/// lists everything that it makes known to others.
fn provides(shard: &Shard, facts: &FileFacts, is_used: impl Fn(&str) -> bool) -> Vec<String> {
    let listed = shard.provides();
    // A file may say that it provides itself: `@provides: nmath` in nmath.cl.
    let is_right = |name: &&str| facts.may_provide(name) || *name == shard.stem();
    let right: Vec<&str> = listed.iter().copied().filter(is_right).collect();
    let known: HashSet<&str> = right.iter().filter_map(|name| facts.symbol(name)).collect();
    let demanded = facts.symbols.iter().filter(|(name, kind)| match kind {
        SymbolKind::Function => true,
        // A static function is the file's own affair, unless another file calls it.
        SymbolKind::StaticFunction => is_used(name),
        SymbolKind::Macro | SymbolKind::Type | SymbolKind::Variable => right.is_empty(),
        SymbolKind::Member => false,
    });
    let missing = demanded.map(|(name, _)| name.as_str()).filter(|name| !known.contains(name));
    // In the order of the code where nothing is kept.
    right.iter().copied().chain(missing).map(str::to_owned).collect()
}

/// Brings `@all_depends`, its count and `@load_order` up to date where files have them. Positions that are those of another
/// valid order are right, and stay.
fn refresh_derived(library: &Library, contents: &mut BTreeMap<String, Vec<u8>>) {
    let Ok(order) = library.order() else { return };
    let stated: Vec<Option<usize>> =
        library.shards().iter().map(|s| s.annotations().scalar("load_order")?.parse().ok()).collect();
    let before = |a: usize, b: usize| stated[a].zip(stated[b]).is_none_or(|(a, b)| a < b);
    let is_valid = (0..stated.len()).all(|i| library.graph().needs(i).iter().all(|need| before(*need, i)));
    let distinct: HashSet<usize> = stated.iter().flatten().copied().collect();
    let mut reach = Reach::new(library.graph());
    // A file's place is behind all that it needs, stated or not.
    let late_enough = (0..stated.len()).all(|i| stated[i].is_none_or(|place| place >= reach.from(&[i]).len()));
    let keep_order = is_valid && late_enough && distinct.len() == stated.iter().flatten().count();
    for (index, shard) in library.shards().iter().enumerate() {
        let has = |tag: &str| shard.annotations().has(tag);
        let mut tags: Vec<(&str, Option<Vec<String>>)> = Vec::new();
        if has("all_depends") || has("all_depends_count") {
            let mut all = reach.from(&[index]);
            all.retain(|i| *i != index);
            all.sort_unstable_by_key(|i| order.position(*i));
            if has("all_depends_count") {
                tags.push(("all_depends_count", Some(vec![all.len().to_string()])));
            }
            let listed = shard.annotations().list("all_depends");
            let said: BTreeSet<usize> = listed.iter().filter_map(|n| library.resolve(n)).collect();
            let dangling = listed.iter().any(|n| library.resolve(n).is_none());
            if has("all_depends") && (dangling || said != all.iter().copied().collect()) {
                tags.push(("all_depends", Some(library.stems(&all))));
            }
        }
        if has("load_order") && !keep_order {
            tags.push(("load_order", Some(vec![(order.position(index) + 1).to_string()])));
        }
        if let Some(bytes) = contents.get_mut(shard.stem()) {
            *bytes = set_annotations(bytes, &tags);
        }
    }
}
