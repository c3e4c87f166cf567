//! `cargo xtask bench library`: loading, ordering and indexed loads, against their goals, in one run.
//!
//! Every figure is the fastest of several runs with a warm cache. The program fails if a goal is missed.

use gristmill_cl_library::{
    Folder, Graph, Index, Library, Manifest, Package, Packages, ProgramRequest, Shard, apply_changes, check_program,
    load_library_for_kernel, write_kernel_dependency_index,
};
use std::path::Path;
use std::time::Instant;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((z ^ (z >> 31)) % u64::try_from(n).expect("small")).expect("small")
    }
}

/// The fastest run in milliseconds.
fn fastest<T>(runs: usize, mut work: impl FnMut() -> T) -> f64 {
    let time = |work: &mut dyn FnMut() -> T| {
        let start = Instant::now();
        std::hint::black_box(work());
        start.elapsed().as_secs_f64() * 1e3
    };
    (0..runs).map(|_| time(&mut work)).fold(f64::INFINITY, f64::min)
}

/// `count` files of about `bytes` bytes together; file `i` needs up to `edges` earlier ones.
fn needs(count: usize, edges: usize) -> Vec<Vec<usize>> {
    let mut random = Random(42);
    let mut needs = Vec::with_capacity(count);
    for i in 0..count {
        let mut list: Vec<usize> = (0..edges.min(i)).map(|_| random.below(i)).collect();
        list.sort_unstable();
        list.dedup();
        needs.push(list);
    }
    needs
}

fn text(i: usize, list: &[usize], bytes: usize) -> String {
    let names: Vec<String> = list.iter().map(|n| format!("f{n}")).collect();
    let mut text = format!("// @provides: f{i}\n// @depends: {}\n", names.join(", "));
    while text.len() < bytes {
        text.push_str(
            "/* what a real file says about its licence and its formulas */\ndouble x_(double a) { return a * 0.5; }\n",
        );
    }
    text
}

fn write(dir: &Path, needs: &[Vec<usize>], bytes: usize) {
    for (i, list) in needs.iter().enumerate() {
        std::fs::write(dir.join(format!("f{i}.cl")), text(i, list, bytes / needs.len())).expect("temporary directory");
    }
}

/// A package like those that port a C math library: a configuration, a header of macros and prototypes that every file uses,
/// files of about 4 KB with private helpers, and a kernel for the last of them. No file of the library is annotated.
fn port(root: &Path, needs: &[Vec<usize>]) {
    let write = |path: String, text: String| {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("temporary directory");
        std::fs::write(path, text).expect("temporary directory");
    };
    write("cl/OPENCL.cl".into(), "#pragma OPENCL FP_CONTRACT OFF\n#define ML_NAN (0.0/0.0)\n".into());
    let mut header = String::from(
        "#ifndef PORT_H\n#define PORT_H\n#define NOT_LOG (log_p ? -INFINITY : 0.0)\n#define BOUND(x) (lower ? (x) : 1.0 - (x))\n\
         #define CHECK(x) if (isnan(x)) return ML_NAN\n",
    );
    for i in 0..needs.len() {
        header.push_str(&format!("#define g{i} port_g{i}\ndouble g{i}(double x, int lower, int log_p);\n"));
    }
    write("cl/port/port.cl".into(), format!("{header}#endif\n"));
    for (i, list) in needs.iter().enumerate() {
        let calls: String = list.iter().map(|n| format!("  s += g{n}(x, lower, log_p);\n")).collect();
        let mut text = String::from("/* what a real file says about its licence and its formulas */\n");
        for part in 0..10 {
            text.push_str(&format!(
                "static double part{part}_of_g{i}(double x, int lower, int log_p) {{\n  CHECK(x);\n  double s = 0.0;\n  \
                 for (int k = 1; k < 20; k++) {{\n    s = s * x + {part}.25 / (double)k; /* a term of the series */\n    \
                 if (fabs(s) > 1e300) return NOT_LOG;\n  }}\n  return BOUND(s);\n}}\n"
            ));
        }
        let parts: String = (0..10).map(|part| format!("  s += part{part}_of_g{i}(x, lower, log_p);\n")).collect();
        let body = format!("  CHECK(x);\n  double s = 0.0;\n{parts}{calls}  return s;\n");
        write(format!("cl/port/g{i}.cl"), format!("{text}double g{i}(double x, int lower, int log_p) {{\n{body}}}\n"));
    }
    let last = needs.len() - 1;
    write(
        "cl/src/kernel.cl".into(),
        format!(
            "// @depends_port: g{last}\n__kernel void k(__global double* x) {{\n  int i = get_global_id(0);\n  \
             x[i] = g{last}(x[i], 1, 0);\n}}\n"
        ),
    );
}

