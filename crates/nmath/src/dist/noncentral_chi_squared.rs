//! The noncentral chi-squared distribution: a Poisson mixture of chi-squared distributions.
//!
//! In halves, `y = x/2`, `a = df/2`, `l = ncp/2`, the density is `2 f(x) = sum p_j T_(a+j-1)` with the masses
//! `p_j = e^-l l^j/j!` and `T_c = y^c e^-y/Gamma(c+1)`. Its largest term lies where `j = k`, `a + j - 1 = m`, with `m k = y l` and
//! `m - k = v = a - 1`: so `S = m + k = sqrt(v^2 + 4 y l)`, the curvature of the saddle point, says how many terms matter.
//! Below 25 the sums are summed; from there on the density is `exp(-bd0(k, l) - bd0(m, y))/sqrt(2 pi S)` times Debye's
//! expansion, and the tails are integrals over a circle with the same exponent.

use crate::dist::chi_squared::{dchisq, pchisq, qchisq};
use crate::special::constants::{INV_PI, INV_SQRT_2PI, LN2};
use crate::special::contour::{CUT, exact_step, pole_at, sine_and_versine, turned_by};
use crate::special::conventions::{one_on, quantile_end, zero_on};
use crate::special::debye_remainder::{DEBYE_FROM, debye_less_one};
use crate::special::deviance::bd0_dd;
use crate::special::double_double::{
    dd_add, dd_add_d, dd_div, dd_high, dd_inverse, dd_mul, dd_mul_d, dd_neg, dd_sqrt, dd_square, dd_sub, fast_two_sum,
    pair_add, pair_add_d, pair_div, pair_mul, pair_mul_d, pair_sub, two_prod, two_sum,
};
use crate::special::exponential::{exp, exp_parts, exp_sum, exp_times, expm1, expm1_pair};
use crate::special::gamma_function::lgamma1p_dd;
use crate::special::incomplete_gamma::{gamma_shape, gamma_tail_at, tail_logs, tail_to_probability};
use crate::special::logarithm::{log as natural_log, log_dd, log_loose, log1p};
use crate::special::noncentral_sums::{bessel_sum, lower_mixture, upper_mixture};
use crate::special::normal_tail::standard_quantile;
use crate::special::poisson_mass::{log_scaled_exp, scaled_exp};
use crate::special::powers_of_two::TWO_512;
use crate::special::scaling::power_of_two;
use gristmill_kernel::kernel;

/// Arguments beyond this have no density.
#[kernel]
const FAR: f64 = 1e130;
/// Parameters beyond this: the distribution is a step, its relative width is below 1e-39. (From 1e90 on squares of the sums leave the range.)
#[kernel]
const FAR_PARAMETER: f64 = 1e80;
/// Smaller noncentralities change nothing, here and where ratios have them.
#[kernel]
pub(crate) const CENTRAL_TO: f64 = 1e-300;

/// What the functions need of the parameters.
#[kernel]
pub(crate) struct NoncentralChi {
    /// The parameters as given.
    pub(crate) df: f64,
    /// See `df`.
    pub(crate) ncp: f64,
    /// 0: ordinary; 1: NaN; 2: central; 3: a step at the mean.
    pub(crate) kind: f64,
    /// `df/2`
    pub(crate) a: f64,
    /// `ncp/2`
    pub(crate) l: f64,
    /// `a - 1` as a pair.
    pub(crate) v: (f64, f64),
    /// `log Gamma(1 + a)` as a pair.
    pub(crate) lg: (f64, f64),
}

/// What density, distribution function and quantile need of their parameters.
#[kernel]
pub(crate) fn noncentral_setup(df: f64, ncp: f64) -> NoncentralChi {
    let usual = df >= 0.0 && ncp >= 0.0 && df < f64::INFINITY && ncp < f64::INFINITY;
    let far = df > FAR_PARAMETER || ncp > FAR_PARAMETER;
    let kind = if ncp >= 0.0 && ncp < CENTRAL_TO {
        2.0
    } else if !usual {
        1.0
    } else if far {
        3.0
    } else {
        0.0
    };
    let a = if kind == 0.0 { 0.5 * df } else { 1.0 };
    let l = if kind == 0.0 { 0.5 * ncp } else { 1.0 };
    let (v, vl) = two_sum(a, -1.0);
    let lg = lgamma1p_dd(a);
    NoncentralChi { df, ncp, kind, a, l, v: (v, vl), lg }
}

