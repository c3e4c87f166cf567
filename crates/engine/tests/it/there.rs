//! Columns that are on a device: results stay there, with the bits of the host.

use gristmill_cl_runtime::{Device, DeviceBuffer, ElementType};
use gristmill_engine::expr::parse;
use gristmill_engine::plan::{Bindings, Plan};
use gristmill_engine::{Engine, EngineError, InputColumn, ResultValues, Rows};

fn device() -> Device {
    Device::from_env().expect("the tests need an OpenCL device (PoCL)")
}

fn plan(expressions: &[&str]) -> Plan {
    let statements: Vec<_> = expressions.iter().map(|e| parse(e).expect("an expression")).collect();
    let columns = vec!["x".to_string(), "y".to_string()];
    let bindings = Bindings { table: columns.clone(), columns, seed: 3, ..Bindings::default() };
    Engine::new().bind(&statements, &bindings).expect("it has a meaning")
}

/// The same where it is known that nothing is missing.
fn complete_plan(expressions: &[&str]) -> Plan {
    let mut plan = plan(expressions);
    plan.outputs.iter_mut().for_each(|output| output.bound.missing = None);
    plan
}

fn bits(values: &ResultValues) -> Vec<u64> {
    match values {
        ResultValues::F64(v) => v.iter().map(|x| x.to_bits()).collect(),
        ResultValues::Bool(v) => v.iter().map(|b| u64::from(*b)).collect(),
    }
}

fn bits_there(buffer: &DeviceBuffer) -> Vec<u64> {
    match buffer.element_type() {
        ElementType::U8 => buffer.to_vec::<u8>().expect("it is read").into_iter().map(u64::from).collect(),
        _ => buffer.to_vec::<f64>().expect("it is read").into_iter().map(f64::to_bits).collect(),
    }
}

#[test]
fn results_over_columns_of_a_device_stay_there_with_the_bits_of_the_host() {
    let device = device();
    let plan = complete_plan(&[
        "z = (x - mean(x)) / sd(y)",
        "p = pnorm(z) + quantile(x, 0.25)",
        "x > 0 & y < 1",
        "r = rnorm(0, 1) + 0 * x",
        "seven = 7",
        "spread = max(x) - sum(x * y)",
    ]);
    assert!(plan.can_stay_on_device());
    for n in [0, 1, 2, 1000, 70_000] {
        let x: Vec<f64> = (0..n).map(|i| f64::from(i) * 0.37 % 5.0 - 2.0).collect();
        let y: Vec<f64> = (0..n).map(|i| f64::from(i) * 0.11 % 3.0).collect();
        let columns = [InputColumn { values: &x, missing: None }, InputColumn { values: &y, missing: None }];
        let here = Engine::new().run(&plan, &Rows { count: x.len(), first: 0, columns: &columns }).expect("it runs");
        let (x, y) = (device.upload(&x).expect("room"), device.upload(&y).expect("room"));
        let engine = Engine::new().on_device(device.clone());
        let there = engine.run_there(&plan, &[&x, &y], x.len()).expect("it runs there");
        assert_eq!(there.len(), here.len());
        for (k, (there, here)) in there.iter().zip(&here).enumerate() {
            assert_eq!(bits_there(there), bits(&here.values), "result {k} of {n} rows");
        }
    }
}

#[test]
fn what_does_not_stay_on_a_device_is_refused() {
    let device = device();
    let column = device.upload(&[1.0, 2.0]).expect("room");
    let engine = Engine::new().on_device(device);
    for expression in ["cumsum(x)", "ifelse(x > 1, x, NA)", "sum(x, by = y)"] {
        let plan = plan(&[expression]);
        assert!(!plan.can_stay_on_device(), "{expression}");
        let error = engine.run_there(&plan, &[&column, &column], 2).expect_err("refused");
        assert!(matches!(error, EngineError::NotThere), "{error}");
    }
    let sum = plan(&["x + y"]);
    assert!(matches!(Engine::new().run_there(&sum, &[&column, &column], 2), Err(EngineError::NotThere)));
    let short = engine.run_there(&sum, &[&column], 2).expect_err("one of two").to_string();
    assert_eq!(short, "1 columns were given, but the expressions have 2");
    let long = engine.run_there(&sum, &[&column, &column], 3).expect_err("two of three").to_string();
    assert_eq!(long, "column 0 has 2 values, but there are 3 rows");
}
