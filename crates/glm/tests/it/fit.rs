//! Fits against R's glm; dev/oracle/glm/fits.R wrote the expected ones.

use crate::formula::{oracle, read};
use gristmill_glm::formula::{Design, Formula, Roles, Table};
use gristmill_glm::{Curvature, Family, Fit, FitOutcome, GlmData, GlmError, Link, Matrix, Model, Summary};
use std::path::Path;

fn table(name: &str) -> Table {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    read(&if examples.exists() { examples } else { oracle(name) })
}

fn data(model: Model, design: &Design) -> GlmData {
    design.builder(model).expect("a matrix").build().expect("data")
}

fn close(what: &str, found: f64, expected: f64, relative: f64, wrong: &mut Vec<String>) {
    // Estimates of nearly 0 are compared with the size of their sd by the caller.
    if !((found - expected).abs() <= relative * expected.abs()
        || found == expected
        || found.is_nan() && expected.is_nan())
    {
        wrong.push(format!("{what}: {found:e}, R {expected:e}"));
    }
}

fn numbers(text: &str) -> Vec<f64> {
    text.split('|').map(|t| if t == "NA" { f64::NAN } else { t.trim().parse().expect(t) }).collect()
}

struct Case {
    family: Family,
    design: Design,
    summary: Summary,
    fit: Fit,
}

/// A line of fits.tsv, fitted here.
fn fitted(fields: &[&str]) -> Case {
    let [name, family, link, size, formula, weights, offset, ..] = *fields else { panic!("{fields:?}") };
    let given = |text: &str| (text != "NA").then(|| text.to_string());
    let family: Family = family.parse().expect("a family");
    let model =
        Model::new(family, Some(link.parse().expect("a link")), given(size).map(|s| s.parse().expect("a size")))
            .expect("a model");
    let table = table(name);
    let binomial = matches!(family, Family::Binomial | Family::QuasiBinomial);
    let roles = Roles { weights: given(weights), offset: given(offset), binomial };
    let formula = Formula::parse(formula, table.names()).unwrap_or_else(|e| panic!("{e}"));
    let design = formula.design(&table, &roles).unwrap_or_else(|e| panic!("{e}"));
    let data = data(model, &design);
    let fit = data.fit().expect("a fit");
    let summary = data.summary(&fit, design.intercept, None);
    Case { family, design, summary, fit }
}

#[test]
fn coefficients_and_standard_errors_are_those_of_r_to_1e_8() {
    check_list(&std::fs::read_to_string(oracle("fits.tsv")).expect("the list"));
}

