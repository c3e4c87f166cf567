//! Translations as files: each case in filetests/kernel is Rust source, `// run:` lines for the interpreter, and the expected
//! OpenCL C at its end. `BLESS=1` writes the translations; read them in review.

use gristmill_kernel_lang::interp::{Module, Val};
use std::path::PathBuf;

const MARK: &str = "\n/* translation\n";

#[test]
fn every_case_translates_as_its_file_says_and_its_run_lines_hold() {
    let dir = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../filetests/kernel"));
    let bless = std::env::var_os("BLESS").is_some();
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(&dir).expect("the cases").map(|e| e.expect("readable").path()).collect();
    paths.sort();
    let mut problems = vec![];
    let mut cases = 0;
    for path in paths.iter().filter(|p| p.extension().is_some_and(|e| e == "rs")) {
        cases += 1;
        let name = path.file_name().and_then(|n| n.to_str()).expect("ASCII").to_string();
        let text = std::fs::read_to_string(path).expect("readable");
        let (source, expected) = match text.split_once(MARK) {
            Some((source, rest)) => (source.trim_end().to_string(), rest.trim_end_matches("*/\n").to_string()),
            None => (text.trim_end().to_string(), String::new()),
        };
        let module = Module::parse(&source).unwrap_or_else(|e| panic!("{name}: {e}"));
        let c = module.to_c().unwrap_or_else(|e| panic!("{name}: {e}"));
        if c != expected {
            if bless {
                std::fs::write(path, format!("{source}\n{MARK}{c}*/\n")).expect("writable");
            } else {
                problems.push(format!("{name}: the translation is now\n{c}"));
            }
        }
        for (line, run) in source.lines().enumerate().filter_map(|(i, l)| Some((i + 1, l.strip_prefix("// run: ")?))) {
            let claim = format!("{source}\n#[kernel]\nfn claim() -> bool {{ {run} }}\n");
            let value = Module::parse(&claim)
                .map_err(|e| e.to_string())
                .and_then(|m| m.call("claim", vec![], 100_000).map_err(|e| e.to_string()));
            if value != Ok(Val::Bool(true)) {
                problems.push(format!("{name}:{line}: `{run}` is {value:?}"));
            }
        }
    }
    assert!(cases >= 15, "the cases are gone");
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
}