/// The saddle point at `y`.
#[kernel]
struct Saddle {
    /// Its index in the mixture, rounded.
    k: f64,
    /// `k + a - 1` as a pair.
    m: (f64, f64),
    /// `-bd0(k, l) - bd0(m, y)` as a pair.
    e: (f64, f64),
}

/// `S^2/4 = (v/2)^2 + y l`, leading part.
#[kernel(inline)]
fn quarter_square(y: f64, s: NoncentralChi) -> f64 {
    (0.25 * s.v.0).mul_add(s.v.0, y * s.l)
}

/// Whether `y` is so small that terms after the first, `y (1 + l)/(a + 1)` of it and less, are nothing; ratios to `y` may leave the range.
#[kernel(inline)]
fn first_term_alone(y: f64, s: NoncentralChi) -> bool {
    y * (1.0 + s.l) < 1e-100 * s.a
}

/// The largest term of the mixture. It is stationary there, so a rounded `k` does: what it lacks is of second order, but for
/// `m`, whose low part meets the logarithm.
#[kernel(inline)]
fn saddle_at(y: f64, s: NoncentralChi) -> Saddle {
    let half = quarter_square(y, s).sqrt();
    let hv = 0.5 * s.v.0;
    let k = if hv > 0.0 { (y * s.l) / (half + hv) } else { half - hv };
    let (m, low) = two_sum(s.v.0, k);
    let ml = low + s.v.1;
    let near = k > 0.5 * s.l && k < 2.0 * s.l;
    let log_rho = if near { log1p((s.l - k) / k) } else { natural_log(s.l / k) };
    let sum = dd_add(bd0_dd(k, (s.l, 0.0)), bd0_dd(m, (y, 0.0)));
    let e = dd_add_d(sum, ml * log_rho);
    Saddle { k, m: (m, ml), e: (-e.0, -e.1) }
}

/// `log y` of `y = x/2` as a pair.
#[kernel(inline)]
fn log_of_half(x: f64) -> (f64, f64) {
    dd_sub(log_dd((x, 0.0)), LN2)
}

/// `exp(e) c`, or its logarithm, of two pairs of any size.
#[kernel(inline)]
fn value_of(e: (f64, f64), c: (f64, f64), log: bool) -> f64 {
    if c.0 > 0.0 && c.0 < 1e-250 {
        let shift = dd_mul_d(LN2, -512.0);
        let up = (c.0 * TWO_512, c.1 * TWO_512);
        return if log { log_scaled_exp(dd_add(e, shift), up) } else { scaled_exp(dd_add(e, shift), up) };
    }
    if c.0 <= 0.0 {
        return zero_on(log);
    }
    if log { log_scaled_exp(e, c) } else { scaled_exp(e, c) }
}

/// The density by its series, `S < 25`: `exp(v log y - y - l - log Gamma(1+a)) (a + y l H)/2`.
#[kernel]
fn series_density(x: f64, s: NoncentralChi, log: bool) -> f64 {
    let y = 0.5 * x;
    let z = two_prod(y, s.l);
    let fall = dd_add(two_sum(y, s.l), s.lg);
    if z.0 < LEAST_PRODUCT && s.a < LEAST_SHAPE {
        return least_density(x, s, fall, log);
    }
    let h = bessel_sum(z, s.a, true);
    let c = dd_add_d(dd_mul(z, h), s.a);
    let rise = dd_mul(s.v, log_of_half(x));
    value_of(dd_sub(rise, fall), (0.5 * c.0, 0.5 * c.1), log)
}

/// Below this the product `x ncp/4` may have underflowed, and is nothing but beside a shape that is as small.
#[kernel]
const LEAST_PRODUCT: f64 = 1e-250;
/// See `LEAST_PRODUCT`.
#[kernel]
const LEAST_SHAPE: f64 = 1e-230;
/// A factor, 2^890, that brings a number below `LEAST_FACTOR` near 1 ...
#[kernel]
const UP: f64 = 8.25460204899477e267;
/// ... one of the two factors of a product below `LEAST_PRODUCT` at least.
#[kernel]
const LEAST_FACTOR: f64 = 1e-120;

