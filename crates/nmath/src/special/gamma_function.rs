//! The gamma function, its logarithm, and Stirling's error for every argument.

use gristmill_kernel::kernel;

use super::constants::{EULER, LN_PI, LN_SQRT_2PI, PI, SQRT_2PI, TWELFTH};
use super::double_double::{
    dd_add, dd_add_d, dd_div, dd_high, dd_mul, dd_mul_d, dd_neg, dd_sub, fast_two_sum, pair_mul, pair_mul_d, two_prod,
    two_sum,
};
use super::exponential::{exp_loose, exp_parts};
use super::extra_precision::log_extra;
use super::logarithm::{log, log_dd, log_loose};
use super::scaling::scale_by_power;
use super::stirling::{stirlerr_from_one, stirlerr_pair};
use super::trigonometric_pairs::sin_pi_pair;

/// 1 - Euler's constant.
#[kernel]
const ONE_MINUS_EULER: (f64, f64) = (0.42278433509846713, 4.942915152430645e-18);
/// The constant term of `(log Gamma(1+t) + gamma t)/t^2`.
#[kernel]
const ABOUT_1: (f64, f64) = (0.8224670334241132, 9.52094045144878e-18);
/// The constant term of `(log Gamma(2+t) - (1-gamma) t)/t^2`.
#[kernel]
const ABOUT_2: (f64, f64) = (0.3224670334241132, 1.5319938208471884e-17);
/// The zero of log|Gamma| near -2.457.
#[kernel]
const ZERO_A: (f64, f64) = (-2.4570247382208006, -3.7075610815513266e-17);
/// The zero of log|Gamma| near -2.748.
#[kernel]
const ZERO_B: (f64, f64) = (-2.7476826467274127, 9.055340329338315e-17);
/// The zero of log|Gamma| near -3.144.
#[kernel]
const ZERO_C: (f64, f64) = (-3.14358088834998, -2.1818179852331714e-16);
/// The slope of log|Gamma| at the zero near -2.457.
#[kernel]
const ZERO_A_0: (f64, f64) = (1.5156034480216574, -4.069613237320051e-17);
/// Half of its second derivative at the zero near -2.457.
#[kernel]
const ZERO_A_1: (f64, f64) = (4.8583209516339965, -3.4466373920323124e-16);
/// The slope of log|Gamma| at the zero near -2.748.
#[kernel]
const ZERO_B_0: (f64, f64) = (-1.9143501856115988, -6.286259157428223e-17);
/// Half of its second derivative at the zero near -2.748.
#[kernel]
const ZERO_B_1: (f64, f64) = (9.575189475709667, -4.98247362548498e-16);
/// The slope of log|Gamma| at the zero near -3.144.
#[kernel]
const ZERO_C_0: (f64, f64) = (7.781884658131351, -1.1955128699212808e-16);
/// Half of its second derivative at the zero near -3.144.
#[kernel]
const ZERO_C_1: (f64, f64) = (25.831338372387957, 1.4713929566828556e-15);
/// The largest `x` whose log Gamma is finite is just above this.
#[kernel]
const LGAMMA_OVERFLOW: f64 = 2.556_348_163_871_690_7e305;

