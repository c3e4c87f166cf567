//! What one kernel needs of a library: by the index, without reading the other files.

use crate::annotations::Value;
use crate::error::{IndexDifference, LibraryError, Result};
use crate::files::read_regular;
use crate::folder::Folder;
use crate::index::{INDEX_TSV, Index, IndexRow, damaged, lines_of, names_of};
use crate::library::{Library, Shard, concatenate};
use crate::text::{decode, display_path};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;

/// How files are read, so that a test can count them.
pub trait Files {
    /// The whole content.
    ///
    /// # Errors
    /// Whatever the file system says.
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>>;
}

/// The file system.
#[derive(Debug, Clone, Copy, Default)]
pub struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        read_regular(path)
    }
}

/// The index as one load needs it: either the whole, or lines of which only the needed ones are taken apart.
enum View<'a> {
    Whole(&'a Index),
    Lines { rows: Vec<(&'a str, &'a str)>, by_stem: HashMap<&'a str, usize>, file: &'a Path },
}

impl<'a> View<'a> {
    fn of_lines(text: &'a str, file: &'a Path) -> Result<Self> {
        let mut rows = Vec::new();
        let mut by_stem = HashMap::new();
        for row in lines_of(text, file) {
            let (number, stem, depends) = row?;
            if stem.is_empty() || by_stem.insert(stem, rows.len()).is_some() {
                return Err(damaged(file, number, format!("the stem `{stem}` is empty or there twice")));
            }
            rows.push((stem, depends));
        }
        Ok(Self::Lines { rows, by_stem, file })
    }

    fn len(&self) -> usize {
        match self {
            Self::Whole(index) => index.rows().len(),
            Self::Lines { rows, .. } => rows.len(),
        }
    }

    fn position(&self, stem: &str) -> Option<usize> {
        match self {
            Self::Whole(index) => index.position(stem),
            Self::Lines { by_stem, .. } => by_stem.get(stem).copied(),
        }
    }

    fn stem(&self, at: usize) -> &str {
        match self {
            Self::Whole(index) => &index.rows()[at].stem,
            Self::Lines { rows, .. } => rows[at].0,
        }
    }

    fn all_depends(&self, at: usize) -> Vec<&str> {
        match self {
            Self::Whole(index) => index.rows()[at].all_depends.iter().map(String::as_str).collect(),
            Self::Lines { rows, .. } => names_of(rows[at].1).collect(),
        }
    }

    /// The lines of these stems and of all they need, in load order.
    fn closure(&self, stems: &[String]) -> Result<Vec<usize>> {
        let mut wanted: BTreeSet<usize> = BTreeSet::new();
        for stem in stems {
            let Some(at) = self.position(stem) else { continue };
            wanted.insert(at);
            for need in self.all_depends(at) {
                match (self.position(need), self) {
                    (Some(earlier), _) if earlier < at => {
                        wanted.insert(earlier);
                    }
                    (_, Self::Lines { file, .. }) => {
                        return Err(damaged(
                            file,
                            at + 2,
                            format!("`{stem}` needs `{need}`, which no line above names"),
                        ));
                    }
                    (_, Self::Whole(_)) => {}
                }
            }
        }
        Ok(wanted.into_iter().collect())
    }
}

/// The part of a library that one kernel needs.
#[derive(Debug, Clone, Default)]
pub struct KernelLibrary {
    pub(crate) shards: Vec<Shard>,
    pub(crate) all_depends: Vec<Vec<String>>,
}

impl KernelLibrary {
    /// The files in load order.
    #[must_use]
    pub fn shards(&self) -> &[Shard] {
        &self.shards
    }

    /// Their texts in load order; empty if the kernel needs nothing.
    #[must_use]
    pub fn text(&self) -> String {
        concatenate(self.shards.iter().map(Shard::text))
    }

    /// The index of just these files.
    #[must_use]
    pub fn index(&self) -> Index {
        let rows = self.shards.iter().zip(&self.all_depends);
        Index::from_rows(rows.map(|(s, d)| IndexRow { stem: s.stem().to_owned(), all_depends: d.clone() }).collect())
    }
}

/// The annotation in which a kernel names what it needs of a library, if the user did not say.
///
/// `@depends_LIB`, else `@all_depends_LIB`, where LIB is the library's name or its last word (`nmath` for `my_nmath`),
/// or the only one the kernel has; else `@all_depends`, else `@depends`.
#[must_use]
pub fn default_depends_tag(kernel: &Shard, library_name: &str) -> String {
    let libraries = named_libraries(kernel);
    let only = || if libraries.len() == 1 { libraries.first().copied() } else { None };
    let candidates = match named_like(&libraries, library_name, &[]).or_else(only) {
        Some(lib) => vec![format!("depends_{lib}"), format!("all_depends_{lib}")],
        None => vec!["all_depends".to_owned(), "depends".to_owned()],
    };
    let found = candidates.iter().find(|c| kernel.annotations().has(c)).cloned();
    found.unwrap_or_else(|| format!("depends_{library_name}"))
}

