//! Shards, the library they form, and the order in which their text has to stand.

use crate::annotations::{Annotations, Value};
use crate::error::{LibraryError, MissingDependency, Result};
use crate::folder::Folder;
use crate::graph::{Graph, Order};
use crate::text::decode;
use gristmill_support::nearest;
use std::collections::HashMap;
use std::path::Path;

/// One piece of OpenCL C text with its annotations: a `.cl` file, or what `#[kernel]` emits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shard {
    stem: String,
    path: String,
    text: String,
    annotations: Annotations,
    first_invalid_line: Option<u32>,
}

impl Shard {
    /// A shard from memory. `stem` is what others name in `@depends`; `#line` will say `STEM.cl`.
    #[must_use]
    pub fn new(stem: impl Into<String>, text: impl Into<String>) -> Self {
        let stem = stem.into();
        let path = format!("{stem}.cl");
        Self::with_path(stem, path, text)
    }

    /// A shard from memory with the path that `#line` and diagnostics show.
    #[must_use]
    pub fn with_path(stem: impl Into<String>, path: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let annotations = Annotations::parse(&text);
        Self { stem: stem.into(), path: path.into(), text, annotations, first_invalid_line: None }
    }

    /// A shard from the bytes of a file.
    #[must_use]
    pub fn from_bytes(stem: impl Into<String>, path: impl Into<String>, bytes: Vec<u8>) -> Self {
        let decoded = decode(bytes);
        let mut shard = Self::with_path(stem, path, decoded.text);
        shard.first_invalid_line = decoded.first_invalid_line;
        shard
    }

    /// Reads one `.cl` file; its stem is the file's name without `.cl`.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn read(path: &Path) -> Result<Self> {
        let (folder, name) = Folder::of_file(path)?;
        let bytes = folder.read(&name)?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        Ok(Self::from_bytes(stem, crate::text::display_path(path), bytes))
    }

    /// The name others use in `@depends`.
    #[must_use]
    pub fn stem(&self) -> &str {
        &self.stem
    }

    /// The path that diagnostics and `#line` show.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The whole text, annotations included.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The annotations.
    #[must_use]
    pub fn annotations(&self) -> &Annotations {
        &self.annotations
    }

    /// What `@provides` lists.
    #[must_use]
    pub fn provides(&self) -> Vec<&str> {
        self.annotations.list("provides")
    }

    /// The first line with bytes that were not UTF-8.
    #[must_use]
    pub fn first_invalid_line(&self) -> Option<u32> {
        self.first_invalid_line
    }
}

/// A set of shards and their dependency graph.
#[derive(Debug, Clone)]
pub struct Library {
    name: String,
    shards: Vec<Shard>,
    graph: Graph,
    by_stem: HashMap<String, usize>,
    providers: HashMap<String, usize>,
    missing: Vec<MissingDependency>,
}

impl Library {
    /// A library from shards in memory. Missing dependencies are reported by [`order`](Self::order), not here.
    ///
    /// ```
    /// use gristmill_cl_library::{Library, Shard};
    /// let library = Library::new("demo", vec![
    ///     Shard::new("twice", "// @provides: twice\n// @depends: add\nint twice(int x) { return add(x, x); }\n"),
    ///     Shard::new("add", "// @provides: add\nint add(int x, int y) { return x + y; }\n"),
    /// ])?;
    /// let order = library.order()?;
    /// let stems: Vec<&str> = order.shards(&library).map(|s| s.stem()).collect();
    /// assert_eq!(stems, ["add", "twice"]);
    /// # Ok::<(), gristmill_cl_library::LibraryError>(())
    /// ```
    ///
    /// # Errors
    /// If two shards have the same stem, or a stem could not be named in an annotation.
    pub fn new(name: impl Into<String>, mut shards: Vec<Shard>) -> Result<Self> {
        let name = name.into();
        shards.sort_by(|a, b| a.stem.cmp(&b.stem));
        if let Some(pair) = shards.windows(2).find(|pair| pair[0].stem == pair[1].stem) {
            return Err(LibraryError::DuplicateStem { library: name, stem: pair[0].stem.clone() });
        }
        let unusable = |c: char| c.is_whitespace() || c.is_control() || c == ',';
        if let Some(shard) = shards.iter().find(|s| s.stem.is_empty() || s.stem.contains(unusable)) {
            return Err(LibraryError::UnusableStem { stem: shard.stem.clone() });
        }
        let by_stem: HashMap<String, usize> = shards.iter().enumerate().map(|(i, s)| (s.stem.clone(), i)).collect();
        let providers = providers(&shards);
        let mut library = Self { name, shards, graph: Graph::default(), by_stem, providers, missing: Vec::new() };
        library.connect();
        Ok(library)
    }

