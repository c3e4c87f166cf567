//! Against dev/oracle/glm, whose derivatives are differences at 100 digits.
//!
//! A bound is a relative error times the condition: the generator's scales are the sum of the absolute terms, plus what an
//! error of the linear predictor does to them.

use gristmill_glm::{GlmData, Matrix, Model};

/// Relative error over condition that a value and a gradient may have.
const BOUND: f64 = 1e-14;

fn read(name: &str) -> String {
    let path = format!("{}/../../dev/oracle/glm/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn number(text: &str) -> f64 {
    text.parse().unwrap_or_else(|_| panic!("`{text}` is not a number"))
}

fn model(family: &str, link: &str, size: &str) -> Model {
    let size = Some(number(size)).filter(|s| *s > 0.0);
    Model::new(family.parse().unwrap(), Some(link.parse().unwrap()), size).unwrap()
}

#[test]
fn values_derivatives_and_deviances_of_rows_have_14_digits_times_the_condition() {
    let text = read("rows.tsv");
    let mut seen = 0;
    for line in text.lines().skip(1) {
        let f: Vec<&str> = line.split('\t').collect();
        let model = model(f[0], f[1], f[2]);
        let [y, wt, eta, value, value_scale, gradient, gradient_scale, hessian, hessian_scale, fisher, deviance] =
            core::array::from_fn(|i| number(f[3 + i]));
        let terms = model.terms(y, wt, eta);
        let check = |what: &str, computed: f64, expected: f64, allowed: f64| {
            assert!(
                computed == expected || (computed - expected).abs() <= allowed + 1e-300,
                "{what} of {line}:\n  {computed:e} instead of {expected:e}, error {:e}, allowed {allowed:e}",
                computed - expected
            );
        };
        check("value", terms.value, value, BOUND * value_scale);
        check("gradient", terms.gradient, gradient, BOUND * gradient_scale);
        // The far tail's curvature of probit is a difference: z^2 ulps.
        let factor = 1e3 * (1.0 + eta * eta);
        check("hessian", terms.hessian, hessian, 1e-16 * factor * hessian_scale);
        check("fisher", terms.fisher, fisher, 1e-14 * (1.0 + eta.abs()).powi(2) * fisher);
        check("deviance", model.deviance(y, wt, eta), deviance, 2.0 * BOUND * value_scale);
        seen += 1;
    }
    assert!(seen > 1000, "{seen} rows");
}

#[test]
fn values_and_gradients_of_models_have_14_digits_times_the_condition() {
    let text = read("models.txt");
    let mut lines = text.lines().map(|line| line.split('\t').collect::<Vec<_>>()).peekable();
    let mut points = 0;
    while let Some(head) = lines.next() {
        assert_eq!(head[0], "model");
        let model = model(head[1], head[2], head[3]);
        let mut next = |name: &str| {
            let line = lines.next().expect("a line");
            assert_eq!(line[0], name);
            line[1..].iter().map(|v| number(v)).collect::<Vec<f64>>()
        };
        let (x, y, wt, offset) = (next("x"), next("y"), next("wt"), next("offset"));
        let (prior_mean, precision) = (next("prior_mean"), next("prior_precision"));
        let n = prior_mean.len();
        let data = GlmData::new(
            model,
            Matrix::row_major(&x, y.len(), n).unwrap(),
            &y,
            Some(&wt),
            Some(&offset),
            Some(&prior_mean),
            Some(Matrix::row_major(&precision, n, n).unwrap()),
        )
        .unwrap();
        while lines.peek().is_some_and(|line| line[0] == "point") {
            let mut next = |name: &str| {
                let line = lines.next().expect("a line");
                assert_eq!(line[0], name);
                line[1..].iter().map(|v| number(v)).collect::<Vec<f64>>()
            };
            let (point, value) = (next("point"), next("value"));
            let (gradient, gradient_scale) = (next("gradient"), next("gradient_scale"));
            let result = data.evaluate(Matrix::row_major(&point, 1, n).unwrap()).unwrap();
            points += 1;
            if value[0] > 1e306 {
                // Some row's mean leaves the range: the value is huge, never NaN.
                assert!(result.values()[0] > 1e300, "{head:?} at {point:?}: {}", result.values()[0]);
                continue;
            }
            let off = (result.values()[0] - value[0]).abs();
            assert!(off <= BOUND * value[1], "{head:?} at {point:?}: {off:e}, allowed {:e}", BOUND * value[1]);
            for j in 0..n {
                let off = (result.gradient(0)[j] - gradient[j]).abs();
                let allowed = BOUND * gradient_scale[j];
                assert!(off <= allowed, "{head:?} at {point:?}: gradient {j}: {off:e}, allowed {allowed:e}");
            }
        }
    }
    assert!(points > 80, "{points} points");
}