/// The name under which a kernel's annotations for a library are written: that of the tags which it has for it, else the
/// library's own. A tag of another name is this library's only if something that it lists is here: a kernel may use several.
#[must_use]
pub fn library_tag(kernel: &Shard, library: &Library) -> String {
    let named = named_libraries(kernel);
    let lists_something_here = |name: &&str| {
        let tags = [format!("depends_{name}"), format!("all_depends_{name}")];
        tags.iter().any(|tag| kernel.annotations().list(tag).iter().any(|n| library.resolve(n).is_some()))
    };
    let only = || named.first().copied().filter(|name| named.len() == 1 && lists_something_here(name));
    named_like(&named, library.name(), &[]).or_else(only).unwrap_or(library.name()).to_owned()
}

/// The annotation in which a file names what it needs of a library among several: one with that library's name, never one
/// that belongs to another of them.
#[must_use]
pub(crate) fn tag_for(shard: &Shard, library_name: &str, all: &[String]) -> Option<String> {
    let lib = named_like(&named_libraries(shard), library_name, all)?;
    let candidates = [format!("depends_{lib}"), format!("all_depends_{lib}")];
    candidates.into_iter().find(|c| shard.annotations().has(c))
}

/// The libraries that a file's annotations name: `nmath` for `@depends_nmath`.
fn named_libraries(shard: &Shard) -> BTreeSet<&str> {
    let tags = shard.annotations().tags().iter().filter(|t| !t.name.ends_with("_count"));
    tags.filter_map(|t| t.name.strip_prefix("depends_").or_else(|| t.name.strip_prefix("all_depends_"))).collect()
}

/// The name by which annotations mean a library: its own, else its first or last word, unless that is another library's.
fn named_like<'a>(named: &BTreeSet<&'a str>, library_name: &str, all: &[String]) -> Option<&'a str> {
    let matching = |lib: &&&str| {
        library_name.strip_suffix(**lib).is_some_and(|rest| rest.ends_with(['_', '-', '.']))
            || library_name.strip_prefix(**lib).is_some_and(|rest| rest.starts_with(['_', '-', '.']))
    };
    let own = named.iter().find(|lib| **lib == library_name);
    own.or_else(|| named.iter().filter(|lib| !all.iter().any(|n| n == **lib)).find(matching)).copied()
}

/// Loads what a kernel needs of a library: only those files, in the index's order, without sorting.
///
/// The kernel's annotation `@{depends_tag}` names stems, direct or transitive, or symbols that files provide (then files
/// are searched until all are found). Without `index`, the library's own `kernel_dependency_index.tsv` is read.
///
/// # Errors
/// An index that is missing, damaged or stale (a file it does not know, or a loaded file that needs more than it says); a
/// name that nothing answers to.
pub fn load_library_for_kernel(
    kernel: &Shard,
    library_dir: &Path,
    depends_tag: &str,
    index: Option<&Index>,
) -> Result<KernelLibrary> {
    load_library_for_kernel_with(&Disk, kernel, library_dir, depends_tag, index)
}

/// [`load_library_for_kernel`] over any source of files.
///
/// # Errors
/// As there.
pub fn load_library_for_kernel_with(
    files: &dyn Files,
    kernel: &Shard,
    library_dir: &Path,
    depends_tag: &str,
    index: Option<&Index>,
) -> Result<KernelLibrary> {
    let wanted: Vec<Wanted<'_>> = Wanted::of(kernel, depends_tag);
    if wanted.is_empty() {
        return Ok(KernelLibrary::default());
    }
    load_wanted(files, &Folder::at(library_dir)?, &wanted, index)
}

/// What a kernel needs of a folder whose index was read already.
pub(crate) fn load_from_folder(kernel: &Shard, folder: &Folder, tag: &str, index: &Index) -> Result<KernelLibrary> {
    let wanted = Wanted::of(kernel, tag);
    if wanted.is_empty() { Ok(KernelLibrary::default()) } else { load_wanted(&Disk, folder, &wanted, Some(index)) }
}

/// A name that a file asks for: where it stands is needed when nothing answers to it.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    pub(crate) by: &'a Shard,
    pub(crate) tag: &'a str,
    pub(crate) value: &'a Value,
}

impl<'a> Wanted<'a> {
    /// What a file's annotation names.
    #[must_use]
    pub fn of(by: &'a Shard, tag: &'a str) -> Vec<Self> {
        by.annotations().values(tag).into_iter().map(|value| Self { by, tag, value }).collect()
    }
}

