//! The noncentral t distribution as two power series, where `t` and the noncentrality have the same sign and the latter is small.
//!
//! With `x = t^2/(n + t^2)`, `b = n/2`, `l = ncp^2/2` and weights `P_j = e^-l l^j/j!`, `Q_j = (ncp/sqrt 2) e^-l l^j/G(j + 3/2)`,
//! `P(T > t) = 1/2 sum_j (P_j J_x(j + 1/2, b) + Q_j J_x(j + 1, b))`, `J = 1 - I` the upper incomplete beta ratio, and
//! `P(T <= t) = P(Z < -ncp) + 1/2 sum_j (P_j I_x(j + 1/2, b) + Q_j I_x(j + 1, b))`. Both ratios are sums of the same terms,
//! `J_x(a + 1, b) = J_x(a, b) + x^a (1-x)^b/(a B(a, b))`, so the sums may change places: each tail is `(1-x)^b` times two power series in
//! `xi = b x` whose coefficients are positive and depend on the parameters only, the terms' constants times the weights that come after
//! them (upper tail) or before (lower). The constants, over the first, are `prod_i (1 + (1 + 2 i)/n)/(3/2 + i)` for even `j`-terms and
//! `prod_i (1 + (2 + 2 i)/n)/(2 + i)` for odd ones.
//! Paper: johnson1995 (31.16, the mixture).

use super::constants::INV_SQRT_2PI;
use super::double_double::{
    dd_mul, dd_mul_d, dd_sqrt, fast_two_sum, pair_add, pair_mul, pair_mul_d, two_prod, two_sum,
};
use super::exponential::exp_parts;
use super::normal_tail::mills;
use super::scaling::power_of_two;
use super::student_tail::{inverse_pair, square_at_zero};
use gristmill_kernel::kernel;

/// The last term of a series that counts, relative to the sum.
#[kernel]
const LAST: f64 = 1e-18;
/// Up to here the weights end within the table: `ncp^2/2`.
#[kernel]
const MOST_WEIGHT: f64 = 12.0;
/// Fewer degrees of freedom, and more, are not taken.
#[kernel]
const LEAST_DEGREES: f64 = 0.5;
/// See [`LEAST_DEGREES`].
#[kernel]
const MOST_DEGREES: f64 = 1e30;

/// `1/(k + first)` as pairs: the leading parts and the rests.
const fn inverses(first: f64) -> ([f64; 48], [f64; 48]) {
    let (mut high, mut low) = ([0.0; 48], [0.0; 48]);
    let mut k = 0;
    while k < 48 {
        let b = k as f64 + first;
        let q = 1.0 / b;
        // b has seven bits, so that its products with the halves of q are exact
        let top = f64::from_bits(q.to_bits() & 0xffff_ffff_f800_0000);
        high[k] = q;
        low[k] = ((1.0 - top * b) - (q - top) * b) / b;
        k += 1;
    }
    (high, low)
}

/// `1/(k + 3/2)`
#[kernel]
const HALVES: [f64; 48] = inverses(1.5).0;
/// What they lack.
#[kernel]
const HALVES_LOW: [f64; 48] = inverses(1.5).1;
/// `1/(k + 2)`
#[kernel]
const WHOLES: [f64; 48] = inverses(2.0).0;
/// What they lack.
#[kernel]
const WHOLES_LOW: [f64; 48] = inverses(2.0).1;

/// The coefficients for a number of degrees of freedom and a noncentrality.
#[kernel]
pub(crate) struct NoncentralTSeries {
    /// Whether there are any.
    pub(crate) serves: bool,
    /// Degrees of freedom.
    pub(crate) n: f64,
    /// Their inverse.
    pub(crate) inverse: (f64, f64),
    /// `P(Z < -ncp)`
    pub(crate) below: (f64, f64),
    /// `P(|Z| < ncp)`, the sum of the odd weights.
    pub(crate) odd_total: (f64, f64),
    /// The constant of the first even term over that of the first odd one and `sqrt(xi)`: `sqrt(8)` times the central density at 0.
    pub(crate) scale: (f64, f64),
    /// Even terms of the upper tail.
    upper_even: [f64; 48],
    /// Odd terms of the upper tail.
    upper_odd: [f64; 48],
    /// Even terms of the lower tail.
    lower_even: [f64; 48],
    /// Odd terms of the lower tail.
    lower_odd: [f64; 48],
}

/// `1 + k/n` as a loose pair, given `1/n`.
#[kernel(inline)]
fn one_and_share(k: f64, inverse: (f64, f64)) -> (f64, f64) {
    let p = pair_mul_d(inverse, k);
    let (s, e) = two_sum(1.0, p.0);
    (s, e + p.1)
}

