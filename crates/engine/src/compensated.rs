//! Products and squared deviations that keep their digits: each is carried with its rounding error.

use crate::reduce::Sum;

/// A product with its rounding error and an exponent of its own, so that it neither overflows nor loses digits half-way.
///
/// Error: each factor adds less than 2^-103 of the product, so that up to 2^40 factors give the double next to the exact
/// product, but for ties. Results below 2^-1022 are rounded twice.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Product {
    /// Between 1 and 2, with a sign; or zero, infinite or NaN, and then the product is that.
    high: f64,
    low: f64,
    exponent: i64,
}

impl Product {
    pub(crate) const ONE: Product = Product { high: 1.0, low: 0.0, exponent: 0 };

    #[inline]
    pub(crate) fn times(self, x: f64) -> Product {
        let (mantissa, exponent) = split(x);
        self.merge(Product { high: mantissa, low: 0.0, exponent })
    }

    #[inline]
    pub(crate) fn merge(self, other: Product) -> Product {
        let high = self.high * other.high;
        if high == 0.0 || !high.is_finite() {
            return Product { high, low: 0.0, exponent: 0 };
        }
        // Exactly what the product lost, and what the low parts add.
        let error = self.high.mul_add(other.high, -high);
        let low = self.high.mul_add(other.low, self.low.mul_add(other.high, error));
        let sum = high + low;
        let low = low - (sum - high);
        let exponent = self.exponent.saturating_add(other.exponent);
        if sum.abs() >= 2.0 {
            Product { high: sum * 0.5, low: low * 0.5, exponent: exponent.saturating_add(1) }
        } else {
            Product { high: sum, low, exponent }
        }
    }

    pub(crate) fn value(self) -> f64 {
        if self.high == 0.0 || !self.high.is_finite() {
            return self.high;
        }
        // Beyond this the result is infinite or zero, whatever the mantissa.
        let mut left = self.exponent.clamp(-3000, 3000);
        let mut value = self.high + self.low;
        while left != 0 {
            let step = left.clamp(-1022, 1023);
            value *= f64::from_bits(((step + 1023) as u64) << 52);
            left -= step;
        }
        value
    }
}

/// Mantissa between 1 and 2 with the sign, and exponent. Zeros, infinities and NaN are their own mantissa.
#[inline]
fn split(x: f64) -> (f64, i64) {
    const MANTISSA: u64 = (1 << 52) - 1;
    const SIGN: u64 = 1 << 63;
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    // Subnormal numbers become normal ones first.
    let (x, moved) = if x.abs() < f64::MIN_POSITIVE { (x * 18446744073709551616.0, 64) } else { (x, 0) };
    let bits = x.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i64 - 1023 - moved;
    (f64::from_bits(bits & (SIGN | MANTISSA) | 1023 << 52), exponent)
}

/// The mean of some values as a pair whose sum is it to about 100 bits.
#[inline]
pub(crate) fn mean_pair(sum: Sum, count: u64) -> (f64, f64) {
    let count = count as f64;
    let high = sum.value() / count;
    let rest = (-high).mul_add(count, sum.high()) + sum.low();
    (high, rest / count)
}

/// The sum of squared deviations of two sets of values from their common mean, from those from each one's own: no term is
/// negative, so nothing cancels (Chan, Golub and LeVeque 1979, eq. 2.1).
pub(crate) fn merge_squares(a: (Sum, Sum, u64), b: (Sum, Sum, u64)) -> Sum {
    let ((sum_a, squares_a, count_a), (sum_b, squares_b, count_b)) = (a, b);
    if count_a == 0 {
        return squares_b;
    }
    if count_b == 0 {
        return squares_a;
    }
    let (mean_a, mean_b) = (mean_pair(sum_a, count_a), mean_pair(sum_b, count_b));
    let apart = (mean_b.0 - mean_a.0) + (mean_b.1 - mean_a.1);
    let (n_a, n_b) = (count_a as f64, count_b as f64);
    squares_a.merge(squares_b).plus(apart * apart * (n_a * (n_b / (n_a + n_b))))
}

/// The longest run of [`Deviations`].
const LONGEST_RUN: u32 = 256;

