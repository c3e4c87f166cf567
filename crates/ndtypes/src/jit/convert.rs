//! Conversions of one number, as instructions: those of `crate::convert`, value for value.
//!
//! Where a value breaks a rule of the mode, or (float to integer, without a rule) does not fit the instruction, a *doubt* is
//! set; what was converted is not used then.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Type as Ty, Value, types};
use cranelift_frontend::FunctionBuilder;

use crate::assign::leaf;
use crate::convert::ErrorMode;
use crate::types::Primitive;

/// A number in registers: one value, or the two parts of a complex one, or the low and the high word of 128 bits. A float16
/// is its bits, a bool its byte.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number(Value, Option<Value>);

/// What a part of a scalar is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Bool,
    Int { bits: u32, signed: bool },
    Half,
    Single,
    Double,
}

impl Kind {
    fn of(scalar: Primitive) -> Kind {
        let int = |bits, signed| Kind::Int { bits, signed };
        match scalar {
            Primitive::Bool => Kind::Bool,
            Primitive::Int8 => int(8, true),
            Primitive::Int16 => int(16, true),
            Primitive::Int32 => int(32, true),
            Primitive::Int64 => int(64, true),
            Primitive::Int128 => int(128, true),
            Primitive::UInt8 => int(8, false),
            Primitive::UInt16 => int(16, false),
            Primitive::UInt32 => int(32, false),
            Primitive::UInt64 => int(64, false),
            Primitive::UInt128 => int(128, false),
            Primitive::Float16 => Kind::Half,
            Primitive::Float32 | Primitive::Complex32 => Kind::Single,
            Primitive::Float64 | Primitive::Complex64 => Kind::Double,
        }
    }

    /// Bits of the significand of a float.
    fn digits(self) -> u32 {
        match self {
            Kind::Half => 11,
            Kind::Single => 24,
            _ => 53,
        }
    }
}

fn int_type(bits: u32) -> Ty {
    match bits {
        8 => types::I8,
        16 => types::I16,
        32 => types::I32,
        _ => types::I64,
    }
}

/// Writes instructions.
pub(super) struct Emit<'e, 'b> {
    pub(super) b: &'e mut FunctionBuilder<'b>,
    pub(super) mode: ErrorMode,
}

impl Emit<'_, '_> {
    /// Whether a conversion may set a doubt.
    pub(super) fn may_stop(&self, dst: Primitive, src: Primitive) -> bool {
        let is_float = |kind: Kind| matches!(kind, Kind::Half | Kind::Single | Kind::Double);
        let to_int = is_float(Kind::of(src)) && matches!(Kind::of(dst), Kind::Int { .. });
        dst != src && (to_int || leaf::convert(dst, src, self.mode).fallible)
    }

    /// The number in these words.
    pub(super) fn number(&mut self, scalar: Primitive, (first, second): (Value, Option<Value>)) -> Number {
        let float = match Kind::of(scalar) {
            Kind::Single => types::F32,
            Kind::Double => types::F64,
            _ => return Number(first, second),
        };
        let mut cast = |v| self.b.ins().bitcast(float, MemFlagsData::new(), v);
        Number(cast(first), second.map(cast))
    }

    /// The words of a number.
    pub(super) fn words(&mut self, number: Number) -> (Value, Option<Value>) {
        let mut cast = |v| match self.b.func.dfg.value_type(v) {
            types::F32 => self.b.ins().bitcast(types::I32, MemFlagsData::new(), v),
            types::F64 => self.b.ins().bitcast(types::I64, MemFlagsData::new(), v),
            _ => v,
        };
        (cast(number.0), number.1.map(cast))
    }