/// [`series_density`] where its sum is 1 and `y l` may underflow: `exp(v log y - fall + log(a + y l))/2`.
#[kernel]
fn least_density(x: f64, s: NoncentralChi, fall: (f64, f64), log: bool) -> f64 {
    let by_x = x < LEAST_FACTOR;
    let by_l = s.l < LEAST_FACTOR;
    let z = two_prod(0.5 * (if by_x { x * UP } else { x }), if by_l { s.l * UP } else { s.l });
    let a = s.a * (if by_x { UP } else { 1.0 }) * (if by_l { UP } else { 1.0 });
    let c: (f64, f64) = log_dd(dd_add_d(z, a));
    let lifts = (if by_x { 890.0 } else { 0.0 }) + (if by_l { 890.0 } else { 0.0 });
    let rise = dd_add(dd_mul(s.v, log_of_half(x)), dd_sub(c, dd_mul_d(LN2, lifts)));
    value_of(dd_sub(rise, fall), (0.5, 0.0), log)
}

/// The density by Debye's expansion, `S >= 25`.
#[kernel]
fn saddle_density(x: f64, s: NoncentralChi, log: bool) -> f64 {
    let y = 0.5 * x;
    let p = saddle_at(y, s);
    if p.k < 1e-280 {
        return dchisq(x, s.df, log);
    }
    let z = two_prod(y, s.l);
    let square = dd_square(s.v);
    let curvature = dd_sqrt(dd_add(square, (4.0 * z.0, 4.0 * z.1)));
    let d = debye_less_one(square.0 / (curvature.0 * curvature.0), curvature.0);
    let half = (0.5 * INV_SQRT_2PI.0, 0.5 * INV_SQRT_2PI.1);
    let root = dd_sqrt(curvature);
    let c = dd_mul(dd_div(half, root), two_sum(1.0, d));
    value_of(p.e, c, log)
}

/// What the density needs of its parameters.
#[kernel]
struct NoncentralDensity {
    /// For all functions.
    chi: NoncentralChi,
    /// Whether the series is in these coefficients.
    tabled: bool,
    /// `v log(2) + l + log Gamma(1+a)` as a pair.
    fall: (f64, f64),
    /// `c_j = 1/((j+1)! (a+1)_j)`, which multiplies `z^j`: leading parts.
    high: [f64; 48],
    /// What the first of them leave.
    low: [f64; 20],
}

/// Coefficients that are pairs: the levels up to `4 + 1.2 sqrt(z)`, `z < 157`, past the largest term.
#[kernel]
const PAIRS: i32 = 20;

/// Shapes of the series: `S < 25`.
#[kernel]
const SERIES_TO: f64 = 26.0;

/// The setup of [`dnchisq`], with the coefficients of its series where `S` may be below 25.
#[kernel]
fn density_setup(df: f64, ncp: f64) -> NoncentralDensity {
    let chi: NoncentralChi = noncentral_setup(df, ncp);
    // below, what multiplies the exponential may leave the range
    let tabled = chi.kind == 0.0 && chi.a <= SERIES_TO && chi.a > 1e-3;
    let a = if tabled { chi.a } else { 1.0 };
    let v: (f64, f64) = chi.v;
    let lg: (f64, f64) = chi.lg;
    let fall = dd_add(dd_mul(v, LN2), dd_add_d(lg, chi.l));
    // from the end, so that there is one division: c_j over the last one, at most 1e141
    let mut high: [f64; 48] = [1.0; 48];
    let mut low: [f64; 20] = [0.0; 20];
    let mut d: f64 = 1.0;
    for i in (PAIRS..47).rev() {
        let j = i as f64;
        d *= (j + 2.0) * (a + (j + 1.0));
        high[i as usize] = d;
    }
    let mut p = (d, 0.0);
    for i in (0..PAIRS).rev() {
        let j = i as f64;
        p = pair_mul(p, pair_mul_d(two_sum(a, j + 1.0), j + 2.0));
        high[i as usize] = p.0;
        low[i as usize] = p.1;
    }
    let inverse = dd_inverse(p);
    for i in 0..PAIRS {
        let c = dd_mul((high[i as usize], low[i as usize]), inverse);
        high[i as usize] = c.0;
        low[i as usize] = c.1;
    }
    for i in PAIRS..48 {
        high[i as usize] *= inverse.0;
    }
    NoncentralDensity { chi, tabled, fall, high, low }
}

