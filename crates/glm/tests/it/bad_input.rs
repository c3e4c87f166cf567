//! Every bad input is an error that says where, what and why.

use crate::support::Input;
use gristmill_glm::{Family, GlmData, GlmError, Link, Matrix, Model, Partial};
use std::error::Error;

fn model(family: Family) -> Model {
    Model::new(family, None, (family == Family::NegativeBinomial).then_some(2.0)).unwrap()
}

/// A model of a column of ones.
fn data(family: Family, y: &[f64], wt: Option<&[f64]>) -> Result<GlmData, GlmError> {
    let ones = vec![1.0; y.len()];
    GlmData::new(model(family), Matrix::row_major(&ones, y.len(), 1)?, y, wt, None, None, None)
}

fn message<T>(result: Result<T, GlmError>) -> String {
    result.map(|_| ()).unwrap_err().to_string()
}

#[test]
fn names_that_nobody_has_are_answered_with_the_list() {
    assert_eq!(
        message("binomal".parse::<Family>()),
        "no family is called `binomal`; there are: `binomial`, `quasibinomial`, `poisson`, `quasipoisson`, `Gamma`, \
         `gaussian`, `inverse.gaussian`, `negative.binomial`, `quasi`"
    );
    assert_eq!(
        message("logistic".parse::<Link>()),
        "no link is called `logistic`; there are: `logit`, `probit`, `cloglog`, `cauchit`, `log`, `inverse`, `identity`, \
         `sqrt`, `1/mu^2`"
    );
    for family in Family::ALL {
        assert_eq!(family.name().parse::<Family>().unwrap(), *family);
        assert_eq!(family.name().to_uppercase().parse::<Family>().unwrap(), *family);
    }
    for link in Link::ALL {
        assert_eq!(link.name().parse::<Link>().unwrap(), *link);
    }
}

#[test]
fn links_and_sizes_must_fit_the_family() {
    assert_eq!(
        message(Model::new(Family::Gamma, Some(Link::Logit), None)),
        "the family `Gamma` has no link `logit`; it has: `inverse`, `log`, `identity`"
    );
    assert_eq!(
        message(Model::new(Family::NegativeBinomial, None, None)),
        "the family `negative.binomial` needs its size, a positive number"
    );
    for size in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(
            message(Model::new(Family::NegativeBinomial, None, Some(size))),
            format!("the size of the negative binomial family is {size}, but must be positive and finite")
        );
    }
    assert_eq!(
        message(Model::new(Family::Poisson, None, Some(1.0))),
        "the family `poisson` was given a size, but only `negative.binomial` has one"
    );
}

#[test]
fn responses_outside_of_the_domain_are_named_with_row_and_value() {
    type Case<'a> = (Family, &'a [f64], Option<&'a [f64]>, &'a str);
    let cases: &[Case<'_>] = &[
        (
            Family::Binomial,
            &[0.0, 1.0, 0.5],
            None,
            "the response is 0.5 in row 3, but of the family `binomial` it must be 0 or 1, as the row has weight 1",
        ),
        (
            Family::Binomial,
            &[0.5, 0.25],
            Some(&[2.0, 2.0]),
            "the response is 0.25 in row 2, but of the family `binomial` it must be a proportion of 2 trials, the row's \
             weight",
        ),
        (
            Family::QuasiBinomial,
            &[0.5, 1.5],
            None,
            "the response is 1.5 in row 2, but of the family `quasibinomial` it must be between 0 and 1",
        ),
        (
            Family::Poisson,
            &[2.5],
            None,
            "the response is 2.5 in row 1, but of the family `poisson` it must be a whole number, not negative",
        ),
        (
            Family::NegativeBinomial,
            &[-1.0],
            None,
            "the response is -1 in row 1, but of the family `negative.binomial` it must be a whole number, not negative",
        ),
        (
            Family::QuasiPoisson,
            &[-0.5],
            None,
            "the response is -0.5 in row 1, but of the family `quasipoisson` it must be zero or positive",
        ),
        (Family::Gamma, &[1.0, 0.0], None, "the response is 0 in row 2, but of the family `Gamma` it must be positive"),
    ];
    for (family, y, wt, expected) in cases {
        assert_eq!(message(data(*family, y, *wt)), *expected);
    }
}

