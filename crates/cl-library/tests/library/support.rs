//! Trees of `.cl` files for tests.

use gristmill_cl_library::{Library, Shard};
use std::path::Path;

/// A library from (stem, `@depends` list, code below the annotations).
pub(crate) fn library(files: &[(&str, &str)]) -> Library {
    let shards = files.iter().map(|(stem, depends)| Shard::new(*stem, annotated(stem, depends, ""))).collect();
    Library::new("test", shards).expect("no duplicate stems")
}

pub(crate) fn annotated(stem: &str, depends: &str, code: &str) -> String {
    format!("// @provides: {stem}\n// @depends: {depends}\n{code}")
}

/// Writes files below a directory.
pub(crate) fn write_tree(dir: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = dir.join(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("directory");
        std::fs::write(path, text).expect("file");
    }
}
