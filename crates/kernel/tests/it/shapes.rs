//! Kernels for structs, splits, masks, f32, arrays and entry points. Written for their shapes, not for their accuracy.

use crate::demo::{exp, log};
use gristmill_kernel::{Function, kernel};

#[kernel]
pub struct Dd {
    pub hi: f64,
    pub lo: f64,
}

#[kernel]
struct Setup {
    scale: f64,
    shift: f64,
    coef: [f64; 3],
    log: bool,
}

#[kernel(inline)]
pub fn two_sum(a: f64, b: f64) -> Dd {
    let s = a + b;
    let t = s - a;
    Dd { hi: s, lo: (a - (s - t)) + (b - t) }
}

#[kernel(inline)]
pub fn dd_add(x: Dd, y: Dd) -> Dd {
    let s = two_sum(x.hi, y.hi);
    let lo = s.lo + (x.lo + y.lo);
    let r = two_sum(s.hi, lo);
    r
}

#[kernel]
pub fn dd_sum3(a: f64, b: f64, c: f64) -> (f64, f64) {
    let mut s = two_sum(a, b);
    s = dd_add(s, Dd { hi: c, lo: 0.0 });
    if s.hi.is_nan() {
        s.lo = 1.0;
    }
    (s.hi, s.lo)
}

#[kernel]
fn setup(mu: f64, sd: f64, log: bool) -> Setup {
    let mut coef = [1.0, 0.5, 0.25];
    for i in 0..3 {
        coef[i] *= sd;
    }
    Setup { scale: 1.0 / sd, shift: mu, coef, log }
}

#[kernel(inline)]
fn eval(x: f64, s: Setup) -> f64 {
    let z = (x - s.shift) * s.scale;
    let p = s.coef[0] + z * (s.coef[1] + z * s.coef[2]);
    if s.log { log(p.abs()) } else { exp(-z * z) * p }
}

#[kernel(split)]
pub fn split_kernel(x: f64, mu: f64, sd: f64, log: bool) -> f64 {
    eval(x, setup(mu, sd, log))
}

#[kernel(inline)]
fn in_main(x: f64, y: f64) -> bool {
    x.abs() < 10.0 && y.abs() < 10.0
}

#[kernel(inline)]
fn main_path(x: f64, y: f64) -> f64 {
    exp(x) * y
}

#[kernel]
fn rest(x: f64, y: f64) -> f64 {
    let mut s = 0.0;
    let mut i = 0;
    while i < 5 {
        s += if x > y { x } else { y };
        i += 1;
    }
    s
}

#[kernel(masked)]
pub fn masked_kernel(x: f64, y: f64) -> f64 {
    if in_main(x, y) { main_path(x, y) } else { rest(x, y) }
}

/// Truth values in and out: in columns they are bytes, in lanes the bits of a mask.
#[kernel]
pub fn majority(a: bool, b: bool, x: f64) -> bool {
    (a && b) || (x > 0.0 && (a || b))
}

#[kernel]
struct Scaled {
    factor: f64,
}

#[kernel]
fn scaled(a: f64, b: f64) -> Scaled {
    Scaled { factor: a * b + 1.0 }
}

#[kernel(inline)]
fn inside(x: f64, s: Scaled, upper: bool) -> bool {
    x.abs() < s.factor && !upper
}

#[kernel(inline)]
fn inner(x: f64, s: Scaled, upper: bool) -> f64 {
    if upper { x } else { x * s.factor }
}

#[kernel]
fn outside(x: f64, s: Scaled, upper: bool) -> f64 {
    if upper { -x } else { s.factor - x }
}

#[kernel(masked)]
fn masked_eval(x: f64, s: Scaled, upper: bool) -> f64 {
    if inside(x, s, upper) { inner(x, s, upper) } else { outside(x, s, upper) }
}

/// A split whose eval is masked, with a flag after the setup.
#[kernel(split)]
pub fn split_masked(x: f64, a: f64, b: f64, upper: bool) -> f64 {
    masked_eval(x, scaled(a, b), upper)
}

#[kernel]
struct Fields {
    pair: (f64, f64),
    count: i32,
    table: [f64; 3],
    inner: Scaled,
    flag: bool,
}

