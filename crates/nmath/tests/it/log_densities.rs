//! Logarithms of densities next to 0, where their parts cancel, and tiny and huge scales: by Arb, at two precisions that agree.

use crate::truth::check;
use gristmill_nmath as nmath;

#[test]
fn the_logistic_density_keeps_its_digits_where_it_is_near_1() {
    check(
        &[
            ("beside the centre", nmath::dlogis(0.1568, 0.0, 0.221, true), 4.15325185469965969820315e-6),
            ("at it", nmath::dlogis(0.0003, 0.0, 0.25, true), -3.59999978400002010525235e-7),
            ("nearer", nmath::dlogis(1e-9, 0.0, 0.25, true), -4.00000000000000049558606e-18),
            ("a small scale", nmath::dlogis(0.04584863, 0.0, 0.01, true), 3.32270691208970443228545e-7),
        ],
        1.0,
    );
    assert_eq!(nmath::dlogis(3.0, 3.0, 0.25, true), 0.0);
    assert_eq!(nmath::dlogis(1e295, 1e295, 0.25, true), 0.0);
}

#[test]
fn the_gamma_density_keeps_its_digits_where_it_is_near_1() {
    check(
        &[
            ("shape 5/2", nmath::dgamma(0.12575, 2.5, 0.2, true), -2.72943911010190950931929e-5),
            ("0.3", nmath::dgamma(0.172054, 0.3, 0.5, true), 9.87917284920545297555551e-7),
            ("0.002", nmath::dgamma(0.0019725, 0.002, 0.5, true), -1.90611644836770636194963e-5),
            ("40.5", nmath::dgamma(1.76667, 40.5, 0.05, true), -9.45224349691200649165624e-6),
            ("450", nmath::dgamma(4.255867, 450.0, 0.01, true), -1.27987824904483353905651e-6),
            ("1e9", nmath::dgamma(9999.7844207, 1e9, 1e-5, true), 5.87307842509889936171870e-8),
            ("1", nmath::dgamma(0.3665, 1.0, 0.4, true), 4.07318741550794082597148e-5),
            ("beside 1", nmath::dgamma(0.346574, 1.0000003, 0.5, true), -7.56228950752466480970704e-7),
            ("chi-squared 1.2", nmath::dchisq(0.11338, 1.2, true), -8.05837081026866280198994e-6),
            ("chi-squared 0.6", nmath::dchisq(0.14046, 0.6, true), 1.06207898247252383573539e-5),
        ],
        1.0,
    );
    // the exponential density, which goes to 1 with all its digits
    assert_eq!(nmath::dgamma(1e-20, 1.0, 1.0, true), -1e-20);
    assert_eq!(nmath::dgamma(1e-190, 1.0, 1.0, true), -1e-190);
}

#[test]
fn the_f_density_keeps_its_digits_where_it_is_near_1() {
    check(
        &[
            ("4096, 33", nmath::df(1.2113206708855162, 4096.0, 33.0, true), -0.000754897393649806994474895),
            ("3/2, 7", nmath::df(0.11245, 1.5, 7.0, true), -1.51924138852833949387814e-5),
            ("60, 40", nmath::df(1.17611, 60.0, 40.0, true), 3.11740166136177762722395e-6),
            ("1e8, 3e9", nmath::df(1.00057255, 1e8, 3e9, true), 1.26772051359894924693682e-5),
            ("0.02, 3", nmath::df(0.00912964, 0.02, 3.0, true), 9.45180947626465432568399e-8),
            ("5e5, 20", nmath::df(1.14547, 5e5, 20.0, true), 3.67380625224258137044911e-7),
        ],
        1.0,
    );
}

#[test]
fn quantiles_reach_the_end_of_the_range() {
    check(
        &[
            (
                "qexp, where exp(p) is 0",
                nmath::qexp(-823.3944845333889, 5.143684232693432e303, true, true),
                1.30494809361937769144837e-54,
            ),
            (
                "qexp, where it is subnormal",
                nmath::qexp(-716.2924949986309, 1.3106949928804e297, true, true),
                1.08548451830753274981871e-14,
            ),
            ("qexp", nmath::qexp(-61.5, 1.7e308, true, true), 3.32153080299727069600558e281),
            (
                "qnorm",
                nmath::qnorm(0.9999996169599754, 1.7543218633575097e307, 3.6852418697212385e306, false, false),
                -6.75939159028771503248956e305,
            ),
            ("qlogis", nmath::qlogis(0.9, -1.5e308, 3e306, true, false), -1.43408326267991342302254e308),
            (
                "qlogis, whose product overflows",
                nmath::qlogis(0.95, -1.5e308, 1e308, true, false),
                1.44443897916643954094296e308,
            ),
        ],
        1.0,
    );
    assert_eq!(nmath::qexp(-61.5, f64::INFINITY, true, true), f64::INFINITY);
    assert_eq!(nmath::qnorm(0.9, f64::MAX, f64::MAX, true, false), f64::INFINITY);
}

#[test]
fn subnormal_arguments_and_scales_keep_the_digits_of_their_ratio() {
    check(
        &[
            (
                "pgamma",
                nmath::pgamma(1.01333951581e-312, 10411.889914794274, 9.56487e-317, false, false),
                0.0374197539859662298369747,
            ),
            (
                "pgamma of 1e-300",
                nmath::pgamma(2.49437513146656e-310, 8.5, 1e-300, false, true),
                -1.98409300629978147804066e-87,
            ),
            (
                "dgamma",
                nmath::dgamma(1.343145520450476e-308, 57.65953723217904, 1.8210073821658e-310, false),
                3.36573470472990090831076e307,
            ),
            ("pexp", nmath::pexp(2.894387386158e-311, 1.989673435155e-312, false, false), 4.81168919180093572439633e-7),
            ("its other tail", nmath::pexp(2.5e-313, 1.7e-312, true, false), 0.136756803089383526810358),
            ("dexp", nmath::dexp(2.894387386158e-309, 1.989673435155e-310, false), 2.41833112248088589506075e303),
        ],
        1.0,
    );
}
