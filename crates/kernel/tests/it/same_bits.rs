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

#[test]
fn columns_that_fill_no_vector_give_the_same_bits() {
    let mut rng = Rng(3);
    for f in functions() {
        for n in 1..=2 * gristmill_kernel::vectors::MAX_LANES + 1 {
            let ins = inputs(&f, &mut rng, n);
            let expected = by_single(&f, Level::best(), &ins, n);
            for level in Level::all() {
                assert_same(&f, level.name(), &ins, &expected, &by_block(&f, level, &ins, n), n);
            }
        }
    }
}

/// A setup that is kept, by single calls or by a block loop, must be dropped with the first bit of a parameter that changes: the
/// sign of a zero, a NaN. Lanes keep theirs in other places than single calls do.
#[test]
fn parameters_that_repeat_give_the_same_bits() {
    let values = [1.5, 0.0, -0.0, f64::NAN, -2.0];
    for f in [
        shapes::split_with_table::FUNCTION,
        shapes::split_kernel::FUNCTION,
        shapes::split_direct::FUNCTION,
        shapes::split_two_setups::FUNCTION,
        shapes::split_two_setups_by_result::FUNCTION,
    ] {
        for run in [1, 3, 8, 16, 20, 500] {
            let n = 1300; // more than two blocks
            let column = |run: usize| Data::F64((0..n).map(|i| values[i / run % values.len()]).collect());
            let x = Data::F64((0..n).map(|i| (i * 7 % 31) as f64 * 0.37).collect());
            let ins = [x, column(run), column(2 * run), Data::Bool((0..n).map(|i| i / 100 % 2 == 0).collect())];
            let expected = by_single(&f, Level::best(), &ins, n);
            for level in Level::all() {
                assert_same(&f, level.name(), &ins, &expected, &by_single(&f, level, &ins, n), n);
                assert_same(&f, level.name(), &ins, &expected, &by_block(&f, level, &ins, n), n);
            }
        }
    }
}

#[test]
fn ckernels_agree_with_the_scalar_function_for_every_layout() {
    use gristmill_ckernel::{KernelRequest, Operand, OperandMut};
    let f = shapes::split_kernel::FUNCTION;
    let deferred = f.deferred().expect("one result");
    let (single, strided) = (
        deferred.instantiate(KernelRequest::Single).expect("builtin types"),
        deferred.instantiate(KernelRequest::Strided).expect("builtin types"),
    );
    let mut rng = Rng(7);
    let n = 1300; // more than two blocks
    let mut column = |n: usize| match rng.column(gristmill_kernel::Scalar::F64, n) {
        Data::F64(v) => v,
        _ => unreachable!(),
    };
    let (x, mu, sd) = (column(3 * n), column(n), column(n));
    let log = vec![false; n];
    // x backwards with a gap, mu contiguous, sd contiguous or uniform, dst with a gap.
    for uniform in [false, true] {
        let mut dst = vec![0.0; 2 * n];
        let back = Operand::strided(&x, 3 * n - 1, -3, n).expect("inside");
        let sd_operand = if uniform { Operand::repeat(&sd[0]) } else { Operand::slice(&sd) };
        let out = OperandMut::strided(&mut dst, 1, 2, n).expect("inside");
        let no = false;
        strided.run(out, &[back, Operand::slice(&mu), sd_operand, Operand::repeat(&no)]).expect("it runs");
        for i in 0..n {
            let sd = if uniform { sd[0] } else { sd[i] };
            let expected = shapes::split_kernel(x[3 * n - 1 - 3 * i], mu[i], sd, log[i]);
            assert_eq!(Data::F64(vec![expected]).bits(0), Data::F64(vec![dst[2 * i + 1]]).bits(0), "element {i}");
            assert_eq!(dst[2 * i], 0.0, "between the elements");
        }
    }
    let mut y: f64 = 0.0;
    let (a, b, c, d) = (1.25, 0.5, 2.0, true);
    let sources = [Operand::repeat(&a), Operand::repeat(&b), Operand::repeat(&c), Operand::repeat(&d)];
    single.run(OperandMut::slice(std::slice::from_mut(&mut y)), &sources).expect("it runs");
    assert_eq!(y.to_bits(), shapes::split_kernel(a, b, c, d).to_bits());
}

#[test]
fn a_ckernel_may_work_in_place() {
    use gristmill_ckernel::KernelRequest;
    let strided =
        demo::exp::FUNCTION.deferred().expect("one result").instantiate(KernelRequest::Strided).expect("builtin");
    let mut x: Vec<f64> = (0..1000).map(|i| f64::from(i) * 0.01 - 5.0).collect();
    let expected: Vec<u64> = x.iter().map(|x| demo::exp(*x).to_bits()).collect();
    let at = x.as_mut_ptr().cast::<u8>();
    // SAFETY: rules 2, 3 and 5 of the ABI hold; by rule 4 source and destination may share start and stride.
    unsafe { strided.expr_strided(at, 8, &at.cast_const(), &8, 1000) }.expect("it runs");
    assert_eq!(x.iter().map(|x| x.to_bits()).collect::<Vec<_>>(), expected);
}

