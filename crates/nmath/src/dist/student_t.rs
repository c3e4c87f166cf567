//! Student's t distribution.

use crate::dist::cauchy::{pcauchy, qcauchy};
use crate::dist::normal::qnorm;
use crate::special::beta_function::lbeta_dd;
use crate::special::beta_quantile::{QuantileSetup, log_both, mirrored, quantile_setup, solve_tail};
use crate::special::binomial_kernel::{Scaled, dd_quotient, exp_of, scaled_result, times_exp};
use crate::special::constants::{INV_PI, INV_SQRT_2PI, LN_SQRT_2PI, LN2, PI};
use crate::special::conventions::{one_on, quantile_end, zero_on};
use crate::special::double_double::{
    dd_add_d, dd_add_short, dd_div, dd_inverse_sqrt, dd_mul, dd_mul_d, dd_neg, dd_sqrt, dd_sub_short, fast_two_sum,
    pair_mul, pair_sub, two_prod, two_sum,
};
use crate::special::exponential::expm1;
use crate::special::f_ratio::{Shares, product_ratio};
use crate::special::incomplete_beta::{
    BetaSetup, BetaTail, SMALL_SHAPE, beta_setup, log_shape_beta, narrow_tail, tail_and_rest, tail_result,
};
use crate::special::logarithm::{log as natural_log, log_dd, log_dd_of_normal_pair, log_loose_of_pair, log1p};
use crate::special::normal_tail::mills_dd;
use crate::special::powers_of_two::TWO_M200;
use crate::special::student_tail::{
    LN_TWO_200, Probability, STUDENT_FROM, STUDENT_TO, StudentSetup, TINY, log1p_of_ratio, log1p_of_ratio_short,
    probability, square_at_zero, student_holds, student_least, student_nothing, student_quantile, student_setup,
    student_tail,
};
use crate::special::trigonometric_pairs::sin_cos_pi_quarter;
pub(crate) mod random;

pub use random::rt;

use gristmill_kernel::kernel;

/// Above this the distribution is normal to 2^-60 while `|t| < NORMAL_REACH`: the first difference is `t^4/(4n)`.
#[kernel]
const NORMAL_FROM: f64 = 1e35;
/// See `NORMAL_FROM`.
#[kernel]
const NORMAL_REACH: f64 = 1e4;

/// From here on [`pt`] uses the expansion about the normal distribution: below, the continued fraction is fast enough, and
/// a little closer.
#[kernel]
const PT_STUDENT_FROM: f64 = 36.0;

/// Below this the central part up to any finite `|t|` is under 1e-296: the probabilities are 1/2.
#[kernel]
const NEARLY_NONE: f64 = 1e-300;
/// Beyond this the quantile, `z + (z^3+z)/(4n)`, is that of the normal distribution while `|z| < 1e4` or so.
#[kernel]
const NEARLY_NORMAL: f64 = 1e25;
/// Down to this logarithm of a tail `|z| < 4500`.
#[kernel]
const DEEP: f64 = -1e7;

/// What [`dt`] needs of its parameter.
#[kernel]
pub struct DtSetup {
    /// Whether the logarithm is wanted.
    pub log: bool,
    /// Degrees of freedom.
    pub n: f64,
    /// The density at 0 is `m exp(e + el)`; on the log scale `m` is in the exponent too.
    pub m: f64,
    /// See `m`.
    pub e: (f64, f64),
    /// `1/n`, as a pair.
    pub inverse: (f64, f64),
}

/// The density at 0 as factor and exponent.
#[kernel(inline)]
fn density_at_zero(n: f64) -> Scaled {
    let (w, wl, g) = square_at_zero(n);
    let root = dd_sqrt((w, wl));
    let back = if n < TINY { TWO_M200 } else { 1.0 };
    Scaled { m: (root.0 * back, root.1 * back), e: (g, 0.0) }
}