/// What `Fields` has, taken over.
#[kernel]
struct Taken {
    pair: (f64, f64),
    zeros: [f64; 21],
    table: [f64; 3],
}

#[kernel]
fn fields_of(a: f64, b: f64) -> Fields {
    let low = if a > b { 1e-17 } else { 0.0 };
    Fields { pair: (a, low), count: 2, table: [a, b, a - b], inner: Scaled { factor: b }, flag: a < 1.0 }
}

#[kernel(inline)]
fn of_pair(p: (f64, f64), count: i32, flag: bool) -> f64 {
    if flag { p.0 - p.1 } else { p.0 * count as f64 }
}

#[kernel(inline)]
fn of_table(t: [f64; 3], s: Scaled) -> f64 {
    t[0] + t[1] * s.factor - t[2]
}

/// A field of every type is passed on as it is, to kernels and into a struct; parts of pairs are named.
#[kernel(inline)]
fn fields_eval(x: f64, s: Fields) -> f64 {
    let taken = Taken { pair: s.pair, zeros: [x; 21], table: s.table };
    let both = of_pair(s.pair, s.count, s.flag) + of_pair(taken.pair, s.count, x > 1.0);
    let in_order = of_pair(
        s.pair,
        if x > 0.0 {
            let mut n: i32 = 1;
            n += 1;
            n
        } else {
            3
        },
        s.flag,
    );
    both + in_order + of_table(taken.table, s.inner) + taken.zeros[3] * s.pair.0 + s.pair.1
}

#[kernel(split)]
pub fn passed_fields(x: f64, a: f64, b: f64) -> f64 {
    fields_eval(x, fields_of(a, b))
}

/// The main path of a proposal: NaN where it is refused.
#[kernel]
fn proposal(x: f64, s: Scaled, upper: bool) -> f64 {
    let mut y = x;
    for i in 0..3 {
        y = y * 0.5 + i as f64;
    }
    if y < s.factor && !upper { y } else { f64::NAN }
}

#[kernel(inline)]
fn accepted(y: f64) -> bool {
    !y.is_nan()
}

#[kernel(masked)]
fn proposal_eval(x: f64, s: Scaled, upper: bool) -> f64 {
    let y = proposal(x, s, upper);
    if accepted(y) { y } else { outside(x, s, upper) }
}

/// A split whose eval is masked by what its main path gives.
#[kernel(split)]
pub fn split_proposal(x: f64, a: f64, b: f64, upper: bool) -> f64 {
    proposal_eval(x, scaled(a, b), upper)
}

/// What the rest of `split_two_setups` needs: more than `Scaled`, and large enough to be kept.
#[kernel]
struct Tabled {
    table: [f64; 24],
    sign: f64,
}

#[kernel]
fn tabled(a: f64, b: f64) -> Tabled {
    let mut table: [f64; 24] = [0.0; 24];
    let mut t: f64 = a;
    for i in 0..24usize {
        t = t.mul_add(0.75, b / (1.0 + i as f64)) - (t * t + 1.0).sqrt();
        table[i] = t;
    }
    Tabled { table, sign: f64::copysign(1.0, a) }
}

#[kernel]
fn outside_tabled(x: f64, s: Tabled, upper: bool) -> f64 {
    let i = (x.abs() * 3.0) as usize;
    let y = s.table[if i < 23 { i } else { 23 }] * s.sign;
    if upper { -y } else { y + x }
}

/// A setup for each path, masked by the arguments.
#[kernel(split)]
pub fn split_two_setups(x: f64, a: f64, b: f64, upper: bool) -> f64 {
    let s = scaled(a, b);
    if inside(x, s, upper) { inner(x, s, upper) } else { outside_tabled(x, tabled(a, b), upper) }
}

/// The same, masked by what the main path gives, whose setup is the expensive one.
#[kernel(split)]
pub fn split_two_setups_by_result(x: f64, a: f64, b: f64, upper: bool) -> f64 {
    let s = tabled(a, b);
    let y = proposal_tabled(x, s, upper);
    if accepted(y) { y } else { outside(x, scaled(a, b), upper) }
}

