//! Ends of the domain, closed forms, and what must hold between the four functions.

use gristmill_nmath::{bessel_i, bessel_j, bessel_k, bessel_y};

const INF: f64 = f64::INFINITY;

#[test]
fn nan_in_any_argument_and_negative_arguments_give_nan() {
    for (x, nu) in [(f64::NAN, 1.0), (1.0, f64::NAN), (-1.0, 0.0), (-1e-300, 2.5), (-INF, 1.0)] {
        assert!(bessel_i(x, nu, 1.0).is_nan() && bessel_k(x, nu, 1.0).is_nan(), "{x}, {nu}");
        assert!(bessel_j(x, nu).is_nan() && bessel_y(x, nu).is_nan(), "{x}, {nu}");
    }
}

#[test]
fn values_at_zero_are_those_of_r() {
    for zero in [0.0, -0.0] {
        for expo in [1.0, 2.0] {
            assert_eq!(bessel_i(zero, 0.0, expo), 1.0);
            assert_eq!(bessel_i(zero, 0.5, expo), 0.0);
            assert_eq!(bessel_i(zero, -1.0, expo), 0.0);
            assert_eq!(bessel_i(zero, -0.5, expo), INF);
            assert_eq!(bessel_i(zero, -1.5, expo), -INF);
            assert_eq!(bessel_i(zero, 3e7, expo), 0.0);
            for nu in [0.0, 0.5, 1.0, -0.5, -1.0, -2.5, 3e7] {
                assert_eq!(bessel_k(zero, nu, expo), INF);
            }
        }
        assert_eq!(bessel_j(zero, 0.0), 1.0);
        assert_eq!(bessel_j(zero, 0.5), 0.0);
        assert_eq!(bessel_j(zero, -1.0), 0.0);
        assert_eq!(bessel_j(zero, -0.5), INF);
        assert_eq!(bessel_j(zero, -1.5), -INF);
        for nu in [0.0, 0.5, 1.0, 3e7] {
            assert_eq!(bessel_y(zero, nu), -INF);
        }
        assert_eq!(bessel_y(zero, -1.0), INF);
        assert_eq!(bessel_y(zero, -0.5), 0.0);
    }
}

#[test]
fn values_at_infinity_are_limits() {
    for nu in [0.0, 0.5, 1.0, 30.0, -0.5, -1.0] {
        assert_eq!(bessel_i(INF, nu, 1.0), INF);
        assert_eq!(bessel_i(INF, nu, 2.0), 0.0);
        assert_eq!(bessel_k(INF, nu, 1.0), 0.0);
        assert_eq!(bessel_k(INF, nu, 2.0), 0.0);
        assert_eq!(bessel_j(INF, nu), 0.0);
        assert_eq!(bessel_y(INF, nu), 0.0);
    }
    assert_eq!(bessel_i(2.0, INF, 1.0), 0.0);
    assert_eq!(bessel_k(2.0, INF, 1.0), INF);
    assert_eq!(bessel_j(2.0, INF), 0.0);
    assert_eq!(bessel_y(2.0, INF), -INF);
    assert!(bessel_j(INF, INF).is_nan() && bessel_y(INF, INF).is_nan());
    assert!(bessel_i(INF, INF, 1.0).is_nan() && bessel_k(INF, INF, 1.0).is_nan());
}

#[test]
fn expo_other_than_1_means_scaled() {
    for expo in [0.0, 1.5, 2.0, 3.0, 4.0] {
        assert_eq!(bessel_i(3.0, 0.5, expo), bessel_i(3.0, 0.5, 2.0));
        assert_eq!(bessel_k(3.0, 0.5, expo), bessel_k(3.0, 0.5, 2.0));
    }
    assert_ne!(bessel_i(3.0, 0.5, 1.0), bessel_i(3.0, 0.5, 2.0));
}

#[test]
fn negative_integer_orders_follow_the_sign_rule() {
    for x in [0.3, 4.0, 17.0, 80.0] {
        for n in [1.0, 2.0, 7.0, 30.0] {
            let sign = if n % 2.0 == 0.0 { 1.0 } else { -1.0 };
            assert_eq!(bessel_j(x, -n), sign * bessel_j(x, n));
            assert_eq!(bessel_y(x, -n), sign * bessel_y(x, n));
            assert_eq!(bessel_i(x, -n, 1.0), bessel_i(x, n, 1.0));
            assert_eq!(bessel_k(x, -n, 1.0), bessel_k(x, n, 1.0));
        }
    }
}

#[test]
fn negative_half_integer_orders_swap_j_and_y() {
    for x in [0.3, 4.0, 17.0, 80.0] {
        assert_eq!(bessel_y(x, -0.5), bessel_j(x, 0.5));
        assert_eq!(bessel_j(x, -0.5), -bessel_y(x, 0.5));
        assert_eq!(bessel_y(x, -1.5), -bessel_j(x, 1.5));
    }
}