/// The part of [`dt`] that depends on the parameter only.
#[kernel]
pub fn dt_setup(n: f64, log: bool) -> DtSetup {
    if n.is_nan() || n < f64::MIN_POSITIVE {
        let value = if n > 0.0 { 0.0 } else { f64::NAN };
        return DtSetup { log, n: value, m: n, e: (0.0, 0.0), inverse: (0.0, 0.0) };
    }
    if n > 1e300 {
        return DtSetup { log, n: f64::INFINITY, m: 0.0, e: (0.0, 0.0), inverse: (0.0, 0.0) };
    }
    let (w, wl, g) = square_at_zero(n);
    let tiny = n < TINY;
    let inverse = 1.0 / n;
    let inversel = (-inverse).mul_add(n, 1.0) * inverse;
    if log {
        let l = log_loose_of_pair((w, wl));
        let (e, el) = two_sum(0.5 * l.0, g);
        let shift = (if tiny { -LN_TWO_200.0 } else { 0.0 }, if tiny { -LN_TWO_200.1 } else { 0.0 });
        let e = dd_add_short((e, 0.5 * l.1 + el), shift);
        return DtSetup { log, n, m: 1.0, e, inverse: (inverse, inversel) };
    }
    // what the root leaves goes into the exponent
    let root = w.sqrt();
    let fold = ((-root).mul_add(root, w) + wl) / (2.0 * w);
    let m = root * (if tiny { TWO_M200 } else { 1.0 });
    DtSetup { log, n, m, e: (g, fold), inverse: (inverse, inversel) }
}

/// The exponent of the density, with `l = log(1 + t^2/n)`.
#[kernel(inline)]
fn dt_of_log(l: (f64, f64), s: DtSetup) -> f64 {
    let half = two_sum(0.5 * s.n, 0.5);
    let e = pair_sub(s.e, pair_mul(l, half));
    let e = fast_two_sum(e.0, e.1);
    let log = s.log;
    if log { e.0 + e.1 } else { times_exp(s.m, e) }
}

/// Whether [`dt_main`] holds: `t^2/n` is of ordinary size.
#[kernel(inline)]
fn dt_in_main(t: f64, s: DtSetup) -> bool {
    let ratio = (t * s.inverse.0) * t;
    ratio > 1e-280 && ratio < 1e30 && s.n <= NORMAL_FROM
}

/// The density where `t^2/n` is of ordinary size.
#[kernel(inline)]
fn dt_main(t: f64, s: DtSetup) -> f64 {
    if s.n == 1.0 {
        return cauchy_density(t, s);
    }
    dt_of_log(log1p_of_ratio_short(dd_mul_d(dd_mul_d(s.inverse, t), t)), s)
}

/// `1/(pi (1 + t^2))`, or its logarithm.
#[kernel(inline)]
fn cauchy_density(t: f64, s: DtSetup) -> f64 {
    let (p, pe) = two_prod(t, t);
    let (q, qe) = two_sum(1.0, p);
    let ql = qe + pe;
    let log = s.log;
    if log {
        let l = log_loose_of_pair(pair_mul(PI, (q, ql)));
        return -(l.0 + l.1);
    }
    let inverse = 1.0 / q;
    let y = INV_PI.0 * inverse;
    let r = (-y).mul_add(ql, (-y).mul_add(q, INV_PI.0) + INV_PI.1);
    r.mul_add(inverse, y)
}

/// The density for subnormal degrees of freedom: `n/2/sqrt(n + t^2)`, to 1e-300 of it.
#[kernel]
fn dt_of_subnormal(size: f64, n: f64, log: bool) -> f64 {
    let root = n.sqrt();
    let r = size / root;
    let far = r > 1e10;
    let up = if far { r } else { (r * r + 1.0).sqrt() };
    if log {
        // log n by itself: the root has rounded it
        let l = if far { natural_log(size) - 0.5 * natural_log(n) } else { 0.5 * log1p(r * r) };
        return (0.5 * natural_log(n) - l) - std::f64::consts::LN_2;
    }
    0.5 * (root / up)
}

