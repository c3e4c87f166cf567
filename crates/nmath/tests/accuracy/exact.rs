//! The error of a double against a decimal number, in ulps of the true value, without rounding on the way.

use std::cmp::Ordering;

/// What a result is worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Verdict {
    /// A number where a number belongs: its distance from the truth in ulps.
    Ulps(f64),
    /// A NaN, an infinity or a number where another kind of result belongs.
    WrongKind,
}

/// Natural numbers of any size, 32 bits to a digit, least first, no leading zeros.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Natural(Vec<u32>);

impl Natural {
    fn new(mut n: u64) -> Natural {
        let mut digits = vec![];
        while n > 0 {
            digits.push(n as u32);
            n >>= 32;
        }
        Natural(digits)
    }

    fn times(mut self, factor: u32) -> Natural {
        let mut carry = 0u64;
        for digit in &mut self.0 {
            let t = u64::from(*digit) * u64::from(factor) + carry;
            *digit = t as u32;
            carry = t >> 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
        self
    }

    fn plus(mut self, mut carry: u32) -> Natural {
        for digit in &mut self.0 {
            let (sum, over) = digit.overflowing_add(carry);
            *digit = sum;
            carry = u32::from(over);
        }
        if carry > 0 {
            self.0.push(carry);
        }
        self
    }

    fn times_power_of_ten(mut self, n: u32) -> Natural {
        for _ in 0..n / 9 {
            self = self.times(1_000_000_000);
        }
        self.times(10u32.pow(n % 9))
    }

    fn shifted(self, bits: u32) -> Natural {
        if self.0.is_empty() {
            return self;
        }
        let mut digits = vec![0; (bits / 32) as usize];
        digits.extend(self.times(1 << (bits % 32)).0);
        Natural(digits)
    }

    fn compare(&self, other: &Natural) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }

    /// `|self - other|`.
    fn distance(&self, other: &Natural) -> Natural {
        let (large, small) = if self.compare(other) == Ordering::Less { (other, self) } else { (self, other) };
        let mut digits = large.0.clone();
        let mut borrow = 0i64;
        for (i, digit) in digits.iter_mut().enumerate() {
            let t = i64::from(*digit) - i64::from(small.0.get(i).copied().unwrap_or(0)) - borrow;
            borrow = i64::from(t < 0);
            *digit = t as u32; // wraps: the borrow is carried on
        }
        while digits.last() == Some(&0) {
            digits.pop();
        }
        Natural(digits)
    }

    /// `self + other`.
    fn sum(&self, other: &Natural) -> Natural {
        let (large, small) = if self.0.len() < other.0.len() { (other, self) } else { (self, other) };
        let mut digits = large.0.clone();
        let mut carry = 0u64;
        for (i, digit) in digits.iter_mut().enumerate() {
            let t = u64::from(*digit) + u64::from(small.0.get(i).copied().unwrap_or(0)) + carry;
            *digit = t as u32;
            carry = t >> 32;
        }
        if carry > 0 {
            digits.push(carry as u32);
        }
        Natural(digits)
    }

    /// `self = value 2^exponent` with the leading 64 bits in `value`.
    fn leading(&self) -> (f64, i64) {
        let n = self.0.len();
        let digit = |i: usize| f64::from(n.checked_sub(i).map_or(0, |j| self.0[j]));
        (digit(1) * 4_294_967_296.0 * 4_294_967_296.0 + digit(2) * 4_294_967_296.0 + digit(3), (n as i64 - 3) * 32)
    }

    /// `self / other`, relative error about 2^-52.
    fn ratio(&self, other: &Natural) -> f64 {
        if self.0.is_empty() {
            return 0.0;
        }
        let ((a, ea), (b, eb)) = (self.leading(), other.leading());
        (a / b) * 2f64.powi((ea - eb).clamp(-2000, 2000) as i32)
    }
}

/// `digits * 10^exponent`.
struct Decimal {
    negative: bool,
    digits: Natural,
    exponent: i64,
}

