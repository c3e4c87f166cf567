//! The facade with none of its features, and with each of them alone: what those build who leave out the others.

use crate::process::{Result, cargo, root, run};

/// The features that the facade's manifest has.
fn features(manifest: &str) -> Vec<&str> {
    let lines = manifest.lines().skip_while(|line| *line != "[features]").skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    let names = lines.filter_map(|line| line.split_once(" = ").map(|(name, _)| name));
    names.filter(|name| *name != "default" && !name.starts_with('#')).collect()
}

/// Lints them all: only so an import that is unused without a feature is found too. The crates below are compiled once for
/// all, as far as no feature reaches them.
pub(crate) fn check() -> Result {
    let manifest = root().join("Cargo.toml");
    let manifest = std::fs::read_to_string(&manifest).map_err(|e| format!("`{}`: {e}", manifest.display()))?;
    for feature in std::iter::once("").chain(features(&manifest)) {
        let mut command =
            cargo(&["clippy", "--quiet", "--package", "gristmill", "--no-default-features", "--features", feature]);
        run(command.args(["--", "--deny", "warnings"]))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_features_of_a_manifest_are_its_lines_but_the_default() {
        let text =
            "[lib]\nx = 1\n[features]\ndefault = [\"a\"]\n# why\na = []\nb-c = [\"a\"]\n\n[dependencies]\nd = 1\n";
        assert_eq!(features(text), ["a", "b-c"]);
    }

    #[test]
    fn the_facade_has_the_features_that_its_documentation_explains() {
        let read = |path: &str| std::fs::read_to_string(root().join(path)).unwrap_or_default();
        let (manifest, library) = (read("Cargo.toml"), read("src/lib.rs"));
        let features = features(&manifest);
        assert!(features.contains(&"cli"));
        for feature in features {
            assert!(library.contains(&format!("//! | `{feature}` |")), "src/lib.rs does not explain `{feature}`");
        }
    }
}
