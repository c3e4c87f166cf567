//! devices, doctor, cache, run: on a real device, with what differs between machines filtered out.

use crate::command::{gristmill, shown};
use gristmill::cl_runtime::devices;
use gristmill_table_io::npy::NpyArray;
use std::path::Path;

const CUBES: &str = "// @depends_lib: cube
__kernel void cubes(__global const double* x, const double factor, const int shift, __global double* y) {
    size_t i = get_global_id(0);
    y[i] = factor * cube(x[i]) + shift;
}
";

/// A kernel, the library it needs (with a broken shard that it does not need), and an input.
fn kernel_folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("writable");
    std::fs::create_dir(folder.path().join("lib")).expect("made");
    write("lib/square.cl", "// @provides: square\ndouble square(double x) { return x * x; }\n");
    write("lib/cube.cl", "// @provides: cube\n// @depends: square\ndouble cube(double x) { return x * square(x); }\n");
    write("lib/broken.cl", "// @provides: broken\ndouble broken(double x) { return nothing; }\n");
    write("cubes.cl", CUBES);
    let x: Vec<f64> = (0..100).map(|i| f64::from(i) / 10.0).collect();
    save(&folder.path().join("x.npy"), &NpyArray::from(&x[..]));
    save(&folder.path().join("whole.npy"), &NpyArray::from(&[1i32, 2, 3][..]));
    folder
}

fn save(path: &Path, array: &NpyArray) {
    array.write(std::fs::File::create(path).expect("writable")).expect("written");
}

fn load(path: &Path) -> Vec<f64> {
    let array = NpyArray::read(std::fs::File::open(path).expect("it is there")).expect("an array");
    Vec::try_from(&array).expect("f64")
}

/// Runs a command line in the folder; what differs between machines becomes `[WORD]`.
fn run_with(folder: &Path, line: &str, change: impl FnOnce(&mut std::process::Command)) -> String {
    let mut command = gristmill(folder);
    command.args(line.split_whitespace());
    change(&mut command);
    portable(folder, &command.output().expect("it starts"))
}

fn portable(folder: &Path, output: &std::process::Output) -> String {
    let mut text = shown(output);
    text = text.replace(&folder.display().to_string(), "[FOLDER]");
    for d in devices().unwrap_or_default() {
        for (value, word) in [
            (&d.platform_version, "[PLATFORM VERSION]"),
            (&d.name, "[DEVICE]"),
            (&d.platform, "[PLATFORM]"),
            (&d.driver, "[DRIVER]"),
        ] {
            text = text.replace(value.as_str(), word);
        }
    }
    // Numbers with a unit, and what stands before them to align them.
    let units = ["B", "KiB", "MiB", "GiB", "s", "min", "ms", "us", "units", "inputs:"];
    let lines: Vec<String> = text
        .lines()
        .map(|line| {
            let mut words: Vec<&str> = line.split(' ').collect();
            for i in 1..words.len() {
                if units.contains(&words[i].trim_end_matches(',')) && words[i - 1].parse::<f64>().is_ok() {
                    words[i - 1] = "[N]";
                }
            }
            // Columns are as wide as what is in them.
            words.retain(|w| !w.is_empty());
            words.join(" ")
        })
        .collect();
    lines.join("\n") + "\n"
}

fn run(folder: &Path, line: &str) -> String {
    run_with(folder, line, |_| {})
}

/// The processor's line depends on the machine that runs the test.
fn without_processor(text: &str) -> String {
    text.lines().filter(|l| !l.contains("processor") && !l.starts_with("KIND")).map(|l| format!("{l}\n")).collect()
}

#[test]
fn help_of_each_command() {
    let folder = tempfile::tempdir().expect("a folder");
    for command in ["run", "verify", "show", "devices", "doctor", "cache", "cache ls", "cache clear", "cache warm"] {
        insta::assert_snapshot!(
            format!("help_{}", command.replace(' ', "_")),
            shown(&gristmill(folder.path()).args(command.split(' ')).arg("--help").output().expect("it starts"))
        );
    }
}

