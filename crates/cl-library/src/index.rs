//! The dependency index beside a library: which files a kernel needs, without reading the others.

use crate::error::{IndexDifference, LibraryError, Result};
use crate::library::{Library, Shard, concatenate};
use crate::package::Package;
use crate::rds::{self, Object};
use crate::text::{decode, display_path};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

/// The index for programs.
pub const INDEX_TSV: &str = "kernel_dependency_index.tsv";
/// The index for R.
pub const INDEX_RDS: &str = "kernel_dependency_index.rds";

/// One line of the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexRow {
    /// The file's stem.
    pub stem: String,
    /// The stems that it needs, directly or not, in load order.
    pub all_depends: Vec<String>,
}

/// The index: stems in load order, each with all it needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Index {
    rows: Vec<IndexRow>,
    by_stem: HashMap<String, usize>,
}

impl Index {
    fn from_rows(rows: Vec<IndexRow>) -> Self {
        let by_stem = rows.iter().enumerate().map(|(i, row)| (row.stem.clone(), i)).collect();
        Self { rows, by_stem }
    }

    /// The index of a library.
    ///
    /// # Errors
    /// As [`Library::order`].
    pub fn of_library(library: &Library) -> Result<Self> {
        let order = library.order()?;
        let rows = order.indices().map(|index| {
            let closure = library.graph().closure(&[index], &order);
            let others: Vec<usize> = closure.into_iter().filter(|i| *i != index).collect();
            IndexRow { stem: library.shards()[index].stem().to_owned(), all_depends: library.stems(&others) }
        });
        Ok(Self::from_rows(rows.collect()))
    }

    /// Reads the text of `kernel_dependency_index.tsv`.
    ///
    /// # Errors
    /// [`LibraryError::DamagedIndex`] with the line.
    pub fn parse_tsv(text: &str, file: &Path) -> Result<Self> {
        let mut rows: Vec<IndexRow> = Vec::new();
        let mut seen: HashSet<&str> = HashSet::new();
        for row in lines_of(text, file) {
            let (number, stem, depends) = row?;
            let all_depends: Vec<String> = names_of(depends).map(str::to_owned).collect();
            if let Some(late) = all_depends.iter().find(|d| !seen.contains(d.as_str())) {
                return Err(damaged(file, number, format!("`{stem}` needs `{late}`, which no line above names")));
            }
            if stem.is_empty() || !seen.insert(stem) {
                return Err(damaged(file, number, format!("the stem `{stem}` is empty or there twice")));
            }
            rows.push(IndexRow { stem: stem.to_owned(), all_depends });
        }
        Ok(Self::from_rows(rows))
    }

    /// Reads `kernel_dependency_index.tsv` of a library's directory.
    ///
    /// # Errors
    /// [`LibraryError::MissingIndex`] or [`LibraryError::DamagedIndex`].
    pub fn read(library_dir: &Path) -> Result<Self> {
        let file = library_dir.join(INDEX_TSV);
        Self::parse_tsv(&read_tsv(&Disk, &file)?, &file)
    }

    /// The text of `kernel_dependency_index.tsv`.
    #[must_use]
    pub fn to_tsv(&self) -> String {
        let mut text = String::from("stem\tall_depends\n");
        for row in &self.rows {
            text.push_str(&row.stem);
            text.push('\t');
            text.push_str(&row.all_depends.join(", "));
            text.push('\n');
        }
        text
    }

    /// The lines in load order.
    #[must_use]
    pub fn rows(&self) -> &[IndexRow] {
        &self.rows
    }

    /// The place of a stem in the load order, from 0.
    #[must_use]
    pub fn position(&self, stem: &str) -> Option<usize> {
        self.by_stem.get(stem).copied()
    }

