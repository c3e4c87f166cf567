//! Constants: a tuple is a macro in C, so that its parts are constants there too; on lanes its parts stay scalar, and the
//! whole is the same in all lanes. A constant that is only passed on needs no annotation, whatever its type.
#[kernel]
const PAIR: (f64, f64) = (0.5, 0.25);

#[kernel]
const MIXED: (i32, (f64, bool)) = (-3, (1.5, true));

#[kernel]
const SUM: (f64, f64) = (PAIR.0 + PAIR.1, 3.0);

#[kernel]
const COUNT: u64 = 7;

#[kernel]
const SMALLEST: f64 = 1.0;

#[kernel]
const TABLE: [f64; 3] = [1.0, 2.0, 4.0];

#[kernel]
fn add(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    (a.0 + b.0, a.1 + b.1)
}

#[kernel]
fn half(n: u64) -> u64 {
    n / 2
}

#[kernel]
fn whole(x: f64) -> (f64, f64) {
    add((x, 1.0), PAIR)
}

#[kernel]
fn parts(x: f64) -> f64 {
    x * PAIR.0 + PAIR.1
}

#[kernel]
fn by_name(x: f64) -> f64 {
    let pair = PAIR;
    let (hi, lo) = SUM;
    add(pair, (hi, x)).1 + lo
}

#[kernel]
fn chosen(up: bool) -> (f64, f64) {
    let pair = if up { PAIR } else { SUM };
    add(pair, PAIR)
}

#[kernel]
fn nested(n: i32) -> f64 {
    let inner: (f64, bool) = MIXED.1;
    if inner.1 && n > MIXED.0 { inner.0 } else { inner.0 + 1.0 }
}

#[kernel]
fn whole_of_any_type() -> u64 {
    half(COUNT)
}

#[kernel]
fn changed(x: f64) -> f64 {
    let mut pair = PAIR;
    pair.0 += x;
    pair = add(pair, SUM);
    pair.0 * TABLE[2]
}

/// A part that is compared is a number, also where it later meets a constant of which nothing is known.
#[kernel]
fn at_least(x: f64) -> f64 {
    let pair = add((x, x), PAIR);
    let kept = if pair.0 > SMALLEST { pair } else { (SMALLEST, 0.0) };
    kept.0 - kept.1
}

// run: whole(2.0).0 == 2.5 && whole(2.0).1 == 1.25
// run: parts(2.0) == 1.25
// run: by_name(1.0) == 4.25
// run: chosen(true).0 == 1.0 && chosen(false).0 == 1.25
// run: chosen(false).1 == 3.25
// run: nested(-4) == 2.5 && nested(0) == 1.5
// run: whole_of_any_type() == 3u64
// run: changed(1.0) == 9.0
// run: PAIR.0 + SUM.1 == 3.5
// run: at_least(0.25) == 1.0
// run: at_least(1.0) == 0.25

/* translation
typedef struct { double v0; double v1; } gm_t2_f64_f64;
#define PAIR ((gm_t2_f64_f64){0x1p-1, 0x1p-2})
typedef struct { double v0; int v1; } gm_t2_f64_bool;
typedef struct { int v0; gm_t2_f64_bool v1; } gm_t2_i32_t2_f64_bool;
#define MIXED ((gm_t2_i32_t2_f64_bool){(-3), {0x1.8p+0, 1}})
#define SUM ((gm_t2_f64_f64){0x1.8p-1, 0x1.8p+1})
#define COUNT 7UL
#define SMALLEST 0x1p+0
__constant double TABLE[3] = {0x1p+0, 0x1p+1, 0x1p+2};
gm_t2_f64_f64 add(gm_t2_f64_f64 a_, gm_t2_f64_f64 b_)
{
    return ((gm_t2_f64_f64){a_.v0 + b_.v0, a_.v1 + b_.v1});
}
ulong gm_half(ulong n_)
{
    return gm_div_u64(n_, 2UL);
}
gm_t2_f64_f64 whole(double x_)
{
    return add(((gm_t2_f64_f64){x_, 0x1p+0}), PAIR);
}
double parts(double x_)
{
    return (x_ * PAIR.v0) + PAIR.v1;
}
double by_name(double x_)
{
    gm_t2_f64_f64 pair_ = PAIR;
    gm_t2_f64_f64 t1_ = SUM;
    double hi_ = t1_.v0;
    double lo_ = t1_.v1;
    return add(pair_, ((gm_t2_f64_f64){hi_, x_})).v1 + lo_;
}
gm_t2_f64_f64 chosen(int up_)
{
    up_ = up_ != 0;
    gm_t2_f64_f64 pair_ = up_ ? PAIR : SUM;
    return add(pair_, PAIR);
}
double nested(int n_)
{
    gm_t2_f64_bool inner_ = MIXED.v1;
    if (inner_.v1 && (n_ > MIXED.v0)) {
        return inner_.v0;
    } else {
        return inner_.v0 + 0x1p+0;
    }
}
ulong whole_of_any_type(void)
{
    return gm_half(COUNT);
}
double changed(double x_)
{
    gm_t2_f64_f64 pair_ = PAIR;
    pair_.v0 = pair_.v0 + x_;
    pair_ = add(pair_, SUM);
    return pair_.v0 * TABLE[gm_index(2UL, sizeof(TABLE) / sizeof(TABLE[0]))];
}
double at_least(double x_)
{
    gm_t2_f64_f64 pair_ = add(((gm_t2_f64_f64){x_, x_}), PAIR);
    gm_t2_f64_f64 kept_ = (pair_.v0 > SMALLEST) ? pair_ : ((gm_t2_f64_f64){SMALLEST, 0x0p+0});
    return kept_.v0 - kept_.v1;
}
*/