/// Whether the density is the series in its coefficients.
#[kernel(inline)]
fn in_series(x: f64, s: NoncentralDensity, _log: bool) -> bool {
    let chi: NoncentralChi = s.chi;
    s.tabled && x > 1e-290 && 4.0 * quarter_square(0.5 * x, chi) < DEBYE_FROM * DEBYE_FROM
}

/// The density by the series in its coefficients: [`series_density`] for less.
///
/// Four levels at a time, those up to the largest term as pairs, so that whole groups are skipped which no element needs.
#[kernel(inline)]
fn tabled_density(x: f64, s: NoncentralDensity, log: bool) -> f64 {
    let chi: NoncentralChi = s.chi;
    let y = 0.5 * x;
    let z = two_prod(y, chi.l);
    let root = z.0.sqrt();
    let last = 2.6f64.mul_add(root, 12.0);
    let fine = 1.2f64.mul_add(root, 4.0);
    let mut h: (f64, f64) = (0.0, 0.0);
    for g in (0..12).rev() {
        let first = (4 * g) as f64;
        if first <= fine {
            for i in (0..4).rev() {
                let at = (4 * g + i) as usize;
                h = pair_add(pair_mul(z, h), (s.high[at], s.low[at]));
            }
        } else if first <= last {
            for i in (0..4).rev() {
                h = (z.0.mul_add(h.0, s.high[(4 * g + i) as usize]), 0.0);
            }
        }
    }
    let c = dd_add_d(dd_mul(z, h), chi.a);
    let half = (0.5 * c.0, 0.5 * c.1);
    let e = pair_sub(pair_mul(log_loose(x), chi.v), pair_add_d(s.fall, y));
    if log {
        return log_scaled_exp(fast_two_sum(e.0, e.1), half);
    }
    if e.0.abs() < 650.0 { exp_times(e, half) } else { scaled_exp(fast_two_sum(e.0, e.1), half) }
}

/// The density elsewhere.
#[kernel]
fn density_rest(x: f64, s: NoncentralDensity, log: bool) -> f64 {
    density_anywhere(x, s.chi, log)
}

/// The density without the coefficients of the series.
#[kernel]
fn density_anywhere(x: f64, s: NoncentralChi, log: bool) -> f64 {
    let nothing = zero_on(log);
    if s.kind == 2.0 {
        return dchisq(x, s.df, log);
    }
    if x.is_nan() || s.kind == 1.0 {
        return f64::NAN;
    }
    if x < 0.0 || x > FAR {
        return nothing;
    }
    if s.kind == 3.0 {
        return if x == s.df + s.ncp { f64::INFINITY } else { nothing };
    }
    if x == 0.0 {
        if s.df < 2.0 {
            return f64::INFINITY;
        }
        if s.df > 2.0 {
            return nothing;
        }
        return if log { -s.l - std::f64::consts::LN_2 } else { 0.5 * exp(-s.l) };
    }
    if 4.0 * quarter_square(0.5 * x, s) < DEBYE_FROM * DEBYE_FROM || first_term_alone(0.5 * x, s) {
        series_density(x, s, log)
    } else {
        saddle_density(x, s, log)
    }
}

