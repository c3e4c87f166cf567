//! Special values and identities of the special functions that are not elementary.

use gristmill_nmath as nmath;

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

#[test]
fn special_values_are_the_limits_or_what_r_documents() {
    type Row = (&'static str, f64, f64);
    let rows: &[Row] = &[
        ("erf(0)", nmath::erf(0.0), 0.0),
        ("erf(-0)", nmath::erf(-0.0), -0.0),
        ("erf(inf)", nmath::erf(INF), 1.0),
        ("erf(-inf)", nmath::erf(-INF), -1.0),
        ("erf(nan)", nmath::erf(NAN), NAN),
        ("erfc(0)", nmath::erfc(0.0), 1.0),
        ("erfc(inf)", nmath::erfc(INF), 0.0),
        ("erfc(-inf)", nmath::erfc(-INF), 2.0),
        ("erfc(nan)", nmath::erfc(NAN), NAN),
        ("erfinv(1)", nmath::erfinv(1.0), INF),
        ("erfinv(-1)", nmath::erfinv(-1.0), -INF),
        ("erfinv(-0)", nmath::erfinv(-0.0), -0.0),
        ("erfinv(1.5)", nmath::erfinv(1.5), NAN),
        ("erfinv(nan)", nmath::erfinv(NAN), NAN),
        ("erfcinv(0)", nmath::erfcinv(0.0), INF),
        ("erfcinv(2)", nmath::erfcinv(2.0), -INF),
        ("erfcinv(1)", nmath::erfcinv(1.0), 0.0),
        ("erfcinv(-1)", nmath::erfcinv(-1.0), NAN),
        ("erfcinv(nan)", nmath::erfcinv(NAN), NAN),
        ("log1pexp(-inf)", nmath::log1pexp(-INF), 0.0),
        ("log1pexp(inf)", nmath::log1pexp(INF), INF),
        ("log1pexp(nan)", nmath::log1pexp(NAN), NAN),
        ("log1pexp(1e4)", nmath::log1pexp(1e4), 1e4),
        ("log1mexp(0)", nmath::log1mexp(0.0), -INF),
        ("log1mexp(inf)", nmath::log1mexp(INF), 0.0),
        ("log1mexp(-1)", nmath::log1mexp(-1.0), NAN),
        ("log1mexp(nan)", nmath::log1mexp(NAN), NAN),
        ("logspace_add(-inf, -inf)", nmath::logspace_add(-INF, -INF), -INF),
        ("logspace_add(-inf, 2)", nmath::logspace_add(-INF, 2.0), 2.0),
        ("logspace_add(inf, 2)", nmath::logspace_add(INF, 2.0), INF),
        ("logspace_add(inf, inf)", nmath::logspace_add(INF, INF), INF),
        ("logspace_add(nan, 2)", nmath::logspace_add(NAN, 2.0), NAN),
        ("logspace_add(1e300, -1e300)", nmath::logspace_add(1e300, -1e300), 1e300),
        ("logspace_sub(2, -inf)", nmath::logspace_sub(2.0, -INF), 2.0),
        ("logspace_sub(2, 2)", nmath::logspace_sub(2.0, 2.0), -INF),
        ("logspace_sub(-inf, -inf)", nmath::logspace_sub(-INF, -INF), -INF),
        ("logspace_sub(inf, inf)", nmath::logspace_sub(INF, INF), NAN),
        ("psigamma(3, 0.5)", nmath::psigamma(3.0, 0.5), nmath::digamma(3.0)),
        ("psigamma(3, 1.5)", nmath::psigamma(3.0, 1.5), nmath::tetragamma(3.0)),
        ("lbeta(1, 1)", nmath::lbeta(1.0, 1.0), 0.0),
        ("logspace_sub(1, 2)", nmath::logspace_sub(1.0, 2.0), NAN),
        ("logspace_sub(nan, 2)", nmath::logspace_sub(NAN, 2.0), NAN),
        ("pow1p(0, nan)", nmath::pow1p(0.0, NAN), 1.0),
        ("pow1p(-1, 2)", nmath::pow1p(-1.0, 2.0), 0.0),
        ("pow1p(-1, -2)", nmath::pow1p(-1.0, -2.0), INF),
        ("pow1p(1e-300, inf)", nmath::pow1p(1e-300, INF), INF),
        ("pow1p(-1e-300, inf)", nmath::pow1p(-1e-300, INF), 0.0),
        ("pow1p(-3, 3)", nmath::pow1p(-3.0, 3.0), -8.0),
        ("pow1p(-3, 0.5)", nmath::pow1p(-3.0, 0.5), NAN),
        ("pow1p(inf, 2)", nmath::pow1p(INF, 2.0), INF),
        ("pow1p(nan, 2)", nmath::pow1p(NAN, 2.0), NAN),
        ("digamma(0)", nmath::digamma(0.0), NAN),
        ("digamma(-3)", nmath::digamma(-3.0), NAN),
        ("digamma(inf)", nmath::digamma(INF), INF),
        ("digamma(-inf)", nmath::digamma(-INF), NAN),
        ("digamma(nan)", nmath::digamma(NAN), NAN),
        ("digamma(1e-320)", nmath::digamma(1e-320), -INF),
        ("trigamma(0)", nmath::trigamma(0.0), INF),
        ("trigamma(-2)", nmath::trigamma(-2.0), INF),
        ("trigamma(inf)", nmath::trigamma(INF), 0.0),
        ("trigamma(-inf)", nmath::trigamma(-INF), NAN),
        ("tetragamma(0)", nmath::tetragamma(0.0), NAN),
        ("pentagamma(0)", nmath::pentagamma(0.0), INF),
        ("pentagamma(nan)", nmath::pentagamma(NAN), NAN),
        ("psigamma(1.5, -1)", nmath::psigamma(1.5, -1.0), NAN),
        ("psigamma(1.5, 101)", nmath::psigamma(1.5, 101.0), NAN),
        ("psigamma(1.5, nan)", nmath::psigamma(1.5, NAN), NAN),
        ("psigamma(1e-5, 100)", nmath::psigamma(1e-5, 99.0), INF),
        ("psigamma(1e300, 100)", nmath::psigamma(1e300, 100.0), -0.0),
        ("fround(2.5, 0)", nmath::fround(2.5, 0.0), 2.0),
        ("fround(-0.4, 0)", nmath::fround(-0.4, 0.0), -0.0),
        ("fround(5.015, 2)", nmath::fround(5.015, 2.0), 5.01),
        ("fround(0.15, 1)", nmath::fround(0.15, 1.0), 0.1),
        ("fround(inf, 2)", nmath::fround(INF, 2.0), INF),
        ("fround(2.5, inf)", nmath::fround(2.5, INF), 2.5),
        ("fround(2.5, -inf)", nmath::fround(2.5, -INF), 0.0),
        ("fround(nan, 1)", nmath::fround(NAN, 1.0), NAN),
        ("fround(1, nan)", nmath::fround(1.0, NAN), NAN),
        ("fprec(0, 3)", nmath::fprec(0.0, 3.0), 0.0),
        ("fprec(-1.5, 0)", nmath::fprec(-1.5, 0.0), -2.0),
        ("fprec(999.9999999999999, 15)", nmath::fprec(999.9999999999999, 15.0), 1000.0),
        ("fprec(inf, 3)", nmath::fprec(INF, 3.0), INF),
        ("fprec(1.25, inf)", nmath::fprec(1.25, INF), 1.25),
        ("fprec(nan, 3)", nmath::fprec(NAN, 3.0), NAN),
        ("fmax2(1, nan)", nmath::fmax2(1.0, NAN), NAN),
        ("fmax2(-0, 0)", nmath::fmax2(-0.0, 0.0), 0.0),
        ("fmax2(0, -0)", nmath::fmax2(0.0, -0.0), 0.0),
        ("fmax2(-0, -0)", nmath::fmax2(-0.0, -0.0), -0.0),
        ("fmax2(inf, inf)", nmath::fmax2(INF, INF), INF),
        ("fmax2(-inf, -inf)", nmath::fmax2(-INF, -INF), -INF),
        ("fmax2(5e-324, 5e-324)", nmath::fmax2(5e-324, 5e-324), 5e-324),
        ("fmax2(5e-324, -max)", nmath::fmax2(5e-324, f64::MIN), 5e-324),
        ("fmin2(nan, 1)", nmath::fmin2(NAN, 1.0), NAN),
        ("fmin2(1, nan)", nmath::fmin2(1.0, NAN), NAN),
        ("fmin2(-0, 0)", nmath::fmin2(0.0, -0.0), -0.0),
        ("fmin2(0, 0)", nmath::fmin2(0.0, 0.0), 0.0),
        ("fmin2(-inf, -inf)", nmath::fmin2(-INF, -INF), -INF),
        ("fmin2(max, max)", nmath::fmin2(f64::MAX, f64::MAX), f64::MAX),
        ("fmin2(-5e-324, max)", nmath::fmin2(-5e-324, f64::MAX), -5e-324),
        ("fsign(-2, -0)", nmath::fsign(-2.0, -0.0), 2.0),
        ("fsign(2, -1)", nmath::fsign(2.0, -1.0), -2.0),
        ("fsign(nan, -1)", nmath::fsign(NAN, -1.0), NAN),
        ("ftrunc(-2.7)", nmath::ftrunc(-2.7), -2.0),
        ("sign(-2)", nmath::sign(-2.0), -1.0),
        ("sign(-0)", nmath::sign(-0.0), 0.0),
        ("sign(nan)", nmath::sign(NAN), NAN),
        ("r_pow(-1, inf)", nmath::r_pow(-1.0, INF), NAN),
        ("r_pow(-2, 0.5)", nmath::r_pow(-2.0, 0.5), NAN),
        ("r_pow(-inf, 3)", nmath::r_pow(-INF, 3.0), -INF),
        ("r_pow(-inf, 2.5)", nmath::r_pow(-INF, 2.5), NAN),
        ("r_pow(-0, -3)", nmath::r_pow(-0.0, -3.0), INF),
        ("r_pow(nan, 0)", nmath::r_pow(NAN, 0.0), 1.0),
        ("r_pow(1, nan)", nmath::r_pow(1.0, NAN), 1.0),
        ("r_pow_di(2, -3)", nmath::r_pow_di(2.0, -3), 0.125),
        ("r_pow_di(-3, 3)", nmath::r_pow_di(-3.0, 3), -27.0),
        ("r_pow_di(nan, 0)", nmath::r_pow_di(NAN, 0), 1.0),
    ];
    let wrong: Vec<String> = rows
        .iter()
        .filter(|(_, got, must)| !same(*got, *must))
        .map(|(what, got, must)| format!("{what} is {got:?}, but must be {must:?}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!((nmath::imax2(-3, 2), nmath::imin2(-3, 2)), (2, -3));
}

fn close(a: f64, b: f64, ulps: f64) -> bool {
    (a - b).abs() <= ulps * f64::EPSILON * a.abs().max(b.abs())
}

#[test]
fn inverse_functions_return_to_the_start() {
    for i in 1..400 {
        let x = f64::from(i) * 0.013;
        // the slope of erf amplifies the rounding of its result
        let slope = core::f64::consts::FRAC_2_SQRT_PI * nmath::exp(-x * x);
        if x < 1.0 {
            assert!(close(nmath::erfinv(nmath::erf(x)), x, 2.0 + nmath::erf(x) / (slope * x)), "erfinv(erf({x}))");
        }
        assert!(close(nmath::erfcinv(nmath::erfc(x)), x, 2.0 + nmath::erfc(x) / (slope * x)), "erfcinv(erfc({x}))");
    }
}

#[test]
fn polygamma_functions_obey_their_recurrence() {
    // psi_n(x+1) = psi_n(x) + (-1)^n n! x^-(n+1)
    for i in 0..300 {
        let x = -7.3 + f64::from(i) * 0.0517;
        if (x - x.round()).abs() < 0.05 {
            continue;
        }
        for n in 0..8 {
            let step = (1..=n).map(f64::from).product::<f64>() * nmath::pow(x, f64::from(-n - 1));
            let (a, b) = (nmath::psigamma(x, f64::from(n)), nmath::psigamma(x + 1.0, f64::from(n)));
            let expected = a + if n % 2 == 0 { step } else { -step };
            let size = a.abs().max(step.abs()).max(b.abs());
            // x + 1 is rounded: its error times the slope, which is about (n+1)/distance to the pole of the value
            let slack = 30.0 * (1.0 + f64::from(n)) * f64::EPSILON * size / 0.05;
            assert!((b - expected).abs() <= slack, "order {n} at {x}: {b} against {expected}");
        }
    }
}

#[test]
fn bad_input_ends_soon() {
    let values = [0.0, -0.0, 1.0, -1.5, 1e-320, -1e-320, 1e308, -1e308, 5e15, -5e15 - 0.5, INF, -INF, NAN, -1e5 + 0.3];
    let start = std::time::Instant::now();
    let mut calls = 0;
    for x in values {
        for y in values {
            for n in [0.0, 1.0, 2.0, 100.0, 1e300, -3.0, NAN] {
                let _ = nmath::psigamma(x, n);
                calls += 1;
            }
            let _ = (nmath::fround(x, y), nmath::fprec(x, y), nmath::r_pow(x, y), nmath::pow1p(x, y));
            let _ = (nmath::logspace_add(x, y), nmath::logspace_sub(x, y), nmath::erfcinv(x), nmath::erfinv(y));
            calls += 8;
        }
    }
    assert!(start.elapsed().as_secs_f64() / f64::from(calls) < 1e-3, "a call takes more than a millisecond");
}