    /// The rows of these stems and all they need, in load order.
    #[must_use]
    pub fn closure<'a>(&'a self, stems: &[&str]) -> Vec<&'a IndexRow> {
        let mut wanted: BTreeSet<usize> = BTreeSet::new();
        for stem in stems {
            let Some(at) = self.position(stem) else { continue };
            wanted.insert(at);
            wanted.extend(self.rows[at].all_depends.iter().filter_map(|d| self.position(d)));
        }
        wanted.into_iter().map(|at| &self.rows[at]).collect()
    }

    /// How this index differs from a library: sets of names, so that another valid order is no difference.
    fn difference(&self, current: &Self) -> IndexDifference {
        let mut difference = IndexDifference::default();
        for row in &current.rows {
            match self.position(&row.stem) {
                None => difference.added.push(row.stem.clone()),
                Some(at) => {
                    let was: BTreeSet<&String> = self.rows[at].all_depends.iter().collect();
                    if was != row.all_depends.iter().collect() {
                        difference.changed.push(row.stem.clone());
                    }
                }
            }
        }
        difference.removed =
            self.rows.iter().filter(|r| current.position(&r.stem).is_none()).map(|r| r.stem.clone()).collect();
        for list in [&mut difference.added, &mut difference.removed, &mut difference.changed] {
            list.sort();
        }
        difference
    }

    /// The object of `kernel_dependency_index.rds`.
    #[must_use]
    pub fn to_r(&self, meta: &IndexMeta, depends: &HashMap<String, Vec<String>>) -> Object {
        let stems: Vec<&str> = self.rows.iter().map(|r| r.stem.as_str()).collect();
        let count = i32::try_from(stems.len()).unwrap_or(i32::MAX);
        let direct = |stem: &str| depends.get(stem).map(Vec::as_slice).unwrap_or_default();
        let list = |values: Vec<Object>| Object::new(rds::Value::List(values));
        list(vec![
            Object::integer(1),
            Object::new(rds::Value::Reals(vec![meta.generated_at])).class(&["POSIXct", "POSIXt"]),
            Object::strings(&[&meta.library_dir]),
            Object::strings(&[&meta.library_name]),
            Object::strings(&stems),
            Object::new(rds::Value::Integers((1..=count).collect())).named(&stems),
            list(stems.iter().map(|s| Object::strings(direct(s))).collect()).named(&stems),
            list(self.rows.iter().map(|r| Object::strings(&r.all_depends)).collect()).named(&stems),
            Object::integer(count),
        ])
        .named(&[
            "version",
            "generated_at",
            "library_dir",
            "library_name",
            "stems_ordered",
            "load_order",
            "depends",
            "all_depends",
            "n_files",
        ])
    }

    /// Reads what R would read: the index and the direct dependencies.
    ///
    /// # Errors
    /// What is wrong with the file, in words.
    pub fn from_r(bytes: &[u8]) -> std::result::Result<(Self, HashMap<String, Vec<String>>), String> {
        let object = rds::read(bytes)?;
        let part = |name: &str| object.get(name).ok_or_else(|| format!("the list has no element `{name}`"));
        let strings = |o: &Object, name: &str| -> std::result::Result<Vec<String>, String> {
            let strings = o.as_strings().ok_or_else(|| format!("`{name}` is not made of strings"))?;
            Ok(strings.into_iter().map(str::to_owned).collect())
        };
        let lists = |name: &str| -> std::result::Result<HashMap<String, Vec<String>>, String> {
            let list = part(name)?;
            let names = list.names().ok_or_else(|| format!("`{name}` has no names"))?;
            let rds::Value::List(values) = &list.value else { return Err(format!("`{name}` is not a list")) };
            names.iter().zip(values).map(|(n, v)| Ok(((*n).to_owned(), strings(v, name)?))).collect()
        };
        let stems = strings(part("stems_ordered")?, "stems_ordered")?;
        let mut all_depends = lists("all_depends")?;
        let rows =
            stems.into_iter().map(|stem| IndexRow { all_depends: all_depends.remove(&stem).unwrap_or_default(), stem });
        Ok((Self::from_rows(rows.collect()), lists("depends")?))
    }
}

/// What the R object says beside the graph.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexMeta {
    /// Seconds since 1970. `SOURCE_DATE_EPOCH` replaces the clock.
    pub generated_at: f64,
    /// The directory, relative to its package.
    pub library_dir: String,
    /// The directory's name.
    pub library_name: String,
}

impl IndexMeta {
    fn of_dir(dir: &Path, name: &str) -> Self {
        let epoch = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|s| s.parse::<f64>().ok());
        let now = || {
            let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            since.map(|d| d.as_secs_f64()).unwrap_or_default()
        };
        Self {
            generated_at: epoch.unwrap_or_else(now),
            library_dir: relative_to_package(dir),
            library_name: name.to_owned(),
        }
    }
}

