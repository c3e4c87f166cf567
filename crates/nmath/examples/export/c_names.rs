//! The names of R's C interface: a header, `Rmath`, and the stems under which annotated kernels ask for functions by the names
//! and with the arguments of Rmath.h (docs/c-names.md).
//!
//! Every function of the list has a stem of its own name; what it holds follows from the function's parameters. Beside them stand
//! the stems of R's source files, as other trees name them, where one file has several functions or another name.

use gristmill_kernel::{EmittedShard, Function};
use gristmill_kernel_cl::export::{ExportError, Tree, stem_of};
use gristmill_nmath::{KERNELS, kernel};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Files written by hand, each with its annotations and a comment: the headers, and what C calls with pointers, which kernels
/// do not have.
const WRITTEN: [(&str, &str); 10] = [
    ("Rmath", include_str!("Rmath.cl")),
    ("nmath", include_str!("nmath.cl")),
    ("dpq", include_str!("dpq.cl")),
    ("gm_random", include_str!("gm_random.cl")),
    ("dpsifn", include_str!("dpsifn.cl")),
    ("ebd0", include_str!("ebd0.cl")),
    ("lgammafn_sign", include_str!("lgammafn_sign.cl")),
    ("logspace_sum", include_str!("logspace_sum.cl")),
    ("pnorm_both", include_str!("pnorm_both.cl")),
    ("rmultinom", include_str!("rmultinom.cl")),
];

/// Functions over arrays, which are private in C: the same for arrays in global memory, under a name of their own. A stem, and what
/// its text says instead.
const IN_GLOBAL_MEMORY: [(&str, &[(&str, &str)]); 2] = [
    ("logspace_sum", &[("logspace_sum(", "logspace_sum_global("), ("const double *", "__global const double *")]),
    (
        "rmultinom",
        &[
            ("rmultinom(", "rmultinom_global("),
            ("const double *", "__global const double *"),
            ("int *rN", "__global int *rN"),
        ],
    ),
];

/// A function of the list, and its other name in C.
const OTHER_NAMES: [(&str, &str); 6] = [
    ("dnorm", "dnorm4"),
    ("pnorm", "pnorm5"),
    ("qnorm", "qnorm5"),
    ("r_pow", "R_pow"),
    ("r_pow_di", "R_pow_di"),
    ("r_unif_index", "R_unif_index"),
];

/// Further functions of a stem, by a macro: C's work arrays have no use here, and neither has freeing tables that do not exist.
const MORE_MACROS: [(&str, &str, &str); 6] = [
    ("bessel_i", "bessel_i_ex", "(x, nu, expo, work) bessel_i(x, nu, expo)"),
    ("bessel_j", "bessel_j_ex", "(x, nu, work) bessel_j(x, nu)"),
    ("bessel_k", "bessel_k_ex", "(x, nu, expo, work) bessel_k(x, nu, expo)"),
    ("bessel_y", "bessel_y_ex", "(x, nu, work) bessel_y(x, nu)"),
    ("signrank", "signrank_free", "()"),
    ("wilcox", "wilcox_free", "()"),
];

/// R's source files whose stem is no function's name, or that hold more than the function of their name.
const FILES: [(&str, &[&str]); 27] = [
    ("bd0", &["ebd0"]),
    ("choose", &["lchoose", "lfastchoose"]),
    ("cospi", &["sinpi", "tanpi"]),
    ("dbinom", &["dbinom_raw", "pow1p"]),
    ("dnbinom", &["dnbinom_mu"]),
    ("dpois", &["dpois_raw"]),
    ("gamma", &["gammafn"]),
    ("gamma_cody", &["gammafn"]),
    ("lgamma", &["lgammafn", "lgammafn_sign"]),
    ("mlutils", &["r_pow", "r_pow_di"]),
    ("pbeta", &["pbeta_raw"]),
    ("pgamma", &["pgamma_utils", "pgamma_raw"]),
    ("pgamma_utils", &["log1pmx", "lgamma1p", "logspace_add", "logspace_sub", "logspace_sum"]),
    ("plogis", &["log1pexp", "log1mexp"]),
    ("pnbinom", &["pnbinom_mu"]),
    ("pnorm", &["pnorm_both"]),
    ("polygamma", &["digamma", "trigamma", "tetragamma", "pentagamma", "psigamma", "dpsifn"]),
    ("qnbinom", &["qnbinom_mu"]),
    ("rnbinom", &["rnbinom_mu"]),
    ("sexp", &["exp_rand"]),
    ("signrank", &["dsignrank", "psignrank", "qsignrank", "rsignrank"]),
    ("snorm", &["norm_rand"]),
    ("stirlerr", &["lgammacor"]),
    ("sunif", &["unif_rand", "r_unif_index"]),
    ("toms708", &["pbeta"]),
    ("tukey", &["ptukey", "qtukey"]),
    ("wilcox", &["dwilcox", "pwilcox", "qwilcox", "rwilcox"]),
];