#[test]
fn weights_are_not_negative_and_of_a_binomial_whole() {
    assert_eq!(
        message(data(Family::Poisson, &[1.0, 1.0], Some(&[1.0, -2.0]))),
        "the weight is -2 in row 2, but must not be negative"
    );
    assert_eq!(
        message(data(Family::Binomial, &[1.0], Some(&[1.5]))),
        "the weight is 1.5 in row 1, but of the family `binomial` it is the number of trials: a whole number, not negative"
    );
    assert!(data(Family::QuasiBinomial, &[1.0], Some(&[1.5])).is_ok());
}

#[test]
fn proportions_are_whole_up_to_rounding() {
    // 3 * (1/3) and the like are not exact for all of them.
    for trials in 1..200 {
        for successes in 0..=trials {
            let (n, y) = (f64::from(trials), f64::from(successes) / f64::from(trials));
            assert!(data(Family::Binomial, &[y], Some(&[n])).is_ok(), "{successes} of {trials}");
        }
    }
}

#[test]
fn numbers_that_are_not_finite_are_named_with_their_place() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(
            message(data(Family::Gaussian, &[1.0, bad], None)),
            format!("`y` is {bad} in row 2, but must be finite")
        );
        assert_eq!(
            message(data(Family::Gaussian, &[1.0, 2.0], Some(&[bad, 1.0]))),
            format!("`wt` is {bad} in row 1, but must be finite")
        );
        let x = [1.0, 2.0, 3.0, bad];
        let x = Matrix::row_major(&x, 2, 2).unwrap();
        assert_eq!(
            message(GlmData::new(model(Family::Gaussian), x, &[1.0, 2.0], None, None, None, None)),
            format!("`x` is {bad} in row 2, column 2, but must be finite")
        );
    }
}

#[test]
fn lengths_must_fit_the_model_matrix() {
    let x = Matrix::row_major(&[1.0, 2.0, 3.0, 4.0], 2, 2).unwrap();
    let m = model(Family::Gaussian);
    let y = [1.0, 2.0];
    let cases = [
        (GlmData::new(m, x, &[1.0], None, None, None, None), "`y` has length 1, but must have 2"),
        (GlmData::new(m, x, &y, Some(&[1.0; 3]), None, None, None), "`wt` has length 3, but must have 2"),
        (GlmData::new(m, x, &y, None, Some(&[]), None, None), "`offset` has length 0, but must have 2"),
        (GlmData::new(m, x, &y, None, None, Some(&[0.0; 4]), None), "`prior_mean` has length 4, but must have 2"),
    ];
    for (result, expected) in cases {
        assert_eq!(message(result), expected);
    }
    let precision = Matrix::row_major(&[1.0; 6], 2, 3).unwrap();
    assert_eq!(
        message(GlmData::new(m, x, &y, None, None, None, Some(precision))),
        "`prior_precision` has length 3, but must have 2"
    );
    let fine = GlmData::new(m, x, &y, None, None, None, None).unwrap();
    assert_eq!(
        message(fine.evaluate(Matrix::row_major(&[1.0; 3], 1, 3).unwrap())),
        "`grid` has length 3, but must have 2"
    );
    assert_eq!(message(fine.linear_predictor(&[1.0])), "`point` has length 1, but must have 2");
}

fn with_precision(precision: &[f64], n: usize) -> Result<GlmData, GlmError> {
    let x = vec![1.0; n];
    let x = Matrix::row_major(&x, 1, n)?;
    GlmData::new(model(Family::Gaussian), x, &[1.0], None, None, None, Some(Matrix::row_major(precision, n, n)?))
}

