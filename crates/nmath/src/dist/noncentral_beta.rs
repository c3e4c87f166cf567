//! The noncentral beta distribution: a Poisson mixture of beta distributions.

use super::noncentral_chi_squared::CENTRAL_TO;
use crate::dist::beta::{dbeta, pbeta, qbeta};
use crate::special::beta_constant::inverse_beta;
use crate::special::binomial_kernel::scaled_log_dd;
use crate::special::conventions::{one_on, quantile_end, zero_on};
use crate::special::double_double::{dd_add, dd_add_d, dd_div, dd_high, dd_mul, dd_mul_d, dd_sub, two_sum};
use crate::special::exponential::{exp, expm1};
use crate::special::incomplete_beta::log1mexp_dd;
use crate::special::incomplete_gamma::{tail_logs, tail_to_probability};
use crate::special::logarithm::{log as natural_log, log_dd};
use crate::special::noncentral_ratio::{
    Mixture, MixtureTail, NEXT_TO_ONE, below_mean, direct_exponent, fine_log_density, kummer_at, mixture_density,
    mixture_setup, mixture_tail,
};
use crate::special::poisson_mass::{log_scaled_exp, scaled_exp};
use crate::special::powers_of_two::TWO_200;
use gristmill_kernel::kernel;

/// Beyond this noncentrality the first of the two gamma numbers over `ncp/2` is 1, to 1e-30 for shapes up to 1e100: the second one is left.
#[kernel]
pub(crate) const FAR_NCP: f64 = 1e130;

/// A smaller first shape is not told apart from this one: its part of the mixture is all at 0.
#[kernel]
pub(crate) const LEAST_SHAPE: f64 = 1e-307;

/// Whether the parameters are ones that the functions take.
#[kernel(inline)]
pub(crate) fn mixture_valid(a: f64, b: f64, ncp: f64) -> bool {
    a > 0.0 && b > 0.0 && ncp >= 0.0 && a < 1e100 && b < 1e100 && ncp < f64::INFINITY
}

/// The probability from a tail, whatever the size of its factor.
#[kernel(inline)]
pub(crate) fn mixture_probability(t: MixtureTail, lower: bool, log: bool) -> f64 {
    let below = t.lower;
    let mut e = t.e;
    let mut c: (f64, f64) = t.f;
    if c.0 > 1e5 || c.0 < 1e-5 {
        e = dd_add(e, log_dd(c));
        c = (1.0, 0.0);
    }
    tail_to_probability(e, c, below == lower, log)
}

/// The noncentral beta density.
///
/// Domain: `a, b > 0` below 1e100 and `0 <= ncp < inf`, else NaN; outside [0, 1] 0; `ncp = 0` is [`dbeta`], bit for bit. NaN gives NaN.
/// Method: with `l = ncp/2`
///   l x < min(40, 0.4 (sqrt(b+1) + sqrt(a+b))^2)   `x^(a-1) (1-x)^(b-1)/B(a, b) exp(-l (1-x)) 1F1(-b; a; -l x)`: fewer terms than the mixture
///   at most 300 terms matter                       the mixture, summed from its end
///   otherwise                                      an integral through the saddle point by the trapezoidal rule
///   |log f| < 1/64, at most 2000 terms             the logarithm anew, all its parts as pairs (shapes up to 256 in sum, or one of them 1)
///   ncp > 1e130                                    a step at 1, whose logarithm is `-l (1-x)`
///   See `special::noncentral_ratio`.
/// Paper: johnson1995 (30.7), dlmf (13.2.39, Kummer's transformation), loader2000, trefethen2014.
/// Error: 99 % within 0.55 ulp, at most 1.00 ulp on the points of dev/oracle
///   (0.55 and 0.55 on the sweep, 1.00 and 1.20 on the corners, 0.52 and 0.55 on the ones, 1.20 and 1.80 on the far); the tests hold it.
#[kernel(split)]
pub fn dnbeta(x: f64, a: f64, b: f64, ncp: f64, log: bool) -> f64 {
    let s = noncentral_beta_setup(a, b, ncp);
    let y = dnbeta_main(x, s, log);
    if is_known(y) { y } else { dnbeta_rest(x, s, log) }
}