/// The density elsewhere.
#[kernel]
fn dt_rest(t: f64, s: DtSetup) -> f64 {
    let log = s.log;
    if t.is_nan() || s.n.is_nan() {
        return f64::NAN;
    }
    let size = t.abs();
    if size == f64::INFINITY {
        return zero_on(log);
    }
    if s.n == 0.0 {
        return dt_of_subnormal(size, s.m, log);
    }
    if s.n > NORMAL_FROM && (size < NORMAL_REACH || s.n == f64::INFINITY) {
        let q = two_prod(t, t);
        if q.0 > 1e290 {
            return if log { -0.5 * q.0 } else { 0.0 };
        }
        return scaled_result(Scaled { m: INV_SQRT_2PI, e: (-0.5 * q.0, -0.5 * q.1) }, log);
    }
    let ratio = (size * s.inverse.0) * size;
    let mut l = (ratio, 0.0);
    if ratio > 1e30 {
        let twice = log_dd((size, 0.0));
        let small = (s.n / size) / size;
        l = dd_add_d(dd_sub_short((2.0 * twice.0, 2.0 * twice.1), log_dd((s.n, 0.0))), small);
    } else if ratio >= 1e-280 {
        l = log1p_of_ratio(dd_mul_d(dd_mul_d(s.inverse, size), size));
    }
    dt_of_log(l, s)
}

/// Density of Student's t distribution with `n` degrees of freedom.
///
/// R: `dt(x, df, ncp, log = FALSE)`, Student t density: `dt(x, df, log)`; given `ncp`: `dnt(x, df, ncp, log)`.
/// Domain: `n > 0`, infinite included (the normal distribution), otherwise NaN.
/// Method: the density at 0 times `exp(-(n+1)/2 log(1 + t^2/n))`, both exponents in double-double; `n = 1` is `1/(pi (1 + t^2))`;
/// `n > 1e35` with `|t| < 1e4` is the normal density, where the difference, `t^4/(4n)`, is below 2^-60.
/// Paper: DLMF 5.11.13 for the constant.
/// Error: 99 % within 0.51 ulp, at most 0.55 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn dt(t: f64, n: f64, log: bool) -> f64 {
    let s = dt_setup(n, log);
    if dt_in_main(t, s) { dt_main(t, s) } else { dt_rest(t, s) }
}

/// What [`pt`] needs of its parameter.
#[kernel]
pub struct PtSetup {
    /// Whether the expansion about the normal distribution serves.
    pub wide: bool,
    /// For that expansion.
    pub student: StudentSetup,
    /// For the incomplete beta ratio; only if not wide.
    pub narrow: NarrowSetup,
}

/// What the incomplete beta ratio needs of the degrees of freedom.
#[kernel]
pub struct NarrowSetup {
    /// Degrees of freedom; NaN if they are not positive.
    pub n: f64,
    /// For `I_y(1/2, n/2)`, as in `BetaSetup`; `log_half` is its `log_second`.
    pub scale: f64,
    /// See `scale`.
    pub e: (f64, f64),
    /// See `scale`.
    pub direct: bool,
    /// See `scale`.
    pub log_half: (f64, f64),
}

/// The part of [`pt`] that depends on the parameter only.
#[kernel]
pub fn pt_setup(n: f64) -> PtSetup {
    let wide = n >= PT_STUDENT_FROM && n <= STUDENT_TO;
    let mut narrow = NarrowSetup { n, scale: 0.0, e: (0.0, 0.0), direct: true, log_half: (0.0, 0.0) };
    if !wide {
        narrow = narrow_setup(n);
    }
    let mut student = student_nothing();
    if wide {
        student = student_setup(n);
    }
    PtSetup { wide, student, narrow }
}