/// R's source files of which nothing is needed here, because each function is computed in another way: kernels that list what they
/// need to the last file name them.
const UNUSED: [&str; 15] = [
    "bessel",
    "bessel_j_cycle_dependent",
    "bessel_j_cycle_free",
    "bessel_y_cycle_dependent",
    "bessel_y_cycle_free",
    "chebyshev",
    "d1mach",
    "gammalims",
    "i1mach",
    "nmath2",
    "qDiscrete_search",
    "r_check_user_interrupt",
    "refactored",
    "stirlerr_cycle_dependent",
    "stirlerr_cycle_free",
];

/// Whether a function of the list is to be had under a name of C's: the generator behind the random numbers is ours alone, and the
/// square root is every device's, which rounds it as we do.
fn is_in_c(f: &Function) -> bool {
    !matches!(f.name(), "philox4x32" | "sqrt")
}

/// A function that draws a random number: C passes neither seed nor stream nor index.
fn is_random(f: &Function) -> bool {
    f.params().next().is_some_and(|(name, _)| name == "seed")
}

/// Whether C calls the function with arguments of another number or kind, so that its plain name is taken there.
fn differs_in_c(f: &Function) -> bool {
    is_random(f) || f.results().len() > 1
}

/// [`own_name`] of a shard.
pub(crate) fn own_name_of(shard: &EmittedShard) -> Option<String> {
    KERNELS.iter().find(|f| f.shard().key() == shard.key()).and_then(own_name)
}

/// The name under which the library defines a function: one that no macro of C's takes over.
fn own_name(f: &Function) -> Option<String> {
    (is_in_c(f) && differs_in_c(f) && !f.c_name().starts_with("gm_")).then(|| format!("gm_{}", f.c_name()))
}

/// How each of these files begins: its lists follow from no code of its own.
const HEAD: &str = "// Generated by `cargo xtask generate`: see docs/c-names.md.\n// @annotate: by_hand\n";

/// One file: what it provides and needs beside what a scan shows, and its text.
#[derive(Default)]
struct Stem {
    provides: Vec<String>,
    depends: Vec<String>,
    text: String,
}

impl Stem {
    fn depend(&mut self, stem: &str) {
        if !self.depends.iter().any(|d| d == stem) {
            self.depends.push(stem.to_string());
        }
    }

    fn file(&self) -> String {
        let list = |names: &[String]| if names.is_empty() { "(none)".to_string() } else { names.join(", ") };
        let mut text = HEAD.to_string();
        let _ = writeln!(text, "// @provides: {}\n// @depends: {}", list(&self.provides), list(&self.depends));
        let _ = writeln!(text, "// @source_origin: Rmath.h");
        if !self.text.is_empty() {
            let _ = write!(text, "\n{}", self.text);
        }
        text
    }
}

