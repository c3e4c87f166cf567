//! The noncentral F distribution: `X/df1 / (Y/df2)` with a noncentral chi-squared `X` and a chi-squared `Y`.

use super::noncentral_beta::{FAR_NCP, LEAST_SHAPE, is_known, mixture_probability, mixture_quantile, mixture_valid};
use super::noncentral_chi_squared::{CENTRAL_TO, dnchisq, pnchisq, qnchisq};
use crate::dist::fisher_f::{df, pf, qf};
use crate::dist::gamma::{dgamma, pgamma, qgamma};
use crate::special::binomial_kernel::exp_of;
use crate::special::conventions::{one_on, quantile_end, zero_on};
use crate::special::double_double::{dd_add, dd_div, dd_high, dd_mul, dd_mul_d, dd_neg, dd_sub, two_sum};
use crate::special::exponential::{exp, expm1};
use crate::special::f_ratio::{Shares, product_ratio};
use crate::special::fine_logarithms::log_fine;
use crate::special::logarithm::{log as natural_log, log_dd};
use crate::special::noncentral_ratio::{
    Mixture, NEXT_TO_ONE, below_mean, direct_exponent, fine_log_density, kummer_at, mixture_density, mixture_setup,
    mixture_tail,
};
use crate::special::poisson_mass::{log_scaled_exp, scaled_exp};
use gristmill_kernel::kernel;

/// From these degrees of freedom on the second chi-squared number over them is 1, to 1e-50.
#[kernel]
const ALL: f64 = 1e100;

/// Where a share is so small that only its power is left.
#[kernel]
const TINY: f64 = 1e-280;

/// Whether the parameters are ones that the functions take; `df2` may be infinite.
#[kernel(inline)]
fn f_valid(df1: f64, df2: f64, ncp: f64) -> bool {
    mixture_valid(df1, 1.0, ncp) && df2 > 0.0
}

/// The noncentral F density.
///
/// Domain: `df1, df2 > 0`, `df1` below 1e100 and `0 <= ncp < inf`, else NaN; `x < 0` gives 0; `df2 >= 1e100` is its limit,
///   `df1` times [`dnchisq`] at `df1 x`; `ncp = 0` is [`df`], bit for bit. NaN gives NaN.
/// Method: `x y/f` times the noncentral beta density at `x = df1 f/(df1 f + df2)`; it and `y = 1 - x` are pairs. Where one of them is below
///   1e-280 the density is a power of it. Beyond `ncp = 1e130` it is that of the inverse of a gamma number.
/// Paper: johnson1995 (30.3).
/// Error: 99 % within 0.55 ulp, at most 0.80 ulp on the points of dev/oracle
///   (0.80 and 1.30 on the sweep, 0.65 and 0.65 on the corners, 0.52 and 0.55 on the ones, 1.40 and 1.50 on the far); the tests hold it.
#[kernel(split)]
pub fn dnf(x: f64, df1: f64, df2: f64, ncp: f64, log: bool) -> f64 {
    let s = noncentral_f_setup(df1, df2, ncp);
    let y = dnf_main(x, s, log);
    if is_known(y) { y } else { dnf_rest(x, s, log) }
}

/// What the functions need of their parameters: those as given, and what the sums need.
#[kernel]
pub(crate) struct NoncentralF {
    /// First degrees of freedom.
    df1: f64,
    /// Second degrees of freedom.
    df2: f64,
    /// Noncentrality.
    ncp: f64,
    /// Whether these are valid, `df2` finite, and not those of the central distribution.
    ordinary: bool,
    /// `df1/df2` over `B(df1/2, df2/2)`: the factor of the density as a pair.
    scale: (f64, f64),
    /// For the sums, if ordinary.
    mixture: Mixture,
}