/// The part of the incomplete beta ratio that depends on the degrees of freedom only.
#[kernel]
fn narrow_setup(n: f64) -> NarrowSetup {
    if n >= 0.02 && n <= 8190.0 {
        // 1/B(1/2, n/2) is sqrt(n) times the density at 0
        let (v, vl, e) = square_at_zero(n);
        let w = dd_mul_d((v, vl), n);
        let scale = w.0.sqrt();
        let el = ((-scale).mul_add(scale, w.0) + w.1) / (2.0 * w.0);
        let mut log_half = (0.0, 0.0);
        if n < 2.0 * SMALL_SHAPE {
            let root = log_dd_of_normal_pair(w);
            let log_beta = dd_neg(dd_add_short((0.5 * root.0, 0.5 * root.1), (e, 0.0)));
            log_half = log_shape_beta(0.5 * n, 0.5, log_beta);
        }
        return NarrowSetup { n, scale, e: (e, el), direct: true, log_half };
    }
    let good = n >= f64::MIN_POSITIVE && n <= 1e260;
    let shape = if good { 0.5 * n } else { 1.0 };
    let kept = if n > 1e260 {
        f64::INFINITY
    } else if n > 0.0 {
        if good { n } else { f64::MIN_POSITIVE }
    } else {
        f64::NAN
    };
    let shape = if good { shape } else { 0.5 * f64::MIN_POSITIVE * 2.0 };
    let r = beta_setup(0.5, shape);
    let direct: bool = r.direct;
    NarrowSetup { n: kept, scale: r.scale, e: r.e, direct, log_half: r.log_second }
}

/// The two-sided tail or the central part of the t distribution, `|t| > 0`: the tail of `I_y(1/2, n/2)` that is smaller.
#[kernel]
fn two_sided(size: f64, s: NarrowSetup) -> BetaTail {
    if s.n == f64::INFINITY || (s.n > NORMAL_FROM && size < NORMAL_REACH) {
        // beyond 1e150 the logarithm, -t^2/2, nears the end of the range or leaves it
        let kept = if size < 1e150 { size } else { 1e150 };
        let q = two_prod(kept, kept);
        let m = mills_dd((kept, 0.0));
        let e = fast_two_sum(-0.5 * q.0, -0.5 * q.1 + m.1 / m.0);
        let e = if size < 1e150 { e } else { (-0.5 * size * size, 0.0) };
        return BetaTail { lower: false, m: (2.0 * m.0, 0.0), e, other: (-1.0, 0.0), slope: 0.0 };
    }
    let r: Shares = product_ratio(size, size, s.n);
    if r.y.0 < 1e-280 {
        // x = n/(n+t^2) leaves the range: the leading term x^(n/2) / ((n/2) B), the next is O(x)
        let a = 0.5 * s.n;
        let twice = log_dd((size, 0.0));
        let l = dd_sub_short((2.0 * twice.0, 2.0 * twice.1), log_dd((s.n, 0.0)));
        let e = dd_neg(dd_add_short(dd_mul_d(l, a), lbeta_dd(a, 0.5)));
        let e = dd_sub_short(e, log_dd((a, 0.0)));
        return BetaTail { lower: false, m: (1.0, 0.0), e, other: (-1.0, 0.0), slope: 0.0 };
    }
    if r.x.0 < 1e-280 {
        // the central part is 2 |t| times the density at 0
        let c: Scaled = density_at_zero(s.n);
        return BetaTail {
            lower: true,
            m: (2.0 * size * c.m.0, 2.0 * size * c.m.1),
            e: c.e,
            other: (-1.0, 0.0),
            slope: 0.0,
        };
    }
    let direct: bool = s.direct;
    let log_half: (f64, f64) = s.log_half;
    narrow_tail(0.5, 0.5 * s.n, r.x, r.y, s.scale, s.e, direct, (0.0, 0.0), log_half)
}

/// `P(T > t)` for `t > 0`; NaN where it takes a setup that is not at hand, or is known by its complement only.
#[kernel]
pub(crate) fn central_tail(t: f64, s: PtSetup) -> BetaTail {
    let student: StudentSetup = s.student;
    let narrow: NarrowSetup = s.narrow;
    let wide: bool = s.wide;
    if wide && student_holds(t, student) {
        return student_tail(t, student);
    }
    let mut r: BetaTail = two_sided(t, narrow);
    r.m = (0.5 * r.m.0, 0.5 * r.m.1);
    if wide || r.other.0 >= 0.0 {
        r.m.0 = f64::NAN;
    }
    r
}

