//! The F distribution.

use crate::special::beta_constant::{odds_constant, saddle_constant};
use crate::special::beta_function::lbeta_dd;
use crate::special::beta_quantile::{BetaPoint, QuantileSetup, beta_quantile, quantile_setup};
use crate::special::binomial_kernel::{
    STIRLING_FROM, Scaled, binomial_constant, dd_quotient, deviance, exp_of, near_deviance, ordinary_result,
    pair_times_exp, scaled_log_dd, scaled_result,
};
use crate::special::constants::INV_PI;
use crate::special::conventions::{one_on, quantile_end, zero_on};
use crate::special::double_double::{
    dd_add, dd_add_d, dd_add_short, dd_div, dd_high, dd_mul, dd_mul_d, dd_neg, dd_sqrt, dd_sub, dd_sub_short,
    fast_two_sum, pair_add, pair_add_d, pair_mul, pair_sub, two_prod, two_sum,
};
use crate::special::exponential::{exp, expm1};
use crate::special::f_ratio::{Shares, product_ratio};
use crate::special::fine_logarithms::{SMALL_LOGARITHM, deviance_fine, log_fine, stirling_remainder_fine};
use crate::special::gamma_function::lgamma1p_half_dd;
use crate::special::gamma_step::log_gamma_step;
use crate::special::incomplete_beta::{BetaSetup, beta_ratio, beta_setup, log_shape_beta, log1mexp_dd};
use crate::special::logarithm::{log as natural_log, log_dd, log_loose, log_loose_of_pair, log1p};
use crate::special::powers_of_two::{TWO_64, TWO_200, TWO_M64, TWO_M200};
use crate::special::student_tail::log1p_of_ratio;
pub(crate) mod random;

pub use random::rf;

use gristmill_kernel::kernel;

/// Degrees of freedom from here on count as infinite: the difference to the limit is below 1e-50.
#[kernel]
const INFINITE: f64 = 1e50;

/// 0: ordinary; 1: NaN; 2: both degrees of freedom infinite, all mass at 1.
#[kernel(inline)]
fn f_kind(m: f64, n: f64) -> f64 {
    if m.is_nan() || n.is_nan() || m <= 0.0 || n <= 0.0 {
        return 1.0;
    }
    if m == f64::INFINITY && n == f64::INFINITY { 2.0 } else { 0.0 }
}

/// Degrees of freedom within the range that is computed with.
#[kernel(inline)]
fn kept(n: f64) -> f64 {
    if n > INFINITE {
        INFINITE
    } else if n < f64::MIN_POSITIVE {
        f64::MIN_POSITIVE
    } else {
        n
    }
}

/// What [`df`] needs of its parameters.
#[kernel]
pub struct DfSetup {
    /// Whether the logarithm is wanted.
    pub log: bool,
    /// See `f_kind`.
    pub kind: f64,
    /// Numerator degrees of freedom.
    pub m: f64,
    /// Denominator degrees of freedom.
    pub n: f64,
    /// Whether the density is formed from `log x` and `log(1 + m x/n)`.
    pub direct: bool,
    /// `m/n`, as a pair.
    pub share: (f64, f64),
    /// `P = factor exp(e + el - D)`; direct: the density is `factor exp(e + ..)`, on the log scale with the factor 1.
    pub factor: (f64, f64),
    /// See `factor`.
    pub e: (f64, f64),
    /// `m/2 - 1`, as a pair.
    pub less: (f64, f64),
    /// `(m + n)/2`, as a pair.
    pub total: (f64, f64),
    /// Numerator and denominator degrees of freedom as they were given: subnormal ones are not computed with.
    pub given: (f64, f64),
    /// A logarithm of the density below this is made anew by `log_density_fine`.
    pub small: f64,
}

/// So near to 1 half of the degrees of freedom must be for [`log_near_two`]: its error is then below 2^-62.
#[kernel]
const NEAR_TWO: f64 = 2.5e-4;