#[kernel]
fn noncentral_f_setup(df1: f64, df2: f64, ncp: f64) -> NoncentralF {
    let ncp = if ncp >= 0.0 && ncp < CENTRAL_TO { 0.0 } else { ncp };
    let df1 = if ncp > 0.0 && df1 > 0.0 && df1 < 2.0 * LEAST_SHAPE { 2.0 * LEAST_SHAPE } else { df1 };
    let ordinary = ncp > 0.0 && ncp <= FAR_NCP && df2 < ALL && f_valid(df1, df2, ncp);
    let n1 = if ordinary { df1 } else { 1.0 };
    let n2 = if ordinary { df2 } else { 1.0 };
    let mixture = mixture_setup(0.5 * n1, 0.5 * n2, if ordinary { 0.5 * ncp } else { 1.0 });
    let scale = dd_div(dd_mul_d(mixture.scale, n1), (n2, 0.0));
    NoncentralF { df1, df2, ncp, ordinary, scale, mixture }
}

/// The density where Kummer's transformation and the logarithms of the shares serve, NaN elsewhere: with the shares `x` and `y` it is
/// `(df1/df2) x^(a-1) y^(b+1)/B(a, b) exp(-l y)` times the sum.
#[kernel]
fn dnf_main(x: f64, s: NoncentralF, log: bool) -> f64 {
    let m: Mixture = s.mixture;
    if !(s.ordinary && m.direct && x > 0.0 && x < f64::INFINITY) {
        return f64::NAN;
    }
    let r = product_ratio(s.df1, x, s.df2);
    if r.x.0 < TINY || r.y.0 < TINY {
        return f64::NAN;
    }
    let k = kummer_at(r.x, m);
    let p = two_sum(m.a, -1.0);
    let q = two_sum(m.b, 1.0);
    let e = direct_exponent(r.x, r.y, m, p, q, dd_mul_d(r.y, m.l));
    let c = dd_mul(s.scale, (k.high, k.low));
    if log {
        let r = dd_high(dd_add(e, log_dd(c)));
        return if r.abs() < NEXT_TO_ONE { f64::NAN } else { r };
    }
    scaled_exp(e, c)
}

/// The density elsewhere, and where its logarithm is next to 0.
#[kernel]
fn dnf_rest(x: f64, s: NoncentralF, log: bool) -> f64 {
    let m: Mixture = s.mixture;
    let df1 = s.df1;
    let df2 = s.df2;
    let ncp = s.ncp;
    if ncp == 0.0 {
        return df(x, df1, df2, log);
    }
    if x.is_nan() || !f_valid(df1, df2, ncp) {
        return f64::NAN;
    }
    if x < 0.0 || x == f64::INFINITY {
        return zero_on(log);
    }
    let l = 0.5 * ncp;
    if x == 0.0 {
        if df1 > 2.0 {
            return zero_on(log);
        }
        if df1 < 2.0 {
            return f64::INFINITY;
        }
        return if log { -l } else { exp(-l) };
    }
    if df2 >= ALL {
        let d = dnchisq(df1 * x, df1, ncp, log);
        return if log { d + natural_log(df1) } else { d * df1 };
    }
    if ncp > FAR_NCP {
        let w = second_number(x, df1, df2, ncp);
        let d = dgamma(w, 0.5 * df2, 1.0, log);
        return if log { d + (natural_log(w) - natural_log(x)) } else { d * (w / x) };
    }
    let r = product_ratio(df1, x, df2);
    let left = r.x.0 < TINY;
    let right = r.y.0 < TINY;
    let mut share = r.x;
    let mut rest = r.y;
    if left {
        share = (TINY, 0.0);
        rest = (1.0, -TINY);
    } else if right {
        share = (1.0, -TINY);
        rest = (TINY, 0.0);
    }
    let d = mixture_density(share, rest, m);
    let mut e = d.e;
    let mut c = d.m;
    if left || right {
        // a power of the share that is below the range
        let odds = dd_add(log_dd((x, 0.0)), dd_sub(log_dd((df1, 0.0)), log_dd((df2, 0.0))));
        let beyond = dd_sub(if left { odds } else { dd_neg(odds) }, log_dd((TINY, 0.0)));
        e = dd_add(e, dd_mul_d(beyond, if left { 0.5 * df1 } else { 0.5 * df2 }));
    }
    if left || right || x < 1e-250 || x > 1e250 {
        e = dd_sub(e, log_dd((x, 0.0)));
    } else {
        c = dd_div(c, (x, 0.0));
    }
    if !log {
        return scaled_exp(e, c);
    }
    let d = log_scaled_exp(e, c);
    if m.direct && d.abs() < NEXT_TO_ONE && !(left || right) {
        let fine = fine_log_density(share, rest, m, two_sum(m.a, -1.0), two_sum(m.b, 1.0));
        let fine = dd_high(dd_add(fine, dd_sub(log_fine((df1, 0.0)), log_fine((df2, 0.0)))));
        return if is_known(fine) { fine } else { d };
    }
    d
}