/// [`pt`] after its setup.
#[kernel]
pub fn pt_eval(t: f64, s: PtSetup, lower: bool, log: bool) -> f64 {
    let student: StudentSetup = s.student;
    let wide: bool = s.wide;
    if wide && student_holds(t, student) {
        let small = (t < 0.0) == lower; // the tail wanted is the one below 1/2
        return tail_result(student_tail(t, student), !small, log);
    }
    let narrow: NarrowSetup = s.narrow;
    pt_narrow(t, narrow, wide, lower, log)
}

/// The distribution function by the incomplete beta ratio.
#[kernel]
fn pt_narrow(t: f64, s: NarrowSetup, wide: bool, lower: bool, log: bool) -> f64 {
    let mut narrow: NarrowSetup = s;
    if t.is_nan() || narrow.n.is_nan() {
        return f64::NAN;
    }
    if t.abs() == f64::INFINITY {
        return if (t < 0.0) == lower { zero_on(log) } else { one_on(log) };
    }
    if t == 0.0 {
        return if log { -std::f64::consts::LN_2 } else { 0.5 };
    }
    if narrow.n < NEARLY_NONE {
        return if log { -std::f64::consts::LN_2 } else { 0.5 };
    }
    if narrow.n == 1.0 {
        return pcauchy(t, 0.0, 1.0, lower, log);
    }
    if wide {
        narrow = narrow_setup(narrow.n); // too rare to have it ready
    }
    let small = (t < 0.0) == lower; // the tail wanted is the one below 1/2
    let r = two_sided(t.abs(), narrow);
    // half of what was computed, both tails together or the central part
    let central = r.lower;
    let half = BetaTail { lower: central, m: (0.5 * r.m.0, 0.5 * r.m.1), e: r.e, other: (-1.0, 0.0), slope: 0.0 };
    if !central {
        return tail_result(half, small == central, log);
    }
    // 1/2 minus or plus it
    let (_v, rest, rest_low) = tail_and_rest(half);
    let (m, e) = two_sum(if small { rest } else { -rest }, if small { -0.5 } else { 1.5 });
    let w = fast_two_sum(m, e + if small { rest_low } else { -rest_low });
    if log {
        let l = log_dd(w);
        return l.0 + l.1;
    }
    w.0
}

/// Distribution function of Student's t distribution with `n` degrees of freedom.
///
/// R: `pt(q, df, ncp, lower.tail = TRUE, log.p = FALSE)`, Student t distribution function:
///   `pt(q, df, lower.tail, log.p)`; given `ncp`: `pnt(q, df, ncp, lower.tail, log.p)`.
/// Domain: `n > 0`, infinite included (the normal distribution), otherwise NaN.
/// Method:
///   n >= 36 and t^2 < 0.82 n   the normal Mills ratio at sqrt((n - 1/2) log(1 + t^2/n)) and a polynomial; see
///                              `special::student_tail`
///   otherwise                  `P(|T| < |t|) = I_y(1/2, n/2)`, `y = t^2/(n+t^2)`, y and 1-y as pairs; see [`crate::pbeta`]
///   n = 1                      [`crate::pcauchy`]
/// and of the incomplete beta ratio
///   n > 1e35 and |t| < 1e4     the normal distribution, by the Mills ratio
///   n/(n+t^2) < 1e-280         the leading term of the tail, through logarithms
///   t^2/(n+t^2) < 1e-280       1/2 plus or minus |t| times the density at 0
/// Paper: wallace1959, didonato1992; DLMF 8.17.
/// Error: 99 % within 0.60 ulp, at most 0.80 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn pt(t: f64, n: f64, lower: bool, log: bool) -> f64 {
    pt_eval(t, pt_setup(n), lower, log)
}

/// What [`qt`] needs of its parameter.
#[kernel]
pub struct QtSetup {
    /// Degrees of freedom; NaN if they are not positive.
    pub n: f64,
    /// Degrees of freedom as they were given; `n` is at most 1e25.
    pub given: f64,
    /// Whether the expansion about the normal distribution serves.
    pub wide: bool,
    /// Down to this probability of the smaller tail.
    pub least: f64,
    /// For that expansion.
    pub student: StudentSetup,
    /// For the search for `y ~ Beta(1/2, n/2)`; only if not wide and not a closed form.
    pub search: SearchSetup,
}