/// `log((a/b)^a/B(a, b))` for `a = 1 + d`, `|d| < NEAR_TWO`: it vanishes with `d`, and has the relative precision of a double.
///
/// With `G(b+1) = b G(b)` it is `(1+d) log(1+d) - log G(1+d) + log G(b+1+d) - log G(b+1) - d log b`.
#[kernel]
fn log_near_two(d: f64, b: f64) -> f64 {
    let g = lgamma1p_half_dd(d);
    ((1.0 + d) * log1p(d) - (g.0 + g.1)) + log_gamma_step(b + 1.0, d, 1.0 / b)
}

/// The part of [`df`] that depends on the parameters only.
#[kernel]
pub fn df_setup(m: f64, n: f64, log: bool) -> DfSetup {
    let kind = f_kind(m, n);
    let m1 = if kind == 0.0 { kept(m) } else { 1.0 };
    let n1 = if kind == 0.0 { kept(n) } else { 1.0 };
    let a = 0.5 * m1;
    let b = 0.5 * n1;
    // with two degrees of freedom the density is (1 + x/b)^-(b+1): its logarithm vanishes with x
    let two = m1 == 2.0;
    let direct = kind == 0.0 && (m1 + n1 <= 8192.0 || (two && n1 <= 1e13)) && m1 > 1e-100 && n1 > 1e-100;
    let smaller = if a < b { a } else { b };
    let larger = if a < b { b } else { a };
    let total = two_sum(a, b);
    let mut share = (1.0, 0.0);
    let k: Scaled;
    if direct {
        share = dd_div((m1, 0.0), (n1, 0.0));
        if two {
            k = Scaled { m: (1.0, 0.0), e: (0.0, 0.0) };
        } else {
            k = odds_constant(a, b, share);
        }
    } else {
        let size = dd_mul_d(dd_div((larger, 0.0), total), smaller);
        if smaller >= STIRLING_FROM {
            k = saddle_constant(a, b, total, size);
        } else {
            let r = binomial_constant(a, b);
            let w = dd_mul(r.m, size);
            k = Scaled { m: w, e: r.e };
        }
    }
    let mut factor = k.m;
    let mut e = k.e;
    if direct && log && !two {
        e = dd_add_short(e, log_dd(factor));
        factor = (1.0, 0.0);
        if (a - 1.0).abs() < NEAR_TWO {
            e = (log_near_two(a - 1.0, b), 0.0);
        }
    }
    let less = two_sum(a, -1.0);
    // next to two numerator degrees of freedom the logarithm vanishes with x, and has its relative precision already
    let ordinary = m1 > 1e-100 && m1 < 1e40 && n1 > 1e-100 && n1 < 1e40;
    let fine = log && kind == 0.0 && ordinary && (a - 1.0).abs() > NEXT_TO_TWO;
    let small = if fine { SMALL_LOGARITHM } else { 0.0 };
    DfSetup { log, kind, m: m1, n: n1, direct, share, factor, e, less, total, given: (m, n), small }
}

/// As near to 1 as this half of the numerator degrees of freedom is, [`log_near_two`] has more digits than `log_density_fine`.
#[kernel]
const NEXT_TO_TWO: f64 = 1e-12;