/// `cl/nmath` for a directory in a package's tree, else its name.
fn relative_to_package(dir: &Path) -> String {
    let name = crate::library::library_name(dir);
    let relative = || {
        let package = Package::containing(dir)?;
        let root = package.root()?.canonicalize().ok()?;
        let inside = dir.canonicalize().ok()?.strip_prefix(&root).ok()?.to_path_buf();
        let tree = if root.parent()?.file_name()? == "inst" { "inst/cl" } else { "cl" };
        (!inside.as_os_str().is_empty()).then(|| format!("{tree}/{}", display_path(&inside)))
    };
    relative().unwrap_or(name)
}

/// Whether one index file says what the library says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IndexStatus {
    /// It does (in this or another valid order).
    Current,
    /// There is no such file.
    Missing,
    /// The library has changed since.
    Stale(IndexDifference),
    /// It cannot be read: where and why.
    Damaged(String),
}

/// The state of both index files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexCheck {
    /// [`INDEX_TSV`].
    pub tsv: IndexStatus,
    /// [`INDEX_RDS`].
    pub rds: IndexStatus,
}

impl IndexCheck {
    /// Whether nothing has to be written.
    #[must_use]
    pub fn is_current(&self) -> bool {
        self.tsv == IndexStatus::Current && self.rds == IndexStatus::Current
    }
}

fn direct_depends(library: &Library) -> HashMap<String, Vec<String>> {
    let stems = |i: usize| library.stems(library.graph().needs(i));
    library.shards().iter().enumerate().map(|(i, shard)| (shard.stem().to_owned(), stems(i))).collect()
}

/// Compares a library's index files with the library.
///
/// # Errors
/// If the library cannot be ordered or a file cannot be read; a missing, stale or damaged index is not an error here.
pub fn check_kernel_dependency_index(dir: &Path, library: &Library) -> Result<IndexCheck> {
    let current = Index::of_library(library)?;
    let tsv = match Index::read(dir) {
        Ok(index) => compare(index.difference(&current)),
        Err(LibraryError::MissingIndex { .. }) => IndexStatus::Missing,
        Err(LibraryError::DamagedIndex { line, problem, .. }) => {
            IndexStatus::Damaged(format!("line {line}: {problem}"))
        }
        Err(error) => return Err(error),
    };
    let file = dir.join(INDEX_RDS);
    let rds = match std::fs::read(&file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => IndexStatus::Missing,
        Err(error) => return Err(LibraryError::io("read", &file)(error)),
        Ok(bytes) => match Index::from_r(&bytes) {
            Err(problem) => IndexStatus::Damaged(problem),
            Ok((index, depends)) => {
                let mut difference = index.difference(&current);
                let now = direct_depends(library);
                let set = |list: &[String]| -> BTreeSet<String> { list.iter().cloned().collect() };
                for row in current.rows.iter().filter(|r| index.position(&r.stem).is_some()) {
                    let was = depends.get(&row.stem).map(Vec::as_slice).unwrap_or_default();
                    // An index may name a symbol where we name the file that provides it.
                    let was: BTreeSet<String> = set(was)
                        .into_iter()
                        .map(|d| library.resolve(&d).map_or(d, |i| library.shards()[i].stem().to_owned()))
                        .filter(|d| *d != row.stem)
                        .collect();
                    if was != set(&now[&row.stem]) && !difference.changed.contains(&row.stem) {
                        difference.changed.push(row.stem.clone());
                    }
                }
                difference.changed.sort();
                compare(difference)
            }
        },
    };
    Ok(IndexCheck { tsv, rds })
}

fn compare(difference: IndexDifference) -> IndexStatus {
    if difference.is_empty() { IndexStatus::Current } else { IndexStatus::Stale(difference) }
}

