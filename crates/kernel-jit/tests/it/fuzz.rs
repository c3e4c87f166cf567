//! Random programs: single calls and block loops of the native code against the interpreter. `cargo xtask fuzz` runs more of them.

use crate::data::{Rng, judge};
use crate::generate;
use gristmill_kernel_jit::{KernelSource, Lowering};
use gristmill_kernel_lang::interp::Module;

#[test]
fn random_programs_give_the_interpreters_bits_by_single_calls_and_block_loops() {
    let number = |name: &str, default: u64| std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default);
    let (first, count, points) = (number("SEED", 1), number("SEEDS", 2), number("POINTS", 12) as usize);
    let (mut compared, mut on_lanes, mut kernels) = (0, 0, 0);
    for seed in first..first + count {
        let text = generate::module(seed, number("PROGRAMS", 6) as usize, true);
        let text = text.lines().filter(|l| !l.starts_with("pub const KERNELS")).collect::<Vec<_>>().join("\n");
        let module = Module::parse(&text).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        let source = KernelSource::parse(&text).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        let mut rng = Rng(seed | 1 << 40);
        for f in source.functions().filter(|f| f.name().starts_with('k') && !f.name().contains('_')) {
            kernels += 1;
            match source.explain(f.name()) {
                Some(Lowering::Native { lanes, .. }) => on_lanes += usize::from(lanes > 1),
                other => panic!("seed {seed}: {}: {other:?}", f.name()),
            }
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
    println!("{kernels} kernels, {on_lanes} on lanes, {compared} results compared");
    assert!(compared > 0);
}
