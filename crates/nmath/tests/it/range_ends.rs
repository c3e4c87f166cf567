//! Values at the ends of the range of doubles, and at the borders between regions: by mpmath with 60 to 800 digits.

use gristmill_nmath as nmath;

/// The `k` with `k log(k/0.03) - k + 0.03 = 1e300`, of which neither the next whole number nor a root's logarithm can be told.
const QPOIS: f64 = 1.456133719845512402017899e297;
/// The mean square of the range of four normal numbers, `2 + (6 + 2 sqrt(3))/pi`, over `q^2`.
const PTUKEY: f64 = 4.142576122269692389895742e-200;

/// The distance of a value from the true one in units of its last place.
fn ulps(value: f64, truth: f64) -> f64 {
    if value == truth {
        return 0.0;
    }
    (value - truth).abs() / (truth.abs().next_up() - truth.abs())
}

fn check(cases: &[(&str, f64, f64)], most: f64) {
    let bad: Vec<String> = cases
        .iter()
        .filter(|(_, value, truth)| {
            let error = ulps(*value, *truth);
            error.is_nan() || error > most
        })
        .map(|(name, value, truth)| format!("{name}: {value:?}, but it is {truth:?}"))
        .collect();
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn gamma_functions_hold_at_their_borders() {
    check(
        &[
            ("gamma(1e-17)", nmath::gammafn(1e-17), 99999999999999992.26854193),
            ("lgamma(1e-300)", nmath::lgammafn(1e-300), 690.7755278982137051803383),
            ("lgamma(-1e-200)", nmath::lgammafn(-1e-200), 460.517018598809136821498),
            ("lgamma(-1e-154)", nmath::lgammafn(-1e-154), 354.598104321083035365862),
            ("lgamma(-1e-20)", nmath::lgammafn(-1e-20), 46.05170185988091373521233),
            ("lgammafn_sign(-1e-200)", nmath::lgammafn_sign(-1e-200).0, 460.517018598809136821498),
        ],
        1.0,
    );
}

#[test]
fn beta_functions_hold_below_one_half() {
    let h = 0.49999999999999994;
    check(
        &[
            ("pbeta", nmath::pbeta(0.3, h, 2.2, true, false), 0.7644826869422781411631784),
            ("dbeta", nmath::dbeta(0.3, h, 2.2, false), 0.9412792857967722260869829),
            ("pf", nmath::pf(0.7, 3.3, 2.0 * h, true, false), 0.3107704741213911560666981),
        ],
        1.0,
    );
}

#[test]
fn beta_functions_hold_up_to_the_end_of_the_range() {
    check(
        &[
            ("lbeta", nmath::lbeta(0.119, 1e308), -82.32338422094657850125505),
            ("beta", nmath::beta(0.119, 1e308), 1.767699753015852053543034e-36),
            ("lbeta of two", nmath::lbeta(1.7e308, 1e308), -1.779711760322075462465948e308),
            ("lchoose(-0.44, 6e307)", nmath::lchoose(-0.44, 6e307), -397.5635366711075439802511),
            ("choose(0.5, 6e307)", nmath::choose(0.5, 6e307), 0.0),
            ("choose(1e308, 3)", nmath::choose(1e308, 3.0), f64::INFINITY),
            ("lchoose(1e308, 10)", nmath::lchoose(1e308, 10.0), 7076.857673848585191589979),
            ("lchoose(1e308, 1e307)", nmath::lchoose(1e308, 1e307), 3.2508297339144823759402e307),
        ],
        1.0,
    );
}

#[test]
fn binomial_functions_hold_for_any_number_of_trials() {
    let half = 2f64.powi(999);
    check(
        &[
            ("far", nmath::dbinom(15.0, 1e300, 0.6666, true), -1.098412308665443393358782e300),
            ("Poisson", nmath::dbinom(3.0, 1e308, 1e-307, false), 0.007566654960414146143734063),
            ("Poisson, log", nmath::dbinom(3.0, 1e308, 1e-307, true), -4.884004190245917390898326),
            ("middle", nmath::dbinom(half, 2.0 * half, 0.5, false), 2.437486558671584712584517e-151),
            ("middle, log", nmath::dbinom(half, 2.0 * half, 0.5, true), -346.7993816326173821409792),
            ("near the mean", nmath::dbinom(3e299, 1e300, 0.3, true), -2.934750391447216733452744e266),
            ("subnormal", nmath::dbinom(26.0, 9178.0, 1e-310, true), -18382.89431542956556341137),
            ("lower tail", nmath::pbinom(15.0, 1e300, 0.6666, true, true), -1.098412308665443393358782e300),
            ("upper tail", nmath::pbinom(25.0, 9178.0, 1e-310, false, true), -18382.89431542956556341137),
            ("quantile", nmath::qbinom(0.3, 1e300, 0.25, true, false), 2.5e299),
            ("Poisson quantile", nmath::qbinom(0.3, 1e300, 1e-299, true, false), 8.0),
        ],
        2.0,
    );
}

#[test]
fn densities_hold_at_the_ends_of_the_range() {
    let most = f64::MAX;
    check(
        &[
            ("dnbinom_mu", nmath::dnbinom_mu(3.0, 2.5, 1.1e250, true), -1435.181860113186235029019),
            ("dchisq", nmath::dchisq(most, most, true), -356.1568685701766437626006),
            ("df", nmath::df(0.488, 16.2, 5e-324, true), -744.4157792288122177266332),
            ("dt", nmath::dt(1e-92, 1e-310, false), 4.999999999999984784039896e-219),
            ("dt at 0", nmath::dt(0.0, 1e-310, false), 4.999999999999992362331876e-156),
            ("dt, log", nmath::dt(3.0, 1e-310, true), -715.5931382973822201014571),
        ],
        2.0,
    );
}

#[test]
fn probabilities_and_quantiles_hold_at_the_ends_of_the_range() {
    check(
        &[
            ("pt", nmath::pt(-1e-92, 1e-310, true, false), 0.5),
            ("qt", nmath::qt(0.6, 1e-310, true, false), f64::INFINITY),
            ("qt below", nmath::qt(0.4, 1e-310, true, false), f64::NEG_INFINITY),
            ("pf", nmath::pf(0.488, 16.2, 5e-324, true, true), -738.5213103874635349487733),
            ("qgeom", nmath::qgeom(1e-310, 2.2e-308, false, false), f64::INFINITY),
            ("qpois", nmath::qpois(0.3, 1e298, true, false), 1e298),
            ("deep qt", nmath::qt(-1e300, 1e300, false, true), 2.527658224311714687457904e150),
            ("less deep qt", nmath::qt(-1e8, 1e30, false, true), 14142.13488297630061310921),
        ],
        2.0,
    );
    // bisection between values of the distribution function, which has an error of its own
    check(&[("deep qpois", nmath::qpois(-1e300, 0.03, false, true), QPOIS)], 1e3);
    check(&[("ptukey", nmath::ptukey(1.1e100, 1.0, 4.0, 2.0, false, false), PTUKEY)], 5.0);
    assert_eq!(nmath::bessel_i(1.0, 2.0, 4.0), nmath::bessel_i(1.0, 2.0, 2.0));
}

#[test]
fn what_the_test_of_borders_found_is_mended() {
    check(
        &[
            ("erfcinv(7.79e-20)", nmath::erfcinv(7.79e-20), 6.44603289198252879296205),
            ("choose", nmath::choose(0.3, 10000000000000002.0), 3.66292519108991681986063e-22),
            ("lchoose", nmath::lchoose(2.2, 10000000000000002.0), -118.6830754349708580762361),
            ("qchisq", nmath::qchisq(-1e300, 3e-206, false, true), 2e300),
        ],
        1.0,
    );
    assert!(nmath::lfastchoose(0.7f64.next_down(), 1.7).is_nan());
}
