//! Annotations written from code, and cycles broken.

use crate::support::write_tree;
use gristmill_cl_library::{
    Library, Severity, Shard, annotate_kernels, annotate_library, check_library, set_annotations,
};
use std::collections::BTreeMap;
use std::path::Path;

fn dir(files: &[(&str, &str)]) -> tempfile::TempDir {
    let temp = tempfile::tempdir().unwrap();
    let named: Vec<(String, &str)> = files.iter().map(|(stem, text)| (format!("lib/{stem}.cl"), *text)).collect();
    write_tree(temp.path(), &named.iter().map(|(n, t)| (n.as_str(), *t)).collect::<Vec<_>>());
    temp
}

fn lists(library: &Library, tag: &str) -> BTreeMap<String, String> {
    library.shards().iter().map(|s| (s.stem().to_owned(), s.annotations().list(tag).join(", "))).collect()
}

fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
}

#[test]
fn provides_and_depends_come_from_the_code() {
    let temp = dir(&[
        (
            "lib",
            "/* header */\n#ifndef LIB_H\n#define LIB_H\n#define SCALE 2.0\n#define R_D__0 (log_p ? ML_NEGINF : 0.)\ntypedef double real;\ndouble one(double);\n#endif\n",
        ),
        (
            "one",
            "// @source_type: c\n// @provides: wrong\n// @depends: two\n\n__constant real table[2] = { 1.0, 2.0 };\ndouble one(double x) { return SCALE * x; } // two(x)\n",
        ),
        (
            "two",
            "static double helper(double x, double table) { return x + table; }\ndouble two(double x) { return helper(one(x), 1) + log(x) + \"one(\"[0]; }\ndouble two_b(double x) { return x; }\n",
        ),
        ("three", "double three(double x) {\n#ifdef NEVER\n  return two_b(x);\n#endif\n  return table[0];\n}\n"),
    ]);
    let plan = annotate_library(&temp.path().join("lib"), &[]).unwrap();
    assert_eq!(
        lists(plan.library(), "provides"),
        map(&[("lib", "SCALE, R_D__0, real"), ("one", "table, one"), ("two", "two, two_b"), ("three", "three")])
    );
    assert_eq!(
        lists(plan.library(), "depends"),
        map(&[("lib", ""), ("one", "lib"), ("two", "lib, one"), ("three", "lib, one")])
    );
    assert!(plan.cycles().is_empty());
    for change in plan.changes() {
        change.apply().unwrap();
    }
    let again = annotate_library(&temp.path().join("lib"), &[]).unwrap();
    assert!(again.changes().is_empty(), "annotating twice changes nothing: {:?}", again.changes());
    let one = std::fs::read_to_string(temp.path().join("lib/one.cl")).unwrap();
    assert!(one.starts_with("// @source_type: c\n// @provides: table, one\n// @depends: lib\n\n__constant"), "{one}");
}

#[test]
fn only_the_annotation_lines_change_and_every_other_byte_stays() {
    let before = b"\xEF\xBB\xBF// caf\xE9\r\n// @depends: a,\r\n//   b\r\n// @note: keep\r\nint x;\r\n";
    let tags = [("depends", Some(vec!["c".to_owned(), "d".to_owned()])), ("provides", Some(vec![]))];
    let after = set_annotations(before, &tags);
    assert_eq!(
        after,
        b"\xEF\xBB\xBF// caf\xE9\r\n// @depends: c, d\r\n// @note: keep\r\n// @provides: (none)\r\nint x;\r\n"
    );
    let same = [("depends", Some(vec!["b".to_owned(), "a".to_owned()]))];
    assert_eq!(set_annotations(before, &same), before, "the same names in another order are no change");
    assert_eq!(
        set_annotations(b"\xEF\xBB\xBFint x;", &[("a", Some(vec!["b".into()]))]),
        b"\xEF\xBB\xBF// @a: b\nint x;"
    );
    assert_eq!(set_annotations(b"", &[("a", Some(vec!["b".into()]))]), b"// @a: b\n");
    assert_eq!(set_annotations(b"// @a: b\nint x;", &[("a", None)]), b"int x;");
}

