//! The C side: tests/c/program.c is compiled against the generated header, and trades kernels with Rust.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

fn crate_dir() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The profile's folder: this test's own program lies in its `deps`.
fn profile_dir() -> PathBuf {
    let program = std::env::current_exe().expect("the test knows its own program");
    program.ancestors().nth(2).expect("target/PROFILE/deps/PROGRAM").to_owned()
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("could not start {command:?}: {error}"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} failed ({}):\n{text}", output.status);
    text
}

/// The folders of the library and of the examples. A whole `cargo test` has built both; when only this test was asked
/// for, they may be missing or old, and are built now.
fn libraries() -> &'static (PathBuf, PathBuf) {
    static LIBRARIES: OnceLock<(PathBuf, PathBuf)> = OnceLock::new();
    LIBRARIES.get_or_init(|| {
        let profile = profile_dir();
        let (libs, examples) = (profile.join("deps"), profile.join("examples"));
        let changed = |path: &Path| path.metadata().and_then(|m| m.modified()).ok();
        let sources = std::fs::read_dir(crate_dir().join("src")).expect("the crate has sources");
        let source = sources.filter_map(|entry| changed(&entry.expect("sources can be listed").path())).max();
        let peer_source = changed(&crate_dir().join("tests/c/peer.rs")).max(source);
        if changed(&libs.join("libgristmill_ckernel.a")) > source
            && changed(&libs.join("libgristmill_ckernel.so")) > source
            && changed(&examples.join(PEER)) > peer_source
        {
            return (libs, examples);
        }
        let target = profile.join("c-program");
        run(Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--package", "gristmill-ckernel", "--lib", "--example=c_peer"])
            .arg("--target-dir")
            .arg(&target)
            .current_dir(crate_dir()));
        (target.join("debug/deps"), target.join("debug/examples"))
    })
}

const PEER: &str = "libc_peer.a";

/// What the Rust standard library needs of the system.
const SYSTEM: [&str; 4] = ["-lpthread", "-ldl", "-lm", "-lrt"];

/// Compiles and links the C program; `library` is what it links, in cc's words.
fn compile(name: &str, compiler: &str, language: &[&str], library: &[String]) -> PathBuf {
    let program = libraries().1.join(format!("ckernel-program-{name}"));
    run(Command::new(compiler)
        .args(language)
        .args(["-Wall", "-Wextra", "-Werror", "-g", "-I"])
        .arg(crate_dir().join("include"))
        .arg(crate_dir().join("tests/c/program.c"))
        .args(["-x", "none", "-o"])
        .arg(&program)
        .args(library)
        .args(SYSTEM));
    program
}

fn peer() -> Vec<String> {
    vec![libraries().1.join(PEER).display().to_string()]
}

fn works(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

#[test]
fn c_and_rust_run_each_others_kernels() {
    let program = compile("c99", "cc", &["-std=c99"], &peer());
    assert!(run(&mut Command::new(program)).contains("all checks hold"));
}

#[test]
fn the_static_library_serves_c_alone() {
    let library = libraries().0.join("libgristmill_ckernel.a").display().to_string();
    let program = compile("static", "cc", &["-std=c11", "-DWITHOUT_PEER"], &[library]);
    assert!(run(&mut Command::new(program)).contains("all checks hold"));
}

#[test]
fn the_dynamic_library_serves_c_alone() {
    let folder = libraries().0.display().to_string();
    let library = [format!("-L{folder}"), "-lgristmill_ckernel".to_owned(), format!("-Wl,-rpath,{folder}")];
    let program = compile("dynamic", "cc", &["-std=c11", "-DWITHOUT_PEER"], &library);
    assert!(run(&mut Command::new(program)).contains("all checks hold"));
}

#[test]
fn the_header_is_also_cpp() {
    if !works("c++") {
        eprintln!("skipped: there is no C++ compiler");
        return;
    }
    let language = ["-x", "c++", "-std=c++17", "-Wno-missing-field-initializers"];
    let program = compile("cpp", "c++", &language, &peer());
    assert!(run(&mut Command::new(program)).contains("all checks hold"));
}

#[test]
fn the_c_examples_of_the_documentation_compile_and_run() {
    let page = std::fs::read_to_string(crate_dir().join("../../docs/ckernel-abi.md")).expect("the page is there");
    let mut source = "#include <stdio.h>\n".to_owned();
    for example in page.split("```c\n").skip(1) {
        source += example.split("```").next().unwrap_or_default();
    }
    source += r#"
        int main(void) {
            int32_t dst[3], values[3] = {12, -5, 3};
            run(&times_13, dst, values, 3);
            printf("%d %d %d\n", dst[0], dst[1], dst[2]);
            return 0;
        }"#;
    let program = libraries().1.join("ckernel-documentation");
    let file = program.with_extension("c");
    std::fs::write(&file, source).expect("the examples can be written");
    run(Command::new("cc")
        .args(["-std=c11", "-Wall", "-Werror", "-I"])
        .arg(crate_dir().join("include"))
        .arg(&file)
        .arg("-o")
        .arg(&program)
        .arg(libraries().0.join("libgristmill_ckernel.a"))
        .args(SYSTEM));
    assert_eq!(run(&mut Command::new(program)), "156 -65 39\n");
}

#[test]
fn valgrind_finds_nothing_in_the_c_program() {
    if !works("valgrind") {
        eprintln!("skipped: there is no valgrind");
        return;
    }
    let program = compile("valgrind", "cc", &["-std=c11"], &peer());
    let output = run(Command::new("valgrind")
        .args(["--quiet", "--error-exitcode=9", "--leak-check=full", "--errors-for-leak-kinds=definite,indirect"])
        .arg(program));
    assert!(output.contains("all checks hold"), "{output}");
}
