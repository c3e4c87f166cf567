//! Operators: arithmetic, comparisons and logic, with R's rules for what is missing.

use super::Binder;
use crate::expr::BinaryOp;
use crate::ops;
use crate::plan::times::Clock;
use crate::plan::{Bound, Step, Value};
use gristmill_kernel::Function;

const SECONDS_PER_DAY: f64 = 86_400.0;

impl Binder<'_> {
    pub(super) fn binary(&mut self, op: BinaryOp, a: Bound, b: Bound) -> Bound {
        match op {
            BinaryOp::Add => self.numeric_call(ops::add::FUNCTION, &[a, b]),
            BinaryOp::Subtract => self.difference(a, b),
            BinaryOp::Multiply => self.numeric_call(ops::multiply::FUNCTION, &[a, b]),
            BinaryOp::Divide => self.numeric_call(ops::divide::FUNCTION, &[a, b]),
            // What `r_pow` computes, but it can be grouped with other arithmetic.
            BinaryOp::Power if matches!(self.plan.steps[b.value.0], Step::Constant(Value::F64(2.0))) => {
                self.numeric_call(ops::multiply::FUNCTION, &[a, a])
            }
            BinaryOp::Power => self.power(a, b),
            BinaryOp::Modulo => self.numeric_call(ops::modulo::FUNCTION, &[a, b]),
            BinaryOp::FloorDivide => self.numeric_call(ops::floor_divide::FUNCTION, &[a, b]),
            BinaryOp::Equal => self.comparison(ops::equal::FUNCTION, a, b),
            BinaryOp::NotEqual => self.comparison(ops::not_equal::FUNCTION, a, b),
            BinaryOp::Less => self.comparison(ops::less::FUNCTION, a, b),
            BinaryOp::LessEqual => self.comparison(ops::less_equal::FUNCTION, a, b),
            BinaryOp::Greater => self.comparison(ops::less::FUNCTION, b, a),
            BinaryOp::GreaterEqual => self.comparison(ops::less_equal::FUNCTION, b, a),
            BinaryOp::And => self.and_or(true, a, b),
            BinaryOp::Or => self.and_or(false, a, b),
            // `text_comparison` takes all of them.
            BinaryOp::In => self.comparison(ops::equal::FUNCTION, a, b),
        }
    }

    /// Of two dates or times in days, as R's differences of dates.
    fn difference(&mut self, a: Bound, b: Bound) -> Bound {
        let (Some(from), Some(to)) = (self.clocks.get(&a.value).copied(), self.clocks.get(&b.value).copied()) else {
            return self.numeric_call(ops::subtract::FUNCTION, &[a, b]);
        };
        let (a, b) = if from == to { (a, b) } else { (self.in_seconds(a, from), self.in_seconds(b, to)) };
        let apart = self.numeric_call(ops::subtract::FUNCTION, &[a, b]);
        if from == Clock::Days && to == Clock::Days {
            return apart;
        }
        let day = self.known(Value::F64(SECONDS_PER_DAY));
        self.numeric_call(ops::divide::FUNCTION, &[apart, day])
    }

    fn in_seconds(&mut self, bound: Bound, clock: Clock) -> Bound {
        match clock {
            Clock::Seconds => bound,
            Clock::Days => {
                let day = self.known(Value::F64(SECONDS_PER_DAY));
                self.numeric_call(ops::multiply::FUNCTION, &[bound, day])
            }
        }
    }

    /// R's `^`: `NA^0` and `1^NA` are 1, because every number in their place gives that.
    fn power(&mut self, a: Bound, b: Bound) -> Bound {
        let (a, b) = (self.number(a), self.number(b));
        let plain = self.numeric_call(gristmill_nmath::r_pow::FUNCTION, &[a, b]);
        let Some(missing) = plain.missing else { return plain };
        let decides = |this: &mut Self, x: Bound, value: f64| {
            let value = this.constant(Value::F64(value));
            let equal = this.call(ops::equal::FUNCTION, vec![x.value, value]);
            match x.missing {
                None => equal,
                Some(missing) => {
                    let there = this.call(ops::not::FUNCTION, vec![missing]);
                    this.call(ops::both::FUNCTION, vec![equal, there])
                }
            }
        };
        let (one, zero) = (decides(self, a, 1.0), decides(self, b, 0.0));
        let decided = self.call(ops::either::FUNCTION, vec![one, zero]);
        let open = self.call(ops::not::FUNCTION, vec![decided]);
        let missing = self.call(ops::both::FUNCTION, vec![missing, open]);
        // The number that stands where a value is missing may be anything, NaN for one, of which no power is 1.
        let one = self.constant(Value::F64(1.0));
        let value = self.call(ops::select_number::FUNCTION, vec![decided, one, plain.value]);
        Bound { value, missing: Some(missing) }
    }

    /// R's comparisons are missing where an operand is, and where one is NaN.
    pub(super) fn comparison(&mut self, function: Function, a: Bound, b: Bound) -> Bound {
        let plain = self.numeric_call(function, &[a, b]);
        let nan = self.numeric_call(ops::unordered::FUNCTION, &[a, b]).value;
        Bound { value: plain.value, missing: self.any_missing([plain.missing, Some(nan)]) }
    }

    /// R's three-valued `&` and `|`: FALSE & NA is FALSE, TRUE | NA is TRUE.
    fn and_or(&mut self, and: bool, a: Bound, b: Bound) -> Bound {
        let (a, b) = (self.logical(a), self.logical(b));
        let combine = if and { ops::both::FUNCTION } else { ops::either::FUNCTION };
        // A missing operand is taken as the one that does not decide: TRUE for `&`, FALSE for `|`.
        let undecided = self.constant(Value::Bool(and));
        let filled = |this: &mut Self, x: Bound| match x.missing {
            None => x.value,
            Some(m) => this.call(ops::select_logical::FUNCTION, vec![m, undecided, x.value]),
        };
        let (fa, fb) = (filled(self, a), filled(self, b));
        let value = self.call(combine, vec![fa, fb]);
        let Some(some_missing) = self.any_missing([a.missing, b.missing]) else {
            return Bound { value, missing: None };
        };
        // Missing where one is and the other does not decide, which is where the value is the undecided one.
        let open = if and { value } else { self.call(ops::not::FUNCTION, vec![value]) };
        let missing = self.call(ops::both::FUNCTION, vec![some_missing, open]);
        Bound { value, missing: Some(missing) }
    }
}