/// Writes both index files, unless both are current. Says what it found before.
///
/// # Errors
/// If the library cannot be ordered, or a file cannot be written.
pub fn write_kernel_dependency_index(dir: &Path) -> Result<(Index, IndexCheck)> {
    let library = Library::from_dir(dir)?;
    let before = check_kernel_dependency_index(dir, &library)?;
    let index = Index::of_library(&library)?;
    if !before.is_current() {
        let meta = IndexMeta::of_dir(dir, library.name());
        let object = index.to_r(&meta, &direct_depends(&library));
        crate::atomic::write(&dir.join(INDEX_RDS), &rds::write(&object))?;
        crate::atomic::write(&dir.join(INDEX_TSV), index.to_tsv().as_bytes())?;
    }
    Ok((index, before))
}

fn read_tsv(files: &dyn Files, file: &Path) -> Result<String> {
    match files.read(file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(LibraryError::MissingIndex { file: file.to_path_buf() })
        }
        other => Ok(decode(other.map_err(LibraryError::io("read", file))?).text),
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
            Self::Whole(index) => index.rows.len(),
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
            Self::Whole(index) => &index.rows[at].stem,
            Self::Lines { rows, .. } => rows[at].0,
        }
    }

    fn all_depends(&self, at: usize) -> Vec<&str> {
        match self {
            Self::Whole(index) => index.rows[at].all_depends.iter().map(String::as_str).collect(),
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

fn damaged(file: &Path, line: usize, problem: String) -> LibraryError {
    LibraryError::DamagedIndex { file: file.to_path_buf(), line: u32::try_from(line).unwrap_or(u32::MAX), problem }
}

fn names_of(depends: &str) -> impl Iterator<Item = &str> {
    depends.split(',').map(str::trim).filter(|d| !d.is_empty())
}

/// The lines of a `.tsv`: number, stem, what it needs.
fn lines_of<'a>(text: &'a str, file: &'a Path) -> impl Iterator<Item = Result<(usize, &'a str, &'a str)>> {
    let header = text.lines().next().is_some_and(|h| h.trim_end() == "stem\tall_depends");
    let bad = (!header).then(|| Err(damaged(file, 1, "the first line is not `stem<TAB>all_depends`".to_owned())));
    let rows = text.lines().enumerate().skip(1).filter(|(_, line)| !line.trim().is_empty()).map(|(index, line)| {
        let missing = || damaged(file, index + 1, "there is no tab between the stem and what it needs".to_owned());
        line.split_once('\t').map(|(stem, depends)| (index + 1, stem.trim(), depends)).ok_or_else(missing)
    });
    bad.into_iter().chain(rows)
}

/// How files are read, so that a test can count them.
pub trait Files {
    /// The whole content.
    ///
    /// # Errors
    /// Whatever the file system says.
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>>;

    /// The stems of a directory's `.cl` files, without opening them.
    ///
    /// # Errors
    /// If the directory cannot be read.
    fn cl_stems(&self, dir: &Path) -> Result<Vec<String>> {
        let mut stems = Vec::new();
        for entry in std::fs::read_dir(dir).map_err(LibraryError::io("read", dir))? {
            let entry = entry.map_err(LibraryError::io("read", dir))?;
            let name = entry.file_name();
            if let Some(stem) = name.to_string_lossy().strip_suffix(".cl") {
                // The kind comes with the listing; only links have to be followed.
                let kind = entry.file_type().map_err(LibraryError::io("read", dir))?;
                if kind.is_file() || kind.is_symlink() && !entry.path().is_dir() {
                    stems.push(stem.to_owned());
                }
            }
        }
        Ok(stems)
    }
}

/// The file system.
#[derive(Debug, Clone, Copy, Default)]
pub struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        std::fs::read(path)
    }
}