/// Taylor coefficients of log Gamma(1+d): -gamma, then (-1)^k zeta(k)/k; leading parts.
#[kernel]
pub(crate) const TAYLOR_HIGH: [f64; 26] = [
    -0.5772156649015329,
    0.8224670334241132,
    -0.40068563438653143,
    0.27058080842778454,
    -0.20738555102867398,
    0.1695571769974082,
    -0.1440498967688461,
    0.12550966952474304,
    -0.11133426586956469,
    0.1000994575127818,
    -0.09095401714582904,
    0.083353840546109,
    -0.0769325164113522,
    0.07143294629536133,
    -0.06666870588242046,
    0.06250095514121304,
    -0.058823978658684585,
    0.055555767627403614,
    -0.05263167937961666,
    0.05000004769810169,
    -0.047619070330142226,
    0.04545455629320467,
    -0.04347826605304026,
    0.04166666915034121,
    -0.04000000119214014,
    0.03846153903467518,
];
/// Taylor coefficients of log Gamma(1+d), the rest.
#[kernel]
const TAYLOR_LOW: [f64; 26] = [
    4.942915152430645e-18,
    1.520336175199238e-17,
    2.250747042487504e-18,
    1.1871280107138412e-17,
    -4.099767328621813e-18,
    2.2393851330167238e-18,
    -9.623140085232555e-18,
    -2.5214685384672305e-18,
    -4.643990572582924e-18,
    2.6102404859583283e-18,
    -8.306705457691885e-19,
    2.963832603652642e-19,
    3.2900356019181198e-18,
    6.278806024191499e-18,
    -3.2295860759966306e-18,
    2.551099464019315e-18,
    2.6912901341966357e-18,
    -3.0261864849830964e-18,
    -2.523843702471215e-18,
    2.7894418264458796e-19,
    -2.4796342684293355e-18,
    4.382931774550076e-19,
    1.8462229880395943e-18,
    2.308174687248266e-18,
    -3.145690613937729e-18,
    3.3927204223959168e-18,
];

polynomial! {
    /// The other terms of `(log Gamma(1+t) + gamma t)/t^2`, divided by `t`, for `|t| <= 1/2`, relative error 2e-17.
    fn about_1_tail =
        [-0.210980978957412, 0.21762817640022097, 0.14450491158631584]
        [-0.14857260899606312, -0.13557904034248142, 0.14011729595820724, -0.012292453907891061]
        [0.01333577663873192, -0.05441917689430451, 0.057003000096539545, -0.05160779924359342]
        [0.054501409023364235, -0.05893144617283329, 0.0626116167474043, -0.06666090274277171]
        [0.07142491150665906, -0.07693289889098169, 0.08335423437020126, -0.09095400505183002]
        [0.10009944506030896, -0.11133426609784326, 0.1255096697597847, -0.14404989676660432]
        [0.16955717699509998, -0.20738555102868264, 0.2705808084277935, -0.40068563438653143];
}

polynomial! {
    /// The other terms of `(log Gamma(2+t) - (1-gamma) t)/t^2`, divided by `t`, on [-1/2, 1], relative error 7e-17.
    fn about_2_tail =
        [-7.77739439612946e-10]
        [5.908110153083936e-09, -2.1216998679387432e-08, 5.124567794201653e-08, -1.0471087788405647e-07]
        [2.1263048121176895e-07, -4.4736080935797203e-07, 9.541396279617241e-07, -2.039505358067676e-06]
        [4.375206862784115e-06, -9.439497837152239e-06, 2.0507156445265412e-05, -4.492622804942082e-05]
        [9.945751789183766e-05, -0.00022315475956974696, 0.0005096695244903867, -0.0011927539116416417]
        [0.0028905103307477987, -0.007385551028675398, 0.020580808427784484, -0.06735230105319809];
}

polynomial! {
    /// The terms of `log|Gamma(z + d)|` about the zero `z` near -2.457 from the third on, divided by `d^3`, in `8 d`,
    /// `d` in [-0.146, 0.1]; they leave 2^-69.
    fn about_zero_a =
        [1.0422657123952763e-12]
        [9.790842168022662e-12, 4.019607857855507e-11, 1.4943543608300776e-10, 5.15579209288082e-10]
        [2.172075010195347e-09, 7.647938503232571e-09, 3.338080119974842e-08, 1.13159160601137e-07]
        [5.223771507246044e-07, 1.6868153128974172e-06, 8.422568586890837e-06, 2.534269414149929e-05]
        [0.00014135189677080332, 0.0003839421215774362, 0.0025094347176495297, 0.0058688532867045284]
        [0.04848621508182257, 0.09063147760312232, 1.0902228229769184, 1.41129114307798];
}

