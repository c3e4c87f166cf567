//! Variables of several columns: `poly(x, k)`, `bs(x, df)` and `ns(x, df)`.
//!
//! What is learnt from the values of `x` (knots, the constants of the polynomials) is kept, so that new values get the columns
//! that the fit was made with.

/// What a formula asks for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum BasisKind {
    /// Orthogonal polynomials, or plain powers.
    Polynomial { degree: usize, raw: bool },
    /// B-splines (deboor1978).
    BSpline(SplineKind),
    /// Natural cubic splines: linear beyond the outer knots.
    Natural(SplineKind),
}

#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct SplineKind {
    pub(super) df: Option<usize>,
    pub(super) knots: Option<Vec<f64>>,
    pub(super) degree: Option<usize>,
    pub(super) intercept: bool,
    pub(super) boundary: Option<(f64, f64)>,
}

/// A basis whose constants are known.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Basis {
    Powers(usize),
    /// The three-term recurrence of the orthogonal polynomials: `p_{k+1} = (x - a_k) p_k - b_k p_{k-1}`, and their lengths.
    Orthogonal {
        a: Vec<f64>,
        b: Vec<f64>,
        lengths: Vec<f64>,
    },
    BSpline {
        knots: Vec<f64>,
        order: usize,
        intercept: bool,
    },
    /// `map` takes the cubic B-splines to those whose second derivative vanishes at both ends, row-major.
    Natural {
        knots: Vec<f64>,
        intercept: bool,
        map: Vec<f64>,
        columns: usize,
    },
}

impl BasisKind {
    /// Learns the constants from the values that are not missing.
    pub(super) fn learn(&self, values: &[f64]) -> Result<Basis, String> {
        let known: Vec<f64> = values.iter().copied().filter(|v| !v.is_nan()).collect();
        match self {
            BasisKind::Polynomial { degree, raw: true } => Ok(Basis::Powers(*degree)),
            BasisKind::Polynomial { degree, raw: false } => orthogonal(&known, *degree),
            BasisKind::BSpline(kind) => {
                let order = kind.degree.unwrap_or(3) + 1;
                let inner = kind.df.map(|df| df as i64 - order as i64 + i64::from(!kind.intercept));
                let (knots, _) = all_knots(kind, &known, inner, order)?;
                Ok(Basis::BSpline { knots, order, intercept: kind.intercept })
            }
            BasisKind::Natural(kind) => {
                let inner = kind.df.map(|df| df as i64 - 1 - i64::from(kind.intercept));
                let (knots, ends) = all_knots(kind, &known, inner, 4)?;
                Ok(natural(knots, ends, kind.intercept))
            }
        }
    }
}

impl Basis {
    /// How many columns.
    pub(super) fn columns(&self) -> usize {
        match self {
            Basis::Powers(degree) => *degree,
            Basis::Orthogonal { lengths, .. } => lengths.len() - 1,
            Basis::BSpline { knots, order, intercept } => knots.len() - order - usize::from(!intercept),
            Basis::Natural { columns, .. } => *columns,
        }
    }

    /// The columns of some values, one after the other.
    pub(super) fn evaluate(&self, values: &[f64]) -> Vec<Vec<f64>> {
        let mut columns = vec![Vec::with_capacity(values.len()); self.columns()];
        for x in values {
            let row = self.row(*x);
            columns.iter_mut().zip(row).for_each(|(column, v)| column.push(v));
        }
        columns
    }

