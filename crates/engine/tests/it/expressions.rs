use crate::naive::{Cell, evaluate};
use gristmill_cl_runtime::Device;
use gristmill_engine::expr::{Statement, parse};
use gristmill_engine::plan::{Bindings, Plan, bind};
use gristmill_engine::{Compiling, Engine, InputColumn, ResultColumn, ResultValues, Rows};
use proptest::prelude::*;
use std::sync::{Arc, OnceLock};

pub(crate) const NAMES: [&str; 3] = ["x", "y", "z"];

/// A table: for each column its numbers and where they are missing.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) rows: usize,
    pub(crate) values: Vec<Vec<f64>>,
    pub(crate) missing: Vec<Option<Vec<bool>>>,
}

impl Table {
    fn columns(&self) -> Vec<InputColumn<'_>> {
        self.values.iter().zip(&self.missing).map(|(v, m)| InputColumn { values: v, missing: m.as_deref() }).collect()
    }

    fn cell(&self, name: &str, row: usize) -> Cell {
        let c = NAMES.iter().position(|n| *n == name).unwrap();
        let missing = self.missing[c].as_ref().is_some_and(|m| m[row]);
        Cell::Number((!missing).then(|| self.values[c][row]))
    }

    pub(crate) fn bindings(&self) -> Bindings {
        Bindings {
            columns: NAMES.map(String::from).to_vec(),
            with_missing: self.missing.iter().map(Option::is_some).collect(),
            ..Bindings::default()
        }
    }

    pub(crate) fn run(&self, engine: &Engine, plan: &Plan) -> Vec<ResultColumn> {
        let columns = self.columns();
        engine.run(plan, &Rows { count: self.rows, first: 0, columns: &columns }).unwrap()
    }
}

fn result_cell(column: &ResultColumn, row: usize) -> Cell {
    let missing = column.missing.as_ref().is_some_and(|m| m[row]);
    match &column.values {
        ResultValues::F64(v) => Cell::Number((!missing).then(|| v[row])),
        ResultValues::Bool(v) => Cell::Truth((!missing).then(|| v[row])),
    }
}

fn any_value() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -10.0..10.0_f64,
        2 => prop::sample::select(vec![0.0, -0.0, 1.0, -1.0, 0.5, 2.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, 5e-324]),
        1 => any::<u64>().prop_map(f64::from_bits),
    ]
}

pub(crate) fn any_table() -> impl Strategy<Value = Table> {
    let column = |n: usize| {
        let missing = prop::option::of(prop::collection::vec(any::<bool>(), n));
        (prop::collection::vec(any_value(), n), missing)
    };
    prop::sample::select(vec![0_usize, 1, 7, 33, 2049]).prop_flat_map(move |n| {
        (column(n), column(n), column(n)).prop_map(move |(x, y, z)| Table {
            rows: n,
            values: vec![x.0, y.0, z.0],
            missing: vec![x.1, y.1, z.1],
        })
    })
}

pub(crate) fn any_expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        6 => prop::sample::select(NAMES.map(String::from).to_vec()),
        2 => prop::sample::select(["0", "1", "2.5", "1e-3", "NaN", "Inf", "NA", "TRUE", "FALSE"].map(String::from).to_vec()),
    ];
    leaf.prop_recursive(5, 40, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            5 => (two.clone(), prop::sample::select(vec!["+", "-", "*", "/", "^", "%%", "%/%"]))
                .prop_map(|((a, b), op)| format!("({a} {op} {b})")),
            3 => (two.clone(), prop::sample::select(vec!["==", "!=", "<", "<=", ">", ">=", "&", "|"]))
                .prop_map(|((a, b), op)| format!("({a} {op} {b})")),
            2 => inner.clone().prop_map(|a| format!("(-{a})")),
            1 => inner.clone().prop_map(|a| format!("(!{a})")),
            3 => (inner.clone(), prop::sample::select(vec![
                    "exp", "log", "sin", "sqrt", "abs", "floor", "is.na", "is.nan", "is.finite", "is.infinite"]))
                .prop_map(|(a, f)| format!("{f}({a})")),
            1 => two.clone().prop_map(|(a, b)| format!("pmin({a}, {b})")),
            1 => two.prop_map(|(a, b)| format!("xor({a}, {b})")),
            2 => (inner.clone(), inner.clone(), inner).prop_map(|(t, a, b)| format!("ifelse({t}, {a}, {b})")),
        ]
    })
}

