//! `sin`, `cos`, `tan` for every double, and `sinpi`, `cospi`, `tanpi`.
//!
//! Below 2^28 the argument is reduced by pi/2 in three parts, without a branch, so that block loops vectorise. Above,
//! the bits of 2/pi that matter are multiplied out in integers (payne1983): as slow as it must be, and as exact.

use super::constants::PI;
use super::double_double::{dd_add_d, dd_mul, fast_two_sum, two_prod, two_sum};
use super::scaling::SHIFT;
use gristmill_kernel::kernel;

/// 2^28: up to here `k pi/2` is taken off in three parts.
#[kernel]
const MAIN_END: f64 = 268_435_456.0;
/// 2/pi
#[kernel]
const TWO_OVER_PI_ROUNDED: f64 = std::f64::consts::FRAC_2_PI;
/// pi/2 = HALF_PI_A + HALF_PI_B + HALF_PI_C, 159 bits
#[kernel]
const HALF_PI_A: f64 = std::f64::consts::FRAC_PI_2;
#[kernel]
const HALF_PI_B: f64 = 6.123233995736766e-17;
#[kernel]
const HALF_PI_C: f64 = -1.4973849048591698e-33;
/// pi^2/2.
#[kernel]
const HALF_PI_SQUARE: (f64, f64) = (4.934802200544679, 3.1326477543698557e-16);
/// 2^-27: closer to 0 the sine and the tangent are the argument, to less than 0.13 ulp.
#[kernel]
const IDENTITY_END: f64 = 7.450580596923828e-09;
/// 2/pi, 1216 bits after the binary point: enough for the largest double.
#[kernel]
const TWO_OVER_PI: [u32; 38] = [
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561, 0xb7246e3a,
    0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41,
    0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf,
    0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08,
    0x56033046, 0xfc7b6bab,
];

polynomial! {
    /// `(sin(r)/r - 1) / r^2` as a polynomial in `r^2`, for `|r| <= pi/4`; error 5.7e-17.
    fn sin_tail =
        [-7.586685070091267e-13, 1.605853141458901e-10, -2.5052106231157904e-08]
        [2.7557319219335453e-06, -0.0001984126984126506, 0.008333333333333331, -0.16666666666666666];
}

polynomial! {
    /// `(cos(r) - 1 + r^2/2) / r^4` as a polynomial in `r^2`, for `|r| <= pi/4`; error 5.6e-17.
    fn cos_tail =
        [4.7458652037874553e-14, -1.1470460773969325e-11, 2.0876755790363397e-09]
        [-2.755731922140076e-07, 2.4801587301584645e-05, -0.0013888888888888887, 0.041666666666666664];
}

polynomial! {
    /// `(sin(pi t)/t - pi) / t^2` as a polynomial in `t^2`, for `|t| <= 1/4`; error 4.4e-17.
    fn sinpi_tail =
        [-2.1742067342478005e-05, 0.0004662879326147481, -0.0073704303122948235]
        [0.08214588659727676, -0.5992645293206478, 2.550164039877345, -5.16771278004997];
}

polynomial! {
    /// `(cos(pi t) - 1 + pi^2 t^2/2) / t^4` as a polynomial in `t^2`, for `|t| <= 1/4`; error 6.6e-17.
    fn cospi_tail =
        [4.272813871770334e-06, -0.00010463550775039603, 0.0019295741987885265]
        [-0.02580689138759507, 0.235330630358868, -1.3352627688545895, 4.0587121264167685];
}

/// `sin(r)` of a pair `|r| <= pi/4` as a loose pair, relative error below 2^-55.
#[kernel(inline)]
fn sin_quarter(rh: f64, rl: f64) -> (f64, f64) {
    let u = rh * rh;
    (rh, (rh * u).mul_add(sin_tail(u), (-0.5 * u).mul_add(rl, rl)))
}

/// `cos(r)` of a pair `|r| <= pi/4` as a loose pair, relative error below 2^-55.
#[kernel(inline)]
fn cos_quarter(rh: f64, rl: f64) -> (f64, f64) {
    let (u, ue) = two_prod(rh, rh);
    let (high, e) = fast_two_sum(1.0, -0.5 * u);
    (high, e + (u * u).mul_add(cos_tail(u), -rh.mul_add(rl, 0.5 * ue)))
}