    /// The number as another scalar, and the doubt about it.
    pub(super) fn convert(&mut self, x: Number, src: Primitive, dst: Primitive) -> (Number, Option<Value>) {
        if src == dst && src != Primitive::Bool {
            return (x, None);
        }
        let (from, to) = (Kind::of(src), Kind::of(dst));
        let checks = self.mode != ErrorMode::None;
        match (x.1.filter(|_| src.is_complex()), dst.is_complex()) {
            (Some(im), false) if dst == Primitive::Bool => {
                let (re, _) = self.part(x.0, from, Kind::Bool);
                let (im, _) = self.part(im, from, Kind::Bool);
                (Number(self.b.ins().bor(re, im), None), None)
            }
            (Some(im), false) => {
                let (re, doubt) = self.part(x.0, from, to);
                // NaN is not zero: a lost imaginary NaN is a loss.
                let lost = checks.then(|| self.is_nonzero(im, from));
                (Number(re, None), self.either(doubt, lost))
            }
            (Some(im), true) => {
                let (re, doubt) = self.part(x.0, from, to);
                let (im, other) = self.part(im, from, to);
                (Number(re, Some(im)), self.either(doubt, other))
            }
            (None, complex) => {
                let (re, doubt) = self.part(x.0, from, to);
                let im = complex.then(|| self.zero(to));
                (Number(re, im), doubt)
            }
        }
    }