/// The noncentral chi-squared density.
///
/// Domain: finite `df >= 0` and `ncp >= 0`, else NaN; `x < 0` gives 0; `ncp = 0` is [`dchisq`], bit for bit. `df = 0` has a mass of
///   `exp(-ncp/2)` at 0: there the density is `+inf`, as for every `df < 2`. NaN gives NaN. Parameters above 1e80: a step.
/// Method: with `S = sqrt((df/2 - 1)^2 + x ncp)`
///   S < 25   the series of the Bessel function, at most 48 terms, those up to the largest as pairs; its coefficients depend on `df` only
///   above    `exp(-bd0(k, ncp/2) - bd0(m, x/2))/sqrt(8 pi S)` times Debye's expansion: 19 terms, 11 from 60 on
/// Paper: johnson1995 (29.3), loader2000, dlmf (10.41).
/// Error: 99 % within 0.52 ulp, at most 0.55 ulp on the points of dev/oracle
///   (0.51 and 0.52 on the sweep, 0.51 and 0.52 on the corners); the tests hold it.
#[kernel(split)]
pub fn dnchisq(x: f64, df: f64, ncp: f64, log: bool) -> f64 {
    let s = density_setup(df, ncp);
    if in_series(x, s, log) { tabled_density(x, s, log) } else { density_rest(x, s, log) }
}

/// One tail at a point: `(f + fl) exp(e + el)`, and `slope = y density/tail`.
#[kernel]
struct Tail {
    e: (f64, f64),
    f: (f64, f64),
    slope: f64,
    lower: bool,
}

/// The tail on its side of the saddle point by the trapezoidal rule, `S >= 25`.
///
/// The upper tail is `exp(E)/(2 pi)` times the integral of `exp(S (cos t - 1) + i v (sin t - t))/(1 - rho exp(i t))`, `rho < 1`; the lower
/// one has `1/(rho exp(i t) - 1)`, `rho > 1`. The circle goes through `rho = l/k` of the rounded `k`: `1 - rho` is exact next to
/// the pole, and what `k` lacks turns the phase by `d sin t`. The nodes are at odd multiples of half a step, so that the pole,
/// which adds `1/(1 + exp(H |log rho|))`, does not meet one.
///
/// Few nodes carry the sum, two or three for each standard deviation, so that their errors do not average out: modulus, denominator and
/// quotient are pairs. The phase, whose cosine is 1 but for `v^2/(36 S^3)` where the modulus is large, is a double.
#[kernel]
fn contour_tail(y: f64, s: NoncentralChi, p: Saddle) -> Tail {
    let mu = dd_div(two_prod(y, s.l), (p.k, 0.0));
    let drift = (mu.0 - p.m.0) + (mu.1 - p.m.1);
    let size = dd_add_d(mu, p.k);
    let step = exact_step(size.0);
    let turn = std::f64::consts::TAU / step;
    let lower = s.l > p.k;
    // the smaller of rho and 1/rho, and 1 minus it
    let larger = (if lower { s.l } else { p.k }, 0.0);
    let ratio = dd_div((if lower { p.k } else { s.l }, 0.0), larger);
    let apart = two_sum(p.k, -s.l);
    let gap = dd_div(if lower { dd_neg(apart) } else { apart }, larger);
    let gap_square = dd_square(gap);
    let twice = (2.0 * ratio.0, 2.0 * ratio.1);
    // 1/(1 - ratio exp(i t)), or exp(-i t) times it: the numerator is gap + side (1 - cos t) - i side sin t
    let side = if lower { -1.0 } else { ratio.0 };
    let mut sum = (0.0, 0.0);
    let mut mass: f64 = 0.0;
    let mut n: f64 = 0.5;
    let mut going = true;
    while going {
        let t = n * step; // exact
        let at = turned_by(t);
        let angle = drift.mul_add(at.sine, s.v.0 * at.less);
        let (ps, pv) = sine_and_versine(angle);
        let fall = pair_mul(at.fall, size);
        let (w, wl, unit) = exp_sum((-fall.0, -fall.1));
        // times exp(i angle)
        let (x, xe) = two_sum(gap.0, side * at.fall.0);
        let turned = x.mul_add(pv, side * at.sine * ps);
        let bottom = pair_add(gap_square, pair_mul(twice, at.fall));
        let q = pair_div((x, (xe + gap.1) - turned), bottom);
        let (h, he) = two_prod(q.0, w);
        let low = q.1.mul_add(w + wl, q.0.mul_add(wl, he));
        let (total, rest) = two_sum(sum.0, h * unit);
        sum = (total, low.mul_add(unit, sum.1 + rest));
        mass = ((w + wl) * unit).mul_add(1.0 - pv, mass);
        n += 1.0;
        going = fall.0 < CUT && n * step < std::f64::consts::PI;
    }
    // step/pi, and for the lower tail 1/rho
    let scale = step * std::f64::consts::FRAC_1_PI;
    let over_pi = dd_mul_d(INV_PI, step);
    let total = dd_mul(over_pi, fast_two_sum(sum.0, sum.1));
    let mut f = dd_mul(if lower { ratio } else { (1.0, 0.0) }, total);
    // the pole lies between the circle and the one that gives the error
    if (y - s.l - s.v.0).abs() < turn {
        f = dd_add(f, pole_at(p.e, log_dd(ratio), step));
    }
    // the density in y is exp(E)/(2 pi) times the integral of the modulus' part
    let slope = y * mass * scale / f.0;
    Tail { e: p.e, f, slope, lower }
}

