//! On lanes: a split kernel and its masked evaluation are ordinary calls; the block loop takes them apart by their shape.
#[kernel]
struct Setup {
    scale: f64,
    log: bool,
}

#[kernel]
fn setup(sd: f64, log: bool) -> Setup {
    Setup { scale: 1.0 / sd, log }
}

#[kernel(inline)]
fn in_main(x: f64, s: Setup) -> bool {
    x.abs() < 10.0 && !s.log
}

#[kernel(inline)]
fn main(x: f64, s: Setup) -> f64 {
    x * s.scale
}

#[kernel]
fn rest(x: f64, s: Setup) -> f64 {
    -x * s.scale
}

#[kernel(masked)]
fn eval(x: f64, s: Setup) -> f64 {
    if in_main(x, s) { main(x, s) } else { rest(x, s) }
}

#[kernel(split)]
fn f(x: f64, sd: f64, log: bool) -> f64 {
    eval(x, setup(sd, log))
}

#[kernel]
fn setup_of_rest(sd: f64, log: bool) -> f64 {
    if log { -sd } else { sd }
}

#[kernel]
fn rest_by_itself(x: f64, s: f64) -> f64 {
    x - s
}

#[kernel(split)]
fn g(x: f64, sd: f64, log: bool) -> f64 {
    let s = setup(sd, log);
    if in_main(x, s) { main(x, s) } else { rest_by_itself(x, setup_of_rest(sd, log)) }
}

// run: f(3.0, 0.5, false) == 6.0
// run: f(3.0, 0.5, true) == -6.0
// run: g(3.0, 0.5, false) == 6.0
// run: g(3.0, 0.5, true) == 3.5
// run: g(30.0, 0.5, false) == 29.5

/* translation
typedef struct { double scale; int log; } Setup;
Setup setup(double sd_, int log_)
{
    log_ = log_ != 0;
    return ((Setup){.scale = 0x1p+0 / sd_, .log = log_});
}
int in_main(double x_, Setup s_)
{
    return (fabs(x_) < 0x1.4p+3) && (!s_.log);
}
double gm_main(double x_, Setup s_)
{
    return x_ * s_.scale;
}
double rest(double x_, Setup s_)
{
    return (-x_) * s_.scale;
}
double eval(double x_, Setup s_)
{
    if (in_main(x_, s_)) {
        return gm_main(x_, s_);
    } else {
        return rest(x_, s_);
    }
}
double f(double x_, double sd_, int log_)
{
    log_ = log_ != 0;
    return eval(x_, setup(sd_, log_));
}
double setup_of_rest(double sd_, int log_)
{
    log_ = log_ != 0;
    if (log_) {
        return -sd_;
    } else {
        return sd_;
    }
}
double rest_by_itself(double x_, double s_)
{
    return x_ - s_;
}
double g(double x_, double sd_, int log_)
{
    log_ = log_ != 0;
    Setup s_ = setup(sd_, log_);
    if (in_main(x_, s_)) {
        return gm_main(x_, s_);
    } else {
        return rest_by_itself(x_, setup_of_rest(sd_, log_));
    }
}
*/

/* on lanes
setup:
    let x0 = a0;
    let x1 = a1;
    GmLaneStruct0::<GmL> {
        scale:l.f64_div(l.f64_splat(f64::from_bits(4607182418800017408u64)), x0), log:x1
    }
in_main:
    let x0 = a0;
    let x1 = a1;
    l.mask_and(l.f64_lt(l.f64_abs(x0), l.f64_splat(f64::from_bits(4621819117588971520u64))), l.mask_not(x1.log))
main:
    let x0 = a0;
    let x1 = a1;
    l.f64_mul(x0, x1.scale)
rest:
    let x0 = a0;
    let x1 = a1;
    l.f64_mul(l.f64_neg(x0), x1.scale)
eval:
    // Masked(Masked { test: Arguments(1), main: 2, rest: 3 })
    let x0 = a0;
    let x1 = a1;
    let mut v1: GmL::F64 = Blend::<GmL>::zero(l);
    let c2 = gm_callee_1::lanes_call(l, m0, x0, x1);
    let mut m3 = l.mask_and(m0, c2);
    let mut m4 = l.mask_without(m0, c2);
    if const { 0u32.saturating_add(<gm_callee_2 as KernelItem>::COST) <= CHEAP } || l.any(m3) {
        v1 = gm_callee_2::lanes_call(l, m3, x0, x1);
    }
    if const { 0u32.saturating_add(<gm_callee_3 as KernelItem>::COST) <= CHEAP } || l.any(m4) {
        v1 = Blend::<GmL>::blend(l, m4, gm_callee_3::lanes_call(l, m4, x0, x1), v1);
    }
    v1
f:
    // Split(Split { eval: Call(1), setup: 0, varying: [0], params: [1, 2], flags: [], setup_of_rest: None })
    let x0 = a0;
    let x1 = a1;
    let x2 = a2;
    gm_callee_1::lanes_call(l, m0, x0, pass(&gm_callee_0::lanes_call(l, m0, x1, x2)))
setup_of_rest:
    let x0 = a0;
    let x1 = a1;
    let mut v1: GmL::F64 = Blend::<GmL>::zero(l);
    let c2 = x1;
    let mut m3 = l.mask_and(m0, c2);
    let mut m4 = l.mask_without(m0, c2);
    {
        v1 = l.f64_neg(x0);
    }
    {
        v1 = Blend::<GmL>::blend(l, m4, x0, v1);
    }
    v1
rest_by_itself:
    let x0 = a0;
    let x1 = a1;
    l.f64_sub(x0, x1)
g:
    // Split(Split { eval: Masked(Masked { test: Arguments(1), main: 2, rest: 4 }), setup: 0, varying: [0], params: [1, 2], flags: [], setup_of_rest: Some(3) })
    let x0 = a0;
    let x1 = a1;
    let x2 = a2;
    let x3 = gm_callee_0::lanes_call(l, m0, x1, x2);
    let mut v1: GmL::F64 = Blend::<GmL>::zero(l);
    let c2 = gm_callee_1::lanes_call(l, m0, x0, pass(&x3));
    let mut m3 = l.mask_and(m0, c2);
    let mut m4 = l.mask_without(m0, c2);
    if const { 0u32.saturating_add(<gm_callee_2 as KernelItem>::COST) <= CHEAP } || l.any(m3) {
        v1 = gm_callee_2::lanes_call(l, m3, x0, pass(&x3));
    }
    if const { 0u32.saturating_add(<gm_callee_4 as KernelItem>::COST).saturating_add(<gm_callee_3 as KernelItem>::COST) <= CHEAP } || l.any(m4) {
        v1 = Blend::<GmL>::blend(l, m4, gm_callee_4::lanes_call(l, m4, x0, pass(&gm_callee_3::lanes_call(l, m4, x1, x2))), v1);
    }
    v1
*/
