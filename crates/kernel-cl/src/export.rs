//! A crate's kernels as a tree of annotated `.cl` files, one for each Rust module. `gristmill_cl_library` writes
//! their index.

use crate::assembly::{HELPERS, Names, helpers, render};
use gristmill_cl_library as cl;
use gristmill_kernel::{EmittedShard, Item, ShardKey};
use gristmill_scalar::LAYER_0;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Why kernels cannot be exported. The crate's author has to act, except for `Io`.
#[derive(Debug)]
#[non_exhaustive]
pub enum ExportError {
    /// Two items would have one C name.
    SameName {
        /// The name.
        c_name: String,
        /// The first item's path in Rust.
        first: String,
        /// The other item's path.
        second: String,
    },
    /// Modules need each other in a circle; `path` starts and ends with the same module.
    ModuleCycle {
        /// The modules.
        path: Vec<String>,
        /// For each step an item and what it needs in the next module.
        steps: Vec<(String, String)>,
    },
    /// A file was added under a stem that is taken.
    SameStem {
        /// The stem.
        stem: String,
    },
    /// The library that would be written is not in order.
    Library(cl::LibraryError),
    /// A file could not be read or written.
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
}

impl std::fmt::Display for ExportError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ExportError::SameName { c_name, first, second } => write!(
                f,
                "`{first}` and `{second}` both have the C name `{c_name}`; give one another by `#[kernel(name = \"...\")]`, \
                 or make it private to its module"
            ),
            ExportError::ModuleCycle { path, steps } => {
                write!(f, "modules need each other in a circle: {}", path.join(" -> "))?;
                for (from, to) in steps {
                    write!(f, "; `{from}` needs `{to}`")?;
                }
                f.write_str("; move one of these items to a module of its own")
            }
            ExportError::SameStem { stem } => {
                write!(f, "there is a file `{stem}.cl` already; give the other one another stem")
            }
            ExportError::Library(_) => f.write_str("the exported files do not form a library"),
            ExportError::Io { path, .. } => write!(f, "cannot access {}", path.display()),
        }
    }
}

impl std::error::Error for ExportError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ExportError::Library(e) => Some(e),
            ExportError::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// The files of an exported tree: names and contents, by name.
#[derive(Debug)]
pub struct Tree {
    files: BTreeMap<String, String>,
}

fn path_of(s: &EmittedShard) -> String {
    format!("{}::{}", s.module, s.name)
}

/// The usual name of a function that is defined under another: a macro, so that it can be taken away.
fn usual_name(s: &EmittedShard, own: &str) -> String {
    let (usual, Item::Fn(signature)) = (s.c_name(), s.item) else { return String::new() };
    if usual == own {
        return String::new();
    }
    let params: Vec<&str> = signature.params.iter().map(|p| p.name).collect();
    let params = params.join(", ");
    format!("#define {usual}({params}) {own}({params})\n")
}

/// The stem of a module's file: its path without the crate for `home`, with it for others.
pub fn stem_of(module: &str, home: &str) -> String {
    let path = match module.strip_prefix(home).and_then(|rest| rest.strip_prefix("::")) {
        Some(inner) => inner,
        None => module.strip_prefix("gristmill_").unwrap_or(module),
    };
    path.replace("r#", "").replace("::", "_")
}

/// The documentation as a C comment.
fn comment(doc: &str, out: &mut String) {
    if doc.is_empty() {
        return;
    }
    let doc = doc.replace("*/", "* /");
    match doc.split_once('\n') {
        None => {
            let _ = writeln!(out, "/* {doc} */");
        }
        Some(_) => {
            out.push_str("/*\n");
            for line in doc.lines() {
                let _ = writeln!(out, " * {line}").map(|()| trim_line_end(out));
            }
            out.push_str(" */\n");
        }
    }
}

