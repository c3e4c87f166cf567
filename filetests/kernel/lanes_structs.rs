//! On lanes: a struct is passed by reference, and what is taken out of one that nobody assigns to is a reference too.
#[kernel]
struct Inner {
    scale: f64,
    table: [f64; 3],
}

#[kernel]
struct Outer {
    inner: Inner,
    shift: f64,
}

#[kernel]
fn make(scale: f64) -> Outer {
    Outer { inner: Inner { scale, table: [1.0, 2.0, 4.0] }, shift: scale + 1.0 }
}

#[kernel]
fn scaled(x: f64, s: Inner, at: usize) -> f64 {
    x * s.scale + s.table[at]
}

#[kernel]
fn twice(x: f64) -> f64 {
    x + x
}

#[kernel]
fn through(x: f64, s: Outer) -> f64 {
    let inner: Inner = s.inner;
    scaled(twice(s.shift), inner, 1usize) + scaled(x, inner, x as usize)
}

#[kernel]
fn changed(x: f64, s: Outer) -> f64 {
    let mut own = s;
    own.shift = x;
    through(x, own)
}

#[kernel]
fn whole(x: f64) -> f64 {
    let s = make(x);
    changed(x, s) + through(x, make(2.0))
}

// run: through(2.0, make(3.0)) == 36.0
// run: whole(2.0) == 40.0

/* translation
typedef struct { double v[3]; } gm_a3_f64;
typedef struct { double scale; gm_a3_f64 table; } Inner;
typedef struct { Inner inner; double shift; } Outer;
Outer make(double scale_)
{
    return ((Outer){.inner = ((Inner){.scale = scale_, .table = ((gm_a3_f64){{0x1p+0, 0x1p+1, 0x1p+2}})}), .shift = scale_ + 0x1p+0});
}
double scaled(double x_, Inner s_, ulong at_)
{
    return (x_ * s_.scale) + s_.table.v[gm_index(at_, sizeof(s_.table.v) / sizeof(s_.table.v[0]))];
}
double twice(double x_)
{
    return x_ + x_;
}
double through(double x_, Outer s_)
{
    Inner inner_ = s_.inner;
    return scaled(twice(s_.shift), inner_, 1UL) + scaled(x_, inner_, gm_f64_u64(x_));
}
double changed(double x_, Outer s_)
{
    Outer own_ = s_;
    own_.shift = x_;
    return through(x_, own_);
}
double whole(double x_)
{
    Outer s_ = make(x_);
    return changed(x_, s_) + through(x_, make(0x1p+1));
}
*/

/* on lanes
make:
    let x0 = a0;
    GmLaneStruct0::<GmL> {
        inner: GmLaneStruct1::<GmL> {
            scale:x0, table:[l.f64_splat(f64::from_bits(4607182418800017408u64)), l.f64_splat(f64::from_bits(4611686018427387904u64)), l.f64_splat(f64::from_bits(4616189618054758400u64))]
        }, shift:l.f64_add(x0, l.f64_splat(f64::from_bits(4607182418800017408u64)))
    }
scaled:
    let x0 = a0;
    let x1 = a1;
    let x2 = a2;
    l.f64_add(l.f64_mul(x0, x1.scale), element(l, m0, &x1.table, x2))
twice:
    let x0 = a0;
    l.f64_add(x0, x0)
through:
    let x0 = a0;
    let x1 = a1;
    let x2 = &x1.inner;
    l.f64_add(gm_callee_3::lanes_call(l, m0, pass(&gm_callee_2::lanes_call(l, m0, pass(&x1.shift))), x2, gm_callee_3::lanes_arg2(l, 1)), gm_callee_3::lanes_call(l, m0, x0, x2, l.f64_to_u64(x0)))
changed:
    let x0 = a0;
    let x1 = a1;
    let mut x2 = (* x1);
    x2.shift = x0;
    gm_callee_1::lanes_call(l, m0, x0, &x2)
whole:
    let x0 = a0;
    let x1 = gm_callee_0::lanes_call(l, m0, x0);
    l.f64_add(gm_callee_1::lanes_call(l, m0, x0, pass(&x1)), gm_callee_2::lanes_call(l, m0, x0, pass(&gm_callee_0::lanes_call(l, m0, l.f64_splat(f64::from_bits(4611686018427387904u64))))))
*/
