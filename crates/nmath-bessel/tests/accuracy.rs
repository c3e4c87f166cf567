//! No Bessel function is further from the truth than its bound says; next to zeros of J and Y the unit is the modulus's ulp.
#![allow(missing_docs, dead_code)]

#[path = "../../nmath/tests/accuracy/exact.rs"]
mod exact;

use exact::{Verdict, verdict};
use gristmill_nmath_bessel::{bessel_i, bessel_j, bessel_k, bessel_y};
use std::path::PathBuf;

type Evaluate = fn(&[f64]) -> f64;

const FUNCTIONS: &[(&str, Evaluate)] = &[
    ("bessel_i", |a| bessel_i(a[0], a[1], a[2])),
    ("bessel_j", |a| bessel_j(a[0], a[1])),
    ("bessel_k", |a| bessel_k(a[0], a[1], a[2])),
    ("bessel_y", |a| bessel_y(a[0], a[1])),
];

/// File, bound of 99 % of the errors and of the largest, in ulp of the truth; of J and Y above the transition, of the modulus.
const BOUNDS: &[(&str, f64, f64)] = &[
    ("bessel_i", 1.0, 1.5),
    ("bessel_i+sweep", 1.0, 1.5),
    ("bessel_i+corners", 1.0, 1.5),
    ("bessel_i+large", 1.0, 1.5),
    ("bessel_j", 0.7, 1.1),
    ("bessel_j+sweep", 0.7, 1.1),
    ("bessel_j+corners", 0.7, 1.1),
    ("bessel_j+large", 0.7, 1.1),
    ("bessel_k", 0.8, 1.5),
    ("bessel_k+sweep", 0.8, 1.5),
    ("bessel_k+corners", 0.8, 1.5),
    ("bessel_k+large", 0.8, 1.5),
    ("bessel_y", 1.0, 1.6),
    ("bessel_y+sweep", 1.0, 1.6),
    ("bessel_y+corners", 1.0, 1.6),
];

fn ulp(y: f64) -> f64 {
    let y = y.abs().max(f64::MIN_POSITIVE);
    f64::from_bits(y.to_bits() + 1) - y
}

/// By how much the modulus's ulp is larger than that of the value, where J and Y oscillate.
fn relief(name: &str, arguments: &[f64]) -> f64 {
    let (x, nu) = (arguments[0], arguments[1]);
    if !matches!(name, "bessel_j" | "bessel_y") || x < nu.abs() {
        return 1.0;
    }
    let (j, y) = (bessel_j(x, nu), bessel_y(x, nu));
    let modulus = j.hypot(y);
    if !modulus.is_finite() {
        return 1.0;
    }
    (ulp(modulus) / ulp(if name == "bessel_j" { j } else { y })).max(1.0)
}

#[derive(Default)]
struct Measured {
    plain: Vec<f64>,
    by_modulus: Vec<(f64, Vec<f64>)>,
    wrong: Vec<String>,
}

fn measure(name: &str, evaluate: Evaluate, file: &str) -> Measured {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../dev/oracle/values").join(format!("{file}.tsv"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut m = Measured::default();
    for line in text.lines().skip(1) {
        let mut fields: Vec<&str> = line.split('\t').collect();
        let truth = fields.pop().unwrap_or_default();
        let arguments: Vec<f64> = fields.iter().map(|f| f.parse().expect(line)).collect();
        let computed = evaluate(&arguments);
        match verdict(computed, truth) {
            Verdict::Ulps(u) => {
                m.plain.push(u);
                m.by_modulus.push((u / relief(name, &arguments), arguments));
            }
            Verdict::WrongKind => m.wrong.push(format!("{file}{arguments:?} is {computed}, but must be {truth}")),
        }
    }
    m.plain.sort_by(f64::total_cmp);
    m.by_modulus.sort_by(|a, b| a.0.total_cmp(&b.0));
    m
}

#[test]
fn every_function_stays_within_its_bound() {
    let mut problems = vec![];
    for &(file, high, max) in BOUNDS {
        let name = file.split('+').next().unwrap_or_default();
        let evaluate = FUNCTIONS.iter().find(|f| f.0 == name).expect("a function").1;
        let m = measure(name, evaluate, file);
        let n = m.plain.len();
        let at_99 = m.by_modulus[(n * 99 / 100).min(n - 1)].0;
        let (worst, arguments) = m.by_modulus.last().expect("points");
        eprintln!(
            "{file:18} {n:5} points  median {:.3}  99 % {at_99:.3}  max {worst:.3} at {arguments:?}; in ulp of the value 99 % {:.3} max {:.3}",
            m.by_modulus[n / 2].0,
            m.plain[(n * 99 / 100).min(n - 1)],
            m.plain[n - 1],
        );
        if std::env::var_os("WORST").is_some() {
            for (u, arguments) in m.by_modulus.iter().rev().take(12) {
                eprintln!("    {u:.3} {arguments:?}");
            }
        }
        problems.extend(m.wrong);
        if at_99 > high {
            problems.push(format!("{file}: 99 % of the errors are below {at_99:.3} ulp, bound {high}"));
        }
        if *worst > max {
            problems.push(format!("{file}{arguments:?}: error {worst:.3} ulp, bound {max}"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