    /// Reads every `.cl` file of a directory (not of its subdirectories).
    ///
    /// # Errors
    /// If the directory or a file cannot be read, or there is no `.cl` file.
    pub fn from_dir(dir: &Path) -> Result<Self> {
        Folder::at(dir)?.library()
    }

    /// Turns the names in `@depends` into edges.
    fn connect(&mut self) {
        let mut edges: Vec<Vec<usize>> = Vec::with_capacity(self.shards.len());
        let mut last_user = vec![usize::MAX; self.shards.len()];
        let mut missing = Vec::new();
        for (index, shard) in self.shards.iter().enumerate() {
            let mut needs = Vec::new();
            for value in shard.annotations.values("depends") {
                match self.resolve(&value.text) {
                    // A file may list one of its own symbols; only its own stem is a circle.
                    Some(target) if target == index && value.text != shard.stem => {}
                    Some(target) if std::mem::replace(&mut last_user[target], index) == index => {}
                    Some(target) => needs.push(target),
                    None if missing.len() < MAX_SUGGESTIONS => {
                        missing.push(self.missing_name(shard, "depends", &value.text, value.line, value.column));
                    }
                    None => missing.push(missing_without_guess(shard, "depends", value)),
                }
            }
            edges.push(needs);
        }
        self.graph = Graph::new(&edges);
        self.missing = missing;
    }

    /// A name that nothing answers to, with the name that was probably meant.
    pub(crate) fn missing_name(
        &self,
        shard: &Shard,
        tag: &str,
        name: &str,
        line: u32,
        column: u32,
    ) -> MissingDependency {
        let stems = self.shards.iter().filter(|s| s.stem != shard.stem).map(|s| s.stem.as_str());
        let near = nearest(name, stems).or_else(|| nearest(name, self.providers.keys().map(String::as_str)));
        let value = Value { text: name.to_owned(), line, column };
        MissingDependency { nearest: near.map(str::to_owned), ..missing_without_guess(shard, tag, &value) }
    }

    /// The library's name: the directory's, for a library from a directory.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The shards, by stem.
    #[must_use]
    pub fn shards(&self) -> &[Shard] {
        &self.shards
    }

    /// The shard with this stem.
    #[must_use]
    pub fn shard(&self, stem: &str) -> Option<&Shard> {
        self.by_stem.get(stem).map(|i| &self.shards[*i])
    }

    /// The number of the shard that a name in `@depends` means: a stem, else a symbol that a shard provides.
    #[must_use]
    pub fn resolve(&self, name: &str) -> Option<usize> {
        let stem = |name: &str| self.by_stem.get(name).copied();
        stem(name).or_else(|| self.providers.get(name).copied()).or_else(|| stem(name.strip_suffix(".cl")?))
    }

    /// The number of the shard that provides a symbol.
    #[must_use]
    pub fn provider(&self, symbol: &str) -> Option<usize> {
        self.providers.get(symbol).copied()
    }

    /// The graph over the shards' numbers.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The names in `@depends` that nothing answers to.
    #[must_use]
    pub fn missing(&self) -> &[MissingDependency] {
        &self.missing
    }

    /// The stems of a list of shard numbers.
    #[must_use]
    pub fn stems(&self, indices: &[usize]) -> Vec<String> {
        indices.iter().map(|i| self.shards[*i].stem.clone()).collect()
    }

    /// Orders the shards by passes: each pass takes every shard whose dependencies are all out, in name order.
    ///
    /// # Errors
    /// [`LibraryError::MissingDependencies`] if a name has no file, else [`LibraryError::DependencyCycles`].
    pub fn order(&self) -> Result<Order> {
        if !self.missing.is_empty() {
            return Err(LibraryError::MissingDependencies { missing: self.missing.clone() });
        }
        self.graph.order().map_err(|cycles| LibraryError::DependencyCycles {
            cycles: cycles.iter().map(|path| self.stems(path)).collect(),
        })
    }