/// Arithmetic alone, long enough for several groups.
fn any_arithmetic() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(["x", "y", "z", "2", "0.1", "1e300"].map(String::from).to_vec());
    leaf.prop_recursive(12, 64, 2, |inner| {
        prop_oneof![
            8 => (inner.clone(), inner.clone(), prop::sample::select(vec!["+", "-", "*", "/"]))
                .prop_map(|(a, b, op)| format!("({a} {op} {b})")),
            1 => inner.clone().prop_map(|a| format!("(-{a})")),
            1 => inner.clone().prop_map(|a| format!("abs({a})")),
            1 => inner.prop_map(|a| format!("({a}^2)")),
        ]
    })
}

fn engines() -> &'static [(&'static str, Engine)] {
    static ENGINES: OnceLock<Vec<(&str, Engine)>> = OnceLock::new();
    ENGINES.get_or_init(|| {
        vec![
            ("1 thread", Engine::with_threads(1).unwrap().compiling(Compiling::Never)),
            ("2 threads", Engine::with_threads(2).unwrap()),
            ("compiled", Engine::with_threads(1).unwrap().compiling(Compiling::Always)),
            ("device", Engine::new().on_device(Device::from_env().expect("the tests need an OpenCL device"))),
        ]
    })
}

fn statements(texts: &[String]) -> Vec<Statement> {
    texts.iter().map(|t| parse(t).unwrap_or_else(|e| panic!("{e}"))).collect()
}

