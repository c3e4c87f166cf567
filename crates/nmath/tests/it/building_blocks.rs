//! What C code calls by name: building blocks of the distributions, signs, several derivatives at once, random vectors.

use gristmill_nmath as nmath;

#[test]
fn both_tails_and_raw_ratios_are_those_of_the_distributions() {
    for i in -60..=60 {
        let x = f64::from(i) * 0.7;
        for log in [false, true] {
            let (lower, upper) = nmath::pnorm_both(x, log);
            assert_eq!(lower.to_bits(), nmath::pnorm(x, 0.0, 1.0, true, log).to_bits());
            assert_eq!(upper.to_bits(), nmath::pnorm(x, 0.0, 1.0, false, log).to_bits());
            let gamma = nmath::pgamma_raw(x.abs(), 2.5, log, log);
            assert_eq!(gamma.to_bits(), nmath::pgamma(x.abs(), 2.5, 1.0, log, log).to_bits());
            let beta = nmath::pbeta_raw(x.abs() / 43.0, 2.5, 0.5, log, log);
            assert_eq!(beta.to_bits(), nmath::pbeta(x.abs() / 43.0, 2.5, 0.5, log, log).to_bits());
        }
    }
}

/// The truth as two doubles, from 80 digits (mpmath).
#[test]
fn the_deviance_in_two_parts_has_more_bits_than_a_double() {
    for (x, m, high, low) in [
        (3.0, 2.5, 0.04696467038186388, -2.1862839976352174e-18),
        (100.0, 99.0, 0.005033585350144119, -3.481227886028183e-19),
        (100000.0, 100001.0, 4.9999666669166645e-06, 1.2487440282395977e-22),
        (7.0, 7.000000001, 7.14285832418222e-20, 5.446106416580219e-37),
        (0.5, 4.0, 2.460279229160082, 1.3174775148607898e-16),
        (0.001, 30.0, 29.988691047339355, 8.402950684969285e-16),
        (2.0, 1e-05, 22.412155291060348, -3.550911728146464e-16),
        (123456.0, 123000.0, 0.8442256654516581, -4.6978755694081194e-17),
        (17.0, 17.0, 0.0, 0.0),
        (1e+200, 1.5e+200, 9.453489189183562e+198, -4.631564389064343e+182),
        (3e-300, 2e-300, 2.1639532432449323e-301, -9.256023e-318),
    ] {
        let (h, l) = nmath::ebd0(x, m);
        let error = (h - high) + (l - low);
        assert!(error.abs() <= high.abs() * 2.0_f64.powi(-60), "ebd0({x}, {m}) is {h} + {l}");
        assert_eq!((h + l).to_bits(), nmath::bd0(x, m).to_bits(), "bd0({x}, {m})");
    }
    assert_eq!(nmath::ebd0(0.0, 2.5), (2.5, 0.0));
    assert_eq!(nmath::ebd0(1.0, 0.0), (f64::INFINITY, 0.0));
    assert_eq!(nmath::ebd0(f64::INFINITY, 1.0), (f64::INFINITY, 0.0));
    assert!(nmath::ebd0(-1.0, 1.0).0.is_nan());
}

#[test]
fn the_sign_of_gamma_changes_at_every_pole() {
    for n in 0..40 {
        let x = -f64::from(n) - 0.5;
        assert_eq!(nmath::gamma_sign(x), if n % 2 == 0 { -1.0 } else { 1.0 }, "{x}");
    }
    assert_eq!(nmath::gamma_sign(3.0), 1.0);
    assert_eq!(nmath::gamma_sign(-3.0), 1.0, "a pole");
    assert!(nmath::gamma_sign(f64::NAN).is_nan());
}

#[test]
fn several_derivatives_are_the_functions_themselves() {
    for x in [0.1, 1.0, 2.5, 30.0, 1e10, -0.5, -3.25, 0.0, f64::INFINITY, f64::NAN] {
        let (first, second, third, fourth) = nmath::digamma_and_derivatives(x);
        let bits = |list: [f64; 4]| list.map(|v| if v.is_nan() { 0 } else { v.to_bits() });
        let alone = [nmath::digamma(x), nmath::trigamma(x), nmath::tetragamma(x), nmath::pentagamma(x)];
        assert_eq!(bits([first, second, third, fourth]), bits(alone), "{x}");
    }
}

#[test]
fn scaled_derivatives_have_neither_sign_nor_factorial() {
    for x in [0.3, 1.0, 4.5, 60.0, -0.3, -2.75] {
        let mut factorial = 1.0;
        for order in 1..20 {
            factorial *= f64::from(order);
            let sign = if order % 2 == 0 { -1.0 } else { 1.0 };
            let (scaled, plain) = (nmath::scaled_psigamma(x, order.into()), nmath::psigamma(x, order.into()));
            assert!((scaled * factorial * sign - plain).abs() <= 4e-16 * plain.abs() * 2.0, "{x}, {order}: {scaled}");
        }
        assert_eq!(nmath::scaled_psigamma(x, 0.0), -nmath::digamma(x));
    }
    // 100! overflows nothing
    assert!(nmath::scaled_psigamma(1e-3, 100.0).is_finite() && nmath::psigamma(1e-3, 100.0).is_infinite());
    assert_eq!(nmath::scaled_psigamma(-2.0, 1.0), f64::INFINITY);
    assert!(nmath::scaled_psigamma(-2.0, 2.0).is_nan());
}

