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
#[path = "../tests/it/fuzz/options.rs"]
#[allow(unreachable_pub)]
mod options;

use options::Options;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

const MAIN: &str = r#"
#![allow(warnings, arithmetic_overflow, overflowing_literals, unconditional_panic)]
#[path = "@TESTS@/data.rs"]
mod data;
#[path = "@TESTS@/fuzz/judge.rs"]
mod judge;
mod kernels;
use data::{OnDevice, Rng};

fn main() {
    let mut args = std::env::args().skip(1).map(|a| a.parse::<u64>().expect("a number"));
    let (points, seed) = (args.next().expect("points") as usize, args.next().expect("seed"));
    let text = include_str!("kernels.rs");
    let module = gristmill_kernel_lang::interp::Module::parse(text).expect("rustc has accepted it");
    let device = OnDevice::build(kernels::KERNELS);
    let mut rng = Rng(seed | 1);
    let mut verdict = judge::Verdict::default();
    for (k, f) in kernels::KERNELS.iter().enumerate() {
        let before = verdict.differences.len();
        if let Err(e) = judge::judge(&module, (k, f), &device, &mut rng, points, &mut verdict) {
            verdict.differences.push(format!("{}: interpreter: {e}", f.name()));
        }
        if verdict.differences.len() > before {
            let new = &verdict.differences[before..];
            new.iter().take(6).for_each(|d| println!("{d}"));
            println!("{} paths differ", new.len());
            println!("{}", judge::text_of(text, f.name()));
        }
    }
    println!("compared {}", verdict.compared);
    std::process::exit(i32::from(!verdict.differences.is_empty()));
}
"#;

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
    let o = Options::read(500, 300)?;
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
             gristmill-cl-runtime = {{ path = \"{}\" }}\n[profile.release]\ncodegen-units = 4\n",
            path("kernel"),
            path("kernel-lang"),
            path("cl-runtime")
        ),
    )?;
    let tests = here.join("tests/it").display().to_string().replace('\\', "/");
    write(&batch.join("src/main.rs"), &MAIN.replace("@TESTS@", &tests))?;
    let start = Instant::now();
    let (mut seed, mut tried, mut compared, mut bad) = (o.seed, 0, 0u64, vec![]);
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
            binary.args([o.points.to_string(), seed.to_string()]).env("GRISTMILL_NO_CACHE", "1");
            run(&mut binary, Duration::from_secs(600), &dir.join("run.log"))?
        } else {
            (false, log)
        };
        tried += o.programs;
        let count = outcome.1.lines().find_map(|l| l.strip_prefix("compared ")?.parse::<u64>().ok());
        compared += count.unwrap_or(0);
        if !outcome.0 {
            let kept = dir.join(format!("seed-{seed}.rs"));
            write(&kept, &text)?;
            println!("seed {seed}: kept as {}\n{}", kept.display(), outcome.1);
            bad.push(seed);
        }
        seed += 1;
    }
    println!(
        "{tried} programs, {} inputs each on every path, {compared} results compared, seeds {} to {}, {:.0} s: {} batches with \
         a difference",
        o.points,
        o.seed,
        seed - 1,
        start.elapsed().as_secs_f64(),
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