fn compare(table: &Table, texts: &[String], engines: &[&(&str, Engine)]) {
    let statements = statements(texts);
    let plan = bind(&statements, &table.bindings()).unwrap_or_else(|e| panic!("{e}"));
    for (name, engine) in engines {
        let results = table.run(engine, &plan);
        for (statement, result) in statements.iter().zip(&results) {
            for row in 0..table.rows {
                let expected = evaluate(&statement.value, &|n| table.cell(n, row));
                let found = result_cell(result, row);
                let cells = NAMES.map(|n| table.cell(n, row));
                // An expression that is NA whatever the row has no type of its own.
                let both_missing = matches!(
                    (expected, found),
                    (Cell::Number(None) | Cell::Truth(None), Cell::Number(None) | Cell::Truth(None))
                );
                assert!(
                    both_missing || found.same(expected),
                    "{name}: row {row} {cells:?} of `{}`: {found:?}, expected {expected:?}",
                    statement.source
                );
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn long_arithmetic_is_what_the_naive_interpreter_computes(
        table in any_table(), texts in prop::collection::vec(any_arithmetic(), 1..3)
    ) {
        compare(&table, &texts, &engines()[..3].iter().collect::<Vec<_>>());
    }

    #[test]
    fn threads_compute_what_the_naive_interpreter_does(
        table in any_table(), texts in prop::collection::vec(any_expression(), 1..3)
    ) {
        compare(&table, &texts, &engines()[..3].iter().collect::<Vec<_>>());
    }
}

proptest! {
    // A device compiles each program: fewer cases, more expressions in each.
    #![proptest_config(ProptestConfig { cases: 12, max_shrink_iters: 20, ..ProptestConfig::default() })]
    #[test]
    fn the_device_computes_what_the_naive_interpreter_does(
        table in any_table(), texts in prop::collection::vec(any_expression(), 6..10)
    ) {
        compare(&table, &texts, &[&engines()[3]]);
    }
}

fn numbers(count: usize) -> Table {
    let values = (0..3).map(|c| (0..count).map(|i| ((i * 7919 + c) % 1000) as f64 / 8.0 - 40.0).collect()).collect();
    Table { rows: count, values, missing: vec![None, Some((0..count).map(|i| i % 10 == 3).collect()), None] }
}

#[test]
fn reductions_are_the_same_on_threads_and_devices_and_refer_to_all_rows() {
    let table = numbers(150_000);
    let texts = [
        "m = mean(x)",
        "s = sum((x - m)^2)",
        "n = count(x > m)",
        "lo = min(x)",
        "hi = max(x)",
        "a = sum(y)",
        "b = sum(y, na.rm = TRUE)",
        "d = x - mean(x)",
    ]
    .map(String::from);
    let statements = statements(&texts);
    let plan = bind(&statements, &table.bindings()).unwrap();
    let all: Vec<Vec<ResultColumn>> = engines().iter().map(|(_, e)| table.run(e, &plan)).collect();
    assert!(all.iter().all(|results| *results == all[0]));
    let x = &table.values[0];
    let mean = x.iter().sum::<f64>() / x.len() as f64; // exact: eighths of small integers
    let first = |k: usize| result_cell(&all[0][k], 0);
    assert_eq!(first(0), Cell::Number(Some(mean)));
    assert_eq!(first(2), Cell::Number(Some(x.iter().filter(|v| **v > mean).count() as f64)));
    assert_eq!(first(3), Cell::Number(Some(-40.0)));
    assert_eq!(first(4), Cell::Number(Some(x.iter().copied().fold(f64::MIN, f64::max))));
    assert_eq!(first(5), Cell::Number(None));
    let kept: f64 = (0..table.rows).filter(|i| i % 10 != 3).map(|i| table.values[1][i]).sum();
    assert_eq!(first(6), Cell::Number(Some(kept)));
    assert_eq!(result_cell(&all[0][7], 149_999), Cell::Number(Some(x[149_999] - mean)));
}

#[test]
fn rows_in_batches_give_the_same_as_all_at_once() {
    let table = numbers(30_000);
    let texts =
        ["s = sum(exp(x / 50))", "r = x / s", "d = sd(y)", "q = quantile(x, 0.3)", "p = prod(y)"].map(String::from);
    let plan = bind(&statements(&texts), &table.bindings()).unwrap();
    let whole = table.run(&engines()[1].1, &plan);
    for (name, engine) in engines() {
        let columns = table.columns();
        let mut known = gristmill_engine::Known::none(&plan);
        for stage in 0..plan.stage_count() {
            let mut pass = engine.reduction_pass(&plan, stage, &known.single).unwrap();
            for start in (0..table.rows).step_by(777) {
                let end = table.rows.min(start + 777);
                let part: Vec<InputColumn<'_>> = columns
                    .iter()
                    .map(|c| InputColumn { values: &c.values[start..end], missing: c.missing.map(|m| &m[start..end]) })
                    .collect();
                let rows = Rows { count: end - start, first: start as u64, columns: &part };
                engine.reduce(&mut pass, &rows, &[]).unwrap();
            }
            assert!(pass.finish(&mut known).is_none());
        }
        let rows = Rows { count: table.rows, first: 0, columns: &columns };
        assert_eq!(engine.evaluate(&plan, &rows, &known.single).unwrap(), whole, "{name}");
    }
}

#[test]
fn results_in_the_memory_of_others_are_as_in_fresh_memory() {
    let texts = [["a = x > 1", "b = x * 2"], ["a = x - 1", "b = is.na(x)"], ["a = exp(x)", "a2 = x < 3"]];
    for (name, engine) in engines() {
        let mut results = Vec::new();
        for (round, rows) in [3000, 10, 0, 5000, 2048].into_iter().enumerate() {
            let mut table = numbers(rows);
            if round % 2 == 1 {
                table.missing[0] = Some((0..rows).map(|i| i % 3 == 0).collect());
            }
            let texts = texts[round % texts.len()].map(String::from);
            let plan = Arc::new(bind(&statements(&texts[..2 - round % 2]), &table.bindings()).unwrap());
            let prepared = engine.prepare(&plan, &[]).unwrap();
            let rows = Rows { count: rows, first: 0, columns: &table.columns() };
            engine.evaluate_into(&prepared, &rows, &mut results).unwrap();
            assert_eq!(results, engine.evaluate_prepared(&prepared, &rows).unwrap(), "{name}, round {round}");
        }
    }
}

#[test]
fn a_column_of_the_wrong_length_or_no_column_is_an_error() {
    let plan =
        bind(&statements(&["x + 1".into()]), &Bindings { columns: vec!["x".into()], ..Bindings::default() }).unwrap();
    let columns = [InputColumn { values: &[1.0, 2.0], missing: None }];
    let error = Engine::new().run(&plan, &Rows { count: 3, first: 0, columns: &columns }).unwrap_err();
    assert_eq!(error.to_string(), "column 0 has 2 values, but there are 3 rows");
    let error = Engine::new().run(&plan, &Rows { count: 3, first: 0, columns: &[] }).unwrap_err();
    assert_eq!(error.to_string(), "0 columns were given, but the expressions have 1");
}

#[test]
fn unknown_names_are_errors_that_point_and_suggest() {
    let table = numbers(1);
    let error = |text: &str| bind(&statements(&[text.to_string()]), &table.bindings()).unwrap_err().to_string();
    let named = Bindings { columns: vec!["height".into()], ..Bindings::default() };
    let near = bind(&statements(&["2 * hieght".to_string()]), &named).unwrap_err().to_string();
    assert_eq!(near, "no column is called `hieght`\n  2 * hieght\n      ^^^^^^\n  help: did you mean `height`?");
    assert_eq!(error("expp(x)"), "no function is called `expp`\n  expp(x)\n  ^^^^\n  help: did you mean `exp`?");
    assert!(error("w + 1").contains("did you mean") || error("w + 1").contains("there are: `x`, `y`, `z`"));
}
