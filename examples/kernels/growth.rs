//! Kernels as a text: `gristmill eval --kernels examples/kernels/growth.rs`, `gristmill run`, and `examples/kernel_at_run_time.rs`.

/// The largest population that the pond feeds.
const CAPACITY: f64 = 3.0;

/// Logistic growth: the population at time `t`, from half of `a` at time 0, at rate `b`.
fn growth(t: f64, a: f64, b: f64) -> f64 {
    a / (1.0 + exp(-b * t))
}

/// The time at which it comes to `y`; NaN if it never does.
fn time_of(y: f64, a: f64, b: f64) -> f64 {
    log(y / (a - y)) / b
}

/// Whether the pond is full to a share.
fn is_full(y: f64, share: f64) -> bool {
    y >= share * CAPACITY
}

/// Years until a population that grows by `rate` a year, on average and with bad years, is above `goal`; at most 1000.
fn years_until(goal: f64, rate: f64) -> f64 {
    let mut y = 1.0;
    let mut years = 0;
    while y < goal && years < 1000 {
        let bad = years % 7 == 6;
        y *= if bad { 1.0 - rate } else { 1.0 + rate };
        years += 1;
    }
    years as f64
}

/// An entry point: `y[i]` grows from `x[i]` by a step of length `dt`.
#[kernel(entry)]
fn step(i: usize, dt: f64, x: &[f64], y: &mut [f64]) {
    let before = x[i];
    y[i] = before + dt * before * (1.0 - before / CAPACITY);
}
