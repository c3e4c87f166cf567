//! From names to a program: a kernel, the libraries it uses, and the preludes of their packages.

use crate::error::{LibraryError, Result};
use crate::folder::Folder;
use crate::kernel_library::{Wanted, default_depends_tag, load_wanted_of_folder, tag_for};
use crate::library::Shard;
use crate::manifest::{CONFIGURATION_FILE, Manifest};
use crate::package::{Package, Packages, folder_of};
use crate::program::{Layer, ProgramPiece, ProgramSource};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::PathBuf;

/// What a user names to get a program.
#[derive(Debug, Clone, Default)]
pub struct ProgramRequest {
    /// The kernel's file: `PACKAGE::PATH`, a path in the tree of `package`, or a path on disk.
    pub kernel: String,
    /// The libraries, named like the kernel. Each belongs to its own package.
    pub libraries: Vec<String>,
    /// The package in whose tree unqualified names are.
    pub package: Option<String>,
    /// The kernel's annotations: for the library of this name, or for the only one.
    pub tags: Vec<(Option<String>, String)>,
    /// The prelude.
    pub prelude: PreludeRequest,
}

/// Where the prelude comes from.
#[derive(Debug, Clone, Default)]
pub struct PreludeRequest {
    /// A manifest to use instead of the packages' own.
    pub manifest: Option<PathBuf>,
    /// Files and libraries that come first, for a tree without a manifest, or instead of it.
    pub layers: Vec<String>,
}

/// A program, and the parts that a command may want to talk about.
#[derive(Debug, Clone)]
pub struct Assembled {
    /// The text in layers.
    pub program: ProgramSource,
    /// The kernel.
    pub kernel: Shard,
}

impl ProgramRequest {
    /// Finds and puts together everything that the kernel needs.
    ///
    /// # Errors
    /// A name that nothing answers to; a path that leaves its package; what the libraries, the index and the manifest may
    /// object to.
    pub fn assemble(&self, packages: &Packages) -> Result<Assembled> {
        let package = self.package.as_deref().map(|p| packages.find(p)).transpose()?;
        let (kernel, kernel_package) = packages.file(&self.kernel, package.as_ref())?;
        let folders: Vec<Folder> =
            self.libraries.iter().map(|l| packages.folder(l, package.as_ref())).collect::<Result<_>>()?;
        let prelude = self.prelude.load(packages, &folders, package.as_ref().or(kernel_package.as_ref()))?;
        let mut there = ByText::default();
        prelude.iter().for_each(|piece| there.add(piece));
        let needed = self.needed(&kernel, &folders)?;
        // What the prelude holds already is not there twice.
        let of_libraries = needed.iter().map(|shard| ProgramPiece::new(Layer::Library, shard));
        let of_libraries: Vec<ProgramPiece> = of_libraries.filter(|p| !there.any(p, |q| real(q) == real(p))).collect();
        let mut pieces = prelude;
        pieces.extend(of_libraries);
        pieces.push(ProgramPiece::new(Layer::Kernel, &kernel));
        Ok(Assembled { program: ProgramSource::new(pieces), kernel })
    }

    /// Only what the kernel needs of its libraries, in load order.
    ///
    /// # Errors
    /// As [`assemble`](Self::assemble).
    pub fn library_part(&self, packages: &Packages) -> Result<(Shard, Vec<Shard>)> {
        let package = self.package.as_deref().map(|p| packages.find(p)).transpose()?;
        let (kernel, _) = packages.file(&self.kernel, package.as_ref())?;
        let folders: Vec<Folder> =
            self.libraries.iter().map(|l| packages.folder(l, package.as_ref())).collect::<Result<_>>()?;
        let needed = self.needed(&kernel, &folders)?;
        Ok((kernel, needed))
    }

