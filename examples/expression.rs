//! An expression in R's syntax over columns in memory, on threads; `Engine::on_device` puts it on a device.
use gristmill::engine::expr::parse;
use gristmill::engine::plan::{Bindings, bind};
use gristmill::engine::{Engine, InputColumn, ResultValues, Rows};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let x = [-1.0, 0.0, 2.5];
    let bindings = Bindings { columns: vec!["x".into()], ..Bindings::default() };
    let plan = bind(&[parse("pnorm(x, sd = 2) > 0.4")?, parse("x ^ 2 + 1")?], &bindings)?;
    let rows = Rows { count: x.len(), first: 0, columns: &[InputColumn { values: &x, missing: None }] };
    let results = Engine::new().evaluate(&plan, &rows, &[])?;
    println!("{:?}", results[0].values);
    assert_eq!(results[1].values, ResultValues::F64(vec![2.0, 1.0, 7.25]));
    Ok(())
}
