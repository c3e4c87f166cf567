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

/// Squared deviations from a mean that moves with each value (Welford 1962); the mean is a pair, so that values far from
/// zero and near one another keep their digits.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Deviations {
    count: u64,
    mean: Sum,
    squares: Sum,
}

impl Deviations {
    #[inline]
    pub(crate) fn add(&mut self, x: f64) {
        self.count += 1;
        let (count, before) = (self.count as f64, self.count as f64 - 1.0);
        let apart = (x - self.mean.high()) - self.mean.low();
        let step = apart / count;
        self.mean = self.mean.plus(step).with_low((-step).mul_add(count, apart) / count);
        // apart^2 (n - 1) / n, with what each operation loses.
        let square = apart * apart;
        let product = square * before;
        let lost = square.mul_add(before, -product) + apart.mul_add(apart, -square) * before;
        let high = product / count;
        let low = ((-high).mul_add(count, product) + lost) / count;
        self.squares = self.squares.plus(high).with_low(low);
    }

    /// The sum of squares divided by one less than the count; `None` of fewer than two values.
    pub(crate) fn variance(&self) -> Option<f64> {
        variance(self.squares, self.count)
    }
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

    /// 25! is 15511210043330985984000000 exactly; 170! is 7.257415615307998967…e306.
    #[test]
    fn a_product_is_the_nearest_double() {
        let factorial = |n: u32| product(&(1..=n).map(f64::from).collect::<Vec<_>>());
        assert_eq!(factorial(25), 15511210043330985984000000.0);
        assert_eq!(factorial(170), 7.257415615307998967396728211129263114716991681296451376543577798900561843401706157852350749242617459511490991237838520776666022565442753025328900773207510902400430280058295603966612599658257104398558294257568966313439612262571094946806711205568880457193340212661452800000000000000000000000000000000000000000e306);
    }
}