#[test]
fn kernels_with_several_results_are_no_ckernels() {
    let error = shapes::dd_sum3::FUNCTION.deferred().expect_err("two results").to_string();
    assert!(error.contains("`dd_sum3` has 2 results, but a ckernel has one destination"), "{error}");
}

#[test]
fn columns_that_do_not_fit_are_refused_and_nothing_is_written() {
    use gristmill_kernel::{Column, ColumnMut};
    let f = shapes::split_kernel::FUNCTION; // (x, mu, sd, log) -> f64
    let (x, one, flag, ints) = ([1.0, 2.0, 3.0], [1.0], [false], [1, 2, 3]);
    let whole = [Column::F64(&x), Column::F64(&one), Column::F64(&one), Column::Bool(&flag)];
    let mut wrong: Vec<(Vec<Column>, &str)> =
        vec![(whole[..3].to_vec(), "3"), ([&whole[..], &whole[..1]].concat(), "5"), (vec![], "0")];
    for i in 0..4 {
        let mut typed = whole.to_vec();
        typed[i] = Column::I32(&ints);
        wrong.push((typed, "i32"));
        let mut long = whole.to_vec();
        long[i] = if i == 3 { Column::Bool(&[true, false]) } else { Column::F64(&[1.0, 2.0]) };
        wrong.push((long, "2"));
        let mut empty = whole.to_vec();
        empty[i] = if i == 3 { Column::Bool(&[]) } else { Column::F64(&[]) };
        wrong.push((empty, "0"));
    }
    let mut y = [7.0; 3];
    for (ins, named) in wrong {
        for level in Level::all() {
            let error = f.map_on(level, &ins, &mut [ColumnMut::F64(&mut y)]).expect_err("it does not fit").to_string();
            assert!(error.contains("`split_kernel`") && error.contains(named), "{error}");
            f.call_at(level, &ins, &mut [ColumnMut::F64(&mut y)], 0).expect_err("nor here");
        }
    }
    f.map(&whole, &mut [ColumnMut::F64(&mut y), ColumnMut::F64(&mut [0.0; 3])]).expect_err("one result");
    f.map(&whole, &mut [ColumnMut::F32(&mut [0.0; 3])]).expect_err("of another type");
    f.call_at(Level::best(), &whole, &mut [ColumnMut::F64(&mut y)], 3).expect_err("there are three elements");
    assert_eq!(y, [7.0; 3]);
    let none = [Column::F64(&[]), Column::F64(&one), Column::F64(&[]), Column::Bool(&flag)];
    f.map(&none, &mut [ColumnMut::F64(&mut [])]).expect("no elements are fine");
}

#[test]
fn entry_points_agree_natively_interpreted_and_on_the_device() {
    use gristmill_cl_runtime::{Arg, Device, Launch};
    use gristmill_kernel_lang::interp::{Module, Val};
    let mut rng = Rng(5);
    let mut column = |n: usize| (0..n).map(|_| rng.f64()).collect::<Vec<f64>>();
    let (x, y) = (column(900), column(900));
    let a = 1.7;
    let (mut native, mut touched) = (y.clone(), vec![false; 900]);
    shapes::axpy::launch(900, a, &x, &mut native, &mut touched);

    let source = include_str!("shapes.rs");
    let module = Module::parse(source).expect("rustc has accepted it");
    let floats = |v: &[f64]| v.iter().map(|x| Val::F64(*x)).collect::<Vec<_>>();
    let mut buffers = vec![floats(&x), floats(&y), vec![Val::Bool(false); 900]];
    let args = [Val::F64(a), Val::Slice(0), Val::Slice(1), Val::Slice(2)];
    module.launch("axpy", 900, &args, &mut buffers, 1_000_000).expect("bounded");

    let mut assembly = gristmill_kernel_cl::Assembly::new();
    let entry = assembly.add(<shapes::axpy as gristmill_kernel::KernelItem>::SHARD);
    let program = Device::from_env().expect("an OpenCL device").build(&assembly.text(), "").expect("it compiles");
    let (mut device, mut marks) = (y, vec![0u8; 900]);
    let n = 900u64;
    let mut args = [
        Arg::value(n),
        Arg::value(a),
        Arg::input(&x),
        Arg::value(n),
        Arg::in_out(&mut device),
        Arg::value(n),
        Arg::in_out(&mut marks),
        Arg::value(n),
    ];
    // More work-items than elements: the rest returns at once.
    program.kernel(&entry).expect("it is there").run_guarded(&Launch::linear(1024), &mut args).expect("it runs");
    for i in 0..900 {
        let bits = |x: f64| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() };
        let Val::F64(interpreted) = buffers[1][i] else { panic!("a float") };
        assert_eq!((bits(native[i]), bits(native[i])), (bits(interpreted), bits(device[i])), "element {i}");
        assert_eq!((touched[i], marks[i]), (true, 1), "element {i}");
    }
}
