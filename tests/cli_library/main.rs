//! `gristmill lib …` and `gristmill program …` as users see them: exit code, stdout and stderr as a whole.

mod browser;

use std::path::{Path, PathBuf};
use std::process::Command;

/// A copy of the test tree to work in.
pub(crate) struct Tree(tempfile::TempDir);

impl Tree {
    pub(crate) fn new() -> Self {
        let temp = tempfile::tempdir().expect("temporary directory");
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli_library/tree"), &temp.path().join("demo"));
        Self(temp)
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.0.path().join("demo").join(relative)
    }

    fn write(&self, relative: &str, text: &str) {
        std::fs::write(self.path(relative), text).expect("file");
    }

    fn replace(&self, relative: &str, from: &str, to: &str) {
        let text = std::fs::read_to_string(self.path(relative)).expect("file");
        assert!(text.contains(from), "{relative} does not contain {from:?}");
        self.write(relative, &text.replace(from, to));
    }

    /// Runs the command in the tree; the result is what a terminal would have shown.
    pub(crate) fn run(&self, arguments: &str) -> String {
        let output = Command::new(env!("CARGO_BIN_EXE_gristmill"))
            .args(arguments.split_whitespace())
            .current_dir(self.path(""))
            .env_remove("GRISTMILL_PATH")
            .env("SOURCE_DATE_EPOCH", "1000000000")
            .output()
            .expect("the command");
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let code = output.status.code().expect("an exit code");
        format!("$ gristmill {arguments}\nexit {code}\n----- stdout\n{out}----- stderr\n{err}")
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("directory");
    for entry in std::fs::read_dir(from).expect("the tree").flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("file");
        }
    }
}

fn snapshot(name: &str, text: &str) {
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false, description => "" }, {
        insta::assert_snapshot!(name, text);
    });
}

#[test]
fn help() {
    let tree = Tree::new();
    let mut all = String::new();
    for command in
        "lib|lib check|lib order|lib load|lib source|lib for-kernel|lib index|lib subset|lib stage|lib manifest write|lib annotate|lib graph|program|new"
            .split('|')
    {
        all += &tree.run(&format!("{command} --help"));
    }
    snapshot("help", &all);
}

#[test]
fn check() {
    let tree = Tree::new();
    snapshot("check_fine", &tree.run("lib check cl/nmath"));
    tree.replace("cl/nmath/tail.cl", "nmath, bump", "nmath, bmup");
    tree.replace("cl/nmath/halve.cl", "0.5 * x", "half_of(x)");
    snapshot("check_missing", &tree.run("lib check cl/nmath"));
    tree.replace("cl/nmath/tail.cl", "bmup", "extra");
    tree.write("cl/nmath/kernel_dependency_index.tsv", "stem\tall_depends\nnmath\t\ngone\tnmath\n");
    snapshot("check_calls", &tree.run("lib check cl/nmath"));
    snapshot("check_calls_json", &tree.run("lib check cl/nmath --format json"));
    snapshot("check_no_such_directory", &tree.run("lib check cl/nmaths"));
    snapshot("built_in_names", &(tree.run("lib check nmath") + &tree.run("program dnorm")));
}

#[test]
fn order_and_load() {
    let tree = Tree::new();
    snapshot("order", &tree.run("lib order cl/nmath --verbose"));
    snapshot("order_json", &tree.run("lib order cl/nmath --format json"));
    snapshot("load", &tree.run("lib load cl/shims"));
    tree.replace("cl/nmath/halve.cl", "@depends: nmath", "@depends: nmath, tail");
    snapshot("order_cycle", &tree.run("lib order cl/nmath --verbose"));
    snapshot("order_cycle_json", &tree.run("lib order cl/nmath --format json"));
}