#[test]
fn the_diff_shows_what_would_be_written() {
    let temp = dir(&[
        ("a", "// @provides: a\nint a(int x) { return b(x); }\n"),
        ("b", "// @provides: b\n// @depends: (none)\nint b(int x) { return x; }\n"),
    ]);
    let plan = annotate_library(&temp.path().join("lib"), &[]).unwrap();
    let changes = plan.changes();
    assert_eq!(changes.len(), 1);
    let name = temp.path().join("lib/a.cl").display().to_string();
    assert_eq!(
        changes[0].diff(),
        format!(
            "--- {name}\n+++ {name}\n@@ -1,2 +1,3 @@\n // @provides: a\n+// @depends: b\n int a(int x) {{ return b(x); }}\n"
        )
    );
}

#[test]
fn kernels_are_annotated_against_a_library() {
    let temp = dir(&[]);
    write_tree(
        temp.path(),
        &[
            ("nmath/Rmath.cl", "// @provides: M_HALF\n// @source_type: h\n#define M_HALF 0.5\n"),
            (
                "nmath/dnorm.cl",
                "// @provides: dnorm, dnorm4\n// @depends: Rmath\ndouble dnorm4(double x) { return x; }\n",
            ),
            (
                "nmath/pnorm.cl",
                "// @provides: pnorm\n// @depends: dnorm\ndouble pnorm(double x) { return dnorm4(x); }\n",
            ),
            (
                "k/a.cl",
                "// @depends_nmath: old\n#pragma x\n__kernel void a(__global double* x) { x[get_global_id(0)] = pnorm(x[0]) + lgamma(M_HALF) + exp(1.0); }\n",
            ),
            ("k/b.cl", "__kernel void b(__global double* x) { barrier(CLK_LOCAL_MEM_FENCE); } // dnorm(1)\n"),
        ],
    );
    let library = Library::from_dir(&temp.path().join("nmath")).unwrap();
    let kernels = [temp.path().join("k/a.cl"), temp.path().join("k/b.cl")];
    let found = annotate_kernels(&kernels, &library, "nmath", &[]).unwrap();
    assert_eq!(found[0].calls, ["pnorm"]);
    assert_eq!(found[0].depends, ["Rmath", "pnorm"]);
    assert_eq!(found[0].all_depends, ["Rmath", "dnorm", "pnorm"]);
    assert_eq!(found[0].opencl_builtins, ["get_global_id", "lgamma"]);
    found[0].change.as_ref().unwrap().apply().unwrap();
    let text = std::fs::read_to_string(&kernels[0]).unwrap();
    assert!(
        text.starts_with(
            "// @depends_nmath: Rmath, pnorm\n// @library_deps: nmath\n// @calls_nmath: pnorm\n// @calls_opencl_builtin: get_global_id, lgamma\n\
             // @all_depends_nmath_count: 3\n// @all_depends_nmath: Rmath, dnorm, pnorm\n#pragma x\n"
        ),
        "{text}"
    );
    assert!(found[1].depends.is_empty());
    let again = annotate_kernels(&kernels[..1], &library, "nmath", &[]).unwrap();
    assert_eq!(again[0].change, None);
}

/// The functions that each stem's closure defines.
fn functions_in_closure(library: &Library, stem: &str) -> String {
    library.closure(&[stem]).unwrap().iter().map(|s| s.text()).collect::<String>()
}

fn break_cycles(dir: &Path) -> Library {
    let plan = annotate_library(dir, &[]).unwrap();
    assert!(!plan.cycles().is_empty());
    let plan = plan.break_cycles(&[]).unwrap();
    assert_eq!(plan.cycles(), Vec::<Vec<String>>::new());
    for change in plan.changes() {
        change.apply().unwrap();
    }
    let library = Library::from_dir(dir).unwrap();
    let findings = check_library(&library, &[]);
    let severe: Vec<_> =
        findings.iter().filter(|d| d.severity == Severity::Error || d.code == "undefined-function").collect();
    assert!(severe.is_empty(), "{severe:#?}");
    assert!(annotate_library(dir, &[]).unwrap().changes().is_empty(), "the result is stable");
    library
}