/// The part of a library that one kernel needs.
#[derive(Debug, Clone, Default)]
pub struct KernelLibrary {
    shards: Vec<Shard>,
    all_depends: Vec<Vec<String>>,
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
    let tags = kernel.annotations().tags();
    let libraries: BTreeSet<&str> = tags
        .iter()
        .filter(|t| !t.name.ends_with("_count"))
        .filter_map(|t| t.name.strip_prefix("depends_").or_else(|| t.name.strip_prefix("all_depends_")))
        .collect();
    let matching = |lib: &&&str| {
        library_name == **lib
            || library_name.strip_suffix(**lib).is_some_and(|rest| rest.ends_with(['_', '-', '.']))
            || library_name.strip_prefix(**lib).is_some_and(|rest| rest.starts_with(['_', '-', '.']))
    };
    let library = libraries.iter().find(|lib| **lib == library_name).or_else(|| libraries.iter().find(matching));
    let library = library.or_else(|| if libraries.len() == 1 { libraries.first() } else { None });
    let candidates = match library {
        Some(lib) => vec![format!("depends_{lib}"), format!("all_depends_{lib}")],
        None => vec!["all_depends".to_owned(), "depends".to_owned()],
    };
    let found = candidates.iter().find(|c| kernel.annotations().has(c)).cloned();
    found.unwrap_or_else(|| format!("depends_{library_name}"))
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
    if kernel.annotations().values(depends_tag).is_empty() {
        return Ok(KernelLibrary::default());
    }
    let index_file = library_dir.join(INDEX_TSV);
    let text;
    let index = match index {
        Some(index) => View::Whole(index),
        None => {
            text = read_tsv(files, &index_file)?;
            View::of_lines(&text, &index_file)?
        }
    };
    let on_disk: HashSet<String> = files.cl_stems(library_dir)?.into_iter().collect();
    let mut added: Vec<String> = on_disk.iter().filter(|s| index.position(s).is_none()).cloned().collect();
    if !added.is_empty() {
        added.sort();
        let difference = IndexDifference { added, ..IndexDifference::default() };
        return Err(LibraryError::StaleIndex { file: index_file, difference });
    }
    let stems = requested_stems(files, kernel, library_dir, depends_tag, &index, &on_disk)?;
    let rows = index.closure(&stems)?;
    let gone = rows.iter().map(|r| index.stem(*r)).filter(|s| !on_disk.contains(*s));
    let removed: Vec<String> = gone.map(str::to_owned).collect();
    if !removed.is_empty() {
        let difference = IndexDifference { removed, ..IndexDifference::default() };
        return Err(LibraryError::StaleIndex { file: index_file, difference });
    }
    let mut loaded = KernelLibrary::default();
    for row in rows {
        loaded.shards.push(read_shard(files, library_dir, index.stem(row))?);
        loaded.all_depends.push(index.all_depends(row).into_iter().map(str::to_owned).collect());
    }
    let changed = changed_shards(&loaded);
    if !changed.is_empty() {
        let difference = IndexDifference { changed, ..IndexDifference::default() };
        return Err(LibraryError::StaleIndex { file: index_file, difference });
    }
    Ok(loaded)
}

fn read_shard(files: &dyn Files, dir: &Path, stem: &str) -> Result<Shard> {
    let path = dir.join(format!("{stem}.cl"));
    let bytes = files.read(&path).map_err(LibraryError::io("read", &path))?;
    Ok(Shard::from_bytes(stem, display_path(&path), bytes))
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

/// The stems that the kernel's annotation names; symbols are looked up in the files that provide them.
fn requested_stems(
    files: &dyn Files,
    kernel: &Shard,
    library_dir: &Path,
    depends_tag: &str,
    index: &View<'_>,
    on_disk: &HashSet<String>,
) -> Result<Vec<String>> {
    let mut stems = Vec::new();
    let mut symbols = Vec::new();
    for value in kernel.annotations().values(depends_tag) {
        let name = value.text.strip_suffix(".cl").unwrap_or(&value.text);
        if index.position(name).is_some() { stems.push(name.to_owned()) } else { symbols.push(value) }
    }
    if symbols.is_empty() {
        return Ok(stems);
    }
    let mut shards = Vec::new();
    for stem in (0..index.len()).map(|at| index.stem(at)).filter(|stem| on_disk.contains(*stem)) {
        shards.push(read_shard(files, library_dir, stem)?);
    }
    let library = Library::new(crate::library::library_name(library_dir), shards)?;
    let mut missing = Vec::new();
    for value in symbols {
        match library.provider(&value.text) {
            Some(i) => stems.push(library.shards()[i].stem().to_owned()),
            None => missing.push(library.missing_name(kernel, depends_tag, &value.text, value.line, value.column)),
        }
    }
    if missing.is_empty() { Ok(stems) } else { Err(LibraryError::MissingDependencies { missing }) }
}

/// One file of an extracted subset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubsetRow {
    /// The stem; the file's name for the two index files.
    pub stem: String,
    /// Where it came from.
    pub source: PathBuf,
    /// Where it is now.
    pub dest: PathBuf,
    /// Whether it was written: not if the same content was there already.
    pub copied: bool,
}

