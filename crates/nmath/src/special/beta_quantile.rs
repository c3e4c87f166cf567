//! The inverse of the incomplete beta ratio.

use super::beta_function::lbeta_dd;
pub use super::beta_point::BetaPoint;
pub(crate) use super::beta_point::{log_both, mirrored, point_at, point_of_log};
use super::beta_quantile_small::small_shape_quantile;
use super::beta_quantile_tiny::{TINY_SHAPE, tiny_shape_quantile};
use super::beta_tables::{normal_start_bottom, normal_start_top};
use super::double_double::{dd_add_short, dd_div, dd_sub_short, two_sum};
use super::exponential::{exp, expm1};
use super::incomplete_beta::{
    BetaSetup, BetaTail, SMALL_QUANTILE_SHAPE, beta_setup, beta_tail, log_shape_beta, log_tail,
};
use super::logarithm::{log, log_dd, log1p};
use gristmill_kernel::kernel;

/// What the quantile search needs of its parameters.
#[kernel]
pub struct QuantileSetup {
    /// For the distribution itself.
    pub ratio: BetaSetup,
    /// `log(a B(a, b))`, as a pair.
    pub log_first: (f64, f64),
    /// `log(b B(a, b))`, as a pair.
    pub log_second: (f64, f64),
}

/// Minus the normal quantile for `log p <= log 1/2`, to about 1e-8: for start values only.
#[kernel(inline)]
pub(crate) fn normal_start(log_p: f64) -> f64 {
    let l = if log_p > -std::f64::consts::LN_2 { -std::f64::consts::LN_2 } else { log_p };
    let r = (-2.0 * l).sqrt();
    if r > 60.0 {
        // z^2 = r^2 - log(2 pi z^2) - 2/z^2 ...
        let mut z = r;
        for _ in 0..3 {
            z = (r * r - 2.0 * (0.918_938_533_204_672_7 + log(z) + 1.0 / (z * z))).sqrt();
        }
        return -z;
    }
    let u = (r - 8.0) / (r + 8.0);
    normal_start_top(u) / normal_start_bottom(u) - r
}

/// The part of the search that depends on the parameters only.
#[kernel]
pub(crate) fn quantile_setup(a: f64, b: f64) -> QuantileSetup {
    let l = lbeta_dd(a, b);
    let first = log_shape_beta(a, b, l);
    let second = log_shape_beta(b, a, l);
    QuantileSetup { ratio: beta_setup(a, b), log_first: first, log_second: second }
}

/// `log |b - 1| - log(a + 1)`: how large the second term of the power series is beside `x`.
#[kernel(inline)]
fn log_second_term(a: f64, b: f64) -> f64 {
    log((b - 1.0).abs() / (a + 1.0))
}

/// `e/shape` as a pair, -1e300 below that.
#[kernel(inline)]
fn log_of_leading_term(e: (f64, f64), shape: f64) -> (f64, f64) {
    let rough = e.0 / shape;
    if rough < -1e290 {
        return (if rough > -1e300 { rough } else { -1e300 }, 0.0);
    }
    dd_div(e, (shape, 0.0))
}

/// `x = exp(l)` and `1 - x`: the leading term of the tail with shape `a`, with the next one where that is small.
#[kernel]
fn start_from_end(l: f64, a: f64, b: f64) -> (f64, f64) {
    let mut x = exp(l);
    let mut y = -expm1(l);
    let c = (b - 1.0) / (a + 1.0) * x;
    if c.abs() < 0.5 && x < 0.5 {
        x *= 1.0 + c;
        y = 1.0 - x;
    }
    if x < 1e-300 {
        x = 1e-300;
        y = 1.0;
    }
    (x, y)
}

