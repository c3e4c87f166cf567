//! Empty inputs, points that are not finite, and what lies beyond the range of doubles.

use crate::support::{Input, models};
use gristmill_cl_runtime::Device;
use gristmill_glm::{Domain, Family, GlmData, Matrix, Model, PointStatus};

#[test]
fn a_grid_without_points_has_no_results() {
    for model in models() {
        let data = Input::random(model, 10, 3, 1).data();
        let grid = Matrix::row_major(&[], 0, 3).unwrap();
        let result = data.evaluate(grid).unwrap();
        assert!(result.values().is_empty() && result.gradients().is_empty());
        let part = data.partial(grid, 0..10).unwrap();
        assert!(data.finish(grid, part).unwrap().values().is_empty());
    }
}

#[test]
fn without_rows_the_value_is_that_of_the_prior() {
    let device = Device::from_env().expect("an OpenCL device");
    let model = Model::new(Family::Poisson, None, None).unwrap();
    let x = Matrix::row_major(&[], 0, 2).unwrap();
    let precision = [2.0, 1.0, 1.0, 3.0];
    let precision = Matrix::row_major(&precision, 2, 2).unwrap();
    let data = GlmData::new(model, x, &[], None, None, Some(&[1.0, 0.0]), Some(precision)).unwrap();
    let grid = [2.0, 1.0];
    let grid = Matrix::row_major(&grid, 1, 2).unwrap();
    for data in [data.clone(), data.on_device(&device).unwrap()] {
        let result = data.evaluate(grid).unwrap();
        assert_eq!(result.values(), [3.5]);
        assert_eq!(result.gradient(0), [3.0, 4.0]);
    }
}

#[test]
fn without_coefficients_the_value_is_that_of_the_offsets() {
    let device = Device::from_env().expect("an OpenCL device");
    let model = Model::new(Family::Gaussian, None, None).unwrap();
    let x = Matrix::row_major(&[], 100, 0).unwrap();
    let data = GlmData::new(model, x, &[1.0; 100], None, Some(&[2.0; 100]), None, None).unwrap();
    let grid = Matrix::row_major(&[], 3, 0).unwrap();
    let one = 0.5 * (1.0 + (2.0 * std::f64::consts::PI).ln());
    for data in [data.clone(), data.on_device(&device).unwrap()] {
        let result = data.evaluate(grid).unwrap();
        assert_eq!(result.values().len(), 3);
        assert!(result.gradients().is_empty());
        assert!((result.values()[2] - 100.0 * one).abs() < 1e-12);
    }
}

#[test]
fn a_point_that_is_not_finite_has_nan_and_leaves_its_neighbours_alone() {
    for model in models() {
        let input = Input::random(model, 130, 2, 61);
        let data = input.data();
        let good = input.grid(3, 67);
        let alone = data.evaluate(Matrix::row_major(&good, 3, 2).unwrap()).unwrap();
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let grid = [good[0], good[1], 1.0, bad, good[2], good[3], bad, 0.5, good[4], good[5]];
            let result = data.evaluate(Matrix::row_major(&grid, 5, 2).unwrap()).unwrap();
            for (point, expected) in [(0, 0), (2, 1), (4, 2)] {
                assert_eq!(result.values()[point], alone.values()[expected]);
                assert_eq!(result.gradient(point), alone.gradient(expected));
                assert_eq!(result.status(point), PointStatus::Finite);
            }
            for point in [1, 3] {
                assert_eq!(result.status(point), PointStatus::BadPoint);
                assert!(result.values()[point].is_nan() && result.gradient(point).iter().all(|g| g.is_nan()));
            }
        }
    }
}

#[test]
fn every_predictor_up_to_700_gives_finite_terms_and_beyond_it_never_nan() {
    for model in models() {
        let size = model.size();
        for (y, wt) in [(0.0, 1.0), (1.0, 1.0), (0.5, 2.0), (3.0, 0.0), (1e-5, 1.0)] {
            let Ok(data) =
                GlmData::new(model, Matrix::row_major(&[1.0], 1, 1).unwrap(), &[y], Some(&[wt]), None, None, None)
            else {
                continue;
            };
            for magnitude in [
                0.0,
                1e-320,
                1e-200,
                1e-20,
                0.5,
                1.0,
                8.0,
                37.0,
                40.0,
                300.0,
                699.0,
                700.0,
                708.0,
                710.0,
                745.5,
                1e3,
                1e5,
                1e150,
                1e155,
                1e300,
                f64::MAX,
            ] {
                for eta in [magnitude, -magnitude] {
                    let terms = data.terms(0, eta);
                    let outside = match model.domain() {
                        // A mean of 1 is fine where all trials are successes.
                        Domain::Negative => eta > 0.0 || (eta == 0.0 && y < 1.0 && wt > 0.0),
                        domain => !domain.contains(eta),
                    };
                    let what = format!("{model:?} {size:?} y {y} wt {wt} eta {eta}: {terms:?}");
                    for t in [terms.value, terms.gradient, terms.hessian, terms.fisher] {
                        assert!(!t.is_nan(), "{what}");
                    }
                    if magnitude <= 700.0 && !outside {
                        // Next to 0 the inverse link's mean leaves the range.
                        assert!(terms.value.is_finite(), "{what}");
                        assert!(terms.gradient.is_finite() || eta.abs() < 1e-307, "{what}");
                    }
                    if outside {
                        assert_eq!(terms.value, if wt > 0.0 { f64::INFINITY } else { 0.0 }, "{what}");
                    }
                    let result = data.evaluate(Matrix::row_major(&[eta], 1, 1).unwrap()).unwrap();
                    match result.status(0) {
                        PointStatus::Finite => assert!(result.gradient(0)[0].is_finite(), "{what}"),
                        PointStatus::Infinite => assert!(magnitude > 700.0 || outside || eta.abs() < 1e-307, "{what}"),
                        PointStatus::BadPoint => panic!("{what}"),
                    }
                }
            }
        }
    }
}

#[test]
fn rows_of_weight_zero_contribute_nothing() {
    for model in models() {
        let input = Input::random(model, 200, 3, 71);
        let grid = input.grid(4, 73);
        let grid = Matrix::row_major(&grid, 4, 3).unwrap();
        let mut without = Input::random(model, 200, 3, 71);
        // What a row without weight says is not looked at.
        for i in 0..200 {
            if without.wt[i] == 0.0 {
                without.y[i] = if i % 2 == 0 { -7.5 } else { 123.25 };
            }
        }
        let expected = input.data().evaluate(grid).unwrap();
        let found = without.data().evaluate(grid).unwrap();
        assert_eq!(expected, found, "{model:?}");
    }
}
