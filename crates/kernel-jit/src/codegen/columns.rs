//! The block loop: a function over the elements of columns, stage by stage ([`super::stages`]).

use super::layout::{Leaf, name_of};
use super::runtime::Context;
use super::stages::{ChunkCall, Stage, StagePlan};
use super::words::{Word, WordVar};
use super::{Gen, Refused, Result};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block as CodeBlock, Endianness, InstBuilder, MemFlagsData, Value, types};
use cranelift_frontend::Variable;
use gristmill_kernel_lang::ir::*;
use std::collections::HashMap;
use std::mem::offset_of;

/// Elements of a chunk: what lies in memory between stages fits the nearest cache, and a call is paid for.
pub(crate) const CHUNK: usize = 512;

/// Of columns: whoever made them need not have aligned them for vectors.
const COLUMN: MemFlagsData = MemFlagsData::new().with_notrap();

/// A loop that is being generated: from a number to another.
struct Counter {
    at: Variable,
    step: i64,
    header: CodeBlock,
    done: CodeBlock,
}

/// Where an argument of a call for a chunk is.
enum Argument {
    /// A column of the caller: parameter `k`.
    Column(LocalId),
    /// Memory between stages, by its number.
    Kept(usize),
    /// The same for all elements.
    Same(WordVar),
}

/// What the stages of a block loop share.
struct Columns {
    /// Of parameters that differ between elements: where they begin.
    params: HashMap<LocalId, (Leaf, Value)>,
    /// Of parameters that do not: their values.
    same: HashMap<LocalId, Value>,
    /// Memory between stages: the numbers of the first words of variables.
    kept: HashMap<LocalId, usize>,
    /// How many words there are for each element.
    words: usize,
    memory: Value,
}

impl Columns {
    /// Where word `k` of the memory between stages begins.
    fn offset(k: usize) -> i64 {
        (k * CHUNK * 8) as i64
    }
}

