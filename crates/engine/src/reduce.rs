//! Sums, sums on the log scale, means, deviations, products, extremes and counts over all rows, with one result however the rows are cut up.
//!
//! The rows are taken in blocks of [`BLOCK`] that start at multiples of it; the blocks' partial results are combined by
//! a binary tree that depends on their numbers only. So threads, batches and devices cannot change a bit.

use crate::compensated::{Product, mean_pair, merge_squares, variance};
use crate::grouped::of_extremes;
use crate::plan::Reduction;
use gristmill_kernel::Level;
use gristmill_kernel::vectors::{AnyLanes, Blend, Lanes};
use gristmill_nmath::building_blocks::{
    LOG_SUM_BLOCK, LogSum, log_sum_larger, log_sum_merge, log_sum_plus, log_sum_value,
};

/// Rows per block of the tree.
pub(crate) const BLOCK: usize = 4096;
// The tree is that of nmath's `logspace_sum` over slices and on devices.
const _: () = assert!(BLOCK == LOG_SUM_BLOCK);
/// Lanes of the sum within a block: enough for the vector units, fixed so that the order is. No instruction set has fewer
/// than four lanes.
const LANES: usize = 8;

/// A sum carried with its rounding error: about 106 bits.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sum {
    high: f64,
    low: f64,
}

impl Sum {
    /// The sum as rounded so far.
    pub(crate) fn high(self) -> f64 {
        self.high
    }

    /// What rounding took from it.
    pub(crate) fn low(self) -> f64 {
        self.low
    }

    #[inline(always)]
    pub(crate) fn plus(self, x: f64) -> Sum {
        let high = self.high + x;
        // Knuth's two-sum: `error` is exactly what the addition lost.
        let part = high - self.high;
        let error = (self.high - (high - part)) + (x - part);
        Sum { high, low: self.low + error }
    }

    /// Adds something small to what rounding took.
    #[inline(always)]
    pub(crate) fn with_low(self, more: f64) -> Sum {
        Sum { high: self.high, low: self.low + more }
    }

    #[inline(always)]
    pub(crate) fn merge(self, other: Sum) -> Sum {
        let sum = self.plus(other.high);
        Sum { high: sum.high, low: sum.low + other.low }
    }

    pub(crate) fn value(self) -> f64 {
        // Infinities make the errors NaN; the plain sum is right there.
        if self.high.is_finite() { self.high + self.low } else { self.high }
    }
}

/// What a set of rows came to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Partial {
    sum: Sum,
    min: f64,
    max: f64,
    /// Values that were there.
    count: u64,
    /// Whether one was missing, or not a number.
    has_missing: bool,
    has_nan: bool,
    also: Also,
}

/// What only some reductions need.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Also {
    Nothing,
    /// The squared deviations from the mean of these rows.
    Squares(Sum),
    Product(Product),
    /// The sum of the exponentials.
    LogSum(LogSum),
}

/// The sum of the exponentials of nothing.
pub(crate) const NO_LOG_SUM: LogSum = LogSum { largest: f64::NEG_INFINITY, sum: 0.0, low: 0.0 };

impl Also {
    /// Of no rows.
    pub(crate) fn of(reduction: Reduction) -> Also {
        match reduction {
            Reduction::Var | Reduction::Sd => Also::Squares(Sum::default()),
            Reduction::Prod => Also::Product(Product::ONE),
            Reduction::LogspaceSum => Also::LogSum(NO_LOG_SUM),
            _ => Also::Nothing,
        }
    }
}

impl Partial {
    pub(crate) const EMPTY: Partial = Partial {
        sum: Sum { high: 0.0, low: 0.0 },
        min: f64::INFINITY,
        max: f64::NEG_INFINITY,
        count: 0,
        has_missing: false,
        has_nan: false,
        also: Also::Nothing,
    };