    fn row(&self, x: f64) -> Vec<f64> {
        if x.is_nan() {
            return vec![f64::NAN; self.columns()];
        }
        match self {
            Basis::Powers(degree) => (1..=*degree).map(|k| x.powi(k as i32)).collect(),
            Basis::Orthogonal { a, b, lengths } => {
                let mut p = vec![1.0];
                for k in 0..a.len() {
                    let before = if k == 0 { 0.0 } else { b[k] * p[k - 1] };
                    p.push((x - a[k]) * p[k] - before);
                }
                p.iter().zip(lengths).skip(1).map(|(p, l)| p / l).collect()
            }
            Basis::BSpline { knots, order, intercept } => {
                let row = splines(knots, *order, x, 0);
                row[usize::from(!intercept)..].to_vec()
            }
            Basis::Natural { knots, intercept, map, columns } => {
                let (low, high) = (knots[0], knots[knots.len() - 1]);
                let end = x.clamp(low, high);
                let mut row = splines(knots, 4, end, 0);
                if end != x {
                    let slope = splines(knots, 4, end, 1);
                    row.iter_mut().zip(slope).for_each(|(v, s)| *v += (x - end) * s);
                }
                let row = &row[usize::from(!intercept)..];
                (0..*columns).map(|j| row.iter().enumerate().map(|(i, v)| v * map[i * columns + j]).sum()).collect()
            }
        }
    }
}

/// The monic polynomials that are orthogonal over the values, by Stieltjes' recurrence about their mean (forsythe1957).
fn orthogonal(values: &[f64], degree: usize) -> Result<Basis, String> {
    let mut different = values.to_vec();
    different.sort_by(f64::total_cmp);
    different.dedup();
    if degree >= different.len() {
        return Err(format!(
            "has degree {degree}, but there are {} different values; the degree must be below that",
            different.len()
        ));
    }
    let (mut a, mut b, mut lengths) = (Vec::new(), vec![0.0], Vec::new());
    let mut before = vec![0.0; values.len()];
    let mut here = vec![1.0; values.len()];
    let mut last = 1.0;
    for k in 0..=degree {
        let square: f64 = here.iter().map(|p| p * p).sum();
        lengths.push(square.sqrt());
        if k == degree {
            break;
        }
        // About the last value: sums of large numbers would lose digits.
        let centre = values[0];
        let mean = centre + here.iter().zip(values).map(|(p, x)| p * p * (x - centre)).sum::<f64>() / square;
        let ratio = if k == 0 { 0.0 } else { square / last };
        if k > 0 {
            b.push(ratio);
        }
        a.push(mean);
        let next = here.iter().zip(&before).zip(values).map(|((p, q), x)| (x - mean) * p - ratio * q).collect();
        before = std::mem::replace(&mut here, next);
        last = square;
    }
    Ok(Basis::Orthogonal { a, b, lengths })
}

/// Inner knots at quantiles unless they are given, and the outer ones, each as often as the order says.
fn all_knots(
    kind: &SplineKind,
    known: &[f64],
    inner: Option<i64>,
    order: usize,
) -> Result<(Vec<f64>, (f64, f64)), String> {
    let mut sorted = known.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (Some(first), Some(last)) = (sorted.first(), sorted.last()) else {
        return Err("has no value that is not missing".to_string());
    };
    let ends = kind.boundary.unwrap_or((*first, *last));
    if ends.0 >= ends.1 {
        return Err(format!("has the outer knots {} and {}, but they must differ and be in order", ends.0, ends.1));
    }
    sorted.retain(|x| (ends.0..=ends.1).contains(x));
    let inside = match (&kind.knots, inner) {
        (Some(knots), _) => knots.clone(),
        (None, Some(count)) if count < 0 => {
            let least = kind.df.unwrap_or(0) as i64 - count;
            return Err(format!("has df = {}, but must have {least} or more", kind.df.unwrap_or(0)));
        }
        (None, count) => {
            let count = count.unwrap_or(0) as usize;
            (1..=count).map(|i| quantile(&sorted, i as f64 / (count + 1) as f64)).collect()
        }
    };
    let mut knots = vec![ends.0; order];
    knots.extend(inside);
    knots.extend(vec![ends.1; order]);
    knots.sort_by(f64::total_cmp);
    Ok((knots, ends))
}