/// The files of a folder that are wanted, and all they need: by the index if there is one, else by sorting.
///
/// # Errors
/// As [`load_library_for_kernel`], and as [`Library::order`] where there is no index.
pub fn load_wanted_of_folder(folder: &Folder, wanted: &[Wanted<'_>]) -> Result<Vec<Shard>> {
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    match load_wanted(&Disk, folder, wanted, None) {
        Ok(loaded) => return Ok(loaded.shards),
        Err(LibraryError::MissingIndex { .. }) => {}
        Err(error) => return Err(error),
    }
    let library = folder.library()?;
    let order = library.order()?;
    let mut roots = Vec::new();
    let mut missing = Vec::new();
    for want in wanted {
        let value = want.value;
        match library.resolve(&value.text) {
            Some(index) => roots.push(index),
            None => missing.push(library.missing_name(want.by, want.tag, &value.text, value.line, value.column)),
        }
    }
    if !missing.is_empty() {
        return Err(LibraryError::MissingDependencies { missing });
    }
    Ok(library.graph().closure(&roots, &order).into_iter().map(|i| library.shards()[i].clone()).collect())
}

fn load_wanted(
    files: &dyn Files,
    folder: &Folder,
    wanted: &[Wanted<'_>],
    index: Option<&Index>,
) -> Result<KernelLibrary> {
    let index_file = folder.path_of(INDEX_TSV);
    let text;
    let index = match index {
        Some(index) => View::Whole(index),
        None => {
            text = read_tsv(files, folder)?;
            View::of_lines(&text, &index_file)?
        }
    };
    let stale = |difference: IndexDifference| Err(LibraryError::StaleIndex { file: index_file.clone(), difference });
    let on_disk: HashSet<String> = folder.stems()?.into_iter().collect();
    let mut added: Vec<String> = on_disk.iter().filter(|s| index.position(s).is_none()).cloned().collect();
    if !added.is_empty() {
        added.sort();
        return stale(IndexDifference { added, ..IndexDifference::default() });
    }
    let stems = requested_stems(files, folder, wanted, &index, &on_disk)?;
    let rows = index.closure(&stems)?;
    let gone = rows.iter().map(|r| index.stem(*r)).filter(|s| !on_disk.contains(*s));
    let removed: Vec<String> = gone.map(str::to_owned).collect();
    if !removed.is_empty() {
        return stale(IndexDifference { removed, ..IndexDifference::default() });
    }
    let mut loaded = KernelLibrary::default();
    for row in rows {
        loaded.shards.push(read_shard(files, folder, index.stem(row))?);
        loaded.all_depends.push(index.all_depends(row).into_iter().map(str::to_owned).collect());
    }
    let changed = changed_shards(&loaded);
    if !changed.is_empty() {
        return stale(IndexDifference { changed, ..IndexDifference::default() });
    }
    Ok(loaded)
}

fn read_tsv(files: &dyn Files, folder: &Folder) -> Result<String> {
    match folder.read_with(INDEX_TSV, &|path| files.read(path)) {
        Err(LibraryError::Io { source, path, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
            Err(LibraryError::MissingIndex { file: path })
        }
        other => Ok(decode(other?).text),
    }
}

fn read_shard(files: &dyn Files, folder: &Folder, stem: &str) -> Result<Shard> {
    let name = format!("{stem}.cl");
    let bytes = folder.read_with(&name, &|path| files.read(path))?;
    Ok(Shard::from_bytes(stem, display_path(&folder.path_of(&name)), bytes))
}

/// The loaded files that need something which the index does not list for them.
fn changed_shards(loaded: &KernelLibrary) -> Vec<String> {
    let mut providers: HashMap<&str, &str> = HashMap::new();
    for shard in &loaded.shards {
        for symbol in shard.provides() {
            providers.entry(symbol).or_insert(shard.stem());
        }
    }
    let stems: HashSet<&str> = loaded.shards.iter().map(Shard::stem).collect();
    let mut changed = Vec::new();
    for (shard, listed) in loaded.shards.iter().zip(&loaded.all_depends) {
        let known = |name: &str| {
            let name = name.strip_suffix(".cl").unwrap_or(name);
            let stem = if stems.contains(name) { name } else { providers.get(name).copied().unwrap_or(name) };
            stem == shard.stem() || listed.iter().any(|l| l == stem)
        };
        if !shard.annotations().list("depends").into_iter().all(known) {
            changed.push(shard.stem().to_owned());
        }
    }
    changed
}

/// The stems that are wanted; symbols are looked up in the files that provide them.
fn requested_stems(
    files: &dyn Files,
    folder: &Folder,
    wanted: &[Wanted<'_>],
    index: &View<'_>,
    on_disk: &HashSet<String>,
) -> Result<Vec<String>> {
    let mut stems = Vec::new();
    let mut symbols = Vec::new();
    for want in wanted {
        let name = want.value.text.strip_suffix(".cl").unwrap_or(&want.value.text);
        if index.position(name).is_some() { stems.push(name.to_owned()) } else { symbols.push(want) }
    }
    if symbols.is_empty() {
        return Ok(stems);
    }
    let mut shards = Vec::new();
    for stem in (0..index.len()).map(|at| index.stem(at)).filter(|stem| on_disk.contains(*stem)) {
        shards.push(read_shard(files, folder, stem)?);
    }
    let library = Library::new(folder.name(), shards)?;
    let mut missing = Vec::new();
    for want in symbols {
        let value = want.value;
        match library.provider(&value.text) {
            Some(i) => stems.push(library.shards()[i].stem().to_owned()),
            None => missing.push(library.missing_name(want.by, want.tag, &value.text, value.line, value.column)),
        }
    }
    if missing.is_empty() { Ok(stems) } else { Err(LibraryError::MissingDependencies { missing }) }
}
