//! No function is further from the truth than its bound says.
#![allow(missing_docs, dead_code)]

#[path = "../../../nmath/tests/accuracy/exact.rs"]
mod exact;

use exact::{Verdict, verdict};
use gristmill_nmath_noncentral as noncentral;
use std::path::PathBuf;

/// A function by name, taking the arguments of one line of its reference file.
type Function = (&'static str, fn(&[f64]) -> f64);

macro_rules! functions {
    ($($name:ident ($($number:ident),* ; $($flag:ident),*))*) => {
        &[$((stringify!($name), |arguments| {
            let mut rest = arguments.iter().copied();
            let mut next = || rest.next().expect("as many columns as the function has arguments");
            noncentral::$name($({ let $number = next(); $number }),* $(, { let $flag = next(); $flag != 0.0 })*)
        })),*]
    };
}

const FUNCTIONS: &[Function] = functions! {
    dnchisq(x, df, ncp; log)
    pnchisq(x, df, ncp; lower, log)
    qnchisq(p, df, ncp; lower, log)
    dnbeta(x, a, b, ncp; log)
    pnbeta(x, a, b, ncp; lower, log)
    qnbeta(p, a, b, ncp; lower, log)
    dnf(x, df1, df2, ncp; log)
    pnf(x, df1, df2, ncp; lower, log)
    qnf(p, df1, df2, ncp; lower, log)
};

/// File, bound of the 99 % quantile, bound of the maximum, in ulps.
const BOUNDS: &[(&str, f64, f64)] = &[
    ("dnchisq", 0.52, 0.55),
    ("dnchisq+sweep", 0.51, 0.52),
    ("dnchisq+corners", 0.51, 0.52),
    ("pnchisq", 2.10, 2.20),
    ("pnchisq+sweep", 1.30, 2.10),
    ("pnchisq+corners", 1.70, 2.50),
    ("qnchisq", 0.55, 0.60),
    ("qnchisq+sweep", 0.55, 0.65),
    ("qnchisq+corners", 0.55, 0.60),
    ("dnbeta", 0.60, 1.00),
    ("dnbeta+sweep", 0.60, 0.60),
    // next to 0 the log density of a nearly uniform distribution has only the absolute error of the saddle point form
    ("dnbeta+corners", 3.00, 6600.0),
    ("pnbeta", 0.85, 1.20),
    ("pnbeta+sweep", 1.70, 2.00),
    ("pnbeta+corners", 2.30, 2.40),
    ("qnbeta", 0.55, 0.60),
    ("qnbeta+sweep", 1.80, 1.90),
    ("qnbeta+corners", 0.55, 0.60),
    ("dnf", 0.60, 0.80),
    ("dnf+sweep", 0.80, 1.30),
    ("dnf+corners", 0.70, 12400.0),
    ("pnf", 1.20, 2.80),
    ("pnf+sweep", 1.70, 2.50),
    ("pnf+corners", 1.00, 2.00),
    ("qnf", 2.40, 6.70),
    ("qnf+sweep", 3.10, 10.50),
];

struct Measured {
    points: usize,
    median: f64,
    high: f64,
    worst: Vec<(f64, Vec<f64>, f64, String)>,
    wrong: Vec<(Vec<f64>, f64, String)>,
}

fn folder() -> PathBuf {
    let own = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../dev/oracle/values");
    std::env::var_os("NONCENTRAL_VALUES").map_or_else(own, PathBuf::from)
}

fn measure(function: &Function, file: &str) -> Option<Measured> {
    let text = std::fs::read_to_string(folder().join(format!("{file}.tsv"))).ok()?;
    let mut errors = vec![];
    let mut wrong = vec![];
    for line in text.lines().skip(1) {
        let mut fields: Vec<&str> = line.split('\t').collect();
        let truth = fields.pop().unwrap_or_default();
        let arguments: Vec<f64> = fields.iter().map(|f| f.parse().expect("a number")).collect();
        let computed = (function.1)(&arguments);
        match verdict(computed, truth) {
            Verdict::Ulps(u) => errors.push((u, arguments, computed, truth.to_string())),
            Verdict::WrongKind => wrong.push((arguments, computed, truth.to_string())),
        }
    }
    errors.sort_by(|a, b| a.0.total_cmp(&b.0));
    let at = |p: f64| errors[((errors.len() as f64 * p) as usize).min(errors.len() - 1)].0;
    let (median, high) = (at(0.5), at(0.99));
    let points = errors.len() + wrong.len();
    Some(Measured { points, median, high, worst: errors.split_off(errors.len().saturating_sub(8)), wrong })
}

#[test]
fn every_function_stays_within_its_bound() {
    let mut problems = vec![];
    for &(file, high, max) in BOUNDS {
        let name = file.split('+').next().expect("a name");
        let function = FUNCTIONS.iter().find(|f| f.0 == name).expect("a function");
        let m = measure(function, file).unwrap_or_else(|| panic!("{file}: no reference values"));
        if let Some((arguments, computed, truth)) = m.wrong.first() {
            problems.push(format!("{file}{arguments:?} is {computed}, but must be {truth} ({} such)", m.wrong.len()));
        }
        if m.high > high {
            problems.push(format!("{file}: 99 % of the errors are below {:.3} ulp, bound {high}", m.high));
        }
        let worst = m.worst.last().expect("points");
        if worst.0 > max {
            problems.push(format!("{file}{:?}: error {:.3} ulp, bound {max}", worst.1, worst.0));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// `NONCENTRAL_VALUES=FOLDER cargo test -p gristmill-nmath-noncentral --test accuracy -- --ignored --nocapture`
#[test]
#[ignore = "prints a table"]
fn table() {
    for function in FUNCTIONS {
        for more in ["", "+sweep", "+corners"] {
            let file = format!("{}{more}", function.0);
            let Some(m) = measure(function, &file) else { continue };
            let max = m.worst.last().map_or(0.0, |w| w.0);
            println!("{file}: {} points, {:.2} {:.2} {max:.2}, {} wrong", m.points, m.median, m.high, m.wrong.len());
            for w in m.wrong.iter().take(5) {
                println!("    WRONG {:?} = {} not {}", w.0, w.1, w.2);
            }
            for w in m.worst.iter().rev().take(6).filter(|w| w.0 > 1.5) {
                println!("    {:.2} {:?} = {:e} {}", w.0, w.1, w.2, w.3);
            }
        }
    }
}