    /// At most [`BLOCK`] rows. Where `missing` is true there is no value.
    pub(crate) fn of_block(values: &[f64], missing: Option<&[bool]>, skip: bool, also: Also) -> Partial {
        let partial = Partial::of_block_alone(values, missing, skip);
        let counts = |i: usize| !(missing.is_some_and(|m| m[i]) || (values[i].is_nan() && skip));
        let also = match also {
            Also::Nothing => Also::Nothing,
            Also::Squares(_) => {
                let (mean, rest) = mean_pair(partial.sum, partial.count.max(1));
                let mut lanes = [Sum::default(); LANES];
                for i in (0..values.len()).filter(|i| counts(*i)) {
                    let apart = (values[i] - mean) - rest;
                    lanes[i % LANES] = lanes[i % LANES].plus(apart * apart);
                }
                Also::Squares(pairwise(lanes, Sum::merge))
            }
            Also::Product(_) => {
                let mut lanes = [Product::ONE; LANES];
                for i in (0..values.len()).filter(|i| counts(*i)) {
                    lanes[i % LANES] = lanes[i % LANES].times(values[i]);
                }
                Also::Product(pairwise(lanes, Product::merge))
            }
            Also::LogSum(_) => {
                let there = || (0..values.len()).filter(|i| counts(*i)).map(|i| values[i]);
                let largest = there().fold(f64::NEG_INFINITY, log_sum_larger);
                Also::LogSum(there().fold(LogSum { largest, ..NO_LOG_SUM }, log_sum_plus))
            }
        };
        Partial { also, ..partial }
    }

    fn of_block_alone(values: &[f64], missing: Option<&[bool]>, skip: bool) -> Partial {
        if missing.is_none_or(|m| !m.contains(&true)) {
            let partial = Partial::of_all(values);
            // R's `na.rm` removes NaN too.
            if !(partial.has_nan && skip) {
                return partial;
            }
        }
        Partial::of_some(values, missing, skip)
    }

    /// As [`Partial::of_block`], row by row.
    fn of_some(values: &[f64], missing: Option<&[bool]>, skip: bool) -> Partial {
        let mut lanes = [Partial::EMPTY; LANES];
        let mut has_missing = false;
        for (i, x) in values.iter().enumerate() {
            if missing.is_some_and(|m| m[i]) {
                has_missing = true;
            } else if !(x.is_nan() && skip) {
                lanes[i % LANES].add(*x);
            }
        }
        Partial { has_missing, ..Partial::of_lanes(lanes) }
    }

    /// As [`Partial::of_block`] where no value is missing or passed over: the same additions, several lanes at once.
    fn of_all(values: &[f64]) -> Partial {
        Level::best().on_lanes(All(values)).unwrap_or_else(|_| Partial::of_some(values, None, false))
    }

    #[inline(always)]
    fn add(&mut self, x: f64) {
        self.sum = self.sum.plus(x);
        self.min = if x < self.min { x } else { self.min };
        self.max = if x > self.max { x } else { self.max };
        self.count += 1;
        self.has_nan |= x.is_nan();
    }

    #[inline(always)]
    fn of_lanes(lanes: [Partial; LANES]) -> Partial {
        pairwise(lanes, Partial::merge)
    }

    #[inline(always)]
    fn merge(self, other: Partial) -> Partial {
        Partial {
            sum: self.sum.merge(other.sum),
            min: if other.min < self.min { other.min } else { self.min },
            max: if other.max > self.max { other.max } else { self.max },
            count: self.count + other.count,
            has_missing: self.has_missing || other.has_missing,
            has_nan: self.has_nan || other.has_nan,
            also: match (self.also, other.also) {
                (Also::Squares(a), Also::Squares(b)) => {
                    Also::Squares(merge_squares((self.sum, a, self.count), (other.sum, b, other.count)))
                }
                (Also::Product(a), Also::Product(b)) => Also::Product(a.merge(b)),
                (Also::LogSum(a), Also::LogSum(b)) => Also::LogSum(log_sum_merge(a, b)),
                _ => Also::Nothing,
            },
        }
    }
}

