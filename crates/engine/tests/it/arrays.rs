use crate::expressions::{any_expression, any_table};
use gristmill_ckernel::{Deferred, KernelRequest, Operand, OperandMut};
use gristmill_engine::expr::parse;
use gristmill_engine::plan::{Bindings, Plan, bind};
use gristmill_engine::{Engine, EngineError, InputColumn, ResultValues, Rows, Source};
use gristmill_ndtypes::{Array, ArrayMut, ArrayRef, Type};
use proptest::prelude::*;

fn plan(text: &str, columns: &[&str]) -> Plan {
    let bindings = Bindings { columns: columns.iter().map(ToString::to_string).collect(), ..Bindings::default() };
    bind(&[parse(text).unwrap()], &bindings).unwrap_or_else(|e| panic!("{e}"))
}

/// To C and back: what another runtime would hold.
fn through_c(kernel: Deferred) -> Deferred {
    // SAFETY: our own kernel, of which this is the only owner.
    unsafe { Deferred::from_raw(kernel.into_raw()) }.unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn an_expression_called_through_the_c_abi_gives_the_bits_of_the_engine(
        table in any_table(), text in any_expression(), reversed in any::<bool>()
    ) {
        let statement = parse(&text).unwrap_or_else(|e| panic!("{e}"));
        let plan = bind(&[statement], &table.bindings()).unwrap_or_else(|e| panic!("{e}"));
        let engine = Engine::with_threads(1).unwrap();
        let expected = table.run(&engine, &plan).swap_remove(0);
        let (value, missing) = engine.compile(&plan, 0, &[]).unwrap();
        let rows: Vec<u64> = (0..table.rows as u64).collect();
        let nowhere = false;
        let operands = |sources: &[Source]| -> Vec<Operand<'_>> {
            sources
                .iter()
                .map(|source| match source {
                    Source::Column(c) => Operand::slice(&table.values[*c]),
                    Source::Missing(c) => table.missing[*c].as_ref().map_or(Operand::repeat(&nowhere), |m| Operand::slice(m)),
                    Source::RowIndex => Operand::slice(&rows),
                })
                .collect()
        };
        let kernel = through_c(value.kernel).instantiate(KernelRequest::Strided).unwrap();
        match &expected.values {
            ResultValues::F64(expected) => {
                // Every second place, backwards: the destination need not be contiguous.
                let mut wide = vec![0.0_f64; 2 * table.rows + 1];
                let (start, stride) = if reversed { (2 * table.rows, -2) } else { (0, 2) };
                let to = OperandMut::strided(&mut wide, start, stride, table.rows).unwrap();
                kernel.run(to, &operands(&value.sources)).unwrap();
                for (row, expected) in expected.iter().enumerate() {
                    let found = wide[(start as isize + stride * row as isize) as usize];
                    prop_assert_eq!(found.to_bits(), expected.to_bits(), "`{}`, row {}", text, row);
                }
            }
            ResultValues::Bool(expected) => {
                let mut found = vec![false; table.rows];
                kernel.run(OperandMut::slice(&mut found), &operands(&value.sources)).unwrap();
                prop_assert_eq!(&found, expected, "`{}`", text);
            }
        }
        prop_assert_eq!(missing.is_some(), expected.missing.is_some());
        if let (Some(missing), Some(expected)) = (missing, &expected.missing) {
            let mut found = vec![false; table.rows];
            let kernel = through_c(missing.kernel).instantiate(KernelRequest::Strided).unwrap();
            kernel.run(OperandMut::slice(&mut found), &operands(&missing.sources)).unwrap();
            prop_assert_eq!(&found, expected, "`{}`", text);
        }
    }
}

#[test]
fn a_single_kernel_computes_one_element_and_a_destination_may_be_its_source() {
    let plan = plan("exp(x) - x / 2", &["x"]);
    let engine = Engine::new();
    let (compiled, missing) = engine.compile(&plan, 0, &[]).unwrap();
    assert!(missing.is_none());
    assert_eq!(compiled.sources, [Source::Column(0)]);
    let single = compiled.kernel.instantiate(KernelRequest::Single).unwrap();
    let mut one = [0.0];
    single.run(OperandMut::slice(&mut one), &[Operand::slice(&[1.25])]).unwrap();
    assert_eq!(one[0], 1.25_f64.exp() - 0.625);
    let mut x: Vec<f64> = (0..5000).map(|i| f64::from(i) / 1000.0).collect();
    let columns = [InputColumn { values: &x.clone(), missing: None }];
    let expected = engine.run(&plan, &Rows { count: x.len(), first: 0, columns: &columns }).unwrap().swap_remove(0);
    let kernel = compiled.kernel.instantiate(KernelRequest::Strided).unwrap();
    let (pointer, source, stride) = (x.as_mut_ptr().cast::<u8>(), [x.as_ptr().cast::<u8>()], [8_isize]);
    // SAFETY: 5000 numbers each; source and destination share start and stride.
    unsafe { kernel.expr_strided(pointer, 8, source.as_ptr(), stride.as_ptr(), x.len()) }.unwrap();
    assert_eq!(ResultValues::F64(x), expected.values);
}

