//! From the IR to machine code, through Cranelift.
//!
//! One generator makes both forms of a function. On one element every value is a register and every branch is real. On lanes a value is
//! one register if it is the same in all of them ([`uniform`]), vectors otherwise; where lanes part, both ways run under masks. The
//! meaning of every operation is that of docs/kernel-language.md, so both give the bits of every other path.

mod calls;
mod columns;
mod compile;
mod control_flow;
mod flatten;
mod inline;
mod layout;
mod operations;
mod places;
pub(crate) mod runtime;
mod stages;
mod uniform;
mod words;

pub(crate) use compile::{Code, Form, compile};

use calls::CallArea;
use control_flow::{ForParts, Frame};
use cranelift_codegen::ir::{Block as CodeBlock, InstBuilder, Value, types};
use cranelift_frontend::{FunctionBuilder, Variable};
use cranelift_jit::JITModule;
use cranelift_module::{DataId, FuncId};
use gristmill_kernel_lang::interp::Module;
use gristmill_kernel_lang::ir::*;
use layout::{Leaf, leaves};
use operations::Machine;
use places::Home;
use std::rc::Rc;
use uniform::Uniformity;
use words::{Word, WordVar};

/// Why there is no such code; another form or the interpreter serves.
#[derive(Debug, Clone)]
pub(crate) struct Refused(pub(crate) String);

type Result<T> = std::result::Result<T, Refused>;

/// What the functions of a text share while they are compiled.
pub(crate) struct Session {
    module: Rc<Module>,
    jit: JITModule,
    machine: Machine,
    callees: Rc<dyn runtime::Callees>,
    functions: Vec<(String, FuncId)>,
    /// Functions that are called and not yet compiled.
    waiting: Vec<String>,
    /// Constants in memory, by name.
    tables: Vec<(String, Box<[u64]>)>,
    /// Numbers that code on lanes reads from memory, and where that will be.
    constants: Vec<u64>,
    constants_data: Option<DataId>,
    /// Bytes on the stack and expressions of all functions so far.
    stack: usize,
    expressions: usize,
}

/// One function that is being generated.
pub(crate) struct Gen<'g, 'f> {
    s: &'g mut Session,
    b: &'g mut FunctionBuilder<'f>,
    func: &'g Func,
    facts: Uniformity,
    /// 1: a scalar function.
    lanes: usize,
    homes: Vec<Home>,
    frames: Vec<Option<Frame>>,
    /// The lanes that run, if `masked`.
    exec: Vec<Variable>,
    masked: bool,
    context: Value,
    /// Where [`Session::constants`] are.
    constants: Value,
    ticks: Variable,
    abort: CodeBlock,
    result: Vec<WordVar>,
    return_block: CodeBlock,
    /// Arguments and results of calls of compiled kernels.
    call_area: Option<CallArea>,
}

impl Gen<'_, '_> {
    fn leaves(&self, ty: &Ty) -> Vec<Leaf> {
        leaves(&self.s.module, &self.func.references, ty)
    }

    fn zeros(&mut self, leaves: &[Leaf]) -> Vec<Word> {
        leaves.iter().map(|leaf| Word::One(self.zero(*leaf))).collect()
    }

    /// The words, or as many zeros where the value is never there: what then stands for it may have any type.
    fn fit(&mut self, words: Vec<Word>, leaves: &[Leaf]) -> Vec<Word> {
        let of_type = |(word, leaf): (&Word, &Leaf)| match word {
            Word::One(v) => self.b.func.dfg.value_type(*v) == leaf.scalar(),
            Word::Many(v) => self.b.func.dfg.value_type(v[0]) == leaf.vector(),
        };
        let fits = words.len() == leaves.len() && words.iter().zip(leaves).all(of_type);
        if fits { words } else { self.zeros(leaves) }
    }

    fn int_constant(&mut self, leaf: Leaf, x: i128) -> Value {
        self.ops(|o| o.int(leaf.scalar(), x as i64))
    }

