//! The closed call graph and the other findings.

use crate::support::library;
use gristmill_cl_library::{
    Diagnostic, Layer, Library, ProgramPiece, ProgramSource, Severity, Shard, check_library, check_program,
};

fn program(pieces: &[(Layer, &str, &str)]) -> ProgramSource {
    ProgramSource::new(
        pieces
            .iter()
            .map(|(layer, path, text)| ProgramPiece { layer: *layer, path: (*path).into(), text: (*text).into() })
            .collect(),
    )
}

/// `code file:line:column message` of each finding.
fn found(diagnostics: &[Diagnostic]) -> Vec<String> {
    let line = |d: &Diagnostic| {
        let place = d.place.as_ref().map(|p| format!("{}:{}:{}", p.file, p.line, p.column)).unwrap_or_default();
        let sign = if d.severity == Severity::Error { "E" } else { "W" };
        format!("{sign} {} {place} {}", d.code, d.message)
    };
    diagnostics.iter().map(line).collect()
}

fn check(pieces: &[(Layer, &str, &str)]) -> Vec<String> {
    found(&check_program(&program(pieces), &[]))
}

fn check_kernel(text: &str) -> Vec<String> {
    check(&[(Layer::Kernel, "k.cl", text)])
}

#[test]
fn a_closed_program_has_no_findings() {
    let findings = check(&[
        (
            Layer::Configuration,
            "OPENCL.cl",
            "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#if defined(__OPENCL_C_VERSION__) && (__OPENCL_C_VERSION__ >= 120)\n\
             #define HAVE_LOG1P 1\n#endif\n#define INLINE static inline\n#define attribute_hidden\n",
        ),
        (
            Layer::Shim,
            "shim.cl",
            "#define error(...) /* nothing */\n#define R_FINITE(x) isfinite(x)\n#define MATHLIB_ERROR(fmt, x) { error(fmt, x); REprintf(fmt); }\n\
             typedef enum { FALSE = 0, TRUE } Rboolean;\ntypedef long R_xlen_t;\ntypedef double (*fn_t)(double);\n\
             struct pair { double a, b; };\nattribute_hidden double later(double);\n",
        ),
        (
            Layer::Library,
            "lib.cl",
            "#define dnorm dnorm4\n#define PASTE(a, b) a ## b\n#define DIST(x) PASTE(p, x)\n\
             static const double table[3] = { 1., 2., (double)(3) };\n__constant int n = 3;\n\
             INLINE double pnorm(double x) { return R_FINITE(x) ? later(x) : NAN; }\n\
             double dnorm(double x, int log_p) {\n#ifdef HOST\n  host_only(x);\n#endif\n  if (x > 0) return (x);\n\
               else return later (x) + DIST(norm)(x) + table[(int)(x)];\n}\n\
             double later(double x) { double inner(double); return sqrt(x) * convert_double_rte(3) * as_double(7L); }\n",
        ),
        (
            Layer::Kernel,
            "k.cl",
            "__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void k(__global double* x) {\n  int i = get_global_id(0);\n\
               x[i] = dnorm(vload4(0, x).s0, sizeof(double));\n  for (;;) { while (0) ; switch (i) { default: break; } }\n}\n",
        ),
    ]);
    assert_eq!(findings, Vec::<String>::new());
}

#[test]
fn an_undefined_function_is_named_with_file_line_caller_and_the_macro_it_came_through() {
    let findings = check(&[
        (
            Layer::Library,
            "lib/q.cl",
            "#define qt Rf_qt\ndouble qt(double);\ndouble twice(double x) { return 2 * qt(x); }\n",
        ),
        (Layer::Kernel, "k.cl", "__kernel void k(__global double* x) {\n  x[0] = twice(x[1]) + stirler(x[0]);\n}\n"),
    ]);
    assert_eq!(
        findings,
        [
            "E undefined-function k.cl:2:24 `k` calls `stirler`, which nothing defines",
            "E undefined-function lib/q.cl:3:37 `twice` calls `Rf_qt`, which is declared but never defined (through macro `qt`)",
        ]
    );
}