#[test]
fn index_and_subset() {
    let tree = Tree::new();
    let mut story = String::new();
    story += &tree.run("lib index cl/nmath --check");
    story += &tree.run("lib index cl/nmath");
    story += &tree.run("lib index cl/nmath --check");
    story += &tree.run("lib subset cl/src/tail_kernel.cl --library cl/nmath --dest subset");
    tree.write("subset/halve.cl", "mine");
    story += &tree.run("lib subset cl/src/tail_kernel.cl --library cl/nmath --dest subset");
    story += &tree.run("lib subset cl/src/tail_kernel.cl --library cl/nmath --dest subset --overwrite --tag @all_depends_nmath --format json");
    tree.replace("cl/nmath/tail.cl", "nmath, bump", "nmath, bump, extra");
    story += &tree.run("lib index cl/nmath --check");
    story += &tree.run("lib index cl/nmath --check --format json");
    story += &tree.run("lib subset cl/src/tail_kernel.cl --library cl/nmath --dest other");
    tree.replace("cl/src/tail_kernel.cl", "@depends_nmath: tail", "@depends_nmath: tial");
    story += &tree.run("lib index cl/nmath");
    story += &tree.run("lib subset cl/src/tail_kernel.cl --library cl/nmath --dest other");
    assert!(!tree.path("other").exists(), "a refused subset leaves nothing");
    snapshot("index_and_subset", &story);
}

#[test]
fn annotate() {
    let tree = Tree::new();
    tree.replace("cl/nmath/tail.cl", "// @depends: nmath, bump\n", "");
    tree.write(
        "cl/nmath/halve.cl",
        "INLINE real halve(real x) { return 0.5 * x; }\nreal quarter(real x) { return tail(x); }\n",
    );
    let mut story = tree.run("lib annotate cl/nmath --dry-run");
    story += &tree.run("lib annotate cl/nmath --break-cycles --dry-run --format json");
    story += &tree.run("lib annotate cl/nmath --break-cycles");
    story += &tree.run("lib check cl/nmath");
    story += &tree.run("lib annotate cl/nmath");
    tree.replace("cl/src/tail_kernel.cl", "tail(x[i])", "quarter(x[i])");
    story += &tree.run("lib annotate cl/nmath --kernels cl/src/tail_kernel.cl --dry-run");
    snapshot("annotate", &story);
}

#[test]
fn program() {
    let tree = Tree::new();
    let mut story = tree.run("program cl/src/tail_kernel.cl --library cl/nmath");
    story += &tree.run("program src/tail_kernel.cl --package . --library nmath --format json");
    story += &tree.run("program cl/src/tail_kernel.cl --library cl/nmath -o program.cl");
    let written = std::fs::read_to_string(tree.path("program.cl")).expect("the program");
    assert!(story.contains(&written), "the file and stdout have the same text");
    tree.replace("cl/src/tail_kernel.cl", "tail(x[i])", "tali(x[i])");
    story += &tree.run("program cl/src/tail_kernel.cl --library cl/nmath -o other.cl");
    assert!(!tree.path("other.cl").exists(), "a program that cannot be built is not written");
    story += &tree.run("program ../outside.cl --package . --library nmath");
    story += &tree.run("program src/tail_kernel.cl --package nowhere --library nmath");
    snapshot("program", &story);
}

#[test]
fn graph() {
    let tree = Tree::new();
    snapshot("graph_dot", &tree.run("lib graph cl/nmath --kernel cl/src/tail_kernel.cl"));
    snapshot("graph_json", &tree.run("lib graph cl/nmath --kernel cl/src/tail_kernel.cl --format json"));
    let svg = tree.run("lib graph cl/nmath --format svg");
    assert!(svg.contains("<svg xmlns=") && svg.contains(">tail</text>"), "{svg}");
    let dot = tree.run("lib graph cl/nmath");
    let silent = tree.run("lib graph cl/nmath -o graph.dot");
    assert!(silent.ends_with("exit 0\n----- stdout\n----- stderr\n"), "{silent}");
    let written = std::fs::read_to_string(tree.path("graph.dot")).expect("the drawing");
    assert!(dot.contains(&written) && !written.is_empty(), "the file and stdout have the same text");
}