#[test]
fn a_cycle_is_broken_by_splitting_a_file() {
    let temp = dir(&[
        (
            "gamma",
            "// @provides: x\n/* licence */\n#ifndef GAMMA_CL\n#define GAMMA_CL\n#define XMAX 171.0\n// gamma itself\ndouble gammafn(double x) { return x > XMAX ? 0 : stirlerr(x); }\n\n/* its logarithm */\ndouble lgamma_small(double x) { return XMAX - x; }\n#endif\n",
        ),
        ("stirlerr", "double stirlerr(double x) { return lgamma_small(x); }\n"),
        ("user", "double user(double x) { return gammafn(x); }\n"),
        ("second", "double second(double x) { return lgamma_small(x); }\n"),
    ]);
    let lib = temp.path().join("lib");
    let plan = annotate_library(&lib, &[]).unwrap();
    let proposals = plan.proposals(&[]);
    assert_eq!(proposals[0].cycle, ["gamma", "stirlerr", "gamma"]);
    assert_eq!(
        proposals[0].because,
        [
            "`gammafn` of `gamma` uses `stirlerr` of `stirlerr`",
            "`stirlerr` of `stirlerr` uses `lgamma_small` of `gamma`"
        ]
    );
    let fragments: Vec<(&str, String)> =
        proposals[0].fragments.iter().map(|f| (f.stem.as_str(), f.functions.join(" "))).collect();
    assert_eq!(
        fragments,
        [
            ("gamma_cycle_free", "lgamma_small".to_owned()),
            ("gamma", "gammafn".to_owned()),
            ("stirlerr", "stirlerr".to_owned())
        ]
    );

    let library = break_cycles(&lib);
    assert_eq!(
        lists(&library, "depends"),
        map(&[
            ("gamma", "gamma_cycle_free, stirlerr"),
            ("gamma_cycle_free", "(none)"),
            ("second", "gamma_cycle_free"),
            ("stirlerr", "gamma_cycle_free"),
            ("user", "gamma"),
        ])
        .into_iter()
        .map(|(k, v)| (k, v.replace("(none)", "")))
        .collect()
    );
    assert!(functions_in_closure(&library, "gamma").contains("double lgamma_small"));
    assert!(library.shard("gamma").unwrap().text().contains("// gamma itself\ndouble gammafn"));
    assert!(library.shard("gamma_cycle_free").unwrap().text().contains("/* its logarithm */\ndouble lgamma_small"));
    assert!(library.shard("gamma").unwrap().text().contains("licence"), "the licence stays with every fragment");
}

#[test]
fn longer_circles_through_three_files_and_several_levels_are_broken() {
    let temp = dir(&[
        (
            "a",
            "int a0(int x) { return x; }\nint a1(int x) { return c0(x); }\nint a2(int x) { return c1(x) + a0(x); }\n",
        ),
        ("b", "int b0(int x) { return a0(x); }\nint b1(int x) { return a1(x) + b0(x); }\n"),
        ("c", "int c0(int x) { return b0(x); }\nint c1(int x) { return b1(x); }\n"),
    ]);
    let library = break_cycles(&temp.path().join("lib"));
    for stem in ["a", "b", "c"] {
        let all = functions_in_closure(&library, stem);
        for function in ["0", "1"] {
            assert!(all.contains(&format!("int {stem}{function}(")), "{stem}{function}");
        }
    }
    assert_eq!(
        library.load().unwrap().matches("int ").count(),
        14,
        "7 functions with one parameter each, none lost or doubled"
    );
}

