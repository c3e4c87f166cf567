//! Random programs as texts at run time: native code by single calls, block loops and strided ckernels against the interpreter.
//! `cargo xtask fuzz kernels` runs it, after the programs that rustc compiles.

#[path = "../tests/it/data.rs"]
#[allow(dead_code, unreachable_pub)]
mod data;
#[path = "../../kernel/tests/it/fuzz/generate.rs"]
#[allow(dead_code, unreachable_pub)]
mod generate;
#[path = "../../kernel/tests/it/fuzz/options.rs"]
#[allow(unreachable_pub)]
mod options;

use data::{Rng, judge};
use gristmill_kernel_jit::{KernelSource, Lowering};
use gristmill_kernel_lang::interp::Module;
use options::Options;
use std::process::ExitCode;
use std::time::{Duration, Instant};

fn main() -> ExitCode {
    let o = match Options::read(40, 60) {
        Ok(o) => o,
        Err(e) => {
            eprintln!("error: {e}");
            return ExitCode::from(2);
        }
    };
    let (start, limit) = (Instant::now(), Duration::from_secs(o.seconds));
    let (mut seed, mut kernels, mut on_lanes, mut compared, mut bad) = (o.seed, 0u64, 0u64, 0u64, 0u64);
    while start.elapsed() < limit && bad < 5 {
        let text = generate::module(seed, o.programs, true);
        let text = text.lines().filter(|l| !l.starts_with("pub const KERNELS")).collect::<Vec<_>>().join("\n");
        let module = match Module::parse(&text) {
            Ok(module) => module,
            Err(e) => {
                println!("seed {seed}: the generator wrote what is no program: {e}");
                bad += 1;
                seed += 1;
                continue;
            }
        };
        let mut rng = Rng(seed | 1 << 40);
        match KernelSource::parse(&text) {
            Err(e) => {
                println!("seed {seed}: {e}");
                bad += 1;
            }
            Ok(source) => {
                for f in source.functions().filter(|f| f.name().starts_with('k') && !f.name().contains('_')) {
                    kernels += 1;
                    let outcome = match source.explain(f.name()) {
                        Some(Lowering::Native { lanes, .. }) => {
                            on_lanes += u64::from(lanes > 1);
                            judge(&module, &f, &mut rng, o.points)
                        }
                        other => Err(format!("{}: no native code: {other:?}", f.name())),
                    };
                    match outcome {
                        Ok(n) => compared += n as u64,
                        Err(e) => {
                            println!("seed {seed}: {e}\n{}", source.rust(f.name()).unwrap_or_default());
                            bad += 1;
                        }
                    }
                }
            }
        }
        seed += 1;
    }
    println!(
        "{kernels} programs as text, {on_lanes} of them on lanes, {} inputs each on every path, {compared} results compared, seeds {} \
         to {}, {:.0} s: {bad} differences",
        o.points,
        o.seed,
        seed - 1,
        start.elapsed().as_secs_f64()
    );
    if bad == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