/// Combines lanes, the first half with the second, until one is left.
#[inline(always)]
fn pairwise<T: Copy>(mut lanes: [T; LANES], merge: impl Fn(T, T) -> T) -> T {
    let mut width = LANES;
    while width > 1 {
        width /= 2;
        for j in 0..width {
            lanes[j] = merge(lanes[j], lanes[j + width]);
        }
    }
    lanes[0]
}

/// Rows that all count.
struct All<'a>(&'a [f64]);

impl AnyLanes for All<'_> {
    type Out = Partial;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Partial {
        let vectors = LANES / L::N;
        let splat = |x| [l.f64_splat(x); LANES / 4];
        let (mut high, mut low) = (splat(0.0), splat(0.0));
        let (mut min, mut max) = (splat(f64::INFINITY), splat(f64::NEG_INFINITY));
        let mut nan = [l.mask_splat(false); LANES / 4];
        let (steps, rest) = self.0.as_chunks::<LANES>();
        for step in steps {
            for v in 0..vectors {
                let x = l.f64_load(&step[v * L::N..]);
                // `Sum::plus`
                let sum = l.f64_add(high[v], x);
                let part = l.f64_sub(sum, high[v]);
                let error = l.f64_add(l.f64_sub(high[v], l.f64_sub(sum, part)), l.f64_sub(x, part));
                (high[v], low[v]) = (sum, l.f64_add(low[v], error));
                // `Partial::add`
                min[v] = Blend::blend(l, l.f64_lt(x, min[v]), x, min[v]);
                max[v] = Blend::blend(l, l.f64_lt(max[v], x), x, max[v]);
                nan[v] = l.mask_or(nan[v], l.f64_ne(x, x));
            }
        }
        let mut lanes = [Partial { count: steps.len() as u64, ..Partial::EMPTY }; LANES];
        for (j, lane) in lanes.iter_mut().enumerate() {
            let (v, i) = (j / L::N, j % L::N);
            let of = |x: L::F64| l.f64_array(x)[i];
            lane.sum = Sum { high: of(high[v]), low: of(low[v]) };
            (lane.min, lane.max) = (of(min[v]), of(max[v]));
            lane.has_nan = l.mask_bits(nan[v]) >> i & 1 == 1;
        }
        rest.iter().zip(&mut lanes).for_each(|(x, lane)| lane.add(*x));
        Partial::of_lanes(lanes)
    }
}

/// Combines the blocks' results in the order of the rows: a binary counter, whose digit `k` holds `2^k` blocks.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    digits: Vec<Option<Partial>>,
}

impl Tree {
    pub(crate) fn push(&mut self, mut partial: Partial) {
        for digit in &mut self.digits {
            match digit.take() {
                None => {
                    *digit = Some(partial);
                    return;
                }
                Some(earlier) => partial = earlier.merge(partial),
            }
        }
        self.digits.push(Some(partial));
    }

    /// The whole: later, smaller digits are merged onto the earlier, larger ones.
    fn total(&self) -> Partial {
        let mut total: Option<Partial> = None;
        for digit in self.digits.iter().flatten() {
            total = Some(match total {
                None => *digit,
                Some(later) => digit.merge(later),
            });
        }
        total.unwrap_or(Partial::EMPTY)
    }
}

/// A reduction under way.
#[derive(Debug)]
pub(crate) struct Reducer {
    tree: Tree,
    /// Rows of a block that is not yet full.
    open_values: Vec<f64>,
    open_missing: Vec<bool>,
    skip_missing: bool,
    reduction: Reduction,
}

/// A finished reduction.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Reduced {
    /// The result; 0 where it is missing.
    pub value: f64,
    /// Whether a missing value made it missing.
    pub missing: bool,
}

impl Reducer {
    pub(crate) fn new(reduction: Reduction, skip_missing: bool) -> Reducer {
        let (open_values, open_missing) = (Vec::new(), Vec::new());
        Reducer { tree: Tree::default(), open_values, open_missing, skip_missing, reduction }
    }

