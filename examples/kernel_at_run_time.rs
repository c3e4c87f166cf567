//! A kernel that is a text: read while the program runs, called over columns, in expressions and as OpenCL C.
use gristmill::engine::expr::parse;
use gristmill::engine::plan::Bindings;
use gristmill::engine::{Engine, InputColumn, ResultValues, Rows};
use gristmill::kernel::{Column, ColumnMut};
use gristmill::kernel_jit::KernelSource;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // From a file, a form on a page, another program: no compiler is needed.
    let text = include_str!("kernels/growth.rs");
    let source = KernelSource::parse(text)?;
    let growth = source.function("growth").ok_or("there is no `growth`")?;

    // Over columns: one value for each element, or one for all.
    let t = [0.0, 1.0, 2.0];
    let mut y = [0.0; 3];
    growth.map(&[Column::F64(&t), Column::F64(&[3.0]), Column::F64(&[0.7])], &mut [ColumnMut::F64(&mut y)])?;
    println!("growth: {y:?}");
    assert_eq!(y[0], 1.5);

    // In expressions, beside R's functions; `Engine::on_device` puts them on a device, with the same bits.
    let engine = Engine::new().with_kernels(&source);
    let bindings = Bindings { columns: vec!["t".into()], ..Bindings::default() };
    let plan =
        engine.bind(&[parse("y = growth(t, 3, b = 0.7)")?, parse("is_full(y, 0.5) & pnorm(t) > 0.4")?], &bindings)?;
    let rows = Rows { count: 3, first: 0, columns: &[InputColumn { values: &t, missing: None }] };
    let results = engine.evaluate(&plan, &rows, &[])?;
    assert_eq!(results[0].values, ResultValues::F64(y.to_vec()));
    assert_eq!(results[1].values, ResultValues::Bool(vec![true, true, true]));

    // The same in OpenCL C, with all that it calls.
    let program = source.opencl("growth").ok_or("there is no `growth`")?;
    println!("{} lines of OpenCL C", program.lines().count());

    // What is wrong in a text is said with its place.
    let error = KernelSource::parse("fn f(x: f64) -> f64 { exq(x) }").expect_err("there is no `exq`");
    println!("{error}");
    Ok(())
}
