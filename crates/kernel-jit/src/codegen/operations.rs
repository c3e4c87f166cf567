//! Operations on registers, one number or a vector of them alike, with the meanings of docs/kernel-language.md#numbers.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{
    ConstantData, InstBuilder, InstructionData, MemFlagsData, Opcode, Type, Value, ValueDef, types,
};
use cranelift_frontend::FunctionBuilder;
use gristmill_kernel_lang::ir::Op;

use super::layout::Leaf;

/// What the machine has beyond its baseline.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Machine {
    /// Fused multiply-add is an instruction.
    pub(crate) fma: bool,
    /// So is choosing between the lanes of two vectors.
    pub(crate) blends: bool,
}

/// Operations in a function that is being built.
pub(crate) struct Ops<'a, 'f> {
    pub(crate) b: &'a mut FunctionBuilder<'f>,
    pub(crate) machine: Machine,
}

impl Ops<'_, '_> {
    fn ty(&self, v: Value) -> Type {
        self.b.func.dfg.value_type(v)
    }

    /// An integer in every lane.
    pub(crate) fn int(&mut self, ty: Type, x: i64) -> Value {
        let lane = ty.lane_type();
        let bits = match lane {
            types::I64 => x,
            types::I32 => i64::from(x as u32),
            _ => i64::from(x as u8),
        };
        let one = self.b.ins().iconst(lane, bits);
        if ty.is_vector() { self.splat(ty, one) } else { one }
    }

    /// A float in every lane.
    pub(crate) fn float(&mut self, ty: Type, x: f64) -> Value {
        let one = match ty.lane_type() {
            types::F32 => self.b.ins().f32const(x as f32),
            _ => self.b.ins().f64const(x),
        };
        if ty.is_vector() { self.splat(ty, one) } else { one }
    }

    /// One value in every lane. A constant is one in memory, not a scalar that is spread each time.
    pub(crate) fn splat(&mut self, ty: Type, v: Value) -> Value {
        let Some(bits) = self.constant(v) else { return self.b.ins().splat(ty, v) };
        let lane = &bits.to_le_bytes()[..ty.lane_type().bytes() as usize];
        let all = ConstantData::from(lane.repeat(ty.lane_count() as usize));
        let constant = self.b.func.dfg.constants.insert(all);
        self.b.ins().vconst(ty, constant)
    }