    /// The files of the libraries that the kernel needs, and those that these need of the other libraries.
    fn needed(&self, kernel: &Shard, folders: &[Folder]) -> Result<Vec<Shard>> {
        let names: Vec<String> = folders.iter().map(Folder::name).collect();
        let generic = generic_split(kernel, folders, &names, &self.tags)?;
        let mut loaded: Vec<Vec<Shard>> = vec![Vec::new(); folders.len()];
        let mut asked: Vec<BTreeSet<String>> = vec![BTreeSet::new(); folders.len()];
        let mut uses: BTreeSet<(usize, usize)> = BTreeSet::new();
        // A library's files may ask for files of another; each round asks for more than the last, so it ends.
        loop {
            let mut progress = false;
            for (at, folder) in folders.iter().enumerate() {
                let tag = self.kernel_tag(kernel, &names, at);
                let mut wanted = match &generic {
                    Some(parts) => parts[at].clone(),
                    None => tag.as_deref().map(|tag| Wanted::of(kernel, tag)).unwrap_or_default(),
                };
                let of_others: Vec<(usize, &Shard, String)> = loaded
                    .iter()
                    .enumerate()
                    .filter(|(other, _)| *other != at)
                    .flat_map(|(other, shards)| shards.iter().map(move |s| (other, s)))
                    .filter_map(|(other, s)| Some((other, s, tag_for(s, &names[at], &names)?)))
                    .collect();
                for (other, shard, tag) in &of_others {
                    let more = Wanted::of(shard, tag);
                    if !more.is_empty() {
                        uses.insert((*other, at));
                    }
                    wanted.extend(more);
                }
                let now: BTreeSet<String> = wanted.iter().map(|w| w.value.text.clone()).collect();
                if now != asked[at] {
                    let shards = load_wanted_of_folder(folder, &wanted)?;
                    asked[at] = now;
                    loaded[at] = shards;
                    progress = true;
                }
            }
            if !progress {
                break;
            }
        }
        Ok(library_order(folders.len(), &uses).into_iter().flat_map(|at| std::mem::take(&mut loaded[at])).collect())
    }

    /// The kernel's annotation for the library at a place, if it has one.
    fn kernel_tag(&self, kernel: &Shard, names: &[String], at: usize) -> Option<String> {
        let said = self.tags.iter().find(|(library, _)| match library {
            Some(library) => *library == names[at],
            None => names.len() == 1,
        });
        match said {
            Some((_, tag)) => Some(tag.trim_start_matches('@').to_owned()),
            None if names.len() == 1 => Some(default_depends_tag(kernel, &names[at])),
            None => tag_for(kernel, &names[at], names),
        }
    }
}

/// A kernel that names what it needs without saying of which library (`@depends`), asked of several: each name goes to the
/// libraries that have it.
fn generic_split<'a>(
    kernel: &'a Shard,
    folders: &[Folder],
    names: &[String],
    tags: &[(Option<String>, String)],
) -> Result<Option<Vec<Vec<Wanted<'a>>>>> {
    if folders.len() < 2 || !tags.is_empty() || names.iter().any(|n| tag_for(kernel, n, names).is_some()) {
        return Ok(None);
    }
    let Some(tag) = ["all_depends", "depends"].into_iter().find(|t| kernel.annotations().has(t)) else {
        return Ok(None);
    };
    let mut parts = vec![Vec::new(); folders.len()];
    let libraries = folders.iter().map(Folder::library).collect::<Result<Vec<_>>>()?;
    let mut missing = Vec::new();
    for want in Wanted::of(kernel, tag) {
        let value = want.value;
        let mut found = false;
        for (part, library) in parts.iter_mut().zip(&libraries) {
            if library.resolve(&value.text).is_some() {
                part.push(want);
                found = true;
            }
        }
        if !found {
            missing.push(libraries[0].missing_name(kernel, tag, &value.text, value.line, value.column));
        }
    }
    if missing.is_empty() { Ok(Some(parts)) } else { Err(LibraryError::MissingDependencies { missing }) }
}

/// The libraries in an order in which what is used stands before its user; as given where that does not matter.
fn library_order(count: usize, uses: &BTreeSet<(usize, usize)>) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::new();
    while order.len() < count {
        let ready = |at: &usize| {
            !order.contains(at) && uses.iter().all(|(user, used)| user != at || order.contains(used) || used == at)
        };
        // Libraries that use each other stay as given: the check of the program says what that breaks.
        let next = (0..count).find(ready).or_else(|| (0..count).find(|at| !order.contains(at)));
        order.extend(next);
    }
    order
}

