//! The dependency index beside a library: which files a kernel needs, without reading the others.

use crate::error::{IndexDifference, LibraryError, Result};
use crate::folder::Folder;
use crate::graph::Reach;
use crate::library::Library;
use crate::package::{Package, folder_name, folder_of};
use crate::rds::{self, Object};
use crate::text::{decode, display_path};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;

/// The index for programs.
pub const INDEX_TSV: &str = "kernel_dependency_index.tsv";
/// The index for R.
pub const INDEX_RDS: &str = "kernel_dependency_index.rds";

/// An index lists every file's closure, which for a chain of files grows with the square of their number: 100,000 files in a
/// row would make 50 GB. Real libraries stay below 100,000 names.
const MAX_ENTRIES: usize = 20_000_000;

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
    pub(crate) fn from_rows(rows: Vec<IndexRow>) -> Self {
        let by_stem = rows.iter().enumerate().map(|(i, row)| (row.stem.clone(), i)).collect();
        Self { rows, by_stem }
    }

    /// The index of a library.
    ///
    /// # Errors
    /// As [`Library::order`].
    pub fn of_library(library: &Library) -> Result<Self> {
        let order = library.order()?;
        let mut reach = Reach::new(library.graph());
        let mut entries = 0;
        let mut rows = Vec::with_capacity(library.shards().len());
        for index in order.indices() {
            let mut others = reach.from(&[index]);
            others.retain(|i| *i != index);
            entries += others.len();
            if entries > MAX_ENTRIES {
                return Err(LibraryError::IndexTooLarge { library: library.name().to_owned(), limit: MAX_ENTRIES });
            }
            others.sort_unstable_by_key(|i| order.position(*i));
            rows.push(IndexRow {
                stem: library.shards()[index].stem().to_owned(),
                all_depends: library.stems(&others),
            });
        }
        Ok(Self::from_rows(rows))
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
        Self::read_from(&Folder::at(library_dir)?)
    }

    /// Reads `kernel_dependency_index.tsv` of a folder.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_from(folder: &Folder) -> Result<Self> {
        let file = folder.path_of(INDEX_TSV);
        let bytes =
            folder.read_if_there(INDEX_TSV)?.ok_or_else(|| LibraryError::MissingIndex { file: file.clone() })?;
        Self::parse_tsv(&decode(bytes).text, &file)
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
    pub(crate) fn of_dir(dir: &Path, name: &str) -> Self {
        Self::in_package(&relative_to_package(dir), name)
    }

    pub(crate) fn in_package(library_dir: &str, name: &str) -> Self {
        let epoch = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|s| s.parse::<f64>().ok());
        let now = || {
            let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            since.map(|d| d.as_secs_f64()).unwrap_or_default()
        };
        Self {
            generated_at: epoch.unwrap_or_else(now),
            library_dir: library_dir.to_owned(),
            library_name: name.to_owned(),
        }
    }
}

/// `cl/nmath` for a directory in a package's tree, else its name.
fn relative_to_package(dir: &Path) -> String {
    let name = folder_name(dir);
    let relative = || {
        let package = Package::containing(dir)?;
        let root = package.root()?.canonicalize().ok()?;
        // The folder may be about to be made; its parent is there.
        let name = dir.file_name();
        let real = dir.canonicalize().ok().or_else(|| {
            let parent = folder_of(dir);
            Some(parent.canonicalize().ok()?.join(name?))
        })?;
        let inside = real.strip_prefix(&root).ok()?.to_path_buf();
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

pub(crate) fn direct_depends(library: &Library) -> HashMap<String, Vec<String>> {
    let stems = |i: usize| library.stems(library.graph().needs(i));
    library.shards().iter().enumerate().map(|(i, shard)| (shard.stem().to_owned(), stems(i))).collect()
}

/// Compares a library's index files with the library.
///
/// # Errors
/// If the library cannot be ordered or a file cannot be read; a missing, stale or damaged index is not an error here.
pub fn check_kernel_dependency_index(dir: &Path, library: &Library) -> Result<IndexCheck> {
    Folder::at(dir)?.check_index(library)
}

fn check_index(folder: &Folder, library: &Library) -> Result<IndexCheck> {
    let current = Index::of_library(library)?;
    let tsv = match Index::read_from(folder) {
        Ok(index) => compare(index.difference(&current)),
        Err(LibraryError::MissingIndex { .. }) => IndexStatus::Missing,
        Err(LibraryError::DamagedIndex { line, problem, .. }) => {
            IndexStatus::Damaged(format!("line {line}: {problem}"))
        }
        Err(error) => return Err(error),
    };
    let rds = match folder.read_if_there(INDEX_RDS)? {
        None => IndexStatus::Missing,
        Some(bytes) => match Index::from_r(&bytes) {
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
    Folder::at(dir)?.write_index()
}

impl Folder {
    /// Compares the folder's index files with the library that it holds.
    ///
    /// # Errors
    /// As [`check_kernel_dependency_index`].
    pub fn check_index(&self, library: &Library) -> Result<IndexCheck> {
        check_index(self, library)
    }

    /// Writes both index files, unless both are current: both, or none. Says what it found before.
    ///
    /// # Errors
    /// As [`write_kernel_dependency_index`].
    pub fn write_index(&self) -> Result<(Index, IndexCheck)> {
        let library = self.library()?;
        let before = check_index(self, &library)?;
        let index = Index::of_library(&library)?;
        if !before.is_current() {
            let dir = self.dir().map_or_else(|| self.path_of(""), Path::to_path_buf);
            let object = index.to_r(&IndexMeta::of_dir(&dir, library.name()), &direct_depends(&library));
            let (tsv, rds) = (index.to_tsv().into_bytes(), rds::write(&object));
            self.write(vec![(INDEX_RDS.to_owned(), rds), (INDEX_TSV.to_owned(), tsv)])?;
        }
        Ok((index, before))
    }
}

pub(crate) fn damaged(file: &Path, line: usize, problem: String) -> LibraryError {
    LibraryError::DamagedIndex { file: file.to_path_buf(), line: u32::try_from(line).unwrap_or(u32::MAX), problem }
}

pub(crate) fn names_of(depends: &str) -> impl Iterator<Item = &str> {
    depends.split(',').map(str::trim).filter(|d| !d.is_empty())
}

/// The lines of a `.tsv`: number, stem, what it needs.
pub(crate) fn lines_of<'a>(text: &'a str, file: &'a Path) -> impl Iterator<Item = Result<(usize, &'a str, &'a str)>> {
    let header = text.lines().next().is_some_and(|h| h.trim_end() == "stem\tall_depends");
    let bad = (!header).then(|| Err(damaged(file, 1, "the first line is not `stem<TAB>all_depends`".to_owned())));
    let rows = text.lines().enumerate().skip(1).filter(|(_, line)| !line.trim().is_empty()).map(|(index, line)| {
        let missing = || damaged(file, index + 1, "there is no tab between the stem and what it needs".to_owned());
        line.split_once('\t').map(|(stem, depends)| (index + 1, stem.trim(), depends)).ok_or_else(missing)
    });
    bad.into_iter().chain(rows)
}
