//! What the searches for a quantile of the beta distribution start from and give.

use super::binomial_kernel::exp_of;
use super::double_double::{fast_two_sum, two_sum};
use super::exponential::{exp_parts, expm1_pair};
use super::incomplete_beta::{log1mexp_dd, log1p_any};
use super::logarithm::log_dd;
use super::scaling::power_of_two;
use gristmill_kernel::kernel;

/// A quantile `x` and `y = 1 - x`, each accurate beyond a double, as a pair.
#[kernel]
pub struct BetaPoint {
    /// The quantile, as a pair.
    pub x: (f64, f64),
    /// 1 minus the quantile, as a pair.
    pub y: (f64, f64),
    /// `log x` or `log y`, see `tail`.
    pub l: (f64, f64),
    /// 1: `x` is so small that it may have underflowed, `l = log x`; 2: the same for `y`; 0: `l` is not set.
    pub tail: f64,
}

/// The same point seen from the other end.
#[kernel(inline)]
pub(crate) fn mirrored(r: BetaPoint) -> BetaPoint {
    let tail = if r.tail == 0.0 { 0.0 } else { 3.0 - r.tail };
    BetaPoint { x: r.y, y: r.x, l: r.l, tail }
}

/// The point at `x`, a pair that is not near 1.
#[kernel(inline)]
pub(crate) fn point_at(x: (f64, f64)) -> BetaPoint {
    let y = two_sum(1.0, -x.0);
    let y = fast_two_sum(y.0, y.1 - x.1);
    BetaPoint { x, y, l: (0.0, 0.0), tail: 0.0 }
}

/// The point at `exp(l)`, `l < 0` a pair; below `exp(-46)` it may underflow.
#[kernel(inline)]
pub(crate) fn point_of_log(l: (f64, f64)) -> BetaPoint {
    if l.0 < -46.0 {
        let v = if l.0 > -1500.0 { exp_of(l) } else { 0.0 };
        return BetaPoint { x: (v, 0.0), y: (1.0, 0.0), l, tail: 1.0 };
    }
    let (high, low, k) = exp_parts(l);
    let unit = power_of_two(k);
    let m = expm1_pair(l);
    let near = l.0 > -1e-30;
    let y = (if near { -l.0 } else { -m.0 }, if near { -l.1 } else { -m.1 });
    BetaPoint { x: (high * unit, low * unit), y, l, tail: 0.0 }
}

/// No point: another method serves.
#[kernel(inline)]
pub(crate) fn no_point() -> BetaPoint {
    BetaPoint { x: (0.0, 0.0), y: (0.0, 0.0), l: (0.0, 0.0), tail: -1.0 }
}

/// `log p` and `log(1 - p)` of a probability strictly between 0 and 1, as pairs: `(lp, lpl, lq, lql)`.
#[kernel(inline)]
pub(crate) fn log_both(p: f64, log_scale: bool) -> (f64, f64, f64, f64) {
    let lp = if log_scale { (p, 0.0) } else { log_dd((p, 0.0)) };
    let lq = if log_scale { log1mexp_dd((p, 0.0)) } else { log1p_any((-p, 0.0)) };
    (lp.0, lp.1, lq.0, lq.1)
}
