//! Single calls, and block loops of every instruction set with an order for each element or one for all, give the same bits.

use gristmill_kernel::Level;
use gristmill_kernel::vectors::{V3, V4};
use gristmill_kernel::{Column, ColumnMut, Function};

use crate::support::Random;

/// As compiled in the crate itself.
fn functions() -> Vec<Function> {
    ["bessel_i", "bessel_j", "bessel_k", "bessel_y"]
        .map(|n| gristmill_nmath::kernel(n).expect("it is in the list"))
        .to_vec()
}

/// The instruction sets of this machine.
fn levels() -> Vec<Level> {
    let more = [V3::get().map(Level::V3), V4::get().map(Level::V4)];
    std::iter::once(Level::Base).chain(more.into_iter().flatten()).collect()
}

impl Random {
    /// Every region, its borders, and what is outside of the domain.
    fn point(&mut self) -> (f64, f64) {
        let nu = match (self.unit() * 8.0) as u32 {
            0 => self.unit() * 25.0,
            1 => (self.unit() * 40.0).floor(),
            2 => -self.unit() * 40.0,
            3 => self.log_uniform(1e-300, 1e300),
            4 => self.log_uniform(20.0, 1e6),
            5 => [0.0, -0.0, 0.5, 25.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN][(self.unit() * 7.0) as usize],
            _ => self.unit() * 3.0,
        };
        let x = match (self.unit() * 8.0) as u32 {
            0 => self.unit(),
            1 => self.unit() * 30.0,
            2 => self.log_uniform(1e-320, 1e308),
            3 => nu.abs() * (0.5 + self.unit()),
            4 => nu + (self.unit() - 0.5) * 20.0 * nu.abs().cbrt(),
            5 => [0.0, -0.0, 1.0, -1.0, 8.0, 20.0, 23.0, f64::INFINITY, f64::NAN][(self.unit() * 9.0) as usize],
            6 => self.log_uniform(10.0, 1e10),
            _ => self.unit() * 100.0,
        };
        (x, nu)
    }
}

fn bits(y: f64) -> u64 {
    if y.is_nan() { f64::NAN.to_bits() } else { y.to_bits() }
}

fn single(f: &Function, x: f64, nu: f64, expo: f64) -> f64 {
    let (x, nu, expo) = ([x], [nu], [expo]);
    let mut ins = vec![Column::F64(&x), Column::F64(&nu)];
    if f.params().count() == 3 {
        ins.push(Column::F64(&expo));
    }
    let mut out = [0.0];
    f.call_at(Level::Base, &ins, &mut [ColumnMut::F64(&mut out)], 0).expect("the columns fit");
    out[0]
}

fn compare(f: &Function, x: &[f64], nu: &[f64], expo: &[f64]) {
    let n = x.len();
    let mut ins = vec![Column::F64(x), Column::F64(nu)];
    if f.params().count() == 3 {
        ins.push(Column::F64(expo));
    }
    let at = |v: &[f64], i: usize| if v.len() == 1 { v[0] } else { v[i] };
    let expected: Vec<f64> = (0..n).map(|i| single(f, x[i], at(nu, i), at(expo, i))).collect();
    for level in levels() {
        let mut out = vec![0.0; n];
        f.map_on(level, &ins, &mut [ColumnMut::F64(&mut out)]).expect("the columns fit");
        for i in 0..n {
            assert_eq!(
                bits(out[i]),
                bits(expected[i]),
                "{} at x = {:?}, nu = {:?} on {level:?}: {} instead of {}",
                f.name(),
                x[i],
                at(nu, i),
                out[i],
                expected[i]
            );
        }
    }
}

#[test]
fn block_loops_equal_single_calls_bit_for_bit() {
    for f in &functions() {
        let mut random = Random(14);
        let points: Vec<(f64, f64)> = (0..20_001).map(|_| random.point()).collect();
        let x: Vec<f64> = points.iter().map(|p| p.0).collect();
        let nu: Vec<f64> = points.iter().map(|p| p.1).collect();
        let expo: Vec<f64> = (0..x.len()).map(|i| 1.0 + (i % 2) as f64).collect();
        compare(f, &x, &nu, &expo);
        for order in [0.0, 0.3, 5.0, 24.9, 25.0, 300.0, -2.5, -30.0] {
            compare(f, &x[..501], &[order], &[1.0]);
            compare(f, &x[..501], &[order], &[2.0]);
        }
    }
}