#[test]
fn functions_that_call_each_other_get_forward_declarations_in_one_file() {
    let temp = dir(&[
        ("even", "int even(int x) { return x == 0 ? 1 : odd(x - 1); }\nint even_helper(int x) { return x; }\n"),
        ("odd", "// the odd ones\nint odd(\n    int x)\n{ return x == 0 ? 0 : even(x - 1) + even_helper(0); }\n"),
    ]);
    let lib = temp.path().join("lib");
    let plan = annotate_library(&lib, &[]).unwrap();
    let proposal = &plan.proposals(&[])[0];
    let circle = proposal.fragments.iter().find(|f| f.stem == "even_odd_cycle").unwrap();
    assert_eq!(circle.forward_declarations, ["even", "odd"]);
    let plan = plan.break_cycles(&[]).unwrap();
    assert!(plan.cycles().is_empty(), "{:?}", plan.cycles());
    let library = plan.library();
    let text = library.shard("even_odd_cycle").unwrap().text();
    assert!(text.contains("int even(int x);\nint odd( int x);\n"), "{text}");
    let findings = check_library(library, &[]);
    assert!(findings.iter().any(|d| d.code == "recursion"), "the recursion itself is still wrong, and said to be");
    assert!(functions_in_closure(library, "odd").contains("int even("));
}

#[test]
fn what_cannot_be_split_is_said_with_the_reason() {
    let temp = dir(&[
        ("a", "#ifdef cl_khr_fp64\nint a(int x) { return b(x); }\n#endif\nint a0(int x) { return x; }\n"),
        ("b", "int b(int x) { return a0(x); }\n"),
        ("m", "typedef n_t m_t;\n"),
        ("n", "typedef m_t n_t;\n"),
    ]);
    let plan = annotate_library(&temp.path().join("lib"), &[]).unwrap();
    let obstacles: Vec<String> = plan.proposals(&[]).into_iter().filter_map(|p| p.obstacle).collect();
    assert_eq!(
        obstacles,
        [
            "`a`: `a` stands under `#if`, so that it cannot be moved",
            "macros, types or constants of `m` need something that needs them; move them into a file of their own",
        ]
    );
    let before = plan.changes();
    let broken = plan.break_cycles(&[]).unwrap();
    assert_eq!(broken.cycles().len(), 2);
    assert_eq!(broken.changes(), before);
}

#[test]
fn names_that_pasting_may_make_are_kept() {
    let temp = dir(&[
        ("p", "// @depends: q\n#define CALL(d) p ## d\nint use(int x) { return CALL(norm)(x); }\n"),
        ("q", "// @depends: r\nint pnormx(int x) { return x; }\n"),
        ("r", "// @also_depends: s\nint r(int x) { return x; }\n"),
        ("s", "int s(int x) { return x; }\n"),
    ]);
    let plan = annotate_library(&temp.path().join("lib"), &[]).unwrap();
    assert_eq!(lists(plan.library(), "depends"), map(&[("p", "q"), ("q", ""), ("r", "s"), ("s", "")]));
}

#[test]
fn a_shard_in_memory_needs_no_file() {
    assert_eq!(Shard::new("x", "int x;").path(), "x.cl");
}

/// The smallest case in which a header decides what a file calls.
const HEADER: &str = "// @provides: fmx, TWICE\n// @depends: (none)\n#define fmx My_fmx\n#define TWICE(x) (fmx((x), 0.0) * 2.0)\n\
                      double fmx(double x, double y);\ndouble use(double x);\n";

