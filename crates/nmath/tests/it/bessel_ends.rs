//! Bessel functions where a factor of the result has left the range, and noncentral distributions where a step of theirs did or where
//! the result is next to 0: against Arb and mpmath with 60 digits and more.

use crate::truth::check;
use gristmill_nmath::{bessel_i, bessel_j, bessel_k, bessel_y, dnchisq, pnbeta, qnt};

#[test]
fn y_of_small_arguments_is_finite_up_to_the_end_of_the_range() {
    check(
        &[
            ("order 1.39", bessel_y(2.6788679369166003e-222, 1.3914566847655792), -1.5063485206545709007e308),
            ("order 0.96", bessel_y(1.3e-322, 0.9578851776178281), -1.3716905261516783223e308),
            ("order 1", bessel_y(3.824115e-309, 1.0), -1.6647505955432340884e308),
        ],
        1.6,
    );
}

#[test]
fn a_small_sine_brings_back_what_has_overflowed() {
    let (x, nu) = (6.385833020771627e-8, -35.99999999995117);
    check(
        &[
            ("J", bessel_j(x, nu), -3.5657734694286977447e299),
            ("I", bessel_i(x, nu, 1.0), -3.5657734694286975369e299),
            ("I, scaled", bessel_i(x, nu, 2.0), -3.565773241724365150663815e299),
            ("Y", bessel_y(6.683876955335693e-10, -29.501375521451276), -8.1100909462949997594e306),
        ],
        4.0,
    );
}

#[test]
fn k_of_orders_near_the_root_of_the_argument_has_terms_enough() {
    check(
        &[
            ("1e6", bessel_k(1121226.2239666295, 1058.8797023101288, 2.0), 0.0019514633292652541215),
            ("1e8", bessel_k(1e8, 9999.0, 2.0), 0.00020661590525482009873),
            ("1e4", bessel_k(1e4, 100.0, 2.0), 0.020662795900118329940),
        ],
        1.5,
    );
}

#[test]
fn the_noncentral_chi_squared_density_holds_where_the_product_underflows() {
    let (x, ncp) = (3.367667211425184e-128, 8.077584794889707e-258);
    check(
        &[
            ("far", dnchisq(x, 0.0, ncp, false), 2.0193961987224267208e-258),
            ("far, log", dnchisq(x, 0.0, ncp, true), -593.36415543725717806),
            ("near", dnchisq(1e-160, 0.0, 1e-160, false), 2.4999999999999999716e-161),
            ("near, log", dnchisq(1e-160, 0.0, 1e-160, true), -369.79990924016720007),
        ],
        1.0,
    );
}

#[test]
fn noncentral_t_quantiles_next_to_0_keep_their_digits() {
    check(
        &[
            ("0.16", qnt(0.16, 10.0, 1.0, true, false), 0.0056813809015831982142),
            ("0.51", qnt(0.51, 5.0, 1e-3, true, false), 0.027397722679278546388),
            ("0.1587", qnt(0.1587, 30.0, 1.0, true, false), 0.00018645313307432181421),
            ("1/2 + 1e-6", qnt(0.5 + 1e-6, 5.0, 1e-300, true, false), 2.63430552421967979e-6),
            ("1/2 + 1e-14", qnt(0.5 + 1e-14, 5.0, 1e-300, true, false), 2.63219998211799439e-14),
            ("1/2", qnt(0.5, 27.0, 3.75e-68, true, false), 3.784875471522760103542119e-68),
        ],
        2.0,
    );
    // Newton's steps went to and fro across 0 here.
    check(
        &[
            ("0.02 df", qnt(-5.579898122124148e-17, 0.02, -8.291746025449502, true, true), 3.405327927327814051166e-7),
            ("0.5 df", qnt(2.4623250166479285e-20, 0.5, -9.165656053196601, false, false), -5.189534952808858385326e-9),
        ],
        2.0,
    );
    // Mirrored.
    assert_eq!(qnt(0.16, 10.0, 1.0, true, false), -qnt(0.16, 10.0, -1.0, false, false));
    assert!(qnt(0.5, 27.0, 3.75e-68, true, false) > 0.0);
    assert!(qnt(0.5, 27.0, -3.75e-68, true, false) < 0.0);
}

#[test]
fn a_slight_second_shape_leaves_the_lower_tail_its_digits() {
    check(
        &[
            (
                "0.65",
                pnbeta(0.6537720601643511, 5.0, 0.004767526075717413, 2511.296006389687, true, false),
                3.207711787778069614482e-195,
            ),
            (
                "0.60",
                pnbeta(0.6006458686785541, 2.0, 0.0019399336464775891, 3083.2009638890086, true, false),
                8.134908515983438606471811e-274,
            ),
        ],
        4.0,
    );
}
