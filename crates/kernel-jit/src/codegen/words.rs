//! Words on lanes: one value for all, or vectors; and the operations of the language on them.

use super::layout::Leaf;
use super::operations::{Ops, operator};
use super::{Gen, Refused, Result, runtime};
use cranelift_codegen::ir::{ConstantData, Endianness, InstBuilder, MemFlagsData, Value, types};
use cranelift_frontend::Variable;
use gristmill_kernel_lang::ir::{Op, UnaryOp};

/// One word of a value.
#[derive(Debug, Clone)]
pub(crate) enum Word {
    /// The same in all lanes.
    One(Value),
    /// Vectors, the first lanes first; bools are masks.
    Many(Vec<Value>),
}

/// A variable of generated code that holds a word.
#[derive(Debug, Clone)]
pub(crate) struct WordVar {
    pub(crate) leaf: Leaf,
    many: bool,
    vars: Vec<Variable>,
}

impl Gen<'_, '_> {
    pub(crate) fn ops<R>(&mut self, f: impl FnOnce(&mut Ops<'_, '_>) -> R) -> R {
        f(&mut Ops { machine: self.s.machine, b: self.b })
    }

    fn vectors(&self, leaf: Leaf) -> usize {
        self.lanes / leaf.per_vector()
    }

    pub(crate) fn declare(&mut self, leaf: Leaf, many: bool) -> WordVar {
        let (ty, count) = if many { (leaf.vector(), self.vectors(leaf)) } else { (leaf.scalar(), 1) };
        WordVar { leaf, many, vars: (0..count).map(|_| self.b.declare_var(ty)).collect() }
    }

    pub(crate) fn get(&mut self, place: &WordVar) -> Word {
        match place.many {
            true => Word::Many(place.vars.iter().map(|v| self.b.use_var(*v)).collect()),
            false => Word::One(self.b.use_var(place.vars[0])),
        }
    }

    /// Sets a variable in all lanes.
    pub(crate) fn set(&mut self, place: &WordVar, word: &Word) -> Result<()> {
        match (place.many, word) {
            (false, Word::One(v)) => self.b.def_var(place.vars[0], *v),
            (false, Word::Many(_)) => return Err(Refused("a uniform variable was given a value for each lane".into())),
            (true, word) => {
                let values = self.many(place.leaf, word);
                place.vars.iter().zip(values).for_each(|(var, v)| self.b.def_var(*var, v));
            }
        }
        Ok(())
    }

    /// Sets a variable in the lanes that run.
    pub(crate) fn set_masked(&mut self, place: &WordVar, word: &Word) -> Result<()> {
        if !place.many {
            return self.set(place, word);
        }
        let Some(mask) = self.mask() else { return self.set(place, word) };
        let old = self.get(place);
        let new = self.select(place.leaf, &Word::Many(mask), word, &old);
        self.set(place, &new)
    }

    pub(crate) fn zero(&mut self, leaf: Leaf) -> Value {
        self.ops(|o| if leaf.is_float() { o.float(leaf.scalar(), 0.0) } else { o.int(leaf.scalar(), 0) })
    }

    fn number_one(&mut self, leaf: Leaf) -> Value {
        self.ops(|o| if leaf.is_float() { o.float(leaf.scalar(), 1.0) } else { o.int(leaf.scalar(), 1) })
    }

    /// A vector for every few lanes.
    pub(crate) fn many(&mut self, leaf: Leaf, word: &Word) -> Vec<Value> {
        let v = match word {
            Word::Many(values) => return values.clone(),
            Word::One(v) => *v,
        };
        let v = self.as_lane(leaf, v);
        let splat = match self.ops(|o| o.constant(v)) {
            // Cheaper than a load.
            Some(0 | u64::MAX) | None => self.ops(|o| o.splat(leaf.vector(), v)),
            Some(bits) => self.constant_vector(leaf, bits),
        };
        vec![splat; self.vectors(leaf)]
    }