#[test]
fn arrays_are_broadcast_and_converted_and_give_the_bits_of_rows() {
    let plan = plan("pnorm(x, m) * k", &["x", "m", "k"]);
    let x: Vec<f32> = (0..300).map(|i| i as f32 / 50.0 - 3.0).collect();
    let m: Vec<f64> = (0..70).map(|i| f64::from(i) / 35.0 - 1.0).collect();
    let k = -3_i16;
    let (x_view, m_view) = (ArrayRef::from_shaped(&x, &[300, 1]).unwrap(), ArrayRef::from_slice(&m).unwrap());
    let k_view = ArrayRef::from_scalar(&k);
    let engine = Engine::with_threads(2).unwrap();
    let result = engine.evaluate_arrays(&plan, &[&x_view, &m_view, &k_view]).unwrap().swap_remove(0);
    assert!(result.missing.is_none());
    assert_eq!(result.values.view().shape().to_string(), "(300, 70)");
    let spread = |f: &dyn Fn(usize, usize) -> f64| -> Vec<f64> {
        (0..300).flat_map(|i| (0..70).map(move |j| (i, j))).map(|(i, j)| f(i, j)).collect()
    };
    let values = [spread(&|i, _| f64::from(x[i])), spread(&|_, j| m[j]), spread(&|_, _| -3.0)];
    let columns = [0, 1, 2].map(|c| InputColumn { values: &values[c], missing: None });
    let rows = Rows { count: 21_000, first: 0, columns: &columns };
    let expected = engine.run(&plan, &rows).unwrap().swap_remove(0);
    let found = result.values.view().to_vec::<f64>().unwrap();
    assert_eq!(ResultValues::F64(found), expected.values);
    // Into an array that is there, in Fortran order.
    let mut bytes = vec![0_u64; 21_000];
    let mut to = ArrayMut::from_shaped(&mut bytes, &[21_000]).unwrap();
    let error = engine.evaluate_arrays_into(&plan, &[&x_view, &m_view, &k_view], &mut [to.reborrow()]).unwrap_err();
    assert!(matches!(error, EngineError::Arrays(_)), "{error}");
    let ty: Type = "strided * strided * float64".parse().unwrap();
    let mut given = Array::zeros(&ty, &[300, 70]).unwrap();
    engine.evaluate_arrays_into(&plan, &[&x_view, &m_view, &k_view], &mut [given.view_mut()]).unwrap();
    assert_eq!(ResultValues::F64(given.view().to_vec().unwrap()), expected.values);
}

#[test]
fn truth_values_over_arrays_say_where_they_are_missing() {
    let plan = plan("x > 1", &["x"]);
    let x = [0.5, 2.0, f64::NAN];
    let result = Engine::new().evaluate_arrays(&plan, &[&ArrayRef::from_slice(&x).unwrap()]).unwrap().swap_remove(0);
    assert_eq!(result.values.view().to_vec::<bool>().unwrap(), [false, true, false]);
    assert_eq!(result.missing.unwrap().view().to_vec::<bool>().unwrap(), [false, false, true]);
}

#[test]
fn r_functions_over_arrays_draw_by_the_element_s_number() {
    let plan = plan("rnorm(mean = m)", &["m"]);
    let m: Vec<f64> = (0..6000).map(f64::from).collect();
    let engine = Engine::new();
    let result = engine.evaluate_arrays(&plan, &[&ArrayRef::from_shaped(&m, &[100, 60]).unwrap()]).unwrap();
    let columns = [InputColumn { values: &m, missing: None }];
    let expected = engine.run(&plan, &Rows { count: 6000, first: 0, columns: &columns }).unwrap().swap_remove(0);
    assert_eq!(ResultValues::F64(result[0].values.view().to_vec().unwrap()), expected.values);
}

#[test]
fn arrays_that_do_not_go_together_are_errors() {
    let engine = Engine::new();
    let (a, b) = ([1.0; 3], [1.0; 4]);
    let (a, b) = (ArrayRef::from_slice(&a).unwrap(), ArrayRef::from_slice(&b).unwrap());
    let sum = plan("x + y", &["x", "y"]);
    assert!(matches!(engine.evaluate_arrays(&sum, &[&a, &b]).unwrap_err(), EngineError::Arrays(_)));
    assert_eq!(
        engine.evaluate_arrays(&sum, &[&a]).unwrap_err().to_string(),
        "1 arrays were given, but the expressions have 2"
    );
    let mean = plan("x - mean(x)", &["x"]);
    assert!(matches!(engine.evaluate_arrays(&mean, &[&a]).unwrap_err(), EngineError::ReductionOverArrays));
    assert!(matches!(engine.compile(&sum, 1, &[]).unwrap_err(), EngineError::ArrayCount { .. }));
}