    /// A full block, computed apart.
    pub(crate) fn block(&self, values: &[f64], missing: Option<&[bool]>) -> Partial {
        Partial::of_block(values, missing, self.skip_missing, Also::of(self.reduction))
    }

    /// How many rows are wanted until a block is full: whole blocks may be computed apart after that many.
    pub(crate) fn rows_to_boundary(&self) -> usize {
        (BLOCK - self.open_values.len()) % BLOCK
    }

    /// Adds rows one after the other.
    pub(crate) fn push_rows(&mut self, mut values: &[f64], mut missing: Option<&[bool]>) {
        while !values.is_empty() {
            let count = values.len().min(BLOCK - self.open_values.len());
            self.open_values.extend_from_slice(&values[..count]);
            match missing {
                Some(m) => self.open_missing.extend_from_slice(&m[..count]),
                None => self.open_missing.resize(self.open_values.len(), false),
            }
            values = &values[count..];
            missing = missing.map(|m| &m[count..]);
            if self.open_values.len() == BLOCK {
                self.close_block();
            }
        }
    }

    /// Adds a full block that was computed apart.
    pub(crate) fn push_block(&mut self, block: Partial) {
        debug_assert!(self.open_values.is_empty());
        self.tree.push(block);
    }

    fn close_block(&mut self) {
        self.tree.push(self.block(&self.open_values, Some(&self.open_missing)));
        self.open_values.clear();
        self.open_missing.clear();
    }

    pub(crate) fn finish(mut self) -> Reduced {
        if !self.open_values.is_empty() {
            self.close_block();
        }
        let (total, reduction) = (self.tree.total(), self.reduction);
        let truth = of_extremes(reduction, (total.min, total.max));
        let open = match reduction {
            Reduction::Count => false,
            // One true value decides `any`, one false `all`.
            Reduction::Any => truth == 0.0,
            Reduction::All => truth == 1.0,
            _ => true,
        };
        let squares = match total.also {
            Also::Squares(squares) => squares,
            _ => Sum::default(),
        };
        let product = match total.also {
            Also::Product(product) => product,
            _ => Product::ONE,
        };
        let log_sum = match total.also {
            Also::LogSum(sum) => sum,
            _ => NO_LOG_SUM,
        };
        let of_few = matches!(reduction, Reduction::Var | Reduction::Sd) && total.count < 2;
        let missing = (total.has_missing && !self.skip_missing && open) || (of_few && !total.has_nan);
        let value = match reduction {
            _ if missing => 0.0,
            Reduction::Count => total.count as f64,
            Reduction::Any | Reduction::All => truth,
            _ if total.has_nan => f64::NAN,
            Reduction::Sum => total.sum.value(),
            Reduction::Mean => total.sum.value() / total.count as f64,
            Reduction::Min => total.min,
            Reduction::Max => total.max,
            Reduction::Var => variance(squares, total.count).unwrap_or(f64::NAN),
            Reduction::Sd => variance(squares, total.count).map_or(f64::NAN, f64::sqrt),
            Reduction::Prod => product.value(),
            Reduction::LogspaceSum => log_sum_value(log_sum),
            // It has passes of its own.
            Reduction::Quantile(_) => f64::NAN,
        };
        Reduced { value, missing }
    }
}