/// `x = k pi/2 + high + low`: gives `(k, high, low)`, `|high| <= pi/4`, relative error below 2^-78; `|x| <= 2^28`.
///
/// `x - k HALF_PI_A` is exact: both are multiples of the last bit of `x` or of 2^-52, and the difference is below 1. No
/// double is closer than 2^-62 to a multiple of pi/2 (muller2016, ch. 11), so 159 bits of pi/2 leave 2^-78.
#[kernel(inline)]
fn reduce_main(x: f64) -> (f64, f64, f64) {
    let k = x.mul_add(TWO_OVER_PI_ROUNDED, SHIFT) - SHIFT;
    let exact = (-k).mul_add(HALF_PI_A, x);
    let (p, pe) = two_prod(k, HALF_PI_B);
    let (high, e) = two_sum(exact, -p);
    let (high, low) = fast_two_sum(high, e - k.mul_add(HALF_PI_C, pe));
    (k, high, low)
}

/// The same for any finite `|x| >= 2^28`; `k` is given modulo 4.
///
/// `|x| = M 2^e` with an integer `M < 2^53`. Bits of 2/pi whose product with `M 2^e` is a multiple of 4 are left out, and
/// 224 bits from there on are multiplied by `M`: the product modulo 4 is right to 2^-132.
#[kernel]
pub(crate) fn reduce_huge(x: f64) -> (f64, f64, f64) {
    let bits = x.abs().to_bits();
    let mantissa = (bits & 0x000f_ffff_ffff_ffff) | 0x0010_0000_0000_0000;
    let exponent = (bits >> 52) as i32 - 1075;
    let whole = (exponent + 24) / 32; // exponent >= -24
    let first = if whole > 1 { whole - 1 } else { 0 };
    let shift = exponent - 32 * first; // -24 ..= 39
    // M times the 7 words, least significant digit first
    let low = mantissa & 0xffff_ffff;
    let high = mantissa >> 32;
    let mut product = [0u64; 10];
    let mut carry = 0u64;
    let mut previous = 0u64;
    for i in 0..7 {
        let word: u32 = TWO_OVER_PI[(first + 6 - i) as usize];
        let t = low * word as u64 + (previous & 0xffff_ffff) + carry;
        product[i as usize] = t & 0xffff_ffff;
        carry = (t >> 32) + (previous >> 32);
        previous = high * word as u64;
    }
    let t = previous + carry;
    product[7] = t & 0xffff_ffff;
    product[8] = t >> 32;
    // The binary point is before bit 224 - shift. Move it to bit 256: everything up by 32 + shift bits.
    let up = 32 + shift; // 8 ..= 71
    let words = up / 32;
    let rest = (up % 32) as u64;
    let mut digits = [0u64; 9];
    for i in 0..9 {
        let here = i - words;
        let upper = if here >= 0 { product[here as usize] } else { 0 };
        let lower = if here >= 1 { product[(here - 1) as usize] } else { 0 };
        digits[i as usize] = ((upper << rest) | ((lower << rest) >> 32)) & 0xffff_ffff;
    }
    // digits[8] holds the integer part (its low bits), digits[7] and below the fraction; round to the nearest integer
    let turn = digits[7] >= 0x8000_0000;
    let mut fraction = (0.0, 0.0);
    let mut unit = 1.0 / 4_294_967_296.0;
    for i in 0..6 {
        let digit = digits[(7 - i) as usize];
        let value = if turn { 4_294_967_295.0 - digit as f64 } else { digit as f64 };
        fraction = dd_add_d(fraction, value * unit);
        unit *= 1.0 / 4_294_967_296.0;
    }
    // 1 - fraction was taken digit by digit (one unit of the last digit, 2^-192, is nothing)
    let r = dd_mul(fraction, (HALF_PI_A, HALF_PI_B));
    let quadrant = (digits[8] & 3) as f64 + if turn { 1.0 } else { 0.0 };
    let toward = if turn { -1.0 } else { 1.0 };
    if x < 0.0 { (-quadrant, -toward * r.0, -toward * r.1) } else { (quadrant, toward * r.0, toward * r.1) }
}

/// The sine of `k pi/2 + rh + rl`.
#[kernel(inline)]
fn sin_from(k: f64, rh: f64, rl: f64) -> f64 {
    let quadrant = (k + SHIFT).to_bits();
    let (sh, sl) = sin_quarter(rh, rl);
    let (ch, cl) = cos_quarter(rh, rl);
    let y = if quadrant & 1 == 0 { sh + sl } else { ch + cl };
    if quadrant & 2 == 0 { y } else { -y }
}