/// What the functions need of their parameters: those as given, and what the sums need.
#[kernel]
pub(crate) struct NoncentralBeta {
    /// First shape.
    a: f64,
    /// Second shape.
    b: f64,
    /// Noncentrality.
    ncp: f64,
    /// Whether these are valid and not those of the central distribution.
    ordinary: bool,
    /// For the sums, if ordinary.
    mixture: Mixture,
}

#[kernel]
fn noncentral_beta_setup(a: f64, b: f64, ncp: f64) -> NoncentralBeta {
    let ncp = if ncp >= 0.0 && ncp < CENTRAL_TO { 0.0 } else { ncp };
    let a = if ncp > 0.0 && a > 0.0 && a < LEAST_SHAPE { LEAST_SHAPE } else { a };
    let ordinary = ncp > 0.0 && ncp <= FAR_NCP && mixture_valid(a, b, ncp);
    let mixture = mixture_setup(
        if ordinary { a } else { 1.0 },
        if ordinary { b } else { 1.0 },
        if ordinary { 0.5 * ncp } else { 1.0 },
    );
    NoncentralBeta { a, b, ncp, ordinary, mixture }
}

/// The density where Kummer's transformation and the logarithms of `x` and `1 - x` serve, NaN elsewhere.
#[kernel]
fn dnbeta_main(x: f64, s: NoncentralBeta, log: bool) -> f64 {
    let m: Mixture = s.mixture;
    if !(s.ordinary && m.direct && x > 0.0 && x < 1.0) {
        return f64::NAN;
    }
    let y = two_sum(1.0, -x);
    let k = kummer_at((x, 0.0), m);
    let p = two_sum(m.a, -1.0);
    let q = two_sum(m.b, -1.0);
    let e = direct_exponent((x, 0.0), y, m, p, q, dd_mul_d(y, m.l));
    let c = dd_mul(m.scale, (k.high, k.low));
    if log {
        let r = dd_high(dd_add(e, log_dd(c)));
        return if r.abs() < NEXT_TO_ONE { f64::NAN } else { r };
    }
    scaled_exp(e, c)
}

/// The density elsewhere, and where its logarithm is next to 0.
#[kernel]
fn dnbeta_rest(x: f64, s: NoncentralBeta, log: bool) -> f64 {
    let m: Mixture = s.mixture;
    if s.ncp == 0.0 {
        return dbeta(x, s.a, s.b, log);
    }
    if x.is_nan() || !mixture_valid(s.a, s.b, s.ncp) {
        return f64::NAN;
    }
    if x < 0.0 || x > 1.0 {
        return zero_on(log);
    }
    let l = 0.5 * s.ncp;
    if x == 0.0 {
        if s.a > 1.0 {
            return zero_on(log);
        }
        if s.a < 1.0 {
            return f64::INFINITY;
        }
        return if log { natural_log(s.b) - l } else { s.b * exp(-l) };
    }
    if x == 1.0 {
        if s.b > 1.0 {
            return zero_on(log);
        }
        if s.b < 1.0 {
            return f64::INFINITY;
        }
        return if log { natural_log(s.a + l) } else { s.a + l };
    }
    let y = two_sum(1.0, -x);
    if s.ncp > FAR_NCP {
        // all of it is nearer to 1 than the next double
        return if log { -l * y.0 } else { 0.0 };
    }
    let d = mixture_density((x, 0.0), y, m);
    if x < 1e-250 {
        let e = dd_sub(d.e, log_dd((x, 0.0)));
        return if log { log_scaled_exp(e, d.m) } else { scaled_exp(e, d.m) };
    }
    let c = dd_div(d.m, dd_mul_d(y, x));
    if !log {
        return scaled_exp(d.e, c);
    }
    let r = log_scaled_exp(d.e, c);
    if m.direct && r.abs() < NEXT_TO_ONE {
        let fine = dd_high(fine_log_density((x, 0.0), y, m, two_sum(s.a, -1.0), two_sum(s.b, -1.0)));
        return if is_known(fine) { fine } else { r };
    }
    r
}