#[test]
fn right_annotations_stay_when_a_header_renames_and_calls() {
    let temp = dir(&[]);
    write_tree(
        temp.path(),
        &[
            ("mylib/mylib.cl", HEADER),
            (
                "mylib/fmx.cl",
                "// @provides: fmx\n// @depends: mylib\n// @all_depends: mylib\n// @load_order: 2\ndouble fmx(double x, double y) { return x > y ? x : y; }\n",
            ),
            ("mylib/use.cl", "// @provides: use\n// @depends: mylib, fmx\ndouble use(double x) { return TWICE(x); }\n"),
            // Listed by name, needed only under a condition, or said to be included: none of it is wrong.
            ("mylib/config.cl", "// @provides: HAVE_FMX\n// @depends: mylib\n#define HAVE_FMX 1\n"),
            (
                "mylib/last.cl",
                "// @provides: last\n// @depends: config, use\n// @includes: mylib\n#ifdef HAVE_FMX\ndouble last(double x) { return use(TWICE(x)); }\n#endif\n",
            ),
        ],
    );
    let lib = temp.path().join("mylib");
    let changes = annotate_library(&lib, &[]).unwrap().changes();
    assert!(changes.is_empty(), "{}", changes.iter().map(|c| c.diff()).collect::<String>());
    assert_eq!(check_library(&Library::from_dir(&lib).unwrap(), &[]), []);

    // Without annotations, the same is found, but for what stands under a condition that no file before it fulfils.
    for name in ["mylib", "fmx", "use", "config", "last"] {
        let path = lib.join(format!("{name}.cl"));
        let text = std::fs::read_to_string(&path).unwrap();
        let code: String = text.lines().filter(|l| !l.starts_with("//")).map(|l| format!("{l}\n")).collect();
        std::fs::write(&path, code).unwrap();
    }
    let plan = annotate_library(&lib, &[]).unwrap();
    assert_eq!(
        lists(plan.library(), "depends"),
        map(&[("mylib", ""), ("fmx", "mylib"), ("use", "fmx, mylib"), ("config", "mylib"), ("last", "mylib")])
    );
}

#[test]
fn a_need_that_an_annotation_hides_is_added_and_nothing_else() {
    let temp = dir(&[]);
    write_tree(
        temp.path(),
        &[
            ("mylib/mylib.cl", HEADER),
            ("mylib/fmx.cl", "// @provides: fmx\n// @depends: mylib\ndouble fmx(double x, double y) { return x; }\n"),
            ("mylib/use.cl", "// @provides: use\n// @depends: mylib\ndouble use(double x) { return TWICE(x); }\n"),
            ("k.cl", "__kernel void k(__global double* x) { x[0] = TWICE(x[1]) + fmx(1.0, 2.0); }\n"),
        ],
    );
    let plan = annotate_library(&temp.path().join("mylib"), &[]).unwrap();
    let changes = plan.changes();
    assert_eq!(changes.len(), 1);
    assert!(changes[0].diff().contains("\n-// @depends: mylib\n+// @depends: fmx, mylib\n"), "{}", changes[0].diff());
    let library = Library::from_dir(&temp.path().join("mylib")).unwrap();
    let kernel = &annotate_kernels(&[temp.path().join("k.cl")], &library, "mylib", &[]).unwrap()[0];
    assert_eq!((kernel.calls.join(" "), kernel.depends.join(" ")), ("My_fmx".into(), "fmx mylib".into()));
}

#[test]
fn right_kernels_stay_and_derived_tags_can_be_refreshed_alone() {
    let temp = dir(&[]);
    let kernel = "// @depends_mylib: use\n// @all_depends_mylib: mylib, fmx, use\n__kernel void k(__global double* x) { x[0] = use(x[1]); }\n";
    write_tree(
        temp.path(),
        &[
            ("mylib/mylib.cl", HEADER),
            (
                "mylib/fmx.cl",
                "// @provides: fmx\n// @depends: mylib\n// @all_depends: mylib\ndouble fmx(double x, double y) { return x; }\n",
            ),
            (
                "mylib/use.cl",
                "// @provides: use\n// @depends: mylib, fmx\n// @all_depends: stale\n// @load_order: 1\ndouble use(double x) { return 2.0 * fmx(x, 1.0); }\n",
            ),
            ("k.cl", kernel),
            ("old.cl", &kernel.replace("mylib, fmx, use", "use")),
        ],
    );
    let folder = gristmill_cl_library::Folder::at(&temp.path().join("mylib")).unwrap();
    let library = folder.library().unwrap();
    let found = annotate_kernels(&[temp.path().join("k.cl")], &library, "mylib", &[]).unwrap();
    assert_eq!(found[0].change, None);
    let changes = folder.refresh_derived().unwrap().changes();
    assert_eq!(changes.len(), 1);
    let after = String::from_utf8(changes[0].after.clone()).unwrap();
    assert!(after.contains("// @depends: mylib, fmx\n// @all_depends: mylib, fmx\n// @load_order: 3\n"), "{after}");
    let old = gristmill_cl_library::refresh_kernels(&[temp.path().join("old.cl")], &library, "mylib").unwrap();
    let after = String::from_utf8(old[0].change.as_ref().unwrap().after.clone()).unwrap();
    assert_eq!(after, kernel);
}

