//! The trapezoidal rule for K and for `H = J + iY`, at orders in [-1/2, 1/2] and one above, for arguments from 1 to 25.
//!
//! Both integrands decay doubly exponentially and are analytic in a strip, so the rule converges geometrically; the nodes do not
//! depend on the order. Steps are chosen so that `exp(-2 pi d/h)` times the growth of the integrand at distance `d` from the
//! axis is below 2^-56 at the upper end of their range of arguments.
//!
//! Paper: trefethen2014 (the rule); dlmf, 10.32.9 and 10.9.10 (the integrals); gil2002 (steepest descent).

use crate::special::constants::INV_PI;
use crate::special::double_double::{dd_add, dd_add_d, dd_mul, dd_mul_d, dd_sub, fast_two_sum, two_prod};
use crate::special::exponential::{exp_parts, exp_sum};
use crate::special::scaling::power_of_two;
use gristmill_kernel::kernel;

use super::debye::cos_sin_turns;
use super::tables::{
    H_ANGLE_0, H_ANGLE_1, H_DECAY_0, H_DECAY_1, H_SECH_0, H_SECH_1, H_SINH_0, H_SINH_1, H_TANH_0, H_TANH_1, K_NODES_0,
    K_NODES_1, K_SINH_0, K_SINH_1,
};
use super::temme::Start;

/// The weight where a sum ends: `exp(-43)` is 2^-62.
#[kernel]
const END: f64 = 43.0;

/// `exp(a)` for a small `a` as a normalised pair.
#[kernel(inline)]
fn exp_small(a: f64) -> (f64, f64) {
    let (h, l, k) = exp_parts((a, 0.0));
    let s = power_of_two(k);
    (h * s, l * s)
}

/// `exp(-x a)` for `0 <= x a <= 43`, the product taken exactly.
#[kernel(inline)]
fn decayed(x: f64, a: f64) -> f64 {
    let (p, e) = two_prod(-x, a);
    let (t, w, scale) = exp_sum((p, e));
    (t + w) * scale
}

/// `cos(z)` and `sin(z)` for `|z| <= pi/4` by Taylor's series: where half an ulp more does no harm.
#[kernel(inline)]
fn cos_sin_small(z: f64) -> (f64, f64) {
    let u = z * z;
    let c: f64 = 1.0 / 20_922_789_888_000.0;
    let c = c.mul_add(u, -1.0 / 87_178_291_200.0);
    let c = c.mul_add(u, 1.0 / 479_001_600.0);
    let c = c.mul_add(u, -1.0 / 3_628_800.0);
    let c = c.mul_add(u, 1.0 / 40_320.0);
    let c = c.mul_add(u, -1.0 / 720.0);
    let c = c.mul_add(u, 1.0 / 24.0);
    let c = c.mul_add(u, -0.5);
    let s: f64 = -1.0 / 1_307_674_368_000.0;
    let s = s.mul_add(u, 1.0 / 6_227_020_800.0);
    let s = s.mul_add(u, -1.0 / 39_916_800.0);
    let s = s.mul_add(u, 1.0 / 362_880.0);
    let s = s.mul_add(u, -1.0 / 5_040.0);
    let s = s.mul_add(u, 1.0 / 120.0);
    let s = s.mul_add(u, -1.0 / 6.0);
    (c.mul_add(u, 1.0), (s * u).mul_add(z, z))
}

/// A sum and the rounding errors of its additions; terms are not larger than the sum but at the start.
#[kernel(inline)]
fn add(sum: (f64, f64), term: f64) -> (f64, f64) {
    let (s, e) = fast_two_sum(sum.0, term);
    (s, sum.1 + e)
}

/// `exp(x) K` at the orders `nu` and `nu + 1`, `|nu| <= 1/2`, for `1 <= x <= 25`.
///
/// `K = exp(-x) int_0^inf exp(-x (cosh t - 1)) cosh(nu t) dt`.
#[kernel]
pub(crate) fn scaled_k(x: f64, nu: f64) -> Start {
    let coarse = x < 6.0;
    let h = if coarse { 0.21875 } else { 0.140625 };
    let mut low = (0.5, 0.0);
    let mut high = (0.5, 0.0);
    if nu == 0.0 {
        for k in 1..21 {
            let node = if coarse { K_NODES_0[k] } else { K_NODES_1[k] };
            if x * node > END {
                break;
            }
            let weight = decayed(x, node);
            low = add(low, weight);
            high = add(high, weight.mul_add(node, weight));
        }
    } else {
        let up = exp_small(nu * h);
        let down = exp_small(-nu * h);
        let mut above: (f64, f64) = up;
        let mut below: (f64, f64) = down;
        for k in 1..21 {
            let node = if coarse { K_NODES_0[k] } else { K_NODES_1[k] };
            let sinh = if coarse { K_SINH_0[k] } else { K_SINH_1[k] };
            if x * node > END {
                break;
            }
            let weight = 0.5 * decayed(x, node);
            let even = weight * (above.0 + below.0);
            let odd = weight * (above.0 - below.0);
            low = add(low, even);
            high = add(high, odd.mul_add(sinh, even.mul_add(node, even)));
            above = dd_mul(above, up);
            below = dd_mul(below, down);
        }
    }
    let first = fast_two_sum(low.0, low.1);
    let second = fast_two_sum(high.0, high.1);
    Start { first: dd_mul_d(first, h), second: dd_mul_d(second, h) }
}

/// The trapezoidal sums of `H` at `nu` and `nu + 1`, without the step.
#[kernel]
struct Sums {
    re: (f64, f64),
    im: (f64, f64),
    re_up: (f64, f64),
    im_up: (f64, f64),
}

