//! `u v / (u v + n)` and `n / (u v + n)` as pairs, without overflow: for the F and t distributions.

use super::binomial_kernel::dd_quotient;
use super::double_double::{dd_add_d, two_prod, two_sum};
use super::logarithm::split_exponent;
use super::scaling::{power_of_two, scale_by_power};
use gristmill_kernel::kernel;

/// Two pairs that add up to 1.
#[kernel]
pub struct Shares {
    /// The first, leading part.
    pub x: f64,
    /// Its rest.
    pub xl: f64,
    /// The second, leading part.
    pub y: f64,
    /// Its rest.
    pub yl: f64,
}

/// `v 2^k` for a pair of ordinary size, 0 where it is far below the range.
#[kernel(inline)]
fn scaled_pair(v: (f64, f64), k: f64) -> (f64, f64) {
    if k < -1900.0 {
        return (0.0, 0.0);
    }
    (scale_by_power(v.0, k), scale_by_power(v.1, k))
}

/// `x = uv/(uv+n)`, `y = n/(uv+n)` for positive finite `u`, `v`, `n`; a share below the range is 0.
#[kernel(inline)]
pub(crate) fn product_ratio(u: f64, v: f64, n: f64) -> Shares {
    let (ku, mu, _ul) = split_exponent((u, 0.0));
    let (kv, mv, _vl) = split_exponent((v, 0.0));
    let (kn, mn, _nl) = split_exponent((n, 0.0));
    let p: (f64, f64) = two_prod(mu, mv);
    let k = ku + kv - kn;
    if k > 120.0 {
        let y: (f64, f64) = scaled_pair(dd_quotient((mn, 0.0), p), -k);
        let x: (f64, f64) = two_sum(1.0, -y.0);
        return Shares { x: x.0, xl: x.1, y: y.0, yl: y.1 };
    }
    if k < -120.0 {
        let x: (f64, f64) = scaled_pair(dd_quotient(p, (mn, 0.0)), k);
        let y: (f64, f64) = two_sum(1.0, -x.0);
        return Shares { x: x.0, xl: x.1, y: y.0, yl: y.1 };
    }
    let scale = power_of_two(k);
    let p = (p.0 * scale, p.1 * scale);
    let sum: (f64, f64) = dd_add_d(p, mn);
    let x: (f64, f64) = dd_quotient(p, sum);
    let y: (f64, f64) = dd_quotient((mn, 0.0), sum);
    Shares { x: x.0, xl: x.1, y: y.0, yl: y.1 }
}
