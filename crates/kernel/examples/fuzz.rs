//! Differential fuzzing with new programs: native code (both instruction sets, single and block) against the interpreter
//! against the OpenCL device. `cargo xtask fuzz` runs it.
//!
//! Each batch is a crate of its own under target/fuzz, compiled by rustc and run under a time limit.

#[path = "../tests/it/data.rs"]
#[allow(dead_code, unreachable_pub)]
mod data;
#[path = "../tests/it/fuzz/generate.rs"]
#[allow(unreachable_pub)]
mod generate;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

const MAIN: &str = r#"
#![allow(warnings)]
#[path = "@TESTS@/data.rs"]
mod data;
#[path = "@TESTS@/fuzz/judge.rs"]
mod judge;
mod kernels;
use data::{Data, OnDevice, Rng, by_block, by_single};
use gristmill_kernel::Level;

fn main() {
    let points: usize = std::env::args().nth(1).and_then(|a| a.parse().ok()).expect("points");
    let module = gristmill_kernel_lang::interp::Module::parse(include_str!("kernels.rs")).expect("rustc has accepted it");
    let device = OnDevice::build(kernels::KERNELS);
    let mut rng = Rng(7);
    let mut failed = 0;
    for (k, f) in kernels::KERNELS.iter().enumerate() {
        let func = module.function(f.name()).expect("the same text");
        let ins = judge::inputs(func, &mut rng, points);
        let expected = match judge::interpret(&module, f.name(), &ins, points) {
            Ok(e) => e,
            Err(e) => { println!("{}: interpreter: {e}", f.name()); failed += 1; continue; }
        };
        let mut check = |what: &str, given: &[Data]| {
            if let Some(first) = judge::difference(&ins, &expected, given, points) {
                println!("{}: interpreter or {what}: {first}", f.name());
                failed += 1;
            }
        };
        for level in Level::all() {
            check(level.name(), &by_single(f, level, &ins, points));
            check(level.name(), &by_block(f, level, &ins, points));
        }
        check("device", &device.run(k, f, &ins, points));
    }
    std::process::exit((failed > 0) as i32);
}
"#;

struct Options {
    seed: u64,
    programs: usize,
    points: usize,
    seconds: u64,
}

fn options() -> Result<Options, String> {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(1, |d| d.as_secs());
    let mut o = Options { seed: now, programs: 100, points: 2000, seconds: 300 };
    let mut args = std::env::args().skip(1);
    while let Some(a) = args.next() {
        let value = args.next().ok_or(format!("`{a}` needs a value"))?;
        let number: u64 = value.parse().map_err(|_| format!("`{a}` is {value}, but must be a number"))?;
        match a.as_str() {
            "--seed" => o.seed = number,
            "--programs" => o.programs = number as usize,
            "--points" => o.points = number as usize,
            "--seconds" => o.seconds = number,
            _ => {
                return Err(format!(
                    "unknown option `{a}`; there are --seed, --programs (per batch), --points, --seconds"
                ));
            }
        }
    }
    Ok(o)
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::create_dir_all(path.parent().expect("a file in a directory"))
        .and_then(|()| std::fs::write(path, text))
        .map_err(|e| format!("cannot write {}: {e}", path.display()))
}

/// Runs a command for at most `limit`; gives success and output.
fn run(command: &mut Command, limit: Duration, log: &Path) -> Result<(bool, String), String> {
    let file = std::fs::File::create(log).map_err(|e| format!("cannot write {}: {e}", log.display()))?;
    let errors = file.try_clone().map_err(|e| e.to_string())?;
    let mut child = command.stdout(file).stderr(errors).spawn().map_err(|e| format!("cannot run {command:?}: {e}"))?;
    let start = Instant::now();
    let success = loop {
        if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
            break status.success();
        }
        if start.elapsed() > limit {
            let _ = child.kill();
            let _ = child.wait();
            return Ok((false, format!("did not end within {} s", limit.as_secs())));
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    Ok((success, std::fs::read_to_string(log).unwrap_or_default()))
}

fn fuzz() -> Result<bool, String> {
    let o = options()?;
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let crates = here.parent().expect("crates/kernel");
    let dir = crates.parent().expect("the workspace").join("target/fuzz");
    let batch = dir.join("batch");
    let path = |name: &str| crates.join(name).display().to_string().replace('\\', "/");
    write(
        &batch.join("Cargo.toml"),
        &format!(
            "[package]\nname = \"gristmill-fuzz-batch\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n\
             gristmill-kernel = {{ path = \"{}\" }}\ngristmill-kernel-lang = {{ path = \"{}\" }}\n\
             gristmill-cl-runtime = {{ path = \"{}\" }}\n[profile.release]\nincremental = true\n",
            path("kernel"),
            path("kernel-lang"),
            path("cl-runtime")
        ),
    )?;
    let tests = here.join("tests/it").display().to_string().replace('\\', "/");
    write(&batch.join("src/main.rs"), &MAIN.replace("@TESTS@", &tests))?;
    let start = Instant::now();
    let (mut seed, mut tried, mut bad) = (o.seed, 0, vec![]);
    while start.elapsed().as_secs() < o.seconds && bad.len() < 5 {
        // In a release build an index out of range is defined, so it is tried too.
        let text = generate::module(seed, o.programs, true);
        write(&batch.join("src/kernels.rs"), &text)?;
        let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
        let mut build = Command::new(cargo);
        build.args(["build", "--release", "--quiet"]).current_dir(&batch).env("CARGO_TARGET_DIR", dir.join("target"));
        let (built, log) = run(&mut build, Duration::from_secs(900), &dir.join("build.log"))?;
        let outcome = if built {
            let mut binary = Command::new(dir.join("target/release/gristmill-fuzz-batch"));
            // Programs are new each time: no need to keep them.
            binary.arg(o.points.to_string()).env("GRISTMILL_NO_CACHE", "1");
            run(&mut binary, Duration::from_secs(600), &dir.join("run.log"))?
        } else {
            (false, log)
        };
        tried += o.programs;
        if !outcome.0 {
            let kept = dir.join(format!("seed-{seed}.rs"));
            write(&kept, &text)?;
            println!("seed {seed}: kept as {}\n{}", kept.display(), outcome.1);
            bad.push(seed);
        }
        seed += 1;
    }
    println!(
        "{tried} programs, {} points each, seeds {} to {}: {} batches with a difference",
        o.points,
        o.seed,
        seed - 1,
        bad.len()
    );
    Ok(bad.is_empty())
}

fn main() -> ExitCode {
    match fuzz() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::from(2)
        }
    }
}