#[kernel]
fn proposal_tabled(x: f64, s: Tabled, upper: bool) -> f64 {
    let y = s.table[(x.abs() as usize) % 24] + x;
    if y < 2.0 && !upper { y } else { f64::NAN }
}

#[kernel(inline)]
fn not_negative(y: f64) -> bool {
    y >= 0.0
}

/// Masked by its result, not split.
#[kernel(masked)]
pub fn masked_by_result(x: f64, y: f64) -> f64 {
    let z: f64 = main_path(x, y);
    if not_negative(z) { z } else { rest(x, y) }
}

/// Elements with similar first arguments together, with a main path and without, with and without a setup.
#[kernel(masked, ordered)]
pub fn ordered_masked(x: f64, y: f64) -> f64 {
    if in_main(x, y) { main_path(x, y) } else { rest(x, y) }
}

#[kernel(split, ordered)]
pub fn ordered_split(x: f64, a: f64, b: f64, upper: bool) -> f64 {
    let s = scaled(a, b);
    let y = proposal(x, s, upper);
    if accepted(y) { y } else { outside(x, s, upper) }
}

#[kernel(ordered)]
pub fn ordered_plain(x: f64, y: f64) -> f64 {
    rest(x, y)
}

#[kernel]
pub fn single_precision(x: f32, y: f32, n: i32) -> (f32, f32, f64, i32) {
    let q = x / y;
    let r = (x * x + y * y).sqrt().mul_add(0.1, 1.5);
    let m = x.min(y).floor() + x.max(-0.0).round_ties_even();
    (q, r.copysign(x), m as f64 + n as f32 as f64, q as i32)
}

#[kernel]
const ROWS: [[f64; 3]; 2] = [[1.0, 2.0, 3.0], [-4.0, 5.5, f64::INFINITY]];
#[kernel]
const MASK: [bool; 2] = [true, false];

#[kernel]
fn total(values: [f64; 3], scale: f64) -> [f64; 2] {
    let mut out = [0.0, scale];
    for i in 0..3 {
        out[0] += values[i] * scale;
    }
    out
}

#[kernel]
fn bump(values: &mut [f64; 3], s: &mut Dd) {
    (*values)[1] += 1.0;
    s.hi = s.hi * 2.0;
    s.lo -= 1.0;
}

#[kernel]
pub fn arrays(x: f64, i: u32) -> f64 {
    let mut row: [f64; 3] = ROWS[(i & 1) as usize];
    let mut s = Dd { hi: x, lo: 3.0 };
    bump(&mut row, &mut s);
    let copy = row;
    row[2] = x;
    let sums: [f64; 2] = total(copy, x);
    let again: [f64; 2] = total([x, x, x], 2.0);
    let mask: bool = MASK[(i & 1) as usize];
    let big = [x; 20];
    let last = ROWS[1][(i % 3) as usize];
    'found: {
        if mask {
            break 'found;
        }
        row[0] += big[(i % 20) as usize];
    }
    let picked: f64 = 'v: {
        if i > 7 {
            break 'v last;
        }
        again[0]
    };
    sums[0] + sums[1] + row[0] + row[2] + picked + s.hi * s.lo
}

/// Integer corners: all defined.
#[kernel]
pub fn corners(a: i32, b: i32, c: i64, d: i64, e: u32, f: u64) -> (i32, i64, u32, u64) {
    let mut x = a / b + a % b;
    x += a * b - (-a);
    x <<= b;
    let mut y = c / d ^ c % d;
    y -= c.abs() >> d;
    let u = e / (b as u32) + e % (d as u32) << c;
    let v = (f / e as u64).wrapping_mul(f % e as u64) - f;
    (x.wrapping_rem(b) ^ x.abs(), y.wrapping_div(d), u, v)
}

/// Loops that end only by `return`.
#[kernel]
pub fn returns(x: f64, n: i32) -> f64 {
    let mut k = 0;
    let mut y = x;
    loop {
        k += 1;
        for j in 0..3 {
            y = y * 0.5 + j as f64;
            if k > n & 7 {
                return y;
            }
        }
        if k > 5 {
            return -y;
        }
    }
}