/// A package of 300 files: annotating it, and the program of one kernel by its index.
fn port_of_300_files() -> bool {
    let temp = tempfile::tempdir().expect("temporary directory");
    let root = temp.path().join("port");
    port(&root, &needs(299, 3));
    let folder = Folder::at(&root.join("cl/port")).expect("library");
    let prelude = Manifest::prelude_of(&Package::at(&root).expect("package")).expect("prelude");
    let changes = || folder.annotate(&prelude).expect("annotations").changes();
    let mut met = report("annotate 300 files of 4 KB, from nothing", fastest(3, changes), "ms", 2000.0, true);
    apply_changes(&changes()).expect("annotations");
    assert!(changes().is_empty(), "annotations that are right stay");
    met &= report("annotate them again: nothing changes", fastest(3, changes), "ms", 2000.0, true);
    write_kernel_dependency_index(&root.join("cl/port")).expect("index");
    let request = ProgramRequest {
        kernel: "src/kernel.cl".into(),
        libraries: vec!["port".into()],
        package: Some(root.display().to_string()),
        ..ProgramRequest::default()
    };
    let packages = Packages::new(Vec::new(), &[]);
    let pieces = request.assemble(&packages).expect("program").program.pieces().len();
    println!("{:<52} {pieces:>9} of 300", "files of the program of one kernel");
    let program = || {
        let program = request.assemble(&packages).expect("program").program;
        assert!(check_program(&program, &[]).is_empty(), "the program is complete");
        program.text().len()
    };
    met & report("program of the kernel by the index, checked", fastest(10, program), "ms", 20.0, true)
}

fn report(name: &str, value: f64, unit: &str, goal: f64, at_most: bool) -> bool {
    let met = if at_most { value <= goal } else { value >= goal };
    let sign = if at_most { "<=" } else { ">=" };
    println!("{name:<52} {value:>9.2} {unit:<3} goal {sign} {goal} {unit}{}", if met { "" } else { "   MISSED" });
    met
}

fn main() {
    let temp = tempfile::tempdir().expect("temporary directory");
    let dir = temp.path();
    write(dir, &needs(137, 3), 1_000_000);
    write_kernel_dependency_index(dir).expect("index");
    let load = || Library::from_dir(dir).and_then(|l| l.load()).expect("library").len();
    let whole = fastest(30, load);
    let mut met = report("order and load 137 files, 1 MB", whole, "ms", 10.0, true);

    // A kernel with a typical closure: about a tenth of the files, as dbinom's 18 of 137.
    let index = Index::read(dir).expect("index");
    let row = index.rows().iter().find(|r| r.all_depends.len() >= 12).expect("a file with 12 dependencies");
    println!("{:<52} {:>9} of 137", "files of the indexed kernel", row.all_depends.len() + 1);
    let kernel = Shard::new("kernel", format!("// @depends_lib: {}\n", row.stem));
    let indexed =
        fastest(30, || load_library_for_kernel(&kernel, dir, "depends_lib", None).expect("kernel").text().len());
    met &= report("indexed load, times faster than the whole", whole / indexed, "x", 5.0, false);

    // 10,000 files with 50,000 edges, and twice of both: from text in memory, annotations parsed.
    let mut times = Vec::new();
    for count in [10_000, 20_000] {
        let lists = needs(count, 5);
        let texts: Vec<String> = lists.iter().enumerate().map(|(i, l)| text(i, l, 0)).collect();
        let edges: usize = lists.iter().map(Vec::len).sum();
        let sort = fastest(5, || {
            let shards = texts.iter().enumerate().map(|(i, t)| Shard::new(format!("f{i}"), t.clone())).collect();
            Library::new("big", shards).expect("library").order().expect("order").passes().len()
        });
        println!(
            "{:<52} {sort:>9.2} ms  ({edges} edges; graph alone {:.2} ms)",
            format!("parse and order {count} files"),
            fastest(5, || { Graph::new(&lists).order().expect("order").passes().len() })
        );
        times.push(sort);
    }
    met &= report("10,000 files with 50,000 edges", times[0], "ms", 1000.0, true);
    met &= report("twice the files, times longer", times[1] / times[0], "x", 2.5, true);
    met &= port_of_300_files();
    if !met {
        std::process::exit(1);
    }
}
