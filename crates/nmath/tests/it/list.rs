//! The list of functions is complete.

use gristmill_kernel::Function;
use gristmill_nmath::{ENTRIES, KERNELS};
use std::path::Path;

#[test]
fn every_function_is_listed_once() {
    let mut names: Vec<&str> = KERNELS.iter().map(Function::name).collect();
    names.sort_unstable();
    let all = names.len();
    names.dedup();
    assert_eq!(names.len(), all);
}

/// Whoever writes a distribution adds its line to the list, or this test names the file.
#[test]
fn every_distribution_is_listed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/dist");
    for entry in std::fs::read_dir(folder).expect("the distributions are there") {
        let path = entry.expect("a file").path();
        let module = path.file_stem().and_then(|s| s.to_str()).expect("a name").to_string();
        if module != "mod" {
            let mut modules = KERNELS.iter().map(Function::module).chain(ENTRIES.iter().map(|entry| entry.module));
            let listed = modules.any(|path| path.split("::").any(|part| part == module));
            assert!(listed, "src/dist/{module}.rs has no function in the list of src/dist/mod.rs");
        }
    }
}

/// Whoever adds a function says what limits it.
#[test]
fn every_function_has_its_limits_explained() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/limits.md");
    let text = std::fs::read_to_string(page).expect("docs/limits.md is there");
    let missing: Vec<&str> =
        KERNELS.iter().map(Function::name).filter(|name| !text.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "docs/limits.md does not say what limits {}", missing.join(", "));
}