/// What the search needs: the fields of `QuantileSetup` that matter for `N < 32`, without the coefficients of the uniform expansion.
#[kernel]
pub struct SearchSetup {
    /// `N`, as in `BetaSetup`.
    pub size: f64,
    /// As in `BetaSetup`.
    pub scale: f64,
    /// As in `BetaSetup`.
    pub e: (f64, f64),
    /// As in `BetaSetup`.
    pub direct: bool,
    /// As in `QuantileSetup`.
    pub log_first: (f64, f64),
    /// As in `QuantileSetup`.
    pub log_second: (f64, f64),
}

/// The part of the search that depends on `n < 24` only.
#[kernel]
fn search_setup(n: f64) -> SearchSetup {
    let q = quantile_setup(0.5, 0.5 * n);
    let r: BetaSetup = q.ratio;
    let direct: bool = r.direct;
    SearchSetup { size: r.size, scale: r.scale, e: r.e, direct, log_first: q.log_first, log_second: q.log_second }
}

/// The setup of the search, put together again.
#[kernel(inline)]
fn search_of(n: f64, s: SearchSetup) -> QuantileSetup {
    let direct: bool = s.direct;
    QuantileSetup {
        ratio: BetaSetup {
            a: 0.5,
            b: 0.5 * n,
            size: s.size,
            scale: s.scale,
            e: s.e,
            direct,
            log_first: s.log_first,
            log_second: s.log_second,
            mills_excess: 0.0,
            s_factor: [0.0; 21],
        },
        log_first: s.log_first,
        log_second: s.log_second,
    }
}

/// The part of [`qt`] that depends on the parameter only.
#[kernel]
pub fn qt_setup(n: f64) -> QtSetup {
    let good = n >= f64::MIN_POSITIVE;
    let kept = if n > NEARLY_NORMAL { NEARLY_NORMAL } else { n };
    let kept = if good {
        kept
    } else if n > 0.0 {
        f64::MIN_POSITIVE
    } else {
        f64::NAN
    };
    let wide = kept >= STUDENT_FROM;
    let mut student = student_nothing();
    let mut search = SearchSetup {
        size: 0.0,
        scale: 0.0,
        e: (0.0, 0.0),
        direct: true,
        log_first: (0.0, 0.0),
        log_second: (0.0, 0.0),
    };
    let mut least: f64 = 0.0;
    if wide {
        // the search is rare then: its part is made when it is needed
        student = student_setup(kept);
        least = student_least(kept);
    } else if kept != 1.0 && kept != 2.0 {
        search = search_setup(if good { kept } else { 2.0 });
    }
    QtSetup { n: if n == f64::INFINITY { n } else { kept }, given: n, wide, least, student, search }
}

/// Whether the expansion holds at `p`.
#[kernel(inline)]
fn qt_is_wide(p: f64, s: QtSetup, log: bool) -> bool {
    let wide = s.wide;
    let from = if log { -690.0 } else { s.least };
    let to = if log { -1.01 * s.least } else { 1.0 - s.least };
    // e^p > least on the log scale: least is exp(-0.29 (n - 1/2)) or 1e-290
    let deep = log && p < -0.29 * (s.n - 0.5);
    wide && p > from && p < to && p != 0.5 && !deep
}

/// Whether [`qt_closed`] holds: one or two degrees of freedom, and both tails above 1e-100.
#[kernel(inline)]
fn qt_in_closed(p: f64, s: QtSetup, _lower: bool, log: bool) -> bool {
    let from = if log { -230.0 } else { 1e-100 };
    let to = if log { -1e-100 } else { 1.0 };
    (s.n == 1.0 || s.n == 2.0) && p > from && p < to
}