#[test]
fn devices_lists_them_and_marks_the_chosen_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let listed = without_processor(&run(folder.path(), "devices"));
    assert!(listed.starts_with("exit 0\n--- stdout\n* 0 "), "{listed}");
    let unknown = run_with(folder.path(), "devices", |c| {
        c.env("GRISTMILL_DEVICE", "no such device");
    });
    assert!(
        unknown.starts_with(
            "exit 1
"
        ),
        "{unknown}"
    );
    insta::assert_snapshot!(
        "devices_unknown",
        unknown
            .split_once(
                "--- stderr
"
            )
            .expect("stderr")
            .1
    );
    insta::assert_snapshot!(
        "devices_no_platform",
        run_with(folder.path(), "devices", |c| {
            c.env("OCL_ICD_VENDORS", folder.path());
        })
    );
}

#[test]
fn devices_as_json_has_stable_names() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = gristmill(folder.path()).args(["devices", "--format", "json"]).output().expect("it starts");
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let keys = |v: &serde_json::Value| v.as_object().expect("an object").keys().cloned().collect::<Vec<_>>().join(" ");
    insta::assert_snapshot!("devices_json_keys", format!("{}\n{}", keys(&value), keys(&value["devices"][0])));
    let first = &devices().expect("a device")[0];
    assert_eq!(value["devices"][0]["name"], first.name.as_str());
    assert_eq!(value["devices"][0]["fp64"], first.fp64);
    assert_eq!(value["selected"], 0);
}

#[test]
fn doctor_says_what_is_fine_and_what_is_not() {
    let folder = tempfile::tempdir().expect("a folder");
    insta::assert_snapshot!("doctor", without_processor(&run(folder.path(), "doctor")));
    insta::assert_snapshot!(
        "doctor_no_platform",
        without_processor(&run_with(folder.path(), "doctor", |c| {
            c.env("OCL_ICD_VENDORS", folder.path());
        }))
    );
    std::fs::write(folder.path().join("file"), "").expect("writable");
    insta::assert_snapshot!(
        "doctor_no_cache",
        without_processor(&run_with(folder.path(), "doctor", |c| {
            c.env("GRISTMILL_CACHE_DIR", folder.path().join("file/cache")).env("GRISTMILL_DEVICE", "7");
        }))
    );
    let output = gristmill(folder.path()).args(["doctor", "--format", "json"]).output().expect("it starts");
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(value["problems"], 0);
    assert!(
        value["checks"]
            .as_array()
            .expect("a list")
            .iter()
            .all(|c| c["status"].is_string() && c["check"].is_string() && c["found"].is_string())
    );
}

#[test]
fn a_kernel_runs_over_files_without_host_code() {
    let folder = kernel_folder();
    let at = |name: &str| folder.path().join(name);
    let line = "run cubes.cl --library lib --arg x=x.npy --arg factor=2.5 --arg shift=-3 --out y=y.npy --global 100";
    insta::assert_snapshot!("run", run(folder.path(), line));
    let x = load(&at("x.npy"));
    assert!(load(&at("y.npy")).iter().zip(&x).all(|(y, x)| *y == 2.5 * (x * (x * x)) + -3.0));
    // The second process loads the program.
    let output = gristmill(folder.path())
        .args(line.replace("y.npy", "y2.npy:f64:10x10").split_whitespace())
        .args(["--local", "10", "--format", "json"])
        .output()
        .expect("it starts");
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(value["program"]["cached"], true);
    assert_eq!(value["outputs"][0]["shape"], serde_json::json!([10, 10]));
    assert_eq!(load(&at("y2.npy")), load(&at("y.npy")));
    insta::assert_snapshot!("run_times", run(folder.path(), &format!("{line} --times")));
    // Read and written: the same name twice.
    std::fs::write(at("twice.cl"), "__kernel void twice(__global double* x) { x[get_global_id(0)] *= 2.0; }\n")
        .expect("writable");
    run(folder.path(), "run twice.cl --arg x=x.npy --out x=doubled.npy --global 100");
    assert!(load(&at("doubled.npy")).iter().zip(&x).all(|(y, x)| *y == 2.0 * x));
}

