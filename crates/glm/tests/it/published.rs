//! What R prints for fits of published tables; dev/oracle/glm/published.R wrote it down.

use crate::formula::{oracle, read};
use gristmill_glm::formula::{Formula, Roles};
use gristmill_glm::{Family, Model, Variance};
use std::collections::BTreeMap;

/// Whether a number is what R printed, to the last digit; `before` is half the unit to which R rounds it before it prints it.
fn is_printed(found: f64, text: &str, before: f64) -> bool {
    match text {
        "NA" => found.is_nan(),
        // The null deviance of a mean of 0.
        "NaN" => !found.is_finite(),
        "<2e-16" => found < 2.3e-16,
        _ => {
            let printed: f64 = text.parse().unwrap_or_else(|_| panic!("`{text}` is not a number"));
            let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
            let decimals = mantissa.split_once('.').map_or(0, |(_, digits)| digits.len() as i32);
            let unit = 10_f64.powi(exponent.parse::<i32>().expect("an exponent") - decimals);
            // Effects that are 0 but for rounding (Dobson's treatments) are rounding here and there.
            let zero = 1e-14;
            (found - printed).abs() <= 0.5001 * unit + before || (found.abs() < zero && printed.abs() < zero)
        }
    }
}

/// Half the unit of so many significant digits.
fn half_unit(x: f64, digits: i32) -> f64 {
    if x.is_finite() && x != 0.0 { 0.5 * 10_f64.powi(x.abs().log10().floor() as i32 + 1 - digits) } else { 0.0 }
}

#[test]
fn every_number_that_r_prints_for_43_fits_of_published_tables_is_found() {
    let list = std::fs::read_to_string(oracle("published/printed.tsv")).expect("the list");
    let mut cases: BTreeMap<usize, Vec<Vec<&str>>> = BTreeMap::new();
    for line in list.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        cases.entry(fields[0].parse().expect("a number")).or_default().push(fields);
    }
    let mut wrong = Vec::new();
    for (case, lines) in &cases {
        let options: Vec<&str> = lines[0][2].split('|').collect();
        let option = |name: &str| options.iter().position(|o| *o == name).map(|at| options[at + 1]);
        let family: Family = option("--family").expect("a family").parse().expect("a family");
        let link = option("--link").map(|l| l.parse().expect("a link"));
        let variance = option("--variance").map(|v| v.parse::<Variance>().expect("a variance"));
        let estimated = family == Family::NegativeBinomial;
        let model = match variance {
            Some(variance) => Ok(Model::quasi(variance, link)),
            None => Model::new(family, link, estimated.then_some(1.0)),
        };
        let binomial = matches!(family, Family::Binomial | Family::QuasiBinomial);
        let roles = Roles { weights: option("--weights").map(String::from), offset: None, binomial };
        let table = read(&oracle(&format!("published/{}.csv", lines[0][1])));
        let formula = Formula::parse(option("--formula").expect("a formula"), table.names()).expect("a formula");
        let design = formula.design(&table, &roles).unwrap_or_else(|e| panic!("case {case}: {e}"));
        let mut data = design.builder(model.expect("a model")).expect("a matrix").build().expect("data");
        let (mut size, mut size_sd) = (f64::NAN, f64::NAN);
        let fit = if estimated {
            let found = data.fit_negative_binomial().expect("a fit");
            assert!(found.converged, "case {case}");
            (size, size_sd) = (found.size, found.size_sd);
            data = found.data;
            found.fit
        } else {
            data.fit().expect("a fit")
        };
        let summary = data.summary(&fit, design.intercept, None);
        for fields in lines {
            let (what, text) = (fields[3], fields[4]);
            let mut check = |what: &str, found: f64, text: &str, before: f64| {
                if !is_printed(found, text, before) {
                    wrong.push(format!("case {case}, {}, {what}: {found}, R {text}", fields[2]));
                }
            };
            if let Some(name) = what.strip_prefix("coefficient ") {
                let Some(j) = design.names.iter().position(|n| n == name) else {
                    panic!("case {case}: no coefficient `{name}` in {:?}", design.names);
                };
                let c = summary.coefficients[j];
                let texts: Vec<&str> = text.split('|').collect();
                // Four digits of the smallest number of both columns; three decimals of statistics.
                let sizes = summary.coefficients.iter().flat_map(|c| [c.estimate.abs(), c.sd]);
                let smallest = sizes.filter(|v| *v > 0.0).fold(f64::INFINITY, f64::min);
                let rounded = half_unit(smallest, 4);
                let numbers = [(c.estimate, rounded), (c.sd, rounded), (c.z, 0.0005), (c.p, 0.0)];
                for ((found, before), text) in numbers.into_iter().zip(texts) {
                    check(what, found, text, before);
                }
                continue;
            }
            let found = match what {
                "dispersion" => summary.dispersion,
                "null deviance" => summary.null_deviance,
                "null degrees" => summary.null_degrees as f64,
                "deviance" => summary.deviance,
                "degrees" => summary.residual_degrees as f64,
                "aic" => summary.aic.map_or(f64::NAN, |aic| aic + if estimated { 2.0 } else { 0.0 }),
                "theta" => size,
                "theta sd" => size_sd,
                "log-likelihood" => -2.0 * fit.value,
                other => panic!("`{other}`"),
            };
            check(what, found, text, if what.contains("deviance") { half_unit(found, 5) } else { 0.0 });
        }
    }
    assert!(cases.len() >= 40, "{} cases", cases.len());
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}
