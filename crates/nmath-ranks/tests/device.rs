//! The OpenCL device gives the same bits.
#![allow(missing_docs)]

use gristmill_cl_runtime::{Arg, Device, Launch};
use gristmill_kernel_cl::Assembly;
use gristmill_nmath_ranks::{KERNELS, dsignrank, pwilcox, qsignrank, rwilcox};

#[test]
fn the_device_gives_the_same_bits() {
    let mut assembly = Assembly::new();
    let entries: Vec<String> = KERNELS.iter().map(|f| assembly.add_map(f.shard())).collect();
    let entry = |name: &str| &entries[KERNELS.iter().position(|f| f.name() == name).expect("a kernel")];
    let program = Device::from_env().expect("an OpenCL device").build(&assembly.text(), "").expect("it compiles");
    let run = |name: &str, args: &mut [Arg<'_>]| {
        program.kernel(entry(name)).expect("it is there").run(&Launch::linear(8), args).expect("it runs");
    };
    // a table, counts of the tail, the circle, other peaks; NaN
    let x = [3.0, 700.0, 2000.0, 1700.0, 5000.0, 2400.0, f64::NAN, 12.0];
    let m = [5.0, 50.0, 100.0, 100.0, 100.0, 5.0, 3.0, 0.0];
    let n = [6.0, 50.0, 100.0, 120.0, 100.0, 1000.0, 3.0, 3.0];
    let (flags, off) = ([1u8, 0, 1, 0, 1, 0, 1, 0], [0u8; 8]);
    let same = |what: &str, device: &[f64], host: &dyn Fn(usize) -> f64| {
        for (i, device) in device.iter().enumerate() {
            let host = host(i);
            let equal = device.to_bits() == host.to_bits() || device.is_nan() && host.is_nan();
            assert!(equal, "{what}, element {i}: {device} on the device, {host} here");
        }
    };
    let (count, one) = (8u64, 1i64);
    let mut y = [0.0; 8];
    let mut args = [
        Arg::value(count),
        Arg::input(&x),
        Arg::value(one),
        Arg::input(&m),
        Arg::value(one),
        Arg::input(&n),
        Arg::value(one),
        Arg::input(&flags),
        Arg::value(one),
        Arg::input(&off),
        Arg::value(one),
        Arg::output(&mut y),
    ];
    run("pwilcox", &mut args);
    same("pwilcox", &y, &|i| pwilcox(x[i], m[i], n[i], flags[i] == 1, false));

    let mut args = [
        Arg::value(count),
        Arg::input(&x),
        Arg::value(one),
        Arg::input(&n),
        Arg::value(one),
        Arg::input(&flags),
        Arg::value(one),
        Arg::output(&mut y),
    ];
    run("dsignrank", &mut args);
    same("dsignrank", &y, &|i| dsignrank(x[i], n[i], flags[i] == 1));

    let p = [0.5, 1e-9, 0.999_999, 0.25, 1e-100, 0.0, f64::NAN, 1.0];
    let mut args = [
        Arg::value(count),
        Arg::input(&p),
        Arg::value(one),
        Arg::input(&n),
        Arg::value(one),
        Arg::input(&flags),
        Arg::value(one),
        Arg::input(&off),
        Arg::value(one),
        Arg::output(&mut y),
    ];
    run("qsignrank", &mut args);
    same("qsignrank", &y, &|i| qsignrank(p[i], n[i], flags[i] == 1, false));

    let index = [0u64, 1, 2, 3, 4, 5, 6, u64::MAX];
    let (seed, stream, zero) = ([42u64], [7u32], 0i64);
    let mut args = [
        Arg::value(count),
        Arg::input(&seed),
        Arg::value(zero),
        Arg::input(&stream),
        Arg::value(zero),
        Arg::input(&index),
        Arg::value(one),
        Arg::input(&m),
        Arg::value(one),
        Arg::input(&n),
        Arg::value(one),
        Arg::output(&mut y),
    ];
    run("rwilcox", &mut args);
    same("rwilcox", &y, &|i| rwilcox(42, 7, index[i], m[i], n[i]));
}
