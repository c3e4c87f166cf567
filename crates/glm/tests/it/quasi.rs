//! The family `quasi`: every variance with every link, as R fits it; dev/oracle/glm/quasi.R wrote it down.

use crate::formula::oracle;
use gristmill_glm::{Domain, FitOutcome, GlmData, Link, Matrix, Model, Variance};

const X: [f64; 10] = [0.1, 0.4, 0.5, 0.9, 1.2, 1.3, 1.7, 2.0, 2.4, 2.9];
const Y: [f64; 10] = [0.21, 0.30, 0.26, 0.35, 0.33, 0.47, 0.41, 0.52, 0.60, 0.62];
const WEIGHTS: [f64; 10] = [1.0, 2.0, 1.0, 3.0, 1.0, 1.0, 2.0, 1.0, 4.0, 1.0];

fn every_pair() -> impl Iterator<Item = Model> {
    Variance::ALL.iter().flat_map(|variance| Link::ALL.iter().map(|link| Model::quasi(*variance, Some(*link))))
}

#[test]
fn every_variance_with_every_link_is_fitted_as_r_fits_it() {
    let list = std::fs::read_to_string(oracle("quasi.tsv")).expect("the list");
    let design: Vec<f64> = X.iter().flat_map(|x| [1.0, *x]).collect();
    let mut pairs = 0;
    for line in list.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let model = Model::quasi(fields[0].parse().expect("a variance"), Some(fields[1].parse().expect("a link")));
        let expected: Vec<f64> = fields[2..].iter().map(|text| text.parse().expect("a number")).collect();
        let x = Matrix::row_major(&design, 10, 2).expect("a matrix");
        let data = GlmData::new(model, x, &Y, Some(&WEIGHTS), None, None, None).expect("fine data");
        let fit = data.fit().unwrap_or_else(|e| panic!("{line}: {e}"));
        assert!(matches!(fit.outcome, FitOutcome::Converged), "{line}: {:?}", fit.outcome);
        let summary = data.summary(&fit, true, None);
        let found: Vec<f64> = (summary.coefficients.iter().map(|c| c.estimate))
            .chain(summary.coefficients.iter().map(|c| c.sd))
            .chain([summary.deviance, summary.dispersion])
            .collect();
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found - expected).abs() <= 2e-8 * expected.abs(), "{line}: {found} is not {expected}");
        }
        pairs += 1;
    }
    assert_eq!(pairs, every_pair().count());
}

/// Differences of the value and of the slope, two ways round a point that every link allows.
#[test]
fn slopes_and_curvatures_are_the_derivatives_of_the_value() {
    let step = 1e-4;
    for model in every_pair() {
        let eta = if model.domain() == Domain::AboveOne { 1.7 } else { 0.6 };
        let eta = if model.domain() == Domain::Negative { -eta } else { eta };
        let [low, here, high] = [eta - step, eta, eta + step].map(|eta| model.terms(0.3, 2.0, eta));
        let near = |found: f64, expected: f64| (found - expected).abs() <= 1e-5 * expected.abs().max(1.0);
        assert!(near((high.value - low.value) / (2.0 * step), here.gradient), "{model:?}");
        assert!(near((high.gradient - low.gradient) / (2.0 * step), here.hessian), "{model:?}");
        // The expectation of the second derivative: that of a response at its mean.
        let mean = model.mean(eta);
        let expected = 2.0 * model.mean_derivative(eta).powi(2) / model.variance(mean);
        assert!(near(here.fisher, expected), "{model:?}: {} is not {expected}", here.fisher);
        assert!(near(model.predictor(mean), eta), "{model:?}");
    }
}

#[test]
fn outside_of_the_domain_the_value_is_infinite_and_a_row_without_weight_adds_nothing() {
    for model in every_pair() {
        let outside = [-1.0, 0.0, 1.0, 1.5].into_iter().filter(|eta| !model.domain().contains(*eta));
        for eta in outside {
            assert_eq!(model.terms(0.3, 2.0, eta).value, f64::INFINITY, "{model:?} at {eta}");
            assert_eq!(model.deviance(0.3, 2.0, eta), f64::INFINITY, "{model:?} at {eta}");
            assert_eq!(model.terms(0.3, 0.0, eta).value, 0.0, "{model:?} at {eta}");
        }
        assert_eq!(model.deviance(0.3, 2.0, model.predictor(0.3)).max(1e-30), 1e-30, "{model:?}");
    }
}
