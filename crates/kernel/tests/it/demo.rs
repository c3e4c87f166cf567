//! Kernels that exercise the language. The functions are for the prototype, not for their accuracy.

use gristmill_kernel::{Function, kernel};

#[kernel]
pub const LN2_HI: f64 = 6.931_471_803_691_238_2e-1; // the low 20 bits are zero: n * LN2_HI is exact
#[kernel]
const LN2_LO: f64 = 1.908_214_929_270_587_7e-10;
#[kernel]
const SHIFT: f64 = 6_755_399_441_055_744.0; // 1.5 * 2^52: adding it rounds to an integer
#[kernel]
const SHIFT_BITS: u64 = SHIFT.to_bits();

/// `e^x`. Range reduction by ln 2 and a Taylor polynomial; two scalings, so that subnormal results round once.
#[kernel(inline)]
pub fn exp(x: f64) -> f64 {
    let clamped = if x < -750.0 {
        -750.0
    } else if x > 710.0 {
        710.0
    } else {
        x
    };
    let t = clamped.mul_add(std::f64::consts::LOG2_E, SHIFT);
    let n = t - SHIFT;
    let r = (-n).mul_add(LN2_LO, (-n).mul_add(LN2_HI, clamped));
    let mut p: f64 = 1.0 / 6_227_020_800.0;
    p = p.mul_add(r, 1.0 / 479_001_600.0);
    p = p.mul_add(r, 1.0 / 39_916_800.0);
    p = p.mul_add(r, 1.0 / 3_628_800.0);
    p = p.mul_add(r, 1.0 / 362_880.0);
    p = p.mul_add(r, 1.0 / 40_320.0);
    p = p.mul_add(r, 1.0 / 5_040.0);
    p = p.mul_add(r, 1.0 / 720.0);
    p = p.mul_add(r, 1.0 / 120.0);
    p = p.mul_add(r, 1.0 / 24.0);
    p = p.mul_add(r, 1.0 / 6.0);
    p = p.mul_add(r, 0.5);
    p = p.mul_add(r, 1.0);
    p = p.mul_add(r, 1.0);
    let k = t.to_bits().wrapping_sub(SHIFT_BITS).wrapping_add(2048);
    let k1 = k >> 1;
    let k2 = k.wrapping_sub(k1);
    p * f64::from_bits(k1.wrapping_sub(1) << 52) * f64::from_bits(k2.wrapping_sub(1) << 52)
}

/// Natural logarithm: exponent, and the atanh series of the mantissa in [sqrt(1/2), sqrt(2)).
#[kernel(inline)]
pub fn log(x: f64) -> f64 {
    let tiny = x < f64::MIN_POSITIVE;
    let scaled = if tiny { x * 18_014_398_509_481_984.0 } else { x };
    let bits = scaled.to_bits();
    // Adding this to the bits carries into the exponent exactly when the mantissa is >= sqrt(2).
    let shifted = bits.wrapping_add(0x3ff0_0000_0000_0000 - 0x3fe6_a09e_667f_3bcd);
    let e = f64::from_bits((shifted >> 52) | 0x4330_0000_0000_0000) - (4_503_599_627_370_496.0 + 1023.0);
    let e = if tiny { e - 54.0 } else { e };
    let m = f64::from_bits((shifted & 0x000f_ffff_ffff_ffff).wrapping_add(0x3fe6_a09e_667f_3bcd));
    let f = m - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    let mut p: f64 = 1.0 / 23.0;
    p = p.mul_add(z, 1.0 / 21.0);
    p = p.mul_add(z, 1.0 / 19.0);
    p = p.mul_add(z, 1.0 / 17.0);
    p = p.mul_add(z, 1.0 / 15.0);
    p = p.mul_add(z, 1.0 / 13.0);
    p = p.mul_add(z, 1.0 / 11.0);
    p = p.mul_add(z, 1.0 / 9.0);
    p = p.mul_add(z, 1.0 / 7.0);
    p = p.mul_add(z, 1.0 / 5.0);
    p = p.mul_add(z, 1.0 / 3.0);
    // log m = f - s (f - 2 z p), with hfsq-free compensation
    let y = e.mul_add(LN2_HI, f - (s * (f - 2.0 * (z * p)) - e * LN2_LO));
    let special = if x == 0.0 {
        f64::NEG_INFINITY
    } else if x < 0.0 {
        f64::NAN
    } else {
        x
    };
    if x > 0.0 && x < f64::INFINITY { y } else { special }
}

/// The normal density.
#[kernel(inline)]
pub fn dnorm(x: f64, mu: f64, sd: f64, log_scale: bool) -> f64 {
    let z = (x - mu) / sd;
    let l = -(0.918_938_533_204_672_8 + 0.5 * z * z + log(sd));
    let d = exp(-0.5 * z * z) * 0.398_942_280_401_432_7 / sd;
    let y = if log_scale { l } else { d };
    if sd > 0.0 {
        y
    } else if sd == 0.0 && x != mu {
        if log_scale { f64::NEG_INFINITY } else { 0.0 }
    } else {
        f64::NAN
    }
}