/// Solves `tail(x) = exp(lp)`, the tail that is at most about 1/2, given `lq = log(1 - exp(lp))`; `lower`: which tail.
///
/// In terms of the tail's own shape `a` and end: unknown `z = log(x/y)`, `F(z) = log I - lp` increasing and concave (the
/// logit of a beta variable has a log-concave density), `F' = P/I`; with `u = F/F'`, `A2 = a - n x - P/I` and
/// `A3 = A2^2 - n x y - A2 P/I` Householder's step of order four, plain Newton where that step is not small. The
/// state is the smaller of x and y, so nothing is lost near 0 or 1.
/// Starts:
///   N >= 0.3 and |s| < 2.2   logit x = logit x0 + s + g1 s^2/2 + g2 s^3/3 + g3 s^4/4, s = z_p/sqrt N - q/(3N)
///   otherwise                the leading term of the nearer end; where the next term is below e^-46, that is the answer
/// Stops when the error left, of fourth order in the step, is below 2^-60.
/// Paper: temme1992, gil2017.
#[kernel]
pub(crate) fn solve_tail(lp: (f64, f64), lq: (f64, f64), lower: bool, s: QuantileSetup) -> BetaPoint {
    let base: BetaSetup = s.ratio;
    let a = if lower { base.a } else { base.b };
    let b = if lower { base.b } else { base.a };
    let n = a + b;
    let size = base.size;
    let x0 = a / n;
    let y0 = b / n;
    let q = (b - a) / n;
    let mut x = x0;
    let mut y = y0;
    let mut started = false;
    if size >= 0.3 && a != 1.0 && b != 1.0 {
        let w = normal_start(lp.0);
        let t = w / size.sqrt() - q / (3.0 * size);
        if t.abs() < 2.2 {
            let pq = x0 * y0;
            let v1 = q / 3.0;
            let v2 = q * q / 36.0 - 0.25 * pq;
            let v3 = 0.5 * ((q * v2 - pq * (2.0 / 3.0) * q) / 2.5 - 2.0 * v1 * v2);
            let g1 = -v1;
            let g2 = -(v2 + v1 * g1);
            let g3 = -(v3 + v2 * g1 + v1 * g2);
            let e = exp(t * (1.0 + t * (0.5 * g1 + t * (g2 / 3.0 + t * 0.25 * g3))));
            let den = y0 + x0 * e;
            x = x0 * e / den;
            y = y0 / den;
            started = true;
        }
    }
    if !started {
        // a log x = lp + log(a B), and the same from the other end; exact for b = 1 or a = 1
        let first: (f64, f64) = s.log_first;
        let second: (f64, f64) = s.log_second;
        let lab = if lower { first } else { second };
        let lbb = if lower { second } else { first };
        let lx = log_of_leading_term(dd_add_short(lp, lab), a);
        let ly = log_of_leading_term(dd_add_short(lq, lbb), b);
        // the change of log x by the next term; where x is near 1, relative to |log x|
        let cx = lx.0 + log_second_term(a, b);
        if lx.0 < 0.0 && cx - (if lx.0 > -1.0 { log(-lx.0) } else { 0.0 }) < -46.0 {
            return point_of_log(lx);
        }
        let cy = ly.0 + log_second_term(b, a);
        if ly.0 < 0.0 && cy - (if ly.0 > -1.0 { log(-ly.0) } else { 0.0 }) < -46.0 {
            return mirrored(point_of_log(ly));
        }
        // p small: this tail's leading term; otherwise whichever end is nearer
        if lx.0 < 0.0 && (lp.0 < -3.0 || cx < 0.0 || lx.0 <= ly.0 || ly.0 > -0.4) {
            (x, y) = start_from_end(lx.0, a, b);
        } else if ly.0 < 0.0 {
            (y, x) = start_from_end(ly.0, b, a);
        }
    }
    let mut low: f64 = 0.0; // what the smaller of x and y lacks after the last step
    for _ in 0..60 {
        let xd = if x <= y { (x, 0.0) } else { two_sum(1.0, -y) };
        let yd = if x <= y { two_sum(1.0, -x) } else { (y, 0.0) };
        let first = (if lower { xd.0 } else { yd.0 }, if lower { xd.1 } else { yd.1 });
        let second = (if lower { yd.0 } else { xd.0 }, if lower { yd.1 } else { xd.1 });
        let t: BetaTail = beta_tail(first, second, base);
        let own = t.lower == lower; // the tail computed is the one wanted
        // leading term dominant and held as a pair: the logarithm of that tail is good to 2^-60
        let tight = if own { a < 0.5 && b * x < 0.015 } else { b < 0.5 && a * y < 0.015 };
        let (lt, ltl, rho) = log_tail(t, lower, tight);
        let f = dd_sub_short((lt, ltl), lp);
        let mut f = f.0 + f.1;
        if !own && tight && lq.0 - lp.0 < 4.0 {
            // the other tail v was computed: compare it with its own target, known as a pair, then convert:
            // I/p = 1 - ((1-p)/p) (v/(1-p) - 1)
            let l = dd_add_short(log_dd(t.m), t.e);
            let d = dd_sub_short(l, lq);
            let d = d.0 + d.1;
            if d.abs() < 0.5 {
                let g = -exp((lq.0 - lp.0) + (lq.1 - lp.1)) * expm1(d);
                if g > -0.9 {
                    f = log1p(g);
                }
            }
        }
        let u = f / rho;
        let g = if x <= y { a - n * x } else { n * y - b };
        let a2 = g - rho;
        let a3 = a2 * a2 - n * x * y - rho * a2;
        let r = u * a2;
        let h = 1.0 - r + u * u * a3 * (1.0 / 6.0);
        let mut dz = -u;
        if r.abs() < 0.4 && h > 0.3 && h < 3.0 {
            dz = -u * (1.0 - 0.5 * r) / h;
        }
        // no wild steps
        if dz > 600.0 {
            dz = 600.0;
        }
        if dz < -30.0 {
            dz = -30.0;
        }
        if dz.is_nan() {
            break;
        }
        if x <= y {
            let em = expm1(dz);
            (x, low) = two_sum(x, x * y * em / (1.0 + x * em));
            if x < 1e-305 && dz < 0.0 {
                x = 1e-305;
                low = 0.0;
            }
            y = 1.0 - x;
        } else {
            let em = expm1(-dz);
            (y, low) = two_sum(y, x * y * em / (1.0 + y * em));
            if y < 1e-305 {
                y = 1e-305;
                low = 0.0;
            }
            x = 1.0 - y;
        }
        let scale = a2.abs() + (n * x * y).sqrt() + 1.0;
        if dz.abs() * scale < 3e-5 || dz.abs() < 1e-15 {
            break;
        }
    }
    if x <= y { point_at((x, low)) } else { mirrored(point_at((y, low))) }
}

