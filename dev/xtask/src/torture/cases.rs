//! The commands that write, each with a folder to work in. A new output of a command gets a case here.

/// Whether a case needs an OpenCL device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Device {
    Unused,
    Used,
}

/// How what a command left is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Judge {
    /// The folder is as before or as after, at any moment.
    Folder,
    /// The same, except that after a kill some of several files may be new: the next run completes them.
    Files,
    /// As `Files`, beside the programs in `cache`, which are never the same twice: none of them is damaged.
    Cache,
    /// The shell redirected the output, so that what was written stays: only messages and codes are looked at.
    Redirected,
}

/// A command and its folder.
#[derive(Debug)]
pub(super) struct Case {
    pub(super) name: &'static str,
    /// What is there at the start.
    pub(super) files: &'static [(&'static str, &'static str)],
    /// Commands that make the rest of it.
    pub(super) prepare: &'static [&'static [&'static str]],
    pub(super) words: &'static [&'static str],
    /// For tests of this program itself: a script instead of words.
    pub(super) shell: Option<&'static str>,
    pub(super) stdin: Option<&'static str>,
    pub(super) stdout: Option<&'static str>,
    pub(super) device: Device,
    pub(super) judge: Judge,
    /// Where it is done, it refuses to be done again.
    pub(super) is_once: bool,
}

impl Case {
    pub(super) const EMPTY: Case = Case {
        name: "",
        files: &[],
        prepare: &[],
        words: &[],
        shell: None,
        stdin: None,
        stdout: None,
        device: Device::Unused,
        judge: Judge::Folder,
        is_once: false,
    };

    /// `eval` of numbers that fill several blocks, over an old file.
    const fn eval(
        name: &'static str,
        files: &'static [(&'static str, &'static str)],
        output: &'static [&'static str; 7],
    ) -> Case {
        Case { name, files, words: output, ..Case::EMPTY }
    }
}

const TABLE: &str = "x,y,g\n1,2,a\n2,2.5,b\n3,5,a\n4,4,b\n5,7,a\n6,5.5,b\n";

/// A library without annotations, and a kernel.
const LIBRARY: &[(&str, &str)] = &[
    ("lib/lib.cl", "double base(double x) { return x; }\n"),
    ("lib/one.cl", "double one(double x) { return base(x) + 1.0; }\n"),
    ("lib/two.cl", "double two(double x) { return one(x) * 2.0; }\n"),
    ("lib/three.cl", "double three(double x) { return two(x) * 3.0; }\n"),
    ("k.cl", "__kernel void k(__global double* x) { x[get_global_id(0)] = two(x[get_global_id(0)]); }\n"),
    ("dest/one.cl", "mine\n"),
    ("dest/two.cl", "mine\n"),
];

const ANNOTATE: &[&str] = &["lib", "annotate", "lib"];
const ANNOTATE_KERNEL: &[&str] = &["lib", "annotate", "lib", "--kernels", "k.cl"];
const INDEX: &[&str] = &["lib", "index", "lib"];

const CIRCLE: &[(&str, &str)] = &[
    ("lib/p.cl", "double p1(double x) { return 0.5 * x; }\ndouble p2(double x) { return q1(x); }\n"),
    ("lib/q.cl", "double q1(double x) { return p1(x) + 1.0; }\n"),
];

const KERNEL: &[(&str, &str)] = &[
    (
        "two.cl",
        "__kernel void two(__global double* y, __global double* z, double a) {\n  size_t i = get_global_id(0);\n  \
         y[i] = a * (double)i;\n  z[i] = a + (double)i;\n}\n",
    ),
    ("y.npy", "old"),
    ("z.npy", "old"),
];

const TEXT: &[(&str, &str)] = &[
    (
        "two.rs",
        "#[kernel(entry)]\nfn two(i: usize, y: &mut [f64], z: &mut [f64], a: f64) {\n    y[i] = a * (i as f64);\n    \
         z[i] = a + (i as f64);\n}\n",
    ),
    ("y.npy", "old"),
    ("z.npy", "old"),
];

