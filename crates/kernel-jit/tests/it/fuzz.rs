//! Random programs: single calls and block loops of a text, whose types are all known, against the module that guesses them.

use crate::data::{Rng, judge};
use crate::generate;
use gristmill_kernel_jit::KernelSource;
use gristmill_kernel_lang::interp::Module;

#[test]
fn random_programs_give_the_interpreters_bits_by_single_calls_and_block_loops() {
    let number = |name: &str, default: u64| std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default);
    let (first, count, points) = (number("SEED", 1), number("SEEDS", 2), number("POINTS", 4) as usize);
    let (mut compared, mut kernels) = (0, 0);
    for seed in first..first + count {
        let text = generate::module(seed, 6, true);
        let text = text.lines().filter(|l| !l.starts_with("pub const KERNELS")).collect::<Vec<_>>().join("\n");
        let module = Module::parse(&text).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        let source = KernelSource::parse(&text).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        let mut rng = Rng(seed | 1 << 40);
        for f in source.functions().filter(|f| f.name().starts_with('k') && !f.name().contains('_')) {
            kernels += 1;
            match judge(&module, &f, &mut rng, points) {
                Ok(n) => compared += n,
                Err(e) => {
                    let body = source.rust(f.name()).unwrap_or_default();
                    std::fs::write(std::env::temp_dir().join(format!("jit-seed-{seed}.rs")), &text).expect("writable");
                    panic!("seed {seed}: {e}\n{body}");
                }
            }
        }
    }
    println!("{kernels} kernels, {compared} results compared");
    assert!(compared > 0);
}
