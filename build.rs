//! The Rust text of the built-in kernels, for `gristmill show --lang rust`: a table of nmath's files.
//!
//! They lie beside this file in the repository. A package of the crate alone does not have them: then the table is empty, and the
//! command says where a kernel stands instead.

use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?);
    let folder = root.join("crates/nmath/src");
    let mut files = Vec::new();
    if folder.is_dir() {
        println!("cargo::rerun-if-changed={}", folder.display());
        collect(&folder, &mut files)?;
    }
    println!("cargo::rerun-if-changed=build.rs");
    files.sort();
    let mut table = String::from("&[\n");
    for file in &files {
        // As kernels name their files.
        let name: Vec<_> = file.strip_prefix(&root)?.iter().map(|part| part.to_string_lossy()).collect();
        table.push_str(&format!("    ({:?}, include_str!({:?})),\n", name.join("/"), file.display().to_string()));
    }
    table.push_str("]\n");
    std::fs::write(Path::new(&std::env::var("OUT_DIR")?).join("nmath_files.rs"), table)?;
    Ok(())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
    Ok(())
}