const RUN_TEXT: &[&str] = &[
    "run", "two.rs", "--arg", "a=2.5", "--out", "y=y.npy", "--out", "z=z.npy", "--global", "50000", "--format", "json",
];

const RUN: &[&str] = &[
    "run", "two.cl", "--arg", "a=2.5", "--out", "y=y.npy", "--out", "z=z.npy", "--global", "50000", "--format", "json",
];

/// All of them.
pub(super) const CASES: &[Case] = &[
    Case::eval("eval to csv", &[("out.csv", "old")], &["eval", "-q", "--n", "200000", "x = i / 7", "-o", "out.csv"]),
    Case::eval("eval to a new tsv", &[], &["eval", "-q", "--n", "200000", "x = i / 7", "-o", "out.tsv"]),
    Case::eval(
        "eval to parquet",
        &[("o.parquet", "old")],
        &["eval", "-q", "--n", "200000", "x = i / 7", "-o", "o.parquet"],
    ),
    Case::eval("eval to arrow", &[("o.arrow", "old")], &["eval", "-q", "--n", "200000", "x = i / 7", "-o", "o.arrow"]),
    Case::eval("eval to npy", &[("out.npy", "old")], &["eval", "-q", "--n", "200000", "x = i / 7", "-o", "out.npy"]),
    Case::eval("eval to npz", &[("out.npz", "old")], &["eval", "-q", "--n", "200000", "x = i / 7", "-o", "out.npz"]),
    Case {
        name: "eval to npz, several columns",
        words: &["eval", "-q", "--n", "100000", "x = i / 7", "y = x * x", "z = x > y", "-o", "out.npz"],
        ..Case::EMPTY
    },
    Case::eval("eval to jsonl", &[("o.jsonl", "old")], &["eval", "-q", "--n", "100000", "x = i / 7", "-o", "o.jsonl"]),
    Case::eval(
        "eval to csv.gz",
        &[("o.csv.gz", "old")],
        &["eval", "-q", "--n", "200000", "x = i / 7", "-o", "o.csv.gz"],
    ),
    Case::eval("eval to csv.zst", &[], &["eval", "-q", "--n", "200000", "x = i / 7", "-o", "o.csv.zst"]),
    Case {
        name: "eval --by",
        files: &[("in.csv", TABLE), ("out.csv", "old")],
        words: &["eval", "-q", "--by", "g", "m = mean(x)", "in.csv", "-o", "out.csv"],
        ..Case::EMPTY
    },
    Case {
        name: "eval --sync",
        files: &[("out.csv", "old")],
        words: &["eval", "-q", "--sync", "--n", "1000", "x = i / 7", "-o", "out.csv"],
        ..Case::EMPTY
    },
    Case {
        name: "eval over its input",
        files: &[("in.csv", TABLE)],
        words: &["eval", "-q", "x = abs(x)", "in.csv", "-o", "in.csv"],
        ..Case::EMPTY
    },
    Case {
        name: "eval of a stream to parquet",
        prepare: &[&["eval", "-q", "--n", "200000", "x = i / 7", "-o", "in.csv"]],
        words: &["eval", "-q", "y = x + 1", "-", "-o", "out.parquet"],
        stdin: Some("in.csv"),
        ..Case::EMPTY
    },
    Case {
        name: "eval > file",
        words: &["eval", "-q", "--n", "200000", "x = i / 7"],
        stdout: Some("out.csv"),
        judge: Judge::Redirected,
        ..Case::EMPTY
    },
    Case {
        name: "functions > file",
        words: &["functions"],
        stdout: Some("out.txt"),
        judge: Judge::Redirected,
        ..Case::EMPTY
    },
    Case {
        name: "glm -o",
        files: &[("in.csv", TABLE), ("grid.csv", "(Intercept),x\n0,1\n1,1\n"), ("out.csv", "old")],
        words: &["glm", "in.csv", "--formula", "y ~ x", "--family", "gaussian", "--grid", "grid.csv", "-o", "out.csv"],
        ..Case::EMPTY
    },
    Case {
        name: "glm --predict",
        files: &[("in.csv", TABLE), ("new.csv", TABLE), ("out.parquet", "old")],
        words: &["glm", "in.csv", "--formula", "y ~ x", "--predict", "new.csv", "-o", "out.parquet"],
        ..Case::EMPTY
    },
    Case {
        name: "glm --residuals",
        files: &[("in.csv", TABLE), ("r.csv", "old")],
        words: &["glm", "in.csv", "--formula", "y ~ x", "--residuals", "r.csv"],
        ..Case::EMPTY
    },
    Case {
        name: "glm --plot",
        files: &[("in.csv", TABLE), ("p.svg", "old")],
        words: &["glm", "in.csv", "--formula", "y ~ x", "--plot", "p.svg"],
        ..Case::EMPTY
    },
    Case { name: "run of a text --out, two files", files: TEXT, words: RUN_TEXT, judge: Judge::Files, ..Case::EMPTY },
    Case { name: "man --folder, a new one", words: &["man", "--folder", "man1"], ..Case::EMPTY },
    Case {
        name: "man --folder",
        files: &[("man1/gristmill.1", "old"), ("man1/gristmill-eval.1", "old")],
        words: &["man", "--folder", "man1"],
        judge: Judge::Files,
        ..Case::EMPTY
    },
    Case {
        name: "run --out, two files",
        files: KERNEL,
        words: RUN,
        device: Device::Used,
        judge: Judge::Cache,
        ..Case::EMPTY
    },
    Case {
        name: "cache warm",
        words: &["cache", "warm", "expm1", "--format", "json"],
        device: Device::Used,
        judge: Judge::Cache,
        ..Case::EMPTY
    },
    Case {
        name: "cache clear",
        prepare: &[&["cache", "warm", "expm1", "log1p"]],
        words: &["cache", "clear"],
        device: Device::Used,
        judge: Judge::Cache,
        ..Case::EMPTY
    },
    Case { name: "lib annotate", files: LIBRARY, words: ANNOTATE, judge: Judge::Files, ..Case::EMPTY },
    Case {
        name: "lib annotate --kernels",
        files: LIBRARY,
        prepare: &[ANNOTATE],
        words: ANNOTATE_KERNEL,
        ..Case::EMPTY
    },
    Case {
        name: "lib annotate --break-cycles",
        files: CIRCLE,
        words: &["lib", "annotate", "lib", "--break-cycles"],
        judge: Judge::Files,
        ..Case::EMPTY
    },
    Case { name: "lib index", files: LIBRARY, prepare: &[ANNOTATE], words: INDEX, judge: Judge::Files, ..Case::EMPTY },
    Case {
        name: "lib subset to a new folder",
        files: LIBRARY,
        prepare: &[ANNOTATE, ANNOTATE_KERNEL, INDEX],
        words: &["lib", "subset", "k.cl", "--library", "lib", "--dest", "new"],
        ..Case::EMPTY
    },
    Case {
        name: "lib subset --overwrite",
        files: LIBRARY,
        prepare: &[ANNOTATE, ANNOTATE_KERNEL, INDEX],
        words: &["lib", "subset", "k.cl", "--library", "lib", "--dest", "dest", "--overwrite"],
        judge: Judge::Files,
        ..Case::EMPTY
    },
    Case {
        name: "lib stage",
        files: LIBRARY,
        prepare: &[ANNOTATE],
        words: &["lib", "stage", "lib", "--dest", "staged"],
        is_once: true,
        ..Case::EMPTY
    },
    Case {
        name: "lib manifest write",
        prepare: &[&["new", "vectors"]],
        words: &["lib", "manifest", "write", "vectors", "--layer", "vectors"],
        judge: Judge::Files,
        ..Case::EMPTY
    },
    Case { name: "new", words: &["new", "vectors"], is_once: true, ..Case::EMPTY },
    Case {
        name: "program -o",
        files: &[("p.cl", "old")],
        prepare: &[&["new", "vectors"]],
        words: &["program", "src/vectors_kernel.cl", "--package", "vectors", "--library", "vectors", "-o", "p.cl"],
        ..Case::EMPTY
    },
];
