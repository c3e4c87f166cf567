//! Somebody loses patience: evaluations and fits end, with an error that says so.

use gristmill_cl_runtime::Device;
use gristmill_glm::{Family, GlmData, GlmError, Matrix, Model};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

fn data(family: Family) -> (Vec<f64>, Vec<f64>, Model) {
    let x: Vec<f64> = (0..1000).flat_map(|i| [1.0, f64::from(i) * 0.013 % 2.0 - 1.0]).collect();
    let y: Vec<f64> = (0..1000).map(|i| f64::from((i * 7) % 3)).collect();
    let size = (family == Family::NegativeBinomial).then_some(1.0);
    (x, y, Model::new(family, None, size).expect("a model"))
}

fn build(family: Family) -> GlmData {
    let (x, y, model) = data(family);
    let x = Matrix::row_major(&x, 1000, 2).expect("a matrix");
    GlmData::builder(model).x(x).y(&y).build().expect("data")
}

#[test]
fn what_was_stopped_says_so_and_goes_on_when_it_may() {
    let stop = Arc::new(AtomicBool::new(false));
    let data = build(Family::Poisson).stopped_by(stop.clone());
    let grid = [0.0, 0.0, 0.1, -0.2, 0.3, 0.5];
    let grid = Matrix::row_major(&grid, 3, 2).expect("a matrix");
    let whole = data.evaluate(grid).expect("nobody stops it");
    let fit = data.fit().expect("nobody stops it");
    stop.store(true, Ordering::Relaxed);
    assert!(matches!(data.evaluate(grid), Err(GlmError::Stopped)));
    assert!(matches!(data.partial(grid, 0..1000), Err(GlmError::Stopped)));
    assert!(matches!(data.fit(), Err(GlmError::Stopped)));
    assert!(matches!(data.profile_intervals(&fit, 1.0, 0.95), Err(GlmError::Stopped)));
    let counts = build(Family::NegativeBinomial).stopped_by(stop.clone());
    assert!(matches!(counts.fit_negative_binomial(), Err(GlmError::Stopped)));
    stop.store(false, Ordering::Relaxed);
    assert_eq!(data.evaluate(grid).expect("it may go on"), whole);
    assert_eq!(data.fit().expect("it may go on"), fit);
}

#[test]
fn a_fit_ends_at_its_next_pass() {
    let stop = Arc::new(AtomicBool::new(false));
    let data = build(Family::Poisson).stopped_by(stop.clone());
    let mut steps = 0;
    let fit = data.fit_with(|_| {
        steps += 1;
        stop.store(true, Ordering::Relaxed);
    });
    assert!(matches!(fit, Err(GlmError::Stopped)));
    assert_eq!(steps, 1);
}

#[test]
fn a_model_matrix_that_is_on_the_device_is_used_there() {
    let device = Device::from_env().expect("the tests need an OpenCL device (PoCL)");
    let (x, y, model) = data(Family::Poisson);
    let matrix = Matrix::row_major(&x, 1000, 2).expect("a matrix");
    let build = || GlmData::builder(model).x(matrix).y(&y).build().expect("data");
    let grid = [0.0, 0.0, 0.1, -0.2, 0.3, 0.5];
    let grid = Matrix::row_major(&grid, 3, 2).expect("a matrix");
    let there = Arc::new(device.upload(&x).expect("room"));
    let on_device = build().on_device_of(there).expect("it is the same matrix");
    assert_eq!(on_device.evaluate(grid).expect("it runs there"), build().evaluate(grid).expect("it runs"));
    let stop = Arc::new(AtomicBool::new(true));
    assert!(matches!(on_device.stopped_by(stop).evaluate(grid), Err(GlmError::Stopped)));
    let short = Arc::new(device.upload(&x[2..]).expect("room"));
    let error = build().on_device_of(short).expect_err("a row is missing").to_string();
    assert!(error.contains("1998") && error.contains("2000"), "{error}");
}
