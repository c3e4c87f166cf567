//! The licences of what the command is built from: only those on a list, and a file with all their texts, which
//! `gristmill licences` prints.
//!
//! From what cargo prints and the packages hold, without the network, so that it can be part of the gate; `cargo deny` has
//! the same list in deny.toml for those who have it installed.

use crate::process::{Result, cargo, root};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

const FILE: &str = "THIRD-PARTY-NOTICES.md";

/// What a dependency of the command may be under.
const ALLOWED: &[&str] = &[
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
    "0BSD",
    // What bzip2 is under: as BSD, with its own name.
    "bzip2-1.0.6",
];

/// What a tool of the project, which is not part of what is installed, may be under besides.
const ALLOWED_FOR_TOOLS: &[&str] = &["MPL-2.0"];

/// Whether the licence expression can be satisfied by the list: one of the alternatives, each part of a sum.
fn is_allowed(expression: &str, allowed: &dyn Fn(&str) -> bool) -> bool {
    // `MIT/Apache-2.0` is how alternatives were written before there were expressions.
    let expression = expression.replace('/', " OR ");
    let inner = |text: &str| text.trim().trim_matches(|c| c == '(' || c == ')').trim().to_string();
    // `AND` binds tighter; with parentheses, a sum of alternatives: `(A OR B) AND C`.
    if expression.contains('(') {
        return expression.split(" AND ").all(|part| inner(part).split(" OR ").any(|l| allowed(l.trim())));
    }
    expression.split(" OR ").any(|part| part.split(" AND ").all(|l| allowed(l.trim())))
}