/// `a log y - y - l - log Gamma(1+a)` as a pair: the log of the first term.
#[kernel(inline)]
fn log_first_term(x: f64, s: NoncentralChi) -> (f64, f64) {
    let rise = dd_mul_d(log_of_half(x), s.a);
    dd_sub(rise, dd_add(two_sum(0.5 * x, s.l), s.lg))
}

/// The upper tail by its series, `S < 25`.
#[kernel]
fn series_upper(x: f64, s: NoncentralChi, first: (f64, f64), sloped: bool) -> Tail {
    let y = 0.5 * x;
    let z = two_prod(y, s.l);
    let v = upper_mixture(z, s.l, s.a);
    let mut e: (f64, f64) = first;
    let mut f: (f64, f64) = v;
    if s.a > 0.0 {
        let mut q: (f64, f64);
        let mut eq = (0.0, 0.0);
        if y < 1e-290 {
            let m = expm1_pair(dd_add_d(first, s.l));
            q = dd_neg(m);
        } else {
            let t = gamma_tail_at((y, 0.0), gamma_shape(s.a), false);
            let below = t.lower;
            q = t.f;
            eq = t.e;
            if below {
                let (m, ml, k) = exp_parts(eq);
                let w = dd_mul((m, ml), q);
                let unit = power_of_two(k);
                q = dd_sub((1.0, 0.0), (w.0 * unit, w.1 * unit));
                eq = (0.0, 0.0);
            }
        }
        let apart = dd_sub(first, eq);
        if apart.0 > -690.0 {
            let (m, ml, k) = exp_parts(apart);
            let w = dd_mul((m, ml), v);
            let unit = power_of_two(k);
            q = dd_add(q, (w.0 * unit, w.1 * unit));
        }
        f = q;
        e = eq;
    }
    let mut slope: f64 = 0.0;
    if sloped {
        let h = bessel_sum(z, s.a, false);
        let apart = dd_sub(first, e);
        slope = z.0.mul_add(h.0, s.a) * exp(apart.0) / f.0;
    }
    Tail { e, f, slope, lower: false }
}

/// A tail for `0 < x <= 1e130`; `any` says that a lower tail above 1/2 serves, otherwise it is the smaller one. `sloped`: with its slope.
#[kernel]
fn tail_at(x: f64, s: NoncentralChi, any: bool, sloped: bool) -> Tail {
    let y = 0.5 * x;
    if s.a > 1.0 && first_term_alone(y, s) {
        return Tail { e: log_first_term(x, s), f: (1.0, 0.0), slope: s.a, lower: true };
    }
    if 4.0 * quarter_square(y, s) < DEBYE_FROM * DEBYE_FROM {
        let first = log_first_term(x, s);
        if x <= s.df + s.ncp {
            let z = two_prod(y, s.l);
            let w = lower_mixture(z, y, s.a);
            if any || first.0 + natural_log(w.0) < -0.6 {
                let mut slope: f64 = 0.0;
                if sloped {
                    let h = bessel_sum(z, s.a, false);
                    slope = z.0.mul_add(h.0, s.a) / w.0;
                }
                return Tail { e: first, f: w, slope, lower: true };
            }
        }
        return series_upper(x, s, first, sloped);
    }
    let p = saddle_at(y, s);
    if p.k < 1e-280 {
        let t = gamma_tail_at((y, 0.0), gamma_shape(s.a), false);
        let lower: bool = t.lower;
        return Tail { e: t.e, f: t.f, slope: t.r, lower };
    }
    contour_tail(y, s, p)
}

