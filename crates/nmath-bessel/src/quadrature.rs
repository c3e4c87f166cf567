//! The trapezoidal rule for K and for `H = J + iY`, at orders in [-1/2, 1/2] and one above, for arguments from 1 to 25.
//!
//! Both integrands decay doubly exponentially and are analytic in a strip, so the rule converges geometrically; the nodes do not
//! depend on the order. Steps are chosen so that `exp(-2 pi d/h)` times the growth of the integrand at distance `d` from the
//! axis is below 2^-56 at the upper end of their range of arguments.
//!
//! Paper: trefethen2014 (the rule); dlmf, 10.32.9 and 10.9.10 (the integrals); gil2002 (steepest descent).

use gristmill_kernel::kernel;
use gristmill_nmath::special::constants::{INV_PI_HIGH, INV_PI_LOW};
use gristmill_nmath::special::double_double::{dd_add, dd_add_d, dd_mul, dd_mul_d, dd_sub, fast_two_sum, two_sum};
use gristmill_nmath::special::exponential::{exp, exp_parts};
use gristmill_nmath::special::scaling::power_of_two;
use gristmill_nmath::special::trigonometry::sin_cos_pi_quarter;

use crate::debye::cos_sin_turns;
use crate::tables::{
    H_ANGLE_0, H_ANGLE_1, H_ANGLE_2, H_DECAY_0, H_DECAY_1, H_DECAY_2, H_SECH_0, H_SECH_1, H_SECH_2, H_SINH_0, H_SINH_1,
    H_SINH_2, H_TANH_0, H_TANH_1, H_TANH_2, K_NODES_0, K_NODES_1, K_SINH_0, K_SINH_1,
};
use crate::temme::Start;

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

/// `exp(x) K` at the orders `nu` and `nu + 1`, `|nu| <= 1/2`, for `1 <= x <= 25`.
///
/// `K = exp(-x) int_0^inf exp(-x (cosh t - 1)) cosh(nu t) dt`.
#[kernel]
pub fn scaled_k(x: f64, nu: f64) -> Start {
    let coarse = x < 6.0;
    let h = if coarse { 0.21875 } else { 0.140625 };
    let up: (f64, f64) = exp_small(nu * h);
    let down: (f64, f64) = exp_small(-nu * h);
    let mut above: (f64, f64) = up;
    let mut below: (f64, f64) = down;
    let mut low: f64 = 0.5;
    let mut low_error: f64 = 0.0;
    let mut high: f64 = 0.5;
    let mut high_error: f64 = 0.0;
    for k in 1..21 {
        let node = if coarse { K_NODES_0[k] } else { K_NODES_1[k] };
        let sinh = if coarse { K_SINH_0[k] } else { K_SINH_1[k] };
        if x * node > END {
            break;
        }
        let weight = 0.5 * exp(-x * node);
        let even = weight * (above.0 + below.0);
        let odd = weight * (above.0 - below.0);
        let (s, e) = two_sum(low, even);
        low = s;
        low_error += e;
        let (s, e) = two_sum(high, odd.mul_add(sinh, even.mul_add(node, even)));
        high = s;
        high_error += e;
        above = dd_mul(above, up);
        below = dd_mul(below, down);
    }
    let first: (f64, f64) = fast_two_sum(low, low_error);
    let second: (f64, f64) = fast_two_sum(high, high_error);
    Start { first: dd_mul_d(first, h), second: dd_mul_d(second, h) }
}