polynomial! {
    /// The terms of `log|Gamma(z + d)|` about the zero `z` near -2.748 from the third on, divided by `d^3`, in `8 d`,
    /// `d` in [-0.09, 0.148]; they leave 2^-65.
    fn about_zero_b =
        [-4.3825901642979355e-09, 3.86536370703551e-08, -1.4785575515040966e-07]
        [3.291556065437543e-07, -5.323697536340896e-07, 9.088881237169535e-07, -1.9986861823573243e-06]
        [4.55301923546288e-06, -9.720848885825821e-06, 2.0344362146930398e-05, -4.306012843631966e-05]
        [9.185750855756991e-05, -0.00019644287850729568, 0.0004212874074409844, -0.000907028137398286]
        [0.001961648413252171, -0.004264261953614452, 0.009324905246392649, -0.020533656804687075]
        [0.04559395378749643, -0.1022513519881346, 0.23225091512931506, -0.5354279239469111]
        [1.263488280688949, -3.0432211766162958, 7.828410339189221, -20.095134916842603];
}

polynomial! {
    /// The terms of `log|Gamma(z + d)|` about the zero `z` near -3.144 from the third on, divided by `d^3`, in `32 d`,
    /// `|32 d| <= 1`; they leave 2^-60.
    fn about_zero_c =
        [2.658134020226479e-09, 1.2916738914721641e-08, 5.100742780590071e-08, 2.5004451446299826e-07]
        [1.2537103497002507e-06, 6.203272396599189e-06, 3.0853282838116715e-05, 0.000154645340579768]
        [0.0007815988446213166, 0.003990138381314875, 0.020624685317307913, 0.1082989349770855]
        [0.5805377802880658, 3.2003845561659294, 18.4028356949374, 112.26898629717532];
}

/// The second coefficient of `1/Gamma(1+t)`.
#[kernel]
const RECIPROCAL_2: (f64, f64) = (-0.6558780715202539, 2.137185197068536e-17);

polynomial! {
    /// The terms of `1/Gamma(1+t)` from the third on, divided by `t^3`, for `|t| <= 1/2`; they leave 2^-65.
    fn reciprocal_tail =
        [-1.1737109844481053e-09, 5.097874745539673e-09, 6.113225990425644e-09]
        [-2.056695518394077e-07, 1.1330277829150935e-06, -1.2504866846051673e-06, -2.013485483730643e-05]
        [0.00012805028169418273, -0.00021524167411197842, -0.0011651675918226728, 0.0072189432466630305]
        [-0.009621971527877816, -0.04219773455554433, 0.1665386113822915, -0.04200263503409524];
}

/// `t (b + t (c + t w))` with pairs `b` and `c`, as a normalised pair.
#[kernel(inline)]
fn lifted_cubic(t: f64, b: (f64, f64), c: (f64, f64), w: f64) -> (f64, f64) {
    let (q, qe) = two_prod(t, w);
    let (a, ae) = fast_two_sum(c.0, q);
    let (u, ue) = two_prod(t, a);
    let ul = t.mul_add(ae + (qe + c.1), ue);
    let (s, se) = two_sum(b.0, u);
    let (r, re) = two_prod(t, s);
    fast_two_sum(r, t.mul_add(se + (ul + b.1), re))
}

/// `log Gamma(1 + t)` for `|t| <= 1/2` as a normalised pair, relative error about 2^-55, also next to 0.
#[kernel(inline)]
pub fn lgamma1p_half_dd(t: f64) -> (f64, f64) {
    lifted_cubic(t, (-EULER.0, -EULER.1), ABOUT_1, about_1_tail(t))
}

/// `log Gamma(2 + t)` for `t` in [-1/2, 1] as a normalised pair, relative error about 2^-55, also next to 0.
#[kernel(inline)]
pub fn lgamma2p_dd(t: f64) -> (f64, f64) {
    lifted_cubic(t, ONE_MINUS_EULER, ABOUT_2, about_2_tail(t))
}

