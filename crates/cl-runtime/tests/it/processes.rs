//! What needs a process of its own. The test binary starts itself again with one test and a variable that says what to do.

use crate::{SCALE, Trusted};
use gristmill_cl_runtime::{Arg, Device, Launch, ProgramCache, allow_trials, devices, live_objects};
use std::process::{Command, Output};
use std::sync::Barrier;
use std::thread;

/// How to start this program again so that it comes to [`child`].
pub(crate) const CHILD: [&str; 4] = ["--exact", "processes::child", "--nocapture", "--test-threads=1"];

const TASK: &str = "GRISTMILL_TEST_TASK";

/// Does nothing unless another test started it.
#[test]
fn child() {
    allow_trials(&CHILD);
    match std::env::var(TASK).as_deref() {
        Ok("run") => match run() {
            Ok(origin) => println!("RESULT {origin}"),
            Err(error) => println!("RESULT error: {error}"),
        },
        Ok("count") => {
            let result = run();
            println!("RESULT {:?} {:?}", result.is_ok(), live_objects());
        }
        Ok("threads") => {
            let start = Barrier::new(8);
            let results: Vec<_> = thread::scope(|scope| {
                let first_use = || {
                    start.wait();
                    (devices().map(|d| d.len()), run())
                };
                let threads: Vec<_> = (0..8).map(|_| scope.spawn(first_use)).collect();
                threads.into_iter().map(|t| t.join().expect("no panic")).collect()
            });
            let fine = results.iter().filter(|(devices, run)| devices.is_ok() && run.is_ok()).count();
            println!("RESULT {fine} of 8");
        }
        Ok("untouched") => {
            // Reading variables and parsing selectors asks OpenCL nothing.
            let selector = gristmill_cl_runtime::Selector::from_env().expect("well-formed");
            let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
            println!("RESULT {selector:?} {}", maps.contains("libOpenCL"));
        }
        _ => {}
    }
}

fn run() -> Result<String, gristmill_cl_runtime::RuntimeError> {
    let device = Device::from_env()?;
    let mut origin = String::new();
    for factor in 1..4 {
        let program = device.build(SCALE, "")?;
        let (x, mut y) = (vec![1.5; 1000], vec![0.0; 1000]);
        let factor = f64::from(factor);
        program
            .kernel("scale")?
            .run_trusted(&Launch::linear(1000), &mut [Arg::input(&x), Arg::value(factor), Arg::output(&mut y)])?;
        assert!(y.iter().all(|y| *y == 1.5 * factor));
        origin = format!("{:?}", program.origin());
    }
    Ok(origin)
}

fn command(task: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this test"));
    command.args(CHILD).env(TASK, task);
    command.env_remove("GRISTMILL_DEVICE").env("GRISTMILL_NO_CACHE", "1");
    command
}

fn result(output: &Output) -> String {
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{stdout}{}", String::from_utf8_lossy(&output.stderr));
    // The harness prints `test … ... ` before it.
    let line = stdout.lines().find_map(|l| l.split_once("RESULT ")).unwrap_or_else(|| panic!("no result: {stdout}"));
    line.1.to_string()
}

#[test]
fn without_a_library_the_same_binary_says_so() {
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::write(dir.path().join("libOpenCL.so.1"), "not a library").expect("written");
    let output = command("run").env("LD_LIBRARY_PATH", dir.path()).output().expect("it starts");
    let said = result(&output);
    assert!(said.starts_with("error: no OpenCL library: `libOpenCL.so.1` cannot be opened ("), "{said}");
    assert!(said.contains("install an OpenCL loader"), "{said}");
}

#[test]
fn without_a_driver_the_same_binary_says_so() {
    let dir = tempfile::tempdir().expect("a folder");
    let output = command("run").env("OCL_ICD_VENDORS", dir.path()).output().expect("it starts");
    let said = result(&output);
    assert!(
        said.starts_with(
            "error: no OpenCL platform: the OpenCL library is there, but it finds no driver (OCL_ICD_VENDORS is"
        ),
        "{said}"
    );
}

#[test]
fn a_named_device_that_is_not_there_is_an_error() {
    let output = command("run").env("GRISTMILL_DEVICE", "no such device").output().expect("it starts");
    let said = result(&output);
    assert!(
        said.starts_with("error: no OpenCL device fits `no such device` (from GRISTMILL_DEVICE); there are: 0 ("),
        "{said}"
    );
    // Also where there is no driver at all: no silent fallback.
    let dir = tempfile::tempdir().expect("a folder");
    let output =
        command("run").env("GRISTMILL_DEVICE", "0").env("OCL_ICD_VENDORS", dir.path()).output().expect("it starts");
    assert!(result(&output).starts_with("error: no OpenCL platform"));
}

#[test]
fn nothing_of_opencl_is_opened_before_it_is_needed() {
    let output = command("untouched").env("GRISTMILL_DEVICE", "gpu").output().expect("it starts");
    assert_eq!(result(&output), "Kind(Gpu) false");
}

#[test]
fn only_the_shared_context_its_queue_and_its_program_stay() {
    let output = command("count").output().expect("it starts");
    assert_eq!(
        result(&output),
        "true LiveObjects { contexts: 1, queues: 1, programs: 1, kernels: 1, buffers: 0, events: 0 }"
    );
}

#[test]
fn the_first_use_of_opencl_may_come_from_many_threads_at_once() {
    for _ in 0..3 {
        assert_eq!(result(&command("threads").output().expect("it starts")), "8 of 8");
    }
}

#[test]
fn processes_that_write_one_entry_at_once_all_succeed() {
    let dir = tempfile::tempdir().expect("a folder");
    for round in 0..2 {
        let children: Vec<_> = (0..4)
            .map(|_| {
                command("run")
                    .env_remove("GRISTMILL_NO_CACHE")
                    .env("GRISTMILL_CACHE_DIR", dir.path().join("cache"))
                    .env("XDG_DATA_HOME", dir.path())
                    .env("GRISTMILL_CACHE_STRICT", "1")
                    .stdout(std::process::Stdio::piped())
                    .stderr(std::process::Stdio::piped())
                    .spawn()
                    .expect("it starts")
            })
            .collect();
        for child in children {
            let origin = result(&child.wait_with_output().expect("it ends"));
            assert!(origin == "DiskCache" || (round == 0 && origin == "Built"), "{origin}");
        }
        let cache = ProgramCache::at(dir.path().join("cache")).key_file(dir.path().join("gristmill/program-cache.key"));
        let entries = cache.entries().expect("readable");
        assert_eq!(entries.len(), 1);
        assert!(entries[0].content.is_ok());
        let names = std::fs::read_dir(cache.dir()).expect("a folder").map(|e| e.expect("an entry").file_name());
        assert!(names.into_iter().all(|n| !n.to_string_lossy().starts_with('.')), "no temporary files");
    }
}

#[test]
fn a_cache_folder_that_cannot_be_written_is_one_warning() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("file");
    std::fs::write(&file, "").expect("written");
    let with = |strict: &str| {
        let mut command = command("run");
        command
            .env_remove("GRISTMILL_NO_CACHE")
            .env("GRISTMILL_CACHE_DIR", file.join("cache"))
            .env("XDG_DATA_HOME", dir.path())
            .env("GRISTMILL_CACHE_STRICT", strict);
        command.output().expect("it starts")
    };
    let output = with("0");
    assert_eq!(result(&output), "Built");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        stderr.matches("warning: program cache: cannot ").count(),
        1,
        "reading and writing, once for both: {stderr}"
    );
    assert!(result(&with("1")).starts_with("error: program cache: cannot "));
}