fn trim_line_end(out: &mut String) {
    if out.ends_with(" \n") {
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
}

impl Tree {
    /// The kernels in `roots` and everything they need. `home` is the crate whose modules need no prefix
    /// (`env!("CARGO_CRATE_NAME")`).
    ///
    /// # Errors
    /// When C names collide or modules need each other in a circle.
    pub fn new(roots: impl IntoIterator<Item = &'static EmittedShard>, home: &str) -> Result<Tree, ExportError> {
        Tree::with_own_names(roots, home, |_| None)
    }

    /// As [`Tree::new`], with names by which the library calls some functions itself: where `own_name` gives one, the function is
    /// defined under it, and its usual name is a macro that calls it. So whoever gives the usual name another meaning
    /// (`#undef`, `#define`) does not change what the library computes.
    ///
    /// # Errors
    /// Those of [`Tree::new`].
    pub fn with_own_names(
        roots: impl IntoIterator<Item = &'static EmittedShard>,
        home: &str,
        own_name: impl Fn(&EmittedShard) -> Option<String>,
    ) -> Result<Tree, ExportError> {
        let mut order: Vec<&'static EmittedShard> = vec![];
        let mut seen = HashSet::new();
        fn add(s: &'static EmittedShard, seen: &mut HashSet<ShardKey>, order: &mut Vec<&'static EmittedShard>) {
            if seen.insert(s.key()) {
                for d in s.dependencies() {
                    add(d, seen, order);
                }
                order.push(s);
            }
        }
        for r in roots {
            add(r, &mut seen, &mut order);
        }
        let mut names = Names::new();
        let mut by_name: BTreeMap<String, &'static EmittedShard> = BTreeMap::new();
        for s in &order {
            let own = own_name(s);
            for name in std::iter::once(s.c_name()).chain(own.clone()) {
                if let Some(first) = by_name.insert(name.clone(), s) {
                    return Err(ExportError::SameName { c_name: name, first: path_of(first), second: path_of(s) });
                }
            }
            names.insert(s.key(), own.unwrap_or_else(|| s.c_name()));
        }
        let mut modules: Vec<&'static str> = order.iter().map(|s| s.module).collect();
        modules.sort_unstable();
        modules.dedup();
        let index = |m: &str| modules.iter().position(|x| *x == m).expect("collected above");
        let mut needs = vec![vec![]; modules.len()];
        for s in &order {
            for d in s.dependencies().iter().filter(|d| d.module != s.module) {
                let (from, to) = (index(s.module), index(d.module));
                if !needs[from].contains(&to) {
                    needs[from].push(to);
                }
            }
        }
        let graph = cl::Graph::new(&needs);
        if let Err(cycles) = graph.order() {
            let path = cycles.into_iter().next().unwrap_or_default();
            let steps = path
                .windows(2)
                .filter_map(|w| {
                    order.iter().filter(|s| s.module == modules[w[0]]).find_map(|s| {
                        let to = s.dependencies().into_iter().find(|d| d.module == modules[w[1]])?;
                        Some((path_of(s), path_of(to)))
                    })
                })
                .collect();
            return Err(ExportError::ModuleCycle {
                path: path.iter().map(|m| modules[*m].to_string()).collect(),
                steps,
            });
        }
        let mut files = BTreeMap::new();
        let header = "// Generated by `cargo xtask generate`: change the Rust source, not this file.\n";
        files.insert(format!("{HELPERS}.cl"), format!("{header}{}", helpers()));
        for (m, module) in modules.iter().enumerate() {
            let items: Vec<&'static EmittedShard> = order.iter().copied().filter(|s| s.module == *module).collect();
            let mut provides: Vec<String> = vec![];
            for s in &items {
                let own = &names[&s.key()];
                provides.push(own.clone());
                provides.extend(Some(s.c_name()).filter(|usual| usual != own));
            }
            let mut depends: Vec<String> = needs[m].iter().map(|d| stem_of(modules[*d], home)).collect();
            depends.sort_unstable();
            if items.iter().any(|s| matches!(s.item, Item::Fn(_) | Item::Entry(_))) {
                depends.insert(0, HELPERS.to_string());
            }
            let stem = stem_of(module, home);
            let mut text = header.to_string();
            let list = |values: &[String]| match values {
                [] => "(none)".to_string(),
                values => values.join(",\n//   "),
            };
            let _ = writeln!(text, "// @provides: {}", list(&provides));
            let _ = writeln!(text, "// @depends: {}", list(&depends));
            let _ = writeln!(text, "// @source_origin: {module}\n");
            let mut typedefs = HashSet::new();
            for s in items {
                comment(s.doc, &mut text);
                text.push_str(&render(s, &names, &mut typedefs, false));
                text.push_str(&usual_name(s, &names[&s.key()]));
                text.push('\n');
            }
            let text = format!("{}\n", text.trim_end());
            files.insert(format!("{stem}.cl"), text);
        }
        let tree = Tree { files };
        tree.check()?;
        Ok(tree)
    }

    /// Adds a file that no kernel makes: its stem and its annotated text.
    ///
    /// # Errors
    /// When there is a file of that stem.
    pub fn add(&mut self, stem: &str, text: String) -> Result<(), ExportError> {
        match self.files.insert(format!("{stem}.cl"), text) {
            None => Ok(()),
            Some(_) => Err(ExportError::SameStem { stem: stem.to_string() }),
        }
    }

    /// Whether the files, those added later too, form a library.
    ///
    /// # Errors
    /// When one needs what is not there, or files need each other in a circle.
    pub fn check(&self) -> Result<(), ExportError> {
        self.library()?.order().map_err(ExportError::Library).map(drop)
    }

    fn library(&self) -> Result<cl::Library, ExportError> {
        let shards =
            self.files().map(|(name, text)| cl::Shard::with_path(name.trim_end_matches(".cl"), name, text)).collect();
        cl::Library::new("exported", shards).map_err(ExportError::Library)
    }

    /// Names and contents of the `.cl` files, by name.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(n, t)| (n.as_str(), t.as_str()))
    }

    /// The whole tree as one program text, in the library's order, after layer 0: for a compile test.
    ///
    /// # Errors
    /// Those of the library.
    pub fn load(&self) -> Result<String, ExportError> {
        let library = self.library()?;
        Ok(format!("{LAYER_0}{}", library.load().map_err(ExportError::Library)?))
    }

    /// Writes the tree into `dir`, and removes `.cl` files there that it does not have.
    ///
    /// # Errors
    /// When a file cannot be written or removed. Each file is replaced as a whole.
    pub fn write(&self, dir: &Path) -> Result<(), ExportError> {
        let io = |path: &Path| {
            let path = path.to_path_buf();
            move |source| ExportError::Io { path, source }
        };
        std::fs::create_dir_all(dir).map_err(io(dir))?;
        for (name, text) in &self.files {
            let path = dir.join(name);
            gristmill_support::write_atomically(&path, text.as_bytes()).map_err(io(&path))?;
        }
        for path in self.strangers(dir)? {
            std::fs::remove_file(&path).map_err(io(&path))?;
        }
        Ok(())
    }

    /// `.cl` files in `dir` that the tree does not have.
    fn strangers(&self, dir: &Path) -> Result<Vec<PathBuf>, ExportError> {
        let mut out = vec![];
        let io = |source| ExportError::Io { path: dir.to_path_buf(), source };
        for entry in std::fs::read_dir(dir).map_err(io)? {
            let path = entry.map_err(io)?.path();
            let known = path.file_name().and_then(|n| n.to_str()).is_some_and(|n| self.files.contains_key(n));
            if path.extension().is_some_and(|e| e == "cl") && !known {
                out.push(path);
            }
        }
        out.sort();
        Ok(out)
    }

    /// The files in `dir` that are not what [`Tree::write`] would write: missing, different or superfluous.
    ///
    /// # Errors
    /// When a file exists but cannot be read.
    pub fn differences(&self, dir: &Path) -> Result<Vec<PathBuf>, ExportError> {
        let mut out = vec![];
        for (name, text) in &self.files {
            let path = dir.join(name);
            match std::fs::read_to_string(&path) {
                Ok(found) if found == *text => {}
                Ok(_) => out.push(path),
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => out.push(path),
                Err(source) => return Err(ExportError::Io { path, source }),
            }
        }
        if dir.is_dir() {
            out.extend(self.strangers(dir)?);
        }
        Ok(out)
    }
}