/// What the second gamma number is at `x` if the first is `ncp/2`: `ncp/2` times the share `y`, which is all that counts beyond [`FAR_NCP`].
///
/// Where `y` is not small this is far beyond every quantile, and the tail `exp(-y ncp/2)` as it should be.
#[kernel]
fn second_number(x: f64, df1: f64, df2: f64, ncp: f64) -> f64 {
    let r: Shares = product_ratio(df1, x, df2);
    if r.y.0 < TINY {
        return 0.5 * ncp / x * (df2 / df1);
    }
    0.5 * ncp * r.y.0
}

/// The distribution function where a share is below 1e-280: there the tail is a power of it.
#[kernel]
fn beyond_shares(x: f64, s: Mixture, lower: bool, log: bool) -> f64 {
    let odds = natural_log(x) + natural_log(s.a) - natural_log(s.b);
    let left = odds < 0.0;
    let tiny = (TINY, 0.0);
    let one = (1.0, -TINY);
    let a = s.a;
    let b = s.b;
    let t = if left { mixture_tail(tiny, one, s, false, false) } else { mixture_tail(one, tiny, s, false, false) };
    let size = if left { -odds } else { odds };
    let power = if left { a } else { b };
    // the log of the tail at this end, lower on the left
    let l = mixture_probability(t, left, true) - power * (size + natural_log(TINY));
    let l = if l < 0.0 { l } else { 0.0 };
    if left == lower {
        return if log { l } else { exp(l) };
    }
    let rest = -expm1(l);
    if log { natural_log(rest) } else { rest }
}

/// The noncentral F distribution function.
///
/// Domain: `df1, df2 > 0`, `df1` below 1e100 and `0 <= ncp < inf`, else NaN; `df2 >= 1e100` is its limit, [`pnchisq`] at `df1 x`;
///   `ncp = 0` is [`pf`], bit for bit. NaN gives NaN.
/// Method: the tail of the noncentral beta distribution at `df1 x/(df1 x + df2)`, which and whose complement are pairs. Beyond `ncp = 1e130`
///   the gamma distribution of the second number.
/// Paper: johnson1995 (30.3); see `pnbeta`.
/// Error: 99 % within 0.60 ulp, at most 1.20 ulp on the points of dev/oracle
///   (0.70 and 1.30 on the sweep, 0.85 and 0.95 on the corners, 1.60 and 2.90 on the far); the tests hold it.
///   Where `df2` and `df1 + ncp` are both above 1e30 it grows: see `pnbeta`.
#[kernel(split, ordered)]
pub fn pnf(x: f64, df1: f64, df2: f64, ncp: f64, lower: bool, log: bool) -> f64 {
    let s = noncentral_f_setup(df1, df2, ncp);
    let y = pnf_below(x, s, lower, log);
    if is_known(y) { y } else { pnf_any(x, s, lower, log) }
}

/// [`pnf`] below the mean, NaN elsewhere: in a block those on the other side, which need other sums, are done together.
#[kernel]
fn pnf_below(x: f64, s: NoncentralF, lower: bool, log: bool) -> f64 {
    let m: Mixture = s.mixture;
    if !(s.ordinary && x > 0.0 && x < f64::INFINITY) {
        return f64::NAN;
    }
    let r: Shares = product_ratio(s.df1, x, s.df2);
    if r.x.0 < TINY || r.y.0 < TINY || !below_mean(r.x.0, r.y.0, m) {
        return f64::NAN;
    }
    pnf_at(r, m, lower, log)
}

