//! What the searches for a quantile of the beta distribution start from and give.

use super::incomplete_beta::{log1mexp_dd, log1p_any};
use super::logarithm::log_dd;
use gristmill_kernel::kernel;

/// A quantile `x` and `y = 1 - x`, each accurate.
#[kernel]
pub struct BetaPoint {
    /// The quantile.
    pub x: f64,
    /// 1 minus the quantile.
    pub y: f64,
    /// `log x` or `log y`, see `tail`.
    pub l: f64,
    /// Its rest.
    pub ll: f64,
    /// 1: `x` is so small that it may have underflowed, `l = log x`; 2: the same for `y`; 0: `l` is not set.
    pub tail: f64,
}

/// The same point seen from the other end.
#[kernel(inline)]
pub(crate) fn mirrored(r: BetaPoint) -> BetaPoint {
    BetaPoint { x: r.y, y: r.x, l: r.l, ll: r.ll, tail: if r.tail == 0.0 { 0.0 } else { 3.0 - r.tail } }
}

/// `log p` and `log(1 - p)` of a probability strictly between 0 and 1, as pairs: `(lp, lpl, lq, lql)`.
#[kernel(inline)]
pub(crate) fn log_both(p: f64, log_scale: bool) -> (f64, f64, f64, f64) {
    let lp = if log_scale { (p, 0.0) } else { log_dd((p, 0.0)) };
    let lq = if log_scale { log1mexp_dd((p, 0.0)) } else { log1p_any((-p, 0.0)) };
    (lp.0, lp.1, lq.0, lq.1)
}