/// The logarithm of the density where it is next to 0 and its parts cancel, all of them pairs: absolute error 2^-92 or so.
///
/// Method: `sqrt(a b/(2 pi (a+b)))/x exp(r(a+b) - r(a) - r(b) - D)` with `a = m/2`, `b = n/2`, `r` Stirling's remainder and `D` the deviance,
/// in which `a - (a+b) X = a n (1 - x)/(m x + n)`: nothing grows with the degrees of freedom.
/// Paper: loader2000.
#[kernel]
fn log_density_fine(x: f64, s: DfSetup) -> f64 {
    let a = 0.5 * s.m;
    let b = 0.5 * s.n;
    let n = two_sum(a, b);
    let sum: (f64, f64) = dd_add_d(two_prod(s.m, x), s.n);
    let d: (f64, f64) = dd_div(dd_mul(two_prod(a, s.n), two_sum(1.0, -x)), sum);
    let r: Shares = product_ratio(s.m, x, s.n);
    let first: (f64, f64) = deviance_fine(a, dd_mul(n, r.x), d);
    let second: (f64, f64) = deviance_fine(b, dd_mul(n, r.y), dd_neg(d));
    let size: (f64, f64) = dd_div(two_prod(a, b), n);
    let root: (f64, f64) = dd_sqrt(dd_mul(size, (0.5 * INV_PI.0, 0.5 * INV_PI.1)));
    let below: (f64, f64) = dd_add(stirling_remainder_fine((a, 0.0)), stirling_remainder_fine((b, 0.0)));
    let remainders: (f64, f64) = dd_sub(stirling_remainder_fine(n), below);
    let e: (f64, f64) = dd_sub(remainders, dd_add(first, second));
    dd_high(dd_add(log_fine(dd_div(root, (x, 0.0))), e))
}

/// The density at `0 < x < inf` where degrees of freedom are subnormal: with `s` the smaller and `l` the larger shape
/// `s/(1 + s/l)/x (1 + n/(m x))^-(m/2) (1 + m x/n)^-(n/2)`, to 1e-300 of it.
#[kernel]
fn density_of_subnormal(x: f64, s: DfSetup, log: bool) -> f64 {
    let m = s.given.0;
    let n = s.given.1;
    let m = if m < INFINITE { m } else { INFINITE };
    let n = if n < INFINITE { n } else { INFINITE };
    let smaller = if m < n { m } else { n };
    let larger = if m < n { n } else { m };
    // the power with the subnormal exponent is 1; the other ratio is at most 1e308/1e-308 of an ordinary one
    let ratio = if n < m { (n / m) / x } else { (m / n) * x };
    let power = if larger < f64::MIN_POSITIVE { 0.0 } else { 0.5 * larger * log1p(ratio) };
    if log {
        let e = natural_log(smaller) - std::f64::consts::LN_2 - natural_log(x);
        return e - (log1p(smaller / larger) + power);
    }
    // scaled, so that halving rounds nothing
    let v = (smaller * TWO_200) / (1.0 + smaller / larger) * exp(-power);
    ((0.5 * v) / x) * TWO_M200
}

/// `log(m x/n)` as a pair: all that is left of a share below the range.
#[kernel(inline)]
fn log_odds(x: f64, m: f64, n: f64) -> (f64, f64) {
    dd_sub_short(dd_add_short(log_dd((m, 0.0)), log_dd((x, 0.0))), log_dd((n, 0.0)))
}

/// The density at `0 < x < inf` in the saddle-point form; where a share leaves the range, the leading term through logarithms.
#[kernel]
fn saddle_density(x: f64, s: DfSetup, log: bool) -> f64 {
    let a = 0.5 * s.m;
    let b = 0.5 * s.n;
    if s.direct && x < 1.0 {
        // log(1 + m x/n) is m x/n
        let power = dd_mul(log_dd((x, 0.0)), s.less);
        let e = dd_add_short(s.e, power);
        let e = dd_add_short(e, (-s.total.0 * (s.share.0 * x), 0.0));
        return if log { e.0 + e.1 } else { pair_times_exp(s.factor, e) };
    }
    if (a - 1.0).abs() < NEAR_TWO && b > 1.0 && x < 1e200 {
        // the logarithm may vanish with x: every term with its relative precision
        let l = log1p_of_ratio(dd_quotient(two_prod(a, x), (b, 0.0)));
        let power = dd_mul(log_dd((x, 0.0)), s.less);
        let e = dd_add_short((log_near_two(a - 1.0, b), 0.0), power);
        let e = dd_sub_short(e, dd_mul(l, s.total));
        return if log { e.0 + e.1 } else { exp_of(e) };
    }
    let r = product_ratio(s.m, x, s.n);
    if s.direct || r.x.0 < 1e-280 || r.y.0 < 1e-280 {
        // (m x/n)^a or (m x/n)^-b over x B
        let l = log_odds(x, s.m, s.n);
        let e = if r.x.0 < r.y.0 { dd_mul_d(l, a) } else { dd_neg(dd_mul_d(l, b)) };
        let e = dd_sub_short(dd_sub_short(e, lbeta_dd(a, b)), log_dd((x, 0.0)));
        return if log { e.0 + e.1 } else { exp_of(e) };
    }
    let e = dd_sub_short(s.e, deviance(a, b, r.x, r.y));
    if x < 1e-200 || x > 1e200 || s.factor.0 < 1e-80 {
        let scaled = Scaled { m: s.factor, e };
        let l = dd_sub_short(scaled_log_dd(scaled), log_dd((x, 0.0)));
        return if log { l.0 + l.1 } else { exp_of(l) };
    }
    let m = dd_quotient(s.factor, (x, 0.0));
    scaled_result(Scaled { m, e }, log)
}