/// R's seventh definition: linear between the ordered values.
fn quantile(sorted: &[f64], p: f64) -> f64 {
    let at = p * (sorted.len() - 1) as f64;
    let low = at.floor() as usize;
    let high = (low + 1).min(sorted.len() - 1);
    sorted[low] + (at - low as f64) * (sorted[high] - sorted[low])
}

/// All B-splines at `x`, or their derivatives. Beyond the outer knots those of the outermost pieces.
fn splines(knots: &[f64], order: usize, x: f64, derivative: usize) -> Vec<f64> {
    let count = knots.len() - order;
    let interval = knots[order..count].partition_point(|t| *t <= x) + order - 1;
    let mut values = vec![0.0; knots.len() - 1];
    values[interval] = 1.0;
    let share = |top: f64, low: usize, high: usize| {
        let width = knots[high] - knots[low];
        if width > 0.0 { top / width } else { 0.0 }
    };
    for k in 2..=order - derivative {
        for i in 0..knots.len() - k {
            values[i] =
                share(x - knots[i], i, i + k - 1) * values[i] + share(knots[i + k] - x, i + 1, i + k) * values[i + 1];
        }
    }
    for k in order - derivative + 1..=order {
        for i in 0..knots.len() - k {
            let scale = (k - 1) as f64;
            values[i] = share(scale, i, i + k - 1) * values[i] - share(scale, i + 1, i + k) * values[i + 1];
        }
    }
    values.truncate(count);
    values
}

/// The combinations of cubic splines that are linear at both ends: what is orthogonal to their two second derivatives, by
/// Householder's reflections.
fn natural(knots: Vec<f64>, ends: (f64, f64), intercept: bool) -> Basis {
    let skip = usize::from(!intercept);
    let mut constraints = [ends.0, ends.1].map(|end| splines(&knots, 4, end, 2)[skip..].to_vec());
    let n = constraints[0].len();
    let mut reflections: Vec<Vec<f64>> = Vec::new();
    for k in 0..2 {
        let [first, second] = &mut constraints;
        let column = if k == 0 { &*first } else { &*second };
        let length = column[k..].iter().map(|v| v * v).sum::<f64>().sqrt();
        let mut v = vec![0.0; n];
        v[k..].copy_from_slice(&column[k..]);
        v[k] += if column[k] < 0.0 { -length } else { length };
        reflect(&v, second);
        reflections.push(v);
    }
    let columns = n - 2;
    let mut map = vec![0.0; n * columns];
    for j in 0..columns {
        let mut unit = vec![0.0; n];
        unit[j + 2] = 1.0;
        reflections.iter().rev().for_each(|v| reflect(v, &mut unit));
        (0..n).for_each(|i| map[i * columns + j] = unit[i]);
    }
    Basis::Natural { knots, intercept, map, columns }
}

/// `x - 2 v (v'x)/(v'v)`
fn reflect(v: &[f64], x: &mut [f64]) {
    let square: f64 = v.iter().map(|v| v * v).sum();
    if square == 0.0 {
        return;
    }
    let scale = 2.0 * v.iter().zip(&*x).map(|(v, x)| v * x).sum::<f64>() / square;
    x.iter_mut().zip(v).for_each(|(x, v)| *x -= scale * v);
}

#[cfg(test)]
#[allow(clippy::excessive_precision, reason = "the digits are those that the oracle prints")]
mod tests {
    use super::*;

    fn close(found: &[Vec<f64>], expected: &[&[f64]]) {
        assert_eq!(found.len(), expected.len());
        for (f, e) in found.iter().zip(expected) {
            for (f, e) in f.iter().zip(*e) {
                assert!((f - e).abs() < 1e-12, "{f} {e}");
            }
        }
    }

