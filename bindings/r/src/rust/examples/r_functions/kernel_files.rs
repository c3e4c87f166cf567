//! The OpenCL files that packages load by name: `src/dnorm_kernel.cl` and its kin, an entry for each function; what the kernels in
//! `ex_glmbayes_src` need of the library, in their annotations and as the folder `ex_glmbayes_nmath`.

use gristmill_kernel::{Function, Scalar};
use gristmill_nmath::KERNELS;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// What is written: texts, and links to files of the library.
pub(crate) struct Tree {
    pub(crate) texts: BTreeMap<PathBuf, String>,
    pub(crate) links: BTreeMap<PathBuf, PathBuf>,
}

/// The library's stems in the order in which they are loaded, each with all that it needs.
struct Stems<'a>(Vec<(&'a str, Vec<&'a str>)>);

impl<'a> Stems<'a> {
    fn new(index: &'a str) -> Stems<'a> {
        let row = |line: &'a str| {
            let (stem, needed) = line.split_once('\t').expect("an index has two columns");
            (stem, needed.split(", ").filter(|n| !n.is_empty()).collect())
        };
        Stems(index.lines().skip(1).map(row).collect())
    }

    fn has(&self, stem: &str) -> bool {
        self.0.iter().any(|row| row.0 == stem)
    }

    /// These stems and all that they need, in order.
    fn closure(&self, wanted: &[&str]) -> Vec<&'a str> {
        let mut all: BTreeSet<&str> = wanted.iter().copied().collect();
        for (stem, needed) in &self.0 {
            if wanted.contains(stem) {
                all.extend(needed);
            }
        }
        self.0.iter().map(|row| row.0).filter(|stem| all.contains(stem)).collect()
    }
}

/// An annotation in lines of the width of the others.
fn annotation(tag: &str, values: &[&str]) -> String {
    let (mut text, mut line) = (String::new(), format!("// @{tag}:"));
    for (i, value) in values.iter().enumerate() {
        let comma = if i + 1 < values.len() { "," } else { "" };
        if line.len() + value.len() > 115 {
            let _ = writeln!(text, "{line}");
            line = "//  ".into();
        }
        let _ = write!(line, " {value}{comma}");
    }
    text + &line + "\n"
}

/// How an entry takes a parameter: the pointer's type, its name and the element as the function takes it.
fn parameter(name: &str, ty: Scalar) -> Option<(&'static str, String, String)> {
    // `log` is a function of OpenCL C.
    let name = if name == "log" { "give_log" } else { name };
    Some(match ty {
        Scalar::F64 => ("double", name.to_string(), format!("{name}[i]")),
        Scalar::I32 => ("int", name.to_string(), format!("{name}[i]")),
        Scalar::Bool => ("int", name.to_string(), format!("{name}[i] != 0")),
        _ => return None,
    })
}

/// The entry of a function with one result; `None`: it has several, or arguments that R does not have.
fn entry(f: &Function, stems: &Stems<'_>) -> Option<String> {
    let name = f.name();
    let result = match f.results().as_slice() {
        [Scalar::F64] => "double",
        [Scalar::I32] => "int",
        _ => return None,
    };
    let mut params: Vec<(&str, Scalar)> = f.params().collect();
    let is_random = params.first().is_some_and(|p| p.0 == "seed");
    if is_random {
        params.drain(..3);
    }
    let params: Vec<_> = params.into_iter().map(|(name, ty)| parameter(name, ty)).collect::<Option<_>>()?;
    let mut text = String::from("// Written by `cargo xtask generate`; do not edit.\n");
    let _ = writeln!(text, "// @provides: {name}_kernel");
    let _ = writeln!(text, "// @depends_nmath: {name}");
    let needed = stems.closure(&[name]);
    text.push_str(&annotation("all_depends_nmath", &needed));
    let _ = writeln!(text, "// @all_depends_nmath_count: {}", needed.len());
    text.push_str("\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#pragma OPENCL FP_CONTRACT OFF\n\n");
    let _ = writeln!(text, "__kernel void {name}_kernel(");
    for (ty, name, _) in &params {
        let _ = writeln!(text, "    __global const {ty}* {name},");
    }
    if is_random {
        text.push_str("    const int seed_high,\n    const int seed_low,\n");
    }
    let _ = writeln!(text, "    __global {result}* out,\n    const int len)\n{{");
    text.push_str("    const int i = get_global_id(0);\n    if (i >= len) return;\n");
    if is_random {
        text.push_str("    GM_RANDOM((ulong) (uint) seed_high << 32 | (uint) seed_low, 0, i);\n");
    }
    let values: Vec<&str> = params.iter().map(|p| p.2.as_str()).collect();
    let _ = writeln!(text, "    out[i] = {name}({});\n}}", values.join(", "));
    Some(text)
}

/// The stems that a kernel's file names in `@depends_nmath`.
fn named(text: &str) -> Vec<&str> {
    let line = text.lines().find_map(|line| line.strip_prefix("// @depends_nmath:"));
    line.unwrap_or_default().split(',').map(str::trim).filter(|stem| !stem.is_empty()).collect()
}

/// The file with its `@all_depends_nmath` as the library is now.
fn annotated(text: &str, stems: &Stems<'_>) -> String {
    let needed = stems.closure(&named(text));
    let all = annotation("all_depends_nmath", &needed) + &format!("// @all_depends_nmath_count: {}\n", needed.len());
    let (mut kept, mut is_old) = (String::new(), false);
    for line in text.lines() {
        is_old = line.starts_with("// @all_depends_nmath") || is_old && line.starts_with("//   ");
        if is_old {
            continue;
        }
        let _ = writeln!(kept, "{line}");
        if line.starts_with("// @depends_nmath:") {
            kept.push_str(&all);
        }
    }
    kept
}

/// Everything below `tree`, the package's folder of OpenCL files.
pub(crate) fn tree(tree: &Path) -> Tree {
    let read = |path: PathBuf| std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let index = read(tree.join("nmath/kernel_dependency_index.tsv"));
    let stems = Stems::new(&index);
    let mut texts = BTreeMap::new();
    for f in KERNELS.iter().filter(|f| stems.has(f.name())) {
        if let Some(text) = entry(f, &stems) {
            texts.insert(tree.join(format!("src/{}_kernel.cl", f.name())), text);
        }
    }
    let examples = tree.join("ex_glmbayes_src");
    let mut needed = BTreeSet::new();
    for file in std::fs::read_dir(&examples).unwrap_or_else(|e| panic!("{}: {e}", examples.display())).flatten() {
        let text = read(file.path());
        needed.extend(stems.closure(&named(&text)).into_iter().map(|stem| format!("{stem}.cl")));
        texts.insert(file.path(), annotated(&text, &stems));
    }
    needed.extend(["rds", "tsv"].map(|kind| format!("kernel_dependency_index.{kind}")));
    let link = |name: String| (tree.join("ex_glmbayes_nmath").join(&name), Path::new("../nmath").join(&name));
    Tree { texts, links: needed.into_iter().map(link).collect() }
}

/// Makes a link, in place of what is there.
pub(crate) fn link(path: &Path, target: &Path) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => std::os::unix::fs::symlink(target, path),
    }
}
