//! No function is further from the truth than its bound says.
#![allow(missing_docs, dead_code)]

mod bounds;
mod exact;
mod functions;
mod oracle;

use bounds::{BOUNDS, CORNERS, SWEEP, bound_of};
use functions::FUNCTIONS;

#[test]
fn every_function_stays_within_its_bound() {
    let mut problems = vec![];
    for function in FUNCTIONS {
        let files = oracle::files(function.0);
        if files.is_empty() {
            problems.push(format!("{}: no reference values in dev/oracle/values", function.0));
        }
        for file in files {
            let Some((_, high, max)) = bound_of(function.0, &file) else {
                problems.push(format!("{}: no line in bounds.rs", function.0));
                continue;
            };
            let m = oracle::measure(function, &file);
            if let Some((arguments, computed, truth)) = &m.first_wrong {
                problems.push(format!("{file}{arguments:?} is {computed}, but must be {truth} ({} such)", m.wrong));
            }
            if m.high > *high {
                problems.push(format!("{file}: 99 % of the errors are below {:.3} ulp, bound {high}", m.high));
            }
            if m.max > *max {
                problems.push(format!("{file}{:?}: error {:.3} ulp, bound {max}", m.worst, m.max));
            }
        }
    }
    for bound in BOUNDS.iter().chain(SWEEP).chain(CORNERS).filter(|b| !FUNCTIONS.iter().any(|f| f.0 == b.0)) {
        problems.push(format!("{}: a bound, but no line in functions.rs", bound.0));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_function_says_its_domain_its_method_from_where_and_how_well() {
    let mut problems = vec![];
    for kernel in gristmill_nmath::KERNELS {
        let (name, doc) = (kernel.name(), kernel.doc());
        let line = |title: &str| doc.lines().position(|l| l.contains(title));
        for title in ["Domain:", "Method:", "Paper:", "Error:"].into_iter().filter(|title| line(title).is_none()) {
            problems.push(format!("{name}: no `{title}` in its documentation"));
        }
        let bounds: Vec<_> = ["", "+sweep", "+corners"].into_iter().filter_map(|file| bound_of(name, file)).collect();
        let largest = |of: fn(&bounds::Bound) -> f64| bounds.iter().map(|b| of(b)).fold(0.0, f64::max);
        let (high, max) = (largest(|b| b.1), largest(|b| b.2));
        if let (true, Some(at)) = (max > 0.0, line("Error:")) {
            let expected = format!("99 % within {high:.2} ulp, at most {max:.2} ulp");
            let text: Vec<&str> = doc.lines().skip(at).map(str::trim).collect();
            if !text.join(" ").contains(&expected) {
                problems.push(format!("{name}: its documentation does not say `{expected}`, which bounds.rs does"));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn the_table_of_peers_can_be_read() {
    let peers = oracle::peers();
    let of_exp = peers.iter().find(|p| p.0 == "exp").expect("exp is in peers.tsv");
    assert_eq!(of_exp.1[0], "300");
    let measured = oracle::measure_all(&["exp".into()]);
    assert_eq!(measured[0].points, 300);
}