/// [`pnf`] at a point of the beta distribution.
#[kernel]
fn pnf_at(r: Shares, s: Mixture, lower: bool, log: bool) -> f64 {
    mixture_probability(mixture_tail(r.x, r.y, s, lower && !log, false), lower, log)
}

/// [`pnf`] everywhere.
#[kernel]
fn pnf_any(x: f64, s: NoncentralF, lower: bool, log: bool) -> f64 {
    let m: Mixture = s.mixture;
    if s.ncp == 0.0 {
        return pf(x, s.df1, s.df2, lower, log);
    }
    if x.is_nan() || !f_valid(s.df1, s.df2, s.ncp) {
        return f64::NAN;
    }
    if x <= 0.0 {
        return if lower { zero_on(log) } else { one_on(log) };
    }
    if x == f64::INFINITY {
        return if lower { one_on(log) } else { zero_on(log) };
    }
    if s.df2 >= ALL {
        return pnchisq(s.df1 * x, s.df1, s.ncp, lower, log);
    }
    if s.ncp > FAR_NCP {
        return pgamma(second_number(x, s.df1, s.df2, s.ncp), 0.5 * s.df2, 1.0, !lower, log);
    }
    let r = product_ratio(s.df1, x, s.df2);
    if r.x.0 < TINY || r.y.0 < TINY {
        return beyond_shares(x, m, lower, log);
    }
    pnf_at(r, m, lower, log)
}

/// The noncentral F quantile.
///
/// Domain: `p` in [0, 1] (log: `<= 0`), `df1, df2 > 0`, `df1` below 1e100 and `0 <= ncp < inf`, else NaN; 0 and 1 give the ends
///   of the support; `df2 >= 1e100` is its limit, [`qnchisq`] over `df1`; `ncp = 0` is [`qf`], bit for bit. NaN gives NaN.
/// Method: `df2 x/(df1 y)` of the noncentral beta quantile `x` and its complement `y`, both accurate by themselves.
/// Paper: see `qnbeta`.
/// Error: 99 % within 0.55 ulp, at most 0.60 ulp on the points of dev/oracle
///   (0.55 and 0.65 on the sweep); the tests hold it.
#[kernel(split, ordered)]
pub fn qnf(p: f64, df1: f64, df2: f64, ncp: f64, lower: bool, log: bool) -> f64 {
    qnf_eval(p, noncentral_f_setup(df1, df2, ncp), lower, log)
}

/// [`qnf`] after its setup.
#[kernel]
fn qnf_eval(p: f64, s: NoncentralF, lower: bool, log: bool) -> f64 {
    let m: Mixture = s.mixture;
    let df1 = s.df1;
    let df2 = s.df2;
    let ncp = s.ncp;
    if ncp == 0.0 {
        return qf(p, df1, df2, lower, log);
    }
    let end = quantile_end(p, lower, log);
    if end < 0.0 || !f_valid(df1, df2, ncp) {
        return f64::NAN;
    }
    if end < 2.0 {
        return if end == 0.0 { 0.0 } else { f64::INFINITY };
    }
    if df2 >= ALL {
        return qnchisq(p, df1, ncp, lower, log) / df1;
    }
    if ncp > FAR_NCP {
        let w = qgamma(p, 0.5 * df2, 1.0, !lower, log);
        return if w < 0.5 * ncp { (0.5 * ncp - w) / w * (df2 / df1) } else { 0.0 };
    }
    let r = mixture_quantile(p, m, lower, log);
    if r.tail != 0.0 {
        let share = dd_sub(log_dd((df2, 0.0)), log_dd((df1, 0.0)));
        let l: (f64, f64) = r.l;
        return exp_of(if r.tail == 1.0 { dd_add(share, l) } else { dd_sub(share, l) });
    }
    let odds = if r.x.0 <= r.y.0 { dd_div(r.x, dd_sub((1.0, 0.0), r.x)) } else { dd_div(dd_sub((1.0, 0.0), r.y), r.y) };
    let f = dd_div(dd_mul_d(odds, df2), (df1, 0.0));
    // a pair beyond the range is NaN
    if f.0.is_nan() { odds.0 * (df2 / df1) } else { f.0 }
}
