//! Values at the ends of the range of doubles, and at the borders between regions: by mpmath with 60 to 800 digits.

use crate::truth::{check, ulps};
use gristmill_nmath as nmath;

/// The `k` with `k log(k/0.03) - k + 0.03 = 1e300`, of which neither the next whole number nor a root's logarithm can be told.
const QPOIS: f64 = 1.456133719845512402017899e297;
/// The mean square of the range of four normal numbers, `2 + (6 + 2 sqrt(3))/pi`, over `q^2`.
const PTUKEY: f64 = 4.142576122269692389895742e-200;

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

#[test]
fn beta_functions_hold_for_shapes_beyond_1e260_and_subnormal_ones() {
    check(
        &[
            ("pbeta at 0", nmath::pbeta(0.0, 2.0, 1e270, true, false), 0.0),
            ("pbeta", nmath::pbeta(3e-270, 2.0, 1e270, true, false), 0.8008517265285442677755943),
            ("pbeta upper", nmath::pbeta(3e-270, 2.0, 1e270, false, false), 0.1991482734714557322244057),
            ("pbeta log", nmath::pbeta(3e-270, 2.0, 1e270, true, true), -0.2220794595000876264559323),
            ("pbeta far", nmath::pbeta(0.25, 2.0, 1e270, false, true), -2.876820724517809408894545e269),
            ("dbeta log", nmath::dbeta(3e-270, 2.0, 1e270, true), 619.7965873970604442458391),
            ("dbeta at the mean", nmath::dbeta(0.5, 1e280, 1e280, false), 1.128379167095512592391561e140),
            ("pbeta of a step", nmath::pbeta(0.4, 1e280, 1e280, true, true), -4.082199452025511238909665e278),
            ("qbeta", nmath::qbeta(0.5, 1.0, 1e270, true, false), 6.931471805599452770099544e-271),
            ("qbeta low", nmath::qbeta(0.1, 1.0, 1e270, true, false), 1.053605156578263024694002e-271),
            ("qbeta of a step", nmath::qbeta(0.5, 1e280, 3e280, true, false), 0.25),
            ("pbeta subnormal", nmath::pbeta(1e-300, 1e-310, 1.0, false, false), 6.907755278982115948146462e-308),
            ("dbeta subnormal", nmath::dbeta(0.5, 1e-310, 1.0, true), -713.1082316475942197912274),
            ("qbeta subnormal", nmath::qbeta(1e-308, 1e-310, 1.0, false, false), 3.720075976019733185915893e-44),
            ("pbeta both subnormal", nmath::pbeta(0.5, 1e-310, 3e-310, true, false), 0.75),
        ],
        1.0,
    );
}

#[test]
fn noncentral_f_quantiles_of_few_degrees_of_freedom_overflow_where_they_should() {
    // the upper tail is (df1 x/df2)^-(df2/2) times the mean of 1/(b B(a+j, b)) over the Poisson numbers j; the first is 2.1e599
    let infinite = [(0.5, 1e-3), (0.75, 2e-3), (1e-5, 1e-8), (0.3, 1e-320)];
    for (p, df2) in infinite {
        assert_eq!(nmath::qnf(p, 3.0, df2, 5.0, true, false), f64::INFINITY, "{p}, {df2}");
    }
    check(
        &[
            ("qnf(1e-28)", nmath::qnf(1e-28, 3.0, 1e-30, 5.0, true, false), 1.3501565347147055609e57),
            ("qnf(0.4)", nmath::qnf(0.4, 3.0, 4e-3, 5.0, true, false), 6.2729223936817824266e108),
            ("qnf of a tiny df1", nmath::qnf(-1e20, 1e-310, 2.0, 50.0, true, true), 0.0),
        ],
        1.0,
    );
}

#[test]
fn binomial_quantiles_of_a_subnormal_probability_count_its_masses() {
    // log P(X > k) of 1000 trials of 1e-310: -706.89 for 0, -4956.8 for 6, -5665.8 for 7
    let q = |p: f64, lower: bool, log: bool| nmath::qbinom(p, 1000.0, 1e-310, lower, log);
    assert_eq!(q(1e-306, false, false), 0.0);
    assert_eq!(q(1e-310, false, false), 1.0);
    assert_eq!(q(-706.0, false, true), 0.0);
    assert_eq!(q(-707.0, false, true), 1.0);
    assert_eq!(q(-4956.0, false, true), 6.0);
    assert_eq!(q(-4957.0, false, true), 7.0);
    assert_eq!(q(-1e-306, true, true), 0.0);
    assert_eq!(q(-1e-308, true, true), 1.0);
    assert_eq!(q(-1e6, false, true), 1000.0);
    let p = 3.5228983e-316;
    assert_eq!(nmath::dbinom(0.0, 56.0, p, true), -56.0 * p);
}