#[test]
fn the_precision_must_be_symmetric_and_semidefinite() {
    assert_eq!(
        message(with_precision(&[1.0, 0.5, 0.25, 1.0], 2)),
        "the prior precision is not symmetric: it is 0.25 in row 2, column 1, but 0.5 in row 1, column 2"
    );
    for (precision, n) in [
        (vec![-1.0], 1),
        (vec![1.0, 2.0, 2.0, 1.0], 2),
        (vec![0.0, 1.0, 1.0, 0.0], 2),
        (vec![1.0, 0.0, 0.0, 0.0, 0.0, 1e-3, 0.0, 1e-3, 0.0], 3),
    ] {
        assert!(
            matches!(with_precision(&precision, n), Err(GlmError::NotSemidefinite { .. })),
            "{precision:?} is not semi-definite"
        );
    }
    for (precision, n) in [
        (vec![0.0; 9], 3),
        (vec![1.0, 1.0, 1.0, 1.0], 2),
        (vec![4.0, 2.0, 2.0, 1.0], 2),
        (vec![1e-20, 0.0, 0.0, 1e20], 2),
        (vec![2.0, 0.5, 0.5, 2.0], 2),
    ] {
        assert!(with_precision(&precision, n).is_ok(), "{precision:?} is semi-definite");
    }
    // A product A'A of low rank, with its rounding errors.
    let mut numbers = crate::support::Numbers::new(83);
    let (n, rank) = (12, 5);
    let a = numbers.many(rank * n, -1.0, 1.0);
    let mut product = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            product[i * n + j] = (0..rank).map(|k| a[k * n + i] * a[k * n + j]).sum();
        }
    }
    assert!(with_precision(&product, n).is_ok());
}

#[test]
fn parts_must_fit_together() {
    let input = Input::random(model(Family::Poisson), 300, 2, 1);
    let data = input.data();
    let grid = input.grid(3, 2);
    let grid = Matrix::row_major(&grid, 3, 2).unwrap();
    assert_eq!(
        message(data.partial(grid, 10..128)),
        "a part of the rows starts or ends at 10, but must do so at a multiple of 64 or at the last row"
    );
    assert_eq!(
        message(data.partial(grid, 0..100)),
        "a part of the rows starts or ends at 100, but must do so at a multiple of 64 or at the last row"
    );
    assert_eq!(message(data.partial(grid, 256..400)), "there are no rows 256..400: the data has the rows 0..300");
    let first = data.partial(grid, 0..64).unwrap();
    let last = data.partial(grid, 128..300).unwrap();
    assert_eq!(
        message(first.clone().merge(last.clone())),
        "a part starts at row 128, but the rows before it end at 64"
    );
    assert_eq!(message(data.finish(grid, last)), "a part starts at row 128, but the rows before it end at 0");
    let other = input.grid(3, 4);
    let other = data.partial(Matrix::row_major(&other, 3, 2).unwrap(), 64..128).unwrap();
    assert_eq!(message(first.merge(other)), "a part was evaluated for another model or at another grid");
    assert_eq!(message(Partial::merge_all([])), "there are no parts to merge");
}

#[test]
fn bytes_that_are_no_part_are_refused() {
    let input = Input::random(model(Family::Poisson), 300, 2, 1);
    let grid = input.grid(3, 2);
    let grid = Matrix::row_major(&grid, 3, 2).unwrap();
    let bytes = input.data().partial(grid, 64..300).unwrap().to_bytes();
    assert!(Partial::from_bytes(&bytes).is_ok());
    for length in 0..bytes.len() {
        assert!(Partial::from_bytes(&bytes[..length]).is_err(), "cut at {length}");
    }
    let longer = [bytes.as_slice(), &[0; 8]].concat();
    assert!(Partial::from_bytes(&longer).is_err());
    // Whatever a bit of the head says: an error, or a part; never a panic or memory without end.
    for bit in 0..8 * 72 {
        let mut changed = bytes.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        let _ = Partial::from_bytes(&changed);
    }
}

#[test]
fn an_error_of_the_device_keeps_its_cause() {
    let error = gristmill_cl_runtime::Device::named("no such device").map(|_| ()).unwrap_err();
    let error = GlmError::Device(error);
    assert_eq!(error.to_string(), "the device cannot evaluate the model");
    assert!(error.source().is_some());
}
