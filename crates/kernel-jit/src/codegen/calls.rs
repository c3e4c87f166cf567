//! Calls: of other functions of the text, and of compiled kernels.

use super::layout::{Leaf, name_of};
use super::runtime::Context;
use super::words::Word;
use super::{Gen, Refused, Result, Session};
use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlagsData, Signature, StackSlot, Type, Value, types};
use cranelift_module::{FuncId, Linkage, Module as _};
use gristmill_kernel_lang::ir::*;
use std::mem::offset_of;

pub(crate) const TRUSTED: MemFlagsData = MemFlagsData::trusted();

/// Where arguments and results of calls of compiled kernels lie.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CallArea {
    /// Where each of them is.
    pointers: StackSlot,
    /// A row of a word for each lane, for each of them.
    rows: StackSlot,
}

impl Session {
    /// What a function of the text takes and gives: the context, the words of the arguments, and where to put several words of the
    /// result.
    pub(crate) fn signature(&self, func: &Func) -> Signature {
        let mut signature = self.jit.make_signature();
        signature.params.push(AbiParam::new(types::I64));
        let words = |ty: &Ty| super::leaves(&self.module, &func.references, ty);
        for p in &func.params {
            signature.params.extend(words(&p.ty).iter().map(|leaf| AbiParam::new(leaf.scalar())));
        }
        match words(&func.ret).as_slice() {
            [] => {}
            [one] => signature.returns.push(AbiParam::new(one.scalar())),
            _ => signature.params.push(AbiParam::new(types::I64)),
        }
        signature
    }

    /// The function of this name, which will be compiled if it is not yet.
    pub(crate) fn function(&mut self, name: &str) -> Result<FuncId> {
        if let Some((_, id)) = self.functions.iter().find(|(known, _)| known == name) {
            return Ok(*id);
        }
        let module = self.module.clone();
        let func = module.function(name).ok_or_else(|| Refused(format!("no function `{name}`")))?;
        let signature = self.signature(func);
        let id = self
            .jit
            .declare_function(&format!("f{}", self.functions.len()), Linkage::Local, &signature)
            .map_err(|e| Refused(e.to_string()))?;
        self.functions.push((name.to_string(), id));
        self.waiting.push(name.to_string());
        Ok(id)
    }
}

impl Gen<'_, '_> {
    /// Calls C code at an address.
    pub(crate) fn call_address(
        &mut self,
        to: usize,
        params: &[Type],
        ret: Option<Type>,
        args: &[Value],
    ) -> Option<Value> {
        let mut signature = self.s.jit.make_signature();
        signature.params.extend(params.iter().map(|ty| AbiParam::new(*ty)));
        signature.returns.extend(ret.map(AbiParam::new));
        let signature = self.b.import_signature(signature);
        let callee = self.b.ins().iconst(types::I64, to as i64);
        let call = self.b.ins().call_indirect(signature, callee, args);
        self.b.inst_results(call).first().copied()
    }

    pub(crate) fn call(&mut self, k: usize, args: &[Expr], ty: &Ty) -> Result<Vec<Word>> {
        let name = name_of(&self.func.references, k);
        let words = self.values(args)?;
        if self.s.module.function(&name).is_some() {
            return self.call_own(&name, &words, ty);
        }
        let many = words.iter().any(|w| matches!(w, Word::Many(_)));
        let area = self.call_area();
        let mut uniform = 0u64;
        let mut places = vec![];
        for (a, (arg, word)) in args.iter().zip(&words).enumerate() {
            places.push(match word {
                Word::One(v) => {
                    uniform |= 1 << a;
                    self.row(&area, a, *v)
                }
                Word::Many(_) => {
                    let at = self.row_address(&area, a);
                    self.store_lanes(Leaf::of(&arg.ty), word, at);
                    at
                }
            });
        }
        let leaves = self.leaves(ty);
        let results: Vec<Value> = (0..leaves.len()).map(|k| self.row_address(&area, args.len() + k)).collect();
        let n = self.b.ins().iconst(types::I64, if many { self.lanes as i64 } else { 1 });
        self.call_compiled(&name, &area, n, uniform, &places, &results)?;
        let word = |(leaf, at): (&Leaf, &Value)| match many {
            true => self.load_lanes(*leaf, *at),
            false => Word::One(self.b.ins().load(leaf.scalar(), TRUSTED, *at, 0)),
        };
        Ok(leaves.iter().zip(&results).map(word).collect())
    }