#[test]
fn edges_of_the_building_blocks() {
    const INF: f64 = f64::INFINITY;
    assert!(nmath::lgammacor(9.999).is_nan() && nmath::lgammacor(f64::NAN).is_nan());
    assert_eq!(nmath::lgammacor(INF), 0.0);
    assert_eq!(nmath::lfastchoose(7.0, 0.0), 0.0);
    assert_eq!(nmath::lfastchoose(7.0, 7.0), 0.0);
    assert_eq!(nmath::lfastchoose(7.0, -1.0), -INF);
    assert_eq!(nmath::lfastchoose(7.0, 8.0), -INF);
    assert_eq!(nmath::lfastchoose(INF, 2.0), INF);
    assert!(nmath::lfastchoose(7.0, 9.0).is_nan() && nmath::lfastchoose(f64::NAN, 1.0).is_nan());
    assert_eq!(nmath::log_minus_digamma(0.0), INF);
    assert_eq!(nmath::log_minus_digamma(INF), 0.0);
    assert!(nmath::log_minus_digamma(-1.0).is_nan() && nmath::log_minus_digamma(f64::NAN).is_nan());
    assert_eq!(nmath::log_minus_digamma(1e300), 0.5e-300);
}

#[test]
fn multinomial_counts_sum_to_the_size_and_have_the_right_moments() {
    let (weights, size, draws) = ([2.0, 0.0, 1.0, 5.0, 1e-30], 40.0, 20_000);
    let mut sums = [0.0; 5];
    let mut products = 0.0;
    for index in 0..draws {
        let mut counts = [9.0; 5];
        nmath::rmultinom(11, 3, index, size, &weights, &mut counts);
        assert_eq!(counts.iter().sum::<f64>(), size);
        assert_eq!(counts[1], 0.0, "nothing falls where the weight is 0");
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum += count;
        }
        products += (counts[0] - 10.0) * (counts[3] - 25.0);
    }
    let n = draws as f64;
    for (sum, weight) in sums.iter().zip(weights) {
        let p = weight / 8.0;
        let sd = (size * p * (1.0 - p) / n).sqrt();
        assert!((sum / n - size * p).abs() <= 5.0 * sd + 1e-9, "mean {} for weight {weight}", sum / n);
    }
    // the covariance of two counts is -n p q = -40 (2/8) (5/8)
    assert!((products / n + 6.25).abs() < 0.5, "{}", products / n);
}

#[test]
fn a_multinomial_vector_is_a_function_of_its_key_and_its_first_count_is_binomial() {
    let draw = |seed, stream, index| {
        let mut counts = [0.0; 3];
        nmath::rmultinom(seed, stream, index, 100.0, &[0.2, 0.3, 0.5], &mut counts);
        counts
    };
    assert_eq!(draw(1, 2, 3), draw(1, 2, 3));
    assert!(draw(1, 2, 3) != draw(1, 2, 4) && draw(1, 2, 3) != draw(1, 3, 3) && draw(1, 2, 3) != draw(2, 2, 3));
    assert_eq!(draw(1, 2, 3)[0], nmath::rbinom(1, 2, 3, 100.0, 0.2));
    // rows of one launch are single vectors
    let mut rows = [0.0; 12];
    nmath::rmultinoms::launch(4, 1, 2, 7, 100.0, 3, &[0.2, 0.3, 0.5], &mut rows);
    for (row, index) in rows.chunks(3).zip(7..) {
        assert_eq!(row, draw(1, 2, index));
    }
}

#[test]
fn impossible_multinomial_arguments_give_nan() {
    let draw = |size, weights: [f64; 2]| {
        let mut counts = [0.0; 2];
        nmath::rmultinom(1, 0, 0, size, &weights, &mut counts);
        counts
    };
    for (size, weights) in [
        (-1.0, [0.5, 0.5]),
        (1.5, [0.5, 0.5]),
        (f64::INFINITY, [0.5, 0.5]),
        (f64::NAN, [0.5, 0.5]),
        (3.0, [-0.5, 1.5]),
        (3.0, [0.0, 0.0]),
        (3.0, [f64::NAN, 1.0]),
        (3.0, [f64::INFINITY, 1.0]),
    ] {
        assert!(draw(size, weights).iter().all(|c| c.is_nan()), "{size}, {weights:?}");
    }
    assert_eq!(draw(0.0, [0.5, 0.5]), [0.0, 0.0]);
    assert_eq!(draw(3.0, [0.0, 2.0]), [0.0, 3.0]);
    nmath::rmultinom(1, 0, 0, 3.0, &[], &mut []);
}
