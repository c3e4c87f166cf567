//! Every kernel that is shipped, on every path.

use gristmill_cl_runtime::Device;
use gristmill_engine::verify::{Sampling, verify_together};
use gristmill_kernel::Function;

/// Few points, because the device's compiler takes nearly all of the time; `gristmill verify` does a million.
const POINTS: usize = 300;
/// Tests run side by side, and so do the device's compilers.
const PARTS: usize = 4;

fn every_fourth_kernel_from(start: usize) {
    let device = Device::from_env().expect("an OpenCL device: install PoCL, or run `cargo xtask test`");
    let functions: Vec<Function> = gristmill_nmath::KERNELS.iter().skip(start).step_by(PARTS).copied().collect();
    let plan = Sampling { points: POINTS, seed: 11 };
    let reports = verify_together(&functions, Some(&device), plan).expect("every path runs");
    assert_eq!(reports.len(), functions.len());
    for report in reports {
        assert!(report.paths.iter().any(|p| p.0 == "device"), "{report:?}");
        assert!(report.same(), "{report:?}");
    }
}

#[test]
fn every_kernel_gives_the_same_bits_on_every_path_part_1() {
    every_fourth_kernel_from(0);
}

#[test]
fn every_kernel_gives_the_same_bits_on_every_path_part_2() {
    every_fourth_kernel_from(1);
}

#[test]
fn every_kernel_gives_the_same_bits_on_every_path_part_3() {
    every_fourth_kernel_from(2);
}

#[test]
fn every_kernel_gives_the_same_bits_on_every_path_part_4() {
    every_fourth_kernel_from(3);
}