/// Whether [`df_value`] holds.
#[kernel(inline)]
fn df_in_main(x: f64, s: DfSetup) -> bool {
    let direct = s.direct;
    // both shares, m x/(m x + n) and n/(m x + n), within [2/3, 3/2] of their means
    let sum = s.m.mul_add(x, s.n);
    let total = s.m + s.n;
    let near = 1.5 * sum >= total && 1.5 * total >= sum && 1.5 * (x * total) >= sum && 1.5 * sum >= x * total;
    let wide = s.kind == 0.0 && !direct && s.m < 1e40 && s.m > 1.0 && s.m != 2.0 && s.n < 1e40 && s.n > 1.0;
    (direct && x > 1e-180 && x < 1e180) || (wide && near)
}

/// `factor/x exp(e - D)` near the mean: there `m/2 - (m+n)/2 X = (m n/2) (1 - x)/(m x + n)`.
#[kernel(inline)]
fn near_density(x: f64, s: DfSetup) -> f64 {
    let log: bool = s.log;
    let product = two_prod(s.m, x);
    let sum = pair_add_d(product, s.n);
    let half = two_prod(0.5 * s.m, s.n);
    let d = dd_div(pair_mul(half, two_sum(1.0, -x)), sum);
    let e = pair_sub(s.e, near_deviance(0.5 * s.m, 0.5 * s.n, d));
    let m = dd_div(s.factor, (x, 0.0));
    ordinary_result(m, fast_two_sum(e.0, e.1), log)
}

/// `factor exp(e + (m/2 - 1) log x - (m+n)/2 log(1 + m x/n))`, or the saddle-point form for many degrees of freedom.
#[kernel(inline)]
fn df_value(x: f64, s: DfSetup) -> f64 {
    if !s.direct {
        return near_density(x, s);
    }
    let log = s.log;
    let r = dd_mul_d(s.share, x);
    let u = two_sum(1.0, r.0);
    let l = log_loose_of_pair((u.0, u.1 + r.1));
    let l = fast_two_sum(l.0, l.1);
    let lx = log_loose(x);
    let lx = fast_two_sum(lx.0, lx.1);
    let e = pair_sub(pair_mul(lx, s.less), pair_mul(l, s.total));
    let e = pair_add(e, s.e);
    let e = fast_two_sum(e.0, e.1);
    if log { e.0 + e.1 } else { pair_times_exp(s.factor, e) }
}

/// NaN where the rest takes over: there, and next to 0 on the log scale.
#[kernel(inline)]
fn df_main(x: f64, s: DfSetup) -> f64 {
    let mut y: f64 = f64::NAN;
    if df_in_main(x, s) {
        y = df_value(x, s);
    }
    if y.abs() < s.small { f64::NAN } else { y }
}

#[kernel(inline)]
fn df_holds(y: f64) -> bool {
    !y.is_nan()
}

