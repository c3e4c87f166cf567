//! A library's files sorted into folders: those that can be ordered, and those that wait for something.

use crate::error::{LibraryError, Result};
use crate::folder::Folder;
use gristmill_support::AtomicFolder;
use std::path::Path;

/// The report's name in the staged folder.
const REPORT: &str = "dependency_sort.tsv";

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
}

/// A staged library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Staged {
    /// In load order, then the stuck ones by name.
    pub rows: Vec<StagedRow>,
}

impl Staged {
    /// The report as tab-separated text.
    #[must_use]
    pub fn report(&self) -> String {
        let number = |n: Option<usize>| n.map_or_else(String::new, |n| n.to_string());
        let mut text = String::from("stem\tstatus\tpass\tload_order\twaits_for\n");
        for row in &self.rows {
            let status = if row.pass.is_some() { "sorted" } else { "unresolved" };
            let (pass, order) = (number(row.pass), number(row.load_order));
            text.push_str(&format!("{}\t{status}\t{pass}\t{order}\t{}\n", row.stem, row.waits_for.join(", ")));
        }
        text
    }
}

/// Copies the files of a library into `sorted/` and `unresolved/` of a new folder, with a report of the sort: all or nothing.
///
/// # Errors
/// If the folder is there already, its parent is not, or a file cannot be read or written.
pub fn stage(folder: &Folder, dest: &Path) -> Result<Staged> {
    let library = folder.library()?;
    let (passes, stuck) = library.order_prefix();
    let stem = |i: &usize| library.shards()[*i].stem().to_owned();
    let mut rows: Vec<StagedRow> = Vec::new();
    for (pass, members) in passes.iter().enumerate() {
        for member in members {
            let load_order = Some(rows.len() + 1);
            rows.push(StagedRow { stem: stem(member), pass: Some(pass + 1), load_order, waits_for: Vec::new() });
        }
    }
    for member in &stuck {
        let own = |m: &&crate::error::MissingDependency| m.needed_by == library.shards()[*member].stem();
        let mut waits_for: Vec<String> = library.missing().iter().filter(own).map(|m| m.name.clone()).collect();
        let files = library.graph().needs(*member).iter().filter(|n| stuck.binary_search(n).is_ok());
        waits_for.extend(files.map(stem));
        rows.push(StagedRow { stem: stem(member), pass: None, load_order: None, waits_for });
    }
    let staged = Staged { rows };
    if dest.symlink_metadata().is_ok() {
        return Err(LibraryError::WouldOverwrite { dest: dest.to_path_buf(), files: vec![REPORT.to_owned()] });
    }
    let mut made = AtomicFolder::create(dest).map_err(LibraryError::io("create", dest))?;
    for row in &staged.rows {
        let name = format!("{}.cl", row.stem);
        let place = Path::new(if row.pass.is_some() { "sorted" } else { "unresolved" }).join(&name);
        made.write(&place, &folder.read(&name)?).map_err(LibraryError::io("write", dest.join(&place)))?;
    }
    made.write(Path::new(REPORT), staged.report().as_bytes()).map_err(LibraryError::io("write", dest.join(REPORT)))?;
    made.commit().map_err(LibraryError::io("create", dest))?;
    Ok(staged)
}