impl PreludeRequest {
    /// The pieces that come first: what `manifest` or `layers` name, else what the packages' own manifests do. The packages are
    /// those of the libraries, in order, then `of_kernel`; each counts once.
    ///
    /// # Errors
    /// If a manifest is bad or a file that it names is not there.
    pub fn load(
        &self,
        packages: &Packages,
        libraries: &[Folder],
        of_kernel: Option<&Package>,
    ) -> Result<Vec<ProgramPiece>> {
        let mut owners: Vec<&Package> = Vec::new();
        for package in libraries.iter().map(Folder::package).chain(of_kernel) {
            if !package.is_lone_folder() && !owners.iter().any(|p| p.is_same_as(package)) {
                owners.push(package);
            }
        }
        let mut pieces = Vec::new();
        if let Some(path) = &self.manifest {
            let around = Package::containing(folder_of(path));
            let owner = owners.first().copied().or(around.as_ref());
            let Some(owner) = owner else {
                return Err(LibraryError::PackageNotFound {
                    package: path.display().to_string(),
                    looked: vec!["a `cl` directory around the library, the kernel and the manifest".to_owned()],
                });
            };
            pieces = Manifest::read(path)?.load(owner)?;
        } else if !self.layers.is_empty() {
            let owner = owners.first().copied();
            if let Some(package) = owner.filter(|p| p.has_file(CONFIGURATION_FILE)) {
                pieces.push(ProgramPiece::new(Layer::Configuration, &package.shard(CONFIGURATION_FILE)?));
            }
            for name in &self.layers {
                pieces.extend(layer(packages, name, owner)?);
            }
        } else {
            for package in owners {
                pieces.extend(Manifest::prelude_of(package)?);
            }
        }
        // Packages bring the same configuration along; once is enough.
        let mut seen = ByText::default();
        let mut is_new = Vec::with_capacity(pieces.len());
        for piece in &pieces {
            is_new.push(!seen.any(piece, |earlier| earlier.layer == piece.layer || real(earlier) == real(piece)));
            seen.add(piece);
        }
        let mut is_new = is_new.into_iter();
        pieces.retain(|_| is_new.next().unwrap_or(true));
        Ok(pieces)
    }
}

/// Pieces by their text. Only equal texts can be one file, so that hardly ever a path has to be followed on disk.
#[derive(Default)]
struct ByText<'a> {
    lengths: HashSet<usize>,
    pieces: HashMap<&'a str, Vec<&'a ProgramPiece>>,
}

impl<'a> ByText<'a> {
    fn add(&mut self, piece: &'a ProgramPiece) {
        self.lengths.insert(piece.text.len());
        self.pieces.entry(&piece.text).or_default().push(piece);
    }

    /// Whether a piece with the same text is such.
    fn any(&self, piece: &ProgramPiece, is_such: impl Fn(&ProgramPiece) -> bool) -> bool {
        self.lengths.contains(&piece.text.len())
            && self.pieces.get(piece.text.as_str()).is_some_and(|same| same.iter().any(|other| is_such(other)))
    }
}

/// One `--layer`: a file of the tree, or a whole library.
fn layer(packages: &Packages, name: &str, package: Option<&Package>) -> Result<Vec<ProgramPiece>> {
    if name.ends_with(".cl") {
        return Ok(vec![ProgramPiece::new(Layer::Shim, &packages.file(name, package)?.0)]);
    }
    let library = packages.folder(name, package)?.library()?;
    let order = library.order()?;
    Ok(order.shards(&library).map(|shard| ProgramPiece::new(Layer::Shim, shard)).collect())
}

/// A piece's path without links, where it has one.
fn real(piece: &ProgramPiece) -> PathBuf {
    std::fs::canonicalize(&piece.path).unwrap_or_else(|_| piece.path.clone().into())
}