/// The density elsewhere.
#[kernel]
fn df_rest(x: f64, s: DfSetup) -> f64 {
    let log = s.log;
    if x.is_nan() || s.kind == 1.0 {
        return f64::NAN;
    }
    if x < 0.0 || x == f64::INFINITY {
        return zero_on(log);
    }
    if s.kind == 2.0 {
        return if x == 1.0 { f64::INFINITY } else { zero_on(log) };
    }
    if x == 0.0 {
        return if s.m > 2.0 {
            zero_on(log)
        } else if s.m == 2.0 {
            one_on(log)
        } else {
            f64::INFINITY
        };
    }
    if s.m == 2.0 && x <= 1e-180 && s.n > 1e-100 {
        return if log { -(x + 2.0 * x / s.n) } else { 1.0 }; // nothing else is left of it
    }
    if s.given.0 < f64::MIN_POSITIVE || s.given.1 < f64::MIN_POSITIVE {
        return density_of_subnormal(x, s, log);
    }
    let y: f64 = if df_in_main(x, s) { df_value(x, s) } else { saddle_density(x, s, log) };
    if y.abs() < s.small && x > 1e-100 && x < 1e100 { log_density_fine(x, s) } else { y }
}

/// Density of the F distribution with `m` and `n` degrees of freedom.
///
/// R: `df(x, df1, df2, ncp, log = FALSE)`, F density: `df(x, df1, df2, log)`; given
///   `ncp`: `dnf(x, df1, df2, ncp, log)`.
/// Domain: `m, n > 0`, infinite included (above 1e50 counts as infinite), otherwise NaN; 0 for `x < 0`.
/// Method:
///   m + n <= 8192   c + (m/2 - 1) log x - (m+n)/2 log(1 + m x/n), all as pairs
///   m next to 2     (1 + 2x/n)^-(n/2+1) at 2, and the constant's logarithm from its value there, 0
///   otherwise       P/x with P = X^(m/2) Y^(n/2)/B in the saddle-point form, X = m x/(m x + n) and Y = 1 - X as pairs
///   |log f| < 1/64  the logarithm of the saddle-point form anew, all its parts with the digits of pairs
/// Where m x/n leaves the range, the leading term through logarithms.
/// Paper: loader2000.
/// Error: 99 % within 0.51 ulp, at most 0.80 ulp on the points of dev/oracle (0.75 and 0.80 on the corners);
///   the tests hold it.
#[kernel(split)]
pub fn df(x: f64, m: f64, n: f64, log: bool) -> f64 {
    let s = df_setup(m, n, log);
    let y = df_main(x, s);
    if df_holds(y) { y } else { df_rest(x, s) }
}

/// What [`pf`] needs of its parameters.
#[kernel]
pub struct PfSetup {
    /// See `f_kind`.
    pub kind: f64,
    /// Numerator degrees of freedom.
    pub m: f64,
    /// Denominator degrees of freedom.
    pub n: f64,
    /// For `I_X(m/2, n/2)`.
    pub ratio: BetaSetup,
    /// Subnormal degrees of freedom are raised by 2^64: `m` (1), `n` (2), both (3), none (0).
    pub raised: f64,
}

/// The part of [`pf`] that depends on the parameters only.
#[kernel]
pub fn pf_setup(m: f64, n: f64) -> PfSetup {
    let kind = f_kind(m, n);
    let first = kind == 0.0 && m < f64::MIN_POSITIVE;
    let second = kind == 0.0 && n < f64::MIN_POSITIVE;
    let m1 = if kind == 0.0 { kept(if first { m * TWO_64 } else { m }) } else { 2.0 };
    let n1 = if kind == 0.0 { kept(if second { n * TWO_64 } else { n }) } else { 2.0 };
    let raised = (if first { 1.0 } else { 0.0 }) + (if second { 2.0 } else { 0.0 });
    PfSetup { kind, m: m1, n: n1, ratio: beta_setup(0.5 * m1, 0.5 * n1), raised }
}

/// 64 log 2.
#[kernel]
const LN_TWO_64: f64 = 44.3614195558365;