/// Name and version, licence and home of each foreign package.
fn packages(edges: &str) -> Result<BTreeMap<String, (String, String)>> {
    let mut command =
        cargo(&["tree", "--workspace", "--prefix", "none", "--edges", edges, "--locked", "--format", "{p}|{l}|{r}"]);
    let output = command.output().map_err(|e| format!("could not start cargo tree: {e}"))?;
    if !output.status.success() {
        return Err(format!("cargo tree failed: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let mut found = BTreeMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let mut parts = line.trim_end_matches(" (*)").split('|');
        let (Some(package), Some(licence), home) = (parts.next(), parts.next(), parts.next()) else { continue };
        // Our own are followed by their folder.
        if package.contains('/') {
            continue;
        }
        let package = package.split(" (").next().unwrap_or(package).replacen(" v", " ", 1);
        let home = home.unwrap_or_default().trim_end_matches(" (*)").to_string();
        found.insert(package, (licence.trim_end_matches(" (*)").to_string(), home));
    }
    Ok(found)
}

/// The folders of the packages that this machine's build is made of, by name and version.
fn folders() -> Result<BTreeMap<String, PathBuf>> {
    let version = Command::new("rustc").arg("-vV").output().map_err(|e| format!("could not start rustc: {e}"))?;
    let version = String::from_utf8_lossy(&version.stdout);
    let host = version.lines().find_map(|l| l.strip_prefix("host: ")).ok_or("rustc does not name its host")?;
    let mut command = cargo(&["metadata", "--format-version", "1", "--locked", "--filter-platform", host]);
    let output = command.output().map_err(|e| format!("could not start cargo metadata: {e}"))?;
    if !output.status.success() {
        return Err(format!("cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    // Paths of registries end in NAME-VERSION/Cargo.toml; ours do not, and are not looked for.
    let paths = text.split("\"manifest_path\":\"").skip(1).filter_map(|rest| rest.split('"').next());
    let folder = |path: &str| Path::new(path).parent().map(Path::to_path_buf);
    let entry = |folder: PathBuf| Some((folder.file_name()?.to_str()?.to_string(), folder));
    Ok(paths.filter_map(folder).filter_map(entry).collect())
}

/// The files of a package that have to be passed on: of a choice of licences one is enough, the shorter one.
fn files_of(folder: &Path, licence: &str) -> Result<Vec<PathBuf>> {
    let read = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let name = |path: &Path| path.file_name().map(|n| n.to_string_lossy().to_uppercase()).unwrap_or_default();
    let is_text = |path: &PathBuf| {
        let name = name(path);
        ["LICEN", "COPYING", "NOTICE", "UNLICENSE"].iter().any(|start| name.starts_with(start)) && path.is_file()
    };
    let mut files: Vec<PathBuf> = read.flatten().map(|entry| entry.path()).filter(is_text).collect();
    files.sort();
    let is_apache = |path: &Path| name(path).contains("APACHE") || name(path).contains("_A2");
    let without_apache = |l: &str| ALLOWED.contains(&l) && !l.starts_with("Apache");
    if is_allowed(licence, &without_apache) && files.iter().any(|f| !is_apache(f)) {
        files.retain(|f| !is_apache(f));
    }
    Ok(files)
}

/// The texts, each once, behind the names of the packages that have it.
fn texts(installed: &BTreeMap<String, (String, String)>) -> Result<String> {
    let folders = folders()?;
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut without = Vec::new();
    for (package, (licence, home)) in installed {
        let folder =
            folders.get(&package.replace(' ', "-")).ok_or_else(|| format!("{package} is not unpacked here"))?;
        let files = files_of(folder, licence)?;
        if files.is_empty() {
            without.push(format!("- {package} is under {licence}; its package has no text of it: see {home}"));
        }
        for file in files {
            let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
            let lines: Vec<&str> = text.trim_start_matches('\u{feff}').lines().map(str::trim_end).collect();
            texts.entry(lines.join("\n").trim_matches('\n').to_string()).or_default().push(package.clone());
        }
    }
    let mut texts: Vec<(Vec<String>, String)> = texts.into_iter().map(|(text, packages)| (packages, text)).collect();
    texts.sort();
    let mut out = String::from("\n## Texts\n\nOf packages under a choice of licences one is given.\n");
    for (packages, text) in texts {
        // Four, because a text may have a fence of three.
        let _ = write!(out, "\n### {}\n\n````text\n{text}\n````\n", packages.join(", "));
    }
    if !without.is_empty() {
        let _ = write!(out, "\n### Without a text\n\n{}\n", without.join("\n"));
    }
    Ok(out)
}

fn text() -> Result<String> {
    let installed = packages("normal,no-proc-macro")?;
    let all = packages("normal,build,dev")?;
    let mut refused = Vec::new();
    for (package, (licence, _)) in &all {
        let is_installed = installed.contains_key(package);
        let allowed = |l: &str| ALLOWED.contains(&l) || (!is_installed && ALLOWED_FOR_TOOLS.contains(&l));
        if !is_allowed(licence, &allowed) {
            refused.push(format!("{package} is under `{licence}`"));
        }
    }
    if !refused.is_empty() {
        return Err(format!("{}, which is not on the list in dev/xtask/src/licences.rs", refused.join(", ")));
    }
    let mut out = String::from(
        "# Third-party notices\n\nGristmill itself is under MIT OR Apache-2.0. The command and the libraries contain the following packages, each\n\
         under its own licence; the texts follow. `gristmill licences` prints this.\n\n",
    );
    let row =
        |(package, (licence, home)): (&String, &(String, String))| format!("| {package} | {licence} | {home} |\n");
    out.push_str("| package | licence | home |\n|---|---|---|\n");
    installed.iter().for_each(|entry| out.push_str(&row(entry)));
    out.push_str("\n## Used to build and test, and not installed\n\n| package | licence | home |\n|---|---|---|\n");
    all.iter().filter(|(package, _)| !installed.contains_key(*package)).for_each(|entry| out.push_str(&row(entry)));
    out.push_str(&texts(&installed)?);
    Ok(out)
}

/// Writes the file; with `check`, says whether it is stale.
pub(crate) fn generate(check: bool) -> Result {
    let path: PathBuf = root().join(FILE);
    let text = text()?;
    if !check {
        return std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()));
    }
    let old = std::fs::read_to_string(&path).unwrap_or_default();
    if old == text { Ok(()) } else { Err(format!("{FILE} is stale; run `cargo xtask generate`")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_is_allowed_if_one_choice_of_it_is() {
        let allowed = |l: &str| ["MIT", "Zlib"].contains(&l);
        for (expression, expected) in [
            ("MIT", true),
            ("MIT/Apache-2.0", true),
            ("GPL-3.0 OR MIT", true),
            ("GPL-3.0", false),
            ("MIT AND GPL-3.0", false),
            ("(GPL-3.0 OR MIT) AND Zlib", true),
            ("(GPL-3.0 OR MIT) AND GPL-3.0", false),
            ("", false),
        ] {
            assert_eq!(is_allowed(expression, &allowed), expected, "{expression}");
        }
    }
}
