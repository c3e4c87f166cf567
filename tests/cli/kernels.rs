//! Kernels of the user's own, in files: eval --kernels, show, verify, run.

use crate::command::{folder_with, gristmill, shown};
use gristmill_table_io::npy::NpyArray;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// A folder with the kernels of examples/kernels and a small table.
fn folder() -> tempfile::TempDir {
    let folder = folder_with(&[]);
    let text =
        std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/kernels/growth.rs")).expect("it is there");
    write(&folder, "growth.rs", text);
    write(&folder, "data.csv", "t,name\n0,a\n1,b\nNA,c\n-2.5,d\n");
    folder
}

fn write(folder: &tempfile::TempDir, name: &str, text: impl AsRef<[u8]>) {
    std::fs::write(folder.path().join(name), text).expect("written");
}

fn command(folder: &tempfile::TempDir, words: &[&str]) -> Command {
    let mut command = gristmill(folder.path());
    command.args(words);
    command
}

/// The whole run as text.
fn run(folder: &tempfile::TempDir, words: &[&str]) -> String {
    let output = command(folder, words).output().expect("it starts");
    shown(&output).replace(&folder.path().display().to_string(), "[FOLDER]")
}

/// A refusal: exit code 2, nothing on stdout, in bounded time.
fn refused(folder: &tempfile::TempDir, words: &[&str]) -> String {
    let start = Instant::now();
    let text = run(folder, words);
    assert!(start.elapsed() < Duration::from_secs(60), "{words:?} took {:?}", start.elapsed());
    let rest = text.strip_prefix("exit 2\n--- stdout\n--- stderr\n");
    let message = rest.unwrap_or_else(|| panic!("{words:?} was not refused:\n{text}"));
    assert!(!message.contains("panicked"), "{message}");
    format!("$ gristmill {}\n{message}", words.join(" "))
}

const GROWTH: [&str; 5] = ["eval", "-q", "--kernels", "growth.rs", "y = growth(t, a = 3, b = 0.7)"];

#[test]
fn expressions_call_kernels_of_files() {
    let folder = folder();
    let words = [&GROWTH[..], &["back = time_of(y, 3, 0.7)", "full = is_full(y, 0.5) & t >= 0", "data.csv"]].concat();
    insta::assert_snapshot!(run(&folder, &words));
}

#[test]
fn a_device_gives_the_bits_of_the_cpu() {
    let folder = folder();
    let words = [&GROWTH[..], &["n = years_until(10 + t, 0.1)", "data.csv"]].concat();
    let here = run(&folder, &words);
    let there = run(&folder, &[&words[..], &["--device", "0"]].concat());
    assert!(here.starts_with("exit 0"), "{here}");
    assert_eq!(here, there);
}

#[test]
fn several_files_may_be_given_and_the_same_one_twice() {
    let folder = folder();
    write(&folder, "twice.rs", "fn twice(x: f64) -> f64 { 2.0 * x }\n");
    let files = ["--kernels", "twice.rs", "--kernels", "growth.rs", "--kernels", "growth.rs"];
    let mine =
        run(&folder, &[&["eval", "-q", "--only", "y = twice(growth(t, 3, 1))", "data.csv"][..], &files].concat());
    let formula = run(&folder, &["eval", "-q", "--only", "y = 2 * (3 / (1 + exp(-1 * t)))", "data.csv"]);
    assert_eq!(mine, formula);
    assert!(mine.starts_with("exit 0\n--- stdout\ny\n3\n4.38"), "{mine}");
}

