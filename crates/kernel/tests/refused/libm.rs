use gristmill_kernel::kernel;

#[kernel]
fn method_exp(x: f64) -> f64 {
    x.exp()
}

#[kernel]
fn method_exp2(x: f64) -> f64 {
    x.exp2()
}

#[kernel]
fn method_exp_m1(x: f64) -> f64 {
    x.exp_m1()
}

#[kernel]
fn method_ln(x: f64) -> f64 {
    x.ln()
}

#[kernel]
fn method_ln_1p(x: f64) -> f64 {
    x.ln_1p()
}

#[kernel]
fn method_log2(x: f64) -> f64 {
    x.log2()
}

#[kernel]
fn method_log10(x: f64) -> f64 {
    x.log10()
}

#[kernel]
fn method_sin(x: f64) -> f64 {
    x.sin()
}

#[kernel]
fn method_cos(x: f64) -> f64 {
    x.cos()
}

#[kernel]
fn method_tan(x: f64) -> f64 {
    x.tan()
}

#[kernel]
fn method_asin(x: f64) -> f64 {
    x.asin()
}

#[kernel]
fn method_acos(x: f64) -> f64 {
    x.acos()
}

#[kernel]
fn method_atan(x: f64) -> f64 {
    x.atan()
}

#[kernel]
fn method_sinh(x: f64) -> f64 {
    x.sinh()
}

#[kernel]
fn method_cosh(x: f64) -> f64 {
    x.cosh()
}

#[kernel]
fn method_tanh(x: f64) -> f64 {
    x.tanh()
}

#[kernel]
fn method_asinh(x: f64) -> f64 {
    x.asinh()
}

#[kernel]
fn method_acosh(x: f64) -> f64 {
    x.acosh()
}

#[kernel]
fn method_atanh(x: f64) -> f64 {
    x.atanh()
}

#[kernel]
fn method_cbrt(x: f64) -> f64 {
    x.cbrt()
}

#[kernel]
fn method_sin_cos(x: f64) -> (f64, f64) {
    x.sin_cos()
}

#[kernel]
fn method_round(x: f64) -> f64 {
    x.round()
}

#[kernel]
fn method_to_degrees(x: f64) -> f64 {
    x.to_degrees()
}

#[kernel]
fn method_powf(x: f64) -> f64 {
    x.powf(2.5)
}

#[kernel]
fn method_powi(x: f64) -> f64 {
    x.powi(3)
}

#[kernel]
fn method_atan2(x: f64) -> f64 {
    x.atan2(1.0)
}

#[kernel]
fn method_hypot(x: f64) -> f64 {
    x.hypot(1.0)
}

#[kernel]
fn method_log(x: f64) -> f64 {
    x.log(10.0)
}

#[kernel]
fn method_rem_euclid(x: f64) -> f64 {
    x.rem_euclid(2.0)
}

#[kernel]
fn method_div_euclid(x: f64) -> f64 {
    x.div_euclid(2.0)
}

#[kernel]
fn method_clamp(x: f64) -> f64 {
    x.clamp(0.0, 1.0)
}

#[kernel]
fn as_a_path(x: f64) -> f64 {
    f64::exp(x)
}

#[kernel]
fn single(x: f32) -> f32 {
    x.exp()
}

fn main() {}