/// The tangent of `k pi/2 + rh + rl`.
#[kernel(inline)]
fn tan_from(k: f64, rh: f64, rl: f64) -> f64 {
    let even = (k + SHIFT).to_bits() & 1 == 0;
    let (sh, sl) = sin_quarter(rh, rl);
    let (sh, sl) = fast_two_sum(sh, sl);
    let (ch, cl) = cos_quarter(rh, rl);
    let (ch, cl) = fast_two_sum(ch, cl);
    // sin/cos or -cos/sin, corrected by its residual
    let nh = if even { sh } else { -ch };
    let nl = if even { sl } else { -cl };
    let dh = if even { ch } else { sh };
    let dl = if even { cl } else { sl };
    let inverse = 1.0 / dh;
    let q = nh * inverse;
    let residual = (-q).mul_add(dl, (-q).mul_add(dh, nh) + nl);
    residual.mul_add(inverse, q)
}

/// Where the branch-free reduction of the trigonometric functions holds. NaN and infinities are outside.
#[kernel(inline)]
fn in_main_range(x: f64) -> bool {
    x.abs() <= MAIN_END
}

#[kernel(inline)]
fn sin_main(x: f64) -> f64 {
    let (k, rh, rl) = reduce_main(x);
    let y = sin_from(k, rh, rl);
    if x.abs() < IDENTITY_END { x } else { y }
}

#[kernel]
fn sin_rest(x: f64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    let (k, rh, rl) = reduce_huge(x);
    sin_from(k, rh, rl)
}

/// The sine.
///
/// R: `sin(x)`, sine.
/// Domain: every `f64`; infinities and NaN give NaN; keeps the sign of zero.
/// Method: `x = k pi/2 + r` with `r` as a pair; sine and cosine of `r` by polynomials, one of them chosen by `k`.
///   |x| <= 2^28   k pi/2 taken off in three parts of pi/2, exact where it cancels; no branch
///   above         the product with the bits of 2/pi that matter, in integers
/// Paper: payne1983; muller2016, ch. 11.
/// Error: 99 % within 0.53 ulp, at most 0.65 ulp on the points of dev/oracle; the tests hold it.
#[kernel(masked)]
pub fn sin(x: f64) -> f64 {
    if in_main_range(x) { sin_main(x) } else { sin_rest(x) }
}

#[kernel(inline)]
fn cos_main(x: f64) -> f64 {
    let (k, rh, rl) = reduce_main(x);
    sin_from(k + 1.0, rh, rl)
}

#[kernel]
fn cos_rest(x: f64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    let (k, rh, rl) = reduce_huge(x);
    sin_from(k + 1.0, rh, rl)
}

/// The cosine.
///
/// R: `cos(x)`, cosine.
/// Domain: every `f64`; infinities and NaN give NaN.
/// Method: that of [`sin`], one quadrant on.
/// Paper: payne1983; muller2016, ch. 11.
/// Error: 99 % within 0.53 ulp, at most 0.60 ulp on the points of dev/oracle; the tests hold it.
#[kernel(masked)]
pub fn cos(x: f64) -> f64 {
    if in_main_range(x) { cos_main(x) } else { cos_rest(x) }
}

#[kernel(inline)]
fn tan_main(x: f64) -> f64 {
    let (k, rh, rl) = reduce_main(x);
    let y = tan_from(k, rh, rl);
    if x.abs() < IDENTITY_END { x } else { y }
}

#[kernel]
fn tan_rest(x: f64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    let (k, rh, rl) = reduce_huge(x);
    tan_from(k, rh, rl)
}

/// The tangent.
///
/// R: `tan(x)`, tangent.
/// Domain: every `f64`; infinities and NaN give NaN; keeps the sign of zero. No double is a pole.
/// Method: the reduction of [`sin`]; sine over cosine, or minus cosine over sine, as pairs, corrected by the residual.
/// Paper: payne1983; muller2016, ch. 11.
/// Error: 99 % within 0.53 ulp, at most 0.65 ulp on the points of dev/oracle; the tests hold it.
#[kernel(masked)]
pub fn tan(x: f64) -> f64 {
    if in_main_range(x) { tan_main(x) } else { tan_rest(x) }
}

/// `x = 2 j + k/2 + t` with integers `j`, `k` and `|t| <= 1/4`, exactly: gives `(k, t)`, `k` from -2 to 2.
#[kernel(inline)]
fn reduce_half_turns(x: f64) -> (f64, f64) {
    let r = x - 2.0 * (x * 0.5).round_ties_even();
    let k = (2.0 * r).round_ties_even();
    (k, (-0.5 * k) + r)
}