/// Squared deviations of values that come one by one, without a division for each.
///
/// The values are taken in runs, each about a fixed place, the mean of all values before the run; at its end it is merged with
/// them. No run is longer than what came before it, so that the squares about that place are less than three times what the run
/// adds to the sum of squares: taking the difference costs less than two of the hundred bits that a pair of doubles has.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Deviations {
    /// Of the values before the run: how many, their mean, their squared deviations from it.
    count: u64,
    mean: Sum,
    squares: Sum,
    /// Of the run: how many values, how many there will be, their deviations from `mean.high()`, and the squares of these.
    run: u32,
    length: u32,
    apart: Sum,
    apart_squared: Sum,
}

impl Deviations {
    #[inline(always)]
    pub(crate) fn add(&mut self, x: f64) {
        let place = self.mean.high();
        let apart = x - place;
        // Knuth's two-sum: exactly what the subtraction lost.
        let part = apart - x;
        let lost = (x - (apart - part)) - (place + part);
        let square = apart * apart;
        let square_lost = apart.mul_add(apart, -square) + 2.0 * apart * lost;
        self.apart = self.apart.plus(apart).with_low(lost);
        self.apart_squared = self.apart_squared.plus(square).with_low(square_lost);
        self.run += 1;
        if self.run >= self.length {
            self.end_run();
        }
    }

    /// Merges the run with what was before it (Chan, Golub and LeVeque 1979, eq. 2.1).
    fn end_run(&mut self) {
        if self.run == 0 {
            return;
        }
        let (before, here) = (self.count as f64, f64::from(self.run));
        let all = before + here;
        let (high, low) = mean_pair(self.apart, u64::from(self.run));
        // How far the run's mean is from that of the values before it: both parts of the latter count.
        let apart = Sum::default().plus(high).with_low(low).plus(-self.mean.low());
        if !self.apart.high().is_finite() {
            // There was an infinite value.
            self.squares = self.squares.plus(f64::NAN);
        } else if self.run > 1 {
            // The squares about the run's own mean; of one value they are zero.
            let (square, low) = ratio(self.apart, 1.0, here);
            self.squares = if self.apart_squared.high().is_finite() {
                self.squares.merge(self.apart_squared).plus(-square).with_low(-low)
            } else {
                self.squares.plus(f64::INFINITY)
            };
        }
        if self.count > 0 {
            let (square, low) = ratio(apart, before * here, all);
            self.squares = self.squares.plus(square).with_low(low);
        }
        let weight = here / all;
        let step = apart.high() * weight;
        let lost = apart.high().mul_add(weight, -step);
        self.mean = self.mean.plus(step).with_low(apart.low().mul_add(weight, lost));
        self.count += u64::from(self.run);
        self.length = u32::try_from(self.count).map_or(LONGEST_RUN, |count| count.min(LONGEST_RUN));
        (self.run, self.apart, self.apart_squared) = (0, Sum::default(), Sum::default());
    }

    /// The sum of squares divided by one less than the count; `None` of fewer than two values.
    pub(crate) fn variance(mut self) -> Option<f64> {
        self.end_run();
        variance(self.squares, self.count)
    }
}

/// `x^2 * times / by`, and what rounding took from it.
fn ratio(x: Sum, times: f64, by: f64) -> (f64, f64) {
    let square = x.high() * x.high();
    let product = square * times;
    let square_lost = x.high().mul_add(x.high(), -square) + 2.0 * x.high() * x.low();
    let lost = square.mul_add(times, -product) + square_lost * times;
    let high = product / by;
    (high, ((-high).mul_add(by, product) + lost) / by)
}

/// See [`Deviations::variance`].
pub(crate) fn variance(squares: Sum, count: u64) -> Option<f64> {
    (count >= 2).then(|| squares.value() / (count - 1) as f64)
}

#[cfg(test)]
#[allow(clippy::excessive_precision, reason = "the digits are those that the oracle prints")]
mod tests {
    use super::*;

    fn product(factors: &[f64]) -> f64 {
        factors.iter().fold(Product::ONE, |p, x| p.times(*x)).value()
    }