    /// The passes as far as they go, and the shards that stay: what a trace shows of a library that cannot be ordered.
    #[must_use]
    pub fn order_prefix(&self) -> (Vec<Vec<usize>>, Vec<usize>) {
        let blocked: std::collections::HashSet<&str> = self.missing.iter().map(|m| m.needed_by.as_str()).collect();
        let blocked: Vec<bool> = self.shards.iter().map(|s| blocked.contains(s.stem())).collect();
        self.graph.passes(&blocked)
    }

    /// The text of all shards in order: what `load_kernel_library` returns.
    ///
    /// # Errors
    /// As [`order`](Self::order).
    pub fn load(&self) -> Result<String> {
        let order = self.order()?;
        Ok(concatenate(order.shards(self).map(Shard::text)))
    }

    /// The shards that `names` (stems or provided symbols) need, themselves included, in load order.
    ///
    /// # Errors
    /// As [`order`](Self::order), and [`LibraryError::MissingDependencies`] if a name is unknown here.
    pub fn closure(&self, names: &[&str]) -> Result<Vec<&Shard>> {
        let order = self.order()?;
        let asking = Shard::new("(request)", "");
        let mut roots = Vec::new();
        let mut missing = Vec::new();
        for name in names {
            match self.resolve(name) {
                Some(index) => roots.push(index),
                None => missing.push(self.missing_name(&asking, "depends", name, 0, 0)),
            }
        }
        if !missing.is_empty() {
            return Err(LibraryError::MissingDependencies { missing });
        }
        Ok(self.graph.closure(&roots, &order).into_iter().map(|i| &self.shards[i]).collect())
    }
}

/// A guess compares a name with every other. Whoever misses more names than this does not mistype them.
const MAX_SUGGESTIONS: usize = 50;

fn missing_without_guess(shard: &Shard, tag: &str, value: &Value) -> MissingDependency {
    MissingDependency {
        file: shard.path.clone(),
        line: value.line,
        column: value.column,
        needed_by: shard.stem.clone(),
        tag: tag.to_owned(),
        name: value.text.clone(),
        nearest: None,
    }
}

/// Who provides a symbol. Headers declare what others define, so a file that is not a header wins; then name order.
fn providers(shards: &[Shard]) -> HashMap<String, usize> {
    let is_header = |i: usize| matches!(shards[i].annotations.scalar("source_type"), Some("h" | "hpp"));
    let mut providers: HashMap<String, usize> = HashMap::with_capacity(2 * shards.len());
    for (index, shard) in shards.iter().enumerate() {
        for symbol in shard.provides() {
            let known = providers.entry(symbol.to_owned()).or_insert(index);
            if is_header(*known) && !is_header(index) {
                *known = index;
            }
        }
    }
    providers
}

/// The pieces with exactly one line end after each.
pub(crate) fn concatenate<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let mut all = String::new();
    for text in texts {
        all.push_str(text);
        if !text.is_empty() && !text.ends_with('\n') {
            all.push('\n');
        }
    }
    all
}

impl Order {
    /// The passes: shard numbers, in name order within a pass.
    #[must_use]
    pub fn passes(&self) -> &[Vec<usize>] {
        &self.passes
    }

    /// The shard numbers in load order.
    pub fn indices(&self) -> impl Iterator<Item = usize> + '_ {
        self.passes.iter().flatten().copied()
    }

    /// The place of a shard in the load order, from 0.
    #[must_use]
    pub fn position(&self, shard: usize) -> usize {
        self.position[shard]
    }

    /// The shards in load order.
    pub fn shards<'a>(&'a self, library: &'a Library) -> impl Iterator<Item = &'a Shard> {
        self.indices().map(|i| &library.shards[i])
    }

    /// The trace that `verbose` prints: `Pass 1: emitting nmath.cl, dpq.cl`.
    #[must_use]
    pub fn trace(&self, library: &Library) -> String {
        trace(&self.passes, library)
    }
}

/// `Pass 1: emitting nmath.cl, dpq.cl`, one line for each pass.
#[must_use]
pub fn trace(passes: &[Vec<usize>], library: &Library) -> String {
    let mut trace = String::new();
    for (i, pass) in passes.iter().enumerate() {
        let names: Vec<String> = pass.iter().map(|s| format!("{}.cl", library.shards[*s].stem)).collect();
        trace.push_str(&format!("Pass {}: emitting {}\n", i + 1, names.join(", ")));
    }
    trace
}
