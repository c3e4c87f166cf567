//! Branches, loops and jumps: real ones where all lanes go the same way, masks where they part.

use super::calls::TRUSTED;
use super::layout::Leaf;
use super::runtime::{Context, ROUNDS};
use super::words::{Word, WordVar};
use super::{Gen, Result};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block as Code, InstBuilder, Value, types};
use gristmill_kernel_lang::ir::*;
use std::mem::offset_of;

/// A loop or labelled block that is being generated.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    breaks: Code,
    continues: Code,
    result: Vec<WordVar>,
    /// Masks of the lanes that left it, and of those that wait for its next round. Only where lanes part; and where all that enter
    /// it leave it by its end, nobody asks who left.
    broken: WordVar,
    continued: WordVar,
    /// Whether lanes may leave it for somewhere else: only then those that left by its end are counted.
    escapes: bool,
}

/// What generates an arm.
type MakeArm<'a, 'g, 'f> = &'a mut dyn FnMut(&mut Gen<'g, 'f>) -> Result<Vec<Word>>;

/// The parts of a `for`.
#[derive(Clone, Copy)]
pub(crate) struct ForParts<'e> {
    pub(crate) id: LoopId,
    pub(crate) var: Option<LocalId>,
    pub(crate) lo: &'e Expr,
    pub(crate) hi: &'e Expr,
    pub(crate) inclusive: bool,
    pub(crate) rev: bool,
    pub(crate) body: &'e Block,
}

/// What is known about a branch before its arms are generated.
struct Branch<'e> {
    e: &'e Expr,
    leaves: &'e [Leaf],
    /// The value differs between lanes.
    varies: bool,
    /// Both arms may run where lanes part: cheaper than a branch.
    cheap: bool,
}

impl<'g, 'f> Gen<'g, 'f> {
    /// Code that is never reached follows.
    fn dead(&mut self) {
        let block = self.b.create_block();
        self.start_sealed(block);
    }

    fn jump_to(&mut self, to: Code) {
        self.b.ins().jump(to, &[]);
    }

    pub(crate) fn start_sealed(&mut self, block: Code) {
        self.b.switch_to_block(block);
        self.b.seal_block(block);
    }

    /// From here on the lanes that run are in a variable.
    fn ensure_masked(&mut self) {
        if !self.masked {
            let all = self.mask_or_all();
            self.set_mask(&all);
        }
    }

    fn set_all(&mut self, places: &[WordVar], words: &[Word]) -> Result<()> {
        places.iter().zip(words).try_for_each(|(p, w)| self.set(p, w))
    }

    fn set_all_masked(&mut self, places: &[WordVar], words: &[Word]) -> Result<()> {
        places.iter().zip(words).try_for_each(|(p, w)| self.set_masked(p, w))
    }

    pub(crate) fn get_all(&mut self, places: &[WordVar]) -> Vec<Word> {
        places.iter().map(|p| self.get(p)).collect()
    }

    pub(crate) fn declare_all(&mut self, leaves: &[Leaf], many: bool) -> Vec<WordVar> {
        leaves.iter().map(|leaf| self.declare(*leaf, many)).collect()
    }

    pub(crate) fn zero_all(&mut self, places: &[WordVar]) -> Result<()> {
        for place in places {
            let zero = self.zero(place.leaf);
            self.set(place, &Word::One(zero))?;
        }
        Ok(())
    }