impl Gen<'_, '_> {
    /// Begins a loop; gives the number of this round.
    fn count(&mut self, from: Value, to: Value, step: i64) -> (Counter, Value) {
        let at = self.b.declare_var(types::I64);
        self.b.def_var(at, from);
        let (header, inside, done) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.b.ins().jump(header, &[]);
        self.b.switch_to_block(header);
        let i = self.b.use_var(at);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, i, to);
        self.b.ins().brif(more, inside, &[], done, &[]);
        self.start_sealed(inside);
        (Counter { at, step, header, done }, i)
    }

    fn end_count(&mut self, counter: &Counter) {
        let i = self.b.use_var(counter.at);
        let next = self.b.ins().iadd_imm_s(i, counter.step);
        self.b.def_var(counter.at, next);
        self.b.ins().jump(counter.header, &[]);
        self.b.seal_block(counter.header);
        self.start_sealed(counter.done);
    }

    /// The address of element `i`.
    fn at(&mut self, start: Value, leaf: Leaf, i: Value) -> Value {
        let bytes = self.b.ins().imul_imm_s(i, leaf.size() as i64);
        self.b.ins().iadd(start, bytes)
    }

    /// The values of the next lanes, one after the other in memory.
    pub(crate) fn load_lanes(&mut self, leaf: Leaf, at: Value) -> Word {
        let lanes = self.lanes;
        if lanes == 1 {
            return Word::One(self.b.ins().load(leaf.scalar(), COLUMN, at, 0));
        }
        if leaf != Leaf::Bool {
            let count = lanes / leaf.per_vector();
            let load = |k: usize| self.b.ins().load(leaf.vector(), COLUMN, at, 16 * k as i32);
            return Word::Many((0..count).map(load).collect());
        }
        let little = MemFlagsData::new().with_endianness(Endianness::Little);
        let mut masks = vec![];
        for k in 0..lanes / 4 {
            let four = self.b.ins().load(types::I32, COLUMN, at, 4 * k as i32);
            let bytes = self.b.ins().scalar_to_vector(types::I32X4, four);
            let bytes = self.b.ins().bitcast(types::I8X16, little, bytes);
            let halves = self.b.ins().uwiden_low(bytes);
            let words = self.b.ins().uwiden_low(halves);
            for pair in [self.b.ins().uwiden_low(words), self.b.ins().uwiden_high(words)] {
                masks.push(self.b.ins().ineg(pair));
            }
        }
        Word::Many(masks)
    }

    /// Puts the values of the lanes one after the other into memory.
    pub(crate) fn store_lanes(&mut self, leaf: Leaf, word: &Word, at: Value) {
        let lanes = self.lanes;
        if lanes == 1 {
            let v = self.lane(leaf, word, 0);
            self.b.ins().store(COLUMN, v, at, 0);
            return;
        }
        let vectors = self.many(leaf, word);
        if leaf != Leaf::Bool {
            for (k, v) in vectors.into_iter().enumerate() {
                self.b.ins().store(COLUMN, v, at, 16 * k as i32);
            }
            return;
        }
        let little = MemFlagsData::new().with_endianness(Endianness::Little);
        for (k, words) in self.narrowed(Leaf::I32, &vectors).into_iter().enumerate() {
            let halves = self.b.ins().snarrow(words, words);
            let bytes = self.b.ins().snarrow(halves, halves);
            let bits = self.b.ins().bitcast(types::I32X4, little, bytes);
            let four = self.b.ins().extractlane(bits, 0);
            let four = self.b.ins().band_imm_s(four, 0x0101_0101);
            self.b.ins().store(COLUMN, four, at, 4 * k as i32);
        }
    }

    /// All elements; gives how many bytes of memory it needs between stages.
    pub(crate) fn over_columns(
        &mut self,
        given: &[Value],
        ret: &[Leaf],
        varying: u64,
        plan: &StagePlan,
    ) -> Result<usize> {
        let func = self.func;
        let [context, columns, results, n] = *given else { return Err(Refused("not a block loop".into())) };
        let mut all = Columns {
            params: HashMap::new(),
            same: HashMap::new(),
            kept: HashMap::new(),
            words: 0,
            memory: self.b.ins().load(types::I64, COLUMN, context, offset_of!(Context, memory) as i32),
        };
        for (k, p) in func.params.iter().enumerate() {
            let leaf = Leaf::of(&p.ty);
            let column = self.b.ins().load(types::I64, COLUMN, columns, 8 * k as i32);
            if varying >> k & 1 == 1 {
                all.params.insert(p.id, (leaf, column));
            } else {
                let value = self.b.ins().load(leaf.scalar(), COLUMN, column, 0);
                all.same.insert(p.id, value);
                self.bind_local(p.id, vec![Word::One(value)])?;
            }
        }
        for id in &plan.kept {
            all.kept.insert(*id, all.words);
            all.words += self.leaves(&func.locals[*id].ty).len();
        }
        let outs: Vec<Value> =
            (0..ret.len()).map(|k| self.b.ins().load(types::I64, COLUMN, results, 8 * k as i32)).collect();
        for i in &plan.once {
            self.stmt(&func.body.stmts[*i])?;
        }
        let zero = self.b.ins().iconst(types::I64, 0);
        let Some((last, before)) = plan.stages.split_last() else { return Err(Refused("no stage".into())) };
        if before.is_empty() {
            self.stage(plan, last, &mut all, (zero, n), Some((ret, &outs)))?;
        } else {
            let (chunks, start) = self.count(zero, n, CHUNK as i64);
            let left = self.b.ins().isub(n, start);
            let most = self.b.ins().iconst(types::I64, CHUNK as i64);
            let len = self.b.ins().umin(left, most);
            for stage in before {
                let calls = self.stage(plan, stage, &mut all, (start, len), None)?;
                for (call, arguments) in stage.calls.iter().zip(calls) {
                    self.call_for_chunk(call, &arguments, &all, start, len)?;
                }
            }
            self.stage(plan, last, &mut all, (start, len), Some((ret, &outs)))?;
            self.end_count(&chunks);
        }
        self.keep_ticks();
        self.b.ins().return_(&[]);
        Ok(all.words * CHUNK * 8)
    }

    /// One stage over `len` elements from `start` on; gives the arguments of the calls at its end.
    fn stage(
        &mut self,
        plan: &StagePlan,
        stage: &Stage,
        all: &mut Columns,
        (start, len): (Value, Value),
        result: Option<(&[Leaf], &[Value])>,
    ) -> Result<Vec<Vec<Argument>>> {
        let func = self.func;
        let zero = self.b.ins().iconst(types::I64, 0);
        let (round, j) = self.count(zero, len, self.lanes as i64);
        let i = self.b.ins().iadd(start, j);
        self.masked = false;
        if result.is_some() {
            let places = self.result.clone();
            self.zero_all(&places)?;
        }
        for id in &stage.columns {
            if let Some((leaf, column)) = all.params.get(id).copied() {
                let at = self.at(column, leaf, i);
                let word = self.load_lanes(leaf, at);
                self.bind_local(*id, vec![word])?;
            } else if let (Some(value), true) = (all.same.get(id), plan.assigned.contains(id)) {
                // Every time: it may have been changed.
                self.bind_local(*id, vec![Word::One(*value)])?;
            }
        }
        for id in &stage.loads {
            let mut words = vec![];
            for (k, leaf) in self.leaves(&func.locals[*id].ty).into_iter().enumerate() {
                let row = self.b.ins().iadd_imm_s(all.memory, Columns::offset(all.kept[id] + k));
                let at = self.at(row, leaf, j);
                words.push(self.load_lanes(leaf, at));
            }
            self.bind_local(*id, words)?;
        }
        let mut calls = vec![];
        for s in &stage.stmts {
            let stmt = &func.body.stmts[*s];
            match stage.calls.iter().any(|c| c.stmt == *s) {
                true => calls.push(self.arguments(stmt, plan, all, j)?),
                false => self.stmt(stmt)?,
            }
        }
        for id in &stage.keeps {
            let leaves = self.leaves(&func.locals[*id].ty);
            let place = self.local_place(*id);
            for (k, word) in self.load(&place, &leaves)?.iter().enumerate() {
                let row = self.b.ins().iadd_imm_s(all.memory, Columns::offset(all.kept[id] + k));
                let at = self.at(row, leaves[k], j);
                self.store_lanes(leaves[k], word, at);
            }
        }
        if let Some((ret, outs)) = result {
            let places = self.result.clone();
            self.finish(func.body.tail.as_deref())?;
            for ((leaf, word), out) in ret.iter().zip(self.get_all(&places)).zip(outs) {
                let at = self.at(*out, *leaf, i);
                self.store_lanes(*leaf, &word, at);
            }
        }
        self.end_count(&round);
        Ok(calls)
    }

    /// The arguments of a call, for the elements of this round.
    fn arguments(&mut self, stmt: &Stmt, plan: &StagePlan, all: &mut Columns, j: Value) -> Result<Vec<Argument>> {
        let Stmt::Let(_, Some(Expr { kind: Kind::Call(_, args), .. }), _) = stmt else {
            return Err(Refused("not a call".into()));
        };
        let mut out = vec![];
        for arg in args {
            let leaf = Leaf::of(&arg.ty);
            if let Kind::Local(id) = arg.kind {
                if let Some(first) = all.kept.get(&id).filter(|_| !plan.assigned.contains(&id)) {
                    out.push(Argument::Kept(*first));
                    continue;
                }
                if all.params.contains_key(&id) && !plan.assigned.contains(&id) {
                    out.push(Argument::Column(id));
                    continue;
                }
            }
            let word = self.scalar(arg)?;
            match word {
                Word::One(_) => {
                    let place = self.declare(leaf, false);
                    self.set(&place, &word)?;
                    out.push(Argument::Same(place));
                }
                Word::Many(_) => {
                    let row = self.b.ins().iadd_imm_s(all.memory, Columns::offset(all.words));
                    let at = self.at(row, leaf, j);
                    self.store_lanes(leaf, &word, at);
                    out.push(Argument::Kept(all.words));
                    all.words += 1;
                }
            }
        }
        Ok(out)
    }

    /// A call of a compiled kernel for all elements of a chunk.
    fn call_for_chunk(
        &mut self,
        call: &ChunkCall,
        arguments: &[Argument],
        all: &Columns,
        start: Value,
        len: Value,
    ) -> Result<()> {
        let func = self.func;
        let Stmt::Let(_, Some(Expr { kind: Kind::Call(k, _), ty, .. }), _) = &func.body.stmts[call.stmt] else {
            return Err(Refused("not a call".into()));
        };
        let area = self.call_area();
        let mut uniform = 0u64;
        let mut places = vec![];
        for (a, argument) in arguments.iter().enumerate() {
            places.push(match argument {
                Argument::Column(id) => {
                    let (leaf, column) = all.params[id];
                    self.at(column, leaf, start)
                }
                Argument::Kept(k) => self.b.ins().iadd_imm_s(all.memory, Columns::offset(*k)),
                Argument::Same(place) => {
                    uniform |= 1 << a;
                    let word = self.get(place);
                    let v = self.lane(place.leaf, &word, 0);
                    self.row(&area, a, v)
                }
            });
        }
        let count = self.leaves(ty).len();
        let results = (0..count)
            .map(|w| self.b.ins().iadd_imm_s(all.memory, Columns::offset(all.kept[&call.variable] + w)))
            .collect::<Vec<Value>>();
        self.call_compiled(&name_of(&func.references, *k), &area, len, uniform, &places, &results)
    }
}
