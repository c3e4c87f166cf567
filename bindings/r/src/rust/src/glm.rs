//! Generalised linear models: the mode, the profile of the likelihood, values and gradients at the points of a grid.

use crate::error::with_causes;
use crate::value::{Arguments, Operation, Output, Problem};
use gristmill_glm::{Family, Fit, FitOutcome, GlmData, GlmError, Link, Matrix, Model, Variance};
use std::sync::atomic::Ordering;

/// Points that are evaluated before somebody looks whether the user wants to stop.
const POINTS: usize = 1 << 12;

pub(crate) fn operation(name: &str) -> Option<Operation> {
    Some(match name {
        "glm_fit" => fit,
        "glm_profile" => profile,
        "glm_evaluate" => evaluate,
        "glm_links" => links,
        _ => return None,
    })
}

fn words(error: GlmError) -> Problem {
    with_causes(&error)
}

/// family, link, size or NULL, variance or NULL, whether quasi families have constants
fn model(arguments: &mut Arguments<'_>) -> Result<Model, Problem> {
    let family: Family = arguments.string()?.parse().map_err(words)?;
    let link: Option<Link> = arguments.optional_string()?.map(str::parse).transpose().map_err(words)?;
    let size = arguments.optional_doubles()?.and_then(|s| s.first().copied());
    let variance: Option<Variance> = arguments.optional_string()?.map(str::parse).transpose().map_err(words)?;
    let constants = arguments.flag()?;
    let model = match variance {
        Some(variance) => Ok(Model::quasi(variance, link)),
        None => Model::new(family, link, size),
    };
    let model = model.map_err(words)?;
    Ok(if constants { model.with_constants() } else { model })
}

/// The model, then: x (column-major), its columns, y, weights, offset, prior mean, prior precision; all but x and y may be NULL.
fn data(arguments: &mut Arguments<'_>) -> Result<GlmData, Problem> {
    let model = model(arguments)?;
    let x = arguments.doubles()?;
    let columns = arguments.count()?;
    let y = arguments.doubles()?;
    let (weights, offset) = (arguments.optional_doubles()?, arguments.optional_doubles()?);
    let (mean, precision) = (arguments.optional_doubles()?, arguments.optional_doubles()?);
    let mut data = GlmData::builder(model).x(Matrix::column_major(x, y.len(), columns).map_err(words)?).y(y);
    if let Some(weights) = weights {
        data = data.weights(weights);
    }
    if let Some(offset) = offset {
        data = data.offset(offset);
    }
    if let Some(mean) = mean {
        data = data.prior_mean(mean);
    }
    if let Some(precision) = precision {
        data = data.prior_precision(Matrix::column_major(precision, columns, columns).map_err(words)?);
    }
    data.build().map_err(words)
}

/// The search has no way to be told to stop but to unwind.
struct Stop;

fn fit_of(data: &GlmData, arguments: &Arguments<'_>) -> Result<Fit, Problem> {
    let search = std::panic::AssertUnwindSafe(|| {
        data.fit_with(|_| {
            if arguments.stop.load(Ordering::Relaxed) {
                std::panic::resume_unwind(Box::new(Stop));
            }
        })
    });
    match std::panic::catch_unwind(search) {
        Ok(fit) => fit.map_err(words),
        Err(panic) if panic.is::<Stop>() => Err("interrupted".to_owned()),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// The data, then whether the model has an intercept.
fn fit(mut arguments: Arguments<'_>) -> Result<Output, Problem> {
    let data = data(&mut arguments)?;
    let intercept = arguments.flag()?;
    let fit = fit_of(&data, &arguments)?;
    let (outcome, moving, last_step) = match &fit.outcome {
        FitOutcome::Converged => ("converged", Vec::new(), 0.0),
        FitOutcome::Separated { coefficients } => ("separated", coefficients.clone(), f64::INFINITY),
        FitOutcome::NotConverged { last_step } => ("not converged", Vec::new(), *last_step),
        _ => ("not converged", Vec::new(), f64::INFINITY),
    };
    let numbers = |places: &[usize]| places.iter().map(|k| i32::try_from(k + 1).unwrap_or(i32::MAX)).collect();
    Ok(Output::list([
        ("coefficients", Output::Doubles(fit.coefficients)),
        ("aliased", Output::flags(fit.aliased.iter().copied())),
        ("covariance", Output::Doubles(fit.covariance)),
        ("expected_covariance", Output::Doubles(fit.expected_covariance)),
        ("value", Output::number(fit.value)),
        ("deviance", Output::number(fit.deviance)),
        ("null_deviance", Output::number(data.null_deviance(intercept))),
        ("iterations", Output::integer(fit.iterations)),
        ("outcome", Output::text(outcome)),
        ("separated", Output::Integers(numbers(&moving))),
        ("last_step", Output::number(last_step)),
    ]))
}

/// The data, then the dispersion and the level.
fn profile(mut arguments: Arguments<'_>) -> Result<Output, Problem> {
    let data = data(&mut arguments)?;
    let (dispersion, level) = (arguments.number()?, arguments.number()?);
    let fit = fit_of(&data, &arguments)?;
    arguments.go_on()?;
    let ends = data.profile_intervals(&fit, dispersion, level).map_err(words)?;
    let (lower, upper) = ends.into_iter().unzip();
    Ok(Output::list([("lower", Output::Doubles(lower)), ("upper", Output::Doubles(upper))]))
}

/// The data, then the points (coefficients one after the other for each) how many, and whether the device does it.
fn evaluate(mut arguments: Arguments<'_>) -> Result<Output, Problem> {
    let mut data = data(&mut arguments)?;
    let points = arguments.doubles()?;
    let count = arguments.count()?;
    let mut place = None;
    if arguments.flag()? {
        let device = crate::devices::device()?;
        data = data.on_device(&device).map_err(words)?;
        place = Some(device.info().label());
    }
    let n = data.coefficients();
    let (mut values, mut gradients) = (Vec::with_capacity(count), vec![0.0; count * n]);
    let mut first = 0;
    while first < count {
        arguments.go_on()?;
        let some = POINTS.min(count - first);
        let part = &points[first * n..(first + some) * n];
        let (part_values, part_gradients) =
            data.evaluate(Matrix::row_major(part, some, n).map_err(words)?).map_err(words)?.into_parts();
        values.extend(part_values);
        for (row, gradient) in part_gradients.chunks_exact(n.max(1)).enumerate() {
            for (k, slope) in gradient.iter().enumerate() {
                gradients[k * count + first + row] = *slope;
            }
        }
        first += some;
    }
    Ok(Output::list([
        ("qf", Output::Doubles(values)),
        ("grad", Output::Doubles(gradients)),
        ("device", place.map_or(Output::Nothing, Output::text)),
    ]))
}

/// Which links each family has, the default first.
fn links(_: Arguments<'_>) -> Result<Output, Problem> {
    let of = |family: &Family| {
        let names = family.links().iter().map(|link| link.name().to_owned());
        (family.name().to_owned(), Output::texts(names))
    };
    Ok(Output::List(Family::ALL.iter().map(of).collect()))
}