fn parse(text: &str) -> Option<Decimal> {
    let (negative, rest) = text.strip_prefix('-').map_or((false, text), |r| (true, r));
    let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
        Some((m, e)) => (m, e.parse::<i64>().ok()?),
        None => (rest, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut digits = Natural::new(0);
    for c in whole.chars().chain(fraction.chars()) {
        digits = digits.times(10).plus(c.to_digit(10)?);
    }
    Some(Decimal { negative, digits, exponent: exponent - fraction.len() as i64 })
}

/// Compares `computed` with the true value, written as a decimal number, `inf`, `-inf` or `nan`.
pub(crate) fn verdict(computed: f64, truth: &str) -> Verdict {
    let right_kind = |right: bool| if right { Verdict::Ulps(0.0) } else { Verdict::WrongKind };
    match truth {
        "nan" => return right_kind(computed.is_nan()),
        "inf" => return right_kind(computed == f64::INFINITY),
        "-inf" => return right_kind(computed == f64::NEG_INFINITY),
        _ => {}
    }
    let decimal = parse(truth).unwrap_or_else(|| panic!("`{truth}` is not a number"));
    let rounded: f64 = truth.parse().unwrap_or_else(|_| panic!("`{truth}` is not a number"));
    if rounded.is_infinite() || computed.is_infinite() || computed.is_nan() {
        return right_kind(computed == rounded);
    }
    // Below 1e-400 the true value is nothing against the smallest ulp.
    let truth_is_nothing = decimal.digits.0.is_empty() || decimal.exponent < -430;
    let ten_down = if truth_is_nothing { 0 } else { (-decimal.exponent).max(0) as u32 };
    let ten_up = if truth_is_nothing { 0 } else { decimal.exponent.max(0) as u32 };

    // Everything in units of 2^-1074 10^-ten_down.
    let units = |x: f64| {
        let bits = x.abs().to_bits();
        let (field, mantissa) = ((bits >> 52) as u32, bits & ((1 << 52) - 1));
        let (m, shift) = if field == 0 { (mantissa, 0) } else { (mantissa | 1 << 52, field - 1) };
        Natural::new(m).shifted(shift).times_power_of_ten(ten_down)
    };
    let digits = if truth_is_nothing { Natural::new(0) } else { decimal.digits };
    let true_units = digits.times_power_of_ten(ten_up).shifted(1074);
    let same_sign = computed == 0.0 || decimal.negative == (computed < 0.0);
    let error = if same_sign { units(computed).distance(&true_units) } else { units(computed).sum(&true_units) };

    // The ulp of the true value: that of the double it rounds to, or half of it if it was rounded up to a power of two.
    let field = (rounded.abs().to_bits() >> 52).max(1);
    let power = f64::from_bits(field << 52);
    let rounded_up_to_power = field > 1 && true_units.compare(&units(power)) == Ordering::Less;
    let ulp_bits = (field - 1 - u64::from(rounded_up_to_power)) as u32;
    let ulps = error.ratio(&Natural::new(1).shifted(ulp_bits).times_power_of_ten(ten_down));
    // Peers were measured with this rule: a subnormal result is right if it is one of the two neighbours of the truth.
    let subnormal = field == 1 && true_units.compare(&units(f64::MIN_POSITIVE)) == Ordering::Less;
    Verdict::Ulps(if subnormal && ulps < 1.0 { 0.0 } else { ulps })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ulps(computed: f64, truth: &str) -> f64 {
        match verdict(computed, truth) {
            Verdict::Ulps(u) => u,
            Verdict::WrongKind => f64::INFINITY,
        }
    }

    #[test]
    fn a_third_rounded_is_a_third_of_an_ulp_off() {
        assert!((ulps(1.0 / 3.0, "0.3333333333333333333333333") - 1.0 / 3.0).abs() < 1e-8);
        assert!((ulps(-1.0 / 3.0, "-0.3333333333333333333333333") - 1.0 / 3.0).abs() < 1e-8);
        assert!((ulps((1.0f64 / 3.0).next_up(), "0.3333333333333333333333333") - 2.0 / 3.0).abs() < 1e-8);
    }

    #[test]
    fn the_ulp_is_that_of_the_true_value_at_a_power_of_two() {
        // 1 - 2^-53 has ulps of 2^-53; a result of 1 is a whole one off, although the spacing above 1 is twice that.
        let below_one = "0.99999999999999988897769753748434595763683319091796875";
        assert_eq!(ulps(1.0, below_one), 1.0);
        assert_eq!(ulps(1f64.next_up(), "1"), 1.0);
        assert_eq!(ulps(1f64.next_down(), "1"), 0.5);
        // Rounds to 1, but lies below it.
        assert!((ulps(1.0, "0.9999999999999999999999999") - 1e-25 * 2f64.powi(53)).abs() < 1e-12);
    }

    #[test]
    fn subnormal_values_are_counted_in_units_of_the_smallest_one_and_neighbours_are_right() {
        let tiny = f64::from_bits(1);
        assert_eq!(ulps(tiny, "2e-324"), 0.0);
        assert_eq!(ulps(0.0, "4.9e-324"), 0.0);
        assert!(ulps(tiny, "1e-323") > 1.0);
        assert!((ulps(tiny, "4.940656458412465441765687928682213723651e-324")).abs() < 1e-15);
        assert!((ulps(0.0, "4.940656458412465441765687928682213723652e-324") - 1.0).abs() < 1e-15);
        assert!((ulps(tiny, "1e-430866") - 1.0).abs() < 1e-15);
        assert!(ulps(0.0, "3.2e-430") < 1e-100);
        assert_eq!(ulps(0.0, "0"), 0.0);
        assert_eq!(ulps(-0.0, "0"), 0.0);
        let least_normal = "2.225073858507201383090232717332404064219e-308";
        assert!((ulps(f64::MIN_POSITIVE.next_down(), least_normal) - 1.0).abs() < 1e-14);
    }

    #[test]
    fn the_wrong_sign_is_twice_the_value() {
        assert_eq!(ulps(-1.0, "1"), 2f64.powi(53));
    }

    #[test]
    fn kinds_must_agree() {
        assert_eq!(verdict(f64::INFINITY, "7.9e374"), Verdict::Ulps(0.0));
        assert_eq!(verdict(f64::MAX, "7.9e374"), Verdict::WrongKind);
        assert_eq!(verdict(f64::INFINITY, "1.7e308"), Verdict::WrongKind);
        assert_eq!(verdict(f64::NAN, "1"), Verdict::WrongKind);
        assert_eq!(verdict(1.0, "nan"), Verdict::WrongKind);
        assert_eq!(verdict(f64::NAN, "nan"), Verdict::Ulps(0.0));
        assert_eq!(verdict(f64::INFINITY, "-inf"), Verdict::WrongKind);
    }

    #[test]
    fn large_values_are_exact_too() {
        assert!(ulps(1e300, "1e300") < 0.5);
        assert!((ulps(1e300f64.next_up(), "1e300") + ulps(1e300f64.next_down(), "1e300") - 2.0).abs() < 1e-12);
    }
}