/// The noncentral beta distribution function.
///
/// Domain: `a, b > 0` below 1e100 and `0 <= ncp < inf`, else NaN; `ncp = 0` is [`pbeta`], bit for bit. NaN gives NaN.
/// Method: the smaller tail by itself, the other as its complement: the mixture, summed from its end, where at most 300 terms
///   matter; else an integral through the saddle point by the trapezoidal rule, see `special::noncentral_ratio`. Beyond `ncp = 1e130` a step at 1.
/// Paper: posten1993, benton2003 (sums), trefethen2014, hunter1964 (the rule, the pole).
/// Error: 99 % within 0.55 ulp, at most 0.60 ulp on the points of dev/oracle
///   (1.40 and 1.70 on the sweep, 1.10 and 1.30 on the corners, 2.40 and 2.70 on the far); the tests hold it.
///   Where `b` and `a + ncp/2` are both above 1e30, the width of the distribution is no longer far above what pairs tell apart: the error grows
///   with the root of their size, to 30 ulp at 1e34 and all digits at 1e60.
#[kernel(split, ordered)]
pub fn pnbeta(x: f64, a: f64, b: f64, ncp: f64, lower: bool, log: bool) -> f64 {
    let s = noncentral_beta_setup(a, b, ncp);
    let y = pnbeta_below(x, s, lower, log);
    if is_known(y) { y } else { pnbeta_any(x, s, lower, log) }
}

/// Whether a main path gave a value.
#[kernel(inline)]
pub(crate) fn is_known(y: f64) -> bool {
    !y.is_nan()
}

/// [`pnbeta`] below the mean, NaN elsewhere: in a block those on the other side, which need other sums, are done together.
#[kernel]
fn pnbeta_below(x: f64, s: NoncentralBeta, lower: bool, log: bool) -> f64 {
    let m: Mixture = s.mixture;
    if !(s.ordinary && x > 0.0 && x < 1.0 && below_mean(x, 1.0 - x, m)) {
        return f64::NAN;
    }
    let y: (f64, f64) = two_sum(1.0, -x);
    mixture_probability(mixture_tail((x, 0.0), y, m, lower && !log, false), lower, log)
}

/// [`pnbeta`] everywhere.
#[kernel]
fn pnbeta_any(x: f64, s: NoncentralBeta, lower: bool, log: bool) -> f64 {
    let m: Mixture = s.mixture;
    if s.ncp == 0.0 {
        return pbeta(x, s.a, s.b, lower, log);
    }
    if x.is_nan() || !mixture_valid(s.a, s.b, s.ncp) {
        return f64::NAN;
    }
    if x <= 0.0 {
        return if lower { zero_on(log) } else { one_on(log) };
    }
    if x >= 1.0 {
        return if lower { one_on(log) } else { zero_on(log) };
    }
    let y: (f64, f64) = two_sum(1.0, -x);
    if s.ncp > FAR_NCP {
        let nothing = if log { -0.5 * s.ncp * y.0 } else { 0.0 };
        return if lower { nothing } else { one_on(log) };
    }
    mixture_probability(mixture_tail((x, 0.0), y, m, lower && !log, false), lower, log)
}

/// A quantile and its complement, both as doubles that are accurate.
#[kernel]
pub(crate) struct MixturePoint {
    /// The quantile.
    pub(crate) x: (f64, f64),
    /// 1 minus the quantile.
    pub(crate) y: (f64, f64),
    /// 1: `x` is so small that it may have underflowed, and `l` is its logarithm; 2: the same for `y`; 0: neither.
    pub(crate) tail: f64,
    /// See `tail`.
    pub(crate) l: (f64, f64),
}