    /// Room for the arguments and results of every call in the function, and for where they are.
    pub(crate) fn call_area(&mut self) -> CallArea {
        if let Some(area) = self.call_area {
            return area;
        }
        let mut most = 0;
        self.func.visit(&mut |e| {
            if let Kind::Call(_, args) = &e.kind {
                most = most.max(args.len() + self.leaves(&e.ty).len());
            }
        });
        let area = CallArea { pointers: self.stack(8 * most), rows: self.stack(8 * self.lanes * most) };
        self.call_area = Some(area);
        area
    }

    /// Where an argument or a result of each lane is.
    fn row_address(&mut self, area: &CallArea, k: usize) -> Value {
        self.b.ins().stack_addr(types::I64, area.rows, (8 * self.lanes * k) as i32)
    }

    /// Puts one value there.
    pub(crate) fn row(&mut self, area: &CallArea, k: usize, v: Value) -> Value {
        let at = self.row_address(area, k);
        self.b.ins().store(TRUSTED, v, at, 0);
        at
    }

    /// Calls a compiled kernel over `n` elements.
    pub(crate) fn call_compiled(
        &mut self,
        name: &str,
        area: &CallArea,
        n: Value,
        uniform: u64,
        arguments: &[Value],
        results: &[Value],
    ) -> Result<()> {
        let Some(callee) = self.s.callees.callee(name) else { return Err(Refused(format!("no kernel `{name}`"))) };
        for (k, place) in arguments.iter().chain(results).enumerate() {
            self.b.ins().stack_store(types::I64, *place, area.pointers, 8 * k as i32);
        }
        let start = self.b.ins().stack_addr(types::I64, area.pointers, 0);
        let after = self.b.ins().stack_addr(types::I64, area.pointers, 8 * arguments.len() as i32);
        let data = self.b.ins().iconst(types::I64, callee.data as i64);
        let uniform = self.b.ins().iconst(types::I64, uniform as i64);
        self.call_address(callee.call as usize, &[types::I64; 5], None, &[data, n, uniform, start, after]);
        Ok(())
    }

    fn call_own(&mut self, name: &str, words: &[Word], ty: &Ty) -> Result<Vec<Word>> {
        if self.lanes > 1 {
            return Err(Refused(format!("`{name}` is called, not inlined")));
        }
        let id = self.s.function(name)?;
        let callee = self.s.jit.declare_func_in_func(id, self.b.func);
        let mut args = vec![self.context];
        for word in words {
            args.push(self.lane(Leaf::Pointer, word, 0));
        }
        let leaves = self.leaves(ty);
        let several = if leaves.len() > 1 {
            let slot = self.stack(leaves.len() * 8);
            let at = self.b.ins().stack_addr(types::I64, slot, 0);
            args.push(at);
            Some(at)
        } else {
            None
        };
        self.keep_ticks();
        let call = self.b.ins().call(callee, &args);
        let result = self.b.inst_results(call).first().copied();
        self.fetch_ticks();
        self.stop_if_told();
        Ok(match (several, result) {
            (Some(at), _) => {
                let load =
                    |(k, leaf): (usize, &Leaf)| Word::One(self.b.ins().load(leaf.scalar(), TRUSTED, at, 8 * k as i32));
                leaves.iter().enumerate().map(load).collect()
            }
            (None, Some(one)) => vec![Word::One(one)],
            (None, None) => vec![],
        })
    }

    /// The rounds until the next question are counted over all functions: what is called sees them.
    pub(crate) fn keep_ticks(&mut self) {
        let ticks = self.b.use_var(self.ticks);
        self.b.ins().store(TRUSTED, ticks, self.context, offset_of!(Context, ticks) as i32);
    }

    pub(crate) fn fetch_ticks(&mut self) {
        let ticks = self.b.ins().load(types::I32, TRUSTED, self.context, offset_of!(Context, ticks) as i32);
        self.b.def_var(self.ticks, ticks);
    }

    /// What was called may have been told to stop.
    fn stop_if_told(&mut self) {
        let stopped = self.b.ins().load(types::I8, TRUSTED, self.context, offset_of!(Context, stopped) as i32);
        let on = self.b.create_block();
        let abort = self.abort;
        self.b.ins().brif(stopped, abort, &[], on, &[]);
        self.b.switch_to_block(on);
        self.b.seal_block(on);
    }
}
