//! The annotations of kernels: what they call and need of a library.

use crate::annotate::{Change, set_annotations};
use crate::builtins;
use crate::error::{LibraryError, Result};
use crate::facts::{LibraryFacts, SymbolKind};
use crate::folder::Folder;
use crate::library::{Library, Shard};
use crate::program::ProgramPiece;
use crate::text::display_path;
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

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

/// `@calls_LIB`, `@depends_LIB` and `@all_depends_LIB` for kernels, from their code and the library's files. A kernel whose
/// annotations are right is not changed.
///
/// # Errors
/// If a kernel cannot be read or the library cannot be ordered.
pub fn annotate_kernels(
    kernels: &[PathBuf],
    library: &Library,
    tag: &str,
    prelude: &[ProgramPiece],
) -> Result<Vec<KernelCalls>> {
    library.order()?;
    let tags = Tags::new(tag);
    let (contents, shards) = read_all(kernels)?;
    let facts = LibraryFacts::with_users(library, prelude, &shards, &tags.depends);
    let mut results = Vec::new();
    for (at, ((path, bytes), shard)) in kernels.iter().zip(contents).zip(&shards).enumerate() {
        let user = library.shards().len() + at;
        let code = &facts.files[user];
        let owner = |name: &str| {
            let (kind, file) = facts.owners.get(name).copied().unzip();
            let is_used = code.calls.contains(name) || !matches!(kind, None | Some(SymbolKind::Function));
            let file = library.provider(name).or(file).filter(|_| is_used && !code.defines(name))?;
            Some(facts.fitting(user, name, file))
        };
        let used = code.calls.iter().chain(&code.mentions).filter_map(|name| owner(name));
        let needs: BTreeSet<usize> = used.chain(facts.needs[user].iter().copied()).collect();
        let depends = listed_and_needed(library, &facts, user, shard, &tags.depends, &needs);
        let mut calls: Vec<String> = code.calls.iter().filter(|name| owner(name).is_some()).cloned().collect();
        let said = shard.annotations().list(&tags.calls);
        // A call may be listed by the name that the kernel uses or by what a macro makes of it.
        if said.iter().map(|n| code.expanded(n)).collect::<BTreeSet<_>>() == calls.iter().map(String::as_str).collect()
        {
            calls = said.iter().map(|n| (*n).to_owned()).collect();
        }
        let builtins = code.calls.iter().filter(|c| builtins::is_execution_function(c)).cloned().collect();
        results.push(tags.result(path, shard, bytes, library, Found { calls, depends, builtins })?);
    }
    Ok(results)
}

/// Only what follows from `@depends_LIB`: `@all_depends_LIB` and its count, where kernels have them.
///
/// # Errors
/// If a kernel cannot be read, the library cannot be ordered, or a kernel names something that is not there.
pub fn refresh_kernels(kernels: &[PathBuf], library: &Library, tag: &str) -> Result<Vec<KernelCalls>> {
    let tags = Tags::new(tag);
    let (contents, shards) = read_all(kernels)?;
    let mut results = Vec::new();
    for ((path, bytes), shard) in kernels.iter().zip(contents).zip(&shards) {
        let list =
            |tag: &str| -> Vec<String> { shard.annotations().list(tag).iter().map(|n| (*n).to_owned()).collect() };
        let all_depends = tags.closure(library, shard, &list(&tags.depends))?;
        let mut new: Vec<(&str, Option<Vec<String>>)> = Vec::new();
        if shard.annotations().has(&tags.depends) {
            if shard.annotations().has(&tags.count) {
                new.push((&tags.count, Some(vec![all_depends.len().to_string()])));
            }
            if shard.annotations().has(&tags.all_depends) {
                new.push((&tags.all_depends, Some(all_depends.clone())));
            }
        }
        results.push(KernelCalls {
            kernel: shard.stem().to_owned(),
            calls: list(&tags.calls),
            depends: list(&tags.depends),
            all_depends,
            opencl_builtins: list("calls_opencl_builtin"),
            change: change(path, bytes, &new),
        });
    }
    Ok(results)
}

fn read_all(kernels: &[PathBuf]) -> Result<(Vec<Vec<u8>>, Vec<Shard>)> {
    let mut contents = Vec::new();
    let mut shards = Vec::new();
    for path in kernels {
        let (folder, name) = Folder::of_file(path)?;
        if let Some(dir) = folder.dir() {
            gristmill_support::complete_interrupted(dir);
        }
        let bytes = folder.read(&name)?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        shards.push(Shard::from_bytes(stem, display_path(path), bytes.clone()));
        contents.push(bytes);
    }
    Ok((contents, shards))
}

