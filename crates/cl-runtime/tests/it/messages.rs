use crate::{Trusted, device};
use gristmill_cl_runtime::{RuntimeError, Severity};

fn failure(text: &str) -> (gristmill_cl_runtime::BuildFailure, String) {
    let error = device().build(text, "").expect_err("it does not compile");
    let shown = error.to_string();
    let RuntimeError::Build(failure) = error else { panic!("another error: {shown}") };
    (*failure, shown)
}

#[test]
fn a_program_that_does_not_compile_shows_file_line_column_and_a_caret() {
    let (failure, shown) = failure(
        "#pragma OPENCL FP_CONTRACT OFF\n#line 7 \"shards/half.cl\"\ndouble half_of(double x) {\n\treturn 0.5 * y;\n}\n\
         #line 1 \"shards/use.cl\"\n__kernel void use(__global double* x) { x[0] = half_of(x[0]); }\n",
    );
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[0], format!("the program does not compile for {}", device().info().label()));
    assert_eq!(
        lines[1..],
        [
            "error: use of undeclared identifier 'y'",
            " --> shards/half.cl:8:15",
            "  |",
            "8 | \treturn 0.5 * y;",
            "  | \t             ^",
        ]
    );
    assert_eq!(failure.messages.len(), 1);
    assert!(!failure.log.is_empty(), "the log stays available");
}

#[test]
fn every_message_points_at_its_own_file() {
    let (failure, _) = failure(
        "#line 1 \"a.cl\"\nint first(int x) { return nothing; }\n#line 41 \"b.cl\"\n\nint second(int x) { return x +; }\n",
    );
    let places: Vec<_> = failure.messages.iter().map(|m| (m.file.as_str(), m.line, m.severity)).collect();
    assert_eq!(places, [("a.cl", 1, Severity::Error), ("b.cl", 42, Severity::Error)]);
    assert_eq!(failure.messages[1].source.as_deref(), Some("int second(int x) { return x +; }"));
}

#[test]
fn text_without_line_directives_is_called_the_program() {
    let (failure, shown) = failure("\n__kernel void f() { undefined(1); }\n");
    assert_eq!((failure.messages[0].file.as_str(), failure.messages[0].line), ("<program>", 2));
    assert!(!shown.contains("tempfile") && !shown.contains("/tmp"), "{shown}");
}

#[test]
fn a_kernel_that_calls_what_nobody_defines_is_an_error() {
    let error =
        device().build("double missing(double);\n__kernel void f(__global double* x) { x[0] = missing(x[0]); }", "");
    // PoCL finds it when it links the kernel; either way it must not run.
    if let Ok(program) = error {
        let mut x = [1.0];
        let result = program.kernel("f").and_then(|k| {
            k.run_trusted(&gristmill_cl_runtime::Launch::linear(1), &mut [gristmill_cl_runtime::Arg::in_out(&mut x)])
        });
        assert!(result.is_err(), "an undefined function was called");
    }
}

#[test]
fn warnings_of_a_program_that_compiles_are_kept() {
    let program =
        device().build("#line 3 \"w.cl\"\n#warning careful\n__kernel void f() {}\n", "").expect("it compiles");
    if let Some(first) = program.warnings().first() {
        assert_eq!((first.severity, first.file.as_str(), first.line), (Severity::Warning, "w.cl", 3));
    }
}