    #[test]
    fn a_product_survives_where_its_parts_overflow_or_underflow() {
        assert_eq!(product(&[1e200, 1e200, 1e-300]), 1e100);
        assert_eq!(product(&[1e-200, 1e-200, 1e300]), 1e-100);
        assert_eq!(product(&[f64::MAX, 2.0]), f64::INFINITY);
        assert_eq!(product(&[-f64::MAX, 2.0]), f64::NEG_INFINITY);
        assert_eq!(product(&[5e-324, 0.5]), 0.0);
        assert_eq!(product(&[5e-324, 3.0]), 1.5e-323);
        assert_eq!(product(&[]), 1.0);
        assert_eq!(product(&[0.0, 5.0]), 0.0);
        assert!(product(&[0.0, -5.0]).is_sign_negative());
        assert!(product(&[0.0, f64::INFINITY]).is_nan());
        assert!(product(&[f64::NAN, 0.0]).is_nan());
    }

    /// The variance of whole numbers, from sums without rounding.
    fn exact_variance(values: &[i64]) -> f64 {
        // About the last of them, so that the sums have room.
        let apart = || values.iter().map(|x| i128::from(x - values[values.len() - 1]));
        let (n, sum, squares) = (values.len() as i128, apart().sum::<i128>(), apart().map(|x| x * x).sum::<i128>());
        // Whole part and remainder, each a double: rounded once where the variance is not small.
        let (top, bottom) = (n * squares - sum * sum, n * (n - 1));
        (top / bottom) as f64 + (top % bottom) as f64 / bottom as f64
    }

    #[test]
    fn a_variance_keeps_its_digits_wherever_the_values_lie() {
        let noise = |i: i64| i.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407) >> 40;
        for (name, offset, first) in [
            ("about zero", 0, None),
            ("far from zero", 1 << 50, None),
            ("after one far away", 0, Some(1 << 50)),
            ("far away after one at zero", 1 << 50, Some(0)),
        ] {
            for count in [2, 3, 5, 8, 100, 257, 1000, 100_000] {
                let mut values: Vec<i64> = (0..count).map(|i| offset + noise(i) % 1000).collect();
                values.splice(..usize::from(first.is_some()), first);
                let mut deviations = Deviations::default();
                values.iter().for_each(|x| deviations.add(*x as f64));
                let (found, expected) = (deviations.variance().expect("two values"), exact_variance(&values));
                assert!(
                    (found - expected).abs() <= 4.5e-16 * expected,
                    "{name}, {count} values: {found}, not {expected}"
                );
            }
        }
        let all_equal = [0.1; 1000].iter().fold(Deviations::default(), |mut d, x| {
            d.add(*x);
            d
        });
        assert_eq!(all_equal.variance(), Some(0.0));
    }

    #[test]
    fn a_variance_that_overflows_is_infinite_and_one_of_infinities_is_not_a_number() {
        let of = |values: &[f64]| {
            let mut deviations = Deviations::default();
            values.iter().for_each(|x| deviations.add(*x));
            deviations.variance()
        };
        assert_eq!(of(&[1e200, -1e200]), Some(f64::INFINITY));
        assert_eq!(of(&[1e200, -1e200, 0.0, 1e200, -1e200, 3.0]), Some(f64::INFINITY));
        assert!(of(&[1.0, f64::INFINITY]).is_some_and(f64::is_nan));
        assert!(of(&[f64::INFINITY, 1.0, 2.0]).is_some_and(f64::is_nan));
        assert!(of(&[1.0, 2.0, 3.0, f64::NEG_INFINITY, 5.0]).is_some_and(f64::is_nan));
        assert_eq!(of(&[7.0]), None);
    }

    /// 25! is 15511210043330985984000000 exactly; 170! is 7.257415615307998967…e306.
    #[test]
    fn a_product_is_the_nearest_double() {
        let factorial = |n: u32| product(&(1..=n).map(f64::from).collect::<Vec<_>>());
        assert_eq!(factorial(25), 15511210043330985984000000.0);
        assert_eq!(factorial(170), 7.257415615307998967396728211129263114716991681296451376543577798900561843401706157852350749242617459511490991237838520776666022565442753025328900773207510902400430280058295603966612599658257104398558294257568966313439612262571094946806711205568880457193340212661452800000000000000000000000000000000000000000e306);
    }
}
