//! What C99 (Annex F) and, for the functions of multiples of pi, C23 say of zeros, infinities, NaN and exact cases.

use gristmill_nmath as nmath;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

type Named = (&'static str, fn(f64) -> f64);

type Unary = (&'static str, fn(f64) -> f64, &'static [(f64, f64)]);

const UNARY: &[Unary] = &[
    ("exp", nmath::exp, &[(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (710.0, INF), (-746.0, 0.0), (NAN, NAN)]),
    ("expm1", nmath::expm1, &[(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -1.0), (710.0, INF), (NAN, NAN)]),
    ("log", nmath::log, &[(0.0, -INF), (-0.0, -INF), (1.0, 0.0), (-1.0, NAN), (-INF, NAN), (INF, INF), (NAN, NAN)]),
    (
        "log1p",
        nmath::log1p,
        &[(0.0, 0.0), (-0.0, -0.0), (-1.0, -INF), (-1.5, NAN), (-INF, NAN), (INF, INF), (NAN, NAN), (5e-324, 5e-324)],
    ),
    (
        "log2",
        nmath::log2,
        &[(0.0, -INF), (-0.0, -INF), (1.0, 0.0), (-1.0, NAN), (INF, INF), (NAN, NAN), (5e-324, -1074.0), (8.0, 3.0)],
    ),
    (
        "log10",
        nmath::log10,
        &[(0.0, -INF), (-0.0, -INF), (1.0, 0.0), (-1.0, NAN), (INF, INF), (NAN, NAN), (1e22, 22.0), (1e3, 3.0)],
    ),
    ("sqrt", nmath::sqrt, &[(0.0, 0.0), (-0.0, -0.0), (-1.0, NAN), (INF, INF), (NAN, NAN), (9.0, 3.0)]),
    (
        "cbrt",
        nmath::cbrt,
        &[(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (NAN, NAN), (-27.0, -3.0), (1e-300, 1e-100)],
    ),
    ("sin", nmath::sin, &[(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN), (NAN, NAN), (5e-324, 5e-324)]),
    ("cos", nmath::cos, &[(0.0, 1.0), (-0.0, 1.0), (INF, NAN), (-INF, NAN), (NAN, NAN)]),
    ("tan", nmath::tan, &[(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN), (NAN, NAN), (-5e-324, -5e-324)]),
    (
        "sinpi",
        nmath::sinpi,
        &[
            (0.0, 0.0),
            (-0.0, -0.0),
            (1.0, 0.0),
            (-1.0, -0.0),
            (2.0, 0.0),
            (-2.0, -0.0),
            (1e300, 0.0),
            (0.5, 1.0),
            (-0.5, -1.0),
            (1.5, -1.0),
            (2.5, 1.0),
            (INF, NAN),
            (-INF, NAN),
            (NAN, NAN),
            (4503599627370495.5, -1.0),
        ],
    ),
    (
        "cospi",
        nmath::cospi,
        &[
            (0.0, 1.0),
            (-0.0, 1.0),
            (1.0, -1.0),
            (-1.0, -1.0),
            (2.0, 1.0),
            (1e300, 1.0),
            (0.5, 0.0),
            (-0.5, 0.0),
            (1.5, 0.0),
            (-1.5, 0.0),
            (INF, NAN),
            (-INF, NAN),
            (NAN, NAN),
            (9007199254740991.0, -1.0),
        ],
    ),
    (
        "tanpi",
        nmath::tanpi,
        &[
            (0.0, 0.0),
            (-0.0, -0.0),
            (1.0, -0.0),
            (-1.0, 0.0),
            (2.0, 0.0),
            (-2.0, -0.0),
            (3.0, -0.0),
            (0.5, INF),
            (1.5, -INF),
            (2.5, INF),
            (-0.5, -INF),
            (-1.5, INF),
            (0.25, 1.0),
            (-0.25, -1.0),
            (0.75, -1.0),
            (INF, NAN),
            (-INF, NAN),
            (NAN, NAN),
        ],
    ),
    (
        "asin",
        nmath::asin,
        &[(0.0, 0.0), (-0.0, -0.0), (1.0, FRAC_PI_2), (-1.0, -FRAC_PI_2), (1.5, NAN), (-INF, NAN), (NAN, NAN)],
    ),
    (
        "acos",
        nmath::acos,
        &[(1.0, 0.0), (0.0, FRAC_PI_2), (-1.0, PI), (1.0000000000000002, NAN), (INF, NAN), (NAN, NAN)],
    ),
    (
        "atan",
        nmath::atan,
        &[(0.0, 0.0), (-0.0, -0.0), (INF, FRAC_PI_2), (-INF, -FRAC_PI_2), (1.0, FRAC_PI_4), (NAN, NAN)],
    ),
    ("sinh", nmath::sinh, &[(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (711.0, INF), (NAN, NAN)]),
    ("cosh", nmath::cosh, &[(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, INF), (-711.0, INF), (NAN, NAN)]),
    ("tanh", nmath::tanh, &[(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (30.0, 1.0), (NAN, NAN)]),
];

type Binary = (&'static str, fn(f64, f64) -> f64, &'static [(f64, f64, f64)]);

const BINARY: &[Binary] = &[
    (
        "pow",
        nmath::pow,
        &[
            (0.0, -3.0, INF),
            (-0.0, -3.0, -INF),
            (0.0, -2.0, INF),
            (-0.0, -2.0, INF),
            (0.0, -2.5, INF),
            (-0.0, -2.5, INF),
            (0.0, -INF, INF),
            (-0.0, -INF, INF),
            (0.0, 3.0, 0.0),
            (-0.0, 3.0, -0.0),
            (0.0, 2.0, 0.0),
            (-0.0, 2.0, 0.0),
            (-0.0, 2.5, 0.0),
            (-1.0, INF, 1.0),
            (-1.0, -INF, 1.0),
            (1.0, NAN, 1.0),
            (1.0, -INF, 1.0),
            (NAN, 0.0, 1.0),
            (NAN, -0.0, 1.0),
            (INF, 0.0, 1.0),
            (-2.0, 0.5, NAN),
            (-2.5, -1.5, NAN),
            (0.5, -INF, INF),
            (-0.5, -INF, INF),
            (2.0, -INF, 0.0),
            (-2.0, -INF, 0.0),
            (0.5, INF, 0.0),
            (2.0, INF, INF),
            (-INF, -3.0, -0.0),
            (-INF, -2.0, 0.0),
            (-INF, -2.5, 0.0),
            (-INF, 3.0, -INF),
            (-INF, 2.0, INF),
            (-INF, 2.5, INF),
            (INF, -1.0, 0.0),
            (INF, 0.5, INF),
            (NAN, 1.0, NAN),
            (2.0, NAN, NAN),
            (-2.0, 3.0, -8.0),
            (-2.0, 9007199254740993.0, INF),
            (2.0, -1074.0, 5e-324),
            (2.0, 1024.0, INF),
            (2.0, -1076.0, 0.0),
            (-2.0, -1077.0, -0.0),
            (10.0, 22.0, 1e22),
            (0.5, 1e308, 0.0),
            (1.0000000000000002, 1e308, INF),
            (5e-324, 1.0, 5e-324),
            (1.7976931348623157e308, -1e300, 0.0),
        ],
    ),
    (
        "atan2",
        nmath::atan2,
        &[
            (0.0, -0.0, PI),
            (-0.0, -0.0, -PI),
            (0.0, 0.0, 0.0),
            (-0.0, 0.0, -0.0),
            (0.0, -1.0, PI),
            (-0.0, -1.0, -PI),
            (0.0, 1.0, 0.0),
            (-0.0, 1.0, -0.0),
            (-1.0, 0.0, -FRAC_PI_2),
            (-1.0, -0.0, -FRAC_PI_2),
            (1.0, 0.0, FRAC_PI_2),
            (1.0, -INF, PI),
            (-1.0, -INF, -PI),
            (1.0, INF, 0.0),
            (-1.0, INF, -0.0),
            (INF, 1.0, FRAC_PI_2),
            (-INF, -1.0, -FRAC_PI_2),
            (INF, -INF, 3.0 * FRAC_PI_4),
            (-INF, -INF, -3.0 * FRAC_PI_4),
            (INF, INF, FRAC_PI_4),
            (-INF, INF, -FRAC_PI_4),
            (NAN, 1.0, NAN),
            (1.0, NAN, NAN),
            (5e-324, 5e-324, FRAC_PI_4),
            (1.7976931348623157e308, 1.7976931348623157e308, FRAC_PI_4),
            (5e-324, 1.7976931348623157e308, 0.0),
        ],
    ),
];

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

#[test]
fn special_values_are_those_of_the_c_standard_down_to_the_sign_of_zero() {
    let mut wrong = vec![];
    for (name, f, cases) in UNARY {
        for (x, y) in *cases {
            if !same(f(*x), *y) {
                wrong.push(format!("{name}({x:?}) is {:?}, but must be {y:?}", f(*x)));
            }
        }
    }
    for (name, f, cases) in BINARY {
        for (x, y, z) in *cases {
            if !same(f(*x, *y), *z) {
                wrong.push(format!("{name}({x:?}, {y:?}) is {:?}, but must be {z:?}", f(*x, *y)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A reproducible stream of finite doubles of every magnitude.
fn random_doubles(seed: u64, count: usize) -> impl Iterator<Item = f64> {
    let mut state = seed;
    std::iter::from_fn(move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let x = f64::from_bits(state ^ (state >> 29));
        Some(if x.is_finite() { x } else { f64::from_bits(state & 0x7fef_ffff_ffff_ffff) })
    })
    .take(count)
}

#[test]
fn odd_functions_are_odd_and_even_functions_are_even_bit_for_bit() {
    let odd: &[Named] = &[
        ("sin", nmath::sin),
        ("tan", nmath::tan),
        ("asin", nmath::asin),
        ("atan", nmath::atan),
        ("sinh", nmath::sinh),
        ("tanh", nmath::tanh),
        ("cbrt", nmath::cbrt),
        ("sinpi", nmath::sinpi),
        ("tanpi", nmath::tanpi),
    ];
    let even: &[Named] = &[("cos", nmath::cos), ("cosh", nmath::cosh), ("cospi", nmath::cospi)];
    for x in random_doubles(1, 2000).chain((0..2000).map(|i| i as f64 * 0.01)) {
        for (name, f) in odd {
            assert!(same(f(-x), -f(x)) || f(x) == 0.0, "{name}({x:?})");
        }
        for (name, f) in even {
            assert!(same(f(-x), f(x)), "{name}({x:?})");
        }
    }
}

#[test]
fn monotone_functions_are_monotone_across_neighbouring_doubles() {
    let rising: &[(Named, f64, f64)] = &[
        (("exp", nmath::exp), -745.0, 709.0),
        (("expm1", nmath::expm1), -36.0, 709.0),
        (("log", nmath::log), 1e-300, 1e300),
        (("log1p", nmath::log1p), -0.99, 1e10),
        (("cbrt", nmath::cbrt), -1e10, 1e10),
        (("atan", nmath::atan), -1e3, 1e3),
        (("asin", nmath::asin), -0.99, 0.99),
        (("sinh", nmath::sinh), -700.0, 700.0),
        (("tanh", nmath::tanh), -18.0, 18.0),
        (("log2", nmath::log2), 1e-300, 1e300),
        (("log10", nmath::log10), 1e-300, 1e300),
    ];
    for ((name, f), low, high) in rising {
        for i in 0..2000 {
            // Where the slope is below one ulp per ulp, a wrong neighbour shows as a step down of two ulps or more.
            let x = low + (high - low) * (f64::from(i) + 0.37) / 2000.0;
            let (a, b) = (f(x), f(x.next_up()));
            assert!(b >= a.next_down(), "{name}({x:?}) = {a:?}, but {b:?} one ulp further");
            assert!(f(x + (high - x) * 1e-9) >= a, "{name} falls after {x:?}");
        }
    }
}