#[kernel(entry)]
pub fn axpy(i: usize, a: f64, x: &[f64], y: &mut [f64], touched: &mut [bool]) {
    let n = x.len();
    if i < n {
        y[i] += a * x[n - 1 - i];
        touched[i] = !touched[i];
    }
}

#[kernel(inline)]
fn signed(positive: bool, s: Scaled) -> f64 {
    if positive { s.factor } else { -s.factor }
}

/// A bool that varies, before the setup: it was once taken for a flag of the whole loop.
#[kernel(split)]
pub fn split_by_bool(a: f64, b: f64, positive: bool) -> f64 {
    signed(positive, scaled(a, b))
}

/// `NAN` in the initialiser of a table is refused by PoCL 3.1.
#[kernel]
const WITH_NAN: [f64; 2] = [f64::NAN, f64::NEG_INFINITY];
#[kernel]
const WITH_NAN_F32: [f32; 2] = [0.5, f32::NAN];

#[kernel]
pub fn tables_with_nan(i: u32) -> (f64, f32) {
    (WITH_NAN[(i & 1) as usize], WITH_NAN_F32[(i & 1) as usize])
}

/// Tuples as constants: whole, in parts, nested, made from others; and a constant passed on whose type only the callee says.
#[kernel]
const HALF_AND_QUARTER: (f64, f64) = (0.5, 0.25);
#[kernel]
pub(crate) const OF_MANY_TYPES: (i32, (f32, u64), bool) = (i32::MIN, (0.1, u64::MAX), true);
#[kernel]
pub const FROM_OTHERS: (f64, f64) = (3.0 * HALF_AND_QUARTER.0, f64::NEG_INFINITY);
#[kernel]
const EVERY_OTHER: u32 = 0x5555_5555;

#[kernel(inline)]
fn dot(a: (f64, f64), b: (f64, f64)) -> f64 {
    a.0 * b.0 + a.1 * b.1
}

#[kernel(inline)]
fn bits_of(n: u32, mask: u32) -> u32 {
    n & mask
}

#[kernel]
pub fn constants_of_tuples(x: f64, n: u32) -> (f64, f64, f64, u32) {
    let chosen = if x < 0.0 { HALF_AND_QUARTER } else { FROM_OTHERS };
    let (narrow, wide): (f32, u64) = OF_MANY_TYPES.1;
    let least: i32 = OF_MANY_TYPES.0;
    let mixed = if OF_MANY_TYPES.2 { (narrow as f64) + x * (least as f64) } else { wide as f64 };
    (dot((x, 1.0), HALF_AND_QUARTER), dot(chosen, (x, 2.0)), mixed + FROM_OTHERS.0, bits_of(n, EVERY_OTHER))
}

/// A table of sixteen is looked up by a permutation on AVX-512; an index outside is clamped there as everywhere.
#[kernel]
const SIXTEEN: [f64; 16] = [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5, 11.5, 12.5, 13.5, 14.5, 15.5];

#[kernel]
pub fn table_of_sixteen(x: f64, i: u64) -> f64 {
    x * SIXTEEN[(i & 15) as usize] + SIXTEEN[(i >> 60) as usize]
}

#[kernel(inline)]
fn near(x: f64, s: Setup) -> bool {
    (x - s.shift).abs() < 3.0
}

#[kernel(inline)]
fn near_value(x: f64, s: Setup) -> f64 {
    (x - s.shift) * s.scale
}

#[kernel]
fn far_value(x: f64, s: Setup) -> f64 {
    let y = eval(x, s);
    if s.log { y } else { -y }
}

/// The main and the other path without a masked kernel between.
#[kernel(split)]
pub fn split_direct(x: f64, mu: f64, sd: f64, log: bool) -> f64 {
    let s = setup(mu, sd, log);
    if near(x, s) { near_value(x, s) } else { far_value(x, s) }
}

#[kernel(inline)]
fn positive(y: f64) -> bool {
    y > 0.0
}

#[kernel]
fn with_flag(x: f64, s: Setup, twice: bool) -> f64 {
    let y = near_value(x, s);
    if twice { y + y } else { y }
}

#[kernel]
fn refused(x: f64, s: Setup, twice: bool) -> f64 {
    if twice { far_value(x, s) } else { s.coef[1] }
}