#[test]
fn wrong_calls_in_expressions_are_explained() {
    let folder = folder();
    write(&folder, "clash.rs", "fn gamma(x: f64) -> f64 { x }\nfn growth(x: f64) -> f64 { x }\n");
    write(
        &folder,
        "types.rs",
        "fn whole(n: i64) -> f64 { n as f64 }\nfn two(x: f64) -> (f64, f64) { (x, x) }\nfn n_of(x: f64) -> i32 { 1 }\n",
    );
    write(&folder, "entry.rs", "#[kernel(entry)]\nfn go(i: usize, y: &mut [f64]) { y[i] = 1.0; }\n");
    let eval = |file: &str, expression: &str| refused(&folder, &["eval", "--kernels", file, expression, "data.csv"]);
    let all = [
        eval("growth.rs", "growth(t, 3)"),
        eval("growth.rs", "growth(t, 3, 1, 2)"),
        eval("growth.rs", "growth(t, 3, c = 1)"),
        eval("growth.rs", "growth(t, a = 3, a = 3)"),
        eval("growth.rs", "grwoth(t, 3, 1)"),
        eval("growth.rs", "step(1, t)"),
        eval("clash.rs", "gamma(t)"),
        refused(&folder, &["eval", "--kernels", "growth.rs", "--kernels", "clash.rs", "growth(t)", "data.csv"]),
        eval("types.rs", "whole(t)"),
        eval("types.rs", "two(t)"),
        eval("types.rs", "n_of(t)"),
        eval("entry.rs", "go(t)"),
    ];
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn files_that_are_no_kernels_are_refused_with_their_place() {
    let folder = folder();
    let texts: &[(&str, &str)] = &[
        ("empty.rs", ""),
        ("comment.rs", "// nothing\n"),
        ("types.rs", "fn f(x: f64) -> f64 {\n    x + 1\n}\n"),
        ("recursion.rs", "fn f(x: f64) -> f64 {\n    if x < 1.0 { 1.0 } else { x * f(x - 1.0) }\n}\n"),
        ("unknown.rs", "fn f(x: f64) -> f64 {\n    let y = exq(x);\n    y\n}\n"),
        ("syntax.rs", "fn f(x: f64) -> f64 {\n    x +\n}\n"),
        ("unclosed.rs", "fn f(x: f64) -> f64 {\n    x\n"),
        ("item.rs", "static X: f64 = 1.0;\n"),
        ("twice.rs", "fn f(x: f64) -> f64 { x }\nfn f(x: f64) -> f64 { x }\n"),
    ];
    let mut all = Vec::new();
    for (name, text) in texts {
        write(&folder, name, text);
        all.push(refused(&folder, &["eval", "--kernels", name, "f(t)", "data.csv"]));
    }
    write(&folder, "bytes.rs", b"fn f(x: f64) -> f64 {\n    x // \xff\n}\n");
    for name in ["bytes.rs", "missing.rs", "."] {
        all.push(refused(&folder, &["eval", "--kernels", name, "f(t)", "data.csv"]));
    }
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn every_command_refuses_what_is_no_kernel() {
    let folder = folder();
    write(&folder, "wrong.rs", "fn f(x: f64) -> f64 { x + 1 }\n");
    for words in [
        &["show", "wrong.rs", "f"][..],
        &["verify", "wrong.rs", "--no-device"],
        &["run", "wrong.rs", "--global", "1"],
        &["show", "missing.rs"],
        &["verify", "missing.rs", "--no-device"],
        &["run", "missing.rs", "--global", "1"],
    ] {
        refused(&folder, words);
    }
}

#[test]
fn texts_that_are_too_much_are_refused_in_bounded_time() {
    let folder = folder();
    let deep = format!("fn f(x: f64) -> f64 {{ {} x {} }}\n", "{".repeat(10_000), "}".repeat(10_000));
    write(&folder, "deep.rs", deep);
    write(&folder, "large.rs", "// ".to_string() + &"x".repeat(5 << 20));
    let message = refused(&folder, &["eval", "--kernels", "deep.rs", "f(t)", "data.csv"]);
    assert!(message.contains("brackets"), "{message}");
    let message = refused(&folder, &["eval", "--kernels", "large.rs", "f(t)", "data.csv"]);
    assert!(message.contains("4 MiB"), "{message}");
    // A hundred thousand lines, and an error in the last one.
    let many: String = (0..33_333).map(|i| format!("fn f{i}(x: f64) -> f64 {{\n    x * {i}.0\n}}\n")).collect();
    write(&folder, "many.rs", many + "fn last(x: f64) -> f64 { x + 1 }\n");
    let message = refused(&folder, &["eval", "--kernels", "many.rs", "last(t)", "data.csv"]);
    assert!(message.contains("many.rs:100000:"), "{message}");
}

#[cfg(unix)]
#[test]
fn a_pipe_that_nobody_writes_to_is_not_waited_for() {
    let folder = folder();
    assert!(Command::new("mkfifo").arg(folder.path().join("pipe.rs")).status().expect("mkfifo runs").success());
    let message = refused(&folder, &["eval", "--kernels", "pipe.rs", "f(t)", "data.csv"]);
    assert!(message.contains("it is a pipe or a device"), "{message}");
    refused(&folder, &["show", "pipe.rs"]);
}

const ENDLESS: &str = "fn endless(x: f64) -> f64 {\n    let mut y = x;\n    while y == y { y = y + 0.0; }\n    y\n}\n\
                       #[kernel(entry)]\nfn turn(i: usize, y: &mut [f64]) {\n    while y[i] < 1.0 { y[i] = 0.5; }\n}\n";

#[test]
fn fuel_ends_a_kernel_that_does_not_end() {
    let folder = folder();
    write(&folder, "endless.rs", ENDLESS);
    let all = [
        refused(&folder, &["eval", "--kernels", "endless.rs", "--fuel", "1e6", "endless(t)", "data.csv"]),
        refused(&folder, &["verify", "endless.rs", "--no-device", "--points", "10", "--fuel", "1000000"]),
        refused(&folder, &["run", "endless.rs", "--out", "y=y.npy", "--global", "3", "--fuel", "1000000"]),
        refused(
            &folder,
            &["eval", "--kernels", "endless.rs", "--fuel", "10", "--device", "0", "endless(t)", "data.csv"],
        ),
        refused(&folder, &["eval", "--kernels", "endless.rs", "--fuel", "some", "endless(t)", "data.csv"]),
    ];
    insta::assert_snapshot!(all.join("\n"));
    assert!(!folder.path().join("y.npy").exists());
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_kernel_that_does_not_end() {
    use std::os::unix::process::ExitStatusExt;
    let folder = folder();
    write(&folder, "endless.rs", ENDLESS);
    for words in [
        &["eval", "--kernels", "endless.rs", "endless(t)", "data.csv", "-o", "out.csv"][..],
        &["run", "endless.rs", "--out", "y=y.npy", "--global", "3"],
    ] {
        let mut child = command(&folder, words).spawn().expect("it starts");
        std::thread::sleep(Duration::from_millis(700));
        assert!(child.try_wait().expect("it can be asked").is_none(), "{words:?} ended by itself");
        let pid = child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().expect("kill runs").success());
        let start = Instant::now();
        let status = child.wait().expect("it ends");
        assert_eq!(status.signal(), Some(2), "{words:?}: {status}");
        assert!(start.elapsed() < Duration::from_secs(20));
    }
    let left: Vec<_> = std::fs::read_dir(folder.path())
        .expect("a folder")
        .filter_map(|e| e.ok()?.file_name().into_string().ok())
        .collect();
    assert!(!left.iter().any(|name| name.contains("out.csv") || name.contains("y.npy")), "{left:?}");
}

#[test]
fn show_prints_every_form_of_a_kernel() {
    let folder = folder();
    insta::assert_snapshot!("show_rust", run(&folder, &["show", "growth.rs", "is_full", "--lang", "rust"]));
    // What every program begins with is shown elsewhere.
    let own_part = |text: String| text[text.find("#line 1 \"gm_CAPACITY.cl\"").expect("its constant")..].to_string();
    insta::assert_snapshot!("show_opencl", own_part(run(&folder, &["show", "growth.rs", "is_full"])));
    insta::assert_snapshot!("show_entry", own_part(run(&folder, &["show", "growth.rs", "step"])));
    write(&folder, "one.rs", "fn half(x: f64) -> f64 { x * 0.5 }\n");
    insta::assert_snapshot!("show_ir", run(&folder, &["show", "one.rs", "--lang", "ir"]));
    insta::assert_snapshot!("show_json", run(&folder, &["show", "one.rs", "--lang", "rust", "--format", "json"]));
    write(&folder, "empty.rs", "");
    let refused: Vec<String> = [
        &["show", "growth.rs"][..],
        &["show", "growth.rs", "grwoth"],
        &["show", "growth.rs", "zzz"],
        &["show", "empty.rs"],
        &["show", "pnorm", "dnorm"],
        &["show", "pnorm", "--lang", "ir"],
        &["show", "pnorm", "--lang", "asm"],
    ]
    .iter()
    .map(|words| refused(&folder, words))
    .collect();
    insta::assert_snapshot!("show_refused", refused.join("\n"));
}

/// As it stands in the repository, for every kernel.
#[test]
fn show_prints_built_in_kernels_as_they_were_written() {
    let folder = folder();
    for name in ["log1pmx", "pnorm", "exp", "lgammafn", "qbeta", "rbinom"] {
        let text = run(&folder, &["show", name, "--lang", "rust"]);
        let place =
            text.lines().nth(2).and_then(|l| l.strip_prefix("// ")?.split(':').next()).expect("where it stands");
        let file = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(place)).expect("it is there");
        let body = text.strip_suffix("--- stderr\n").and_then(|t| t.splitn(4, '\n').nth(3)).expect("a body");
        assert!(body.contains(&format!("pub fn {name}(")) && body.ends_with("}\n"), "{text}");
        assert!(file.contains(body), "{name} is shown otherwise than written:\n{body}");
    }
}

#[test]
fn verify_compares_all_paths_of_the_kernels_of_a_file() {
    let folder = folder();
    insta::assert_snapshot!("verify_file", run(&folder, &["verify", "growth.rs", "--points", "300", "--no-device"]));
    let on_device = run(&folder, &["verify", "growth.rs", "growth", "is_full", "--points", "300", "--device", "0"]);
    insta::assert_snapshot!("verify_device", on_device);
}

/// Steps over a file of numbers, on the CPU and on a device.
#[test]
fn run_runs_an_entry_point_over_files() {
    let folder = folder();
    let x: Vec<f64> = (0..50).map(|i| f64::from(i) / 10.0 - 1.0).collect();
    let save = |name: &str, array: NpyArray| {
        array.write(std::fs::File::create(folder.path().join(name)).expect("writable")).expect("written");
    };
    save("x.npy", NpyArray::from(&x[..]));
    save("whole.npy", NpyArray::from(&[1i32, 2, 3][..]));
    let words = ["run", "growth.rs", "--arg", "x=x.npy", "--arg", "dt=0.25", "--global", "50"];
    for device in [&[][..], &["--device", "0"]] {
        assert_eq!(
            run(&folder, &[&words[..], device, &["--out", "y=y.npy"]].concat()),
            "exit 0\n--- stdout\n--- stderr\n"
        );
        let array =
            NpyArray::read(std::fs::File::open(folder.path().join("y.npy")).expect("it is there")).expect("an array");
        let y: Vec<f64> = Vec::try_from(&array).expect("f64");
        let expected: Vec<f64> = x.iter().map(|x| x + 0.25 * x * (1.0 - x / 3.0)).collect();
        assert_eq!(y, expected, "{device:?}");
        std::fs::remove_file(folder.path().join("y.npy")).expect("it was there");
    }
    // More items than elements: what lies outside is neither read nor written.
    let short =
        ["run", "growth.rs", "--arg", "x=x.npy", "--arg", "dt=0.25", "--global", "99", "--out", "y=short.npy:10"];
    assert_eq!(run(&folder, &short), "exit 0\n--- stdout\n--- stderr\n");
    let go = |more: &[&str]| refused(&folder, &[&["run", "growth.rs"][..], more].concat());
    write(&folder, "functions.rs", "fn half(x: f64) -> f64 { x * 0.5 }\n");
    write(
        &folder,
        "two.rs",
        "#[kernel(entry)]\nfn a(i: usize, y: &mut [f64]) { y[i] = 1.0; }\n#[kernel(entry)]\nfn b(i: usize, on: bool, y: &mut [i32]) { y[i] = 1; }\n",
    );
    let all = [
        go(&["--global", "50"]),
        go(&["--arg", "x=x.npy", "--arg", "dt=much", "--out", "y=y.npy", "--global", "50"]),
        go(&["--arg", "x=whole.npy", "--arg", "dt=1", "--out", "y=y.npy", "--global", "50"]),
        go(&["--arg", "x=gone.npy", "--arg", "dt=1", "--out", "y=y.npy", "--global", "50"]),
        go(&["--arg", "x=x.npy", "--arg", "dt=1", "--out", "x=y.npy", "--global", "50"]),
        go(&["--arg", "x=x.npy", "--arg", "dt=1", "--out", "y=y.npy:f32", "--global", "50"]),
        go(&["--arg", "z=1", "--arg", "dt=1", "--out", "y=y.npy", "--global", "50"]),
        go(&["--arg", "x=x.npy", "--arg", "dt=1", "--out", "y=y.npy", "--global", "5x5"]),
        go(&["--entry", "stepp", "--global", "5"]),
        go(&["--library", "lib", "--global", "5"]),
        refused(&folder, &["run", "functions.rs", "--global", "5"]),
        refused(&folder, &["run", "two.rs", "--global", "5"]),
        refused(&folder, &["run", "two.rs", "--entry", "b", "--arg", "on=maybe", "--out", "y=y.npy", "--global", "5"]),
    ];
    insta::assert_snapshot!("run_refused", all.join("\n"));
    let json = run(
        &folder,
        &["run", "two.rs", "--entry", "b", "--arg", "on=true", "--out", "y=b.npy", "--global", "5", "--format", "json"],
    );
    let json: Vec<&str> = json.lines().filter(|line| !line.contains("\"all\":")).collect();
    insta::assert_snapshot!("run_json", json.join("\n"));
}

/// A kernel with two outputs, of which one cannot be written.
#[test]
fn run_writes_all_its_files_or_none() {
    let folder = folder();
    write(
        &folder,
        "pair.rs",
        "#[kernel(entry)]\nfn pair(i: usize, y: &mut [f64], z: &mut [f64]) { y[i] = 1.0; z[i] = 2.0; }\n",
    );
    write(&folder, "y.npy", "what was there");
    std::fs::create_dir(folder.path().join("taken")).expect("a folder");
    let names = || {
        let entries = std::fs::read_dir(folder.path()).expect("a folder");
        let mut names: Vec<String> =
            entries.map(|e| e.expect("an entry").file_name().into_string().expect("a name")).collect();
        names.sort();
        names
    };
    let before = names();
    let words = |z: &'static str| ["run", "pair.rs", "--global", "3", "--out", "y=y.npy", "--out", z];
    for z in ["z=taken", "z=gone/z.npy"] {
        refused(&folder, &words(z));
        assert_eq!(names(), before);
        assert_eq!(std::fs::read(folder.path().join("y.npy")).expect("it is there"), b"what was there");
    }
    assert_eq!(run(&folder, &words("z=z.npy")), "exit 0\n--- stdout\n--- stderr\n");
    let mut after = before;
    after.push("z.npy".into());
    after.sort();
    assert_eq!(names(), after);
    // What is no file takes the array all the same, beside one that is.
    let output = command(&folder, &words("z=/dev/stdout")).output().expect("it starts");
    assert!(output.stdout.starts_with(b"\x93NUMPY"), "{}", shown(&output));
}