#[test]
fn wrong_runs_say_what_to_change_and_write_nothing() {
    let folder = kernel_folder();
    let lines = [
        (
            "type",
            "run cubes.cl --library lib --arg x=whole.npy --arg factor=2.5 --arg shift=3 --out y=y.npy --global 3",
        ),
        (
            "range",
            "run cubes.cl --library lib --arg x=x.npy --arg factor=2.5 --arg shift=3000000000 --out y=y.npy --global 3",
        ),
        ("missing", "run cubes.cl --library lib --arg x=x.npy --arg factor=2.5 --out y=y.npy --global 3"),
        ("missing_out", "run cubes.cl --library lib --arg x=x.npy --arg factor=2.5 --arg shift=3 --global 3"),
        ("unknown", "run cubes.cl --library lib --arg x=x.npy --arg fctor=2.5 --out y=y.npy --global 3"),
        (
            "twice",
            "run cubes.cl --library lib --arg x=x.npy --arg x=x.npy --arg factor=1 --arg shift=3 --out y=y.npy --global 3",
        ),
        (
            "read_only",
            "run cubes.cl --library lib --arg x=x.npy --arg factor=2.5 --arg shift=3 --out x=y.npy --global 3",
        ),
        (
            "out_type",
            "run cubes.cl --library lib --arg x=x.npy --arg factor=2.5 --arg shift=3 --out y=y.npy:f32 --global 3",
        ),
        (
            "no_file",
            "run cubes.cl --library lib --arg x=none.npy --arg factor=2.5 --arg shift=3 --out y=y.npy --global 3",
        ),
        (
            "not_npy",
            "run cubes.cl --library lib --arg x=cubes.cl --arg factor=2.5 --arg shift=3 --out y=y.npy --global 3",
        ),
        (
            "no_folder",
            "run cubes.cl --library lib --arg x=x.npy --arg factor=2.5 --arg shift=3 --out y=none/y.npy --global 3",
        ),
        ("no_library", "run cubes.cl --arg x=x.npy --arg factor=2.5 --arg shift=3 --out y=y.npy --global 3"),
        (
            "option",
            "run cubes.cl --library lib --option=-cl-fast-relaxed-math --arg x=x.npy --arg factor=1 --arg shift=3 --out y=y.npy --global 3",
        ),
        (
            "local",
            "run cubes.cl --library lib --arg x=x.npy --arg factor=2.5 --arg shift=3 --out y=y.npy --global 100 --local 7",
        ),
        (
            "device",
            "run cubes.cl --library lib --arg x=x.npy --arg factor=2.5 --arg shift=3 --out y=y.npy --global 3 --device none",
        ),
        ("entry", "run cubes.cl --library lib --entry cube --arg x=x.npy --out y=y.npy --global 3"),
        ("global", "run cubes.cl --library lib --arg x=x.npy --out y=y.npy --global many"),
        ("no_kernel", "run none.cl --arg x=x.npy --out y=y.npy --global 3"),
    ];
    let mut all = String::new();
    for (name, line) in lines {
        let said = run(folder.path(), line);
        assert!(said.starts_with("exit 2\n"), "{name}: {said}");
        all.push_str(&format!("{name}: {}", said.split_once("--- stderr\n").expect("stderr").1));
    }
    insta::assert_snapshot!("run_refused", all);
    assert!(!folder.path().join("y.npy").exists());
    let left = std::fs::read_dir(folder.path())
        .expect("a folder")
        .filter(|e| e.as_ref().expect("an entry").file_name().to_string_lossy().contains("part"))
        .count();
    assert_eq!(left, 0, "no temporary files");
}