    /// A number in every lane, from memory. Cranelift would compute it before the loop; of many numbers all but a few would then go to the
    /// stack and come back, and finding places for them takes longer than all the rest.
    fn constant_vector(&mut self, leaf: Leaf, bits: u64) -> Value {
        let bits = if leaf.per_vector() == 4 { bits & 0xffff_ffff | bits << 32 } else { bits };
        let known = self.s.constants.iter().position(|known| *known == bits);
        let place = known.unwrap_or_else(|| {
            self.s.constants.push(bits);
            self.s.constants.len() - 1
        });
        let flags = MemFlagsData::new().with_notrap().with_aligned();
        self.b.ins().load(leaf.vector(), flags, self.constants, 16 * place as i32)
    }

    /// A value as it stands in a lane: a bool as a mask.
    fn as_lane(&mut self, leaf: Leaf, v: Value) -> Value {
        match (leaf, self.ops(|o| o.constant(v))) {
            (Leaf::Bool, Some(bits)) => self.ops(|o| o.int(types::I64, if bits & 1 == 1 { -1 } else { 0 })),
            (Leaf::Bool, None) => {
                let wide = self.b.ins().uextend(types::I64, v);
                self.b.ins().ineg(wide)
            }
            _ => v,
        }
    }

    /// The value of one lane.
    pub(crate) fn lane(&mut self, leaf: Leaf, word: &Word, lane: usize) -> Value {
        let values = match word {
            Word::One(v) => return *v,
            Word::Many(values) => values,
        };
        let per = leaf.per_vector();
        let v = self.b.ins().extractlane(values[lane / per], (lane % per) as u8);
        match leaf {
            Leaf::Bool => {
                let low = self.b.ins().ireduce(types::I8, v);
                self.b.ins().band_imm_s(low, 1)
            }
            _ => v,
        }
    }

    /// The values of all lanes as a word.
    pub(crate) fn collect(&mut self, leaf: Leaf, lanes: &[Value]) -> Word {
        let (per, ty) = (leaf.per_vector(), leaf.vector());
        let mut vectors = vec![];
        for chunk in lanes.chunks(per) {
            let first = self.as_lane(leaf, chunk[0]);
            let mut vector = self.b.ins().scalar_to_vector(ty, first);
            for (k, v) in chunk.iter().enumerate().skip(1) {
                let v = self.as_lane(leaf, *v);
                vector = self.b.ins().insertlane(vector, v, k as u8);
            }
            vectors.push(vector);
        }
        Word::Many(vectors)
    }

    /// Lane by lane, for what has no vector form.
    pub(crate) fn each(
        &mut self,
        out: Leaf,
        operands: &[(Leaf, &Word)],
        f: &mut dyn FnMut(&mut Self, &[Value]) -> Value,
    ) -> Word {
        if operands.iter().all(|(_, w)| matches!(w, Word::One(_))) {
            let values: Vec<Value> = operands.iter().map(|(leaf, w)| self.lane(*leaf, w, 0)).collect();
            return Word::One(f(self, &values));
        }
        let mut results = vec![];
        for k in 0..self.lanes {
            let values: Vec<Value> = operands.iter().map(|(leaf, w)| self.lane(*leaf, w, k)).collect();
            results.push(f(self, &values));
        }
        self.collect(out, &results)
    }

    /// Masks with lanes of 32 bits as masks of 64 bits.
    fn widened(&mut self, masks: Vec<Value>) -> Vec<Value> {
        let mut out = vec![];
        for mask in masks {
            match self.b.func.dfg.value_type(mask) {
                types::I32X4 => {
                    out.push(self.b.ins().swiden_low(mask));
                    out.push(self.b.ins().swiden_high(mask));
                }
                _ => out.push(mask),
            }
        }
        out
    }