fn change(path: &Path, bytes: Vec<u8>, tags: &[(&str, Option<Vec<String>>)]) -> Option<Change> {
    let after = set_annotations(&bytes, tags);
    (after != bytes).then(|| Change { path: path.to_path_buf(), before: Some(bytes), after })
}

/// What the kernel lists rightly, and what it needs beside that.
fn listed_and_needed(
    library: &Library,
    facts: &LibraryFacts,
    user: usize,
    shard: &Shard,
    tag: &str,
    needs: &BTreeSet<usize>,
) -> BTreeSet<usize> {
    let listed = shard.annotations().list(tag);
    let resolved = listed.iter().filter_map(|n| library.resolve(n));
    let mut list: BTreeSet<usize> = resolved.filter(|i| needs.contains(i) || facts.touches(user, *i)).collect();
    let there: HashSet<usize> =
        library.graph().reachable(&list.iter().copied().collect::<Vec<_>>()).into_iter().collect();
    // Whoever lists nothing yet gets everything that the code names.
    list.extend(needs.iter().filter(|n| listed.is_empty() || !there.contains(n)));
    list
}

/// The names of the annotations for one library.
struct Tags {
    library: String,
    calls: String,
    depends: String,
    all_depends: String,
    count: String,
}

/// What the code of a kernel says.
struct Found {
    calls: Vec<String>,
    depends: BTreeSet<usize>,
    builtins: Vec<String>,
}

impl Tags {
    fn new(library: &str) -> Self {
        Self {
            library: library.to_owned(),
            calls: format!("calls_{library}"),
            depends: format!("depends_{library}"),
            all_depends: format!("all_depends_{library}"),
            count: format!("all_depends_{library}_count"),
        }
    }

    fn closure(&self, library: &Library, shard: &Shard, depends: &[String]) -> Result<Vec<String>> {
        let order = library.order()?;
        let mut roots = Vec::new();
        let mut missing = Vec::new();
        for name in depends {
            match library.resolve(name) {
                Some(index) => roots.push(index),
                None => {
                    let values = shard.annotations().values(&self.depends);
                    let place = values.iter().find(|v| v.text == *name).map_or((0, 0), |v| (v.line, v.column));
                    missing.push(library.missing_name(shard, &self.depends, name, place.0, place.1));
                }
            }
        }
        if !missing.is_empty() {
            return Err(LibraryError::MissingDependencies { missing });
        }
        Ok(library.stems(&library.graph().closure(&roots, &order)))
    }

    fn result(
        &self,
        path: &Path,
        shard: &Shard,
        bytes: Vec<u8>,
        library: &Library,
        found: Found,
    ) -> Result<KernelCalls> {
        let list: Vec<usize> = found.depends.iter().copied().collect();
        let depends = library.stems(&list);
        let all_depends = self.closure(library, shard, &depends)?;
        let mut libraries: Vec<String> =
            shard.annotations().list("library_deps").iter().map(|s| (*s).to_owned()).collect();
        libraries.retain(|l| *l != self.library);
        if !depends.is_empty() {
            libraries.push(self.library.clone());
        }
        let tags = [
            ("library_deps", libraries),
            (&*self.calls, found.calls.clone()),
            (&*self.depends, depends.clone()),
            ("calls_opencl_builtin", found.builtins.clone()),
            (&*self.count, vec![all_depends.len().to_string()]),
            (&*self.all_depends, all_depends.clone()),
        ];
        let says = |tag: &str, values: &[String]| {
            shard.annotations().list(tag).into_iter().collect::<BTreeSet<_>>()
                == values.iter().map(String::as_str).collect()
        };
        let names_files = |tag: &str| {
            let listed = shard.annotations().list(tag);
            let files: BTreeSet<usize> = listed.iter().filter_map(|n| library.resolve(n)).collect();
            files == found.depends && listed.iter().all(|n| library.resolve(n).is_some())
        };
        let annotations = shard.annotations();
        let names_all = annotations.has(&self.all_depends) && says(&self.all_depends, &all_depends);
        let is_annotated = annotations.has(&self.depends) && names_files(&self.depends)
            || !annotations.has(&self.depends) && names_all;
        // What is right and complete enough to assemble the kernel is left as its author wrote it.
        let is_right = is_annotated
            && tags.iter().all(|(tag, values)| *tag == self.depends || !annotations.has(tag) || says(tag, values));
        let new: Vec<(&str, Option<Vec<String>>)> =
            if is_right { Vec::new() } else { tags.into_iter().map(|(tag, values)| (tag, Some(values))).collect() };
        Ok(KernelCalls {
            kernel: shard.stem().to_owned(),
            calls: found.calls,
            depends,
            all_depends,
            opencl_builtins: found.builtins,
            change: change(path, bytes, &new),
        })
    }
}