/// Adds the header and the stems to the exported tree.
pub(crate) fn add_to(tree: &mut Tree, home: &str) -> Result<(), ExportError> {
    let mut stems: BTreeMap<String, Stem> = BTreeMap::new();
    let functions: Vec<&Function> = KERNELS.iter().filter(|f| is_in_c(f)).collect();
    for f in functions.iter().filter(|f| f.results().len() == 1) {
        stems.insert(f.name().to_string(), stem_of_function(f, home));
    }
    for (stem, holds) in FILES {
        // A function that is not there yet has no stem, and neither has a file of which none is.
        let there: Vec<&&str> =
            holds.iter().filter(|h| stems.contains_key(**h) || is_written(h) || is_file(h)).collect();
        if there.is_empty() {
            continue;
        }
        let file = stems.entry(stem.to_string()).or_default();
        file.depend("nmath");
        there.into_iter().for_each(|h| file.depend(h));
    }
    for stem in UNUSED {
        let file = stems.entry(stem.to_string()).or_default();
        file.depend("nmath");
        file.text = "/* Nothing of this file is needed: the library computes in another way. */\n".to_string();
    }
    if let Some(file) = stems.get_mut("r_check_user_interrupt") {
        file.provides = vec!["R_CheckUserInterrupt".to_string(), "R_CheckStack".to_string()];
        file.text =
            "/* Nobody interrupts a device. */\n#define R_CheckUserInterrupt()\n#define R_CheckStack()\n".to_string();
    }
    if let Some(file) = stems.get_mut("gamma_cody") {
        file.provides = vec!["gamma_cody".to_string()];
        file.text = "#define gamma_cody(x) gammafn(x)\n".to_string();
    }
    for (stem, name, definition) in MORE_MACROS {
        if let Some(file) = stems.get_mut(stem) {
            file.provides.push(name.to_string());
            let _ = writeln!(file.text, "#define {name}{definition}");
        }
    }
    for (stem, text) in WRITTEN {
        let mut more = if stem == "Rmath" { aliases(&functions) } else { String::new() };
        if let Some((_, words)) = IN_GLOBAL_MEMORY.iter().find(|(array, _)| *array == stem) {
            let code = text.split_once("*/\n").map_or("", |(_, code)| code);
            more.push_str(&words.iter().fold(code.to_string(), |code, (from, to)| code.replace(from, to)));
        }
        tree.add(stem, format!("{HEAD}{text}{more}"))?;
    }
    for (stem, file) in stems {
        tree.add(&stem, file.file())?;
    }
    tree.check()
}

fn is_written(name: &str) -> bool {
    WRITTEN.iter().any(|(stem, _)| *stem == name)
}

fn is_file(name: &str) -> bool {
    FILES.iter().any(|(stem, _)| *stem == name)
}

/// The names in C that are not those of the list: `dnorm4`, and `Rf_dnorm4`, as R's shared library exports it.
fn aliases(functions: &[&Function]) -> String {
    let mut text = String::new();
    for (name, other) in OTHER_NAMES {
        assert!(kernel(name).is_some(), "`{name}` is not in the list");
        let _ = writeln!(text, "#define {other} {name}");
        if !other.starts_with("R_") {
            let _ = writeln!(text, "#define Rf_{other} {name}");
        }
    }
    for f in functions {
        // What OpenCL C has under the plain name is another function; R exports only one of those.
        if f.c_name() == f.name() || f.name() == "sign" {
            let _ = writeln!(text, "#define Rf_{} {}", f.name(), f.c_name());
        }
    }
    let more = MORE_MACROS.iter().map(|(_, name, _)| *name).filter(|name| name.ends_with("_ex"));
    for name in more.chain(["dpsifn", "logspace_sum", "rmultinom"]) {
        let _ = writeln!(text, "#define Rf_{name} {name}");
    }
    text
}

/// The file that brings one function under its name in C.
fn stem_of_function(f: &Function, home: &str) -> Stem {
    let (name, random) = (f.name(), is_random(f));
    let mut stem = Stem::default();
    stem.depend(if f.module().contains("::dist::") && !random { "dpq" } else { "nmath" });
    stem.depend(&stem_of(f.module(), home));
    if random {
        let own = own_name(f).unwrap_or_else(|| f.c_name());
        let params: Vec<(&str, &str)> = f.params().skip(3).map(|(p, scalar)| (p, scalar.c_name())).collect();
        let listed: Vec<&str> = params.iter().map(|(p, _)| *p).collect();
        let passed: String = params.iter().map(|(p, _)| format!(", {p}")).collect();
        let declared: String = params.iter().map(|(p, ty)| format!(", {ty} {p}")).collect();
        stem.depend("gm_random");
        stem.provides.push(format!("gm_draw_{name}"));
        let _ = write!(
            stem.text,
            "#undef {name}\n{} gm_draw_{name}(gm_random *now{declared})\n{{\n    \
             return {own}(now->seed, now->stream++, now->index{passed});\n}}\n\
             #define {name}({}) gm_draw_{name}(GM_RANDOM_ARGUMENT{passed})\n",
            f.results()[0].c_name(),
            listed.join(", ")
        );
    } else if f.c_name() != name {
        let listed: Vec<&str> = f.params().map(|(p, _)| p).collect();
        let listed = listed.join(", ");
        // Some compilers have their own function of this name as a macro.
        let _ = writeln!(stem.text, "#undef {name}\n#define {name}({listed}) {}({listed})", f.c_name());
    }
    stem
}
