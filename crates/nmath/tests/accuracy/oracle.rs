//! Reads dev/oracle and measures functions against it.

use crate::exact::{Verdict, verdict};
use gristmill_kernel::{Column, ColumnMut, Function, Level, Scalar};
use gristmill_nmath::documentation::bound;
use std::path::PathBuf;
use std::sync::OnceLock;

/// One line of a reference file.
#[derive(Debug, Clone)]
pub(crate) struct Point {
    pub(crate) arguments: Vec<f64>,
    pub(crate) truth: String,
}

/// A function on one file of points.
#[derive(Debug)]
pub(crate) struct Measurement {
    /// The file's name without ending: `NAME`, or `NAME+MORE` for further points of the same function.
    pub(crate) file: String,
    pub(crate) points: usize,
    pub(crate) median: f64,
    pub(crate) high: f64,
    pub(crate) max: f64,
    /// The arguments with the largest error.
    pub(crate) worst: Vec<f64>,
    /// Results of the wrong kind (NaN, infinity): how many, and the first of them.
    pub(crate) wrong: usize,
    pub(crate) first_wrong: Option<(Vec<f64>, f64, String)>,
}

/// Where the reference values lie, if not in dev/oracle.
pub(crate) static ELSEWHERE: OnceLock<PathBuf> = OnceLock::new();

fn folder() -> PathBuf {
    ELSEWHERE.get().cloned().unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../dev/oracle"))
}

/// The functions whose error is measured, in the order of the list.
pub(crate) fn measured() -> impl Iterator<Item = &'static Function> {
    gristmill_nmath::KERNELS.iter().filter(|f| bound(f, "").is_some())
}

/// The value at the arguments of one line of a reference file, by the scalar function.
pub(crate) fn evaluate(function: &Function, arguments: &[f64]) -> f64 {
    assert_eq!(function.params().len(), arguments.len(), "{}: as many columns as arguments", function.name());
    let flags: Vec<[bool; 1]> = arguments.iter().map(|x| [*x != 0.0]).collect();
    let whole: Vec<[i32; 1]> = arguments.iter().map(|x| [*x as i32]).collect();
    let columns: Vec<Column<'_>> = function
        .params()
        .enumerate()
        .map(|(i, (name, scalar))| match scalar {
            Scalar::F64 => Column::F64(&arguments[i..=i]),
            Scalar::Bool => Column::Bool(&flags[i]),
            Scalar::I32 => Column::I32(&whole[i]),
            other => panic!("`{name}` of `{}` is {other}, which no reference file holds", function.name()),
        })
        .collect();
    let mut result = [0.0];
    let mut results = [ColumnMut::F64(&mut result)];
    function.call_at(Level::best(), &columns, &mut results, 0).unwrap_or_else(|e| panic!("{e}"));
    result[0]
}

/// Every reference file, by its name without ending.
pub(crate) fn all_files() -> Vec<String> {
    let values = folder().join("values");
    let entries = std::fs::read_dir(&values).unwrap_or_else(|e| panic!("{}: {e}", values.display()));
    let mut stems: Vec<String> =
        entries.filter_map(|e| Some(e.ok()?.path().file_stem()?.to_str()?.to_string())).collect();
    stems.sort();
    stems
}

/// The reference files of `name`: `NAME.tsv` first, then every `NAME+MORE.tsv`.
pub(crate) fn files(name: &str) -> Vec<String> {
    all_files().into_iter().filter(|stem| stem.split('+').next() == Some(name)).collect()
}

/// The points of one file.
pub(crate) fn points(file: &str) -> Vec<Point> {
    let path = folder().join("values").join(format!("{file}.tsv"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let lines = text.lines().skip(1).enumerate();
    lines
        .map(|(i, line)| {
            let mut fields: Vec<&str> = line.split('\t').collect();
            let truth = fields.pop().unwrap_or_default().to_string();
            let number = |f: &&str| f.parse().unwrap_or_else(|_| panic!("{}:{}: `{f}`", path.display(), i + 2));
            Point { arguments: fields.iter().map(number).collect(), truth }
        })
        .collect()
}

fn ulp(y: f64) -> f64 {
    let y = y.abs().max(f64::MIN_POSITIVE);
    f64::from_bits(y.to_bits() + 1) - y
}

/// By how much the ulp of the modulus `sqrt(J^2 + Y^2)` is larger than that of the value: where these functions oscillate, next
/// to their zeros, the modulus is what an error is measured by. 1 for every other function.
fn modulus_over_value(function: &Function, arguments: &[f64]) -> f64 {
    let is_j = function.name() == "bessel_j";
    if !is_j && function.name() != "bessel_y" || arguments[0] < arguments[1].abs() {
        return 1.0;
    }
    let (j, y) =
        (gristmill_nmath::bessel_j(arguments[0], arguments[1]), gristmill_nmath::bessel_y(arguments[0], arguments[1]));
    let modulus = j.hypot(y);
    if modulus.is_finite() { (ulp(modulus) / ulp(if is_j { j } else { y })).max(1.0) } else { 1.0 }
}

/// Runs `function` over the points of `file`.
pub(crate) fn measure(function: &Function, file: &str) -> Measurement {
    let mut errors: Vec<f64> = vec![];
    let mut m = Measurement {
        file: file.to_string(),
        points: 0,
        median: 0.0,
        high: 0.0,
        max: 0.0,
        worst: vec![],
        wrong: 0,
        first_wrong: None,
    };
    for point in points(file) {
        m.points += 1;
        let computed = evaluate(function, &point.arguments);
        match verdict(computed, &point.truth) {
            Verdict::Ulps(u) => {
                let u = u / modulus_over_value(function, &point.arguments);
                if u > m.max || m.worst.is_empty() {
                    m.max = u;
                    m.worst.clone_from(&point.arguments);
                }
                errors.push(u);
            }
            Verdict::WrongKind => {
                m.wrong += 1;
                m.first_wrong.get_or_insert((point.arguments, computed, point.truth));
            }
        }
    }
    errors.sort_by(f64::total_cmp);
    let quantile = |p: f64| errors.get(((errors.len() as f64 * p) as usize).min(errors.len().max(1) - 1)).copied();
    m.median = quantile(0.5).unwrap_or(0.0);
    m.high = quantile(0.99).unwrap_or(0.0);
    m
}

/// All measurements of the functions in `names` (all functions if it is empty), in the order of the table.
pub(crate) fn measure_all(names: &[String]) -> Vec<Measurement> {
    let wanted = measured().filter(|f| names.is_empty() || names.iter().any(|n| n == f.name()));
    wanted.flat_map(|f| files(f.name()).into_iter().map(move |file| measure(f, &file))).collect()
}

/// What R and SciPy reach on a file: `[points, median, 99 %, max, wrong]` each, as written in peers.tsv.
pub(crate) fn peers() -> Vec<(String, [String; 5], [String; 5])> {
    let path = folder().join("peers.tsv");
    if ELSEWHERE.get().is_some() {
        return vec![]; // the peers were measured on the points of dev/oracle only
    }
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let rows = text.lines().skip(1).map(|line| {
        let fields: Vec<String> = line.split('\t').map(String::from).collect();
        let five = |i: usize| std::array::from_fn(|j| fields.get(i + j).cloned().unwrap_or_else(|| "-".into()));
        (fields[0].clone(), five(1), five(6))
    });
    rows.collect()
}