/// The share at which the tails are powers of it, to all digits.
#[kernel]
const POWER_TO: f64 = 1e-280;
/// log 1e-280
#[kernel]
const LN_POWER_TO: (f64, f64) = (-644.7238260383328, 5.3633111285271455e-14);

/// The point for `0 < p < 1` by Newton's iteration for `log(x/y)` inside a bracket, from Patnaik's approximation.
#[kernel]
pub(crate) fn mixture_quantile(p: f64, s: Mixture, lower: bool, log: bool) -> MixturePoint {
    let a = s.a;
    let b = s.b;
    let l = s.l;
    let (same, same_low, o, ol) = tail_logs(p, log);
    let log_lower = if lower { (same, same_low) } else { (o, ol) };
    let log_upper = if lower { (o, ol) } else { (same, same_low) };
    // x^a e^-l/(a B) = P, the answer itself where the next terms are nothing
    let c = inverse_beta(a, b);
    let constant = dd_sub(dd_add_d(scaled_log_dd(c), -l), log_dd((a, 0.0)));
    let up = dd_sub(log_lower, constant);
    let least = if a < 1.0 { a } else { 1.0 };
    if up.0 / a < -43.0 + natural_log(least / ((1.0 + l) * (1.0 + a + b))) {
        let mut lx = (-1e300, 0.0);
        if up.0 / a > -1e290 {
            lx = dd_div(up, (a, 0.0));
        }
        let x = if lx.0 > -1500.0 { scaled_exp(lx, (1.0, 0.0)) } else { 0.0 };
        return MixturePoint { x: (x, 0.0), y: (1.0, 0.0), tail: 1.0, l: lx };
    }
    // the same at the other end, whose constant is the tail next to it
    if log_upper.0 < b * (natural_log(1.0 + a + b + l) - 600.0) {
        let t = mixture_tail((1.0, -POWER_TO), (POWER_TO, 0.0), s, false, false);
        let mut log_own = dd_add(t.e, log_dd(t.f));
        if t.lower {
            log_own = log1mexp_dd(log_own);
        }
        let gap = dd_sub(log_upper, log_own);
        if gap.0 < 0.0 {
            let up = if b < 1e-250 { TWO_200 } else { 1.0 };
            let mut ly = (-1e300, 0.0);
            if (gap.0 * up) / (b * up) > -1e290 {
                ly = dd_add(LN_POWER_TO, dd_div((gap.0 * up, gap.1 * up), (b * up, 0.0)));
            }
            let y = if ly.0 > -1500.0 { scaled_exp(ly, (1.0, 0.0)) } else { 0.0 };
            return MixturePoint { x: (1.0, 0.0), y: (y, 0.0), tail: 2.0, l: ly };
        }
    }
    let central = (a + l) * ((a + l) / (a + 2.0 * l));
    let scale = (a + 2.0 * l) / (a + l);
    // u: the smaller of x and y; on_x: which
    let x0 = qbeta(p, central, b, lower, log);
    let y0 = qbeta(p, b, central, !lower, log);
    let mut on_x = x0 * scale <= y0;
    let odds = if on_x { x0 * scale / y0 } else { y0 / (x0 * scale) };
    let mut u = odds / (1.0 + odds);
    u = if u > 1e-300 { u } else { 1e-300 };
    // bracket of z = log(x/y)
    let mut low: f64 = -1500.0;
    let mut high: f64 = 1500.0;
    let mut steps: i32 = 0;
    let mut last: f64 = 0.0;
    while steps < 60 {
        steps += 1;
        let small = (u, 0.0);
        let large = two_sum(1.0, -u);
        let t =
            if on_x { mixture_tail(small, large, s, false, true) } else { mixture_tail(large, small, s, false, true) };
        let below = t.lower;
        let value = dd_add(t.e, log_dd(t.f));
        let gap = dd_high(dd_sub(value, if below { log_lower } else { log_upper }));
        let dz = if below { -gap / t.slope } else { gap / t.slope };
        let at = natural_log(u) - natural_log(large.0);
        let z = if on_x { at } else { -at };
        if dz > 0.0 {
            low = z;
        } else {
            high = z;
        }
        // the error left after a step is dz^2 times half the curvature, which the slope and the spread bound
        let spread = 1.0 + t.slope + (a + b + l) * u;
        // ... and a step below half an ulp leads to no other double
        if dz * dz * spread < 1e-17 || dz.abs() < 5e-17 {
            last = dz;
            break;
        }
        let mut next = if dz > 30.0 {
            30.0
        } else if dz > -30.0 {
            dz
        } else {
            -30.0
        };
        // a step that is not seen in z is within the bracket
        if dz.is_nan() || !(z + next > low && z + next < high || dz.abs() < 1e-15 * z.abs()) {
            next = 0.5 * (low + high) - z;
            if next.abs() < 1e-15 * z.abs() {
                break;
            }
            // so far that its exponential is a number
            next = if next > 600.0 {
                600.0
            } else if next > -600.0 {
                next
            } else {
                -600.0
            };
        }
        let m = expm1(if on_x { next } else { -next });
        let moved = u * (1.0 + m) / (1.0 + u * m);
        if moved > 0.5 {
            // the other share, from the odds
            u = large.0 / (1.0 + u * m);
            on_x = !on_x;
        } else {
            u = moved;
        }
        if u < 1e-300 {
            u = 1e-300;
        }
    }
    let m = if on_x { last } else { -last };
    let r = two_sum(u, u * (1.0 - u) * m);
    let (rest, rest_low) = two_sum(1.0, -r.0);
    let rest = rest + (rest_low - r.1);
    MixturePoint {
        x: (if on_x { r.0 } else { rest }, if on_x { r.1 } else { 0.0 }),
        y: (if on_x { rest } else { r.0 }, if on_x { 0.0 } else { r.1 }),
        tail: 0.0,
        l: (0.0, 0.0),
    }
}