#[test]
fn what_no_kernel_reaches_may_stay_unlinked_but_not_undeclared() {
    let text = "double a(double);\ndouble unused(double x) { return a(x); }\ndouble unused2(double x) { return b(x); }\n\
                __kernel void k(__global double* x) { x[0] = 1; }\n";
    assert_eq!(
        check_kernel(text),
        [
            "E undefined-function k.cl:3:35 `unused2` calls `b`, which nothing defines",
            "W undefined-function k.cl:2:34 `unused` calls `a`, which is declared but never defined",
        ]
    );
}

#[test]
fn a_call_before_the_declaration_is_an_error_and_a_prototype_cures_it() {
    let bad = "int f(int x) { return g(x); }\nint g(int x) { return x; }\n";
    assert_eq!(check_kernel(bad), ["E used-before-declaration k.cl:1:23 `f` calls `g` before it is declared"]);
    assert!(check_kernel(&format!("int g(int);\n{bad}")).is_empty());
}

#[test]
fn duplicate_definitions_across_pieces_are_reported() {
    let findings = check(&[
        (Layer::Library, "a.cl", "int f(int x) { return x; }\n__constant double t[] = { 1.0 };\n#define M 1\n"),
        (
            Layer::Library,
            "b.cl",
            "static int f(int x) { return 2; }\n__constant double t[] = { 2.0 };\n#define M 2\n#define M 2\n",
        ),
        (
            Layer::Library,
            "c.cl",
            "int __attribute__((overloadable)) o(int x) { return x; }\nint __attribute__((overloadable)) o(float x) { return 1; }\n",
        ),
    ]);
    assert_eq!(
        findings,
        [
            "E duplicate-definition b.cl:1:12 function `f` is defined more than once",
            "E duplicate-definition b.cl:2:19 variable `t` is defined more than once",
            "W macro-redefined b.cl:3:1 macro `M` gets another meaning",
        ]
    );
}

#[test]
fn recursion_is_an_error() {
    let text =
        "int g(int);\nint f(int x) { return g(x); }\nint g(int x) { return f(x); }\nint h(int x) { return h(x); }\n";
    assert_eq!(
        check_kernel(text),
        [
            "E recursion k.cl:2:5 recursion, which OpenCL C forbids: f -> g -> f",
            "E recursion k.cl:4:5 recursion, which OpenCL C forbids: h -> h",
        ]
    );
}

#[test]
fn a_conditional_that_its_file_leaves_open_is_an_error() {
    let findings = check(&[
        (Layer::Library, "a.cl", "#ifdef X\n"),
        (Layer::Kernel, "k.cl", "int f(int x) { return g(x); }\n#endif\n"),
    ]);
    assert_eq!(
        findings,
        [
            "E unterminated-conditional a.cl:1:1 `#if` has no `#endif` in its file",
            "E undefined-function k.cl:1:23 `f` calls `g`, which nothing defines",
            "E unmatched-directive k.cl:2:1 `#endif` without its `#if`",
        ]
    );
}

#[test]
fn build_options_decide_conditionals() {
    let program = program(&[(Layer::Kernel, "k.cl", "#if MODE == 2\nint f(int x) { return missing(x); }\n#endif\n")]);
    assert!(check_program(&program, &[]).is_empty());
    assert_eq!(check_program(&program, &[("MODE".into(), "2".into())]).len(), 1);
}

#[test]
fn a_library_is_checked_for_annotations_that_do_not_hold() {
    let shard = |stem: &str, text: &str| Shard::new(stem, text);
    let library = Library::new(
        "l",
        vec![
            shard("a", "// @provides: a, ghost\n// @depends: b\n// @all_depends: b\n// @all_depends_count: 1\nint a(int x) { return b(x) + c(x); }\n"),
            shard("b", "// @provides: b\n// @depends: c\nint b(int x) { return c(x); }\n"),
            shard("c", "// @provides: c\nint c(int x) { return d(x); }\n"),
            shard("d", "// @provides: d\nint d(int x) { return x; }\n"),
        ],
    )
    .unwrap();
    assert_eq!(
        found(&check_library(&library, &[])),
        [
            "W provides-nothing a.cl:1:18 `a` says it provides `ghost`, which does not occur in it",
            "W stale-annotation a.cl:3:4 `@all_depends` of `a` is not what its `@depends` lead to",
            "W stale-annotation a.cl:4:4 `@all_depends_count` of `a` is `1`, but it needs 2 files",
            "W undeclared-dependency c.cl:2:23 `c` calls `d` of `d`, but its `@depends` do not lead there",
            "W used-before-declaration c.cl:2:23 `c` calls `d` before it is declared",
        ]
    );
}

