//! One binary for all integration tests.
#![allow(missing_docs)]

mod demo;

use gristmill_kernel::{Column, ColumnMut};

#[test]
fn block_loops_give_the_bits_of_the_scalar_function() {
    let x: Vec<f64> = (0..4000).map(|i| (i as f64 - 2000.0) * 0.37).collect();
    let entry = demo::exp::ENTRY;
    let mut scalar = vec![0.0; x.len()];
    let mut block = vec![0.0; x.len()];
    (entry.scalar)(&[Column::F64(&x)], &mut [ColumnMut::F64(&mut scalar)]);
    entry.block(&[Column::F64(&x)], &mut [ColumnMut::F64(&mut block)]);
    let bits = |v: &[f64]| v.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&scalar), bits(&block));
}