/// The quantile of a probability strictly between the ends: the smaller tail is solved for.
#[kernel]
pub(crate) fn beta_quantile(p: f64, lower: bool, log_scale: bool, s: QuantileSetup) -> BetaPoint {
    let base: BetaSetup = s.ratio;
    let a = base.a;
    let b = base.b;
    if a < TINY_SHAPE && b < TINY_SHAPE && a > 1e-270 && b > 1e-270 {
        let r = tiny_shape_quantile(p, lower, log_scale, a, b);
        if r.tail >= 0.0 {
            return r;
        }
    }
    let (lp, lpl, lq, lql) = log_both(p, log_scale);
    let below = (if lower { lp } else { lq }, if lower { lpl } else { lql });
    let above = (if lower { lq } else { lp }, if lower { lql } else { lpl });
    if a < SMALL_QUANTILE_SHAPE && a > 1e-270 {
        let r = small_shape_quantile(below, s.log_first, a, b);
        if r.tail >= 0.0 {
            return r;
        }
    }
    if b < SMALL_QUANTILE_SHAPE && b > 1e-270 {
        let r = small_shape_quantile(above, s.log_second, b, a);
        if r.tail >= 0.0 {
            return mirrored(r);
        }
    }
    let small = lp <= -std::f64::consts::LN_2;
    let l1 = if small { (lp, lpl) } else { (lq, lql) };
    let l2 = if small { (lq, lql) } else { (lp, lpl) };
    let low = small == lower; // the small tail is the lower one
    let r = solve_tail(l1, l2, low, s);
    if low { r } else { mirrored(r) }
}