/// The sums of `exp(-x sinh(s) tanh(s)) cosh(nu u) (1 + i/cosh(s))`, and of the same at `nu + 1`, over one set of nodes.
macro_rules! hankel_sums {
    ($(#[$meta:meta])* fn $name:ident, $step:expr, $count:expr, $decay:ident, $angle:ident, $sech:ident, $tanh:ident, $sinh:ident) => {
        $(#[$meta])*
        #[kernel]
        fn $name(x: f64, nu: f64) -> Sums {
            // the first node has half the weight
            let mut re = (0.5, 0.0);
            let mut im = (0.5, 0.0);
            let mut re_up = (0.5, 0.0);
            let mut im_up = (0.5, 0.0);
            if nu == 0.0 {
                for k in 1..$count {
                    let decay = $decay[k];
                    if x * decay > END {
                        break;
                    }
                    let weight = decayed(x, decay);
                    let turned = weight * decay;
                    let sech = $sech[k];
                    re = add(re, weight);
                    im = add(im, weight * sech);
                    re_up = add(re_up, (-turned).mul_add(sech, weight));
                    im_up = add(im_up, weight.mul_add(sech, turned));
                }
            } else {
                let up = exp_small(nu * $step);
                let down = exp_small(-nu * $step);
                let mut above: (f64, f64) = up;
                let mut below: (f64, f64) = down;
                for k in 1..$count {
                    let decay = $decay[k];
                    if x * decay > END {
                        break;
                    }
                    let sech = $sech[k];
                    let tanh = $tanh[k];
                    let sinh = $sinh[k];
                    let weight = 0.5 * decayed(x, decay);
                    let ch = weight * (above.0 + below.0);
                    let sh = weight * (above.0 - below.0);
                    let (cn, sn) = cos_sin_small(nu * $angle[k]);
                    // cosh(nu u) and sinh(nu u) times the weight
                    let cr = ch * cn;
                    let ci = sh * sn;
                    let sr = sh * cn;
                    let si = ch * sn;
                    // cosh((nu+1) u) = cosh(nu u) (1 + i sinh tanh) + sinh(nu u) (tanh + i sinh)
                    let ur = (-ci).mul_add(decay, cr) + (-si).mul_add(sinh, sr * tanh);
                    let ui = cr.mul_add(decay, ci) + sr.mul_add(sinh, si * tanh);
                    re = add(re, (-ci).mul_add(sech, cr));
                    im = add(im, cr.mul_add(sech, ci));
                    re_up = add(re_up, (-ui).mul_add(sech, ur));
                    im_up = add(im_up, ur.mul_add(sech, ui));
                    above = dd_mul(above, up);
                    below = dd_mul(below, down);
                }
            }
            Sums { re, im, re_up, im_up }
        }
    };
}

hankel_sums! {
    /// For `1 <= x < 8`.
    fn hankel_near, 0.125, 37, H_DECAY_0, H_ANGLE_0, H_SECH_0, H_TANH_0, H_SINH_0
}
hankel_sums! {
    /// For `8 <= x <= 25`.
    fn hankel_far, 0.0859375, 29, H_DECAY_1, H_ANGLE_1, H_SECH_1, H_TANH_1, H_SINH_1
}

/// `J` (`imaginary = false`) or `Y` at the orders `nu` and `nu + 1`, `|nu| <= 1/2`, for `1 <= x <= 25`.
///
/// On the path of steepest descent of `exp(i x cosh u)`, `u = s + i gd(s)`, where `i x cosh u = i x - x sinh(s) tanh(s)`,
/// `H = (2/(pi i)) exp(i (x - nu pi/2)) int_0^inf exp(-x sinh(s) tanh(s)) cosh(nu u) (1 + i/cosh(s)) ds`.
#[kernel]
pub(crate) fn hankel(x: f64, nu: f64, imaginary: bool) -> Start {
    let sums: Sums;
    let near = x < 8.0;
    if near {
        sums = hankel_near(x, nu);
    } else {
        sums = hankel_far(x, nu);
    }
    let h = if near { 0.125 } else { 0.0859375 };
    let sr: (f64, f64) = sums.re;
    let si: (f64, f64) = sums.im;
    let ur: (f64, f64) = sums.re_up;
    let ui: (f64, f64) = sums.im_up;
    // (2 h/pi) (-i) exp(i (x - nu pi/2)) (s_r + i s_i); one order up, another factor -i
    let path = dd_mul_d(INV_PI, x);
    let (c, cl, s, sl) = cos_sin_turns(dd_add_d(path, -0.5 * nu));
    let cosine = (c, cl);
    let sine = (s, sl);
    let factor = (2.0 * h * INV_PI.0, 2.0 * h * INV_PI.1);
    // E S = (c s_r - s s_i) + i (c s_i + s s_r)
    if imaginary {
        // Im(-i E S) = -Re(E S), Im(-E U) = -Im(E U)
        let first = dd_sub(dd_mul(sine, si), dd_mul(cosine, sr));
        let second = dd_sub((0.0, 0.0), dd_add(dd_mul(cosine, ui), dd_mul(sine, ur)));
        Start { first: dd_mul(first, factor), second: dd_mul(second, factor) }
    } else {
        // Re(-i E S) = Im(E S), Re(-E U) = -Re(E U)
        let first = dd_add(dd_mul(cosine, si), dd_mul(sine, sr));
        let second = dd_sub(dd_mul(sine, ui), dd_mul(cosine, ur));
        Start { first: dd_mul(first, factor), second: dd_mul(second, factor) }
    }
}
