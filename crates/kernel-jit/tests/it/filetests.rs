//! The cases of filetests/kernel: every `// run:` line holds as a text at run time too, in native code.

use gristmill_kernel::{ColumnMut, Level};
use gristmill_kernel_jit::{KernelSource, Lowering};
use std::path::PathBuf;

#[test]
fn the_run_lines_of_every_case_hold_at_run_time() {
    let dir = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../filetests/kernel"));
    let mut lines = 0;
    let mut problems = vec![];
    for entry in std::fs::read_dir(&dir).expect("the cases") {
        let path = entry.expect("readable").path();
        let text = std::fs::read_to_string(&path).expect("readable");
        let source = text.split("\n/* translation\n").next().unwrap_or_default();
        for (i, run) in source.lines().enumerate().filter_map(|(i, l)| Some((i + 1, l.strip_prefix("// run: ")?))) {
            lines += 1;
            let claim = format!("{source}\nfn claim() -> bool {{ {run} }}\n");
            let mut holds = [false];
            let outcome = KernelSource::parse(&claim).map_err(|e| e.to_string()).and_then(|s| {
                let f = s.function("claim").ok_or("no claim")?;
                if let Some(other @ Lowering::Interpreter { .. }) = s.explain("claim") {
                    return Err(other.to_string());
                }
                f.call_at(Level::best(), &[], &mut [ColumnMut::Bool(&mut holds)], 0).map_err(|e| e.to_string())
            });
            if outcome.is_err() || !holds[0] {
                problems.push(format!("{}:{i}: `{run}`: {outcome:?}", path.display()));
            }
        }
    }
    assert!(lines >= 50, "the cases are gone");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