/// `#ifndef PAIR_ … typedef … PAIR; #endif` in two files: each has its own, and neither needs the other.
#[test]
fn a_type_that_a_file_defines_behind_a_guard_is_its_own() {
    let pair = "#ifndef pair_\n#define pair_\ntypedef struct { double v0; double v1; } pair;\n#endif\n";
    let folder = tempfile::tempdir().expect("a folder");
    for (name, depends) in [("a", "(none)"), ("b", "a")] {
        let calls = if name == "b" { "a(x).v0" } else { "x" };
        let text = format!(
            "// @provides: {name}\n// @depends: {depends}\n\n{pair}pair {name}(double x) {{ pair p; p.v0 = {calls}; return p; }}\n"
        );
        std::fs::write(folder.path().join(format!("{name}.cl")), text).expect("written");
    }
    std::fs::write(
        folder.path().join("c.cl"),
        format!("// @provides: c\n// @depends: (none)\n\n{pair}double c(pair p) {{ return p.v0; }}\n"),
    )
    .expect("written");
    let plan = gristmill_cl_library::annotate_library(folder.path(), &[]).expect("a library");
    assert!(plan.changes().is_empty(), "{}", plan.changes()[0].diff());
}

/// The exported tree says itself what it needs; reading it finds nothing else.
/// A file that only brings others has lists that follow from no code; a header's macro is not what `twice` calls.
#[test]
fn a_file_annotated_by_hand_is_left_alone_and_tells_nothing_about_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    let all = "// @annotate: by_hand\n// @provides: (none)\n// @depends: twice, square\n";
    let header = "// @annotate: by_hand\n// @depends: (none)\n#define square(x) ((x) * (x))\n";
    write("all.cl", all);
    write("names.cl", header);
    write("square.cl", "// @provides: square\n// @depends: (none)\ndouble square(double x) { return x * x; }\n");
    write("twice.cl", "// @provides: twice\n// @depends: names\ndouble twice(double x) { return 2.0 * square(x); }\n");
    let plan = gristmill_cl_library::annotate_library(folder.path(), &[]).expect("a library");
    let changes = plan.changes();
    assert_eq!(changes.len(), 1, "{changes:?}");
    let after = String::from_utf8_lossy(&changes[0].after);
    assert!(after.contains("// @depends: square, names\n"), "{after}");
}

/// A type that several files define is known where the macro is that names it.
#[test]
fn a_type_in_a_macros_body_is_that_of_the_macros_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    let pair = "#ifndef pair_\n#define pair_\ntypedef struct { double v0; double v1; } pair;\n#endif\n";
    write(
        "a.cl",
        &format!(
            "// @provides: first\n// @depends: (none)\n{pair}pair first(void) {{ pair p = {{1.0, 2.0}}; return p; }}\n"
        ),
    );
    write("constants.cl", &format!("// @provides: TWO\n// @depends: (none)\n{pair}#define TWO ((pair){{2.0, 0.0}})\n"));
    write("user.cl", "// @provides: twice\n// @depends: constants\ndouble twice(double x) { return TWO.v0 * x; }\n");
    let plan = gristmill_cl_library::annotate_library(folder.path(), &[]).expect("a library");
    assert!(plan.changes().is_empty(), "{:?}", plan.changes());
}

#[test]
fn annotating_the_library_that_we_export_changes_nothing() {
    let tree = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cl/nmath");
    let plan = gristmill_cl_library::annotate_library(&tree, &[]).expect("a library");
    let changes = plan.changes();
    assert!(changes.is_empty(), "{} files, the first:\n{}", changes.len(), changes[0].diff());
}