#[test]
fn the_search_path_finds_packages_by_name() {
    let tree = Tree::new();
    let parent = tree.path("cl").parent().expect("a parent").to_path_buf();
    let output = Command::new(env!("CARGO_BIN_EXE_gristmill"))
        .args(["program", "src/tail_kernel.cl", "--library", "nmath", "--package"])
        .arg(parent.file_name().expect("a name"))
        .env("GRISTMILL_PATH", parent.parent().expect("a parent"))
        .current_dir(std::env::temp_dir().join("."))
        .output()
        .expect("the command");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The exit code of a story's last command.
fn code(shown: &str) -> &str {
    shown.lines().nth(1).expect("a line")
}

#[test]
fn a_new_package_is_right_at_once() {
    let tree = Tree::new();
    assert_eq!(code(&tree.run("new vectors")), "exit 0");
    for command in [
        "lib check vectors --package vectors --strict",
        "lib index vectors --package vectors --check",
        "lib manifest check vectors",
        "program src/vectors_kernel.cl --package vectors --library vectors",
        "lib for-kernel vectors::src/vectors_kernel.cl --library vectors::vectors",
        "lib source OPENCL.cl --package vectors",
        "lib load vectors::vectors -v",
    ] {
        let shown = tree.run(command);
        assert_eq!(code(&shown), "exit 0", "{shown}");
    }
    let annotated = tree.run("lib annotate vectors --package vectors");
    assert!(annotated.contains("nothing to change"), "{annotated}");
    let kernels = tree.run("lib annotate vectors --package vectors --kernels src/vectors_kernel.cl");
    assert!(kernels.contains("nothing to change"), "{kernels}");
    assert_eq!(code(&tree.run("new vectors")), "exit 2", "what is there is not replaced");
    assert_eq!(code(&tree.run("new two-words")), "exit 2");
}

#[test]
fn a_kernel_may_use_libraries_of_two_packages() {
    let tree = Tree::new();
    tree.run("new vectors");
    tree.write(
        "k.cl",
        "// @depends_nmath: dist_normal\n// @depends_vectors: norm\n\
         __kernel void k(__global double* x) { x[0] = pnorm(vectors_norm(x[0], 1.0), 0.0, 1.0, 1, 0); }\n",
    );
    let shown = tree.run("program k.cl --library nmath::nmath --library vectors::vectors");
    assert_eq!(code(&shown), "exit 0", "{shown}");
    assert!(shown.contains("double vectors_norm(") && shown.contains("double pnorm("), "{shown}");
}

/// The way that docs/cl-library.md leads, up to the device.
#[test]
fn a_kernel_is_annotated_for_each_of_its_libraries() {
    let tree = Tree::new();
    tree.run("new vectors");
    tree.write(
        "k.cl",
        "__kernel void k(__global double* x) { x[0] = pnorm(vectors_norm(x[0], 1.0), 0.0, 1.0, 1, 0); }\n",
    );
    for library in ["nmath::nmath", "vectors::vectors"] {
        let shown = tree.run(&format!("lib annotate {library} --kernels k.cl"));
        assert_eq!(code(&shown), "exit 0", "{shown}");
    }
    let text = std::fs::read_to_string(tree.path("k.cl")).expect("file");
    for tag in [
        "@library_deps: nmath, vectors\n",
        "@depends_nmath: ",
        "@depends_vectors: norm\n",
        "@calls_vectors: vectors_norm\n",
    ] {
        assert!(text.contains(tag), "{tag}: {text}");
    }
    let shown = tree.run("program k.cl --library nmath::nmath --library vectors::vectors");
    assert_eq!(code(&shown), "exit 0", "{shown}");
    for library in ["nmath::nmath", "vectors::vectors"] {
        let shown = tree.run(&format!("lib annotate {library} --kernels k.cl"));
        assert!(shown.contains("nothing to change"), "{shown}");
    }
}

#[cfg(unix)]
#[test]
fn packages_are_confined_and_pipes_are_not_waited_for() {
    let tree = Tree::new();
    std::fs::create_dir(tree.path("outside")).expect("folder");
    tree.write("outside/secret.cl", "int secret;\n");
    std::os::unix::fs::symlink(tree.path("outside/secret.cl"), tree.path("cl/nmath/secret.cl")).expect("link");
    for command in ["check", "order", "load", "index", "annotate", "graph"] {
        let shown = tree.run(&format!("lib {command} cl/nmath"));
        assert_eq!(code(&shown), "exit 2", "{shown}");
        assert!(shown.contains("leaves the tree of package `demo`"), "{shown}");
    }
    assert_eq!(std::fs::read_to_string(tree.path("outside/secret.cl")).expect("file"), "int secret;\n");
    std::fs::remove_file(tree.path("cl/nmath/secret.cl")).expect("link");
    let kernel = tree.path("cl/src/tail_kernel.cl").display().to_string();
    for command in [
        "program src/tail_kernel.cl --package . --library ../..".to_owned(),
        format!("program {kernel} --package . --library nmath"),
        "lib load .::../outside".to_owned(),
    ] {
        let shown = tree.run(&command);
        assert_eq!(code(&shown), "exit 2", "{shown}");
        assert!(shown.contains("leaves the tree"), "{shown}");
    }
    // What is written, too: by a path beside --package, and through links of a tree.
    std::os::unix::fs::symlink("../outside", tree.path("cl/out")).expect("link");
    tree.write("outside/k.cl", "__kernel void k(__global double* x) { x[0] = tail(x[0]); }\n");
    let absolute = tree.path("outside/k.cl").display().to_string();
    assert_eq!(code(&tree.run("lib index cl/nmath")), "exit 0");
    for command in [
        format!("lib annotate nmath --package . --kernels {absolute}"),
        "lib annotate nmath --package . --kernels ../outside/k.cl".to_owned(),
        "lib annotate nmath --package . --kernels out/k.cl".to_owned(),
        "lib annotate cl/nmath --kernels cl/out/k.cl".to_owned(),
        "lib subset src/tail_kernel.cl --package . --library nmath --dest cl/out --overwrite".to_owned(),
        "lib subset src/tail_kernel.cl --package . --library nmath --dest cl/out/new".to_owned(),
        "lib stage nmath --package . --dest cl/out/new".to_owned(),
        "new cl/out/new".to_owned(),
    ] {
        let shown = tree.run(&command);
        assert_eq!(code(&shown), "exit 2", "{shown}");
        assert!(shown.contains("leaves the tree"), "{shown}");
    }
    let mut left: Vec<_> =
        std::fs::read_dir(tree.path("outside")).expect("folder").flatten().map(|e| e.file_name()).collect();
    left.sort();
    assert_eq!(left, ["k.cl", "secret.cl"], "nothing was made");
    assert!(!std::fs::read_to_string(tree.path("outside/k.cl")).expect("file").contains('@'), "nothing was annotated");
    std::fs::remove_file(tree.path("cl/out")).expect("link");
    // A link to a file of the same tree may be read, but is not written through.
    tree.replace("cl/nmath/tail.cl", "// @depends: nmath, bump\n", "");
    std::fs::rename(tree.path("cl/nmath/tail.cl"), tree.path("cl/tail.cl")).expect("move");
    std::os::unix::fs::symlink("../tail.cl", tree.path("cl/nmath/tail.cl")).expect("link");
    let before = std::fs::read_to_string(tree.path("cl/tail.cl")).expect("file");
    assert_eq!(code(&tree.run("lib annotate cl/nmath")), "exit 2");
    assert_eq!(std::fs::read_to_string(tree.path("cl/tail.cl")).expect("file"), before);
    std::fs::remove_file(tree.path("cl/nmath/tail.cl")).expect("link");
    let made = Command::new("mkfifo").arg(tree.path("cl/nmath/pipe.cl")).status().expect("mkfifo");
    assert!(made.success());
    let shown = tree.run("lib check cl/nmath");
    assert_eq!(code(&shown), "exit 2", "{shown}");
    assert!(shown.contains("it is a pipe, but must be a regular file"), "{shown}");
}

#[test]
fn stage_and_plan_write_what_they_say() {
    let tree = Tree::new();
    let mut story = tree.run("lib stage cl/nmath --dest staged");
    tree.replace("cl/nmath/halve.cl", "@depends: nmath", "@depends: nmath, tail");
    tree.replace("cl/nmath/extra.cl", "@depends: nmath", "@depends: nmath, gone");
    story += &tree.run("lib stage cl/nmath --dest staged");
    story += &tree.run("lib stage nmath --package . --dest staged --overwrite");
    let text = |name: &str| std::fs::read_to_string(tree.path(name)).expect("a report");
    story += &format!(
        "----- sorted.csv\n{}----- unresolved.csv\n{}",
        text("staged/sorted.csv"),
        text("staged/unresolved.csv")
    );
    assert!(tree.path("staged/unresolved/tail.cl").exists() && !tree.path("staged/sorted/tail.cl").exists());
    story += &tree.run("lib stage cl/nmath --dest staged --overwrite --format json");
    tree.write("staged/mine.txt", "mine");
    story += &tree.run("lib stage cl/nmath --dest staged --overwrite");
    story += &tree.run("lib stage cl/nmath --dest no/such/staged");
    snapshot("stage", &story);

    let tree = Tree::new();
    tree.run("lib index cl/nmath");
    let planned = tree.run("lib subset src/tail_kernel.cl --package . --library nmath --dest subset --plan");
    assert!(!tree.path("subset").exists(), "a plan writes nothing");
    let done = tree.run("lib subset src/tail_kernel.cl --package . --library nmath --dest subset");
    let rows = |shown: &str| shown.split_once("----- stdout\n").map(|(_, rows)| rows.to_owned());
    assert_eq!(rows(&planned), rows(&done), "what is planned is what is done");
    tree.write("subset/halve.cl", "mine");
    let planned =
        tree.run("lib subset src/tail_kernel.cl --package . --library nmath --dest subset --plan --overwrite");
    assert!(planned.contains("cl/nmath/halve.cl\tsubset/halve.cl\ttrue"), "{planned}");
    assert_eq!(std::fs::read_to_string(tree.path("subset/halve.cl")).expect("file"), "mine");
    let shown = tree.run("lib subset src/tail_kernel.cl --package . --library nmath --dest no/such/subset");
    assert!(shown.contains("cannot be made: there is no folder no/such"), "{shown}");
}

#[test]
fn run_and_program_leave_out_single_rules() {
    let tree = Tree::new();
    for command in ["program src/tail_kernel.cl", "run src/tail_kernel.cl --global 1"] {
        let shown = tree.run(&format!("{command} --no-check=argument-cuont"));
        assert!(shown.contains("there is no rule `argument-cuont`; did you mean `argument-count`?"), "{shown}");
    }
    tree.write(
        "one.cl",
        "double two(double x, double y);\n__kernel void k(__global double* x) { x[0] = two(x[0]); }\n",
    );
    let codes = |rules: &str| tree.run(&format!("program one.cl {rules}"));
    assert!(codes("").contains("error[argument-count]") && codes("").contains("error[undefined-function]"));
    assert!(!codes("--no-check=argument-count").contains("error[argument-count]"));
    assert_eq!(code(&codes("--no-check=argument-count,undefined-function")), "exit 0");
}

#[test]
fn manifests_and_layers() {
    let tree = Tree::new();
    let mut story = tree.run("lib manifest show .");
    story += &tree.run("lib manifest check .");
    story += &tree.run("lib manifest write . --layer nmath --layer shims");
    story += &tree.run("lib manifest show . --format json");
    story += &tree.run("lib manifest check . --format json");
    tree.write("cl/program_preload_manifest.tsv", "rank\tkind\trel_path\n1\tlibrary\tshims\n");
    story += &tree.run("lib manifest check .");
    // Without layers, what a hand wrote into the .tsv stays, and the .rds follows.
    let written = tree.run("lib manifest write .");
    assert!(written.contains("with 1 line\n"), "{written}");
    assert_eq!(code(&tree.run("lib manifest check .")), "exit 0");
    assert!(tree.run("lib manifest show .").contains("library  shims"));
    std::fs::remove_file(tree.path("cl/program_preload_manifest.rds")).expect("file");
    tree.write("cl/program_preload_manifest.tsv", "rank\tkind\trel_path\n1\tfile\tOPENCI.cl\n");
    story += &tree.run("lib manifest check .");
    tree.write("cl/program_preload_manifest.tsv", "");
    story += &tree.run("program src/tail_kernel.cl --package . --library nmath");
    std::fs::remove_file(tree.path("cl/program_preload_manifest.tsv")).expect("file");
    story += &tree.run("lib manifest show .");
    snapshot("manifest", &story);

    // Without a manifest the configuration comes first, and then what --layer names.
    let bare = tree.run("program src/tail_kernel.cl --package . --library nmath");
    assert_eq!(code(&bare), "exit 1", "the shims are missing: {bare}");
    let layered = tree.run("program src/tail_kernel.cl --package . --library nmath --layer shims");
    assert_eq!(code(&layered), "exit 0", "{layered}");
    let at = |what: &str| layered.find(what).unwrap_or_else(|| panic!("no {what} in {layered}"));
    assert!(at("cl/OPENCL.cl") < at("cl/shims/types.cl") && at("cl/shims/errors.cl") < at("cl/nmath/nmath.cl"));
    assert_eq!(code(&tree.run("lib check nmath --package . --layer shims")), "exit 0");
    let shown = tree.run("program src/tail_kernel.cl --package . --library nmath --layer shism");
    assert_eq!(code(&shown), "exit 2", "{shown}");
    let shown = tree.run("program src/tail_kernel.cl --package . --library nmath --layer ../outside.cl");
    assert!(shown.contains("leaves the tree"), "{shown}");
}

#[test]
fn single_rules_of_the_check_can_be_left_out() {
    let tree = Tree::new();
    tree.replace("cl/src/tail_kernel.cl", "tail(x[i])", "tail(x[i], 1) + tali(x[i])");
    let program = |rules: &str| tree.run(&format!("program cl/src/tail_kernel.cl --library cl/nmath{rules}"));
    let both = program("");
    assert!(both.contains("error[argument-count]") && both.contains("error[undefined-function]"), "{both}");
    let one = program(" --no-check=argument-count");
    assert!(!one.contains("error[argument-count]") && one.contains("error[undefined-function]"), "{one}");
    assert_eq!(code(&one), "exit 1");
    for rules in [" --no-check=argument-count,undefined-function", " --no-check"] {
        let shown = program(rules);
        assert_eq!(code(&shown), "exit 0", "{shown}");
    }
    let shown = program(" --no-check=undefined-functoin");
    assert_eq!(code(&shown), "exit 2", "{shown}");
    assert!(shown.contains("there is no rule `undefined-functoin`; did you mean `undefined-function`?"), "{shown}");
}

#[test]
fn a_name_that_the_library_does_not_have_is_shown_where_it_stands() {
    let tree = Tree::new();
    tree.replace("cl/src/tail_kernel.cl", "@depends_nmath: tail", "@depends_nmath: nmath, tial");
    let mut story = tree.run("program cl/src/tail_kernel.cl --library cl/nmath");
    tree.run("lib index cl/nmath");
    story += &tree.run("program cl/src/tail_kernel.cl --library cl/nmath --format json");
    story += &tree.run("lib for-kernel cl/src/tail_kernel.cl --library cl/nmath");
    tree.write("k.cl", "// @depends_nmath: dist_normal, dnrom\n__kernel void k(__global double* x) { x[0] = 1.0; }\n");
    story += &tree.run("program k.cl --library nmath::nmath");
    snapshot("bad_depends", &story);
}

#[cfg(target_os = "linux")]
#[test]
fn devices_without_opencl_are_an_empty_list_and_the_reason() {
    let tree = Tree::new();
    let output = Command::new(env!("CARGO_BIN_EXE_gristmill"))
        .args(["devices", "--format", "json"])
        .env("OCL_ICD_VENDORS", tree.path("no drivers"))
        .env_remove("GRISTMILL_DEVICE")
        .output()
        .expect("the command");
    assert_eq!(output.status.code(), Some(1));
    let shown: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(shown["devices"], serde_json::json!([]));
    let reason = shown["selection_error"].as_str().expect("a reason");
    assert!(reason.starts_with("no OpenCL"), "{reason}");
}

/// What a package's author does first with a tree that somebody else wrote.
#[test]
fn ugly_trees_are_read_and_annotated() {
    let tree = Tree::new();
    std::fs::create_dir(tree.path("cl/ugly")).expect("folder");
    tree.write("cl/ugly/ugly.cl", "\u{feff}// @provides: BASE\r\n// @depends: (none)\r\n#define BASE 1.0\r\n");
    tree.write(
        "cl/ugly/two_words.cl",
        "//\t@provides:\ttwo_words\n//\t@depends:\tugly\ndouble two_words(double x) { return x + BASE; }",
    );
    tree.write(
        "cl/ugly/in_block.cl",
        "/* @provides: in_block\n * @depends: nothing_at_all\n */\ndouble in_block(double x) { return two_words(x); }\n",
    );
    tree.write(
        "cl/ugly/case.cl",
        "// @Provides: upper\n// @DEPENDS: ugly\ndouble upper(double x) { return in_block(x); }\n",
    );
    tree.write(
        "cl/ugly/commented.cl",
        "// @provides: commented // the only one\n// @depends: ugly /* the header */\ndouble commented(double x) { return BASE; }\n",
    );
    let mut story = tree.run("lib annotate ugly --package .");
    story += &tree.run("lib check ugly --package . --strict");
    story += &tree.run("lib order ugly --package .");
    for file in ["ugly", "two_words", "in_block", "case", "commented"] {
        let text = std::fs::read_to_string(tree.path(&format!("cl/ugly/{file}.cl"))).expect("file");
        story += &format!("----- {file}.cl\n{}\n", text.escape_debug());
    }
    let again = tree.run("lib annotate ugly --package .");
    assert!(again.contains("nothing to change"), "{again}");
    tree.write("cl/ugly/two words.cl", "int two_words;\n");
    story += &tree.run("lib annotate ugly --package .");
    snapshot("ugly", &story);
}