/// `log x!` (`half = 0.5`) or `log Gamma(x)` (`half = -0.5`) for `x >= 1` by Stirling's formula, as a normalised pair.
///
/// Absolute error 2^-57, and relative 2^-66.
#[kernel(inline)]
pub(crate) fn stirling_dd(x: f64, half: f64) -> (f64, f64) {
    let power = dd_mul(log_dd((x, 0.0)), two_sum(x, half));
    let constant = fast_two_sum(LN_SQRT_2PI.0, LN_SQRT_2PI.1 + stirlerr_from_one(x));
    dd_add(dd_add_d(power, -x), constant)
}

/// `log Gamma(1 + x)` for `x >= 0` up to 1e300, as a normalised pair: relative error about 2^-55.
#[kernel(inline)]
pub fn lgamma1p_dd(x: f64) -> (f64, f64) {
    if x <= 0.5 {
        return lgamma1p_half_dd(x);
    }
    if x < 2.0 {
        return lgamma2p_dd(x - 1.0);
    }
    stirling_dd(x, 0.5)
}

/// `log Gamma(1 + x)`, accurate also where `1 + x` would round.
///
/// R: `lgamma1p(x)`, log(gamma(1 + x)).
/// Domain: `x > -1`; -1 and `+inf` give `+inf`; below -1 it is `lgammafn(1 + x)`; NaN gives NaN.
/// Method: |x| <= 1/2      -gamma x + x^2 (c + x P(x)), gamma and c in double-double: the zero at 0 is a factor
///   -1 < x < -1/2  log Gamma(2 + x) - log(1 + x); both terms are positive, and 1 + x is exact
///   1/2 < x < 2    about 2, with the zero at x = 1 as a factor
///   x >= 2         Stirling's formula for x!, so that 1 + x is never formed
/// Paper: dlmf, 5.7.3 and 5.11.1.
/// Error: 99 % within 0.52 ulp, at most 0.74 ulp on the points of dev/oracle (0.57 and 0.74 on the sweep);
///   the tests hold it.
#[kernel]
pub fn lgamma1p(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x <= -1.0 {
        return lgammafn(1.0 + x);
    }
    if x < -0.5 {
        let h = 1.0 + x;
        let r = dd_sub(lgamma1p_half_dd(h), log_dd((h, 0.0)));
        return r.0 + r.1;
    }
    if x <= 0.5 {
        if x.abs() < 1e-300 {
            return -x * EULER.0;
        }
        let r = lgamma1p_half_dd(x);
        return r.0 + r.1;
    }
    if x > 1e300 {
        return lgammafn(x);
    }
    let r = lgamma1p_dd(x);
    r.0 + r.1
}

/// Whether [`lgamma_main`] holds.
#[kernel(inline)]
fn lgamma_in_main(x: f64) -> bool {
    x > 1e-300 && x < 1e300
}

/// `log Gamma(x)` for `x` in (1e-300, 1e300): one logarithm, then a Stirling error or a polynomial.
#[kernel(inline)]
fn lgamma_main(x: f64) -> f64 {
    let large = x > 3.0;
    let small = x < 0.5;
    // x <= 3: log Gamma(2 + t) - log w, with (t, w) = (x, x (1+x)), (x-1, x), (x-2, 1) from below
    let (p, pe) = two_prod(x, x);
    let product = fast_two_sum(x, p);
    let middle = x <= 1.5;
    let wh = if small {
        product.0
    } else if large || middle {
        x
    } else {
        1.0
    };
    let wl = if small { product.1 + pe } else { 0.0 };
    let l = log_dd((wh, wl));
    let t = if small {
        x
    } else if middle {
        x - 1.0
    } else {
        x - 2.0
    };
    if large {
        let error = stirlerr_from_one(x);
        let p = pair_mul(l, fast_two_sum(x, -0.5));
        let (q, qe) = fast_two_sum(x, -LN_SQRT_2PI.0);
        let (f, fe) = two_sum(p.0, -q);
        f + (fe + (p.1 - (qe - LN_SQRT_2PI.1 - error)))
    } else {
        let g = lgamma2p_dd(t);
        let (n, ne) = two_sum(g.0, -l.0);
        n + (ne + (g.1 - l.1))
    }
}

