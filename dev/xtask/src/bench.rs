//! `cargo xtask bench NAME`: each measurement is one program that prints its figures as ratios of one run.

use crate::process::{Result, cargo, run};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Which measurement; without a name, the list
    name: Option<String>,
    /// Handed to the measurement
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

/// Name, package, bench target (with `harness = false`), what it measures.
pub(crate) const BENCHES: &[(&str, &str, &str, &str)] = &[
    (
        "ckernel",
        "gristmill-ndtypes",
        "ckernel",
        "building, calling and throughput of assignment kernels, trees and compiled loops, against memcpy and NumPy",
    ),
    ("programs", "gristmill-cl-runtime", "programs", "loading a cached OpenCL program, against building it"),
    (
        "kernels",
        "gristmill-nmath",
        "kernels",
        "block loops of the elementary functions, against libm and NumPy; threads; then `programs`",
    ),
    ("nmath", "gristmill-nmath", "nmath", "ns per element of nmath's functions, against libRmath and SciPy"),
    ("glm", "gristmill-glm", "glm", "GLMs: grids of coefficient vectors against NumPy, fits against R and statsmodels"),
    (
        "eval",
        "gristmill",
        "eval",
        "expressions in memory and over files, against NumPy, SciPy, pandas, polars and DuckDB; peak memory",
    ),
    (
        "jit",
        "gristmill-kernel-jit",
        "jit",
        "kernels as text at run time: compiling, and block loops against `#[kernel]`, the interpreter, NumPy and numba",
    ),
    (
        "chains",
        "gristmill",
        "chains",
        "chains of an expression as steps over blocks, against one loop compiled at run time",
    ),
    ("library", "gristmill-cl-library", "library", "ordering, loading and indexed loading of OpenCL libraries"),
];

/// Features of the package that a measurement needs.
const FEATURES: &[(&str, &str)] = &[("ckernel", "jit"), ("chains", "jit")];

/// What belongs to a measurement and is run after it.
const THEN: &[(&str, &str)] = &[("kernels", "programs")];

pub(crate) fn main(args: &Args) -> Result {
    let Some(name) = &args.name else {
        for (name, _, _, what) in BENCHES {
            println!("{name:10} {what}");
        }
        println!("{:10} the R package against `stats`, at 1, 1000 and 10^6 elements, on one and two threads", "r");
        println!(
            "{:10} the Python package, against SciPy, pandas, numexpr, polars and NumPy; time of its import",
            "python"
        );
        println!("{:10} `eval` of another release build against this one's, over files of every format", "against");
        println!("{:10} a release build of the command from nothing, and the crates that took longest", "build");
        return Ok(());
    };
    if name == "r" {
        return crate::r::bench(&args.rest);
    }
    if name == "against" {
        return crate::against::main(&args.rest);
    }
    if name == "build" {
        return crate::build_times::main(&args.rest);
    }
    if name == "python" {
        return crate::python::bench(&args.rest);
    }
    let Some((_, package, target, _)) = BENCHES.iter().find(|b| b.0 == name) else {
        let names: Vec<&str> = BENCHES.iter().map(|b| b.0).chain(["python", "r", "against", "build"]).collect();
        return Err(format!("no measurement is called `{name}`; there are: {}", names.join(", ")));
    };
    let mut command = cargo(&["bench", "--quiet", "--package", package, "--bench", target]);
    if let Some((_, features)) = FEATURES.iter().find(|f| f.0 == name) {
        command.args(["--features", *features]);
    }
    run(command.arg("--").args(&args.rest))?;
    match THEN.iter().find(|t| t.0 == name) {
        Some((_, then)) if args.rest.is_empty() => main(&Args { name: Some((*then).to_string()), rest: Vec::new() }),
        _ => Ok(()),
    }
}
