//! Running the command, and what a run gave as one text.

use std::path::Path;
use std::process::{Command, Output};

/// The command in a folder of its own, without what the user's environment says.
pub(crate) fn gristmill(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gristmill"));
    command.current_dir(folder);
    for variable in ["GRISTMILL_DEVICE", "GRISTMILL_NO_CACHE", "GRISTMILL_CACHE_STRICT", "GRISTMILL_PATH"] {
        command.env_remove(variable);
    }
    command.env("GRISTMILL_CACHE_DIR", folder.join("cache"));
    // The key that signs kept programs: not the user's.
    command.env("XDG_DATA_HOME", folder.join("data"));
    command
}

/// A folder with copies of some files of examples/.
pub(crate) fn folder_with(examples: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for name in examples {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name);
        std::fs::copy(from, folder.path().join(name)).expect("copied");
    }
    folder
}

/// Runs the command with these words.
pub(crate) fn run(folder: &Path, words: &[&str]) -> Output {
    gristmill(folder).args(words).output().expect("it starts")
}

/// Exit code, stdout and stderr. Noise that PoCL's compiler writes to stderr by itself is left out.
pub(crate) fn shown(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let stderr: String = text(&output.stderr)
        .lines()
        .filter(|l| !(l.ends_with(" generated.") && (l.contains(" error") || l.contains(" warning"))))
        .map(|l| format!("{l}\n"))
        .collect();
    format!("exit {}\n--- stdout\n{}--- stderr\n{stderr}", output.status.code().unwrap_or(-1), text(&output.stdout))
}