/// `log Gamma(x)` for `x` in (0, 1e300) as a normalised pair.
#[kernel(inline)]
pub(crate) fn lgamma_positive_dd(x: f64) -> (f64, f64) {
    if x <= 0.5 {
        return dd_sub(lgamma1p_half_dd(x), log_dd((x, 0.0)));
    }
    if x <= 1.5 {
        return lgamma1p_half_dd(x - 1.0);
    }
    if x <= 3.0 {
        return lgamma2p_dd(x - 2.0);
    }
    stirling_dd(x, -0.5)
}

/// `log Gamma(1 + d)` for `|d| <= 0.06` by its Taylor series in double-double: absolute error below 2^-100.
#[kernel]
fn lgamma1p_taylor(d: f64) -> (f64, f64) {
    let mut s = (TAYLOR_HIGH[25], TAYLOR_LOW[25]);
    for j in 0..25 {
        let i = 24 - j;
        s = dd_add((TAYLOR_HIGH[i], TAYLOR_LOW[i]), dd_mul_d(s, d));
    }
    dd_mul_d(s, d)
}

/// `log|Gamma|` at `d + dl` from a zero: its first two coefficients are the pairs `b` and `c`, the others `w`.
#[kernel(inline)]
fn about_zero(d: f64, dl: f64, b: (f64, f64), c: (f64, f64), w: f64) -> f64 {
    let r = lifted_cubic(d, b, c, w);
    // next to the zero `dl` is no smaller than `d`
    let slope = (3.0 * d * d).mul_add(w, ((d + d) + dl).mul_add(c.0, b.0));
    r.0 + dl.mul_add(slope, r.1)
}

/// `log|Gamma(x)|` for negative `x` that is not an integer, and for `x` from 1e300 on or up to 1e-300.
#[kernel]
fn lgamma_rest(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x.abs() == f64::INFINITY || x == 0.0 {
        return f64::INFINITY;
    }
    if x > 1.0 {
        return if x > LGAMMA_OVERFLOW { f64::INFINITY } else { x * (log(x) - 1.0) };
    }
    let y = x.abs();
    // the next term of the series, Euler's constant times x, is far under half an ulp of the logarithm, and below the
    // root of the smallest double y sin(pi y) is nothing
    if y < 1e-20 {
        return -log(y);
    }
    if x == x.floor() {
        return f64::INFINITY;
    }
    if y > 2.3 && y < 3.2 {
        let d = x - ZERO_A.0; // exact
        if d > -0.145 && d < 0.1 {
            return about_zero(d, -ZERO_A.1, ZERO_A_0, ZERO_A_1, about_zero_a(d * 8.0));
        }
        let d = x - ZERO_B.0; // exact
        if d > -0.09 && d < 0.147 {
            return about_zero(d, -ZERO_B.1, ZERO_B_0, ZERO_B_1, about_zero_b(d * 8.0));
        }
        let d = x - ZERO_C.0; // exact
        if d.abs() <= 0.03125 {
            return about_zero(d, -ZERO_C.1, ZERO_C_0, ZERO_C_1, about_zero_c(d * 32.0));
        }
    }
    if y > 3.9 && y < 20.0 {
        let n = y.round_ties_even();
        let d = x + n; // exact
        if d.abs() <= 0.06 {
            // Gamma(d - n) = Gamma(1 + d) / (d (d-1) ... (d-n))
            let mut product = (d, 0.0);
            let mut k: f64 = 1.0;
            while k <= n {
                product = dd_mul(product, two_sum(d, -k));
                k += 1.0;
            }
            let size = product.0.abs();
            if size > 0.5 && size < 2.0 {
                let flip = product.0 < 0.0;
                let l = log_extra((size, if flip { -product.1 } else { product.1 }));
                let r = dd_sub(lgamma1p_taylor(d), l);
                return r.0 + r.1;
            }
        }
    }
    let s = sin_pi_pair(y);
    let flip = s.0 < 0.0;
    let p = dd_mul_d((if flip { -s.0 } else { s.0 }, if flip { -s.1 } else { s.1 }), y);
    let r = dd_sub(LN_PI, dd_add(log_dd(p), lgamma_positive_dd(y)));
    r.0 + r.1
}

