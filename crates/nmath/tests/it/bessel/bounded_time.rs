//! No call takes long, whatever its arguments: the longest loops are 80 terms of a series and 25 steps of a recurrence.

use gristmill_nmath::{bessel_i, bessel_j, bessel_k, bessel_y};
use std::hint::black_box;
use std::time::Instant;

/// Microseconds. The slowest calls known take a tenth of it.
const LIMIT: f64 = if cfg!(debug_assertions) { 300.0 } else { 30.0 };

#[test]
fn no_call_takes_long() {
    let ends = [0.0, 5e-324, 1e-310, 1e-200, 1e-20, 0.1, 0.999, 1.0, 3.9, 7.99, 8.01, 19.9, 22.9, 23.1, 24.99];
    let more = [25.0, 30.0, 47.0, 99.5, 700.0, 1e4, 1e5, 1e7, 9.9e8, 1.1e9, 1e15, 1e100, 1e154, 1e300, f64::MAX];
    let numbers: Vec<f64> = ends.into_iter().chain(more).chain([f64::INFINITY, f64::NAN]).collect();
    for &x in &numbers {
        for &order in &numbers {
            for nu in [order, -order, order.floor() + 0.5] {
                let calls: [(&str, &dyn Fn() -> f64); 4] = [
                    ("bessel_i", &|| bessel_i(x, nu, 1.0)),
                    ("bessel_j", &|| bessel_j(x, nu)),
                    ("bessel_k", &|| bessel_k(x, nu, 2.0)),
                    ("bessel_y", &|| bessel_y(x, nu)),
                ];
                for (name, call) in calls {
                    // a busy machine makes single measurements long: only those are repeated
                    let time = || {
                        let start = Instant::now();
                        black_box(call());
                        start.elapsed().as_secs_f64() * 1e6
                    };
                    let least =
                        if time() > LIMIT { (0..20).map(|_| time()).fold(f64::INFINITY, f64::min) } else { 0.0 };
                    assert!(least <= LIMIT, "{name}({x}, {nu}): {least:.0} microseconds");
                }
            }
        }
    }
}