/// [`pf`] where one of the degrees of freedom is subnormal: `x` is scaled so that `m x/n` is what it was. The tail next to the end
/// that holds no mass is proportional to the raised ones, the other is 1.
#[kernel]
fn pf_of_subnormal(x: f64, s: PfSetup, lower: bool, log: bool) -> f64 {
    let second = s.raised == 2.0;
    let scaled = x * (if second { TWO_64 } else { TWO_M64 });
    let scaled = if scaled < f64::MAX { scaled } else { f64::MAX };
    let wanted = second == lower;
    let v = pf_inside(if scaled > 0.0 { scaled } else { f64::MIN_POSITIVE }, s, second, log && wanted);
    if wanted {
        return if log { v - LN_TWO_64 } else { v * TWO_M64 };
    }
    if log { -v * TWO_M64 } else { 1.0 }
}

/// [`pf`] after its setup.
#[kernel]
pub fn pf_eval(x: f64, s: PfSetup, lower: bool, log: bool) -> f64 {
    if x.is_nan() || s.kind == 1.0 {
        return f64::NAN;
    }
    if x <= 0.0 {
        return if lower { zero_on(log) } else { one_on(log) };
    }
    if x == f64::INFINITY {
        return if lower { one_on(log) } else { zero_on(log) };
    }
    if s.kind == 2.0 {
        if x == 1.0 {
            // the limit as both degrees of freedom grow alike, as in R
            return if log { -std::f64::consts::LN_2 } else { 0.5 };
        }
        return if (x > 1.0) == lower { one_on(log) } else { zero_on(log) };
    }
    if s.raised == 1.0 || s.raised == 2.0 {
        return pf_of_subnormal(x, s, lower, log);
    }
    pf_inside(x, s, lower, log)
}

/// [`pf`] for `0 < x < inf` and an ordinary setup.
#[kernel]
fn pf_inside(x: f64, s: PfSetup, lower: bool, log: bool) -> f64 {
    let r: Shares = product_ratio(s.m, x, s.n);
    if r.x.0 < 1e-280 || r.y.0 < 1e-280 {
        // the leading term of the tail at that end, (m x/n)^a/(a B) or (m x/n)^-b/(b B)
        let a = 0.5 * s.m;
        let b = 0.5 * s.n;
        let l = log_odds(x, s.m, s.n);
        let low_end = r.x.0 < r.y.0;
        let shape = if low_end { a } else { b };
        let other = if low_end { b } else { a };
        // of a tiny shape the logarithm of its product with B vanishes, and so does the power's: both are proportional to it, and of
        // one that is lifted by 2^200 low parts are not lost
        let lifted = shape < 1e-240 && other > 1e-100;
        let up = if lifted { TWO_200 } else { 1.0 };
        let down = if lifted { TWO_M200 } else { 1.0 };
        let power = dd_mul_d(if low_end { l } else { dd_neg(l) }, shape * up);
        let log_shape: (f64, f64) = log_shape_beta(shape * up, other, lbeta_dd(shape * up, other));
        let e = dd_sub_short(power, log_shape);
        let e = (e.0 * down, e.1 * down);
        let e = if e.0 + e.1 > 0.0 { (0.0, 0.0) } else { e };
        if low_end == lower {
            return if log { e.0 + e.1 } else { exp_of(e) };
        }
        if e.0 == 0.0 {
            return zero_on(log);
        }
        if log {
            let l = log1mexp_dd(e);
            return l.0 + l.1;
        }
        let em = expm1(e.0);
        return if e.0 < -50.0 { 1.0 } else { -(em + e.1 * (1.0 + em)) };
    }
    let ratio: BetaSetup = s.ratio;
    beta_ratio(r.x, r.y, ratio, lower, log)
}

