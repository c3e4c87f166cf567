//! A short run of every target, and every input that once was found.

use gristmill_fuzz::run::{home, parent, seeds};
use gristmill_fuzz::targets::{PLANTED, TARGETS};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const PROGRAM: &str = env!("CARGO_BIN_EXE_fuzz");

#[test]
fn a_thousand_damaged_inputs_end_no_reader() {
    for target in TARGETS {
        let report = parent(Path::new(PROGRAM), target, 7, 1000, Duration::from_secs(60)).expect("a run");
        assert!(report.found.is_empty(), "{}: {:?}, kept in {:?}", target.name, report.found, report.kept);
        assert!(report.inputs > 100, "{}: only {} inputs in a minute", target.name, report.inputs);
    }
}

#[test]
fn what_was_found_once_is_read_now() {
    for target in TARGETS {
        assert!(!seeds(target).expect("a folder of seeds").is_empty(), "{} has no seeds", target.name);
        let Ok(found) = std::fs::read_dir(home().join("found").join(target.name)) else { continue };
        for input in found {
            let input = input.expect("a file").path();
            // A copy, because what is read is also written beside it.
            let folder = tempfile::tempdir().expect("a folder");
            let copy = folder.path().join("input");
            std::fs::copy(&input, &copy).expect("a copy");
            let output = Command::new(PROGRAM).args(["--one", target.name]).arg(&copy).output().expect("the program");
            let message = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{}: {}\n{message}", input.display(), output.status);
        }
    }
}

/// What the harness cannot see it cannot find: every kind of death, planted, is reported, and the input kept.
#[test]
fn planted_deaths_are_found() {
    for target in PLANTED {
        let report = parent(Path::new(PROGRAM), target, 7, 2, Duration::from_secs(60)).expect("a run");
        let expected = match target.name {
            "planted_panic" => "panic",
            "planted_hang" => "too long",
            _ => "death",
        };
        assert_eq!(report.found.into_iter().collect::<Vec<_>>(), [(expected, 2)], "{}", target.name);
        assert_eq!(report.kept.len(), 2);
        assert!(report.kept.iter().all(|kept| kept.is_file()), "{:?}", report.kept);
        std::fs::remove_dir_all(home().join("found").join(target.name)).expect("removed");
    }
}
