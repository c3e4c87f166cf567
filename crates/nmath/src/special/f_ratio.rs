//! `u v / (u v + n)` and `n / (u v + n)` as pairs, without overflow: for the F and t distributions.

use super::binomial_kernel::dd_quotient;
use super::double_double::{dd_add_d, fast_two_sum, two_prod, two_sum};
use super::logarithm::split_double;
use super::scaling::{power_of_two, scale_by_power};
use gristmill_kernel::kernel;

/// Two pairs that add up to 1.
#[kernel]
pub struct Shares {
    /// The first, as a pair.
    pub x: (f64, f64),
    /// The second, as a pair.
    pub y: (f64, f64),
}

/// `v 2^k` for a pair of ordinary size, 0 where it is far below the range.
#[kernel(inline)]
fn scaled_pair(v: (f64, f64), k: f64) -> (f64, f64) {
    if k < -1900.0 {
        return (0.0, 0.0);
    }
    (scale_by_power(v.0, k), scale_by_power(v.1, k))
}

/// [`product_ratio`] for numbers of any size.
#[kernel]
fn far_ratio(u: f64, v: f64, n: f64) -> Shares {
    let (ku, mu) = split_double(u);
    let (kv, mv) = split_double(v);
    let (kn, mn) = split_double(n);
    let p = two_prod(mu, mv);
    let k = ku + kv - kn;
    if k > 120.0 {
        let y = scaled_pair(dd_quotient((mn, 0.0), p), -k);
        let x = two_sum(1.0, -y.0);
        return Shares { x, y };
    }
    if k < -120.0 {
        let x = scaled_pair(dd_quotient(p, (mn, 0.0)), k);
        let y = two_sum(1.0, -x.0);
        return Shares { x, y };
    }
    let scale = power_of_two(k);
    let p = (p.0 * scale, p.1 * scale);
    let sum = dd_add_d(p, mn);
    let x = dd_quotient(p, sum);
    let y = dd_quotient((mn, 0.0), sum);
    Shares { x, y }
}

/// `x = uv/(uv+n)`, `y = n/(uv+n)` for positive finite `u`, `v`, `n`; a share below the range is 0.
///
/// Where `uv` and `n` are of ordinary size, one division serves for both; otherwise the exponents are taken apart.
#[kernel]
pub(crate) fn product_ratio(u: f64, v: f64, n: f64) -> Shares {
    let p = two_prod(u, v);
    if p.0 > 1e-140 && p.0 < 1e140 && n > 1e-140 && n < 1e140 {
        let sum = dd_add_d(p, n);
        let inverse = 1.0 / sum.0;
        let qx = p.0 * inverse;
        let rx = (-qx).mul_add(sum.1, (-qx).mul_add(sum.0, p.0) + p.1) * inverse;
        let x = fast_two_sum(qx, rx);
        let qy = n * inverse;
        let ry = (-qy).mul_add(sum.1, (-qy).mul_add(sum.0, n)) * inverse;
        let y = fast_two_sum(qy, ry);
        return Shares { x, y };
    }
    far_ratio(u, v, n)
}