/// The noncentral beta quantile.
///
/// Domain: `p` in [0, 1] (log: `<= 0`), `a, b > 0` below 1e100 and `0 <= ncp < inf`, else NaN; 0 and 1 give the ends of the support;
///   `ncp = 0` is [`qbeta`], bit for bit. NaN gives NaN.
/// Method: Newton's iteration for `log(x/(1-x))` on the log of the smaller tail, inside a bracket, from Patnaik's approximation. At
///   most 60 steps, usually 4 to 6.
/// Paper: patnaik1949.
/// Error: 99 % within 0.55 ulp, at most 0.60 ulp on the points of dev/oracle
///   (0.55 and 0.60 on the sweep, 0.55 and 0.60 on the corners); the tests hold it.
#[kernel(split, ordered)]
pub fn qnbeta(p: f64, a: f64, b: f64, ncp: f64, lower: bool, log: bool) -> f64 {
    qnbeta_eval(p, noncentral_beta_setup(a, b, ncp), lower, log)
}

/// [`qnbeta`] after its setup.
#[kernel]
fn qnbeta_eval(p: f64, s: NoncentralBeta, lower: bool, log: bool) -> f64 {
    let m: Mixture = s.mixture;
    if s.ncp == 0.0 {
        return qbeta(p, s.a, s.b, lower, log);
    }
    let end = quantile_end(p, lower, log);
    if end < 0.0 || !mixture_valid(s.a, s.b, s.ncp) {
        return f64::NAN;
    }
    if end < 2.0 {
        return end;
    }
    if s.ncp > FAR_NCP {
        return 1.0;
    }
    let r = mixture_quantile(p, m, lower, log);
    r.x.0
}