/// `c exp(e)` as a pair, `-690 < e < 690`.
#[kernel(inline)]
pub(crate) fn exp_of_pair(e: (f64, f64), c: (f64, f64)) -> (f64, f64) {
    let (m, ml, k) = exp_parts(e);
    let unit = power_of_two(k);
    dd_mul((m * unit, ml * unit), c)
}

/// Whether the series serve for these parameters.
#[kernel(inline)]
pub(crate) fn in_series(n: f64, ncp: f64) -> bool {
    let l = 0.5 * ncp * ncp;
    l <= MOST_WEIGHT && l > 1e-100 && n >= LEAST_DEGREES && n <= MOST_DEGREES
}

/// The coefficients for `n` degrees of freedom and a noncentrality `d > 0`, where [`in_series`].
#[kernel]
pub(crate) fn noncentral_t_series(n: f64, d: f64) -> NoncentralTSeries {
    let serves = in_series(n, d);
    let n = if serves { n } else { 1.0 };
    let d = if serves { d } else { 1.0 };
    let inverse = inverse_pair((n, 0.0));
    let l = two_prod(0.5 * d, d);
    let fall = exp_of_pair((-l.0, -l.1), (1.0, 0.0));
    let below = dd_mul(mills((d, 0.0)), fall);
    let (w, wl, g) = square_at_zero(n);
    let scale = exp_of_pair((g, 0.0), dd_sqrt((8.0 * w, 8.0 * wl)));
    let mut p = fall;
    let mut q = dd_mul_d(dd_mul_d(fall, 2.0 * d), INV_SQRT_2PI.0);
    q = fast_two_sum(q.0, q.1 + (2.0 * d) * fall.0 * INV_SQRT_2PI.1);
    let mut even = (1.0, 0.0);
    let mut odd = (1.0, 0.0);
    let mut p_sum = (0.0, 0.0);
    let mut q_sum = (0.0, 0.0);
    let mut evens: [f64; 48] = [0.0; 48];
    let mut odds: [f64; 48] = [0.0; 48];
    let mut ps: [f64; 48] = [0.0; 48];
    let mut qs: [f64; 48] = [0.0; 48];
    let mut lower_even: [f64; 48] = [0.0; 48];
    let mut lower_odd: [f64; 48] = [0.0; 48];
    // What is multiplied on does not wait for the product: one multiplication of pairs from each term to the next.
    let mut whole = (1.0, 0.0);
    for k in 0..24usize {
        p_sum = pair_add(p_sum, p);
        q_sum = pair_add(q_sum, q);
        evens[k] = even.0 + even.1;
        odds[k] = odd.0 + odd.1;
        ps[k] = p.0 + p.1;
        qs[k] = q.0 + q.1;
        let a = pair_mul(p_sum, even);
        let b = pair_mul(q_sum, odd);
        lower_even[k] = a.0 + a.1;
        lower_odd[k] = b.0 + b.1;
        let i = k as f64;
        let half = (HALVES[k], HALVES_LOW[k]);
        let next = (WHOLES[k], WHOLES_LOW[k]);
        p = pair_mul(p, pair_mul(l, whole));
        q = pair_mul(q, pair_mul(l, half));
        even = pair_mul(even, pair_mul(one_and_share(2.0 * i + 1.0, inverse), half));
        odd = pair_mul(odd, pair_mul(one_and_share(2.0 * i + 2.0, inverse), next));
        whole = next;
    }
    // The second half: the terms before it are hundreds of times as large, wherever the series serve.
    let mut even_term = even.0 + even.1;
    let mut odd_term = odd.0 + odd.1;
    let mut p_term = p.0 + p.1;
    let mut q_term = q.0 + q.1;
    let mut p_total = p_sum.0 + p_sum.1;
    let mut q_total = q_sum.0 + q_sum.1;
    for j in 0..24usize {
        let k: usize = 24 + j;
        p_total += p_term;
        q_total += q_term;
        evens[k] = even_term;
        odds[k] = odd_term;
        ps[k] = p_term;
        qs[k] = q_term;
        lower_even[k] = p_total * even_term;
        lower_odd[k] = q_total * odd_term;
        let i = k as f64;
        p_term *= l.0 * WHOLES[k - 1];
        q_term *= l.0 * HALVES[k];
        even_term *= (2.0 * i + 1.0).mul_add(inverse.0, 1.0) * HALVES[k];
        odd_term *= (2.0 * i + 2.0).mul_add(inverse.0, 1.0) * WHOLES[k];
    }
    // the weights beyond the table count for its last coefficients only, which are not to count
    let beyond = 1.0 + l.0 / 49.0 / (1.0 - l.0 / 50.0);
    let mut p_after = beyond * p_term;
    let mut q_after = beyond * q_term;
    let mut upper_even: [f64; 48] = [0.0; 48];
    let mut upper_odd: [f64; 48] = [0.0; 48];
    for j in 0..24usize {
        let k: usize = 47 - j;
        upper_even[k] = p_after * evens[k];
        upper_odd[k] = q_after * odds[k];
        p_after += ps[k];
        q_after += qs[k];
    }
    let mut p_rest = (p_after, 0.0);
    let mut q_rest = (q_after, 0.0);
    for j in 0..24usize {
        let k: usize = 23 - j;
        upper_even[k] = p_rest.0.mul_add(evens[k], p_rest.1 * evens[k]);
        upper_odd[k] = q_rest.0.mul_add(odds[k], q_rest.1 * odds[k]);
        p_rest = pair_add(p_rest, (ps[k], 0.0));
        q_rest = pair_add(q_rest, (qs[k], 0.0));
    }
    let odd_total = q_rest;
    NoncentralTSeries { serves, n, inverse, below, odd_total, scale, upper_even, upper_odd, lower_even, lower_odd }
}