/// The probability from a tail, whatever the size of its factor.
#[kernel(inline)]
fn probability_of(t: Tail, lower: bool, log: bool) -> f64 {
    let below = t.lower;
    let mut e = t.e;
    let mut c: (f64, f64) = t.f;
    if c.0 > 1e5 || c.0 < 1e-5 {
        e = dd_add(e, log_dd(c));
        c = (1.0, 0.0);
    }
    tail_to_probability(e, c, below == lower, log)
}

/// [`pnchisq`] after its setup.
#[kernel]
fn probability_eval(x: f64, s: NoncentralChi, lower: bool, log: bool) -> f64 {
    if s.kind == 2.0 {
        return pchisq(x, s.df, lower, log);
    }
    if x.is_nan() || s.kind == 1.0 {
        return f64::NAN;
    }
    let one = one_on(log);
    let nothing = zero_on(log);
    if x < 0.0 || (x == 0.0 && s.df > 0.0) || (s.kind == 3.0 && x < s.df + s.ncp) {
        return if lower { nothing } else { one };
    }
    if x > FAR || s.kind == 3.0 {
        return if lower { one } else { nothing };
    }
    if x == 0.0 {
        return tail_to_probability((-s.l, 0.0), (1.0, 0.0), lower, log);
    }
    probability_of(tail_at(x, s, lower && !log, false), lower, log)
}

/// The noncentral chi-squared distribution function.
///
/// Domain: finite `df >= 0` and `ncp >= 0`, else NaN; `ncp = 0` is [`pchisq`], bit for bit. `df = 0` has a mass of `exp(-ncp/2)` at
///   0, which `x = 0` includes. NaN gives NaN. Parameters above 1e80: a step at the mean.
/// Method: the smaller tail by itself, the other as its complement. With `S = sqrt((df/2 - 1)^2 + x ncp)`
///   S < 25   the mixture, summed from its end: `P = p_0 T_0 W`, or `Q = Q(df/2, x/2) + p_0 T_0 V`; all terms are positive
///   above    an integral over a circle through the saddle point by the trapezoidal rule, 13 to 25 nodes, each of them a pair
/// Paper: ding1992, benton2003 (sums); temme1993, gil2014 (the integral); trefethen2014, hunter1964 (the rule, the pole).
/// Error: 99 % within 0.52 ulp, at most 0.55 ulp on the points of dev/oracle
///   (0.52 and 0.55 on the sweep, 0.52 and 0.65 on the corners, 0.52 and 0.60 on the circle); the tests hold it.
#[kernel(split, ordered)]
pub fn pnchisq(x: f64, df: f64, ncp: f64, lower: bool, log: bool) -> f64 {
    probability_eval(x, noncentral_setup(df, ncp), lower, log)
}

/// Sankaran's approximation of the quantile `y` for the logs of both tails; not positive where it does not hold.
#[kernel]
fn quantile_start(s: NoncentralChi, log_lower: f64, log_upper: f64) -> f64 {
    let low = log_lower < log_upper;
    let z = standard_quantile(if low { log_lower } else { log_upper }, low, true);
    let mean = s.df + s.ncp;
    let second = s.df + 2.0 * s.ncp;
    let h = 1.0 - (2.0 / 3.0) * (mean / second) * ((s.df + 3.0 * s.ncp) / second);
    let p = (second / mean) / mean;
    let m = (h - 1.0) * (1.0 - 3.0 * h);
    let base = 1.0 + h * p * (h - 1.0 - 0.5 * (2.0 - h) * m * p) + z.0 * h * (2.0 * p).sqrt() * (1.0 + 0.5 * m * p);
    if base > 0.05 { 0.5 * mean * exp(natural_log(base) / h) } else { -1.0 }
}