/// Changes that annotating would make, as text.
fn changes(temp: &tempfile::TempDir) -> String {
    let plan = annotate_library(&temp.path().join("lib"), &[]).unwrap();
    plan.changes().iter().map(|c| c.diff()).collect()
}

#[test]
fn a_header_keeps_what_it_lists_for_those_who_use_it() {
    // Nothing in lib.cl shows that it needs names.cl; bd0.cl does, and reaches it through lib.cl.
    let temp = dir(&[
        ("names", "// @provides: names\n// @depends:\n#define bd0 My_bd0\ndouble bd0(double x);\n"),
        ("lib", "// @provides: LIB_ONE\n// @depends: names\n#define LIB_ONE 1.0\n"),
        ("bd0", "// @provides: bd0\n// @depends: lib\ndouble bd0(double x) { return x + LIB_ONE; }\n"),
        ("other", "// @provides: other\n// @depends: lib, bd0\ndouble other(double x) { return bd0(x); }\n"),
        // A header beside the library's own, which comes before it.
        ("dpq", "// @provides: D0\n// @depends:\n#define D0 (give_log ? 0.0 : LIB_ONE)\n"),
        ("d", "// @provides: d\n// @depends: lib, dpq\ndouble d(int give_log) { return D0; }\n"),
    ]);
    assert_eq!(changes(&temp), "");
}

#[test]
fn a_file_may_say_that_it_provides_itself() {
    let temp = dir(&[
        ("lib", "// @provides: lib\n// @depends:\n#define HALF 0.5\n"),
        ("forward", "// @provides: forward\n// @depends: lib\ndouble late(double x);\n"),
        (
            "early",
            "// @provides: early\n// @depends: lib, forward\ndouble early(double x) { return late(x) * HALF; }\n",
        ),
        ("late", "// @provides: late\n// @depends: lib\ndouble late(double x) { return x; }\n"),
    ]);
    let diff = changes(&temp);
    assert!(!diff.contains("\n-// @provides") && !diff.contains("\n+// @provides"), "{diff}");
}

#[test]
fn a_macro_with_the_number_of_arguments_of_the_call_is_the_one_that_is_meant() {
    let temp = dir(&[
        ("lib", "// @provides: STATE\n// @depends:\n#define STATE now\n"),
        (
            "draws",
            "// @provides: gm_draw, draw\n// @depends: lib\ndouble gm_draw(ulong seed, double mu) { return mu; }\n\
             #define draw(seed, mu) gm_draw(seed, mu)\n",
        ),
        (
            "draw_as_in_c",
            "// @annotate: by_hand\n// @provides: gm_draw_one\n// @depends: draws\n#undef draw\n\
             double gm_draw_one(ulong* now, double mu) { return gm_draw((*now)++, mu); }\n#define draw(mu) gm_draw_one(STATE, mu)\n",
        ),
    ]);
    write_tree(
        temp.path(),
        &[
            (
                "k/c.cl",
                "__kernel void c(__global double* x) { ulong s = 1; ulong* now = &s; x[0] = draw(max(1.0, 2.0)); }\n",
            ),
            ("k/own.cl", "__kernel void own(__global double* x) { x[0] = draw(7, max(1.0, 2.0)); }\n"),
        ],
    );
    let library = Library::from_dir(&temp.path().join("lib")).unwrap();
    for (kernel, depends) in [("k/c.cl", "draw_as_in_c"), ("k/own.cl", "draws")] {
        let found = annotate_kernels(&[temp.path().join(kernel)], &library, "lib", &[]).unwrap();
        assert!(found[0].depends.contains(&depends.to_owned()), "{kernel}: {:?}", found[0].depends);
        let other = if depends == "draws" { "draw_as_in_c" } else { "draws" };
        assert!(!found[0].depends.contains(&other.to_owned()), "{kernel}: {:?}", found[0].depends);
        found[0].change.as_ref().unwrap().apply().unwrap();
        let again = annotate_kernels(&[temp.path().join(kernel)], &library, "lib", &[]).unwrap();
        assert_eq!(again[0].change, None, "{kernel}");
    }
}
