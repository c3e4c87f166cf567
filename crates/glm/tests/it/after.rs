//! What R says after a fit; dev/oracle/glm/after.R wrote it down.

use crate::formula::{oracle, read};
use gristmill_glm::formula::{Design, DesignMatrix, Formula, Roles};
use gristmill_glm::{Family, Fit, GlmData, Model, RowInfluence, Summary};
use gristmill_nmath as nmath;
use std::collections::BTreeMap;

/// Digits that R's own iterations leave, relative to the number or to the smallest of its kind that is not rounding.
const BOUND: f64 = 2e-6;

struct Case {
    design: Design,
    data: GlmData,
    fit: Fit,
    summary: Summary,
    size: Option<f64>,
    rows: Vec<RowInfluence>,
    profile: Vec<(f64, f64)>,
    link_se: Vec<f64>,
}

impl Case {
    fn new(table: &str, options: &str) -> Case {
        let options: Vec<&str> = options.split('|').collect();
        let option = |name: &str| options.iter().position(|o| *o == name).map(|at| options[at + 1]);
        let family: Family = option("--family").expect("a family").parse().expect("a family");
        let link = option("--link").map(|l| l.parse().expect("a link"));
        let negative = family == Family::NegativeBinomial;
        let model = Model::new(family, link, negative.then_some(1.0)).expect("a model");
        let binomial = family == Family::Binomial;
        let roles = Roles { weights: option("--weights").map(String::from), offset: None, binomial };
        let table = read(&oracle(&format!("published/{table}.csv")));
        let formula = Formula::parse(option("--formula").expect("a formula"), table.names()).expect("a formula");
        let design = formula.design(&table, &roles).expect("a design");
        let mut data = design.builder(model).expect("a matrix").build().expect("data");
        let mut size = None;
        let fit = if negative {
            let found = data.fit_negative_binomial().expect("a fit");
            assert!(found.converged);
            (data, size) = (found.data, Some(found.size));
            found.fit
        } else {
            data.fit().expect("a fit")
        };
        assert!(fit.converged());
        let summary = data.summary(&fit, design.intercept, None);
        let rows = data.influence(&fit, summary.dispersion);
        let profile = data.profile_intervals(&fit, summary.dispersion, 0.95).expect("intervals");
        let new = formula.new_rows(&design.frame, &table, &roles).expect("rows");
        let DesignMatrix::Dense(x) = &new.x else { panic!("small tables are dense") };
        let (count, n) = (table.rows(), fit.coefficients.len());
        let se = |i: usize| (fit.quadratic((0..n).map(|j| (j, x[j * count + i]))) * summary.dispersion).sqrt();
        let link_se = (0..count).map(se).collect();
        Case { design, data, fit, summary, size, rows, profile, link_se }
    }

    fn coefficient(&self, name: &str) -> usize {
        let found = self.design.names.iter().position(|n| n == name);
        found.unwrap_or_else(|| panic!("no coefficient `{name}` in {:?}", self.design.names))
    }

    fn found(&self, what: &str, row: &str) -> f64 {
        let (n, z) = (self.fit.coefficients.len(), nmath::qnorm(0.975, 0.0, 1.0, true, false));
        let coefficient = || self.summary.coefficients[self.coefficient(row)];
        let here = || &self.rows[row.parse::<usize>().expect("a row") - 1];
        let se = || self.link_se[row.parse::<usize>().expect("a row") - 1];
        match what {
            "size" => self.size.expect("a size"),
            "wald low" => coefficient().estimate - z * coefficient().sd,
            "wald high" => coefficient().estimate + z * coefficient().sd,
            "profile low" => self.profile[self.coefficient(row)].0,
            "profile high" => self.profile[self.coefficient(row)].1,
            "vcov" => {
                let (a, b) = row.split_once('|').expect("two names");
                let place = self.coefficient(a) * n + self.coefficient(b);
                self.fit.expected_covariance[place] * self.summary.dispersion
            }
            "deviance" => here().deviance,
            "pearson" => here().pearson,
            "response" => here().response,
            "working" => here().working,
            "hat" => here().hat,
            "std deviance" => here().standardised_deviance,
            "std pearson" => here().standardised_pearson,
            "cook" => here().cook,
            "link" => here().link,
            "fitted" => here().fitted,
            "link se" => se(),
            "response se" => se() * self.data.model().mean_derivative(here().link).abs(),
            _ => self.found_in_anova(what, row),
        }
    }

    fn found_in_anova(&self, what: &str, term: &str) -> f64 {
        let rows = self.design.analysis_of_deviance(*self.data.model()).expect("an analysis");
        let row = rows.iter().find(|r| r.term == term).unwrap_or_else(|| panic!("no term `{term}`"));
        match what {
            "anova residual" => row.residual_deviance,
            "anova deviance" => row.reduction.unwrap_or(f64::NAN),
            "anova p" => {
                let (Some(df), Some(reduction)) = (row.degrees, row.reduction) else { return f64::NAN };
                let (df, scaled) = (df as f64, reduction / self.summary.dispersion);
                match self.summary.estimated {
                    true => nmath::pf(scaled / df, df, self.summary.residual_degrees as f64, false, false),
                    false => nmath::pchisq(scaled, df, false, false),
                }
            }
            other => panic!("`{other}`"),
        }
    }
}

#[test]
fn intervals_covariances_deviances_residuals_and_predictions_are_those_of_r() {
    let list = std::fs::read_to_string(oracle("after.tsv")).expect("the list");
    let mut cases: BTreeMap<usize, Vec<Vec<&str>>> = BTreeMap::new();
    for line in list.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        cases.entry(fields[0].parse().expect("a number")).or_default().push(fields);
    }
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for (number, lines) in &cases {
        let (head, numbers) = lines.split_first().expect("a model");
        let case = Case::new(head[2], head[3]);
        // What is 0 but for rounding is so in units of its kind.
        let mut largest: BTreeMap<&str, f64> = BTreeMap::new();
        let value = |text: &str| if text == "NA" { f64::NAN } else { text.parse::<f64>().expect("a number") };
        for line in numbers {
            let size = largest.entry(line[1]).or_default();
            *size = size.max(value(line[3]).abs());
        }
        for line in numbers {
            let (what, row, expected) = (line[1], line[2], value(line[3]));
            let found = case.found(what, row);
            // R takes the size where its own search ends, which is 1e-5 before.
            let bound = if case.size.is_some() { 50.0 * BOUND } else { BOUND };
            let allowed = bound * (expected.abs() + 1e-3 * largest[what]);
            let same = (found.is_nan() && expected.is_nan()) || (found - expected).abs() <= allowed;
            if !same {
                wrong.push(format!("case {number}, {}, {what} {row}: {found}, R {expected}", head[3]));
            }
            seen += 1;
        }
    }
    assert!(cases.len() >= 12 && seen > 3000, "{} cases, {seen} numbers", cases.len());
    assert!(wrong.is_empty(), "{} differences of {seen}:\n{}", wrong.len(), wrong.join("\n"));
}
