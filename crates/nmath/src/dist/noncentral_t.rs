//! The noncentral t distribution: that of `(z + ncp)/s` with a normal number `z` and `s = sqrt(chi-squared/df)`.
//!
//! Given `s` the tails are normal, so they and the density are averages over the density of `s`:
//! `P(T <= t) = integral f(s) Phi(t s - ncp) ds`, `P(T > t) = integral f(s) Phi(ncp - t s) ds`, `p(t) = integral s f(s) phi(t s - ncp) ds`.
//! All are positive, so both tails keep their digits however small they are. With `x = s sqrt(df + t^2)` and `w = ncp t/sqrt(df + t^2)` the
//! integrand of the density is `x^df exp(-x^2/2 + w x)`, whose saddle point is known; there its large terms are pairs, and
//! relative to it the exponent, `-df (e^u - 1 - u) - x^2 (e^u - 1)^2/2` for `s = s0 e^u`, has no cancellation. The tails have the factor
//! `exp(z^2/2) Phi(z)` more. The integrals are sums over nodes: `special::log_nodes`. Tails with `t` and a small `ncp` of the same sign are series. Where `ncp^2` is at most about the degrees of freedom, the
//! same nodes serve for every `t`, and are made once for the parameters. Large noncentralities, and very many degrees of freedom: `special::noncentral_t_far`.

use super::noncentral_beta::is_known;
use crate::dist::student_t::{PtSetup, central_tail, dt, pt, pt_setup, qt};
use crate::special::constants::{INV_SQRT_2PI, LN2};
use crate::special::conventions::{one_on, quantile_end, zero_on};
use crate::special::double_double::{
    dd_add, dd_add_d, dd_div, dd_high, dd_mul, dd_mul_d, dd_neg, dd_sqrt, dd_sub, fast_two_sum, two_prod, two_sum,
};
use crate::special::exponential::{exp, exp_parts};
use crate::special::f_ratio::product_ratio;
use crate::special::incomplete_gamma::{tail_logs, tail_to_probability};
use crate::special::log_nodes::{
    NodeTable, exp_less_linear, exp_of_node, node_at, node_step, node_table, weighted_exp_of_node,
};
use crate::special::logarithm::{log as natural_log, log_dd};
use crate::special::noncentral_t_far::{Tail, averaged_tail, far_density, laplace_factor, nearest, nearly_normal_tail};
use crate::special::noncentral_t_few::few_tail;
use crate::special::noncentral_t_series::{NoncentralTSeries, exp_of_pair, in_series, noncentral_t_series, series_at};
use crate::special::normal_tail::{MILLS_NEAR, half_square, mills, mills_dd, mills_near, standard_quantile};
use crate::special::poisson_mass::{log_scaled_exp, poisson_parts, scaled_exp};
use crate::special::scaling::{power_of_two, scale_by_power};
use crate::special::student_tail::log1p_of_ratio;
use gristmill_kernel::kernel;

/// Degrees of freedom above which tails are nearly normal: `special::noncentral_t_far`.
#[kernel]
const NORMAL_FROM: f64 = 1e24;
/// Fewer degrees of freedom than this are not told apart but for the density, which is proportional to them.
#[kernel]
const LEAST: f64 = 1e-290;
/// The largest noncentrality whose difference from `t s` is taken of pairs: their error is below 2^-59 there.
#[kernel]
const FAR: f64 = 1e13;
/// Above this the square of the noncentrality is the exponent alone, where that is of its size: the rest of it is below `1000 NORMAL_FROM`.
#[kernel]
const SQUARE_ONLY: f64 = 1e40;
/// Smaller arguments are not told apart where there are many degrees of freedom.
#[kernel]
const LEAST_T: f64 = 1e-290;
/// Where the step of the normal distribution function is too sharp within the density of `s` for sums over nodes, as it takes
/// `30 sqrt(1 + ncp^2/(2 df))` of them: `ncp^2` over the degrees of freedom, at least `FEW`.
#[kernel]
const SHARP: f64 = 60.0;
/// See `SHARP`.
#[kernel]
const FEW: f64 = 4.0;
/// The nodes on each side are bounded, whatever the parameters: fewer than 200 are needed.
#[kernel]
const MOST_NODES: i32 = 500;
/// The same in steps of four.
#[kernel]
const MOST_FOURS: i32 = 125;
/// Fewer degrees of freedom take more than `MOST_NODES` about the saddle point: `special::noncentral_t_few`.
#[kernel]
const FEW_DEGREES: f64 = 0.05;
/// Beyond, the series do not serve: their terms would leave the range.
#[kernel]
const FAR_SERIES: f64 = 1e6;
/// ... nor for smaller `t`, whose square is not a pair.
#[kernel]
const NEAR_SERIES: f64 = 1e-100;
/// Shares `df/(df + t^2)` below this: the tail is a power of them.
#[kernel]
const TINY_SHARE: f64 = 1e-250;

/// `exp(z^2/2) Q(z)` for `z >= 0`.
#[kernel(inline)]
fn mills_of(z: f64) -> f64 {
    let mut m = mills_near(if z < MILLS_NEAR { z } else { MILLS_NEAR });
    if z > MILLS_NEAR {
        let far = mills_dd((z, 0.0));
        m = far.0;
    }
    m
}

/// The saddle point, and what the sums over the nodes are made of: with `e = exp(u) - 1` and `r = e - u` the integrand is
/// `exp(-n r - square e^2/2 + drift e)`, and without the normal part `exp(-n r - chi_square e^2/2 + chi_drift e)`.
#[kernel]
struct Saddle {
    /// Degrees of freedom.
    n: f64,
    /// `x0^2`, `x0 = s0 sqrt(df + t^2)`
    square: (f64, f64),
    /// What is left of the slope.
    drift: f64,
    /// `df s0^2`
    chi_square: f64,
    /// `df - df s0^2`
    chi_drift: f64,
    /// `df + 1`
    power: f64,
    /// The exponent at the saddle point as a pair.
    e: (f64, f64),
    /// The factor of its exponential as a pair, without the density's `df s0/sqrt(2 pi)`.
    c: (f64, f64),
    /// `s0` as a pair.
    s: (f64, f64),
    /// `t s0 - ncp` as a pair.
    z: (f64, f64),
    /// `t s0`
    reach: f64,
}