/// `sin(pi t)` for `|t| <= 1/4` as a loose pair.
#[kernel(inline)]
pub fn sinpi_quarter(t: f64) -> (f64, f64) {
    let u = t * t;
    let (a, e) = two_prod(t, PI.0);
    (a, (t * u).mul_add(sinpi_tail(u), t.mul_add(PI.1, e)))
}

/// `cos(pi t)` for `|t| <= 1/4` as a loose pair.
#[kernel(inline)]
pub fn cospi_quarter(t: f64) -> (f64, f64) {
    let (u, ue) = two_prod(t, t);
    let (h, he) = two_prod(u, HALF_PI_SQUARE.0);
    let (high, e) = fast_two_sum(1.0, -h);
    let low = he + u.mul_add(HALF_PI_SQUARE.1, ue * HALF_PI_SQUARE.0);
    (high, e + (u * u).mul_add(cospi_tail(u), -low))
}

/// The sine of `pi (k/2 + t)`.
#[kernel(inline)]
fn sinpi_from(k: f64, t: f64) -> f64 {
    let quadrant = (k + SHIFT).to_bits();
    let (sh, sl) = sinpi_quarter(t);
    let (ch, cl) = cospi_quarter(t);
    let y = if quadrant & 1 == 0 { sh + sl } else { ch + cl };
    if quadrant & 2 == 0 { y } else { -y }
}

/// `sin(pi x)`.
///
/// R: `sinpi(x)`, sine of pi x.
/// Domain: every `f64`; infinities and NaN give NaN; integers give 0 with the sign of `x`.
/// Method: the reduction to `|t| <= 1/4` is exact; then polynomials in `t^2`, pi and pi^2/2 as pairs. No branch.
/// Paper: muller2016, ch. 11.
/// Error: 99 % within 0.57 ulp, at most 0.60 ulp on the points of dev/oracle; the tests hold it.
#[kernel(inline)]
pub fn sinpi(x: f64) -> f64 {
    let (k, t) = reduce_half_turns(x);
    let y = sinpi_from(k, t);
    if y == 0.0 { 0.0f64.copysign(x) } else { y }
}

/// `cos(pi x)`.
///
/// R: `cospi(x)`, cosine of pi x.
/// Domain: every `f64`; infinities and NaN give NaN; odd multiples of 1/2 give `+0`.
/// Method: that of [`sinpi`], one quadrant on.
/// Paper: muller2016, ch. 11.
/// Error: 99 % within 0.53 ulp, at most 0.58 ulp on the points of dev/oracle; the tests hold it.
#[kernel(inline)]
pub fn cospi(x: f64) -> f64 {
    let (k, t) = reduce_half_turns(x);
    let y = sinpi_from(k + 1.0, t);
    if y == 0.0 { 0.0 } else { y }
}

/// `tan(pi x)`.
///
/// R: `tanpi(x)`, tangent of pi x.
/// Domain: every `f64`; infinities and NaN give NaN. `n + 1/2` gives `+inf` for an even integer `n` and `-inf` for an odd
///   one; an integer gives a zero with the sign of `x` if it is even, with the other sign if it is odd (as in C23).
/// Method: the reduction of [`sinpi`]; sine over cosine, or minus cosine over sine, as pairs, corrected by the residual.
/// Paper: muller2016, ch. 11.
/// Error: 99 % within 0.53 ulp, at most 0.60 ulp on the points of dev/oracle (0.55 and 0.62 on the sweep);
///   the tests hold it.
#[kernel(inline)]
pub fn tanpi(x: f64) -> f64 {
    let (k, t) = reduce_half_turns(x);
    let quadrant = (k + SHIFT).to_bits();
    let even = quadrant & 1 == 0;
    let (sh, sl) = sinpi_quarter(t);
    let (sh, sl) = fast_two_sum(sh, sl);
    let (ch, cl) = cospi_quarter(t);
    let (ch, cl) = fast_two_sum(ch, cl);
    let nh = if even { sh } else { -ch };
    let nl = if even { sl } else { -cl };
    let dh = if even { ch } else { sh };
    let dl = if even { cl } else { sl };
    let q = nh / dh;
    let residual = (-q).mul_add(dl, (-q).mul_add(dh, nh) + nl);
    let y = if t == 0.0 { q } else { q + residual / dh };
    let half_way = quadrant & 2 == 2; // k = 2 or -2 for integers, -1 for n + 1/2
    let pole = if half_way { f64::NEG_INFINITY } else { f64::INFINITY };
    let zero = if half_way { -0.0f64.copysign(x) } else { 0.0f64.copysign(x) };
    let exact = if even { zero } else { pole };
    if t == 0.0 && x.is_finite() { exact } else { y }
}