/// `sum x + c` of pairs, a step of Horner's rule that carries the rounding errors of the leading parts along.
#[kernel(inline)]
fn horner_step(sum: (f64, f64), x: (f64, f64), c: f64) -> (f64, f64) {
    let (p, pe) = two_prod(sum.0, x.0);
    let (t, te) = two_sum(p, c);
    (t, sum.1.mul_add(x.0, sum.0.mul_add(x.1, pe)) + te)
}

/// Whether what comes from a term on is below `LAST` of a sum: `c` is its coefficient, `before` that of the one before, `power` that of `x`.
#[kernel(inline)]
fn has_ended(c: f64, before: f64, x: f64, power: f64, sum: f64) -> bool {
    c * power <= LAST * sum && c * x <= 0.5 * before
}

/// Half of the two series at the pair `xi`, of the lower tail or the upper one: `sqrt(xi) scale E(xi) + xi O(xi)` as a pair; NaN where the
/// terms do not end within the table.
#[kernel]
pub(crate) fn series_at(xi: (f64, f64), lower: bool, s: NoncentralTSeries) -> (f64, f64) {
    let x = xi.0;
    let x2 = x * x;
    let x4 = x2 * x2;
    let x8 = x4 * x4;
    let x22 = (x8 * x8) * (x4 * x2);
    let x23 = x22 * x;
    let mut even: (f64, f64) = (0.0, 0.0);
    let mut odd: (f64, f64) = (0.0, 0.0);
    let mut ended: bool = true;
    // The coefficients are positive: a sum is not below its first term.
    let first_even = if lower { s.lower_even[0] } else { s.upper_even[0] };
    let first_odd = if lower { s.lower_odd[0] } else { s.upper_odd[0] };
    let c = if lower { s.lower_even[23] } else { s.upper_even[23] };
    let before = if lower { s.lower_even[22] } else { s.upper_even[22] };
    let d = if lower { s.lower_odd[23] } else { s.upper_odd[23] };
    let before_d = if lower { s.lower_odd[22] } else { s.upper_odd[22] };
    if !(has_ended(c, before, x, x23, first_even) && has_ended(d, before_d, x, x23, first_odd)) {
        for j in 0..24usize {
            let k: usize = 47 - j;
            even = horner_step(even, xi, if lower { s.lower_even[k] } else { s.upper_even[k] });
            odd = horner_step(odd, xi, if lower { s.lower_odd[k] } else { s.upper_odd[k] });
        }
        let c = if lower { s.lower_even[47] } else { s.upper_even[47] };
        let before = if lower { s.lower_even[46] } else { s.upper_even[46] };
        let d = if lower { s.lower_odd[47] } else { s.upper_odd[47] };
        let before_d = if lower { s.lower_odd[46] } else { s.upper_odd[46] };
        // these sums begin with the term 24
        ended = has_ended(c, before, x, x23, even.0) && has_ended(d, before_d, x, x23, odd.0);
    }
    for j in 0..24usize {
        let k: usize = 23 - j;
        even = horner_step(even, xi, if lower { s.lower_even[k] } else { s.upper_even[k] });
        odd = horner_step(odd, xi, if lower { s.lower_odd[k] } else { s.upper_odd[k] });
    }
    let first = dd_mul(dd_mul(dd_sqrt(xi), s.scale), fast_two_sum(even.0, even.1));
    let second = dd_mul(xi, fast_two_sum(odd.0, odd.1));
    let (t, e) = two_sum(first.0, second.0);
    let sum = fast_two_sum(t, e + (first.1 + second.1));
    (if ended { 0.5 * sum.0 } else { f64::NAN }, 0.5 * sum.1)
}
