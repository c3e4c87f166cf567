//! The law: every path gives the same bits.

use crate::data::{Data, OnDevice, Rng, assert_same, by_block, by_single};
use crate::{demo, shapes};
use gristmill_kernel::{Function, Level};

const POINTS: usize = 20_000;

fn functions() -> Vec<Function> {
    demo::KERNELS.iter().chain(shapes::FUNCTIONS).copied().collect()
}

fn inputs(f: &Function, rng: &mut Rng, n: usize) -> Vec<Data> {
    f.params().map(|(_, ty)| rng.column(ty, n)).collect()
}

#[test]
fn single_block_and_device_agree_bit_for_bit() {
    let functions = functions();
    let device = OnDevice::build(&functions);
    let mut rng = Rng(0x9E37_79B9_7F4A_7C15);
    for (k, f) in functions.iter().enumerate() {
        let ins = inputs(f, &mut rng, POINTS);
        let expected = by_single(f, Level::best(), &ins, POINTS);
        for level in Level::all() {
            assert_same(f, level.name(), &ins, &expected, &by_single(f, level, &ins, POINTS), POINTS);
            assert_same(f, level.name(), &ins, &expected, &by_block(f, level, &ins, POINTS), POINTS);
        }
        assert_same(f, "the device", &ins, &expected, &device.run(k, f, &ins, POINTS), POINTS);
    }
}

#[test]
fn uniform_arguments_change_no_bit_whichever_they_are() {
    let functions = functions();
    let device = OnDevice::build(&functions);
    let mut rng = Rng(42);
    let n = 700; // not a multiple of a chunk
    for (k, f) in functions.iter().enumerate() {
        let count = f.params().len();
        for mask in 0..1usize << count {
            let full = inputs(f, &mut rng, n);
            let pick = |uniform: fn(&Data) -> Data| -> Vec<Data> {
                let choose = |(i, d): (usize, &Data)| if mask >> i & 1 == 1 { uniform(d) } else { d.clone() };
                full.iter().enumerate().map(choose).collect()
            };
            let (short, long) = (pick(Data::first), pick(Data::repeated));
            let expected = by_single(f, Level::best(), &long, n);
            for level in Level::all() {
                assert_same(f, level.name(), &short, &expected, &by_block(f, level, &short, n), n);
            }
            if mask % 3 == 1 {
                assert_same(f, "the device", &short, &expected, &device.run(k, f, &short, n), n);
            }
        }
    }
}
