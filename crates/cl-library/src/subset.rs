//! Copying just what kernels need of a library, with an index for it.

use crate::error::{LibraryError, Result};
use crate::files::{read_regular, write_all};
use crate::folder::Folder;
use crate::index::{INDEX_RDS, INDEX_TSV, Index, IndexMeta, direct_depends};
use crate::kernel_library::{KernelLibrary, default_depends_tag, load_from_folder};
use crate::library::{Library, Shard};
use crate::package::{Package, folder_name, folder_of};
use crate::rds;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

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

/// How a subset is made.
#[derive(Debug, Clone, Copy, Default)]
pub struct Subset<'a> {
    /// The kernels' annotation that names what they need; without, the one for this library.
    pub tag: Option<&'a str>,
    /// Replace files that are there with other content.
    pub overwrite: bool,
    /// Write nothing.
    pub plan_only: bool,
}

/// Copies the files that kernels need, and an index for just them, into a directory: all or nothing.
///
/// # Errors
/// As [`load_library_for_kernel`](crate::load_library_for_kernel); [`LibraryError::WouldOverwrite`] if other content is in
/// the way and `overwrite` is false.
pub fn extract_library_subset(
    kernels: &[Shard],
    library_dir: &Path,
    dest: &Path,
    depends_tag: Option<&str>,
    index: Option<&Index>,
    overwrite: bool,
) -> Result<Vec<SubsetRow>> {
    let folder = Folder::at(library_dir)?;
    let subset = Subset { tag: depends_tag, overwrite, plan_only: false };
    let part = subset.part(kernels, &folder, index)?;
    subset.write(&part, &folder, dest)
}

impl Subset<'_> {
    /// As [`extract_library_subset`], from any folder, built-in ones too.
    ///
    /// # Errors
    /// As there.
    pub fn extract(&self, kernels: &[Shard], folder: &Folder, dest: &Path) -> Result<Vec<SubsetRow>> {
        self.write(&self.part(kernels, folder, None)?, folder, dest)
    }

    /// What the kernels need together, in load order, each with all that it needs.
    fn part(&self, kernels: &[Shard], folder: &Folder, index: Option<&Index>) -> Result<KernelLibrary> {
        let read;
        let index = match (index, Index::read_from(folder)) {
            (Some(index), _) => index,
            (None, Ok(index)) => {
                read = index;
                &read
            }
            // What is built in is never out of date, and comes without index files.
            (None, Err(LibraryError::MissingIndex { .. })) if folder.dir().is_none() => {
                read = Index::of_library(&folder.library()?)?;
                &read
            }
            (None, Err(error)) => return Err(error),
        };
        let name = folder.name();
        let mut union: BTreeMap<usize, (Shard, Vec<String>)> = BTreeMap::new();
        for kernel in kernels {
            let tag = self.tag.map_or_else(|| default_depends_tag(kernel, &name), str::to_owned);
            let part = load_from_folder(kernel, folder, &tag, index)?;
            for (shard, listed) in part.shards.into_iter().zip(part.all_depends) {
                union.entry(index.position(shard.stem()).unwrap_or(usize::MAX)).or_insert((shard, listed));
            }
        }
        let (shards, all_depends) = union.into_values().unzip();
        Ok(KernelLibrary { shards, all_depends })
    }

    fn write(&self, part: &KernelLibrary, folder: &Folder, dest: &Path) -> Result<Vec<SubsetRow>> {
        let parent = folder_of(dest);
        if !dest.is_dir() && !parent.is_dir() {
            return Err(LibraryError::NoParent { dest: dest.to_path_buf(), parent: parent.to_path_buf() });
        }
        Package::admit_destination(dest)?;
        let is_source = |dir: &Path| dest.canonicalize().is_ok_and(|d| dir.canonicalize().is_ok_and(|l| l == d));
        if folder.dir().is_some_and(is_source) {
            return Err(LibraryError::WouldOverwrite {
                dest: dest.to_path_buf(),
                files: vec![INDEX_TSV.into(), INDEX_RDS.into()],
            });
        }
        if !self.plan_only {
            gristmill_support::complete_interrupted(dest);
        }
        let subset = Library::new(folder_name(dest), part.shards.clone())?;
        let index = part.index();
        let object = index.to_r(&IndexMeta::of_dir(dest, subset.name()), &direct_depends(&subset));
        let mut files: Vec<(String, Vec<u8>)> = Vec::new();
        for shard in &part.shards {
            let name = format!("{}.cl", shard.stem());
            // The bytes, not the decoded text: a copy is a copy.
            let bytes = folder.read(&name)?;
            files.push((name, bytes));
        }
        files.push((INDEX_RDS.to_owned(), rds::write(&object)));
        files.push((INDEX_TSV.to_owned(), index.to_tsv().into_bytes()));
        let mut rows = Vec::new();
        let mut in_the_way = Vec::new();
        for (name, bytes) in &files {
            let path = dest.join(name);
            let existing = match read_regular(&path) {
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
            if existing.is_some() && !same && !self.overwrite {
                in_the_way.push(name.clone());
            }
            let stem = name.strip_suffix(".cl").unwrap_or(name).to_owned();
            rows.push(SubsetRow { stem, source: folder.path_of(name), dest: path, copied: !same });
        }
        if !in_the_way.is_empty() {
            return Err(LibraryError::WouldOverwrite { dest: dest.to_path_buf(), files: in_the_way });
        }
        let changed: Vec<(PathBuf, Vec<u8>)> = files
            .into_iter()
            .zip(&rows)
            .filter(|(_, r)| r.copied)
            .map(|((_, bytes), r)| (r.dest.clone(), bytes))
            .collect();
        if !changed.is_empty() && !self.plan_only {
            write_all(&changed)?;
        }
        Ok(rows)
    }
}