/// The quantile for one degree of freedom, Cauchy's distribution (see [`crate::qcauchy`]), and for two, where
/// `P(|T| < t) = t/sqrt(2 + t^2)`.
#[kernel(inline)]
fn qt_closed(p: f64, s: QtSetup, lower: bool, log: bool) -> f64 {
    let v: Probability = probability(p, log);
    if s.n == 1.0 {
        let left = v.p.0 < 0.25;
        let right = v.q.0 < 0.25;
        let t = if left {
            v.p
        } else if right {
            v.q
        } else {
            (-v.d.0, -v.d.1)
        };
        let (sine, sine_low, cosine, cosine_low) = sin_cos_pi_quarter(t);
        let outer = left || right;
        let top = (if outer { cosine } else { sine }, if outer { cosine_low } else { sine_low });
        let bottom = (if outer { sine } else { cosine }, if outer { sine_low } else { cosine_low });
        let z = dd_div(top, bottom);
        let plus = lower != left;
        return if plus { z.0 } else { 0.0 - z.0 };
    }
    let inverse = dd_inverse_sqrt(dd_mul(v.p, (2.0 * v.q.0, 2.0 * v.q.1)));
    let t = pair_mul((2.0 * v.d.0, 2.0 * v.d.1), inverse);
    let size = t.0 + t.1;
    if lower { 0.0 - size } else { size }
}

/// The quantile elsewhere.
#[kernel]
fn qt_general(p: f64, s: QtSetup, lower: bool, log: bool) -> f64 {
    if s.n == f64::INFINITY {
        return qnorm(p, 0.0, 1.0, lower, log);
    }
    if qt_is_wide(p, s, log) {
        let v: Probability = probability(p, log);
        let less = v.d.0 > 0.0; // the given tail is below 1/2
        let tail = (if less { v.p.0 } else { v.q.0 }, if less { v.p.1 } else { v.q.1 });
        let d = (if less { v.d.0 } else { -v.d.0 }, if less { v.d.1 } else { -v.d.1 });
        let student: StudentSetup = s.student;
        let t = student_quantile(s.n, tail, d, student);
        return if less == lower { -t } else { t };
    }
    if s.given > NEARLY_NORMAL && log && p < DEEP && p > f64::NEG_INFINITY {
        let t = qt_deep(-p, s.given);
        return if lower { -t } else { t };
    }
    let search: SearchSetup = s.search;
    let wide: bool = s.wide;
    qt_narrow(p, s.n, wide, search, lower, log)
}

/// The `t > 0` whose upper tail is `exp(-depth)`, for `n > 1e25` and `depth > 1e7`.
///
/// The tail is `(1 + t^2/n)^-((n-1)/2)/(t sqrt(2 pi)) (1 - 1/t^2 + ...)`, where `t > 4400`: each step gains seven digits of what
/// the logarithms of `t` and of the power add to the depth, at most 1e-6 of it.
#[kernel]
fn qt_deep(depth: f64, n: f64) -> f64 {
    let mut t = root_of_power(depth, n);
    if t == f64::INFINITY {
        return t;
    }
    for _ in 0..3 {
        let power = log1p((t / n) * t);
        let rest = 0.5 * power - (natural_log(t) + LN_SQRT_2PI.0) - (1.0 / t) / t;
        t = root_of_power(depth + rest, n);
    }
    t
}

/// `t` with `n/2 log(1 + t^2/n) = depth`.
#[kernel(inline)]
fn root_of_power(depth: f64, n: f64) -> f64 {
    n.sqrt() * expm1(2.0 * (depth / n)).sqrt()
}