/// Distribution function of the F distribution with `m` and `n` degrees of freedom.
///
/// R: `pf(q, df1, df2, ncp, lower.tail = TRUE, log.p = FALSE)`, F distribution function:
///   `pf(q, df1, df2, lower.tail, log.p)`; given
///   `ncp`: `pnf(q, df1, df2, ncp, lower.tail, log.p)`.
/// Domain: `m, n > 0`, infinite included (above 1e50 counts as infinite), otherwise NaN.
/// Method: `I_X(m/2, n/2)`, `X = m x/(m x + n)` and 1-X both as pairs; see [`crate::pbeta`]. Where X or 1-X leaves the
/// range, the leading term through logarithms.
/// Paper: didonato1992; DLMF 8.17.
/// Error: 99 % within 0.65 ulp, at most 1.10 ulp on the points of dev/oracle (0.70 and 0.75 on the corners);
///   the tests hold it.
#[kernel(split)]
pub fn pf(x: f64, m: f64, n: f64, lower: bool, log: bool) -> f64 {
    pf_eval(x, pf_setup(m, n), lower, log)
}

/// What [`qf`] needs of its parameters.
#[kernel]
pub struct QfSetup {
    /// See `f_kind`.
    pub kind: f64,
    /// Numerator degrees of freedom.
    pub m: f64,
    /// Denominator degrees of freedom.
    pub n: f64,
    /// For `X ~ Beta(m/2, n/2)`.
    pub search: QuantileSetup,
}

/// The part of [`qf`] that depends on the parameters only.
#[kernel]
pub fn qf_setup(m: f64, n: f64) -> QfSetup {
    let kind = f_kind(m, n);
    let m1 = if kind == 0.0 { kept(m) } else { 2.0 };
    let n1 = if kind == 0.0 { kept(n) } else { 2.0 };
    QfSetup { kind, m: m1, n: n1, search: quantile_setup(0.5 * m1, 0.5 * n1) }
}

/// [`qf`] after its setup.
#[kernel]
pub fn qf_eval(p: f64, s: QfSetup, lower: bool, log: bool) -> f64 {
    let end = quantile_end(p, lower, log);
    if end < 0.0 || s.kind == 1.0 {
        return f64::NAN;
    }
    if end == 0.0 {
        return 0.0;
    }
    if end == 1.0 {
        return f64::INFINITY;
    }
    if s.kind == 2.0 {
        return 1.0;
    }
    let search: QuantileSetup = s.search;
    let r: BetaPoint = beta_quantile(p, lower, log, search);
    if r.tail == 0.0 {
        // (n/m) (x/y), the roundings put back
        let odds = dd_quotient(r.x, r.y);
        let share = dd_quotient((s.n, 0.0), (s.m, 0.0));
        let v = share.0 * odds.0;
        let product = dd_mul(share, odds);
        return if v < 1e300 && v > 1e-290 { product.0 } else { v };
    }
    let share = dd_sub_short(log_dd((s.n, 0.0)), log_dd((s.m, 0.0)));
    let l: (f64, f64) = r.l;
    let e = if r.tail == 1.0 { dd_add_short(share, l) } else { dd_sub_short(share, l) };
    let e = fast_two_sum(e.0, e.1);
    exp_of(e)
}

/// Quantile of the F distribution with `m` and `n` degrees of freedom.
///
/// R: `qf(p, df1, df2, ncp, lower.tail = TRUE, log.p = FALSE)`, F quantile: `qf(p, df1, df2, lower.tail, log.p)`; given
///   `ncp`: `qnf(p, df1, df2, ncp, lower.tail, log.p)`.
/// Domain: `0 <= p <= 1` (log: `p <= 0`), `m, n > 0`, infinite included (above 1e50 counts as infinite), otherwise NaN.
/// Method: `(n/m) x/(1-x)` with x the quantile of Beta(m/2, n/2), x and 1-x as pairs; where one leaves the range,
/// through its logarithm. See `special::beta_quantile`.
/// Paper: temme1992, gil2017 (start values).
/// Error: 99 % within 0.51 ulp, at most 0.52 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn qf(p: f64, m: f64, n: f64, lower: bool, log: bool) -> f64 {
    qf_eval(p, qf_setup(m, n), lower, log)
}