#[test]
fn a_run_without_a_driver_or_library_says_so() {
    let folder = kernel_folder();
    let line = "run cubes.cl --library lib --arg x=x.npy --arg factor=2.5 --arg shift=3 --out y=y.npy --global 3";
    std::fs::create_dir(folder.path().join("empty")).expect("made");
    insta::assert_snapshot!(
        "run_no_platform",
        run_with(folder.path(), line, |c| {
            c.env("OCL_ICD_VENDORS", folder.path().join("empty"));
        })
    );
    std::fs::write(folder.path().join("libOpenCL.so.1"), "not a library").expect("writable");
    let said = run_with(folder.path(), line, |c| {
        c.env("LD_LIBRARY_PATH", folder.path());
    });
    assert!(said.contains("error: no OpenCL library: `libOpenCL.so.1` cannot be opened"), "{said}");
}

#[test]
fn cached_programs_are_listed_removed_and_prepared() {
    let folder = kernel_folder();
    insta::assert_snapshot!("cache_empty", run(folder.path(), "cache ls"));
    insta::assert_snapshot!("cache_warm", run(folder.path(), "cache warm cubes.cl --library lib"));
    insta::assert_snapshot!("cache_warm_again", run(folder.path(), "cache warm cubes.cl --library lib"));
    insta::assert_snapshot!("cache_ls", run(folder.path(), "cache ls"));
    let output = gristmill(folder.path()).args(["cache", "ls", "--format", "json"]).output().expect("it starts");
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(value["programs"][0]["kernels"][0]["name"], "cubes");
    let file = std::path::PathBuf::from(value["programs"][0]["file"].as_str().expect("a path"));
    std::fs::write(&file, "GRISTCLP garbage").expect("writable");
    insta::assert_snapshot!("cache_ls_damaged", run(folder.path(), "cache ls"));
    // Rebuilt by the next run, and used by the one after it.
    let line = "run cubes.cl --library lib --arg x=x.npy --arg factor=2.5 --arg shift=3 --out y=y.npy --global 100";
    assert!(run(folder.path(), line).starts_with("exit 0\n"));
    assert!(run(folder.path(), "cache ls").starts_with("exit 0\n"));
    insta::assert_snapshot!("cache_clear", run(folder.path(), "cache clear"));
    insta::assert_snapshot!("cache_clear_again", run(folder.path(), "cache clear"));
    insta::assert_snapshot!("cache_warm_broken", run(folder.path(), "cache warm lib/broken.cl"));
}

/// The driver is there for one run, gone for the next, and back again.
#[test]
fn a_device_that_disappears_is_an_error_and_nothing_is_lost() {
    let folder = kernel_folder();
    let line = "run cubes.cl --library lib --arg x=x.npy --arg factor=2.5 --arg shift=3 --out y=y.npy --global 100";
    assert!(run(folder.path(), line).starts_with("exit 0\n"));
    let (before, programs) = (std::fs::read(folder.path().join("y.npy")).expect("written"), cached(folder.path()));
    assert_eq!(programs.len(), 1);
    std::fs::create_dir(folder.path().join("no drivers")).expect("made");
    std::fs::write(folder.path().join("t.csv"), "x\n1\n").expect("written");
    std::fs::write(folder.path().join("out.csv"), "precious").expect("written");
    for line in [line, "eval z=exp(x) t.csv --device 0 -o out.csv", "cache warm exp", "verify exp --device cpu"] {
        let gone = run_with(folder.path(), line, |c| {
            c.env("OCL_ICD_VENDORS", folder.path().join("no drivers"));
        });
        assert!(gone.starts_with("exit 2\n") && gone.contains("no OpenCL platform"), "{line}: {gone}");
    }
    assert_eq!(std::fs::read(folder.path().join("y.npy")).expect("still there"), before);
    assert_eq!(std::fs::read_to_string(folder.path().join("out.csv")).expect("still there"), "precious");
    assert_eq!(cached(folder.path()), programs, "the kept program is as it was");
    assert!(run(folder.path(), line).starts_with("exit 0\n"), "the device is back");
    assert_eq!(cached(folder.path()), programs);
}