#[test]
fn negative_binomials_of_a_mean_beyond_1e250_are_gamma_numbers() {
    check(
        &[
            ("median", nmath::qnbinom_mu(0.5, 3.0, 1e260, true, false), 8.913534379078534975409e259),
            ("tail", nmath::qnbinom_mu(0.01, 0.01, 1e260, true, false), 5.660738147061947534797e61),
            ("a step", nmath::qnbinom_mu(0.3, 1e205, 1e251, true, false), 1e251),
            ("deviance", nmath::pnbinom_mu(9e250, 1e205, 1e251, true, true), -5.3605156578263069691e202),
            ("at the mean", nmath::dnbinom_mu(1e251, 1e255, 1e251, false), 1.2615031874275087635e-126),
        ],
        2.0,
    );
    // F(2917417191) < 0.003 <= F(2917417192), and F(0) = 0.0024
    assert_eq!(nmath::qnbinom_mu(0.003, 0.01, 1e260, true, false), 2_917_417_192.0);
    assert_eq!(nmath::qnbinom_mu(0.002, 0.01, 1e260, true, false), 0.0);
    // a subnormal mean
    assert_eq!(nmath::dnbinom_mu(0.0, 255.0, 6.86e-312, true), -6.86e-312);
    assert_eq!(nmath::pnbinom_mu(0.0, 255.0, 6.86e-312, false, false), 6.86e-312);
    assert_eq!(nmath::qnbinom_mu(-5000.0, 255.0, 6.86e-312, false, true), 6.0);
}

#[test]
fn student_s_quantile_is_infinite_beyond_the_range() {
    assert_eq!(nmath::qt(-1e200, 1e140, true, true), f64::NEG_INFINITY);
    assert_eq!(nmath::qt(-1e300, 1e80, false, true), f64::INFINITY);
}

/// Populations whose differences of counts are no doubles, or get no fraction: the sum of all masses that count, each by the ratio to its neighbour.
#[test]
fn hypergeometric_tails_hold_for_populations_of_any_size() {
    let mut problems = vec![];
    for ((x, r, b, n), lower, log, truth) in [
        ((298819.0, 215_321_560_204.0, 944_948_444_180.0, 1_610_201.0), false, true, -0.6937504164102326484517),
        ((1_830_000.0, 2_054_455.0, 388_209_652_437.0, 345_752_558_377.0), false, false, 0.293150667889706670953),
        ((500000.0, 1e20, 1e20, 1_000_000.0), true, false, 0.5003989421806658760419),
        ((500100.0, 1e17, 1e17, 1_000_000.0), false, false, 0.4203492933176409339861),
        ((250300.0, 1_000_000.0, 1e20, 2.5e19), false, false, 0.2438176616238081904183),
        ((2_000_000.0, 4000000000000000.0, 4e16, 22_000_000.0), true, false, 0.5001882767693868774529),
        ((1_000_700.0, 1e250, 1e250, 2_000_000.0), false, false, 0.1609266450405338025764),
        ((1_001_500.0, 3_000_000_000.0, 6_000_000_000.0, 3_000_000.0), false, true, -3.410022663322090922007),
        ((300.0, 1e20, 2e20, 900.0), true, false, 0.5156653080647068659993),
        ((470.0, 900.0, 1e20, 5e19), false, false, 0.0858477023676990368179),
        ((9_991_300.0, 10_000_000.0, 9e18, 8.992e18), true, false, 0.9780523045018991940052),
    ] {
        let value = nmath::phyper(x, r, b, n, lower, log);
        let error = ulps(value, truth);
        if error.is_nan() || error > 2.0 {
            problems.push(format!(
                "phyper({x}, {r:e}, {b:e}, {n:e}, {lower}, {log}): {value:?}, but it is {truth:?}, {error:.1} ulps"
            ));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// `log(1 + small/large)` had the digits of `1 + small/large` alone; a factor over a tiny argument left the range.
#[test]
fn beta_functions_of_a_small_and_a_huge_argument_keep_their_digits() {
    check(
        &[
            ("beta", nmath::beta(2.136232126180218e17, 13.662369094170653), 4.4710152088709237903e-228),
            (
                "dbeta of huge shapes, log",
                nmath::dbeta(4.6289973931604456e-194, 1.96261545067267e232, 3.0508203127942368e258, true),
                -7.5337118175864751611e234,
            ),
            (
                "dbeta of huge shapes",
                nmath::dbeta(1.5257076390989757e-195, 8.554270513249868e242, 2.155321801046395e240, false),
                0.0,
            ),
            ("dbeta of subnormal shapes", nmath::dbeta(5e-324, 5e-324, 5e-324, true), -std::f64::consts::LN_2),
        ],
        1.0,
    );
}
