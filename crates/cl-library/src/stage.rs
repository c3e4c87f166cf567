//! A library's files sorted into folders: those that can be ordered, and those that wait for something.
//!
//! What R's `stage_kernel_dependency_sort` does: a copy to look at before and after a cycle is broken, with reports as CSV. The
//! library itself is not touched.

use crate::error::{LibraryError, Result};
use crate::folder::Folder;
use crate::library::Library;
use crate::package::{Package, folder_of};
use gristmill_support::AtomicFolder;
use std::collections::HashMap;
use std::io;
use std::path::Path;

/// The folder of the files that can be ordered. They keep their names, so that it is a library.
const SORTED: &str = "sorted";
/// The folder of the files that wait for something.
const UNRESOLVED: &str = "unresolved";
/// The reports.
const SORTED_CSV: &str = "sorted.csv";
const UNRESOLVED_CSV: &str = "unresolved.csv";

/// What became of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StagedRow {
    /// The stem.
    pub stem: String,
    /// The pass that took it, from 1; none if it is stuck.
    pub pass: Option<usize>,
    /// Its place in the load order, from 1.
    pub load_order: Option<usize>,
    /// What it still waits for: names that nothing provides, and files that are stuck themselves.
    pub waits_for: Vec<String>,
    /// Those of them that nothing provides.
    pub missing: Vec<String>,
    /// Whether it is on a circle of files that need each other.
    pub in_cycle: bool,
}

/// A staged library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Staged {
    /// In load order, then the stuck ones by name.
    pub rows: Vec<StagedRow>,
}

impl Staged {
    /// How a library's files would be sorted.
    #[must_use]
    pub fn of(library: &Library) -> Self {
        let (passes, stuck) = library.order_prefix();
        let stem = |i: usize| library.shards()[i].stem().to_owned();
        let mut rows: Vec<StagedRow> = Vec::new();
        for (pass, members) in passes.iter().enumerate() {
            for member in members {
                rows.push(StagedRow {
                    stem: stem(*member),
                    pass: Some(pass + 1),
                    load_order: Some(rows.len() + 1),
                    waits_for: Vec::new(),
                    missing: Vec::new(),
                    in_cycle: false,
                });
            }
        }
        let circles = library.graph().components();
        let mut in_cycle = vec![false; library.shards().len()];
        for circle in circles.iter().filter(|c| c.len() > 1 || library.graph().needs(c[0]).contains(&c[0])) {
            circle.iter().for_each(|member| in_cycle[*member] = true);
        }
        let mut missing_of: HashMap<&str, Vec<String>> = HashMap::new();
        for absent in library.missing() {
            missing_of.entry(&absent.needed_by).or_default().push(absent.name.clone());
        }
        for member in stuck.iter().copied() {
            let missing = missing_of.remove(library.shards()[member].stem()).unwrap_or_default();
            let files = library.graph().needs(member).iter().filter(|n| stuck.binary_search(n).is_ok());
            let waits_for = missing.iter().cloned().chain(files.map(|n| stem(*n))).collect();
            let in_cycle = in_cycle[member];
            rows.push(StagedRow { stem: stem(member), pass: None, load_order: None, waits_for, missing, in_cycle });
        }
        Self { rows }
    }

    /// The files that can be ordered, in load order.
    pub fn sorted(&self) -> impl Iterator<Item = &StagedRow> {
        self.rows.iter().filter(|row| row.pass.is_some())
    }

    /// The files that wait for something, by name.
    pub fn unresolved(&self) -> impl Iterator<Item = &StagedRow> {
        self.rows.iter().filter(|row| row.pass.is_none())
    }

    /// The text of `sorted.csv`.
    #[must_use]
    pub fn sorted_csv(&self) -> String {
        let number = |n: Option<usize>| n.map_or_else(String::new, |n| n.to_string());
        let line = |row: &StagedRow| {
            let file = format!("{SORTED}/{}.cl", row.stem);
            csv_line(&[&number(row.load_order), &number(row.pass), &row.stem, &file])
        };
        format!("load_order,pass,stem,file\n{}", self.sorted().map(line).collect::<String>())
    }