/// `J` (`imaginary = false`) or `Y` at the orders `nu` and `nu + 1`, `|nu| <= 1/2`, for `1 <= x <= 25`.
///
/// On the path of steepest descent of `exp(i x cosh u)`, `u = s + i gd(s)`, where `i x cosh u = i x - x sinh(s) tanh(s)`,
/// `H = (2/(pi i)) exp(i (x - nu pi/2)) int_0^inf exp(-x sinh(s) tanh(s)) cosh(nu u) (1 + i/cosh(s)) ds`.
#[kernel]
pub fn hankel(x: f64, nu: f64, imaginary: bool) -> Start {
    let range = if x < 4.0 {
        0
    } else if x < 12.0 {
        1
    } else {
        2
    };
    let h = if range == 0 {
        0.140625
    } else if range == 1 {
        0.109375
    } else {
        0.0859375
    };
    let up: (f64, f64) = exp_small(nu * h);
    let down: (f64, f64) = exp_small(-nu * h);
    let mut above: (f64, f64) = up;
    let mut below: (f64, f64) = down;
    let turns = nu * INV_PI_HIGH;
    // real and imaginary part of the sums at nu and nu + 1, with their errors; the first node has half the weight
    let mut re: f64 = 0.5;
    let mut im: f64 = 0.5;
    let mut re_up: f64 = 0.5;
    let mut im_up: f64 = 0.5;
    let mut re_error: f64 = 0.0;
    let mut im_error: f64 = 0.0;
    let mut re_up_error: f64 = 0.0;
    let mut im_up_error: f64 = 0.0;
    for k in 1..33 {
        let decay = if range == 0 {
            H_DECAY_0[k]
        } else if range == 1 {
            H_DECAY_1[if k < 29 { k } else { 29 }]
        } else {
            H_DECAY_2[if k < 24 { k } else { 24 }]
        };
        if x * decay > END {
            break;
        }
        let angle = if range == 0 {
            H_ANGLE_0[k]
        } else if range == 1 {
            H_ANGLE_1[if k < 29 { k } else { 29 }]
        } else {
            H_ANGLE_2[if k < 24 { k } else { 24 }]
        };
        let sech = if range == 0 {
            H_SECH_0[k]
        } else if range == 1 {
            H_SECH_1[if k < 29 { k } else { 29 }]
        } else {
            H_SECH_2[if k < 24 { k } else { 24 }]
        };
        let tanh = if range == 0 {
            H_TANH_0[k]
        } else if range == 1 {
            H_TANH_1[if k < 29 { k } else { 29 }]
        } else {
            H_TANH_2[if k < 24 { k } else { 24 }]
        };
        let sinh = if range == 0 {
            H_SINH_0[k]
        } else if range == 1 {
            H_SINH_1[if k < 29 { k } else { 29 }]
        } else {
            H_SINH_2[if k < 24 { k } else { 24 }]
        };
        let weight = 0.5 * exp(-x * decay);
        let ch = weight * (above.0 + below.0);
        let sh = weight * (above.0 - below.0);
        let (sn, _sl, cn, _cl) = sin_cos_pi_quarter((turns * angle, 0.0)); // |nu gd| <= pi/4
        // cosh(nu u) and sinh(nu u) times the weight
        let cr = ch * cn;
        let ci = sh * sn;
        let sr = sh * cn;
        let si = ch * sn;
        // cosh((nu+1) u) = cosh(nu u) (1 + i sinh tanh) + sinh(nu u) (tanh + i sinh)
        let ur = (-ci).mul_add(decay, cr) + (-si).mul_add(sinh, sr * tanh);
        let ui = cr.mul_add(decay, ci) + sr.mul_add(sinh, si * tanh);
        // times 1 + i sech
        let (s, e) = two_sum(re, (-ci).mul_add(sech, cr));
        re = s;
        re_error += e;
        let (s, e) = two_sum(im, cr.mul_add(sech, ci));
        im = s;
        im_error += e;
        let (s, e) = two_sum(re_up, (-ui).mul_add(sech, ur));
        re_up = s;
        re_up_error += e;
        let (s, e) = two_sum(im_up, ur.mul_add(sech, ui));
        im_up = s;
        im_up_error += e;
        above = dd_mul(above, up);
        below = dd_mul(below, down);
    }
    let sr: (f64, f64) = fast_two_sum(re, re_error);
    let si: (f64, f64) = fast_two_sum(im, im_error);
    let ur: (f64, f64) = fast_two_sum(re_up, re_up_error);
    let ui: (f64, f64) = fast_two_sum(im_up, im_up_error);
    // (2 h/pi) (-i) exp(i (x - nu pi/2)) (s_r + i s_i); one order up, another factor -i
    let path: (f64, f64) = dd_mul_d((INV_PI_HIGH, INV_PI_LOW), x);
    let (c, cl, s, sl) = cos_sin_turns(dd_add_d(path, -0.5 * nu));
    let cosine: (f64, f64) = (c, cl);
    let sine: (f64, f64) = (s, sl);
    let factor: (f64, f64) = (2.0 * h * INV_PI_HIGH, 2.0 * h * INV_PI_LOW);
    // E S = (c s_r - s s_i) + i (c s_i + s s_r)
    if imaginary {
        // Im(-i E S) = -Re(E S), Im(-E U) = -Im(E U)
        let first: (f64, f64) = dd_sub(dd_mul(sine, si), dd_mul(cosine, sr));
        let second: (f64, f64) = dd_sub((0.0, 0.0), dd_add(dd_mul(cosine, ui), dd_mul(sine, ur)));
        Start { first: dd_mul(first, factor), second: dd_mul(second, factor) }
    } else {
        // Re(-i E S) = Im(E S), Re(-E U) = -Re(E U)
        let first: (f64, f64) = dd_add(dd_mul(cosine, si), dd_mul(sine, sr));
        let second: (f64, f64) = dd_sub(dd_mul(sine, ui), dd_mul(cosine, ur));
        Start { first: dd_mul(first, factor), second: dd_mul(second, factor) }
    }
}