/// Names and contents of the programs on disk.
fn cached(folder: &Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let output = gristmill(folder).args(["cache", "ls", "--format", "json"]).output().expect("it starts");
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let files = value["programs"].as_array().expect("a list").iter();
    files
        .map(|p| std::path::PathBuf::from(p["file"].as_str().expect("a path")))
        .map(|path| (path.clone(), std::fs::read(path).expect("readable")))
        .collect()
}

#[test]
fn functions_and_expressions_are_compiled_before_they_are_needed() {
    let folder = tempfile::tempdir().expect("a folder");
    let words =
        |args: &[&str]| portable(folder.path(), &gristmill(folder.path()).args(args).output().expect("it starts"));
    let states = |text: &str| -> Vec<String> {
        text.lines().filter(|l| l.starts_with("built") || l.starts_with("had")).map(ToString::to_string).collect()
    };
    let first = words(&["cache", "warm", "exp", "atan2"]);
    assert_eq!(states(&first), ["built [N] ms exp map_gm_exp", "built [N] ms atan2 map_gm_atan2"], "{first}");
    let again = words(&["cache", "warm", "atan2", "log"]);
    assert_eq!(states(&again), ["had [N] ms atan2 map_gm_atan2", "built [N] ms log map_gm_log"], "{again}");

    std::fs::write(folder.path().join("t.csv"), "a,x,y\n1,2,3\n4,,6\n").expect("written");
    let expressions = ["--eval", "z = exp(x) + y", "--eval", "u = z > 3"];
    let warm = [&["cache", "warm", "--table", "t.csv"][..], &expressions].concat();
    let built = words(&warm);
    assert_eq!(
        states(&built),
        [
            "built [N] ms z = exp(x) + y; u = z > 3 gristmill_plan",
            "built [N] ms z = exp(x) + y; u = z > 3 (with missing values) gristmill_plan"
        ],
        "{built}"
    );
    assert!(states(&words(&warm)).iter().all(|l| l.starts_with("had")), "the second time they are there");
    // `eval` needs the same program: it adds none.
    let programs = || cached(folder.path()).len();
    std::fs::write(folder.path().join("whole.csv"), "a,x,y\n1,2,3\n4,5,6\n").expect("written");
    let before = programs();
    assert_eq!(before, 5);
    let run = words(&["eval", "z = exp(x) + y", "u = z > 3", "whole.csv", "--device", "0", "-q"]);
    assert!(run.starts_with("exit 0\n"), "{run}");
    assert_eq!(programs(), before);

    let unknown = words(&["cache", "warm", "expo"]);
    assert!(unknown.starts_with("exit 2\n") && unknown.contains("no kernel is called `expo`"), "{unknown}");
    let reduced = words(&["cache", "warm", "--eval", "z = x - mean(x)", "--table", "t.csv"]);
    assert!(reduced.starts_with("exit 2\n") && reduced.contains("leave them out"), "{reduced}");
    let nothing = words(&["cache", "warm"]);
    assert!(nothing.starts_with("exit 2\n") && nothing.contains("<KERNEL>"), "{nothing}");
}