/// The saddle point of `s^(df+1) exp(-df s^2/2 - (t s - ncp)^2/2)` for `t > 0`, `df <= 1e30`.
#[kernel]
fn saddle_at(t: f64, n: f64, d: f64) -> Saddle {
    let r = product_ratio(t, t, n);
    let mut sine = dd_sqrt(r.x);
    if r.x.0 < TINY_SHARE {
        sine = (t / n.sqrt(), 0.0);
    }
    let w = dd_mul_d(sine, d);
    let q = two_sum(n, 1.0);
    let half = 0.5 * w.0;
    let root = half.mul_add(half, q.0).sqrt();
    let x = if half > 0.0 { half + root } else { q.0 / (root - half) };
    let square = two_prod(x, x);
    let drift = dd_add(dd_sub(q, square), dd_mul_d(w, x));
    let reach = dd_mul_d(sine, x);
    let z = dd_add_d(reach, -d);
    // df s0^2/2 = x^2 y/2
    let far = r.y.0 < TINY_SHARE;
    let share = if far { (TINY_SHARE, 0.0) } else { r.y };
    let y = dd_mul(share, (0.5 * square.0, 0.5 * square.1));
    let (pe, pel, pc, pcl) = poisson_parts(0.5 * n, y);
    let h = half_square(z);
    let mut e = if h.0 < 1e300 { dd_sub((pe, pel), h) } else { (f64::NEG_INFINITY, 0.0) };
    let mut s = dd_mul_d(dd_sqrt(dd_div(r.y, (n, 0.0))), x);
    if far {
        e = dd_add(e, log_share_beyond(t, n));
        s = (x / t, 0.0);
    }
    let chi_square = dd_mul(r.y, square);
    let chi_drift = dd_sub((n, 0.0), chi_square);
    Saddle {
        n,
        square,
        drift: dd_high(drift) - 1.0,
        chi_square: chi_square.0,
        chi_drift: chi_drift.0,
        power: q.0,
        e,
        c: (pc, pcl),
        s,
        z,
        reach: reach.0,
    }
}

/// The sum of the integrand of the density over the nodes, times the step.
#[kernel]
fn density_sum(p: Saddle) -> (f64, f64) {
    let n = p.n;
    let drift = p.drift;
    let half = 0.5 * p.square.0;
    let step = node_step(p.power + p.square.0, n, 0.0);
    let mut sum: f64 = 0.0;
    let mut rest: f64 = 0.0;
    for side in 0..2 {
        let way: i32 = 1 - 2 * side;
        for i in side..MOST_NODES {
            let k: i32 = way * i;
            let (u, du) = node_at(k as f64 * step);
            let (e, r) = exp_less_linear(u);
            let exponent = u + drift.mul_add(e, -n * r - half * e * e);
            let (s, low) = two_sum(sum, du * exp_of_node(exponent));
            sum = s;
            rest += low;
            if exponent < -43.0 {
                break;
            }
        }
    }
    dd_mul_d(fast_two_sum(sum, rest), step)
}

/// The two sums: of the tail's integrand and of the density's.
#[kernel]
struct Sums {
    tail: (f64, f64),
    mass: f64,
}