/// The logarithm of the absolute value of the gamma function.
///
/// R: `lgamma(x)`, logarithm of the absolute value of the gamma function: `lgammafn(x)`.
/// R: `lfactorial(x)`, logarithm of x!: `lgammafn(x + 1)`.
/// Domain: every `f64`; 0, the negative integers and both infinities give `+inf`, NaN gives NaN.
/// Method: 0 < x < 1/2   log Gamma(2+x) - log(x (1+x))
///   1/2 .. 3/2   log Gamma(2+t) - log x, t = x - 1; both vanish at 1 in proportion, so only a bit cancels
///   3/2 .. 3     a polynomial about 2 that has the zero at 2 as a factor; its series converges too slowly beyond 3
///   3 < x        Stirling's formula with its error term, the logarithm in double-double
///   x < 0        pi/(y |sin(pi y)| Gamma(y)), y = -x. Next to the zeros, where that cancels: polynomials about the
///                zeros at -2.457, -2.748, -3.144; further left the zeros sit within 1/n! of the integers, and
///                Gamma(1+d)/(d (d-1) ... (d-n)) in double-double keeps the digits.
/// Paper: dlmf, 5.5.1, 5.5.3, 5.7.3, 5.11.1.
/// Error: 99 % within 0.90 ulp, at most 1.35 ulp on the points of dev/oracle; the tests hold it.
#[kernel(masked)]
pub fn lgammafn(x: f64) -> f64 {
    if lgamma_in_main(x) { lgamma_main(x) } else { lgamma_rest(x) }
}

/// `log|Gamma(x)|` and the sign of `Gamma(x)`, 1 or -1 (1 at the poles and for NaN).
///
/// Domain: that of [`lgammafn`].
/// Method: that of [`lgammafn`]; the sign is that of the number of negative factors.
/// Paper: dlmf, 5.5.1.
/// Error: that of [`lgammafn`]; the sign is exact.
#[kernel]
pub fn lgammafn_sign(x: f64) -> (f64, i32) {
    let below = x.floor();
    let odd = (below * 0.5).floor() * 2.0 != below;
    let sign: i32 = if x < 0.0 && below != x && odd { -1 } else { 1 };
    (lgammafn(x), sign)
}

/// The sign of the gamma function, 1 or -1 (1 at the poles): what [`lgammafn`] leaves out.
///
/// R: `lgammafn_sign(x)`, sign of the gamma function, of which lgamma(x) has the logarithm: `gamma_sign(x)`.
/// Domain: every `f64`; NaN gives NaN.
/// Method: that of the number of negative factors.
/// Paper: dlmf, 5.5.1.
/// Error: none: the sign is exact.
#[kernel]
pub fn gamma_sign(x: f64) -> f64 {
    let both: (f64, i32) = lgammafn_sign(x);
    if x.is_nan() { x } else { both.1 as f64 }
}

/// `1/Gamma(1 + t)` for `|t| <= 1/2` as a loose pair.
#[kernel(inline)]
fn reciprocal_gamma1p(t: f64) -> (f64, f64) {
    let r = lifted_cubic(t, EULER, RECIPROCAL_2, reciprocal_tail(t));
    let (s, e) = fast_two_sum(1.0, r.0);
    (s, e + r.1)
}