/// The quantile by closed forms or the search.
#[kernel]
fn qt_narrow(p: f64, n: f64, wide: bool, s: SearchSetup, lower: bool, log: bool) -> f64 {
    let end = quantile_end(p, lower, log);
    if end < 0.0 || n.is_nan() {
        return f64::NAN;
    }
    if end == 0.0 {
        return f64::NEG_INFINITY;
    }
    if end == 1.0 {
        return f64::INFINITY;
    }
    if n < NEARLY_NONE {
        // no finite t has another probability than 1/2, which no logarithm is
        if !log && p == 0.5 {
            return 0.0;
        }
        let below = if log { p < -std::f64::consts::LN_2 } else { p < 0.5 };
        return if below == lower { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    if n == 1.0 {
        return qcauchy(p, 0.0, 1.0, lower, log);
    }
    if n == 2.0 && p > (if log { -600.0 } else { 1e-280 }) {
        // P(|T| < t) = t/sqrt(2 + t^2)
        let v = probability(p, log);
        let root = dd_sqrt(dd_mul(v.p, (2.0 * v.q.0, 2.0 * v.q.1)));
        let t = dd_quotient((2.0 * v.d.0, 2.0 * v.d.1), root);
        return if lower { -t.0 } else { t.0 };
    }
    let (lp, lpl, lq, lql) = log_both(p, log);
    let less = lp < -std::f64::consts::LN_2; // the given tail is below 1/2, which exp(-LN_2) is not
    let tail = (if less { lp } else { lq }, if less { lpl } else { lql });
    let two_sided = dd_add_short(tail, LN2); // log P(|T| > t)
    // P(|T| < t), exact next to p = 1/2
    let mut central = two_sum(1.0, -2.0 * p);
    if log {
        let from_half = dd_add_short((lp, lpl), LN2);
        let near = expm1(from_half.0 + from_half.1);
        let far = two_sum(1.0, -times_exp(2.0, tail));
        let close = near.abs() < 0.5;
        central = (if close { near } else { far.0 }, if close { 0.0 } else { far.1 });
    }
    let negative = central.0 < 0.0;
    let central = (if negative { -central.0 } else { central.0 }, if negative { -central.1 } else { central.1 });
    if central.0 <= 0.0 {
        return 0.0;
    }
    let inside = log_dd(central);
    let middle = central.0 < 0.5; // the central part is the smaller one
    let first = (if middle { inside.0 } else { two_sided.0 }, if middle { inside.1 } else { two_sided.1 });
    let second = (if middle { two_sided.0 } else { inside.0 }, if middle { two_sided.1 } else { inside.1 });
    let mut search = search_of(n, s);
    if wide || n == 2.0 {
        search = quantile_setup(0.5, 0.5 * n);
    }
    let found = solve_tail(first, second, middle, search);
    let r = if middle { found } else { mirrored(found) };
    let t = if r.tail == 0.0 {
        let v = n * (r.x.0 / r.y.0);
        let root = dd_sqrt(dd_mul_d(dd_quotient(r.x, r.y), n));
        if v > 1e-250 && v < 1e290 { root.0 + root.1 } else { v.sqrt() }
    } else {
        let ln = log_dd((n, 0.0));
        let e = if r.tail == 2.0 { dd_sub_short(ln, r.l) } else { dd_add_short(ln, r.l) };
        exp_of((0.5 * e.0, 0.5 * e.1))
    };
    if less == lower { -t } else { t }
}

/// Quantile of Student's t distribution with `n` degrees of freedom.
///
/// R: `qt(p, df, ncp, lower.tail = TRUE, log.p = FALSE)`, Student t quantile: `qt(p, df, lower.tail, log.p)`; given
///   `ncp`: `qnt(p, df, ncp, lower.tail, log.p)`.
/// Domain: `0 <= p <= 1` (log: `p <= 0`), `n > 0`, infinite included, otherwise NaN.
/// Method:
///   n >= 24, tails above exp(-0.29 n)   one step of order five from the expansion about the normal distribution; see
///                                       `special::student_tail`
///   n = 1 and n = 2                     closed forms
///   otherwise                           `|t| = sqrt(n y/(1-y))`, by the search for y
/// Search: y is the quantile of Beta(1/2, n/2): of the central part `|1 - 2p|`, exact next to
/// `p = 1/2`, while that is below 1/2, of the two-sided tail otherwise; see `special::beta_quantile`. Where y or 1-y
/// leaves the range, through its logarithm. A finite `n > 1e25` is taken as 1e25.
/// Paper: wallace1959, temme1992, gil2017 (start values).
/// Error: 99 % within 0.60 ulp, at most 0.85 ulp on the points of dev/oracle (0.51 and 0.51 on the corners);
///   the tests hold it.
#[kernel(split)]
pub fn qt(p: f64, n: f64, lower: bool, log: bool) -> f64 {
    let s = qt_setup(n);
    if qt_in_closed(p, s, lower, log) { qt_closed(p, s, lower, log) } else { qt_general(p, s, lower, log) }
}
