//! docs/references.bib is read by people and by BibTeX: whole entries, each key once, and every key that the code names.

use crate::process::root;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The keys in the order of the file, or what is wrong with it.
fn keys(text: &str) -> Result<Vec<&str>, String> {
    let mut keys = Vec::new();
    let mut depth = 0_usize;
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(entry) = line.strip_prefix('@') {
            if depth > 0 {
                return Err(format!("line {number}: `{line}` begins before the entry above it ends"));
            }
            let key = entry.split_once('{').and_then(|(_, rest)| rest.strip_suffix(','));
            keys.push(key.ok_or_else(|| format!("line {number}: `{line}` names no key"))?);
        } else if depth == 0 && !line.is_empty() && !line.starts_with('%') {
            return Err(format!("line {number}: `{line}` stands outside every entry"));
        }
        let (opened, closed) = (line.matches('{').count(), line.matches('}').count());
        depth = (depth + opened).checked_sub(closed).ok_or_else(|| format!("line {number}: one `}}` too many"))?;
    }
    if depth > 0 { Err("the last entry does not end".to_string()) } else { Ok(keys) }
}

/// The words of a text that look like a key: a name in lower case and a year.
fn cited(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    words.filter(|word| {
        let name = word.trim_start_matches(|c: char| c.is_ascii_lowercase());
        let year: String = name.chars().take(4).collect();
        let behind = &name[year.len()..];
        name.len() < word.len()
            && (year.starts_with("19") || year.starts_with("20"))
            && year.len() == 4
            && year.chars().all(|c| c.is_ascii_digit())
            && behind.chars().all(|c| c.is_ascii_lowercase())
    })
}

/// All Rust files below a folder.
fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|e| e == "rs") {
            into.push(path);
        }
    }
}

#[test]
fn every_paper_that_the_code_names_is_in_the_references() {
    let text = std::fs::read_to_string(root().join("docs/references.bib")).expect("docs/references.bib is a file");
    let keys = keys(&text).unwrap_or_else(|wrong| panic!("docs/references.bib, {wrong}"));
    let known: BTreeSet<&str> = keys.iter().copied().collect();
    assert_eq!(known.len(), keys.len(), "a key stands twice");
    let mut files = Vec::new();
    sources(&root().join("crates"), &mut files);
    let mut found = 0;
    for file in files {
        let code = std::fs::read_to_string(&file).expect("a source is text");
        let papers = code.lines().filter_map(|line| line.split_once("Paper:"));
        for key in papers.flat_map(|(_, papers)| cited(papers)) {
            assert!(known.contains(key), "{}: `{key}` is not in docs/references.bib", file.display());
            found += 1;
        }
    }
    assert!(found > 50, "only {found} citations were found: are they written differently now?");
}

#[test]
fn an_entry_that_does_not_end_is_found() {
    assert_eq!(keys("@book{a1990,\n  x = {y},\n}\n\n@misc{b2000,\n}\n"), Ok(vec!["a1990", "b2000"]));
    let wrong = keys("@book{a1990,\n  x = {y},\n@misc{b2000,\n}\n").unwrap_err();
    assert_eq!(wrong, "line 3: `@misc{b2000,` begins before the entry above it ends");
    assert_eq!(
        cited("gil2002 (3.1); x2, 1999, hormann1993poisson").collect::<Vec<_>>(),
        ["gil2002", "hormann1993poisson"]
    );
}