/// `|a - b|` in units of the last place of `b`.
fn ulps(a: f64, b: f64) -> f64 {
    (a - b).abs() / (f64::from_bits(b.abs().to_bits() + 1) - b.abs())
}

#[test]
fn order_one_half_has_closed_forms() {
    for i in 1..400 {
        let x = f64::from(i) * 0.25;
        let k = (std::f64::consts::PI / (2.0 * x)).sqrt();
        assert!(ulps(bessel_k(x, 0.5, 2.0), k) < 3.0, "{x}");
        let c = (2.0 / (std::f64::consts::PI * x)).sqrt();
        assert!((bessel_j(x, 0.5) - c * x.sin()).abs() < 4e-16 * c, "{x}");
        assert!((bessel_y(x, 0.5) + c * x.cos()).abs() < 4e-16 * c, "{x}");
        assert!(ulps(bessel_i(x, 0.5, 2.0), 0.5 * c * -(-2.0 * x).exp_m1()) < 4.0, "{x}");
    }
}

/// `J(nu+1) Y(nu) - J(nu) Y(nu+1) = 2/(pi x)` and `I(nu) K(nu+1) + I(nu+1) K(nu) = 1/x`, across every border between formulas.
#[test]
fn wronskians_hold_in_every_region() {
    let mut x: f64 = 1e-3;
    while x < 1e6 {
        let mut nu: f64 = 0.0;
        while nu < 1e6 {
            let modified = x
                * (bessel_i(x, nu, 2.0) * bessel_k(x, nu + 1.0, 2.0)
                    + bessel_i(x, nu + 1.0, 2.0) * bessel_k(x, nu, 2.0));
            if modified.is_finite() && bessel_i(x, nu + 1.0, 2.0) > 1e-290 {
                assert!((modified - 1.0).abs() < 2e-15, "I, K at x = {x}, nu = {nu}: {modified}");
            }
            let (j, j1, y, y1) = (bessel_j(x, nu), bessel_j(x, nu + 1.0), bessel_y(x, nu), bessel_y(x, nu + 1.0));
            let ordinary = std::f64::consts::FRAC_PI_2 * x * (j1 * y - j * y1);
            if ordinary.is_finite() && j1.abs() > 1e-290 {
                let size = std::f64::consts::FRAC_PI_2 * x * ((j1 * y).abs() + (j * y1).abs());
                assert!((ordinary - 1.0).abs() < 2e-15 * size.max(1.0), "J, Y at x = {x}, nu = {nu}: {ordinary}");
            }
            // a multiple of 2^-10, so that nu + 1 is exact
            nu = ((nu * 1.17).max(nu + 0.37) * 1024.0).floor() / 1024.0;
        }
        x *= 1.131;
    }
}

#[test]
fn results_underflow_and_overflow_gradually() {
    // (x/2)^nu/Gamma(nu + 1) with x^2/4 negligible: 0.5^10/10! 1e-310 ...
    assert_eq!(bessel_j(2e-310, 1.0), 1e-310);
    assert_eq!(bessel_i(2e-310, 1.0, 1.0), 1e-310);
    assert_eq!(bessel_j(5e-324, 3.0), 0.0);
    assert_eq!(bessel_k(1e-310, 1.0, 1.0), INF);
    assert_eq!(bessel_y(1e-310, 1.0), -INF);
    assert!(bessel_k(1e-307, 1.0, 1.0).is_finite());
    assert_eq!(bessel_k(800.0, 3.0, 1.0), 0.0);
    assert_eq!(bessel_i(800.0, 3.0, 1.0), INF);
    assert!(bessel_k(740.0, 3.0, 1.0) > 0.0);
    assert_eq!(bessel_j(1.0, 1e5), 0.0);
    assert_eq!(bessel_y(1.0, 1e5), -INF);
}

#[test]
fn orders_beyond_those_of_r_are_computed() {
    for nu in [3e7, 1e10, 1e15, 1e100, 1e300] {
        let transition = bessel_j(nu, nu);
        // Gamma(1/3)/(2^(2/3) 3^(1/6) pi) nu^(-1/3)
        let leading = 0.4473073183964724 / nu.cbrt();
        assert!((transition / leading - 1.0).abs() < 1e-11, "{nu}: {transition}");
        assert!(bessel_y(nu, nu) < 0.0 && bessel_k(nu, nu, 2.0) >= 0.0 && bessel_i(nu, nu, 2.0) >= 0.0);
        assert!(bessel_j(2.0 * nu, nu).abs() <= 1.0 / nu.sqrt());
    }
}