/// `log(Gamma(y)/sqrt(2 pi))` for `y` from 2.5 to 200 as a loose pair, whose low part is below 2^-8.
///
/// The logarithm by the table, to 2^-68: `y` times that is 2^-60.
#[kernel(inline)]
fn gamma_exponent(y: f64) -> (f64, f64) {
    let l = log_loose(y);
    let power = pair_mul_d(l, y - 0.5);
    let (q, qe) = fast_two_sum(-y, stirlerr_from_one(y));
    let (s, e) = two_sum(power.0, q);
    (s, e + (qe + power.1))
}

/// Whether [`gamma_main`] holds. Small integers go to the exact product.
#[kernel(inline)]
fn gamma_in_main(x: f64) -> bool {
    x > 1e-17 && x < 171.7 && (x != x.floor() || x > 23.0)
}

/// `Gamma(x)` for `x` in (1e-17, 171.7).
#[kernel(inline)]
fn gamma_main(x: f64) -> f64 {
    if x >= 2.5 {
        let (m, ml, scale) = exp_loose(gamma_exponent(x));
        let (p, pe) = two_prod(m, SQRT_2PI.0);
        (p + m.mul_add(SQRT_2PI.1, ml.mul_add(SQRT_2PI.0, pe))) * scale
    } else {
        let t = if x <= 0.5 {
            x
        } else if x <= 1.5 {
            x - 1.0
        } else {
            x - 2.0
        };
        let denominator = dd_mul_d(reciprocal_gamma1p(t), if x <= 0.5 { x } else { 1.0 });
        dd_high(dd_div((if x > 1.5 { x - 1.0 } else { 1.0 }, 0.0), denominator))
    }
}

/// `Gamma(x)` where [`gamma_main`] does not hold: small integers, negative, tiny, huge, NaN.
#[kernel]
fn gamma_rest(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x > 171.0 {
        return f64::INFINITY;
    }
    let y = x.abs();
    if x <= 0.0 && x == x.floor() {
        return f64::NAN; // also -inf
    }
    // the border itself is not on the main path
    if y <= 1e-17 {
        return 1.0 / x;
    }
    if x > 0.0 {
        // 1 .. 23: every partial product is exact up to 22!
        let mut p: f64 = 1.0;
        let mut i: f64 = 2.0;
        while i < x {
            p *= i;
            i += 1.0;
        }
        return p;
    }
    if y > 190.0 {
        // below half of the smallest subnormal
        let below = y.floor();
        return if (below * 0.5).floor() * 2.0 == below { -0.0 } else { 0.0 };
    }
    // Gamma(-y) = -pi / (y sin(pi y) Gamma(y))
    if y <= 0.5 {
        // 1/Gamma(-y) = -y/Gamma(1-y)
        return dd_high(dd_div((-1.0, 0.0), dd_mul_d(reciprocal_gamma1p(x), y)));
    }
    let s = dd_mul_d(sin_pi_pair(y), y);
    if y < 2.5 {
        let r =
            if y <= 1.5 { reciprocal_gamma1p(y - 1.0) } else { dd_div(reciprocal_gamma1p(y - 2.0), (y - 1.0, 0.0)) };
        return dd_high(dd_div(dd_mul((-PI.0, -PI.1), r), s));
    }
    let e = gamma_exponent(y);
    let (m, ml, k) = exp_parts(dd_neg(e));
    let r = dd_div(dd_mul((-PI.0, -PI.1), (m, ml)), dd_mul(s, SQRT_2PI));
    // |r| may be far from 1 next to an integer: one factor at a time rounds once, at the end
    scale_by_power(r.0, k)
}