/// The continued fraction of the upper incomplete gamma function (modified Lentz; DLMF 8.9.2), without its factor.
/// Gives the value and how many steps it took.
#[kernel]
pub fn upper_gamma_fraction(a: f64, x: f64) -> (f64, i32) {
    const TINY: f64 = 1e-300;
    if a.is_nan() || x.is_nan() {
        return (a + x, -1);
    }
    if x <= 0.0 || a < 0.0 {
        return (f64::NAN, -2);
    }
    let mut b = x + 1.0 - a;
    if b == 0.0 {
        b = TINY;
    }
    let mut c = 1.0 / TINY;
    let mut d = 1.0 / b;
    let mut h = d;
    let mut steps = 0;
    for i in 1..=200 {
        let step = i as f64;
        let an = -step * (step - a);
        b += 2.0;
        d = an.mul_add(d, b);
        if d.abs() < TINY {
            d = TINY;
        }
        c = b + an / c;
        if c.abs() < TINY {
            c = TINY;
        }
        d = 1.0 / d;
        let delta = d * c;
        h *= delta;
        steps = i;
        if (delta - 1.0).abs() < 1e-15 {
            return (h, steps);
        }
        if !h.is_finite() {
            break;
        }
    }
    (h, -steps)
}

#[kernel]
const WEYL: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];
#[kernel]
const PHILOX: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];

/// Philox4x32-10 (Salmon et al. 2011).
#[kernel]
pub fn philox(c0: u32, c1: u32, c2: u32, c3: u32, k0: u32, k1: u32) -> (u32, u32, u32, u32) {
    let (mut x0, mut x1, mut x2, mut x3) = (c0, c1, c2, c3);
    let (mut k0, mut k1) = (k0, k1);
    let (m0, m1): (u32, u32) = (PHILOX[0], PHILOX[1]);
    for _ in 0..10 {
        let p0 = (m0 as u64).wrapping_mul(x0 as u64);
        let p1 = (m1 as u64).wrapping_mul(x2 as u64);
        (x0, x1, x2, x3) = ((p1 >> 32) as u32 ^ x1 ^ k0, p1 as u32, (p0 >> 32) as u32 ^ x3 ^ k1, p0 as u32);
        k0 = k0.wrapping_add(WEYL[0]);
        k1 = k1.wrapping_add(WEYL[1]);
    }
    (x0, x1, x2, x3)
}

/// Every cast there is.
#[kernel]
pub fn casts(x: f64, i: i64) -> (i32, u32, i64, u64, f64, f64) {
    let narrow = i as i32;
    let unsigned = narrow as u32 as u64 ^ (i as u64);
    (x as i32, x as u32, x as i64, x as u64, i as f64 + narrow as f64, unsigned as f64)
}

#[kernel]
fn store_sum(total: &mut f64, error: &mut f64, x: f64) -> f64 {
    let s = *total + x;
    let bb = s - *total;
    *error += (*total - (s - bb)) + (x - bb);
    *total = s;
    s
}

/// `&mut` scalars, arrays, nested and labelled loops, match, evaluation order.
#[kernel]
pub fn kitchen_sink(x: f64, n: i32, m: u64) -> f64 {
    let mut table = [0.0; 8];
    for i in 0..8 {
        table[i] = x * (i as f64 + 0.5);
    }
    let (mut total, mut error): (f64, f64) = (0.0, 0.0);
    'outer: for j in (0..n & 15).rev() {
        let mut k = 0u64;
        loop {
            k += 1;
            if (m >> (k & 63)) & 1 == 1 {
                continue 'outer;
            }
            if k > 5 {
                break;
            }
            let _ = store_sum(&mut total, &mut error, table[((m ^ k) & 7) as usize]);
            if j == 3 && k == 4 {
                break 'outer;
            }
        }
        let weight = match j {
            0 | 1 => 0.25,
            2..=4 => {
                if total < 0.0 {
                    return if x.is_nan() { x } else { -total };
                }
                0.5
            }
            i if i > 10 => i as f64,
            _ => 1.0,
        };
        total *= weight;
    }
    let mut a = total;
    let b: f64 = a + {
        a = error;
        a * 2.0
    } - store_sum(&mut a, &mut error, 1.0) * a;
    let found = loop {
        a = a.mul_add(0.5, 1.0);
        if !(a.abs() > 3.0) {
            break if a > 0.0 { a } else { return b };
        }
    };
    found + b
}

pub const KERNELS: &[Function] = &[
    exp::FUNCTION,
    log::FUNCTION,
    dnorm::FUNCTION,
    upper_gamma_fraction::FUNCTION,
    philox::FUNCTION,
    casts::FUNCTION,
    kitchen_sink::FUNCTION,
];