/// The committed lists are what R writes: run where R is installed.
#[test]
fn the_r_that_is_installed_gives_the_same_fits_and_model_matrices() {
    let folder = tempfile::tempdir().expect("a folder");
    let r = |script: &str| {
        std::process::Command::new("Rscript")
            .arg(oracle(script))
            .arg(folder.path())
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples"))
            .output()
    };
    let Ok(output) = r("designs.R") else {
        eprintln!("skipped: there is no Rscript; the committed values of R 4.2.2 are compared all the same");
        return;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = |path: &Path| std::fs::read_to_string(path).expect("a list");
    assert_eq!(text(&folder.path().join("designs.tsv")), text(&oracle("designs.tsv")));
    let output = r("fits.R").expect("Rscript");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(text(&folder.path().join("fits.csv")), text(&oracle("fits.csv")));
    check_list(&text(&folder.path().join("fits.tsv")));
}

fn check_list(list: &str) {
    let mut seen = 0;
    let mut wrong = Vec::new();
    for line in list.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let Case { family, design, summary, fit } = fitted(&fields);
        let here = fields[..7].join(" ");
        assert_eq!(design.names.join("|"), fields[7], "{here}");
        assert_eq!(fit.outcome, FitOutcome::Converged, "{here}");
        let [estimates, sds, statistics, p_values] = [8, 9, 10, 11].map(|k| numbers(fields[k]));
        for (j, c) in summary.coefficients.iter().enumerate() {
            let name = format!("{here}: {}", design.names[j]);
            close(&format!("{name} estimate"), c.estimate, estimates[j], 1e-8, &mut wrong);
            close(&format!("{name} sd"), c.sd, sds[j], 1e-8, &mut wrong);
            close(&format!("{name} statistic"), c.z, statistics[j], 2e-8, &mut wrong);
            // d log p / d z is about -z in the tails.
            let relative = 2e-8 * (1.0 + statistics[j].abs()).powi(2);
            close(&format!("{name} p"), c.p, p_values[j], relative, &mut wrong);
        }
        let number = |k: usize| numbers(fields[k])[0];
        close(&format!("{here} dispersion"), summary.dispersion, number(12), 1e-8, &mut wrong);
        close(&format!("{here} deviance"), summary.deviance, number(13), 1e-10, &mut wrong);
        close(&format!("{here} null deviance"), summary.null_deviance, number(14), 1e-10, &mut wrong);
        let degrees = [summary.residual_degrees as f64, summary.null_degrees as f64];
        assert_eq!(numbers(fields[15]), degrees, "{here}");
        // R's AIC of the gaussian family is infinite with a weight of 0; ours leaves the row out.
        if !number(16).is_infinite() {
            close(&format!("{here} AIC"), summary.aic.unwrap_or(f64::NAN), number(16), 1e-10, &mut wrong);
        }
        assert_eq!(summary.estimated, family.has_dispersion(), "{here}");
        seen += 1;
    }
    assert!(seen >= 30, "{seen} fits");
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

/// National Institute of Standards and Technology, Statistical Reference Datasets: Longley (longley1967), whose columns are
/// nearly dependent. The certified values have 15 digits.
#[test]
fn the_certified_values_of_longleys_data_are_found_to_11_digits() {
    let certified = [
        (-3482258.63459582, 890420.383607373),
        (15.0618722713733, 84.9149257747669),
        (-0.358191792925910e-01, 0.334910077722432e-01),
        (-2.02022980381683, 0.488399681651699),
        (-1.03322686717359, 0.214274163161675),
        (-0.511041056535807e-01, 0.226073200069370),
        (1829.15146461355, 455.478499142212),
    ];
    let table = table("longley.csv");
    let design = Formula::parse("Employed ~ .", table.names()).unwrap().design(&table, &Roles::default()).unwrap();
    let data = data(Model::new(Family::Gaussian, None, None).unwrap(), &design);
    let fit = data.fit().unwrap();
    let summary = data.summary(&fit, true, None);
    let mut wrong = Vec::new();
    for ((found, (estimate, sd)), name) in summary.coefficients.iter().zip(certified).zip(&design.names) {
        close(name, found.estimate, estimate, 1e-11, &mut wrong);
        close(name, found.sd, sd, 1e-11, &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every family with every link, and responses in its domain.
fn every_model() -> Vec<(Model, Vec<f64>, Vec<f64>)> {
    let rows = 24;
    let mut all = Vec::new();
    for family in Family::ALL {
        for link in family.links() {
            let size = (*family == Family::NegativeBinomial).then_some(1.5);
            let model = Model::new(*family, Some(*link), size).unwrap();
            let weights: Vec<f64> = (0..rows).map(|i| f64::from(1 + i % 4)).collect();
            let y = (0..rows)
                .map(|i| {
                    let count = (i * 7 + i * i) % 5;
                    match family {
                        Family::Binomial | Family::QuasiBinomial => {
                            f64::from(count % (2 + i % 4)) / f64::from(1 + i % 4)
                        }
                        Family::Gaussian if *link == Link::Identity => f64::from(count) - 1.7,
                        Family::Gaussian | Family::Quasi | Family::Gamma | Family::InverseGaussian => {
                            0.3 + f64::from(count)
                        }
                        _ => f64::from(count),
                    }
                })
                .collect();
            all.push((model, y, weights));
        }
    }
    all
}

fn two_columns(rows: usize) -> Vec<f64> {
    (0..rows).flat_map(|i| [1.0, (i as f64 * 0.73).sin() + 0.2 * i as f64 / rows as f64]).collect()
}

#[test]
fn at_the_mode_the_gradient_vanishes_and_the_covariance_inverts_its_derivative_for_every_family_and_link() {
    for (model, y, weights) in every_model() {
        let x = two_columns(y.len());
        let x = Matrix::row_major(&x, y.len(), 2).unwrap();
        let (mean, precision) = ([0.4, -0.3], [2.0, 0.5, 0.5, 1.0]);
        let precision = Matrix::row_major(&precision, 2, 2).unwrap();
        let data = GlmData::new(model, x, &y, Some(&weights), None, Some(&mean), Some(precision)).unwrap();
        let fit = data.fit().unwrap();
        let here = format!("{} {}", model.family(), model.link());
        assert_eq!(fit.outcome, FitOutcome::Converged, "{here}");
        let gradient = |b: &[f64]| data.evaluate(Matrix::row_major(b, 1, 2).unwrap()).unwrap().gradients().to_vec();
        let sd = fit.standard_deviations();
        let at = gradient(&fit.coefficients);
        for j in 0..2 {
            assert!((at[j] * sd[j]).abs() < 1e-11, "{here}: slope {} at the mode", at[j]);
        }
        // Central differences of the gradient, times the covariance, are the unit matrix.
        let mut derivative = [0.0; 4];
        for k in 0..2 {
            let step = 1e-4 * sd[k];
            let shifted = |by: f64| {
                let mut b = fit.coefficients.clone();
                b[k] += by;
                gradient(&b)
            };
            let (above, below) = (shifted(step), shifted(-step));
            for j in 0..2 {
                derivative[j * 2 + k] = (above[j] - below[j]) / (2.0 * step);
            }
        }
        for i in 0..2 {
            for j in 0..2 {
                let product: f64 = (0..2).map(|k| fit.covariance[i * 2 + k] * derivative[k * 2 + j]).sum();
                let expected = f64::from(u8::from(i == j));
                assert!((product - expected).abs() < 1e-6, "{here}: {product} in {i}, {j}");
            }
        }
        let summary = data.summary(&fit, true, None);
        assert_eq!((summary.curvature, summary.aic, summary.estimated), (Curvature::Exact, None, false), "{here}");
        assert_eq!(summary.coefficients[1].sd, sd[1], "{here}");
        let value = data.evaluate(Matrix::row_major(&fit.coefficients, 1, 2).unwrap()).unwrap().values()[0];
        assert!((fit.value - value).abs() <= 1e-13 * value.abs(), "{here}: {} {value}", fit.value);
    }
}

fn binary(link: Link, x: &[f64], y: &[f64], precision: Option<f64>) -> GlmData {
    let model = Model::new(Family::Binomial, Some(link), None).unwrap();
    let columns = x.len() / y.len();
    let mut p = vec![0.0; columns * columns];
    (0..columns).for_each(|j| p[j * columns + j] = precision.unwrap_or(0.0));
    let p = Matrix::row_major(&p, columns, columns).unwrap();
    GlmData::new(model, Matrix::column_major(x, y.len(), columns).unwrap(), y, None, None, None, Some(p)).unwrap()
}

#[test]
fn separated_responses_are_reported_with_their_columns_and_a_prior_cures_them() {
    // Column 1 separates completely; in the second set, column 2 (a level) has successes only, column 1 does not separate.
    let y = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0];
    let complete = [[1.0; 6], [-3.0, -2.0, -1.0, 1.0, 2.0, 3.0]].concat();
    let level =
        [[1.0; 8], [1.0, -1.0, 0.5, 2.0, 0.3, -0.7, 1.2, 0.1], [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0]].concat();
    let z_level = [0.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0];
    // Of the log link the mode lies on the border of its domain instead.
    for link in Family::Binomial.links().iter().filter(|link| **link != Link::Log) {
        let fit = binary(*link, &complete, &y, None).fit().unwrap();
        assert!(
            matches!(&fit.outcome, FitOutcome::Separated { coefficients } if coefficients.contains(&1)),
            "{link}: {fit:?}"
        );
        let fit = binary(*link, &level, &z_level, None).fit().unwrap();
        assert_eq!(fit.outcome, FitOutcome::Separated { coefficients: vec![2] }, "{link}");
        let fit = binary(*link, &level, &z_level, Some(0.1)).fit().unwrap();
        assert_eq!(fit.outcome, FitOutcome::Converged, "{link}");
        assert!(fit.iterations < 30, "{link}: {} iterations", fit.iterations);
    }
    let counts = [0.0, 0.0, 0.0, 2.0, 3.0, 1.0];
    let model = Model::new(Family::Poisson, None, None).unwrap();
    let x = [[1.0; 6], [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]].concat();
    let x = Matrix::column_major(&x, 6, 2).unwrap();
    let fit = GlmData::new(model, x, &counts, None, None, None, None).unwrap().fit().unwrap();
    assert_eq!(fit.outcome, FitOutcome::Separated { coefficients: vec![1] });
    // All responses equal: the intercept itself has no mode.
    let fit = binary(Link::Logit, &[1.0; 5], &[1.0; 5], None).fit().unwrap();
    assert_eq!(fit.outcome, FitOutcome::Separated { coefficients: vec![0] });
}

#[test]
fn columns_that_depend_on_others_are_aliased_unless_the_prior_tells_them_apart() {
    let y = [0.0, 1.0, 0.0, 1.0, 1.0, 0.0];
    let a = [0.5, 1.0, -0.3, 0.2, 0.9, 0.4];
    let twice: Vec<f64> = a.iter().map(|v| 2.0 * v - 1.0).collect();
    let x = [&[1.0; 6][..], &a, &twice].concat();
    let fit = binary(Link::Logit, &x, &y, None).fit().unwrap();
    assert_eq!(
        (fit.aliased.as_slice(), fit.rank(), fit.outcome.clone()),
        (&[false, false, true][..], 2, FitOutcome::Converged)
    );
    assert!(fit.coefficients[2].is_nan() && fit.covariance[8].is_nan() && fit.covariance[2].is_nan());
    let fit = binary(Link::Logit, &x, &y, Some(1e-3)).fit().unwrap();
    assert_eq!((fit.rank(), fit.outcome), (3, FitOutcome::Converged));
    assert!(fit.coefficients.iter().chain(&fit.covariance).all(|v| v.is_finite()));
}

#[test]
fn predictors_that_cannot_all_be_positive_have_no_start_under_the_inverse_link() {
    let model = Model::new(Family::Gamma, None, None).unwrap();
    let x = Matrix::row_major(&[1.0, -1.0], 2, 1).unwrap();
    let data = GlmData::new(model, x, &[1.0, 2.0], None, None, None, None).unwrap();
    assert!(matches!(data.fit(), Err(GlmError::NoStart)));
    // With an intercept there is one, however badly the first guess extrapolates.
    let x = [[1.0; 5], [0.0, 1.0, 2.0, 3.0, 1000.0]].concat();
    let x = Matrix::column_major(&x, 5, 2).unwrap();
    let data = GlmData::new(model, x, &[1.0, 1.5, 3.0, 9.0, 400.0], None, None, None, None).unwrap();
    assert_eq!(data.fit().unwrap().outcome, FitOutcome::Converged);
}

#[test]
fn rows_of_weight_0_change_nothing_and_a_model_without_columns_has_a_deviance() {
    let model = Model::new(Family::Poisson, None, None).unwrap();
    let (x, y) = ([[1.0; 4], [0.1, 0.7, 0.2, 0.9]].concat(), [1.0, 4.0, 2.0, 3.0]);
    let whole = GlmData::new(model, Matrix::column_major(&x, 4, 2).unwrap(), &y, None, None, None, None).unwrap();
    let more = [[1.0; 5], [0.1, 0.7, 1e6, 0.2, 0.9]].concat();
    let weights = [1.0, 1.0, 0.0, 1.0, 1.0];
    let x = Matrix::column_major(&more, 5, 2).unwrap();
    let y = [1.0, 4.0, 99.0, 2.0, 3.0];
    let padded = GlmData::new(model, x, &y, Some(&weights), None, None, None).unwrap();
    let (a, b) = (whole.fit().unwrap(), padded.fit().unwrap());
    assert_eq!(a.rows_used, b.rows_used);
    for (a, b) in a.coefficients.iter().zip(&b.coefficients) {
        assert!((a - b).abs() < 1e-14, "{a} {b}");
    }
    let none = GlmData::new(model, Matrix::row_major(&[], 4, 0).unwrap(), whole.y(), None, None, None, None).unwrap();
    let fit = none.fit().unwrap();
    assert_eq!((fit.outcome.clone(), fit.deviance), (FitOutcome::Converged, none.null_deviance(false)));
}

#[test]
fn a_fit_has_the_same_bits_on_one_thread_and_on_two() {
    let rows = 3000;
    let x = two_columns(rows);
    let y: Vec<f64> = (0..rows).map(|i| f64::from((i * i) as u32 % 7)).collect();
    let data = |x| {
        let model = Model::new(Family::Poisson, None, None).unwrap();
        GlmData::new(model, Matrix::row_major(x, rows, 2).unwrap(), &y, None, None, None, None).unwrap()
    };
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| data(&x).fit().unwrap())
    };
    let (one, two) = (on(1), on(2));
    assert_eq!(one.outcome, FitOutcome::Converged);
    for (a, b) in one.coefficients.iter().chain(&one.covariance).zip(two.coefficients.iter().chain(&two.covariance)) {
        assert_eq!(a.to_bits(), b.to_bits());
    }
}

#[test]
fn the_scale_of_responses_and_columns_does_not_matter() {
    // y and x of a gaussian fit, times powers of 2: the coefficients scale exactly as far as rounding is concerned.
    let x = two_columns(40);
    let y: Vec<f64> = (0..40).map(|i| f64::from((i * 13) % 7) + 0.1 * f64::from(i)).collect();
    let fit = |scale_y: f64, scale_x: f64| {
        let y: Vec<f64> = y.iter().map(|v| v * scale_y).collect();
        let x: Vec<f64> = x.chunks(2).flat_map(|r| [r[0], r[1] * scale_x]).collect();
        let model = Model::new(Family::Gaussian, None, None).unwrap();
        let data = GlmData::new(model, Matrix::row_major(&x, 40, 2).unwrap(), &y, None, None, None, None).unwrap();
        let fit = data.fit().unwrap();
        assert_eq!(fit.outcome, FitOutcome::Converged, "{scale_y:e} {scale_x:e}");
        assert!(fit.iterations <= 3, "{} iterations at {scale_y:e} {scale_x:e}", fit.iterations);
        let sd = data.summary(&fit, true, None).coefficients[1].sd;
        (fit.coefficients[1] / scale_y * scale_x, sd / scale_y * scale_x)
    };
    let (plain, plain_sd) = fit(1.0, 1.0);
    for scale_y in [2_f64.powi(-60), 2_f64.powi(40), 2_f64.powi(120)] {
        for scale_x in [2_f64.powi(-300), 1.0, 2_f64.powi(300)] {
            let (scaled, sd) = fit(scale_y, scale_x);
            assert!((scaled / plain - 1.0).abs() < 1e-12, "{scale_y:e} {scale_x:e}: {scaled} {plain}");
            assert!((sd / plain_sd - 1.0).abs() < 1e-12, "{scale_y:e} {scale_x:e}: {sd} {plain_sd}");
        }
    }
}