    fn block(&mut self, block: &Block) -> Result<Vec<Word>> {
        block.stmts.iter().try_for_each(|s| self.stmt(s))?;
        block.tail.as_ref().map_or(Ok(vec![]), |tail| self.expr(tail))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<()> {
        match stmt {
            Stmt::Let(pat, Some(value), _) => {
                let words = self.expr(value)?;
                self.bind(pat, words)
            }
            Stmt::Let(Pat::Local(id), None, _) => {
                let leaves = self.leaves(&self.func.locals[*id].ty);
                let zeros = self.zeros(&leaves);
                self.bind_local(*id, zeros)
            }
            Stmt::Let(_, None, _) => Ok(()),
            Stmt::Expr(e) => self.expr(e).map(drop),
        }
    }

    /// The one word of a scalar.
    fn scalar(&mut self, e: &Expr) -> Result<Word> {
        let words = self.expr(e)?;
        match words.into_iter().next() {
            Some(word) => Ok(word),
            None => Ok(Word::One(self.zero(Leaf::of(&e.ty)))),
        }
    }

    fn values(&mut self, list: &[Expr]) -> Result<Vec<Word>> {
        let mut out = vec![];
        for e in list {
            let words = self.expr(e)?;
            let leaves = self.leaves(&e.ty);
            out.extend(self.fit(words, &leaves));
        }
        Ok(out)
    }

    fn expr(&mut self, e: &Expr) -> Result<Vec<Word>> {
        // An operand that never gives a value: neither does the operation.
        let operands: Vec<&Expr> = match &e.kind {
            Kind::Unary(_, a) | Kind::Cast(a) => vec![a],
            Kind::Binary(op, a, b) if !matches!(op, Op::And | Op::Or) => vec![a, b],
            Kind::Method(_, list) => list.iter().collect(),
            _ => vec![],
        };
        if operands.iter().any(|o| o.ty == Ty::Never) {
            for operand in operands {
                self.expr(operand)?;
            }
            let leaves = self.leaves(&e.ty);
            return Ok(self.zeros(&leaves));
        }
        Ok(match &e.kind {
            Kind::Float(v) => vec![Word::One(match e.ty {
                Ty::F32 => self.b.ins().f32const(v.f32),
                _ => self.b.ins().f64const(v.f64),
            })],
            Kind::Int(v) => vec![Word::One(self.int_constant(Leaf::of(&e.ty), *v))],
            Kind::Bool(v) => vec![Word::One(self.ops(|o| o.int(types::I8, i64::from(*v))))],
            Kind::Unit => vec![],
            Kind::Local(_) | Kind::Const(_) | Kind::Deref(_) => self.read(e)?,
            Kind::Field(base, _) | Kind::Member(base, _) | Kind::Index(base, _) if Self::is_place(base) => {
                self.read(e)?
            }
            Kind::Field(base, index) => {
                let first = self.field_offset(&base.ty, *index);
                self.part(base, first, &e.ty)?
            }
            Kind::Member(base, name) => {
                let first = self.member_offset(&base.ty, name);
                self.part(base, first, &e.ty)?
            }
            Kind::Index(..) => return Err(Refused("an element of what is no place".into())),
            Kind::Unary(op, a) => {
                let x = self.scalar(a)?;
                vec![self.unary(*op, Leaf::of(&a.ty), &x)]
            }
            Kind::Binary(op @ (Op::And | Op::Or), a, b) => vec![self.lazy(e, *op == Op::And, a, b)?],
            Kind::Binary(op, a, b) => {
                let (x, y) = (self.scalar(a)?, self.scalar(b)?);
                vec![self.binary(*op, Leaf::of(&a.ty), &x, Leaf::of(&b.ty), &y)]
            }
            Kind::Cast(a) => {
                let x = self.scalar(a)?;
                vec![self.cast(Leaf::of(&a.ty), Leaf::of(&e.ty), &x)]
            }
            Kind::Call(k, args) => self.call(*k, args, &e.ty)?,
            Kind::Method(name, args) => {
                let words = self.values(args)?;
                let others: Vec<Leaf> = args[1..].iter().map(|a| Leaf::of(&a.ty)).collect();
                vec![self.method(name, Leaf::of(&args[0].ty), Leaf::of(&e.ty), &others, &words)]
            }
            Kind::Tuple(items) | Kind::Array(items) => self.values(items)?,
            Kind::Repeat(item, n) => {
                let words = self.expr(item)?;
                std::iter::repeat_n(words, *n).flatten().collect()
            }
            Kind::Struct(fields) => self.structure(fields, &e.ty)?,
            Kind::Len(a) => vec![self.length(a)?],
            Kind::RefMut(place) => {
                let place = self.place(place)?;
                vec![Word::One(self.address_of(&place)?)]
            }
            Kind::Block(b) => self.block(b)?,
            Kind::Labeled(id, b) => self.labeled(e, *id, b)?,
            Kind::If(c, then, other) => self.if_(e, c, then, other.as_deref())?,
            Kind::Match(s, arms) => self.match_(e, s, arms)?,
            Kind::Loop(id, body) => self.loop_(e, *id, None, body)?,
            Kind::While(id, c, body) => self.loop_(e, *id, Some(c), body)?,
            Kind::For { id, var, lo, hi, inclusive, rev, body } => {
                let parts = ForParts { id: *id, var: *var, lo, hi, inclusive: *inclusive, rev: *rev, body };
                self.for_(e, &parts)?;
                vec![]
            }
            Kind::Assign(place, value) => {
                let words = self.expr(value)?;
                let leaves = self.leaves(&place.ty);
                let words = self.fit(words, &leaves);
                let place = self.place(place)?;
                self.store(&place, &leaves, &words, true)?;
                vec![]
            }
            Kind::AssignTuple(places, value) => {
                let words = self.expr(value)?;
                if let Ty::Tuple(types) = &value.ty {
                    let mut words = words.into_iter();
                    for (place, ty) in places.iter().zip(types) {
                        let leaves = self.leaves(ty);
                        let part: Vec<Word> = words.by_ref().take(leaves.len()).collect();
                        if let Some(place) = place {
                            let place = self.place(place)?;
                            self.store(&place, &leaves, &part, true)?;
                        }
                    }
                }
                vec![]
            }
            Kind::AssignOp(op, place, value) => {
                let right = self.scalar(value)?;
                let leaf = Leaf::of(&place.ty);
                let target = self.place(place)?;
                let old = self.load(&target, &[leaf])?;
                let new = self.binary(*op, leaf, &old[0], Leaf::of(&value.ty), &right);
                self.store(&target, &[leaf], &[new], true)?;
                vec![]
            }
            Kind::Return(value) => {
                self.return_(value.as_deref())?;
                vec![]
            }
            Kind::Break(id, value) => {
                self.break_(*id, value.as_deref())?;
                vec![]
            }
            Kind::Continue(id) => {
                self.continue_(*id)?;
                vec![]
            }
        })
    }

    /// What a place holds.
    fn read(&mut self, e: &Expr) -> Result<Vec<Word>> {
        let leaves = self.leaves(&e.ty);
        if let Some((name, first)) = self.constant(e) {
            let value = self.s.module.constant(&name).map_err(|e| Refused(e.to_string()))?;
            let mut words = vec![];
            layout::words_of(&value, &mut words);
            return Ok(leaves.iter().zip(&words[first..]).map(|(leaf, bits)| self.literal(*leaf, *bits)).collect());
        }
        let place = self.place(e)?;
        self.load(&place, &leaves)
    }

    /// A constant that is a number or a tuple, or a part of one, by its name and the words before the part: better in the code
    /// than in memory.
    fn constant(&self, e: &Expr) -> Option<(String, usize)> {
        match &e.kind {
            Kind::Const(_) if matches!(e.ty, Ty::Array(..)) => None,
            Kind::Const(k) => Some((layout::name_of(&self.func.references, *k), 0)),
            Kind::Field(base, index) => {
                let (name, first) = self.constant(base)?;
                Some((name, first + self.field_offset(&base.ty, *index)))
            }
            _ => None,
        }
    }

    fn literal(&mut self, leaf: Leaf, bits: u64) -> Word {
        Word::One(match leaf {
            Leaf::F64 => self.b.ins().f64const(f64::from_bits(bits)),
            Leaf::F32 => self.b.ins().f32const(f32::from_bits(bits as u32)),
            leaf => self.ops(|o| o.int(leaf.scalar(), bits as i64)),
        })
    }

    /// A part of a value that is no place.
    fn part(&mut self, base: &Expr, first: usize, ty: &Ty) -> Result<Vec<Word>> {
        let whole = self.leaves(&base.ty);
        let words = self.expr(base)?;
        let words = self.fit(words, &whole);
        let count = self.leaves(ty).len();
        Ok(words.into_iter().skip(first).take(count).collect())
    }

    fn structure(&mut self, fields: &[(String, Expr)], ty: &Ty) -> Result<Vec<Word>> {
        let leaves = self.leaves(ty);
        let mut out = self.zeros(&leaves);
        for (name, value) in fields {
            let first = self.member_offset(ty, name);
            let words = self.expr(value)?;
            let part = self.leaves(&value.ty);
            for (k, word) in self.fit(words, &part).into_iter().enumerate() {
                out[first + k] = word;
            }
        }
        Ok(out)
    }

    fn length(&mut self, of: &Expr) -> Result<Word> {
        match (&of.ty, &of.kind) {
            (Ty::Array(_, n), _) => Ok(Word::One(self.int_constant(Leaf::U64, *n as i128))),
            (_, Kind::Local(id)) => match self.homes[*id].clone() {
                Home::Slice { len, .. } => Ok(Word::One(len)),
                _ => Err(Refused("it has no length".into())),
            },
            _ => Err(Refused("it has no length".into())),
        }
    }
}