/* on lanes
add:
    let x0 = a0;
    let x1 = a1;
    (l.f64_add(x0.0, x1.0), l.f64_add(x0.1, x1.1))
half:
    let x0 = a0;
    map2(l, x0, l.u64_splat((2u64)), #[inline(always)] | x:u64, y:u64 |__private::exact::div(x, y))
whole:
    let x0 = a0;
    gm_callee_1::lanes_call(l, m0, (x0, l.f64_splat(f64::from_bits(4607182418800017408u64))), pass(&LaneType::splat(l, PAIR)))
parts:
    let x0 = a0;
    l.f64_add(l.f64_mul(x0, l.f64_splat(PAIR.0)), l.f64_splat(PAIR.1))
by_name:
    let x0 = a0;
    let x1 = LaneType::splat(l, PAIR);
    let t1 = LaneType::splat(l, SUM);
    let x2 = t1.0;
    let x3 = t1.1;
    l.f64_add(gm_callee_2::lanes_call(l, m0, pass(&x1), (x2, x0)).1, x3)
chosen:
    let x0 = a0;
    let mut v1 = Blend::<GmL>::zero(l);
    let c2 = x0;
    let mut m3 = l.mask_and(m0, c2);
    let mut m4 = l.mask_without(m0, c2);
    {
        v1 = LaneType::splat(l, PAIR);
    }
    {
        v1 = Blend::<GmL>::blend(l, m4, LaneType::splat(l, SUM), v1);
    }
    let x1 = v1;
    gm_callee_2::lanes_call(l, m0, pass(&x1), pass(&LaneType::splat(l, PAIR)))
nested:
    let x0 = a0;
    let x1 = LaneType::splat(l, MIXED).1;
    let mut v1: GmL::F64 = Blend::<GmL>::zero(l);
    let c2 = l.mask_and(x1.1, map2(l, x0, <i32 as LaneType>::splat(l, MIXED.0), #[inline(always)] | x:i32, y:i32 | (x> y))); let mut m3 = l.mask_and(m0, c2); let mut m4 = l.mask_without(m0, c2); {
        v1 = x1.0;
    }
    {
        v1 = Blend::<GmL>::blend(l, m4, l.f64_add(x1.0, l.f64_splat(f64::from_bits(4607182418800017408u64))), v1);
    }
    v1
whole_of_any_type:
    gm_callee_1::lanes_call(l, m0, pass(&LaneType::splat(l, COUNT)))
changed:
    let x0 = a0;
    let mut x1 = LaneType::splat(l, PAIR);
    let t1 = x0;
    x1.0 = l.f64_add(x1.0, t1);
    x1 = gm_callee_2::lanes_call(l, m0, pass(&x1), pass(&LaneType::splat(l, SUM)));
    l.f64_mul(x1.0, l.f64_splat(TABLE[index((2usize),__private::exact::len(&TABLE))]))
at_least:
    let x0 = a0;
    let x1 = gm_callee_1::lanes_call(l, m0, (x0, x0), pass(&LaneType::splat(l, PAIR)));
    let mut v1: (GmL::F64, GmL::F64) = Blend::<GmL>::zero(l);
    let c2 = l.f64_gt(x1.0, l.f64_splat(SMALLEST));
    let mut m3 = l.mask_and(m0, c2);
    let mut m4 = l.mask_without(m0, c2);
    {
        v1 = x1;
    }
    {
        v1 = Blend::<GmL>::blend(l, m4, (l.f64_splat(SMALLEST), l.f64_splat(f64::from_bits(0u64))), v1);
    }
    let x2 = v1;
    l.f64_sub(x2.0, x2.1)
*/