#[test]
fn a_name_that_a_macro_of_the_library_pastes_together_is_provided() {
    let library = Library::new(
        "l",
        vec![
            Shard::new("l", "// @provides: DIST\n#define DIST(d, x) double d ## norm(double x)\n"),
            Shard::new("d", "// @provides: dnorm, pnorm\n// @depends: l\nDIST(d, x) { return x; }\n"),
            Shard::new("p", "// @provides: pnorm\n// @depends: l\nDIST(p, x) { return x; }\n"),
        ],
    )
    .unwrap();
    assert_eq!(
        found(&check_library(&library, &[])),
        ["W provides-nothing d.cl:1:22 `d` says it provides `pnorm`, which does not occur in it"],
        "`pnorm` is made in another file"
    );
}

#[test]
fn an_annotation_in_a_block_comment_is_said_to_be_unread() {
    let unread = |text: &str| found(&check_library(&Library::new("l", vec![Shard::new("a", text)]).unwrap(), &[]));
    assert_eq!(
        unread("#ifndef A\n#define A\n/* what it is\n * @provides: a\n */\nint a(int x) { return x; }\n#endif\n"),
        ["W annotation-unread a.cl:4:1 `@provides` of `a` stands in a block comment, where nobody reads it"]
    );
    // Not ours, said again in a line, or behind the first line of code.
    assert!(unread("/* @param x a number */\nint a(int x) { return x; }\n").is_empty());
    assert!(unread("/* @provides: a */\n// @provides: a\nint a(int x) { return x; }\n").is_empty());
    assert!(unread("int a(int x) { return x; }\n/* @depends: b */\n").is_empty());
}

#[test]
fn missing_names_and_cycles_are_findings_of_a_library() {
    let findings = found(&check_library(&library(&[("a", "b, bb"), ("b", "a")]), &[]));
    assert_eq!(
        findings[..2],
        [
            "E dependency-cycle a.cl:2:14 dependency cycle: a -> b -> a".to_owned(),
            "E missing-dependency a.cl:2:17 `a` depends on `bb`, which no file provides".to_owned(),
        ]
    );
}

#[test]
fn what_every_compiler_refuses_of_calls_and_variables_is_found() {
    let text = "extern double rate;\nextern __constant double fine;\nint none(void) { return 0; }\nint two(int a, int b);\n\
                double sum(__local double* p, int n) { return p[n] + none(1) + two((1, 2), 3) + two(1); }\n\
                double one(__global const double* p) { return *p; }\n\
                int two(int a, int b) { return a + b; }\n\
                __kernel void k(__global double* x, __local double* t) { x[0] = sum(x + 1, 3) + one(&x[1]) + sum(t, 1) + one(t); }\n";
    assert_eq!(
        check_kernel(text),
        [
            "E extern-variable k.cl:1:15 `extern` variable `rate` is not in constant memory",
            "E argument-count k.cl:5:54 `sum` calls `none` with 1 argument, but it takes 0",
            "E argument-count k.cl:5:81 `sum` calls `two` with 1 argument, but it takes 2",
            "E address-space k.cl:8:65 `k` passes a `__global` pointer to `sum`, where `p` is a `__local` pointer",
            "E address-space k.cl:8:106 `k` passes a `__local` pointer to `one`, where `p` is a `__global` pointer",
        ]
    );
}

#[test]
fn strict_asks_for_provides_the_header_and_true_includes() {
    let shard = |stem: &str, text: &str| Shard::new(stem, text);
    let library = Library::new(
        "lib",
        vec![
            shard("lib", "// @provides: L\n#define L 1\n"),
            shard("a", "// @depends: lib\n// @includes: lib, b\n// #include \"lib.h\"\n// #include <c.h>\nint a(int x) { return x; }\n"),
            shard("d", "// @provides: d\n// @source_type: h\nint d;\n"),
            shard("e", "// @provides: e\nint e(int x) { return x; }\n"),
        ],
    )
    .unwrap();
    assert_eq!(
        found(&gristmill_cl_library::strict_findings(&library)),
        [
            "W no-provides a.cl:1:1 `a` does not say what it provides",
            "W includes-differ a.cl:2:4 `@includes` of `a` is not what it includes",
            "W header-not-listed e.cl:1:1 `e` does not list the library's header `lib`",
        ]
    );
}
