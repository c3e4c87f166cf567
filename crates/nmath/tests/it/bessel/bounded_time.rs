//! No call takes long, whatever its arguments: the longest loops are 80 terms of a series and 25 steps of a recurrence.

use crate::support::timing::relative_time;
use gristmill_nmath::{bessel_i, bessel_j, bessel_k, bessel_y};
use std::hint::black_box;

/// Hundreds of calls of `lgammafn`.
const LIMIT: f64 = 30.0;

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
                    let time = relative_time(LIMIT, || {
                        black_box(call());
                    });
                    assert!(time <= LIMIT, "{name}({x}, {nu}): {time:.0} times as long as 100 lgammafn");
                }
            }
        }
    }
}