    /// Masks of 64 bits as masks with lanes of the type's width.
    pub(crate) fn narrowed(&mut self, leaf: Leaf, masks: &[Value]) -> Vec<Value> {
        if leaf.per_vector() == 2 {
            return masks.to_vec();
        }
        let flags = MemFlagsData::new().with_endianness(Endianness::Little);
        let low_halves: [u8; 16] = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27];
        let mut out = vec![];
        for pair in masks.chunks(2) {
            let a = self.b.ins().bitcast(types::I8X16, flags, pair[0]);
            let b = self.b.ins().bitcast(types::I8X16, flags, pair[1]);
            let order = self.b.func.dfg.immediates.push(ConstantData::from(&low_halves[..]));
            let joined = self.b.ins().shuffle(a, b, order);
            out.push(self.b.ins().bitcast(types::I32X4, flags, joined));
        }
        out
    }

    /// One or the other by a bool.
    pub(crate) fn select(&mut self, leaf: Leaf, test: &Word, yes: &Word, no: &Word) -> Word {
        if let (Word::One(c), Word::One(a), Word::One(b)) = (test, yes, no) {
            return Word::One(self.b.ins().select(*c, *a, *b));
        }
        if leaf == Leaf::Bool {
            // What `&&` and `||` make.
            let known = |this: &mut Self, word: &Word| match word {
                Word::One(v) => this.ops(|o| o.constant(*v)),
                Word::Many(_) => None,
            };
            if known(self, no) == Some(0) {
                return self.binary(Op::BitAnd, leaf, test, leaf, yes);
            }
            if known(self, yes) == Some(1) {
                return self.binary(Op::BitOr, leaf, test, leaf, no);
            }
        }
        let masks = self.many(Leaf::Bool, test);
        let masks = self.narrowed(leaf, &masks);
        let (yes, no) = (self.many(leaf, yes), self.many(leaf, no));
        let mut out = vec![];
        for ((m, a), b) in masks.into_iter().zip(yes).zip(no) {
            out.push(self.ops(|o| o.choose(m, a, b)));
        }
        Word::Many(out)
    }

    /// A function of registers, on one value or on every vector.
    fn map(&mut self, leaf: Leaf, words: &[&Word], f: &mut dyn FnMut(&mut Ops<'_, '_>, &[Value]) -> Value) -> Word {
        if words.iter().all(|w| matches!(w, Word::One(_))) {
            let values: Vec<Value> = words.iter().map(|w| self.lane(leaf, w, 0)).collect();
            return Word::One(self.ops(|o| f(o, &values)));
        }
        let rows: Vec<Vec<Value>> = words.iter().map(|w| self.many(leaf, w)).collect();
        let mut out = vec![];
        for k in 0..rows[0].len() {
            let column: Vec<Value> = rows.iter().map(|row| row[k]).collect();
            out.push(self.ops(|o| f(o, &column)));
        }
        Word::Many(out)
    }

    /// As `map`, for what gives a bool.
    fn test(&mut self, leaf: Leaf, words: &[&Word], f: &mut dyn FnMut(&mut Ops<'_, '_>, &[Value]) -> Value) -> Word {
        match self.map(leaf, words, f) {
            Word::Many(masks) => Word::Many(self.widened(masks)),
            one => one,
        }
    }

    pub(crate) fn not(&mut self, test: &Word) -> Word {
        self.map(Leaf::Bool, &[test], &mut |o, v| o.not(v[0]))
    }

    pub(crate) fn unary(&mut self, op: UnaryOp, leaf: Leaf, x: &Word) -> Word {
        match (op, leaf) {
            (UnaryOp::Not, Leaf::Bool) => self.not(x),
            (UnaryOp::Not, _) => self.map(leaf, &[x], &mut |o, v| o.b.ins().bnot(v[0])),
            (UnaryOp::Neg, leaf) if leaf.is_float() => self.map(leaf, &[x], &mut |o, v| o.b.ins().fneg(v[0])),
            (UnaryOp::Neg, _) => self.map(leaf, &[x], &mut |o, v| o.b.ins().ineg(v[0])),
        }
    }

    /// An operator; a shift's count may be of another type.
    pub(crate) fn binary(&mut self, op: Op, leaf: Leaf, a: &Word, count: Leaf, b: &Word) -> Word {
        let compares = matches!(op, Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge);
        let shifts = matches!(op, Op::Shl | Op::Shr);
        if !Ops::has_vector_form(op, leaf) || (shifts && matches!(b, Word::Many(_))) {
            let out = if compares { Leaf::Bool } else { leaf };
            return self.each(out, &[(leaf, a), (count, b)], &mut |this, v| {
                this.ops(|o| if compares { o.compare(op, leaf, v[0], v[1]) } else { o.binary(op, leaf, v[0], v[1]) })
            });
        }
        if let (true, Word::One(count)) = (shifts, b) {
            // A vector's shift is by a number below the width.
            let count = match a {
                Word::Many(_) => self.b.ins().band_imm_s(*count, i64::from(leaf.scalar().bits()) - 1),
                Word::One(_) => *count,
            };
            return self.map(leaf, &[a], &mut |o, v| o.binary(op, leaf, v[0], count));
        }
        match compares {
            true => self.test(leaf, &[a, b], &mut |o, v| o.compare(op, leaf, v[0], v[1])),
            false => self.map(leaf, &[a, b], &mut |o, v| o.binary(op, leaf, v[0], v[1])),
        }
    }

    /// Four lanes of 32 bits as pairs; those of the second half in front.
    fn upper_half(&mut self, v: Value) -> Value {
        let little = MemFlagsData::new().with_endianness(Endianness::Little);
        let ty = self.b.func.dfg.value_type(v);
        let bytes = self.b.ins().bitcast(types::I8X16, little, v);
        let order: [u8; 16] = [8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7];
        let order = self.b.func.dfg.immediates.push(ConstantData::from(&order[..]));
        let turned = self.b.ins().shuffle(bytes, bytes, order);
        self.b.ins().bitcast(ty, little, turned)
    }

    pub(crate) fn cast(&mut self, from: Leaf, to: Leaf, x: &Word) -> Word {
        let Word::Many(vectors) = x else { return self.cast_each(from, to, x) };
        match (from, to) {
            _ if from.scalar() == to.scalar() => x.clone(),
            (Leaf::Bool, _) => {
                let (one, zero) = (self.number_one(to), self.zero(to));
                self.select(to, x, &Word::One(one), &Word::One(zero))
            }
            (Leaf::I32 | Leaf::U32 | Leaf::F32, Leaf::F64) => {
                let mut out = vec![];
                for v in vectors.clone() {
                    for half in [v, self.upper_half(v)] {
                        out.push(match from {
                            Leaf::F32 => self.b.ins().fvpromote_low(half),
                            Leaf::I32 => {
                                let wide = self.b.ins().swiden_low(half);
                                self.b.ins().fcvt_from_sint(types::F64X2, wide)
                            }
                            _ => {
                                let wide = self.b.ins().uwiden_low(half);
                                self.b.ins().fcvt_from_uint(types::F64X2, wide)
                            }
                        });
                    }
                }
                Word::Many(out)
            }
            (Leaf::I32 | Leaf::U32, Leaf::I64 | Leaf::U64) => {
                let mut out = vec![];
                for v in vectors.clone() {
                    out.extend(match from {
                        Leaf::I32 => [self.b.ins().swiden_low(v), self.b.ins().swiden_high(v)],
                        _ => [self.b.ins().uwiden_low(v), self.b.ins().uwiden_high(v)],
                    });
                }
                Word::Many(out)
            }
            (Leaf::I64 | Leaf::U64, Leaf::I32 | Leaf::U32) => Word::Many(self.narrowed(to, &vectors.clone())),
            (Leaf::I64, Leaf::F64) => self.map(from, &[x], &mut |o, v| o.b.ins().fcvt_from_sint(types::F64X2, v[0])),
            (Leaf::U64, Leaf::F64) => self.map(from, &[x], &mut |o, v| o.b.ins().fcvt_from_uint(types::F64X2, v[0])),
            _ => self.cast_each(from, to, x),
        }
    }

    fn cast_each(&mut self, from: Leaf, to: Leaf, x: &Word) -> Word {
        self.each(to, &[(from, x)], &mut |this, v| this.ops(|o| o.cast(from, to, v[0])))
    }

    fn fused(&mut self, leaf: Leaf, args: &[Word]) -> Word {
        let (x, y, z) = (&args[0], &args[1], &args[2]);
        if self.s.machine.fma {
            return self.map(leaf, &[x, y, z], &mut |o, v| o.b.ins().fma(v[0], v[1], v[2]));
        }
        let address = if leaf == Leaf::F64 { runtime::FMA64 as usize } else { runtime::FMA32 as usize };
        let ty = leaf.scalar();
        self.each(leaf, &[(leaf, x), (leaf, y), (leaf, z)], &mut |this, v| {
            this.call_address(address, &[ty, ty, ty], Some(ty), v).unwrap_or(v[2])
        })
    }

    /// An exact method; `out` is the type that it gives, `others` are those of the arguments.
    pub(crate) fn method(&mut self, name: &str, leaf: Leaf, out: Leaf, others: &[Leaf], args: &[Word]) -> Word {
        let all: Vec<&Word> = args.iter().collect();
        if name == "from_bits" {
            return self.map(leaf, &all, &mut |o, v| o.float_of(v[0]));
        }
        if leaf.is_float() {
            if name == "mul_add" {
                return self.fused(leaf, args);
            }
            if out == Leaf::Bool {
                return self.test(leaf, &all, &mut |o, v| o.float_test(name, v[0]).unwrap_or(v[0]));
            }
            return self.map(leaf, &all, &mut |o, v| o.float_method(name, v).unwrap_or(v[0]));
        }
        if let Some(op) = operator(name) {
            return self.binary(op, leaf, &args[0], others[0], &args[1]);
        }
        match name {
            "wrapping_neg" | "abs" | "wrapping_abs" | "min" | "max" => {
                self.map(leaf, &all, &mut |o, v| o.int_method(name, leaf, v).unwrap_or(v[0]))
            }
            _ => {
                let leaves = std::iter::once(leaf).chain(others.iter().copied());
                let operands: Vec<(Leaf, &Word)> = leaves.zip(all).collect();
                self.each(out, &operands, &mut |this, v| this.ops(|o| o.int_method(name, leaf, v).unwrap_or(v[0])))
            }
        }
    }

    // ---- masks ----

    /// The lanes that run; `None`: all.
    pub(crate) fn mask(&mut self) -> Option<Vec<Value>> {
        let exec = self.exec.clone();
        self.masked.then(|| exec.iter().map(|v| self.b.use_var(*v)).collect())
    }

    pub(crate) fn mask_or_all(&mut self) -> Vec<Value> {
        match self.mask() {
            Some(mask) => mask,
            None => {
                let all = self.ops(|o| o.int(types::I64X2, -1));
                vec![all; self.lanes / 2]
            }
        }
    }

    pub(crate) fn set_mask(&mut self, mask: &[Value]) {
        self.masked = true;
        for (var, v) in self.exec.clone().iter().zip(mask) {
            self.b.def_var(*var, *v);
        }
    }

    pub(crate) fn no_lane(&mut self) -> Vec<Value> {
        let none = self.ops(|o| o.int(types::I64X2, 0));
        vec![none; self.lanes / 2]
    }

    pub(crate) fn both(&mut self, a: &[Value], b: &[Value]) -> Vec<Value> {
        a.iter().zip(b).map(|(a, b)| self.b.ins().band(*a, *b)).collect()
    }

    pub(crate) fn either(&mut self, a: &[Value], b: &[Value]) -> Vec<Value> {
        a.iter().zip(b).map(|(a, b)| self.b.ins().bor(*a, *b)).collect()
    }

    pub(crate) fn without(&mut self, a: &[Value], b: &[Value]) -> Vec<Value> {
        a.iter().zip(b).map(|(a, b)| self.b.ins().band_not(*a, *b)).collect()
    }

    /// Whether a lane is in the mask, as a bool.
    pub(crate) fn any(&mut self, mask: &[Value]) -> Value {
        let all = mask[1..].iter().fold(mask[0], |a, b| self.b.ins().bor(a, *b));
        self.b.ins().vany_true(all)
    }
}
