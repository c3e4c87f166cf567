//! Quantiles of the binomial, negative binomial and hypergeometric distributions: the smallest integer that reaches a
//! probability, exactly.

use super::beta_quantile::normal_start;
use super::binomial_kernel::exp_times;
use super::double_double::{dd_add_short, dd_sub_short};
use super::exponential::exp;
use super::hypergeometric_sum::{HyperSetup, HyperTail, hyper_tail};
use super::incomplete_beta::{BetaTail, beta_setup, beta_tail, log_tail, log1mexp_dd, log1p_any};
use super::logarithm::{log_dd, log1p};
use gristmill_kernel::kernel;

/// A distribution on the integers from `first` to `last`.
#[kernel]
pub struct Discrete {
    /// -1: binomial; 1: negative binomial; 2: hypergeometric.
    pub family: i32,
    /// Number of trials or of successes wanted (not for the hypergeometric distribution).
    pub size: f64,
    /// Probability of success, leading part.
    pub p: f64,
    /// Its rest.
    pub pl: f64,
    /// Probability of failure, leading part.
    pub q: f64,
    /// Its rest.
    pub ql: f64,
    /// The smallest possible value.
    pub first: f64,
    /// The largest possible value.
    pub last: f64,
    /// Mean.
    pub mean: f64,
    /// Standard deviation.
    pub sd: f64,
    /// Skewness.
    pub skew: f64,
    /// White balls.
    pub white: f64,
    /// Black balls.
    pub black: f64,
    /// Balls drawn.
    pub drawn: f64,
}

/// `log` of the wanted tail at `k` as a pair (lower: `F(k)`, otherwise `1 - F(k)`), and `f(k)` divided by it.
#[kernel]
fn discrete_tail(k: f64, s: Discrete, lower: bool) -> (f64, f64, f64) {
    if s.family == 2 {
        let h = HyperSetup { white: s.white, black: s.black, drawn: s.drawn };
        let t: HyperTail = hyper_tail(k, h);
        // the tail computed is m exp(e); its neighbour density f(k) = density exp(e)
        let l: (f64, f64) = dd_add_short(log_dd((t.m, 0.0)), (t.e, t.el));
        if t.lower == lower {
            return (l.0, l.1, t.density / t.m);
        }
        let v = exp_times(t.m, (t.e, t.el));
        return (log1p(-v), 0.0, exp_times(t.density, (t.e, t.el)) / (1.0 - v));
    }
    let p = (s.p, s.pl);
    let q = (s.q, s.ql);
    if s.family < 0 {
        // F(k) = I_q(n-k, k+1), f(k) = P/((n-k) p)
        let t: BetaTail = beta_tail(q, p, beta_setup(s.size - k, k + 1.0));
        let (l, ll, rho) = log_tail(t, lower, false);
        return (l, ll, rho / ((s.size - k) * s.p));
    }
    // F(k) = I_p(size, k+1), f(k) = P/((size+k) q)
    let t: BetaTail = beta_tail(p, q, beta_setup(s.size, k + 1.0));
    let (l, ll, rho) = log_tail(t, lower, false);
    (l, ll, rho / ((s.size + k) * s.q))
}

/// `f(k+1) / f(k)`.
#[kernel(inline)]
fn discrete_ratio(k: f64, s: Discrete) -> f64 {
    if s.family == 2 {
        return ((s.white - k) / (k + 1.0)) * ((s.drawn - k) / (s.black - s.drawn + k + 1.0));
    }
    if s.family < 0 {
        return (s.size - k) / (k + 1.0) * (s.p / s.q);
    }
    (s.size + k) / (k + 1.0) * s.q
}