    fn either(&mut self, a: Option<Value>, b: Option<Value>) -> Option<Value> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.b.ins().bor(a, b)),
            (a, b) => a.or(b),
        }
    }

    fn int(&mut self, ty: Ty, value: u64) -> Value {
        self.b.ins().iconst(ty, value as i64)
    }

    fn double(&mut self, value: f64) -> Value {
        self.b.ins().f64const(value)
    }

    fn zero(&mut self, float: Kind) -> Value {
        match float {
            Kind::Single => self.b.ins().f32const(0.0),
            _ => self.double(0.0),
        }
    }

    fn is_nonzero(&mut self, x: Value, kind: Kind) -> Value {
        match kind {
            Kind::Single | Kind::Double => {
                let zero = self.zero(kind);
                self.b.ins().fcmp(FloatCC::NotEqual, x, zero)
            }
            Kind::Half => {
                let magnitude = self.int(types::I16, 0x7fff);
                let magnitude = self.b.ins().band(x, magnitude);
                self.is_not_zero_word(magnitude)
            }
            Kind::Bool | Kind::Int { .. } => self.is_not_zero_word(x),
        }
    }

    fn is_not_zero_word(&mut self, x: Value) -> Value {
        let zero = self.int(self.b.func.dfg.value_type(x), 0);
        self.b.ins().icmp(IntCC::NotEqual, x, zero)
    }

    /// One part of a number as another kind.
    fn part(&mut self, x: Value, from: Kind, to: Kind) -> (Value, Option<Value>) {
        match (from, to) {
            (from, Kind::Bool) => (self.is_nonzero(x, from), None),
            (Kind::Bool, to) => {
                let one = self.is_nonzero(x, Kind::Bool);
                let byte = Kind::Int { bits: 8, signed: false };
                // 0 or 1 fit everything.
                (self.part_unchecked(one, byte, to), None)
            }
            (Kind::Int { bits: b, signed: s }, Kind::Int { bits, signed }) => {
                let y = self.resize(x, s, b, bits);
                let checked = self.mode != ErrorMode::None && !holds_all((b, s), (bits, signed));
                let doubt = checked.then(|| {
                    let back = self.resize(y, signed, bits, b);
                    let changed = self.b.ins().icmp(IntCC::NotEqual, back, x);
                    if s == signed {
                        return changed;
                    }
                    let (before, after) = (self.is_negative(x, s), self.is_negative(y, signed));
                    let turned = self.b.ins().bxor(before, after);
                    self.b.ins().bor(changed, turned)
                });
                (y, doubt)
            }
            (Kind::Int { bits, signed }, float) => self.int_to_float(x, bits, signed, float),
            (float, Kind::Int { bits, signed }) => {
                let x = self.double_of(x, float);
                self.double_to_int(x, bits, signed)
            }
            (from, to) => self.float_to_float(x, from, to),
        }
    }

    fn part_unchecked(&mut self, x: Value, from: Kind, to: Kind) -> Value {
        let mode = std::mem::replace(&mut self.mode, ErrorMode::None);
        let (y, _) = self.part(x, from, to);
        self.mode = mode;
        y
    }

    fn resize(&mut self, x: Value, signed: bool, from: u32, to: u32) -> Value {
        let ty = int_type(to);
        match from.cmp(&to) {
            std::cmp::Ordering::Equal => x,
            std::cmp::Ordering::Greater => self.b.ins().ireduce(ty, x),
            std::cmp::Ordering::Less if signed => self.b.ins().sextend(ty, x),
            std::cmp::Ordering::Less => self.b.ins().uextend(ty, x),
        }
    }

    fn is_negative(&mut self, x: Value, signed: bool) -> Value {
        if !signed {
            return self.int(types::I8, 0);
        }
        let zero = self.int(self.b.func.dfg.value_type(x), 0);
        self.b.ins().icmp(IntCC::SignedLessThan, x, zero)
    }

    // ---- integer to float

    fn int_to_float(&mut self, x: Value, bits: u32, signed: bool, to: Kind) -> (Value, Option<Value>) {
        let wide = self.resize(x, signed, bits, 64);
        // A u32 is an i64 that is not negative.
        let signed_wide = signed || bits < 64;
        let exact = |e: &mut Self, wide: Value| e.b.ins().fcvt_from_sint(types::F64, wide);
        let y = match to {
            Kind::Half => {
                // From 65520 on everything is infinite; below, the integer is exact in a double.
                let limited = self.limited(wide, signed_wide);
                let x = exact(self, limited);
                self.half_from_double(x)
            }
            _ => {
                let ty = if to == Kind::Single { types::F32 } else { types::F64 };
                if signed_wide { self.b.ins().fcvt_from_sint(ty, wide) } else { self.b.ins().fcvt_from_uint(ty, wide) }
            }
        };
        let value_bits = bits - u32::from(signed);
        let overflows = to == Kind::Half && value_bits >= 16;
        let inexact = self.mode == ErrorMode::Inexact && value_bits > to.digits();
        if self.mode == ErrorMode::None || !(overflows || inexact) {
            return (y, None);
        }
        let magnitude = if signed {
            let negative = self.is_negative(wide, true);
            let minus = self.b.ins().ineg(wide);
            self.b.ins().select(negative, minus, wide)
        } else {
            wide
        };
        let mut doubt = None;
        if overflows {
            let limit = self.int(types::I64, 65520);
            doubt = Some(self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, magnitude, limit));
        }
        if inexact {
            // More digits than the format has, zeros at the end not counted.
            let top = self.int(types::I64, 1 << 63);
            let never_zero = self.b.ins().bor(magnitude, top);
            let zeros = self.b.ins().ctz(never_zero);
            let odd = self.b.ins().ushr(magnitude, zeros);
            let digits = self.int(types::I64, to.digits().into());
            let rest = self.b.ins().ushr(odd, digits);
            let lost = self.is_not_zero_word(rest);
            doubt = self.either(doubt, Some(lost));
        }
        (y, doubt)
    }

    /// The value, or the nearest of -65536 and 65536.
    fn limited(&mut self, x: Value, signed: bool) -> Value {
        let (low, high) = (self.int(types::I64, -65536i64 as u64), self.int(types::I64, 65536));
        if !signed {
            let over = self.b.ins().icmp(IntCC::UnsignedGreaterThan, x, high);
            return self.b.ins().select(over, high, x);
        }
        let over = self.b.ins().icmp(IntCC::SignedGreaterThan, x, high);
        let x = self.b.ins().select(over, high, x);
        let under = self.b.ins().icmp(IntCC::SignedLessThan, x, low);
        self.b.ins().select(under, low, x)
    }

    // ---- float to integer

    fn double_to_int(&mut self, x: Value, bits: u32, signed: bool) -> (Value, Option<Value>) {
        let value_bits = bits - u32::from(signed);
        let pow2 = |n: u32| f64::from_bits((u64::from(n) + 1023) << 52);
        if self.mode == ErrorMode::None {
            // The integer part modulo 2^bits, as far as an i64 holds it; NaN gives 0 in both.
            let y = self.b.ins().fcvt_to_sint_sat(types::I64, x);
            let y = self.resize(y, true, 64, bits);
            let (size, limit) = (self.b.ins().fabs(x), self.double(pow2(63)));
            let outside = self.b.ins().fcmp(FloatCC::GreaterThanOrEqual, size, limit);
            return (y, Some(outside));
        }
        let least = if signed { -pow2(value_bits) } else { 0.0 };
        // The largest double that is not above the largest value.
        let most = pow2(value_bits) - if value_bits <= 53 { 1.0 } else { pow2(value_bits - 53) };
        let (least, most) = (self.double(least), self.double(most));
        // Negated, so that NaN is outside.
        let above = self.b.ins().fcmp(FloatCC::GreaterThanOrEqual, x, least);
        let below = self.b.ins().fcmp(FloatCC::LessThanOrEqual, x, most);
        let inside = self.b.ins().band(above, below);
        let wide = if bits == 64 && !signed {
            self.b.ins().fcvt_to_uint_sat(types::I64, x)
        } else {
            self.b.ins().fcvt_to_sint_sat(types::I64, x)
        };
        let y = self.resize(wide, true, 64, bits);
        let mut fine = inside;
        if self.mode >= ErrorMode::Fractional {
            // Inside, the integer part of a double is a double.
            let back = if bits == 64 && !signed {
                self.b.ins().fcvt_from_uint(types::F64, wide)
            } else {
                self.b.ins().fcvt_from_sint(types::F64, wide)
            };
            let whole = self.b.ins().fcmp(FloatCC::Equal, back, x);
            fine = self.b.ins().band(inside, whole);
        }
        let one = self.int(types::I8, 1);
        (y, Some(self.b.ins().bxor(fine, one)))
    }

    // ---- float to float

    fn double_of(&mut self, x: Value, kind: Kind) -> Value {
        match kind {
            Kind::Half => {
                let single = self.single_from_half(x);
                self.b.ins().fpromote(types::F64, single)
            }
            Kind::Single => self.b.ins().fpromote(types::F64, x),
            _ => x,
        }
    }

    fn float_to_float(&mut self, x: Value, from: Kind, to: Kind) -> (Value, Option<Value>) {
        if from == to {
            return (x, None);
        }
        if (from, to) == (Kind::Half, Kind::Single) {
            return (self.single_from_half(x), None);
        }
        let x = self.double_of(x, from);
        let (y, back) = match to {
            Kind::Double => return (x, None),
            Kind::Single => {
                let y = self.b.ins().fdemote(types::F32, x);
                (y, self.b.ins().fpromote(types::F64, y))
            }
            _ => {
                let y = self.half_from_double(x);
                (y, self.double_of(y, Kind::Half))
            }
        };
        let doubt = match self.mode {
            ErrorMode::None => None,
            ErrorMode::Inexact => {
                let differs = self.b.ins().fcmp(FloatCC::NotEqual, back, x);
                let number = self.b.ins().fcmp(FloatCC::Equal, x, x);
                Some(self.b.ins().band(differs, number))
            }
            ErrorMode::Overflow | ErrorMode::Fractional => {
                let infinity = self.double(f64::INFINITY);
                let (after, before) = (self.b.ins().fabs(back), self.b.ins().fabs(x));
                let infinite = self.b.ins().fcmp(FloatCC::Equal, after, infinity);
                let was_not = self.b.ins().fcmp(FloatCC::NotEqual, before, infinity);
                Some(self.b.ins().band(infinite, was_not))
            }
        };
        (y, doubt)
    }

    /// As `Float::to_f64` of a float16, to the f32 before it.
    fn single_from_half(&mut self, x: Value) -> Value {
        let bits = self.b.ins().uextend(types::I32, x);
        let (mask, thirteen) = (self.int(types::I32, 0x7fff), self.int(types::I32, 13));
        let magnitude = self.b.ins().band(bits, mask);
        let magnitude = self.b.ins().ishl(magnitude, thirteen);
        let as_single = self.b.ins().bitcast(types::F32, MemFlagsData::new(), magnitude);
        let scale = self.b.ins().f32const(f32::from_bits((127 + 112) << 23));
        let finite = self.b.ins().fmul(as_single, scale);
        let finite = self.b.ins().bitcast(types::I32, MemFlagsData::new(), finite);
        let exponent = self.int(types::I32, 0x7f80_0000);
        let special = self.b.ins().bor(magnitude, exponent);
        let limit = self.int(types::I32, 0x7c00 << 13);
        let is_special = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, magnitude, limit);
        let value = self.b.ins().select(is_special, special, finite);
        let (sign, sixteen) = (self.int(types::I32, 0x8000), self.int(types::I32, 16));
        let sign = self.b.ins().band(bits, sign);
        let sign = self.b.ins().ishl(sign, sixteen);
        let value = self.b.ins().bor(value, sign);
        self.b.ins().bitcast(types::F32, MemFlagsData::new(), value)
    }

    /// As `Float::from_f64` of a float16.
    fn half_from_double(&mut self, x: Value) -> Value {
        let word = types::I64;
        let bits = self.b.ins().bitcast(word, MemFlagsData::new(), x);
        let mask = self.int(word, !(1 << 63));
        let magnitude = self.b.ins().band(bits, mask);
        // Normal results.
        let (shift, one) = (self.int(word, 42), self.int(word, 1));
        let odd = self.b.ins().ushr(magnitude, shift);
        let odd = self.b.ins().band(odd, one);
        let half = self.int(word, (1 << 41) - 1);
        let rounded = self.b.ins().iadd(magnitude, half);
        let rounded = self.b.ins().iadd(rounded, odd);
        let rounded = self.b.ins().ushr(rounded, shift);
        let bias = self.int(word, (1023 - 15) << 10);
        let normal = self.b.ins().isub(rounded, bias);
        // Subnormal results.
        let beside = self.double(268435456.0);
        let size = self.b.ins().bitcast(types::F64, MemFlagsData::new(), magnitude);
        let sum = self.b.ins().fadd(size, beside);
        let sum = self.b.ins().bitcast(word, MemFlagsData::new(), sum);
        let base = self.int(word, 268435456.0f64.to_bits());
        let subnormal = self.b.ins().isub(sum, base);
        let least = self.int(word, (1023 - 14) << 52);
        let is_small = self.b.ins().icmp(IntCC::UnsignedLessThan, magnitude, least);
        let finite = self.b.ins().select(is_small, subnormal, normal);
        let (limit, infinity) = (self.int(word, 65520.0f64.to_bits()), self.int(word, 0x7c00));
        let is_large = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, magnitude, limit);
        let value = self.b.ins().select(is_large, infinity, finite);
        let (top, nan) = (self.int(word, f64::INFINITY.to_bits()), self.int(word, 0x7e00));
        let is_nan = self.b.ins().icmp(IntCC::UnsignedGreaterThan, magnitude, top);
        let value = self.b.ins().select(is_nan, nan, value);
        let (by, sign) = (self.int(word, 48), self.int(word, 0x8000));
        let high = self.b.ins().ushr(bits, by);
        let sign = self.b.ins().band(high, sign);
        let value = self.b.ins().bor(value, sign);
        self.b.ins().ireduce(types::I16, value)
    }
}

/// Whether every value of an integer type is one of another: (bits, signed).
fn holds_all((bits, signed): (u32, bool), to: (u32, bool)) -> bool {
    if signed == to.1 { to.0 >= bits } else { !signed && to.0 > bits }
}