    /// One arm or the other.
    fn branch<'a>(
        &mut self,
        branch: &Branch<'_>,
        test: Word,
        then: MakeArm<'a, 'g, 'f>,
        other: MakeArm<'a, 'g, 'f>,
    ) -> Result<Vec<Word>> {
        let Branch { e, leaves, varies, cheap } = *branch;
        let escapes = self.facts.escapes(e);
        let tests = match test {
            Word::One(test) => {
                if escapes {
                    self.ensure_masked();
                }
                let before = self.masked;
                let result = self.declare_all(leaves, varies);
                let (yes, no, done) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
                self.b.ins().brif(test, yes, &[], no, &[]);
                for (block, arm) in [(yes, then), (no, other)] {
                    self.start_sealed(block);
                    let words = arm(self)?;
                    let words = self.fit(words, leaves);
                    self.set_all(&result, &words)?;
                    self.masked = before;
                    self.jump_to(done);
                }
                self.start_sealed(done);
                return Ok(self.get_all(&result));
            }
            Word::Many(tests) => tests,
        };
        let before = self.masked;
        let old = self.mask_or_all();
        let masks = [self.both(&old, &tests), self.without(&old, &tests)];
        let mut values = vec![];
        let mut left: Vec<Vec<Value>> = vec![];
        for (mask, arm) in masks.iter().zip([then, other]) {
            self.set_mask(mask);
            let words = if cheap {
                let words = arm(self)?;
                self.fit(words, leaves)
            } else {
                let result = self.declare_all(leaves, true);
                self.zero_all(&result)?;
                let (run, done) = (self.b.create_block(), self.b.create_block());
                let any = self.any(mask);
                self.b.ins().brif(any, run, &[], done, &[]);
                self.start_sealed(run);
                let words = arm(self)?;
                let words = self.fit(words, leaves);
                self.set_all(&result, &words)?;
                self.jump_to(done);
                self.start_sealed(done);
                self.get_all(&result)
            };
            self.masked = true;
            left.push(self.mask_or_all());
            values.push(words);
        }
        if escapes {
            let mask = self.either(&left[0], &left[1]);
            self.set_mask(&mask);
        } else if before {
            self.set_mask(&old);
        } else {
            self.masked = false;
        }
        let test = Word::Many(tests);
        let (no, yes) = (values.pop().unwrap_or_default(), values.pop().unwrap_or_default());
        Ok(leaves.iter().zip(yes).zip(no).map(|((leaf, a), b)| self.select(*leaf, &test, &a, &b)).collect())
    }

    pub(crate) fn if_(&mut self, e: &Expr, c: &Expr, then: &Block, other: Option<&Expr>) -> Result<Vec<Word>> {
        let test = self.scalar(c)?;
        let leaves = self.leaves(&e.ty);
        let branch = Branch { e, leaves: &leaves, varies: self.facts.varies(e), cheap: self.facts.is_cheap(e) };
        self.branch(&branch, test, &mut |g| g.block(then), &mut |g| match other {
            Some(other) => g.expr(other),
            None => Ok(vec![]),
        })
    }

    /// `a && b`, `a || b`.
    pub(crate) fn lazy(&mut self, e: &Expr, and: bool, a: &Expr, b: &Expr) -> Result<Word> {
        let first = self.scalar(a)?;
        let branch = Branch { e, leaves: &[Leaf::Bool], varies: self.facts.varies(e), cheap: self.facts.is_cheap(e) };
        let known = self.ops(|o| o.int(types::I8, i64::from(!and)));
        let mut evaluate = |g: &mut Gen<'g, 'f>| g.expr(b);
        let mut decided = |_: &mut Gen<'g, 'f>| Ok(vec![Word::One(known)]);
        let words = match and {
            true => self.branch(&branch, first, &mut evaluate, &mut decided),
            false => self.branch(&branch, first, &mut decided, &mut evaluate),
        }?;
        Ok(words.into_iter().next().unwrap_or(Word::One(known)))
    }

    pub(crate) fn match_(&mut self, e: &Expr, scrutinee: &Expr, arms: &[Arm]) -> Result<Vec<Word>> {
        let value = self.scalar(scrutinee)?;
        let leaves = self.leaves(&e.ty);
        self.arms(e, Leaf::of(&scrutinee.ty), &value, arms, &leaves)
    }

    /// Whether a value is in one of an arm's ranges.
    fn in_ranges(&mut self, leaf: Leaf, value: &Word, ranges: &[(Option<i128>, Option<i128>)]) -> Word {
        let always = Word::One(self.ops(|o| o.int(types::I8, 1)));
        let mut fits: Option<Word> = None;
        for (lo, hi) in ranges {
            let bounds: Vec<(Op, i128)> = match (lo, hi) {
                (Some(a), Some(b)) if a == b => vec![(Op::Eq, *a)],
                (lo, hi) => lo.map(|a| (Op::Ge, a)).into_iter().chain(hi.map(|b| (Op::Le, b))).collect(),
            };
            let mut inside: Option<Word> = None;
            for (op, bound) in bounds {
                let bound = Word::One(self.int_constant(leaf, bound));
                let test = self.binary(op, leaf, value, leaf, &bound);
                inside = Some(match inside {
                    Some(before) => self.binary(Op::BitAnd, Leaf::Bool, &before, Leaf::Bool, &test),
                    None => test,
                });
            }
            let inside = inside.unwrap_or(always.clone());
            fits = Some(match fits {
                Some(before) => self.binary(Op::BitOr, Leaf::Bool, &before, Leaf::Bool, &inside),
                None => inside,
            });
        }
        fits.unwrap_or(always)
    }

    fn arms(&mut self, e: &Expr, leaf: Leaf, value: &Word, arms: &[Arm], leaves: &[Leaf]) -> Result<Vec<Word>> {
        let Some((arm, rest)) = arms.split_first() else { return Ok(self.zeros(leaves)) };
        if let Some(id) = arm.bind {
            self.bind_local(id, vec![value.clone()])?;
        }
        if rest.is_empty() {
            return self.expr(&arm.body);
        }
        let mut test = self.in_ranges(leaf, value, &arm.ranges);
        if let Some(guard) = &arm.guard {
            let never = Word::One(self.ops(|o| o.int(types::I8, 0)));
            let varies = self.facts.varies(guard) || matches!(test, Word::Many(_));
            let branch = Branch { e, leaves: &[Leaf::Bool], varies, cheap: self.facts.is_cheap(guard) };
            let words = self.branch(&branch, test, &mut |g| g.expr(guard), &mut |_| Ok(vec![never.clone()]))?;
            test = words.into_iter().next().unwrap_or(never);
        }
        let branch = Branch { e, leaves, varies: self.facts.varies(e), cheap: self.facts.is_cheap(e) };
        self.branch(&branch, test, &mut |g| g.expr(&arm.body), &mut |g| g.arms(e, leaf, value, rest, leaves))
    }

    // ---- loops ----

    fn frame(&mut self, e: &Expr, id: LoopId) -> Result<Frame> {
        let leaves = self.leaves(&self.func.loops[id].ty);
        let divergent = self.facts.diverges(id);
        let result = self.declare_all(&leaves, self.facts.value_varies(id));
        let frame = Frame {
            breaks: self.b.create_block(),
            continues: self.b.create_block(),
            result,
            broken: self.declare(Leaf::Bool, divergent),
            continued: self.declare(Leaf::Bool, divergent),
            escapes: self.facts.escapes(e),
        };
        self.zero_all(&frame.result)?;
        self.zero_all(&[frame.broken.clone(), frame.continued.clone()])?;
        self.frames[id] = Some(frame.clone());
        Ok(frame)
    }

    fn add_lanes(&mut self, to: &WordVar, lanes: &[Value]) -> Result<()> {
        let before = self.lanes_of(to);
        let all = self.either(&before, lanes);
        self.set(to, &Word::Many(all))
    }

    /// Lanes leave a loop by its end.
    fn add_broken(&mut self, frame: &Frame, lanes: &[Value]) -> Result<()> {
        if frame.escapes { self.add_lanes(&frame.broken, lanes) } else { Ok(()) }
    }

    fn lanes_of(&mut self, place: &WordVar) -> Vec<Value> {
        let word = self.get(place);
        self.many(Leaf::Bool, &word)
    }

    /// After a loop or block that lanes left at different times.
    fn come_together(&mut self, e: &Expr, mask: &[Value], before: bool) {
        if before || self.facts.escapes(e) {
            self.set_mask(mask);
        } else {
            self.masked = false;
        }
    }

    fn fit_to(&mut self, words: Vec<Word>, places: &[WordVar]) -> Vec<Word> {
        let leaves: Vec<Leaf> = places.iter().map(|p| p.leaf).collect();
        self.fit(words, &leaves)
    }

    pub(crate) fn labeled(&mut self, e: &Expr, id: LoopId, body: &Block) -> Result<Vec<Word>> {
        let frame = self.frame(e, id)?;
        let before = self.masked;
        let entered = self.enter_divergent(id);
        let words = self.block(body)?;
        let words = self.fit_to(words, &frame.result);
        if self.facts.diverges(id) {
            self.set_all_masked(&frame.result, &words)?;
            let mask = match frame.escapes {
                true => {
                    let (here, left) = (self.mask_or_all(), self.lanes_of(&frame.broken));
                    self.either(&here, &left)
                }
                false => entered,
            };
            self.come_together(e, &mask, before);
        } else {
            self.set_all(&frame.result, &words)?;
            self.jump_to(frame.breaks);
            self.start_sealed(frame.breaks);
        }
        Ok(self.get_all(&frame.result))
    }

    /// `loop` and `while`.
    pub(crate) fn loop_(&mut self, e: &Expr, id: LoopId, cond: Option<&Expr>, body: &Block) -> Result<Vec<Word>> {
        let frame = self.frame(e, id)?;
        let (header, inside) = (self.b.create_block(), self.b.create_block());
        let divergent = self.facts.diverges(id);
        let before = self.masked;
        let entered = self.enter_divergent(id);
        self.enter_loop(divergent, header, frame.breaks);
        self.b.switch_to_block(header);
        let test = cond.map(|c| self.scalar(c)).transpose()?;
        if divergent {
            if let Some(test) = test {
                let tests = self.many(Leaf::Bool, &test);
                let here = self.mask_or_all();
                let done = self.without(&here, &tests);
                self.add_broken(&frame, &done)?;
                let on = self.both(&here, &tests);
                self.set_mask(&on);
            }
            let here = self.mask_or_all();
            let any = self.any(&here);
            self.b.ins().brif(any, inside, &[], frame.breaks, &[]);
        } else if let Some(test) = test {
            let test = self.lane(Leaf::Bool, &test, 0);
            self.b.ins().brif(test, inside, &[], frame.breaks, &[]);
        } else {
            self.jump_to(inside);
        }
        self.start_sealed(inside);
        self.block(body)?;
        self.jump_to(frame.continues);
        self.start_sealed(frame.continues);
        if divergent {
            self.rejoin(id, &frame)?;
        }
        self.tick();
        self.close_loop(e, id, &frame, header, (before, entered));
        Ok(if cond.is_some() { vec![] } else { self.get_all(&frame.result) })
    }

    /// Into a loop; around it if no lane is left that would enter it: it might not end then. (A divergent one asks in each round.)
    fn enter_loop(&mut self, divergent: bool, header: Code, breaks: Code) {
        match self.mask().filter(|_| !divergent) {
            Some(mask) => {
                let any = self.any(&mask);
                self.b.ins().brif(any, header, &[], breaks, &[]);
            }
            None => self.jump_to(header),
        }
    }

    /// Where lanes may part: from here on there are masks. The lanes that entered, which come back where none escapes.
    fn enter_divergent(&mut self, id: LoopId) -> Vec<Value> {
        if !self.facts.diverges(id) {
            return vec![];
        }
        self.ensure_masked();
        self.mask_or_all()
    }

    /// Back to the header of a loop, and on behind it; `before`: whether lanes were masked where it was entered, and which entered it.
    fn close_loop(&mut self, e: &Expr, id: LoopId, frame: &Frame, header: Code, before: (bool, Vec<Value>)) {
        self.jump_to(header);
        self.b.seal_block(header);
        self.start_sealed(frame.breaks);
        let (before, entered) = before;
        if self.facts.diverges(id) {
            let mask = if frame.escapes { self.lanes_of(&frame.broken) } else { entered };
            self.come_together(e, &mask, before);
        } else {
            self.masked = before;
        }
    }

    /// Lanes that wait for the next round run again.
    fn rejoin(&mut self, id: LoopId, frame: &Frame) -> Result<()> {
        self.masked = true;
        if !self.facts.continues(id) {
            return Ok(());
        }
        let (here, waiting) = (self.mask_or_all(), self.lanes_of(&frame.continued));
        let all = self.either(&here, &waiting);
        self.set_mask(&all);
        self.zero_all(std::slice::from_ref(&frame.continued))
    }

    pub(crate) fn for_(&mut self, e: &Expr, parts: &ForParts<'_>) -> Result<()> {
        let ForParts { id, var, lo, hi, inclusive, rev, body } = *parts;
        let leaf = Leaf::of(&lo.ty);
        let (lo, hi) = (self.scalar(lo)?, self.scalar(hi)?);
        let frame = self.frame(e, id)?;
        let not_empty = self.binary(if inclusive { Op::Le } else { Op::Lt }, leaf, &lo, leaf, &hi);
        let one = Word::One(self.int_constant(leaf, 1));
        // Where the range is not empty, this does not wrap.
        let last = if inclusive { hi } else { self.binary(Op::Sub, leaf, &hi, leaf, &one) };
        let (first, end) = if rev { (last, lo) } else { (lo, last) };
        let step = if rev { Op::Sub } else { Op::Add };
        let divergent = self.facts.diverges(id);
        let many = matches!(not_empty, Word::Many(_));
        let counter = self.declare(leaf, many);
        self.set(&counter, &first)?;
        let before = self.masked;
        let entered = self.enter_divergent(id);
        let (header, latch) = (self.b.create_block(), self.b.create_block());
        let enter = if divergent {
            let here = self.mask_or_all();
            let tests = self.many(Leaf::Bool, &not_empty);
            let left = self.without(&here, &tests);
            self.add_broken(&frame, &left)?;
            let on = self.both(&here, &tests);
            self.set_mask(&on);
            self.any(&on)
        } else {
            self.lane(Leaf::Bool, &not_empty, 0)
        };
        let first_round = self.b.create_block();
        self.b.ins().brif(enter, first_round, &[], frame.breaks, &[]);
        self.start_sealed(first_round);
        self.enter_loop(divergent, header, frame.breaks);
        self.b.switch_to_block(header);
        if let Some(var) = var {
            let value = self.get(&counter);
            self.bind_local(var, vec![value])?;
        }
        self.block(body)?;
        self.jump_to(frame.continues);
        self.start_sealed(frame.continues);
        let at = self.get(&counter);
        let done = self.binary(Op::Eq, leaf, &at, leaf, &end);
        if divergent {
            self.rejoin(id, &frame)?;
            let here = self.mask_or_all();
            let dones = self.many(Leaf::Bool, &done);
            let left = self.both(&here, &dones);
            self.add_broken(&frame, &left)?;
            let on = self.without(&here, &dones);
            self.set_mask(&on);
            let any = self.any(&on);
            self.b.ins().brif(any, latch, &[], frame.breaks, &[]);
        } else {
            let done = self.lane(Leaf::Bool, &done, 0);
            self.b.ins().brif(done, frame.breaks, &[], latch, &[]);
        }
        self.start_sealed(latch);
        self.tick();
        let next = self.binary(step, leaf, &at, leaf, &one);
        self.set(&counter, &next)?;
        self.close_loop(e, id, &frame, header, (before, entered));
        Ok(())
    }

    // ---- jumps ----

    /// The lanes that run here go elsewhere.
    fn leave(&mut self) {
        let none = self.no_lane();
        self.set_mask(&none);
    }

    pub(crate) fn break_(&mut self, id: LoopId, value: Option<&Expr>) -> Result<()> {
        let words = value.map_or(Ok(vec![]), |v| self.expr(v))?;
        let Some(frame) = self.frames[id].clone() else { return Ok(()) };
        let words = self.fit_to(words, &frame.result);
        if self.facts.diverges(id) {
            self.set_all_masked(&frame.result, &words)?;
            let here = self.mask_or_all();
            self.add_broken(&frame, &here)?;
            self.leave();
            return Ok(());
        }
        self.set_all(&frame.result, &words)?;
        self.jump_to(frame.breaks);
        self.dead();
        Ok(())
    }

    pub(crate) fn continue_(&mut self, id: LoopId) -> Result<()> {
        let Some(frame) = self.frames[id].clone() else { return Ok(()) };
        if self.facts.diverges(id) {
            let here = self.mask_or_all();
            self.add_lanes(&frame.continued, &here)?;
            self.leave();
            return Ok(());
        }
        self.jump_to(frame.continues);
        self.dead();
        Ok(())
    }

    pub(crate) fn return_(&mut self, value: Option<&Expr>) -> Result<()> {
        let words = value.map_or(Ok(vec![]), |v| self.expr(v))?;
        let result = self.result.clone();
        let words = self.fit_to(words, &result);
        if self.facts.returns {
            self.set_all_masked(&result, &words)?;
            self.leave();
            return Ok(());
        }
        self.set_all(&result, &words)?;
        let end = self.return_block;
        self.jump_to(end);
        self.dead();
        Ok(())
    }

    /// The whole body.
    pub(crate) fn body(&mut self) -> Result<()> {
        let func = self.func;
        func.body.stmts.iter().try_for_each(|s| self.stmt(s))?;
        self.finish(func.body.tail.as_deref())
    }

    /// The body's value is the result, in the lanes that did not return before.
    pub(crate) fn finish(&mut self, tail: Option<&Expr>) -> Result<()> {
        let words = tail.map_or(Ok(vec![]), |tail| self.expr(tail))?;
        let result = self.result.clone();
        let words = self.fit_to(words, &result);
        self.set_all_masked(&result, &words)?;
        let end = self.return_block;
        self.jump_to(end);
        self.start_sealed(end);
        self.masked = false;
        Ok(())
    }

    /// Counts a round of a loop; now and then asks whether to go on.
    ///
    /// Without a call: one would keep no vector register, and what is in them would go through memory in every round.
    fn tick(&mut self) {
        let left = self.b.use_var(self.ticks);
        let left = self.b.ins().iadd_imm_s(left, -1);
        self.b.def_var(self.ticks, left);
        let (ask, on) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(ask);
        self.b.ins().brif(left, on, &[], ask, &[]);
        self.start_sealed(ask);
        let (context, abort) = (self.context, self.abort);
        let fuel_at = offset_of!(Context, fuel) as i32;
        let fuel = self.b.ins().load(types::I64, TRUSTED, context, fuel_at);
        // There is some left, or it would have stopped: this does not wrap.
        let fuel = self.b.ins().iadd_imm_s(fuel, -ROUNDS);
        self.b.ins().store(TRUSTED, fuel, context, fuel_at);
        let flag = self.b.ins().load(types::I64, TRUSTED, context, offset_of!(Context, interrupt) as i32);
        // Atomic, because another thread sets it: so it is read anew each time.
        let interrupted = self.b.ins().atomic_load(types::I8, TRUSTED, flag);
        let zero = self.b.ins().iconst(types::I64, 0);
        let used_up = self.b.ins().icmp(IntCC::SignedLessThanOrEqual, fuel, zero);
        let stop = self.b.ins().bor(interrupted, used_up);
        self.b.ins().store(TRUSTED, stop, context, offset_of!(Context, stopped) as i32);
        let fresh = self.ops(|o| o.int(types::I32, ROUNDS));
        self.b.def_var(self.ticks, fresh);
        self.b.ins().brif(stop, abort, &[], on, &[]);
        self.start_sealed(on);
    }
}