    // The numbers are those of R 4.2.2.
    #[test]
    #[rustfmt::skip] // columns of numbers
    fn bases_and_their_values_at_new_points_are_those_of_r() {
        let x = [1.0, 2.0, 4.0, 8.0, 9.5, 3.25];
        let spline = |df: usize| SplineKind { df: Some(df), ..SplineKind::default() };
        let poly = BasisKind::Polynomial { degree: 2, raw: false }.learn(&x).unwrap();
        close(&poly.evaluate(&x), &[
            &[-4.7818080130683310e-01, -3.4626885611874103e-01, -8.2444965742557441e-02, 4.4520281500980990e-01, 6.4307073279194760e-01, -1.8137892463362634e-01],
            &[5.7893046434902640e-01, 7.9290219538152656e-02, -5.3276447428432250e-01, -2.0797067873218736e-01, 4.4626246382386120e-01, -3.6374799469453017e-01],
        ]);
        close(&poly.evaluate(&[5.0, 11.0]), &[
            &[4.9466979445534451e-02, 8.4093865057408568e-01],
            &[-6.4517892329592397e-01, 1.3909149532293641e+00],
        ]);
        let bs = BasisKind::BSpline(spline(5)).learn(&x).unwrap();
        close(&bs.evaluate(&x[..2]), &[
            &[0.0, 6.2616976157980597e-01], &[0.0, 2.6510716761642317e-01], &[0.0, 1.4808720691073637e-02], &[0.0, 0.0], &[0.0, 0.0],
        ]);
        close(&bs.evaluate(&[5.0, 11.0]), &[
            &[7.8895463510847354e-04, 0.0],
            &[3.8433170901496683e-01, -1.4294117647058818e-02],
            &[5.2333766968325801e-01, 3.0467911764705874e-01],
            &[9.1541666666666729e-02, -1.8058409999999991e+00],
            &[0.0, 2.5154559999999995e+00],
        ]);
        let quadratic = SplineKind { degree: Some(2), knots: Some(vec![4.0]), ..SplineKind::default() };
        close(&BasisKind::BSpline(quadratic).learn(&x).unwrap().evaluate(&[8.0, 9.5]), &[
            &[4.8128342245989303e-02, 0.0], &[4.2294603791929997e-01, 0.0], &[5.2892561983471076e-01, 1.0],
        ]);
        let ns = BasisKind::Natural(spline(3)).learn(&x).unwrap();
        close(&ns.evaluate(&[2.0, 8.0, 5.0, 11.0, -2.0]), &[
            &[-1.2127460572914364e-01, 2.5545458412961086e-01, 3.8094285245915205e-01, -5.9457364341085273e-01, 4.3547254248495548e-01],
            &[3.5381664869256485e-01, 3.4949337538065844e-01, 4.6176819144934217e-01, 4.6589147286821730e-01, -1.1322286104608841e+00],
            &[-2.1773332227234760e-01, 3.8075792284267174e-01, -2.2783170755856949e-01, 1.1286821705426355e+00, 6.9675606797592871e-01],
        ]);
        let with = SplineKind { intercept: true, ..spline(3) };
        close(&BasisKind::Natural(with).learn(&x).unwrap().evaluate(&[1.0, 2.0]), &[
            &[-4.1948153305065694e-01, -8.5708933305384816e-02],
            &[5.8799529228010317e-01, 5.1827626505859770e-01],
            &[-3.4768417282649577e-01, -3.0334124005754520e-01],
        ]);
    }

    #[test]
    fn what_the_values_cannot_bear_is_an_error() {
        let few = [1.0, 2.0, 2.0, f64::NAN];
        assert!(
            BasisKind::Polynomial { degree: 2, raw: false }.learn(&few).unwrap_err().contains("2 different values")
        );
        let spline = SplineKind { df: Some(1), ..SplineKind::default() };
        assert!(BasisKind::BSpline(spline).learn(&few).unwrap_err().contains("3 or more"));
        assert!(BasisKind::Natural(SplineKind::default()).learn(&[1.0, 1.0]).unwrap_err().contains("must differ"));
    }
}