/// The smallest integer `k` with `F(k) >= p`, for a probability strictly between 0 and 1.
///
/// Method: the smaller of `p` and `1 - p` decides which tail is followed, so both ends are exact. Cornish-Fisher start;
/// Newton's steps on the logarithm of the tail, which is concave, with the slope `-log(1 - f/F)` of the discrete
/// function; a bracket keeps the steps in. When the target is within 12 integers, a walk by the exact ratios of
/// neighbouring probabilities; a walk that subtracts stops and evaluates anew when it has lost 10 bits.
/// Bound: 200 evaluations; each walk has at most 60 steps.
#[kernel]
pub(crate) fn discrete_quantile(prob: f64, lower: bool, log_scale: bool, s: Discrete) -> f64 {
    let lp = if log_scale { (prob, 0.0) } else { log_dd((prob, 0.0)) };
    let small = lp.0 <= -std::f64::consts::LN_2;
    let follow_lower = small == lower;
    let target = if small {
        lp
    } else if log_scale {
        log1mexp_dd((prob, 0.0))
    } else {
        log1p_any((-prob, 0.0))
    };
    let top = s.last - 1.0; // F(last) = 1 is never evaluated
    if s.last <= s.first {
        return s.first;
    }
    let z = if follow_lower { normal_start(target.0) } else { -normal_start(target.0) };
    let mut k = (s.mean + s.sd * (z + s.skew * (z * z - 1.0) / 6.0)).round_ties_even();
    if k.is_nan() || k < s.first {
        k = s.first;
    }
    if k > top {
        k = top;
    }
    let mut below = s.first - 1.0; // not reached there
    let mut reached = f64::INFINITY; // reached there
    let mut evaluations: i32 = 0;
    while evaluations < 200 {
        evaluations += 1;
        let (l, ll, rho) = discrete_tail(k, s, follow_lower);
        let d: (f64, f64) = dd_sub_short((l, ll), target);
        let diff = d.0 + d.1;
        let ok = if follow_lower { diff >= 0.0 } else { diff <= 0.0 };
        if ok {
            if k < reached {
                reached = k;
            }
        } else if k > below {
            below = k;
        }
        if !ok && k >= top {
            return s.last;
        }
        if reached - below <= 1.0 {
            return reached;
        }
        let ratio = if diff.abs() < 600.0 { exp(diff) } else { 0.0 };
        // F(k-1)/F(k) = 1 - f(k)/F(k), S(k+1)/S(k) = 1 - f(k+1)/S(k)
        let h = if follow_lower { rho } else { rho * discrete_ratio(k, s) };
        let slope = if h < 0.999_999 { -log1p(-h) } else { 14.0 };
        if diff.abs() < 12.0 * slope && ratio > 0.0 {
            // tail and density in units of the target
            let mut t = ratio;
            let mut f = rho * ratio;
            let mut steps: i32 = 0;
            let mut walking = true;
            while walking && steps < 60 {
                steps += 1;
                if ok {
                    if k <= s.first {
                        return s.first;
                    }
                    if follow_lower {
                        // F(k-1) = F(k) - f(k)
                        if t < 1e-3 * ratio {
                            walking = false;
                        } else if t - f < 1.0 {
                            return k;
                        }
                    } else if t + f > 1.0 {
                        // S(k-1) = S(k) + f(k)
                        return k;
                    }
                    if walking {
                        t = if follow_lower { t - f } else { t + f };
                        f /= discrete_ratio(k - 1.0, s);
                        k -= 1.0;
                    }
                } else {
                    if k >= top {
                        return s.last;
                    }
                    f *= discrete_ratio(k, s);
                    k += 1.0;
                    t = if follow_lower { t + f } else { t - f };
                    if !follow_lower && t < 1e-3 * ratio {
                        walking = false;
                    } else if (follow_lower && t >= 1.0) || (!follow_lower && t <= 1.0) {
                        return k;
                    }
                }
            }
        } else {
            let mut step = if follow_lower { -diff / slope } else { diff / slope };
            step = step.round_ties_even();
            if step == 0.0 {
                step = if ok { -1.0 } else { 1.0 };
            }
            let mut next = k + step;
            if next.is_nan() || next <= below || next >= reached {
                next =
                    if reached < f64::INFINITY { (0.5 * (below + reached)).floor() } else { 2.0 * below.abs() + 2.0 };
                if next <= below {
                    next = below + 1.0;
                }
            }
            if next > top {
                next = top;
            }
            if next < s.first {
                next = s.first;
            }
            if next == k {
                return if ok { k } else { k + 1.0 };
            }
            k = next;
        }
    }
    if reached < f64::INFINITY { reached } else { k }
}
