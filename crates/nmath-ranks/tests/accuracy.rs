//! No function is further from the truth than its bound says, on the points of dev/oracle.
#![allow(missing_docs, dead_code)]

#[path = "../../nmath/tests/accuracy/exact.rs"]
mod exact;

use exact::{Verdict, verdict};
use gristmill_nmath_ranks::{dsignrank, dwilcox, psignrank, pwilcox, qsignrank, qwilcox};
use std::path::PathBuf;

type Call = fn(&[f64]) -> f64;

/// Name, call, and in ulp: what 99 % of the errors are below, the largest.
const BOUNDS: &[(&str, Call, f64, f64)] = &[
    ("dwilcox", |a| dwilcox(a[0], a[1], a[2], a[3] != 0.0), 0.65, 0.70),
    ("pwilcox", |a| pwilcox(a[0], a[1], a[2], a[3] != 0.0, a[4] != 0.0), 0.90, 1.30),
    ("qwilcox", |a| qwilcox(a[0], a[1], a[2], a[3] != 0.0, a[4] != 0.0), 0.0, 0.0),
    ("dsignrank", |a| dsignrank(a[0], a[1], a[2] != 0.0), 0.50, 0.51),
    ("psignrank", |a| psignrank(a[0], a[1], a[2] != 0.0, a[3] != 0.0), 0.75, 1.30),
    ("qsignrank", |a| qsignrank(a[0], a[1], a[2] != 0.0, a[3] != 0.0), 0.0, 0.0),
];

fn points(file: &str) -> Vec<(Vec<f64>, String)> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../dev/oracle/values").join(format!("{file}.tsv"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let point = |line: &str| {
        let mut fields: Vec<&str> = line.split('\t').collect();
        let truth = fields.pop().unwrap_or_default().to_string();
        (fields.iter().map(|f| f.parse().unwrap_or_else(|_| panic!("{file}: `{f}`"))).collect(), truth)
    };
    text.lines().skip(1).map(point).collect()
}

#[test]
fn every_function_stays_within_its_bound() {
    let mut problems = vec![];
    for (name, call, high, max) in BOUNDS {
        for file in [name.to_string(), format!("{name}+sweep")] {
            let mut errors: Vec<(f64, Vec<f64>)> = vec![];
            for (arguments, truth) in points(&file) {
                let computed = call(&arguments);
                match verdict(computed, &truth) {
                    Verdict::Ulps(u) => errors.push((u, arguments)),
                    Verdict::WrongKind => problems.push(format!("{file}{arguments:?} is {computed}, not {truth}")),
                }
            }
            errors.sort_by(|a, b| a.0.total_cmp(&b.0));
            let at = errors[(errors.len() as f64 * 0.99) as usize].0;
            let (worst, arguments) = errors.last().expect("points");
            println!("{file}: {} points, 99 % within {at:.2}, worst {worst:.2} ulp at {arguments:?}", errors.len());
            if at > *high {
                problems.push(format!("{file}: 99 % of the errors are below {at:.3} ulp, bound {high}"));
            }
            if worst > max {
                problems.push(format!("{file}{arguments:?}: error {worst:.3} ulp, bound {max}"));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Newton's method for the circle went too far here and stopped: no digit was right. The truth is that of `ranks.py --far`.
#[test]
fn the_far_tails_of_large_samples_are_right() {
    for (j, size, mass, sum) in [
        (9000.0, 300.0, "-183.0819179481672661481480", "-178.6994397557389846061008"),
        (1e7, 1e4, "-5864.136698747665024898672", "-5856.255876100389668707039"),
        (1e9, 1e5, "-58529.64223423460603808570", "-58519.45905529009242186269"),
    ] {
        for (computed, truth) in [(dwilcox(j, size, size, true), mass), (pwilcox(j, size, size, true, true), sum)] {
            assert!(
                matches!(verdict(computed, truth), Verdict::Ulps(u) if u <= 0.51),
                "{size}: {computed}, not {truth}"
            );
        }
    }
}
