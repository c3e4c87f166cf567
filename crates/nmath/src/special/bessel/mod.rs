//! Bessel functions I, J, K, Y of real order: which formula where, and why the borders lie there.
//!
//! With `w = sqrt|x^2 +- nu^2|`, the phase `xi = w - nu acos(nu/x)` of J and Y above the transition `x = nu`, and the exponent
//! `eta = nu acosh(nu/x) - w` below it:
//!
//! | function | where | formula | file |
//! |---|---|---|---|
//! | I | `x^2 + nu^2 >= 400` | Debye's expansion | `debye` |
//! | | below | power series in double-double | `series` |
//! | K | `x >= 20`, `nu^2 <= x` | Hankel's expansion | `large_argument` |
//! | | otherwise, `x^2 + nu^2 >= 400` | Debye's expansion | `debye` |
//! | | below, `x < 1` | Temme's series at the order's distance from an integer, recurrence | `temme`, `recurrence` |
//! | | below, `x >= 1` | trapezoidal rule at that distance (half-integers: closed form), recurrence | `quadrature` |
//! | J, Y | `nu >= 25`, `xi >= 20` or `eta >= 20` | Debye's expansions | `debye` |
//! | | `nu >= 25`, between | Airy-type expansion | `airy` |
//! | J | `nu < 25`, `x <= max(8, nu)` | power series in double-double | `series` |
//! | Y | `nu < 25`, `x < 1` | Temme's series, recurrence | `temme` |
//! | J, Y | `nu < 25`, `x >= 20`, `nu^2 <= x` | Hankel's expansion | `large_argument` |
//! | | `nu < 25`, `x >= 20`, `xi >= 20` | Debye's expansion | `debye` |
//! | | `nu < 25`, otherwise | two lowest orders, recurrence upwards: from Hankel's expansion for `x >= 20`, from the trapezoidal rule below, from sine and cosine for half-integers | `large_argument`, `quadrature`, `recurrence` |
//!
//! Borders:
//! - 20: Debye's expansion to `u_24` leaves `24!/(2 pi 40^25) = 2^-57`; the distance of the saddle points is `2 xi`, `2 eta` or at least `2 w`.
//! - 25: five terms of the Airy-type expansion leave 2^-57; below, the recurrence takes 25 steps at most. J is taken up only while
//!   `nu < x`, where that is stable; Y and K dominate everywhere.
//! - 8: the power series of J loses 12 bits there, of the 100 it has, and its 26 terms cost less than the trapezoidal rule's 40 nodes.
//! - 1: Temme's series then has 13 terms, of which two must be pairs; the trapezoidal rule needs more nodes the smaller `x` is.
//!
//! Exponents and phases are double-double; so results keep their digits for orders and arguments up to 1e7 (I and K, where `x` and
//! `nu asinh(nu/x)` cancel) and 1e12 (J and Y: `nu 2^-98` of a turn). Beyond, the modulus is right and the phase loses its digits one by one;
//! the Airy-type expansion, next to the transition, has no such limit. Nothing is refused, and no call depends on the size of its arguments:
//! the longest loops are some 60 terms of a series.

mod airy;
mod debye;
mod first_kind;
mod large_argument;
mod modified;
mod quadrature;
mod recurrence;
mod series;
mod tables;
mod temme;

pub use first_kind::{bessel_j, bessel_y};
pub use modified::{bessel_i, bessel_k};