/// The same with a test of the result, and a flag after the setup.
#[kernel(split)]
pub fn split_direct_by_result(x: f64, mu: f64, sd: f64, log: bool, twice: bool) -> f64 {
    let s = setup(mu, sd, log);
    let y = with_flag(x, s, twice);
    if positive(y) { y } else { refused(x, s, twice) }
}

#[kernel]
struct Powers {
    base: Dd,
    values: [f64; 9],
}

/// Expensive enough to be kept while the parameters stay the same.
#[kernel]
fn powers(base: f64, first: f64) -> Powers {
    let mut values = [first; 9];
    for i in 1..9 {
        values[i] = values[i - 1] * base;
    }
    Powers { base: Dd { hi: base, lo: 1.0 / first }, values }
}

#[kernel]
fn power(x: f64, s: Powers, twice: bool) -> f64 {
    let base: Dd = s.base;
    let place = x.abs();
    let y = s.values[if place < 9.0 { place as usize } else { 8 }];
    if twice { y + y + base.lo } else { base.hi - y }
}

/// A setup with a table, looked up where each lane says.
#[kernel(split)]
pub fn split_with_table(x: f64, base: f64, first: f64, twice: bool) -> f64 {
    power(x, powers(base, first), twice)
}

#[kernel(inline)]
fn sum_pair(a: f64, b: f64) -> (f64, f64) {
    let s = two_sum(a, b);
    (s.hi, s.lo)
}

#[kernel]
fn counted(x: f64) -> (f64, i64) {
    (x.fract(), x as i64)
}

/// Parts of tuples that are known only by the calls they come from.
#[kernel]
pub fn tuple_parts(a: f64, b: f64, c: f64) -> (f64, f64, i64) {
    let s = sum_pair(a, b);
    let mut t = if s.1 == 0.0 { sum_pair(s.0, c) } else { s };
    if t.0.is_nan() {
        t.1 = 1.0;
    }
    let n = counted(c);
    (t.0, t.1 + counted(a).0, n.1 + 1)
}

/// As many arguments as a native entry takes one by one.
#[kernel]
#[allow(clippy::too_many_arguments)]
pub fn twelve_arguments(
    a: f64,
    b: bool,
    c: f64,
    d: i64,
    e: f64,
    f: f64,
    g: f64,
    h: f64,
    i: f64,
    j: f64,
    k: f64,
    l: f64,
) -> f64 {
    let first = if b { a - c } else { (a - c) * d as f64 };
    first + (e - f) * (g - h) + (i - j) * (k - l)
}

/// One more: they go in together.
#[kernel]
#[allow(clippy::too_many_arguments)]
pub fn thirteen_arguments(
    a: f64,
    b: bool,
    c: f64,
    d: i64,
    e: f64,
    f: f64,
    g: f64,
    h: f64,
    i: f64,
    j: f64,
    k: f64,
    l: f64,
    m: f64,
) -> f64 {
    let sum = twelve_arguments(a, b, c, d, e, f, g, h, i, j, k, l);
    sum - m
}

pub const FUNCTIONS: &[Function] = &[
    twelve_arguments::FUNCTION,
    thirteen_arguments::FUNCTION,
    split_direct::FUNCTION,
    split_direct_by_result::FUNCTION,
    split_with_table::FUNCTION,
    tuple_parts::FUNCTION,
    table_of_sixteen::FUNCTION,
    constants_of_tuples::FUNCTION,
    split_by_bool::FUNCTION,
    tables_with_nan::FUNCTION,
    dd_sum3::FUNCTION,
    split_kernel::FUNCTION,
    masked_kernel::FUNCTION,
    majority::FUNCTION,
    split_masked::FUNCTION,
    split_proposal::FUNCTION,
    split_two_setups::FUNCTION,
    split_two_setups_by_result::FUNCTION,
    passed_fields::FUNCTION,
    masked_by_result::FUNCTION,
    ordered_masked::FUNCTION,
    ordered_split::FUNCTION,
    ordered_plain::FUNCTION,
    single_precision::FUNCTION,
    arrays::FUNCTION,
    corners::FUNCTION,
    returns::FUNCTION,
];