/// The tail below (`sign = 1`) or above (`sign = -1`) `t` over `exp(e) c`, and the density likewise without its `s0 n/sqrt(2 pi)`: the
/// sums over nodes, which are numbered from the peak on the right and from the one next to it on the left. `$e` is `exp(u) - 1` of a
/// node, `$half` half its square, `$fall` `n (exp(u) - 1 - u)`, `$du` the weight; `$prepare` comes before each four.
///
/// Four nodes at a time, step by step: the operations of one depend on each other, those of four fill the machine.
macro_rules! tail_over_nodes {
    (
        $(#[$meta:meta])*
        fn $name:ident($p:ident, $sign:ident $(, $table:ident: $of:ty)?), $step:expr, $fours:expr,
        ($side:ident, $four:ident, $j:ident) { $($prepare:tt)* } $e:expr, $half:expr, $fall:expr, $du:expr
    ) => {
        $(#[$meta])*
        #[kernel]
        fn $name($p: Saddle, $($table: $of,)? $sign: f64) -> Sums {
            let drift = $p.drift;
            let whole = $p.square.0;
            let z0 = $sign * $p.z.0;
            let z0l = $sign * $p.z.1;
            let reach = $sign * $p.reach;
            let chi_drift = $p.chi_drift;
            let chi_square = $p.chi_square;
            let base = 0.5 * z0 * z0;
            let width = $step;
            let mut sum: f64 = 0.0;
            let mut rest: f64 = 0.0;
            let mut mass: f64 = 0.0;
            let mut term4: [f64; 4] = [0.0; 4];
            for $side in 0..2 {
                for $four in 0..$fours {
                    $($prepare)*
                    for $j in 0..4 {
                        let e = $e;
                        let half = $half;
                        let fall = $fall;
                        let du = $du;
                        let weight = du * exp_of_node(drift.mul_add(e, -whole.mul_add(half, fall)));
                        mass = (1.0 + e).mul_add(weight, mass);
                        let z = z0 + reach.mul_add(e, z0l);
                        let m = weight * mills_of(z.abs());
                        let mut term = m;
                        if z > 0.0 {
                            term =
                                du * exp_of_node(base + chi_drift.mul_add(e, -chi_square.mul_add(half, fall))) - m;
                        }
                        term4[$j as usize] = term;
                    }
                    for i in 0..4 {
                        let (t, low) = two_sum(sum, term4[i as usize]);
                        sum = t;
                        rest += low;
                    }
                    if term4[3] < 1e-18 * sum {
                        break;
                    }
                }
            }
            let t = dd_mul(fast_two_sum(sum, rest), two_prod(width, $p.n));
            Sums { tail: t, mass: mass * width }
        }
    };
}

tail_over_nodes! {
    /// Over nodes that are made for this `t`.
    fn tail_sums(p, sign), node_step(p.power + p.square.0, p.n, 0.0), MOST_FOURS,
    (side, four, j) {
        let way: i32 = 1 - 2 * side;
        let step = node_step(p.power + p.square.0, p.n, 0.0);
        let mut e4: [f64; 4] = [0.0; 4];
        let mut fall4: [f64; 4] = [0.0; 4];
        let mut du4: [f64; 4] = [0.0; 4];
        for i in 0..4 {
            let k: i32 = way * (side + 4 * four + i);
            let (u, du) = node_at(k as f64 * step);
            let (e, r) = exp_less_linear(u);
            e4[i as usize] = e;
            fall4[i as usize] = p.n * r;
            du4[i as usize] = du;
        }
    }
    e4[j as usize], 0.5 * e4[j as usize] * e4[j as usize], fall4[j as usize], du4[j as usize]
}

/// What the functions need of their parameters.
#[kernel]
pub(crate) struct NoncentralT {
    /// Degrees of freedom as given.
    df: f64,
    /// Noncentrality as given.
    ncp: f64,
    /// Degrees of freedom, at least `LEAST`.
    n: f64,
    /// Whether the nodes serve.
    tabled: bool,
    /// The nodes for all `t`.
    nodes: NodeTable,
}

/// How much larger than `df + 1` the square of the saddle point may become for nodes that serve all `t`: they are up to
/// `sqrt((1 + WIDE)/2)` times as many as needed.
#[kernel]
const WIDE: f64 = 4.0;
/// Fewer degrees of freedom take more nodes than a table has.
#[kernel]
const TABLE_FROM: f64 = 0.5;

/// The part that depends on the parameters only: nodes whose distance serves for every `t`, as `x0` is largest where `w = |ncp|`.
#[kernel]
fn noncentral_t_setup(df: f64, ncp: f64) -> NoncentralT {
    let n = if df > LEAST { df } else { LEAST };
    let half = 0.5 * ncp.abs();
    let q = n + 1.0;
    let root = half.mul_add(half, q).sqrt();
    let largest = half + root;
    let least = q / largest;
    let tabled = valid(df, ncp) && ncp != 0.0 && n >= TABLE_FROM && n <= NORMAL_FROM && largest * largest < WIDE * q;
    let power = if tabled { n } else { 1.0 };
    let square = if tabled { largest * largest } else { 2.0 };
    let depth = if tabled { least * least } else { 1e9 };
    NoncentralT { df, ncp, n, tabled, nodes: node_table(node_step(power + 1.0 + square, power, 0.0), power, depth) }
}

/// [`density_sum`] over the nodes of a table; NaN where they do not reach.
#[kernel]
fn density_of_nodes(p: Saddle, s: NodeTable) -> (f64, f64) {
    let drift = p.drift;
    let whole = p.square.0;
    let mut sum: f64 = 0.0;
    let mut rest: f64 = 0.0;
    for side in 0..2 {
        for four in 0..8 {
            let mut last: f64 = 0.0;
            for j in 0..4 {
                let k: i32 = 4 * four + j;
                let e = if side == 0 { s.right_e[k as usize] } else { s.left_e[k as usize] };
                let half = if side == 0 { s.right_square[k as usize] } else { s.left_square[k as usize] };
                let fall = if side == 0 { s.right_fall[k as usize] } else { s.left_fall[k as usize] };
                let mass = if side == 0 { s.right_mass[k as usize] } else { s.left_mass[k as usize] };
                last = drift.mul_add(e, -whole.mul_add(half, p.square.1.mul_add(half, fall)));
                let (term, term_low) = weighted_exp_of_node(mass, last);
                let (t, low) = two_sum(sum, term);
                sum = t;
                rest += low + term_low;
            }
            if last < -43.0 {
                break;
            }
        }
    }
    dd_mul_d(fast_two_sum(sum, rest), s.step)
}

tail_over_nodes! {
    /// [`tail_sums`] over the nodes of a table; NaN where they do not reach.
    fn tail_of_nodes(p, sign, s: NodeTable), s.step, 8,
    (side, four, j) {}
    if side == 0 { s.right_e[(4 * four + j) as usize] } else { s.left_e[(4 * four + j) as usize] },
    if side == 0 { s.right_square[(4 * four + j) as usize] } else { s.left_square[(4 * four + j) as usize] },
    if side == 0 { s.right_fall[(4 * four + j) as usize] } else { s.left_fall[(4 * four + j) as usize] },
    if side == 0 { s.right_du[(4 * four + j) as usize] } else { s.left_du[(4 * four + j) as usize] }
}

/// The density over `exp(e)`.
#[kernel(inline)]
fn density_factor(p: Saddle, sum: (f64, f64)) -> (f64, f64) {
    let c: (f64, f64) = dd_mul(dd_mul(p.c, INV_SQRT_2PI), dd_mul_d(p.s, p.n));
    dd_mul(c, sum)
}

/// The tail above `t > 0`, or below it, by the sum from the saddle point: over the nodes of the table, where they serve.
#[kernel]
fn saddle_tail(t: f64, d: f64, lower: bool, s: NoncentralT) -> Tail {
    let nodes: NodeTable = s.nodes;
    let p: Saddle = saddle_at(t, s.n, d);
    let sign = if lower { 1.0 } else { -1.0 };
    let mut v: Sums = Sums { tail: (f64::NAN, 0.0), mass: 0.0 };
    if s.tabled {
        v = tail_of_nodes(p, nodes, sign);
    }
    if !(v.tail.0 > 0.0) {
        v = tail_sums(p, sign);
    }
    tail_from(p, v, lower)
}

/// The tail from its sums.
#[kernel(inline)]
fn tail_from(p: Saddle, v: Sums, lower: bool) -> Tail {
    let f = dd_mul(v.tail, p.c);
    let dens = density_factor(p, (v.mass, 0.0));
    Tail { e: p.e, f, slope: dens.0 / f.0, lower }
}

/// The log of the power `df/2` of `df/(df + t^2)` over `TINY_SHARE`, where that share is below it.
#[kernel]
fn log_share_beyond(t: f64, n: f64) -> (f64, f64) {
    let twice = log_dd((t, 0.0));
    let share = dd_sub(log_dd((n, 0.0)), (2.0 * twice.0, 2.0 * twice.1));
    dd_mul_d(dd_sub(share, log_dd((TINY_SHARE, 0.0))), 0.5 * n)
}

/// The tail of the normal distribution with mean `d`: an infinite number of degrees of freedom.
#[kernel]
fn normal_tail_at(t: f64, d: f64) -> Tail {
    let z = two_sum(t, -d);
    let lower = z.0 < 0.0;
    let size = if lower { dd_neg(z) } else { z };
    let h = half_square(size);
    let m = mills(size);
    Tail { e: dd_neg(h), f: m, slope: INV_SQRT_2PI.0 / m.0, lower }
}

/// Whether the square of the noncentrality is all that counts: where it is huge, and `t` and `d` have different signs, or `t^2 <= n`, or
/// their ratio is beyond the range.
#[kernel(inline)]
fn squared(t: f64, n: f64, d: f64) -> bool {
    d.abs() > SQUARE_ONLY && (d < 0.0 || t * t <= n || d / t > 1e300)
}

/// A tail, or the density, where it does: `exp(-d^2/2)`, times `n/(n + t^2)` if the signs are the same.
#[kernel]
fn squared_tail(t: f64, n: f64, d: f64) -> Tail {
    let r = product_ratio(t, t, n);
    let size = if d > 0.0 { d * r.y.0.sqrt() } else { d };
    let h = half_square((size, 0.0));
    let rate = r.x.0 / t;
    Tail { e: dd_neg(h), f: (1.0, 0.0), slope: if d > 0.0 { size * size * rate } else { n * rate }, lower: d > 0.0 }
}

/// A tail for `0 < t < inf`: the smaller one, or one below 3/4.
#[kernel]
fn tail_above_zero(t: f64, d: f64, s: NoncentralT) -> Tail {
    let n = s.n;
    if n > NORMAL_FROM {
        if n == f64::INFINITY {
            return normal_tail_at(t, d);
        }
        return nearly_normal_tail(if t > LEAST_T { t } else { LEAST_T }, n, d);
    }
    let inner = t * t <= n;
    if squared(t, n, d) {
        return squared_tail(t, n, d);
    }
    let sharp = too_sharp(n, d);
    if sharp && !inner {
        return averaged_tail(t, n, d);
    }
    if n < FEW_DEGREES && !inner {
        let r = few_tail(t, n, d);
        let p = saddle_at(t, n, d);
        let dens = density_factor(p, density_sum(p));
        return Tail { e: r.e, f: r.f, slope: dens.0 / r.f.0 * exp(p.e.0 - r.e.0), lower: r.lower };
    }
    // One call for all: a device's compiler puts each into the program anew.
    let sure = sharp || d <= 0.0;
    let mut below = d > 0.0 && (sharp || below_median(t, n, d));
    let mut r = Tail { e: (0.0, 0.0), f: (1.0, 0.0), slope: 0.0, lower: below };
    for _ in 0..2 {
        r = saddle_tail(t, d, below, s);
        if sure || small_enough(r) {
            break;
        }
        below = !below;
    }
    r
}

/// Whether sums over nodes do not serve: see `SHARP`.
#[kernel(inline)]
fn too_sharp(n: f64, d: f64) -> bool {
    d > 0.0 && d * d > SHARP * (if n > FEW { n } else { FEW })
}

/// Whether `t > 0` is below the median, nearly.
#[kernel(inline)]
fn below_median(t: f64, n: f64, d: f64) -> bool {
    let root = 1.0 - 2.0 / (9.0 * (if n > 0.4 { n } else { 0.4 }));
    t * root * root.sqrt() < d
}

/// A tail below 3/4: its complement loses less than two bits.
#[kernel(inline)]
fn small_enough(r: Tail) -> bool {
    r.e.0 + natural_log(r.f.0) < -0.3
}

/// A tail at any finite `t`.
#[kernel]
fn tail_at(t: f64, s: NoncentralT) -> Tail {
    let d = s.ncp;
    if t == 0.0 {
        let size = d.abs();
        let h = half_square((size, 0.0));
        let m = mills((size, 0.0));
        let lower = d > 0.0;
        return Tail { e: (-h.0, -h.1), f: m, slope: dt(0.0, s.n, false) / m.0, lower };
    }
    let positive = t > 0.0;
    let r = tail_above_zero(t.abs(), if positive { d } else { -d }, s);
    let below = r.lower;
    Tail { e: r.e, f: r.f, slope: r.slope, lower: below == positive }
}

/// Whether the parameters are valid and not those of the central distribution.
#[kernel(inline)]
fn valid(n: f64, d: f64) -> bool {
    n > 0.0 && d.abs() < f64::INFINITY
}

/// The noncentral t density.
///
/// Domain: `df > 0`, infinite included (the normal distribution with mean `ncp`), and finite `ncp`, else NaN; `ncp = 0` is [`dt`], bit
///   for bit. NaN gives NaN.
/// Method: the sum over 25 to 40 nodes about the saddle point of `x^df exp(-x^2/2 + w x)`, `w = ncp t/sqrt(df + t^2)`; the density at 0 is
///   that of the central distribution times `exp(-ncp^2/2)`; above `df = 1e24`, and `|ncp| = 1e13` where `x` has its sign and `x^2 > df`, the
///   leading term of Laplace's expansion, the next of which is of the order `1/df` or `1/ncp^2`.
/// Paper: johnson1995 (31.5); takahasi1974, trefethen2014.
/// Error: 99 % within 0.95 ulp, at most 1.00 ulp on the points of dev/oracle
///   (0.95 and 1.10 on the sweep, 1.00 and 1.40 on the corners, 0.60 and 0.60 on the far); the tests hold it. The far points have `|ncp|`
///   from 1e8 to 1e300.
#[kernel(split, ordered)]
pub fn dnt(x: f64, df: f64, ncp: f64, log: bool) -> f64 {
    let s = noncentral_t_setup(df, ncp);
    let y = dnt_of_nodes(x, s, log);
    if is_known(y) { y } else { dnt_any(x, s, log) }
}

/// [`dnt`] where the nodes of a table serve, NaN elsewhere.
#[kernel]
fn dnt_of_nodes(x: f64, s: NoncentralT, log: bool) -> f64 {
    let nodes: NodeTable = s.nodes;
    let t = x.abs();
    if !(s.tabled && t > 0.0 && t < f64::INFINITY) {
        return f64::NAN;
    }
    let p = saddle_at(t, s.n, if x < 0.0 { -s.ncp } else { s.ncp });
    let sum = density_of_nodes(p, nodes);
    if !(sum.0 > 0.0) {
        return f64::NAN;
    }
    density_value(p.e, density_factor(p, sum), log)
}

/// `f exp(e)` or its logarithm, whatever the size of the factor.
#[kernel(inline)]
fn density_value(e: (f64, f64), f: (f64, f64), log: bool) -> f64 {
    if f.0 <= 0.0 {
        return zero_on(log);
    }
    let mut e: (f64, f64) = e;
    let mut f: (f64, f64) = f;
    if e.0 > -1e300 && (f.0 < 1e-250 || f.0 > 1e250) {
        e = dd_add(e, log_dd(f));
        f = (1.0, 0.0);
    }
    if log { log_scaled_exp(e, f) } else { scaled_exp(e, f) }
}

/// [`dnt`] everywhere.
#[kernel]
fn dnt_any(x: f64, s: NoncentralT, log: bool) -> f64 {
    let df = s.df;
    let ncp = s.ncp;
    if ncp == 0.0 {
        return dt(x, df, log);
    }
    if x.is_nan() || !valid(df, ncp) {
        return f64::NAN;
    }
    if x.abs() == f64::INFINITY {
        return zero_on(log);
    }
    let t = x.abs();
    let d = if x < 0.0 { -ncp } else { ncp };
    if df > NORMAL_FROM {
        if df == f64::INFINITY {
            let h = half_square(two_sum(x, -ncp));
            return density_value(dd_neg(h), INV_SQRT_2PI, log);
        }
        let g = nearest(if t > LEAST_T { t } else { LEAST_T }, df, d);
        return density_value(dd_neg(g.e), laplace_factor(g), log);
    }
    if x == 0.0 {
        let h = half_square((ncp, 0.0));
        return density_value(dd_neg(h), (dt(0.0, df, false), 0.0), log);
    }
    if d.abs() > FAR {
        if squared(t, s.n, d) {
            let g = squared_tail(t, s.n, d);
            return density_value(g.e, g.f, log);
        }
        if d > 0.0 && t * t > s.n {
            let g = far_density(t, s.n, d);
            return density_value(g.e, if df < LEAST { dd_mul_d(g.f, df / LEAST) } else { g.f }, log);
        }
    }
    let p = saddle_at(t, s.n, d);
    let mut f = density_factor(p, density_sum(p));
    if df < LEAST {
        f = dd_mul_d(f, df / LEAST);
    }
    density_value(p.e, f, log)
}

/// The noncentral t distribution function.
///
/// Domain: `df > 0`, infinite included (the normal distribution with mean `ncp`), and finite `ncp`, else NaN. `ncp = 0` is [`pt`], bit for
///   bit. NaN gives NaN.
/// Method: the smaller tail, of which all terms are positive; the other is its complement.
///   ncp^2 <= 24, `x` and `ncp` of the same sign   two power series with positive coefficients: `special::noncentral_t_series`
///   ncp^2 <= 60 max(df, 4), or `x` and `ncp` of different signs, or `x^2 <= df`   a sum over 25 to 200 nodes about the saddle point
///   otherwise   the average over `z` of the chi-squared tail at `df ((ncp + z)/x)^2`, by 20 to 30 nodes
///   df < 0.05 otherwise, `x^2 > df`   the average over `y` of the chi-squared tail at `df (y/x)^2` by parts, 60 to 100 nodes
///   df > 1e24   the normal tail at the root of twice the least exponent, and its first correction
/// Paper: johnson1995 (31.5); takahasi1974, trefethen2014, temme1982.
/// Error: 99 % within 0.90 ulp, at most 1.30 ulp on the points of dev/oracle
///   (1.05 and 1.35 on the sweep, 1.00 and 1.20 on the corners, 0.85 and 0.85 on the inner, 0.50 and 0.50 on the far,
///   0.90 and 0.90 on the few); the tests hold it. The inner points have `x^2 <= df`, the far ones `|ncp|` from 1e8 to 1e300, the few ones `df`
///   from 1e-6 to 0.05.
#[kernel(split, ordered)]
pub fn pnt(x: f64, df: f64, ncp: f64, lower: bool, log: bool) -> f64 {
    let s = pnt_setup(df, ncp);
    let y = pnt_of_series(x, s, lower, log);
    if is_known(y) { y } else { pnt_rest(x, noncentral_t_setup(df, ncp), lower, log) }
}

/// What the series of [`pnt`] need of the parameters.
#[kernel]
pub(crate) struct PntSetup {
    /// Noncentrality as given.
    ncp: f64,
    /// The coefficients.
    series: NoncentralTSeries,
    /// For the central distribution, where the series serve.
    central: PtSetup,
}

/// The part of the series that depends on the parameters only.
#[kernel]
fn pnt_setup(df: f64, ncp: f64) -> PntSetup {
    PntSetup {
        ncp,
        series: noncentral_t_series(df, ncp.abs()),
        central: pt_setup(if in_series(df, ncp) { df } else { 1.0 }),
    }
}

/// [`pnt`] where `x` and `ncp` have the same sign and the series serve, NaN elsewhere.
#[kernel]
fn pnt_of_series(x: f64, s: PntSetup, lower: bool, log: bool) -> f64 {
    let series: NoncentralTSeries = s.series;
    let central: PtSetup = s.central;
    let serves: bool = series.serves;
    let t = x.abs();
    if !(serves && x * s.ncp > 0.0 && t > NEAR_SERIES && t < FAR_SERIES) {
        return f64::NAN;
    }
    let n = series.n;
    let ratio = dd_mul_d(dd_mul_d(series.inverse, t), t);
    let u = two_sum(1.0, ratio.0);
    let xi = dd_div(two_prod(0.5 * t, t), fast_two_sum(u.0, u.1 + ratio.1));
    let log_share = dd_mul_d(log1p_of_ratio(ratio), -0.5 * n);
    let below = below_median(t, n, s.ncp.abs());
    let sum = series_at(xi, below, series);
    let mut e: (f64, f64) = log_share;
    let mut f: (f64, f64);
    if below {
        f = dd_add(series.below, exp_of_pair(e, sum));
        e = (0.0, 0.0);
    } else {
        let c = central_tail(t, central);
        let inner = c.lower;
        let other = dd_add(sum, (0.5 * series.odd_total.0, 0.5 * series.odd_total.1));
        let apart = if inner { c.e } else { dd_sub(c.e, e) };
        let share = exp_of_pair(apart, c.m);
        f = dd_add(other, share);
        if inner {
            f = dd_add(exp_of_pair(e, other), dd_sub((0.5, 0.0), share));
            e = (0.0, 0.0);
        }
    }
    let r = Tail { e, f, slope: 0.0, lower: below };
    if !(f.0 > 0.0) || !small_enough(r) {
        return f64::NAN;
    }
    tail_probability(r, (below != (x < 0.0)) == lower, log)
}

/// [`pnt`] where the series do not serve.
#[kernel]
fn pnt_rest(x: f64, s: NoncentralT, lower: bool, log: bool) -> f64 {
    let y = pnt_of_nodes(x, s, lower, log);
    if is_known(y) { y } else { pnt_any(x, s, lower, log) }
}

/// [`pnt`] where the sum over the nodes of the tail that is taken for the smaller one serves, which it nearly always does; NaN elsewhere.
/// In a block the others are done together: otherwise all would wait for the second sum of a few.
#[kernel]
fn pnt_of_nodes(x: f64, s: NoncentralT, lower: bool, log: bool) -> f64 {
    let nodes: NodeTable = s.nodes;
    let t = x.abs();
    let d = if x < 0.0 { -s.ncp } else { s.ncp };
    if !(s.tabled && t > 0.0 && t < f64::INFINITY) {
        return f64::NAN;
    }
    let below = below_median(t, s.n, d);
    let p = saddle_at(t, s.n, d);
    let v = tail_of_nodes(p, nodes, if below { 1.0 } else { -1.0 });
    let r = tail_from(p, v, below);
    if !(v.tail.0 > 0.0) || (d > 0.0 && !small_enough(r)) {
        return f64::NAN;
    }
    tail_probability(r, (below != (x < 0.0)) == lower, log)
}

/// [`pnt`] everywhere.
#[kernel]
fn pnt_any(x: f64, s: NoncentralT, lower: bool, log: bool) -> f64 {
    if s.ncp == 0.0 {
        return pt(x, s.df, lower, log);
    }
    if x.is_nan() || !valid(s.df, s.ncp) {
        return f64::NAN;
    }
    if x.abs() == f64::INFINITY {
        return if (x < 0.0) == lower { zero_on(log) } else { one_on(log) };
    }
    let r = tail_at(x, s);
    let below = r.lower;
    tail_probability(r, below == lower, log)
}

/// The probability from a tail, whatever the size of its factor; `same`: of this tail, otherwise of the other.
#[kernel(inline)]
fn tail_probability(r: Tail, same: bool, log: bool) -> f64 {
    let mut e: (f64, f64) = r.e;
    let mut c: (f64, f64) = r.f;
    if e.0 > -1e300 && (c.0 > 1e5 || c.0 < 1e-5) {
        e = dd_add(e, log_dd(c));
        c = (1.0, 0.0);
    }
    tail_to_probability(e, c, same, log)
}

/// Where a search ends: quantiles beyond are infinite.
#[kernel]
const LARGEST: f64 = 1e308;

/// After so many steps those that do not halve become halves of the bracket.
#[kernel]
const PATIENCE: i32 = 8;

/// `asinh(t/w)`.
#[kernel(inline)]
fn inverse_sinh(t: f64, w: f64) -> f64 {
    let x = t.abs() / w;
    let l = if x > 1e8 {
        natural_log(t.abs()) - natural_log(w) + std::f64::consts::LN_2 // the ratio may be beyond the range
    } else {
        natural_log(x + x.mul_add(x, 1.0).sqrt())
    };
    if t < 0.0 { -l } else { l }
}

/// `w sinh(v)`.
#[kernel(inline)]
fn sinh_times(v: f64, w: f64) -> f64 {
    let e = exp(if v.abs() < 1400.0 { 0.5 * v.abs() } else { 700.0 });
    let h = 0.5 * (w * e) * e - 0.5 * (w / e) / e;
    if v < 0.0 { -h } else { h }
}

/// Where the search begins: the quantile if `s` were normal, or, where that has none, the power of the tail. Where the noncentrality is large
/// against the degrees of freedom, that of the inverse of `s`: Wilson and Hilferty's cube, at most `n + 2 sqrt(n e) + 2 e` with `e = -log_tail`.
#[kernel]
fn quantile_start(n: f64, d: f64, z: f64, log_tail: f64) -> f64 {
    let bend = 1.0 - 0.5 * z * z / n;
    if too_sharp(n, d.abs()) {
        let third = 2.0 / 9.0 / n;
        let cube = 1.0 - third + (if d > 0.0 { -z } else { z }) * third.sqrt();
        if cube > 0.15 {
            let most = 1.0 + 2.0 * (-log_tail / n).sqrt() - 2.0 * log_tail / n;
            let share = if cube * cube * cube < most { cube * cube * cube } else { most };
            let t = d / share.sqrt();
            return if t.abs() < LARGEST { t } else { LARGEST.copysign(d) };
        }
    }
    let inside = 1.0 + 0.5 * ((d - z) / n) * (d + z);
    if bend > 0.1 && inside > 0.0 {
        return (d + z * inside.sqrt()) / bend;
    }
    let far = -log_tail / n;
    let size = (n.sqrt() + d.abs()) * exp(if far < 600.0 { far } else { 600.0 });
    let size = if size < LARGEST { size } else { LARGEST };
    if too_sharp(n, d.abs()) { size.copysign(d) } else { size.copysign(z) }
}

/// The noncentral t quantile.
///
/// Domain: `p` in [0, 1] (log: `<= 0`), `df > 0`, infinite included, and finite `ncp`, else NaN; 0 and 1 give the infinities; `ncp = 0` is
///   [`qt`], bit for bit. NaN gives NaN.
/// Method: Newton's iteration on the log of the smaller tail, inside a bracket, for `asinh(x/sqrt(df))`, in which far tails are lines; the
///   last step is not rounded before it is added. At most 60 steps, usually 3 to 6. Next to 0, where the distribution function does not tell
///   `x` from 0, more steps for `p - Phi(-ncp) = integral of the density`, the left side in pairs, the right one by Gauss's rule.
/// Paper: johnson1995 (31.6, the start), wilson1931 (the start for large noncentralities).
/// Error: 99 % within 1.40 ulp, at most 1.40 ulp on the points of dev/oracle (0.85 and 0.90 on the sweep, 0.50 and 0.50
///   on the far); the tests hold it. The far points have `|ncp|` from 1e8 to 1e60.
#[kernel(split, ordered)]
pub fn qnt(p: f64, df: f64, ncp: f64, lower: bool, log: bool) -> f64 {
    qnt_eval(p, noncentral_t_setup(df, ncp), lower, log)
}

/// [`qnt`] after its setup.
#[kernel]
fn qnt_eval(p: f64, s: NoncentralT, lower: bool, log: bool) -> f64 {
    let n = s.n;
    let d = s.ncp;
    if d == 0.0 {
        return qt(p, s.df, lower, log);
    }
    let end = quantile_end(p, lower, log);
    if end < 0.0 || !valid(s.df, d) {
        return f64::NAN;
    }
    if end < 2.0 {
        return if end == 0.0 { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    let (same, same_low, o, ol) = tail_logs(p, log);
    let log_lower = if lower { (same, same_low) } else { (o, ol) };
    let log_upper = if lower { (o, ol) } else { (same, same_low) };
    let left = log_lower.0 < log_upper.0;
    let small = if left { log_lower.0 } else { log_upper.0 };
    let z = standard_quantile(small, left, true);
    let mut t = quantile_start(n, d, z.0, small);
    let unit = if n < 1e30 { n.sqrt() } else { 1e15 };
    let mut low = f64::NEG_INFINITY;
    let mut high = f64::INFINITY;
    let mut last: f64 = 0.0;
    let mut slope: f64 = 0.0;
    let mut before: f64 = f64::INFINITY;
    let mut steps: i32 = 0;
    while steps < 60 {
        steps += 1;
        let r = tail_at(t, s);
        let below = r.lower;
        slope = r.slope;
        // a tail that is nothing: only the side counts
        let nothing = !(r.e.0 > -1e250);
        let l = if nothing { (-1e300, 0.0) } else { dd_add(r.e, log_dd(r.f)) };
        let gap = dd_high(dd_sub(l, if below { log_lower } else { log_upper }));
        let newton = if below { -gap / r.slope } else { gap / r.slope };
        let away = if below { f64::INFINITY } else { f64::NEG_INFINITY };
        let move_by = if nothing && gap < 0.0 { away } else { newton };
        if move_by > 0.0 {
            low = t;
        } else {
            high = t;
        }
        let ratio = (t / unit).abs();
        let width = if ratio < 1e100 { ratio.mul_add(ratio, 1.0).sqrt() * unit } else { t.abs() };
        let bend = r.slope + (if width < 1.0 + n { 1.0 } else { (1.0 + n) / width });
        if (move_by / t).abs() * (move_by * bend).abs() < 1e-17 || t + move_by == t {
            last = move_by;
            break;
        }
        let v = inverse_sinh(t, unit);
        let dv = move_by / width;
        if t.abs() >= LARGEST && (dv > 0.0) == (t > 0.0) {
            return if t > 0.0 { f64::INFINITY } else { f64::NEG_INFINITY };
        }
        let reach = if dv < 40.0 { dv } else { 40.0 };
        let reach = v + (if reach > -40.0 { reach } else { -40.0 });
        let mut next = if dv.abs() < 0.01 { t + move_by } else { sinh_times(reach, unit) };
        if next.abs() > LARGEST {
            next = if next > 0.0 { LARGEST } else { -LARGEST };
        }
        // about a kink of the logarithm, as between the sides of 0 where there are few degrees of freedom, steps may go to and fro
        let enclosed = low > f64::NEG_INFINITY && high < f64::INFINITY;
        let slow = steps > PATIENCE && enclosed && dv.abs() > 0.5 * before;
        before = dv.abs();
        if slow || !(next > low && next < high) {
            let from = if low > f64::NEG_INFINITY { inverse_sinh(low, unit) } else { inverse_sinh(high, unit) - 40.0 };
            let to = if high < f64::INFINITY { inverse_sinh(high, unit) } else { inverse_sinh(low, unit) + 40.0 };
            next = sinh_times(0.5 * from + 0.5 * to, unit);
            if !(next > low && next < high) {
                break;
            }
        }
        t = next;
    }
    let r: (f64, f64) = two_sum(t, last);
    let t: f64 = r.0;
    let near = t.abs() * slope < NEAR_ZERO && t.abs() < NEAR_UNIT * unit && n > LEAST_NEAR && d.abs() < FAR_NEAR;
    if near { quantile_near_zero(t, p, s, lower, log) } else { t }
}

/// Where a quantile is so near 0 that the distribution function does not tell it from 0: their difference, over it, at most this ...
#[kernel]
const NEAR_ZERO: f64 = 0.125;
/// ... and the quantile over the root of the degrees of freedom, the distance of the density's poles ...
#[kernel]
const NEAR_UNIT: f64 = 0.4;
/// ... while eight nodes serve; five do up to this.
#[kernel]
const NEARER_UNIT: f64 = 0.12;
/// Degrees of freedom with nearly all of the mass far from 0, where a quantile near 0 is rare.
#[kernel]
const LEAST_NEAR: f64 = 0.01;
/// Noncentralities whose square is a pair with the digits that its exponential needs.
#[kernel]
const FAR_NEAR: f64 = 1e5;
/// From this noncentrality on the normal tail at 0 is a continued fraction, below a power series.
#[kernel]
const FRACTION_FROM: f64 = 3.0;
/// Gauss's five nodes on [0, 1], and three places that are not used.
#[kernel]
const FIVE_NODES: [f64; 8] =
    [0.046910077030668004, 0.23076534494715845, 0.5, 0.7692346550528415, 0.953089922969332, 0.0, 0.0, 0.0];
/// Their weights.
#[kernel]
const FIVE_WEIGHTS: [f64; 8] = [
    0.11846344252809454,
    0.23931433524968324,
    0.28444444444444444,
    0.23931433524968324,
    0.11846344252809454,
    0.0,
    0.0,
    0.0,
];
/// Gauss's eight nodes on [0, 1].
#[kernel]
const EIGHT_NODES: [f64; 8] = [
    0.019855071751231884,
    0.10166676129318664,
    0.2372337950418355,
    0.4082826787521751,
    0.591717321247825,
    0.7627662049581645,
    0.8983332387068134,
    0.9801449282487681,
];
/// Their weights.
#[kernel]
const EIGHT_WEIGHTS: [f64; 8] = [
    0.05061426814518813,
    0.11119051722668724,
    0.15685332293894363,
    0.181341891689181,
    0.181341891689181,
    0.15685332293894363,
    0.11119051722668724,
    0.05061426814518813,
];

/// `exp(r) - 1` of a pair, `|r| <= 0.4`, as a normalised pair, relative error about 2^-98: Taylor's series at `r/64`, six times doubled.
#[kernel]
fn fine_expm1(r: (f64, f64)) -> (f64, f64) {
    let z = (0.015625 * r.0, 0.015625 * r.1);
    let mut sum: (f64, f64) = (1.0, 0.0);
    for i in 0..11 {
        let k = (12 - i) as f64;
        sum = dd_add_d(dd_mul(dd_div(z, (k, 0.0)), sum), 1.0);
    }
    let mut e: (f64, f64) = dd_mul(z, sum);
    for _ in 0..6 {
        e = dd_mul(e, dd_add_d(e, 2.0));
    }
    e
}

/// The power of two next to `exp(a)`.
#[kernel(inline)]
fn nearest_power(a: f64) -> f64 {
    (a * std::f64::consts::LOG2_E).round_ties_even()
}

/// `a` less `k log 2`.
#[kernel(inline)]
fn less_power(a: (f64, f64), k: f64) -> (f64, f64) {
    dd_sub(a, dd_mul_d(LN2, k))
}

/// `exp(a) - 1` of a pair, `-700 < a < 1`, as a normalised pair.
#[kernel]
fn fine_expm1_any(a: (f64, f64)) -> (f64, f64) {
    let k = nearest_power(a.0);
    let e: (f64, f64) = fine_expm1(less_power(a, k));
    let unit = power_of_two(k);
    if k == 0.0 { e } else { dd_add_d(dd_add_d((e.0 * unit, e.1 * unit), unit), -1.0) }
}

/// `Phi(d) - 1/2` for `0 <= d < 3` as a pair, absolute error about 2^-99: `sum (-1)^k d^(2k+1)/(2^k k! (2k+1))/sqrt(2 pi)`.
#[kernel]
fn normal_centre(d: f64) -> (f64, f64) {
    let u: (f64, f64) = two_prod(d, -0.5 * d);
    let mut term: (f64, f64) = (d, 0.0);
    let mut sum: (f64, f64) = (d, 0.0);
    for i in 1..70 {
        let k = i as f64;
        term = dd_mul(term, dd_div(u, (k, 0.0)));
        sum = dd_add(sum, dd_div(term, (2.0 * k + 1.0, 0.0)));
        if term.0.abs() < 1e-34 * d {
            break;
        }
    }
    dd_mul(sum, INV_SQRT_2PI)
}

/// `exp(d^2/2) Phi(-d)` for `d >= 3` as a pair, error about 2^-100, by Laplace's continued fraction, whose error after `n` levels is
/// `exp(-2 d sqrt(2 n))`.
#[kernel]
fn mills_by_fraction(d: f64) -> (f64, f64) {
    let mut r: (f64, f64) = (d, 0.0);
    for i in 0..70 {
        let k = (70 - i) as f64;
        r = dd_add_d(dd_div((k, 0.0), r), d);
    }
    dd_div(INV_SQRT_2PI, r)
}

/// The probability less that of `T < 0` for a noncentrality `d >= 0`, from `d = 3` on times `exp(h)`, `h = d^2/2`, as a pair. `below`: `p` is
/// the lower tail's.
#[kernel]
fn gap_at_zero(p: f64, d: f64, h: (f64, f64), below: bool, log: bool) -> (f64, f64) {
    if d < FRACTION_FROM {
        let mut over_half: (f64, f64) = two_sum(p, -0.5);
        if log {
            let twice: (f64, f64) = fine_expm1_any(dd_add_d(LN2, p));
            over_half = (0.5 * twice.0, 0.5 * twice.1);
        }
        return dd_add(if below { over_half } else { dd_neg(over_half) }, normal_centre(d));
    }
    let mut e: (f64, f64) = h;
    let mut c: (f64, f64) = (p, 0.0);
    if below && log {
        e = dd_add_d(h, p);
        c = (1.0, 0.0);
    }
    if !below {
        c = if log { dd_neg(fine_expm1_any((p, 0.0))) } else { two_sum(1.0, -p) };
    }
    let k = nearest_power(e.0);
    let m: (f64, f64) = dd_add_d(fine_expm1(less_power(e, k)), 1.0);
    // exact: the product is about that of the normal tail
    let lifted: (f64, f64) = (scale_by_power(c.0, k), scale_by_power(c.1, k));
    dd_sub(dd_mul(lifted, m), mills_by_fraction(d))
}

/// The density at `u` for the noncentrality `d`, times `exp(h)`, as a pair.
#[kernel]
fn density_near_zero(u: f64, n: f64, d: f64, h: (f64, f64)) -> (f64, f64) {
    let t = if u.abs() > LEAST_T { u.abs() } else { LEAST_T };
    let side = if u < 0.0 { -d } else { d };
    let e: (f64, f64);
    let mut f: (f64, f64) = INV_SQRT_2PI;
    if n > NORMAL_FROM {
        e = dd_neg(half_square(two_sum(t, -side)));
    } else {
        let p: Saddle = saddle_at(t, n, side);
        e = p.e;
        f = density_factor(p, density_sum(p));
    }
    let (m, ml, k) = exp_parts(dd_add(e, h));
    let unit = power_of_two(k);
    dd_mul(f, (m * unit, ml * unit))
}

/// The quantile near 0, where `Phi(-d) + integral of the density` is the probability: Newton's steps from `t`, with the integral by
/// Gauss's rule and `p - Phi(-d)` in pairs, of which nothing is lost however near to 0 it is.
#[kernel]
fn quantile_near_zero(t: f64, p: f64, s: NoncentralT, lower: bool, log: bool) -> f64 {
    let n = s.n;
    // mirrored, so that the noncentrality is positive
    let sign = if s.ncp > 0.0 { 1.0 } else { -1.0 };
    let d = s.ncp.abs();
    let small = d < FRACTION_FROM;
    let square: (f64, f64) = half_square((d, 0.0));
    let h: (f64, f64) = (if small { 0.0 } else { square.0 }, if small { 0.0 } else { square.1 });
    let gap: (f64, f64) = gap_at_zero(p, d, h, lower == (sign > 0.0), log);
    if gap.0 == 0.0 {
        return 0.0;
    }
    let mut u = sign * t;
    if !(u * gap.0 > 0.0) || u.abs() < 1e-6 {
        let at_zero: (f64, f64) = density_near_zero(0.0, n, d, h);
        u = gap.0 / at_zero.0;
    }
    let few = u.abs() < NEARER_UNIT * n.sqrt();
    let count: i32 = if few { 5 } else { 8 };
    let mut result = u;
    for _ in 0..4 {
        let mut mean: (f64, f64) = (0.0, 0.0);
        let mut last: f64 = 1.0;
        for i in 0..count {
            let at = if few { FIVE_NODES[i as usize] } else { EIGHT_NODES[i as usize] };
            let weight = if few { FIVE_WEIGHTS[i as usize] } else { EIGHT_WEIGHTS[i as usize] };
            let f: (f64, f64) = density_near_zero(u * at, n, d, h);
            mean = dd_add(mean, dd_mul_d(f, weight));
            last = f.0;
        }
        // the density at the last node serves for that at the end: what this leaves of a step is below a tenth of the density's slope times it
        let step = dd_high(dd_sub(gap, dd_mul_d(mean, u))) / last;
        let moved: (f64, f64) = two_sum(u, step);
        result = moved.0;
        if (step * (1.0 + d)).abs() < 1e-15 || step.abs() < 1e-14 * u.abs() {
            break;
        }
        u = result;
    }
    sign * result
}