/// [`qnchisq`] after its setup.
#[kernel]
fn quantile_eval(p: f64, s: NoncentralChi, lower: bool, log: bool) -> f64 {
    if s.kind == 2.0 {
        return qchisq(p, s.df, lower, log);
    }
    let end = quantile_end(p, lower, log);
    if end < 0.0 || s.kind == 1.0 {
        return f64::NAN;
    }
    if end < 2.0 {
        return if end == 0.0 { 0.0 } else { f64::INFINITY };
    }
    if s.kind == 3.0 {
        return s.df + s.ncp;
    }
    let (same, same_low, o, ol) = tail_logs(p, log);
    let log_lower = if lower { (same, same_low) } else { (o, ol) };
    let log_upper = if lower { (o, ol) } else { (same, same_low) };
    let mut leading: f64 = 800.0;
    if s.a > 0.0 {
        // y^a e^-l/Gamma(1+a) = P, the answer itself where the next terms are nothing
        let up = dd_add(log_lower, dd_add_d(s.lg, s.l));
        leading = up.0 / s.a;
        let small = if s.a < 1.0 { s.a } else { 1.0 };
        if leading < -43.0 + natural_log(small / (1.0 + s.l)) {
            if leading < -1500.0 {
                return 0.0;
            }
            let lift = if s.a < 1e-250 { TWO_512 } else { 1.0 };
            let u = dd_div((up.0 * lift, up.1 * lift), (s.a * lift, 0.0));
            return scaled_exp(u, (2.0, 0.0));
        }
    } else if log_lower.0 <= -s.l {
        return 0.0;
    }
    if log_upper.0 < -1e125 {
        return -2.0 * log_upper.0;
    }
    let mut y = quantile_start(s, log_lower.0, log_upper.0);
    if !(y > 0.0) || log_upper.0 < -700.0 {
        let far = (-log_upper.0).sqrt() + s.l.sqrt();
        y = if log_lower.0 < log_upper.0 { exp(if leading < 0.0 { leading } else { 0.0 }) } else { far * far };
    }
    let mut low: f64 = 0.0;
    let mut high = f64::INFINITY;
    let mut last: f64 = 0.0;
    let mut steps: i32 = 0;
    while steps < 100 {
        steps += 1;
        let t = tail_at(2.0 * y, s, false, true);
        let below = t.lower;
        let l = dd_add(t.e, log_dd(t.f));
        let gap = dd_high(dd_sub(l, if below { log_lower } else { log_upper }));
        let du = if below { -gap / t.slope } else { gap / t.slope };
        if du > 0.0 {
            low = y;
        } else {
            high = y;
        }
        let size = (1.0 + t.slope) + quarter_square(y, s).sqrt();
        if du * du * size < 1e-17 {
            last = du;
            break;
        }
        let du = if du > 2.0 {
            2.0
        } else if du > -2.0 {
            du
        } else {
            -2.0
        };
        let mut next = y + y * expm1(du);
        if !(next > low && next < high) {
            next = if low == 0.0 {
                high * 0.0625
            } else if high == f64::INFINITY {
                low * 16.0
            } else if high > 2.0 * low {
                low.sqrt() * high.sqrt()
            } else {
                0.5 * low + 0.5 * high
            };
            if next <= low || next >= high {
                break;
            }
        }
        y = next;
    }
    let r = two_sum(y, y * last);
    2.0 * r.0
}

/// The noncentral chi-squared quantile.
///
/// Domain: `p` in [0, 1] (log: `<= 0`), finite `df >= 0` and `ncp >= 0`, else NaN; 0 and 1 give the ends of the support; `ncp = 0` is
///   [`qchisq`], bit for bit. `df = 0` gives 0 up to its mass there. NaN gives NaN.
/// Method: Newton's iteration for `log x` on the log of the smaller tail, inside a bracket, from Sankaran's approximation or, far
///   out, from the leading term; the last step is not rounded before it is added. At most 100 steps, usually 3 to 5.
/// Paper: sankaran1963.
/// Error: 99 % within 0.52 ulp, at most 0.55 ulp on the points of dev/oracle
///   (0.52 and 0.55 on the sweep, 0.55 and 0.55 on the corners); the tests hold it.
#[kernel(split, ordered)]
pub fn qnchisq(p: f64, df: f64, ncp: f64, lower: bool, log: bool) -> f64 {
    quantile_eval(p, noncentral_setup(df, ncp), lower, log)
}