/// Copies the files that kernels need, and an index for just them, into a directory: all or nothing.
///
/// # Errors
/// As [`load_library_for_kernel`]; [`LibraryError::WouldOverwrite`] if other content is in the way and `overwrite` is false.
pub fn extract_library_subset(
    kernels: &[Shard],
    library_dir: &Path,
    dest: &Path,
    depends_tag: Option<&str>,
    index: Option<&Index>,
    overwrite: bool,
) -> Result<Vec<SubsetRow>> {
    let read;
    let index = match index {
        Some(index) => index,
        None => {
            read = Index::read(library_dir)?;
            &read
        }
    };
    let name = crate::library::library_name(library_dir);
    let mut union = KernelLibrary::default();
    for kernel in kernels {
        let tag = depends_tag.map_or_else(|| default_depends_tag(kernel, &name), str::to_owned);
        let part = load_library_for_kernel(kernel, library_dir, &tag, Some(index))?;
        for (shard, listed) in part.shards.into_iter().zip(part.all_depends) {
            if !union.shards.iter().any(|s| s.stem() == shard.stem()) {
                union.shards.push(shard);
                union.all_depends.push(listed);
            }
        }
    }
    let mut pairs: Vec<(Shard, Vec<String>)> = union.shards.into_iter().zip(union.all_depends).collect();
    pairs.sort_by_key(|(shard, _)| index.position(shard.stem()));
    let (shards, all_depends) = pairs.into_iter().unzip();
    let union = KernelLibrary { shards, all_depends };
    write_subset(&union, library_dir, dest, overwrite)
}

fn write_subset(union: &KernelLibrary, library_dir: &Path, dest: &Path, overwrite: bool) -> Result<Vec<SubsetRow>> {
    if dest.canonicalize().is_ok_and(|d| library_dir.canonicalize().is_ok_and(|l| l == d)) {
        return Err(LibraryError::WouldOverwrite {
            dest: dest.to_path_buf(),
            files: vec![INDEX_TSV.into(), INDEX_RDS.into()],
        });
    }
    let subset = Library::new(crate::library::library_name(dest), union.shards.clone())?;
    let index = union.index();
    let meta = IndexMeta::of_dir(dest, subset.name());
    let object = index.to_r(&meta, &direct_depends(&subset));
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for shard in &union.shards {
        let name = format!("{}.cl", shard.stem());
        let source = library_dir.join(&name);
        // The bytes, not the decoded text: a copy is a copy.
        files.push((name, std::fs::read(&source).map_err(LibraryError::io("read", &source))?));
    }
    files.push((INDEX_RDS.to_owned(), rds::write(&object)));
    files.push((INDEX_TSV.to_owned(), index.to_tsv().into_bytes()));
    let mut rows = Vec::new();
    let mut in_the_way = Vec::new();
    for (name, bytes) in &files {
        let path = dest.join(name);
        let existing = match std::fs::read(&path) {
            Ok(existing) => Some(existing),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(LibraryError::io("read", &path)(error)),
        };
        // The time in the R object is no difference.
        let same = existing.as_ref().is_some_and(|e| {
            e == bytes
                || name == INDEX_RDS
                    && Index::from_r(e).is_ok_and(|was| Index::from_r(bytes).is_ok_and(|now| was == now))
        });
        if existing.is_some() && !same && !overwrite {
            in_the_way.push(name.clone());
        }
        let stem = name.strip_suffix(".cl").unwrap_or(name).to_owned();
        rows.push(SubsetRow { stem, source: library_dir.join(name), dest: path, copied: !same });
    }
    if !in_the_way.is_empty() {
        return Err(LibraryError::WouldOverwrite { dest: dest.to_path_buf(), files: in_the_way });
    }
    let changed: Vec<(String, Vec<u8>)> =
        files.into_iter().zip(&rows).filter(|(_, row)| row.copied).map(|(f, _)| f).collect();
    if !changed.is_empty() {
        crate::atomic::install(dest, &changed)?;
    }
    Ok(rows)
}
