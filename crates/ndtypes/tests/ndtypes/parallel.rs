//! The parallel call equals the sequential one: values, errors, indices.

use gristmill_ckernel::{Deferred, ErrorKind, KernelError};
use gristmill_ndtypes::{
    Array, ArrayMut, ArrayRef, Error, ErrorMode, Parallel, Value, apply, assign, par_apply, par_assign,
};
use proptest::prelude::*;
use rayon::ThreadPool;

use crate::{array, set, ty};

/// Splits everything.
const FINE: Parallel = Parallel { threshold: 0, grain: 1 };

fn pool() -> ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap()
}

#[test]
fn above_the_threshold_the_result_is_the_same() {
    let n = 300_001;
    let src: Vec<i32> = (0..n).collect();
    let mut dst = vec![0f64; n as usize];
    pool().install(|| {
        let from = ArrayRef::from_slice(&src).unwrap();
        par_assign(&mut ArrayMut::from_slice(&mut dst).unwrap(), &from, ErrorMode::Inexact, Parallel::default())
            .unwrap();
    });
    assert!(dst.iter().enumerate().all(|(i, &x)| x == i as f64));
}

/// Each thread meets errors of its own; the one with the lowest index is reported, whoever meets it first.
#[test]
fn the_first_error_by_index_wins() {
    let pool = pool();
    let n = 200_000;
    let base: Vec<f64> = (0..n).map(f64::from).collect();
    for bad in [vec![199_999], vec![0, 199_999], vec![150_000, 150_001, 60_000, 190_000], vec![99_999, 100_000]] {
        let mut src = base.clone();
        bad.iter().for_each(|&i: &usize| src[i] += 0.5);
        let first = *bad.iter().min().unwrap();
        for _ in 0..20 {
            let mut dst = vec![-1i32; n as usize];
            let error = pool.install(|| {
                let from = ArrayRef::from_slice(&src).unwrap();
                par_assign(
                    &mut ArrayMut::from_slice(&mut dst).unwrap(),
                    &from,
                    ErrorMode::Fractional,
                    Parallel { threshold: 0, grain: 1000 },
                )
            });
            let Err(Error::Kernel(error)) = error else { panic!("{error:?}") };
            assert_eq!((error.kind(), error.element()), (ErrorKind::Fractional, Some(first)));
            assert!(dst[..first].iter().enumerate().all(|(i, &x)| x == i as i32));
        }
    }
}

#[test]
fn var_rows_are_allocated_by_many_threads() {
    let rows: Vec<Vec<i32>> = (0..3000).map(|i| (0..i % 7).collect()).collect();
    let src = array("strided * var * int32", rows.clone());
    let mut dst = Array::zeros(&ty("strided * var * float64"), &[3000]).unwrap();
    pool().install(|| par_assign(&mut dst.view_mut(), &src.view(), ErrorMode::Inexact, FINE)).unwrap();
    let mut back = Array::zeros(&ty("strided * var * int32"), &[3000]).unwrap();
    set(&mut back, &dst, ErrorMode::Inexact).unwrap();
    assert_eq!(back.to_value(), Value::from(rows));
}

#[test]
fn lifted_kernels_run_in_parallel_with_broadcasting() {
    let root =
        Deferred::expr(
            |x: f64, y: f64| {
                if x < 0.0 { Err(KernelError::new(ErrorKind::Foreign, "negative")) } else { Ok(x.sqrt() + y) }
            },
        );
    let (rows, columns) = (137, 91);
    let mut x: Vec<f64> = (0..rows * columns).map(|i| i as f64).collect();
    let y: Vec<f64> = (0..columns).map(|i| i as f64).collect();
    let shape = [rows, columns];
    let run = |x: &[f64]| {
        let mut out = vec![0f64; rows * columns];
        let (vx, vy) = (ArrayRef::from_shaped(x, &shape).unwrap(), ArrayRef::from_slice(&y).unwrap());
        let outcome = pool()
            .install(|| par_apply(&root, &mut ArrayMut::from_shaped(&mut out, &shape).unwrap(), &[&vx, &vy], FINE));
        (outcome, out)
    };
    let (outcome, out) = run(&x);
    outcome.unwrap();
    let mut sequential = vec![0f64; rows * columns];
    let (vx, vy) = (ArrayRef::from_shaped(&x, &shape).unwrap(), ArrayRef::from_slice(&y).unwrap());
    apply(&root, &mut ArrayMut::from_shaped(&mut sequential, &shape).unwrap(), &[&vx, &vy]).unwrap();
    assert_eq!(out, sequential);
    x[90 * columns + 5] = -1.0;
    x[100 * columns] = -1.0;
    assert_eq!(run(&x).0.unwrap_err().to_string(), format!("element {}: negative", 90 * columns + 5));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// Random shapes and memory orders, with or without a bad value: value for value and error for error.
    #[test]
    fn parallel_equals_sequential(
        shape in prop::collection::vec(1usize..7, 1..5),
        reversed in any::<bool>(),
        bad in prop::option::of((any::<prop::sample::Index>(), any::<prop::sample::Index>())),
        grain in 1usize..50,
    ) {
        let n: usize = shape.iter().product();
        let mut src: Vec<f64> = (0..n).map(|i| i as f64).collect();
        if let Some((a, b)) = bad {
            src[a.index(n)] = 0.5;
            src[b.index(n)] = 0.25;
        }
        let mut strides = vec![0isize; shape.len()];
        let mut step = 4isize;
        for k in 0..shape.len() {
            let axis = if reversed { k } else { shape.len() - 1 - k };
            strides[axis] = step;
            step *= shape[axis] as isize;
        }
        let dst_ty = ty(&format!("{}unaligned[int32]", "strided * ".repeat(shape.len())));
        let from = ArrayRef::from_shaped(&src, &shape).unwrap();
        let mut one = vec![0u8; 4 * n];
        let sequential = assign(&mut ArrayMut::from_bytes(&mut one, 0, &dst_ty, &shape, &strides).unwrap(), &from, ErrorMode::Fractional);
        let mut many = vec![0u8; 4 * n];
        let parallel = {
            thread_local! {
                static POOL: ThreadPool = pool();
            }
            POOL.with(|pool| pool.install(|| {
                let mut to = ArrayMut::from_bytes(&mut many, 0, &dst_ty, &shape, &strides).unwrap();
                par_assign(&mut to, &from, ErrorMode::Fractional, Parallel { threshold: 0, grain })
            }))
        };
        prop_assert_eq!(&sequential, &parallel);
        if sequential.is_ok() {
            prop_assert_eq!(one, many);
        }
    }
}