    /// The bits of a value that is written in the code.
    pub(crate) fn constant(&self, v: Value) -> Option<u64> {
        let dfg = &self.b.func.dfg;
        match dfg.value_def(dfg.resolve_aliases(v)) {
            ValueDef::Result(inst, _) => match dfg.insts[inst] {
                InstructionData::UnaryIeee64 { imm, .. } => Some(imm.bits()),
                InstructionData::UnaryIeee32 { imm, .. } => Some(u64::from(imm.bits())),
                InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } => Some(imm.bits() as u64),
                _ => None,
            },
            _ => None,
        }
    }

    /// The integer type of the same shape.
    fn bits_type(ty: Type) -> Type {
        match ty {
            types::F64 => types::I64,
            types::F32 => types::I32,
            types::F64X2 => types::I64X2,
            types::F32X4 => types::I32X4,
            other => other,
        }
    }

    fn cast_bits(&mut self, to: Type, v: Value) -> Value {
        match self.ty(v) == to {
            true => v,
            // A vector's bytes: little-endian on every machine that Cranelift compiles for with these types.
            false if to.is_vector() => {
                let flags = MemFlagsData::new().with_endianness(cranelift_codegen::ir::Endianness::Little);
                self.b.ins().bitcast(to, flags, v)
            }
            false => self.b.ins().bitcast(to, MemFlagsData::new(), v),
        }
    }

    /// One or the other by a test: a bool, or a mask with lanes of the same width.
    pub(crate) fn choose(&mut self, test: Value, yes: Value, no: Value) -> Value {
        let ty = self.ty(yes);
        if !ty.is_vector() {
            return self.b.ins().select(test, yes, no);
        }
        if self.machine.blends && matches!(ty.lane_bits(), 32 | 64) {
            let bits = Ops::bits_type(ty);
            let [test, yes, no] = [test, yes, no].map(|v| self.cast_bits(bits, v));
            let chosen = self.b.ins().blendv(test, yes, no);
            return self.cast_bits(ty, chosen);
        }
        let mask = self.cast_bits(ty, test);
        self.b.ins().bitselect(mask, yes, no)
    }

    pub(crate) fn not(&mut self, test: Value) -> Value {
        match self.ty(test) {
            types::I8 => {
                let one = self.int(types::I8, 1);
                self.b.ins().bxor(test, one)
            }
            _ => self.b.ins().bnot(test),
        }
    }

    fn compare_floats(&mut self, op: Op, a: Value, b: Value) -> Value {
        let cc = match op {
            Op::Eq => FloatCC::Equal,
            Op::Ne => FloatCC::NotEqual,
            Op::Lt => FloatCC::LessThan,
            Op::Le => FloatCC::LessThanOrEqual,
            Op::Gt => FloatCC::GreaterThan,
            _ => FloatCC::GreaterThanOrEqual,
        };
        self.b.ins().fcmp(cc, a, b)
    }

    fn compare_ints(&mut self, op: Op, signed: bool, a: Value, b: Value) -> Value {
        let ty = self.ty(a);
        // Vectors of 64 bits have signed comparisons only: flipping the top bit makes one of the other.
        let (a, b, signed) = if ty == types::I64X2 && !signed && !matches!(op, Op::Eq | Op::Ne) {
            let top = self.int(ty, i64::MIN);
            (self.b.ins().bxor(a, top), self.b.ins().bxor(b, top), true)
        } else {
            (a, b, signed)
        };
        let cc = match (op, signed) {
            (Op::Eq, _) => IntCC::Equal,
            (Op::Ne, _) => IntCC::NotEqual,
            (Op::Lt, true) => IntCC::SignedLessThan,
            (Op::Le, true) => IntCC::SignedLessThanOrEqual,
            (Op::Gt, true) => IntCC::SignedGreaterThan,
            (_, true) => IntCC::SignedGreaterThanOrEqual,
            (Op::Lt, false) => IntCC::UnsignedLessThan,
            (Op::Le, false) => IntCC::UnsignedLessThanOrEqual,
            (Op::Gt, false) => IntCC::UnsignedGreaterThan,
            (_, false) => IntCC::UnsignedGreaterThanOrEqual,
        };
        self.b.ins().icmp(cc, a, b)
    }

    /// A comparison: a bool, or a mask with lanes of the operands' width.
    pub(crate) fn compare(&mut self, op: Op, leaf: Leaf, a: Value, b: Value) -> Value {
        match leaf.is_float() {
            true => self.compare_floats(op, a, b),
            false => self.compare_ints(op, leaf.is_signed(), a, b),
        }
    }

    /// Whether there is a vector form of a binary operator. Of shifts: by the same count in all lanes.
    pub(crate) fn has_vector_form(op: Op, leaf: Leaf) -> bool {
        match op {
            Op::Div | Op::Rem => leaf.is_float(),
            // -1 is true in a mask, and above it in no order of bools.
            Op::Lt | Op::Le | Op::Gt | Op::Ge => leaf != Leaf::Bool,
            _ => true,
        }
    }

    /// An operator that gives the operands' type. Vectors: where [`Ops::has_vector_form`].
    pub(crate) fn binary(&mut self, op: Op, leaf: Leaf, a: Value, b: Value) -> Value {
        if leaf.is_float() {
            return match op {
                Op::Add => self.b.ins().fadd(a, b),
                Op::Sub => self.b.ins().fsub(a, b),
                Op::Mul => self.b.ins().fmul(a, b),
                _ => self.b.ins().fdiv(a, b),
            };
        }
        match op {
            Op::Add => self.b.ins().iadd(a, b),
            Op::Sub => self.b.ins().isub(a, b),
            Op::Mul => self.b.ins().imul(a, b),
            Op::Div => self.divide(leaf, a, b),
            Op::Rem => self.remainder(leaf, a, b),
            Op::BitAnd | Op::And => self.b.ins().band(a, b),
            Op::BitOr | Op::Or => self.b.ins().bor(a, b),
            Op::BitXor => self.b.ins().bxor(a, b),
            Op::Shl => self.b.ins().ishl(a, b),
            Op::Shr if leaf.is_signed() => self.b.ins().sshr(a, b),
            _ => self.b.ins().ushr(a, b),
        }
    }

    /// `x / 0 = 0`, `MIN / -1 = MIN`: the machine's instruction never sees either.
    fn divide(&mut self, leaf: Leaf, a: Value, b: Value) -> Value {
        let ty = self.ty(a);
        let (zero, one) = (self.int(ty, 0), self.int(ty, 1));
        let by_zero = self.b.ins().icmp(IntCC::Equal, b, zero);
        if !leaf.is_signed() {
            let safe = self.b.ins().select(by_zero, one, b);
            let quotient = self.b.ins().udiv(a, safe);
            return self.b.ins().select(by_zero, zero, quotient);
        }
        let minus_one = self.int(ty, -1);
        let by_minus_one = self.b.ins().icmp(IntCC::Equal, b, minus_one);
        let special = self.b.ins().bor(by_zero, by_minus_one);
        let safe = self.b.ins().select(special, one, b);
        let quotient = self.b.ins().sdiv(a, safe);
        let negated = self.b.ins().ineg(a);
        let value = self.b.ins().select(by_minus_one, negated, quotient);
        self.b.ins().select(by_zero, zero, value)
    }

    /// `x % 0 = x`, `MIN % -1 = 0`.
    fn remainder(&mut self, leaf: Leaf, a: Value, b: Value) -> Value {
        let ty = self.ty(a);
        let (zero, one) = (self.int(ty, 0), self.int(ty, 1));
        let by_zero = self.b.ins().icmp(IntCC::Equal, b, zero);
        if !leaf.is_signed() {
            let safe = self.b.ins().select(by_zero, one, b);
            let rest = self.b.ins().urem(a, safe);
            return self.b.ins().select(by_zero, a, rest);
        }
        let minus_one = self.int(ty, -1);
        let by_minus_one = self.b.ins().icmp(IntCC::Equal, b, minus_one);
        let special = self.b.ins().bor(by_zero, by_minus_one);
        // By 1 nothing is left, as by -1.
        let safe = self.b.ins().select(special, one, b);
        let rest = self.b.ins().srem(a, safe);
        self.b.ins().select(by_zero, a, rest)
    }

    /// A cast of one number.
    pub(crate) fn cast(&mut self, from: Leaf, to: Leaf, v: Value) -> Value {
        let (have, want) = (from.scalar(), to.scalar());
        match (from.is_float(), to.is_float()) {
            (true, true) if have == want => v,
            (true, true) if want == types::F64 => self.b.ins().fpromote(want, v),
            (true, true) => self.b.ins().fdemote(want, v),
            (true, false) if to.is_signed() => self.b.ins().fcvt_to_sint_sat(want, v),
            (true, false) => self.b.ins().fcvt_to_uint_sat(want, v),
            (false, true) if from.is_signed() => self.b.ins().fcvt_from_sint(want, v),
            (false, true) => self.b.ins().fcvt_from_uint(want, v),
            (false, false) if have == want => v,
            (false, false) if have.bits() > want.bits() => self.b.ins().ireduce(want, v),
            (false, false) if from.is_signed() => self.b.ins().sextend(want, v),
            (false, false) => self.b.ins().uextend(want, v),
        }
    }

    fn is_nan(&mut self, x: Value) -> Value {
        self.b.ins().fcmp(FloatCC::Unordered, x, x)
    }

    /// The bits; every NaN is the positive quiet one without payload.
    fn bits_of(&mut self, x: Value) -> Value {
        let (ty, nan) = match self.ty(x).lane_type() {
            types::F64 => (Self::bits_type(self.ty(x)), 0x7ff8_0000_0000_0000),
            _ => (Self::bits_type(self.ty(x)), 0x7fc0_0000),
        };
        let bits = self.cast_bits(ty, x);
        let (is_nan, nan) = (self.is_nan(x), self.int(ty, nan));
        self.choose(is_nan, nan, bits)
    }

    fn sign_mask(&mut self, ty: Type) -> Value {
        let top = if ty.lane_type() == types::I64 { i64::MIN } else { 0x8000_0000 };
        self.int(ty, top)
    }

    fn copysign(&mut self, x: Value, sign: Value) -> Value {
        let (float, ty) = (self.ty(x), Self::bits_type(self.ty(x)));
        let top = self.sign_mask(ty);
        let bits = self.cast_bits(ty, x);
        let magnitude = self.b.ins().band_not(bits, top);
        let sign_bits = self.bits_of(sign);
        let sign = self.b.ins().band(sign_bits, top);
        let joined = self.b.ins().bor(magnitude, sign);
        self.cast_bits(float, joined)
    }

    /// IEEE 754-2019 minimumNumber and maximumNumber: -0 is below +0, a number comes before a NaN.
    fn min_max(&mut self, max: bool, x: Value, y: Value) -> Value {
        let (float, ty) = (self.ty(x), Self::bits_type(self.ty(x)));
        let cc = if max { FloatCC::GreaterThan } else { FloatCC::LessThan };
        let beyond = self.b.ins().fcmp(cc, y, x);
        let better = self.choose(beyond, y, x);
        // Equal numbers have equal bits, but for the sign of zeros: of both signs, or of one of them.
        let (a, b) = (self.cast_bits(ty, x), self.cast_bits(ty, y));
        let joined = if max { self.b.ins().band(a, b) } else { self.b.ins().bor(a, b) };
        let joined = self.cast_bits(float, joined);
        let equal = self.b.ins().fcmp(FloatCC::Equal, x, y);
        let number = self.choose(equal, joined, better);
        let no_number = self.is_nan(x);
        self.choose(no_number, y, number)
    }

    /// A method of floats that gives a float or bits; not `mul_add`, which may be a call.
    pub(crate) fn float_method(&mut self, name: &str, args: &[Value]) -> Option<Value> {
        let x = args[0];
        let ty = self.ty(x);
        Some(match name {
            "abs" => self.b.ins().fabs(x),
            "sqrt" => self.b.ins().sqrt(x),
            "floor" => self.b.ins().floor(x),
            "ceil" => self.b.ins().ceil(x),
            "trunc" => self.b.ins().trunc(x),
            "round_ties_even" => self.b.ins().nearest(x),
            "fract" => {
                let whole = self.b.ins().trunc(x);
                self.b.ins().fsub(x, whole)
            }
            "recip" => {
                let one = self.float(ty, 1.0);
                self.b.ins().fdiv(one, x)
            }
            "signum" => {
                let one = self.float(ty, 1.0);
                let (signed, is_nan) = (self.copysign(one, x), self.is_nan(x));
                self.choose(is_nan, x, signed)
            }
            "copysign" => self.copysign(x, args[1]),
            "min" => self.min_max(false, x, args[1]),
            "max" => self.min_max(true, x, args[1]),
            "to_bits" => self.bits_of(x),
            _ => return None,
        })
    }

    /// A test of a float: a bool, or a mask with lanes of its width.
    pub(crate) fn float_test(&mut self, name: &str, x: Value) -> Option<Value> {
        let ty = self.ty(x);
        Some(match name {
            "is_nan" => self.is_nan(x),
            "is_finite" | "is_infinite" => {
                let (magnitude, infinity) = (self.b.ins().fabs(x), self.float(ty, f64::INFINITY));
                let cc = if name == "is_finite" { FloatCC::LessThan } else { FloatCC::Equal };
                self.b.ins().fcmp(cc, magnitude, infinity)
            }
            "is_sign_negative" | "is_sign_positive" => {
                let bits = self.bits_of(x);
                let zero = self.int(Self::bits_type(ty), 0);
                let cc =
                    if name == "is_sign_negative" { IntCC::SignedLessThan } else { IntCC::SignedGreaterThanOrEqual };
                self.b.ins().icmp(cc, bits, zero)
            }
            _ => return None,
        })
    }

    /// A float from its bits.
    pub(crate) fn float_of(&mut self, bits: Value) -> Value {
        let to = match self.ty(bits) {
            types::I64 => types::F64,
            types::I32 => types::F32,
            types::I64X2 => types::F64X2,
            _ => types::F32X4,
        };
        self.cast_bits(to, bits)
    }

    /// A method of one integer, which is no operator.
    pub(crate) fn int_method(&mut self, name: &str, leaf: Leaf, args: &[Value]) -> Option<Value> {
        let x = args[0];
        let ty = self.ty(x);
        let narrow = |this: &mut Self, v: Value| if ty == types::I64 { this.b.ins().ireduce(types::I32, v) } else { v };
        Some(match name {
            "wrapping_neg" => self.b.ins().ineg(x),
            "abs" | "wrapping_abs" => {
                let (zero, negated) = (self.int(ty, 0), self.b.ins().ineg(x));
                let negative = self.b.ins().icmp(IntCC::SignedLessThan, x, zero);
                self.choose(negative, negated, x)
            }
            "min" | "max" => {
                let op = if name == "min" { Op::Lt } else { Op::Gt };
                let second = self.compare(op, leaf, args[1], x);
                self.choose(second, args[1], x)
            }
            "rotate_left" => self.b.ins().rotl(x, args[1]),
            "rotate_right" => self.b.ins().rotr(x, args[1]),
            "count_ones" => {
                let n = self.b.ins().popcnt(x);
                narrow(self, n)
            }
            "leading_zeros" => {
                let n = self.b.ins().clz(x);
                narrow(self, n)
            }
            "trailing_zeros" => {
                let n = self.b.ins().ctz(x);
                narrow(self, n)
            }
            _ => return None,
        })
    }
}

/// The operator that a method of integers stands for.
pub(crate) fn operator(name: &str) -> Option<Op> {
    Some(match name {
        "wrapping_add" => Op::Add,
        "wrapping_sub" => Op::Sub,
        "wrapping_mul" => Op::Mul,
        "wrapping_div" => Op::Div,
        "wrapping_rem" => Op::Rem,
        "wrapping_shl" => Op::Shl,
        "wrapping_shr" => Op::Shr,
        _ => return None,
    })
}
