//! Constants that several files share, as unevaluated sums `HIGH + LOW` of two doubles (107 bits).

use gristmill_kernel::kernel;

/// ln 2, leading part.
#[kernel]
pub const LN2_HIGH: f64 = 0.6931471805599453;
/// ln 2, the rest.
#[kernel]
pub const LN2_LOW: f64 = 2.3190468138462996e-17;
/// log(sqrt(2 pi)), leading part.
#[kernel]
pub const LN_SQRT_2PI_HIGH: f64 = 0.9189385332046728;
/// log(sqrt(2 pi)), the rest.
#[kernel]
pub const LN_SQRT_2PI_LOW: f64 = -3.8782941580672414e-17;
/// 1/sqrt(2 pi), leading part.
#[kernel]
pub const INV_SQRT_2PI_HIGH: f64 = 0.3989422804014327;
/// 1/sqrt(2 pi), the rest.
#[kernel]
pub const INV_SQRT_2PI_LOW: f64 = -2.49232720227773e-17;
/// 1/sqrt(pi), leading part.
#[kernel]
pub const INV_SQRT_PI_HIGH: f64 = 0.5641895835477563;
/// 1/sqrt(pi), the rest.
#[kernel]
pub const INV_SQRT_PI_LOW: f64 = 7.66772980658294e-18;
/// sqrt(1/2), leading part.
#[kernel]
pub const SQRT_HALF_HIGH: f64 = 0.7071067811865476;
/// sqrt(1/2), the rest.
#[kernel]
pub const SQRT_HALF_LOW: f64 = -4.833646656726457e-17;
/// sqrt(2 pi), leading part.
#[kernel]
pub const SQRT_2PI_HIGH: f64 = 2.5066282746310007;
/// sqrt(2 pi), the rest.
#[kernel]
pub const SQRT_2PI_LOW: f64 = -1.8328579980459167e-16;
/// pi, leading part.
#[kernel]
pub const PI_HIGH: f64 = 3.141592653589793;
/// pi, the rest.
#[kernel]
pub const PI_LOW: f64 = 1.2246467991473532e-16;
/// 1/pi, leading part.
#[kernel]
pub const INV_PI_HIGH: f64 = 0.3183098861837907;
/// 1/pi, the rest.
#[kernel]
pub const INV_PI_LOW: f64 = -1.9678676675182486e-17;
/// log(pi), leading part.
#[kernel]
pub const LN_PI_HIGH: f64 = 1.1447298858494002;
/// log(pi), the rest.
#[kernel]
pub const LN_PI_LOW: f64 = 1.0265951162707826e-17;
/// Euler's constant, leading part.
#[kernel]
pub const EULER_HIGH: f64 = 0.5772156649015329;
/// Euler's constant, the rest.
#[kernel]
pub const EULER_LOW: f64 = -4.942915152430645e-18;

/// `1/(n + 1)`, n = 0, 1, ...
#[kernel]
pub const RECIPROCALS: [f64; 56] = [
    1.0,
    1.0 / 2.0,
    1.0 / 3.0,
    1.0 / 4.0,
    1.0 / 5.0,
    1.0 / 6.0,
    1.0 / 7.0,
    1.0 / 8.0,
    1.0 / 9.0,
    1.0 / 10.0,
    1.0 / 11.0,
    1.0 / 12.0,
    1.0 / 13.0,
    1.0 / 14.0,
    1.0 / 15.0,
    1.0 / 16.0,
    1.0 / 17.0,
    1.0 / 18.0,
    1.0 / 19.0,
    1.0 / 20.0,
    1.0 / 21.0,
    1.0 / 22.0,
    1.0 / 23.0,
    1.0 / 24.0,
    1.0 / 25.0,
    1.0 / 26.0,
    1.0 / 27.0,
    1.0 / 28.0,
    1.0 / 29.0,
    1.0 / 30.0,
    1.0 / 31.0,
    1.0 / 32.0,
    1.0 / 33.0,
    1.0 / 34.0,
    1.0 / 35.0,
    1.0 / 36.0,
    1.0 / 37.0,
    1.0 / 38.0,
    1.0 / 39.0,
    1.0 / 40.0,
    1.0 / 41.0,
    1.0 / 42.0,
    1.0 / 43.0,
    1.0 / 44.0,
    1.0 / 45.0,
    1.0 / 46.0,
    1.0 / 47.0,
    1.0 / 48.0,
    1.0 / 49.0,
    1.0 / 50.0,
    1.0 / 51.0,
    1.0 / 52.0,
    1.0 / 53.0,
    1.0 / 54.0,
    1.0 / 55.0,
    1.0 / 56.0,
];
/// 1/12 = TWELFTH_HIGH + TWELFTH_LOW
#[kernel]
pub(crate) const TWELFTH_HIGH: f64 = 0.08333333333333333;
#[kernel]
pub(crate) const TWELFTH_LOW: f64 = 4.625929269271485e-18;