/// The gamma function.
///
/// R: `gamma(x)`, gamma function: `gammafn(x)`.
/// R: `factorial(x)`, x!: `gammafn(x + 1)`.
/// Domain: every `f64`; 0, the negative integers and `-inf` give NaN, as in R; NaN gives NaN; above 171.62 `+inf`, below
///   -185 or so 0 with the sign of Gamma.
/// Method: x < 5/2      1/Gamma(1+t) is entire: a polynomial on |t| <= 1/2, shifted by 0, 1 or 2, then one division
///   5/2 .. 171.7  Stirling's formula, the exponent in double-double (below 5/2 the polynomial is cheaper)
///   1, 2, .. 23   the exact product
///   x < 0         reflection; sin(pi x) is reduced exactly, so that values next to the poles keep their digits
/// Paper: dlmf, 5.5.3, 5.7.1, 5.11.3.
/// Error: 99 % within 0.52 ulp, at most 0.65 ulp on the points of dev/oracle; the tests hold it.
#[kernel(masked)]
pub fn gammafn(x: f64) -> f64 {
    if gamma_in_main(x) { gamma_main(x) } else { gamma_rest(x) }
}

/// `stirlerr(x) = log(x!) - log(sqrt(2 pi x) (x/e)^x)`, the error of Stirling's formula.
///
/// R: `stirlerr(n)`, error of Stirling's formula.
/// Domain: `x >= 0`; 0 gives `+inf`, `+inf` gives 0; negative gives NaN, NaN gives NaN.
/// Method: x >= 1   the polynomial of `stirlerr_pair`, its constant term and the division as pairs
///   0.01..1  stirlerr(1+x) + (x + 1/2) log(1 + 1/x) - 1 as pairs
///   x < 0.01 log Gamma(1+x) - (x + 1/2) log(x) + x - log(sqrt(2 pi)) in double-double: the first term is small
/// Paper: loader2000.
/// Error: 99 % within 0.52 ulp, at most 0.55 ulp on the points of dev/oracle; the tests hold it.
#[kernel]
pub fn stirlerr(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x >= 1.0 {
        let r = stirlerr_pair(x);
        let q = TWELFTH.0 / x;
        if x < 1e100 {
            return r.0 + r.1;
        }
        return if x < f64::INFINITY { q + ((-q).mul_add(x, TWELFTH.0) + TWELFTH.1) / x } else { 0.0 };
    }
    if x < 0.0 {
        return f64::NAN;
    }
    if x == 0.0 {
        return f64::INFINITY;
    }
    let half = two_sum(x, 0.5);
    if x > 0.01 {
        let y = two_sum(1.0, x);
        let u = 1.0 / (y.0 * y.0);
        // the derivative, to 5 %, for the low part of 1 + x
        let slope = u * u.mul_add(1.0 / 120.0, -1.0 / 12.0);
        let above = dd_add_d(stirlerr_pair(y.0), y.1 * slope);
        let step = dd_add_d(dd_mul(log_dd(dd_div(y, (x, 0.0))), half), -1.0);
        let r = dd_add(step, above);
        return r.0 + r.1;
    }
    let power = dd_mul(log_dd((x, 0.0)), half);
    let g = dd_add_d(dd_sub(lgamma1p_dd(x), power), x);
    let r = dd_sub(g, LN_SQRT_2PI);
    r.0 + r.1
}

/// `log Gamma(x) - ((x - 1/2) log(x) - x + log(sqrt(2 pi)))` for `x >= 10`: what Stirling's formula for `log Gamma` lacks.
///
/// R: `lgammacor(x)`, error of Stirling's formula for lgamma.
/// Domain: `x >= 10`, else NaN, as in R; `+inf` gives 0.
/// Method: that of [`stirlerr`], which it is for these arguments.
/// Paper: loader2000.
/// Error: 99 % within 0.52 ulp, at most 0.55 ulp on the points of dev/oracle; the tests hold it.
#[kernel]
pub fn lgammacor(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x < 10.0 { f64::NAN } else { stirlerr(x) }
}