    /// The text of `unresolved.csv`.
    #[must_use]
    pub fn unresolved_csv(&self) -> String {
        let line = |row: &StagedRow| {
            let file = format!("{UNRESOLVED}/{}.cl", row.stem);
            let in_cycle = if row.in_cycle { "true" } else { "false" };
            csv_line(&[&row.stem, &file, &row.waits_for.join(", "), &row.missing.join(", "), in_cycle])
        };
        format!("stem,file,waits_for,missing,in_cycle\n{}", self.unresolved().map(line).collect::<String>())
    }

    /// Both as one tab-separated text.
    #[must_use]
    pub fn report(&self) -> String {
        let number = |n: Option<usize>| n.map_or_else(String::new, |n| n.to_string());
        let mut text = String::from("stem\tstatus\tpass\tload_order\twaits_for\n");
        for row in &self.rows {
            let status = if row.pass.is_some() { SORTED } else { UNRESOLVED };
            let (pass, order) = (number(row.pass), number(row.load_order));
            text.push_str(&format!("{}\t{status}\t{pass}\t{order}\t{}\n", row.stem, row.waits_for.join(", ")));
        }
        text
    }
}

/// A line of CSV; fields that need it are quoted.
fn csv_line(fields: &[&str]) -> String {
    let field = |text: &&str| {
        let plain = !text.contains([',', '"', '\n', '\r']);
        if plain { (*text).to_owned() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
    };
    fields.iter().map(field).collect::<Vec<_>>().join(",") + "\n"
}

/// Copies the files of a library into `sorted/` and `unresolved/` of a folder, with a report of each: all or nothing.
///
/// With `overwrite`, a folder that was staged before is replaced; one that holds anything else never is.
///
/// # Errors
/// If the folder is there already, its parent is not, or a file cannot be read or written.
pub fn stage(folder: &Folder, dest: &Path, overwrite: bool) -> Result<Staged> {
    let staged = Staged::of(&folder.library()?);
    let parent = folder_of(dest);
    if parent.is_dir() {
        Package::admit_destination(dest)?;
    }
    if dest.symlink_metadata().is_ok() {
        may_replace(dest, overwrite)?;
    } else if !parent.is_dir() {
        return Err(LibraryError::NoParent { dest: dest.to_path_buf(), parent: parent.to_path_buf() });
    }
    let mut made = AtomicFolder::create(dest).map_err(LibraryError::io("create", dest))?;
    // Both are there, whether anything is in them or not.
    for name in [SORTED, UNRESOLVED] {
        made.make_folder(Path::new(name)).map_err(LibraryError::io("create", dest.join(name)))?;
    }
    for row in &staged.rows {
        let name = format!("{}.cl", row.stem);
        let place = Path::new(if row.pass.is_some() { SORTED } else { UNRESOLVED }).join(&name);
        // The bytes, not the decoded text: a copy is a copy.
        made.write(&place, &folder.read(&name)?).map_err(LibraryError::io("write", dest.join(&place)))?;
    }
    for (name, text) in [(SORTED_CSV, staged.sorted_csv()), (UNRESOLVED_CSV, staged.unresolved_csv())] {
        made.write(Path::new(name), text.as_bytes()).map_err(LibraryError::io("write", dest.join(name)))?;
    }
    made.commit().map_err(LibraryError::io("create", dest))?;
    Ok(staged)
}

/// Whether what is there may go: only what an earlier run made.
fn may_replace(dest: &Path, overwrite: bool) -> Result<()> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(dest).map_err(LibraryError::io("replace", dest))? {
        names.push(entry.map_err(LibraryError::io("read", dest))?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    let ours = [SORTED, UNRESOLVED, SORTED_CSV, UNRESOLVED_CSV];
    if let Some(other) = names.iter().find(|name| !ours.contains(&name.as_str())) {
        let why = format!("it holds `{other}`, which is no part of a staged library; name another folder");
        return Err(LibraryError::io("replace", dest)(io::Error::other(why)));
    }
    if !overwrite && !names.is_empty() {
        return Err(LibraryError::WouldOverwrite { dest: dest.to_path_buf(), files: names });
    }
    Ok(())
}