#[test]
fn verify_compares_all_paths() {
    let folder = tempfile::tempdir().expect("a folder");
    // Which paths there are depends on the machine.
    let mut paths = vec!["block baseline".to_string()];
    for level in gristmill::kernel::Level::all().skip(1) {
        paths.extend([format!("single {}", level.name()), format!("block {}", level.name())]);
    }
    paths.extend(["2 threads", "strided", "device", "uniform"].map(String::from));
    let zeros = vec!["0"; paths.len() - 1].join(" ");
    assert_eq!(
        run(folder.path(), "verify exp atan2 --points 20000"),
        format!(
            "exit 0\n--- stdout\nKERNEL POINTS {}\nexp 20000 {zeros} -\natan2 20000 {zeros} 0\n--- stderr\n2 kernels, 20000 \
             inputs each: all paths give the same bits\n",
            paths.join(" ")
        )
    );
    let output = gristmill(folder.path())
        .args(["verify", "pow", "--points", "5000", "--format", "json"])
        .output()
        .expect("it starts");
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(value["kernels"][0]["same"], true);
    assert_eq!(value["kernels"][0]["differing"]["device"], 0);
    insta::assert_snapshot!("verify_unknown", run(folder.path(), "verify expo --points 10"));
    std::fs::create_dir(folder.path().join("empty")).expect("made");
    let without = |line: &str| {
        run_with(folder.path(), line, |c| {
            c.env("OCL_ICD_VENDORS", folder.path().join("empty"));
        })
    };
    assert!(without("verify exp --points 1000").starts_with("exit 0\n"), "the other paths are compared");
    assert!(without("verify exp --points 1000 --device 0").starts_with("exit 2\n"), "a named device must serve");
}

#[test]
fn show_prints_a_program_that_a_device_can_build() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = gristmill(folder.path()).args(["show", "exp"]).output().expect("it starts");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.contains("#pragma OPENCL FP_CONTRACT OFF") && text.contains("__kernel void map_"), "{text}");
    let device = gristmill::cl_runtime::Device::from_env().expect("a device");
    device.build(&text, "").expect("it compiles");
    let rust = run(folder.path(), "show exp --lang rust");
    assert!(rust.contains("pub fn exp(x: f64) -> f64") && rust.contains(".rs:"), "{rust}");
    insta::assert_snapshot!("show_unknown", run(folder.path(), "show nothing"));
}

/// Each ends with a message of ours, exit code 2, and no file.
#[test]
fn a_kernel_that_leaves_its_arrays_or_crashes_is_an_error_and_writes_nothing() {
    let folder = kernel_folder();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("writable");
    let kernel = |name: &str, body: &str| {
        let text = format!(
            "__kernel void {name}(__global const double* x, __global double* y) {{ size_t i = get_global_id(0); {body} }}\n"
        );
        write(&format!("{name}.cl"), &text);
    };
    kernel("same", "y[i] = x[i];");
    kernel("next", "y[i + 1] = x[i];");
    kernel("wild", "y[i * 100000000000UL] = x[i];");
    write("none.cl", "// __kernel\ndouble half_of(double x) { return 0.5 * x; /* kernel */ }\n");
    write("wrong.cl", "__kernel void wrong(__global double* y) { y[0] = nothing; }\n");
    let refused = |line: &str| {
        let output = gristmill(folder.path()).args(line.split_whitespace()).output().expect("it starts");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{line}: {stderr}");
        assert!(output.stdout.is_empty(), "{line}");
        assert!(!folder.path().join("y.npy").exists(), "{line}");
        assert!(!stderr.contains(" generated."), "the driver's own words: {stderr}");
        stderr
    };
    let run =
        |name: &str, global: usize| refused(&format!("run {name}.cl --arg x=x.npy --out y=y.npy --global {global}"));
    let read = run("same", 200);
    assert!(
        read.contains("element 100 is not the same in two runs") && read.contains("`x` has 100 elements"),
        "{read}"
    );
    let written = run("next", 100);
    assert!(written.contains("it writes behind the array, to element 100 of an array of 100 elements"), "{written}");
    let crashed = run("wild", 50);
    assert!(crashed.starts_with("error: kernel `wild` was ended by signal 11 (SIGSEGV)"), "{crashed}");
    let none = run("none", 1);
    assert_eq!(none, "error: none.cl: it has no `__kernel` function\n");
    let wrong = refused("run wrong.cl --out y=y.npy --global 1");
    assert!(wrong.contains("use of undeclared identifier 'nothing'"), "{wrong}");
    let device = gristmill(folder.path())
        .args("run same.cl --arg x=x.npy --out y=y.npy --global 100".split(' '))
        .env("GRISTMILL_DEVICE", "")
        .output()
        .expect("it starts");
    assert!(device.status.success(), "an empty variable is none");
}