#[cfg(test)]
#[allow(clippy::excessive_precision, reason = "the digits are those that the oracle prints")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn reduce(reduction: Reduction, values: &[f64], pieces: &[usize]) -> u64 {
        let mut reducer = Reducer::new(reduction, false);
        let mut rest = values;
        for piece in pieces {
            let (now, later) = rest.split_at((*piece).min(rest.len()));
            reducer.push_rows(now, None);
            rest = later;
        }
        reducer.push_rows(rest, None);
        reducer.finish().value.to_bits()
    }

    proptest! {
        #[test]
        fn no_result_depends_on_how_the_rows_arrive(
            seed in any::<u32>(), count in 0_usize..20_000, pieces in prop::collection::vec(0_usize..9000, 0..6)
        ) {
            let values: Vec<f64> = (0..count).map(|i| (f64::from(seed) + i as f64 * 1.7).sin() * 1e10).collect();
            for reduction in [Reduction::Sum, Reduction::Var, Reduction::Prod] {
                prop_assert_eq!(reduce(reduction, &values, &pieces), reduce(reduction, &values, &[]));
            }
        }
    }

    proptest! {
        #[test]
        fn lanes_together_and_row_by_row_give_the_same_bits(
            values in prop::collection::vec(prop_oneof![
                8 => any::<f64>(), 1 => Just(0.0), 1 => Just(-0.0), 1 => Just(f64::NAN), 1 => Just(f64::INFINITY)
            ], 0..100)
        ) {
            let bits = |p: Partial| {
                let sum = p.sum.value();
                ((!sum.is_nan()).then_some(sum.to_bits()), p.min.to_bits(), p.max.to_bits(), p.count, p.has_nan)
            };
            prop_assert_eq!(bits(Partial::of_all(&values)), bits(Partial::of_some(&values, None, false)));
        }
    }

    #[test]
    fn the_sum_on_the_log_scale_is_that_of_the_slice_however_the_rows_arrive() {
        for count in [1_usize, 4095, 4096, 4097, 20_000] {
            let values: Vec<f64> = (0..count).map(|i| (i as f64 * 1.7).sin() * 300.0 - (i % 53) as f64).collect();
            let whole = gristmill_nmath::logspace_sum(&values).to_bits();
            for pieces in [&[][..], &[1, 4096, 3], &[5000, 1, 1, 9000]] {
                assert_eq!(reduce(Reduction::LogspaceSum, &values, pieces), whole, "{count} rows in {pieces:?}");
            }
        }
    }

    #[test]
    fn the_sum_is_right_where_plain_summation_is_not() {
        let mut values = vec![1e16, 1.0, -1e16];
        values.resize(10_000, 1e-3);
        let mut reducer = Reducer::new(Reduction::Sum, false);
        reducer.push_rows(&values, None);
        assert_eq!(reducer.finish().value, 1.0 + 9997.0 * 1e-3);
    }

    /// Integers near 1e15, whose deviations are known exactly: 0, 1, …, 9 again and again have a variance of 8.25 n / (n - 1).
    #[test]
    fn the_variance_of_values_far_from_zero_keeps_its_digits() {
        for count in [2_000_u64, 40_960, 123_450] {
            for base in [0.0, 1e9, 1e15, -1e15] {
                let values: Vec<f64> = (0..count).map(|i| base + (i % 10) as f64).collect();
                let exact = 8.25 * count as f64 / (count - 1) as f64;
                let found = f64::from_bits(reduce(Reduction::Var, &values, &[5, 77]));
                assert!(
                    (found - exact).abs() <= 4.0 * f64::EPSILON * exact,
                    "{count} near {base}: {found}, not {exact}"
                );
                let mut grouped = crate::grouped::GroupedReducer::new(Reduction::Var, false);
                grouped.push(&values, None, &vec![0; values.len()], 1).unwrap();
                let found = grouped.finish()[0].value;
                assert!(
                    (found - exact).abs() <= 4.0 * f64::EPSILON * exact,
                    "{count} near {base}: {found}, not {exact}"
                );
            }
        }
        // The first value is far from all others: nothing may be measured from it.
        let values: Vec<f64> = (0..9001).map(|i| if i == 0 { 1e15 } else { f64::from(i % 2) }).collect();
        let found = f64::from_bits(reduce(Reduction::Sd, &values, &[]));
        // sqrt((sum of squares - sum^2/n) / (n - 1)) with 40 digits: 10540339975716.55029…
        assert!((found / 10540339975716.550 - 1.0).abs() < 1e-15, "{found}");
    }

    #[test]
    fn no_rows_infinities_and_missing_values_follow_r() {
        let finish = |values: &[f64], missing: Option<&[bool]>, skip, reduction| {
            let mut reducer = Reducer::new(reduction, skip);
            reducer.push_rows(values, missing);
            reducer.finish()
        };
        let known = |value| Reduced { value, missing: false };
        assert_eq!(finish(&[], None, false, Reduction::Sum), known(0.0));
        assert_eq!(finish(&[], None, false, Reduction::Min), known(f64::INFINITY));
        assert_eq!(finish(&[], None, false, Reduction::Max), known(f64::NEG_INFINITY));
        assert!(finish(&[], None, false, Reduction::Mean).value.is_nan());
        assert_eq!(finish(&[1.0, f64::INFINITY], None, false, Reduction::Sum), known(f64::INFINITY));
        assert!(finish(&[f64::NEG_INFINITY, f64::INFINITY], None, false, Reduction::Sum).value.is_nan());
        assert!(finish(&[1.0, f64::NAN], None, false, Reduction::Max).value.is_nan());
        assert_eq!(finish(&[1.0, f64::NAN], None, true, Reduction::Max), known(1.0));
        let missing = [false, true, false];
        assert!(finish(&[1.0, 9.0, 2.0], Some(&missing), false, Reduction::Sum).missing);
        assert_eq!(finish(&[1.0, 9.0, 2.0], Some(&missing), true, Reduction::Sum), known(3.0));
        assert_eq!(finish(&[1.0, 9.0, 2.0], Some(&missing), true, Reduction::Mean), known(1.5));
        assert_eq!(finish(&[1.0, 9.0, 2.0], Some(&missing), false, Reduction::Count), known(2.0));
        let log_sum = |values: &[f64], missing, skip| finish(values, missing, skip, Reduction::LogspaceSum);
        assert_eq!(log_sum(&[], None, false), known(f64::NEG_INFINITY));
        assert_eq!(log_sum(&[f64::NEG_INFINITY; 3], None, false), known(f64::NEG_INFINITY));
        assert_eq!(log_sum(&[f64::NEG_INFINITY, 2.5], None, false), known(2.5));
        assert_eq!(log_sum(&[f64::NEG_INFINITY, f64::INFINITY, 1.0], None, false), known(f64::INFINITY));
        assert!(log_sum(&[1.0, f64::NAN, f64::INFINITY], None, false).value.is_nan());
        assert_eq!(log_sum(&[1.0, f64::NAN], None, true), known(1.0));
        assert!(log_sum(&[1.0, 9.0, 2.0], Some(&missing), false).missing);
        assert_eq!(log_sum(&[1.0, 900.0, f64::NEG_INFINITY], Some(&missing), true), known(1.0));
        assert_eq!(log_sum(&[-1e300, 1e300], None, false), known(1e300));
        assert_eq!(finish(&[1.0, 9.0, 2.0], Some(&missing), true, Reduction::Var), known(0.5));
        assert!(finish(&[1.0], None, true, Reduction::Sd).missing && finish(&[], None, true, Reduction::Var).missing);
        assert!(finish(&[1.0, f64::INFINITY], None, false, Reduction::Var).value.is_nan());
        assert_eq!(finish(&[], None, false, Reduction::Prod), known(1.0));
        assert_eq!(finish(&[1.0, 9.0, 2.0], Some(&missing), true, Reduction::Prod), known(2.0));
        assert_eq!(finish(&[0.0, 9.0, 1.0], Some(&missing), false, Reduction::Any), known(1.0));
        assert!(finish(&[0.0, 9.0, 0.0], Some(&missing), false, Reduction::Any).missing);
        assert_eq!(finish(&[0.0, 9.0, 0.0], Some(&missing), true, Reduction::Any), known(0.0));
        assert_eq!(finish(&[0.0, 9.0, 1.0], Some(&missing), false, Reduction::All), known(0.0));
        assert!(finish(&[1.0, 9.0, 1.0], Some(&missing), false, Reduction::All).missing);
        assert_eq!(finish(&[], None, false, Reduction::Any), known(0.0));
        assert_eq!(finish(&[], None, false, Reduction::All), known(1.0));
    }
}
