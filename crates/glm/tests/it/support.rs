//! Data for the tests.

use gristmill_glm::{Domain, Family, GlmData, Link, Matrix, Model, Variance};

/// A generator of the tests' own, so that a seed means the same for ever.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Numbers {
        Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1)
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// In [0, 1).
    pub(crate) fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.uniform()
    }

    pub(crate) fn many(&mut self, count: usize, low: f64, high: f64) -> Vec<f64> {
        (0..count).map(|_| self.between(low, high)).collect()
    }

    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.bits() % end
    }
}

/// Each variance with the link of the family that has it, and with others, for which one kernel takes all pairs. (The links
/// with a constant variance are those of the family `quasi`; all pairs are fitted in `quasi.rs`.)
const QUASI: &[(Variance, Link)] = &[
    (Variance::Binomial, Link::Logit),
    (Variance::Mean, Link::Log),
    (Variance::Square, Link::Inverse),
    (Variance::Cube, Link::InverseSquare),
    (Variance::Mean, Link::Probit),
    (Variance::Square, Link::Sqrt),
    (Variance::Cube, Link::Cauchit),
];

/// Every family with every link that it has.
pub(crate) fn models() -> Vec<Model> {
    Family::ALL
        .iter()
        .flat_map(|&family| family.links().iter().map(move |&link| (family, link)))
        .map(|(family, link)| {
            let size = (family == Family::NegativeBinomial).then_some(2.5);
            Model::new(family, Some(link), size).expect("its own link")
        })
        .chain(QUASI.iter().map(|(variance, link)| Model::quasi(*variance, Some(*link))))
        .collect()
}

/// The sign that the predictors of a model need; 0 if it does not matter.
fn sign(model: &Model) -> f64 {
    match model.domain() {
        Domain::Any => 0.0,
        Domain::Positive | Domain::NotZero | Domain::Unit | Domain::AboveOne => 1.0,
        Domain::Negative => -1.0,
    }
}

/// The arguments of a model's data.
pub(crate) struct Input {
    pub(crate) model: Model,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// Row-major.
    pub(crate) x: Vec<f64>,
    pub(crate) y: Vec<f64>,
    pub(crate) wt: Vec<f64>,
    pub(crate) offset: Vec<f64>,
    pub(crate) prior_mean: Vec<f64>,
    pub(crate) prior_precision: Vec<f64>,
}

impl Input {
    pub(crate) fn random(model: Model, rows: usize, columns: usize, seed: u64) -> Input {
        let mut numbers = Numbers::new(seed);
        let positive = sign(&model) != 0.0;
        let low = if positive { 0.0 } else { -1.0 };
        let wt: Vec<f64> = (0..rows)
            .map(|_| match (model.family(), numbers.below(6)) {
                (Family::Gaussian, _) => numbers.between(0.1, 4.0),
                (_, 0) => 0.0,
                (Family::Binomial, _) => 1.0 + numbers.below(9) as f64,
                _ => numbers.between(0.1, 4.0),
            })
            .collect();
        let y = wt
            .iter()
            .map(|&wt| match model.family() {
                Family::Binomial if wt > 0.0 => numbers.below(wt as u64 + 1) as f64 / wt,
                Family::Binomial => 0.0,
                Family::QuasiBinomial | Family::Quasi => numbers.between(0.01, 1.0),
                Family::Poisson | Family::NegativeBinomial => numbers.below(20) as f64,
                Family::QuasiPoisson => numbers.between(0.0, 9.0),
                Family::Gamma | Family::InverseGaussian => numbers.between(0.01, 9.0),
                Family::Gaussian => numbers.between(-5.0, 5.0),
            })
            .collect();
        let mut prior_precision = vec![0.0; columns * columns];
        for i in 0..columns {
            prior_precision[i * columns + i] = 2.0;
            if i > 0 {
                prior_precision[i * columns + i - 1] = 0.5;
                prior_precision[(i - 1) * columns + i] = 0.5;
            }
        }
        Input {
            model,
            rows,
            columns,
            x: numbers.many(rows * columns, low, 1.0),
            y,
            wt,
            offset: numbers
                .many(rows, low, 1.0)
                .into_iter()
                .map(|o| if positive { sign(&model) * (o + 0.01) } else { o })
                .collect(),
            prior_mean: numbers.many(columns, -1.0, 1.0),
            prior_precision,
        }
    }

    /// A grid for it, row-major, with the sign that the link needs.
    pub(crate) fn grid(&self, points: usize, seed: u64) -> Vec<f64> {
        let (low, high) = match sign(&self.model) {
            0.0 => (-2.0, 2.0),
            sign if sign > 0.0 => (0.0, 2.0),
            _ => (-2.0, 0.0),
        };
        Numbers::new(seed).many(points * self.columns, low, high)
    }

    pub(crate) fn data(&self) -> GlmData {
        self.part(0..self.rows)
    }

    /// The data of some of the rows.
    pub(crate) fn part(&self, rows: std::ops::Range<usize>) -> GlmData {
        let n = self.columns;
        GlmData::new(
            self.model,
            Matrix::row_major(&self.x[rows.start * n..rows.end * n], rows.len(), n).expect("a matrix"),
            &self.y[rows.clone()],
            Some(&self.wt[rows.clone()]),
            Some(&self.offset[rows]),
            Some(&self.prior_mean),
            Some(Matrix::row_major(&self.prior_precision, n, n).expect("a matrix")),
        )
        .expect("fine data")
    }
}

/// All numbers of a result as bits; NaN is NaN.
pub(crate) fn bits(evaluation: &gristmill_glm::Evaluation) -> Vec<u64> {
    let all = evaluation.values().iter().chain(evaluation.gradients());
    all.map(|v| if v.is_nan() { f64::NAN.to_bits() } else { v.to_bits() }).collect()
}