#[test]
fn two_outputs_in_one_file_are_refused() {
    let folder = kernel_folder();
    let text = "__kernel void two(__global double* a, __global double* b) { a[get_global_id(0)] = b[get_global_id(0)] = 1; }\n";
    std::fs::write(folder.path().join("two.cl"), text).expect("writable");
    let said = run(folder.path(), "run two.cl --out a=o.npy --out b=./o.npy --global 3");
    assert_eq!(said, "exit 2\n--- stdout\n--- stderr\nerror: --out a and --out b are the same file: ./o.npy\n");
    assert!(!folder.path().join("o.npy").exists());
    // Also by a link that leads to nothing yet.
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("o.npy", folder.path().join("link.npy")).expect("a link");
        let said = run(folder.path(), "run two.cl --out a=o.npy --out b=link.npy --global 3");
        assert!(said.contains("error: --out a and --out b are the same file: link.npy"), "{said}");
        assert!(!folder.path().join("o.npy").exists());
    }
}

/// The bytes of a file in Fortran order reach the kernel as they are, and the user is told.
#[test]
fn an_array_in_fortran_order_is_a_buffer_column_by_column() {
    let folder = kernel_folder();
    let mut file = b"\x93NUMPY\x01\x00\x76\x00{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }".to_vec();
    file.resize(127, b' ');
    file.push(b'\n');
    for x in 1..=6 {
        file.extend(f64::from(x).to_le_bytes());
    }
    std::fs::write(folder.path().join("f.npy"), file).expect("writable");
    let text = "__kernel void same(__global const double* x, __global double* y) { y[get_global_id(0)] = x[get_global_id(0)]; }\n";
    std::fs::write(folder.path().join("same.cl"), text).expect("writable");
    let said = run(folder.path(), "run same.cl --arg x=f.npy --out y=y.npy --global 6");
    assert_eq!(
        said,
        "exit 0\n--- stdout\n--- stderr\nnote: f.npy is in Fortran order: the buffer `x` holds its 2x3 elements column by column, as \
         the file does\n"
    );
    assert_eq!(load(&folder.path().join("y.npy")), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
}

/// Others could plant a program there.
#[cfg(unix)]
#[test]
fn a_cache_folder_that_others_may_write_to_is_one_warning_and_doctor_says_it() {
    use std::os::unix::fs::PermissionsExt;
    let folder = kernel_folder();
    let line = "run cubes.cl --library lib --arg x=x.npy --arg factor=2.5 --arg shift=3 --out y=y.npy --global 100";
    assert_eq!(run(folder.path(), line), "exit 0\n--- stdout\n--- stderr\n");
    std::fs::set_permissions(folder.path().join("cache"), std::fs::Permissions::from_mode(0o777)).expect("ours");
    let said = run(folder.path(), line);
    assert!(said.starts_with("exit 0\n"), "{said}");
    assert_eq!(said.matches("warning: program cache: cannot use").count(), 1, "{said}");
    let doctor = run(folder.path(), "doctor");
    assert!(doctor.starts_with("exit 1\n"), "{doctor}");
    assert!(doctor.contains("others may write to the folder (mode 777): `chmod go-w` mends it"), "{doctor}");
    // Measurements are settings: a pipe in their place is not waited for.
    std::fs::set_permissions(folder.path().join("cache"), std::fs::Permissions::from_mode(0o700)).expect("ours");
    let pipe = folder.path().join("cache/crossover.json");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("it starts").success());
    std::fs::write(folder.path().join("t.csv"), "x\n1\n").expect("written");
    let eval = run(folder.path(), "eval z=exp(x) t.csv --device auto -q");
    assert!(eval.starts_with("exit 0\n"), "{eval}");
}
