//! Variables, elements, fields and what references point to: reading and writing them.

use super::layout::{Leaf, leaves, name_of, words_of};
use super::words::{Word, WordVar};
use super::{Gen, Refused, Result};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, StackSlot, StackSlotData, StackSlotKind, Value, types};
use gristmill_kernel_lang::ir::*;

/// Where a variable of the kernel lives.
#[derive(Debug, Clone)]
pub(crate) enum Home {
    /// In registers.
    Words(Vec<WordVar>),
    /// On the stack, because an element is chosen at run time, or a reference points to it. `many`: a word of it is a row of one
    /// value for each lane.
    Memory { slot: StackSlot, many: bool },
    /// A slice: where it begins, and its length.
    Slice { start: Value, len: Value, leaf: Leaf },
}

/// A place: something to read or write.
#[derive(Debug, Clone)]
pub(crate) enum Place {
    /// Words of a variable from `first` on.
    Words { id: LocalId, first: usize },
    /// Words in memory, `first + index` words from the base.
    Memory { base: Value, many: bool, first: usize, index: Option<Word> },
    /// An element of a slice, or if it is outside, a word that nobody reads.
    Element { at: Value, leaf: Leaf },
}

const TRUSTED: MemFlagsData = MemFlagsData::trusted();

impl Gen<'_, '_> {
    /// Makes a home for every variable.
    pub(crate) fn make_homes(&mut self) {
        let func = self.func;
        let in_memory = in_memory(func, self.lanes == 1);
        for (id, local) in func.locals.iter().enumerate() {
            let leaves = self.leaves(&local.ty);
            let many = self.facts.local(id);
            let home = match in_memory[id] {
                true => Home::Memory { slot: self.stack(leaves.len() * 8 * if many { self.lanes } else { 1 }), many },
                false => Home::Words(self.declare_all(&leaves, many)),
            };
            self.homes.push(home);
        }
    }

    pub(crate) fn stack(&mut self, bytes: usize) -> StackSlot {
        self.b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, bytes.max(8) as u32, 4))
    }

    /// Binds a variable, in all lanes: those that do not run never look.
    pub(crate) fn bind_local(&mut self, id: LocalId, words: Vec<Word>) -> Result<()> {
        match self.homes[id].clone() {
            Home::Words(vars) => vars.iter().zip(&words).try_for_each(|(var, word)| self.set(var, word)),
            Home::Memory { slot, many } => {
                let base = self.b.ins().stack_addr(types::I64, slot, 0);
                let leaves = self.leaves(&self.func.locals[id].ty);
                let place = Place::Memory { base, many, first: 0, index: None };
                self.store(&place, &leaves, &words, false)
            }
            Home::Slice { .. } => Err(Refused("a slice is no variable".into())),
        }
    }

    pub(crate) fn bind(&mut self, pat: &Pat, words: Vec<Word>) -> Result<()> {
        match pat {
            Pat::Wild => Ok(()),
            Pat::Local(id) => {
                let leaves = self.leaves(&self.func.locals[*id].ty);
                let words = self.fit(words, &leaves);
                self.bind_local(*id, words)
            }
            Pat::Tuple(items, ty) => {
                let leaves = self.leaves(ty);
                let mut words = self.fit(words, &leaves).into_iter();
                let Ty::Tuple(types) = ty else { return Err(Refused("not a tuple".into())) };
                for (item, ty) in items.iter().zip(types) {
                    let count = self.leaves(ty).len();
                    self.bind(item, words.by_ref().take(count).collect())?;
                }
                Ok(())
            }
        }
    }

    /// Whether an expression names a place (or a part of a constant): it is read where it lies.
    pub(crate) fn is_place(e: &Expr) -> bool {
        match &e.kind {
            Kind::Local(_) | Kind::Deref(_) | Kind::Const(_) => true,
            Kind::Field(base, _) | Kind::Member(base, _) | Kind::Index(base, _) => Self::is_place(base),
            _ => false,
        }
    }

    /// Words before a part of a type, and the part's type with the references that it is written in.
    pub(crate) fn member_offset(&self, ty: &Ty, name: &str) -> usize {
        let Ty::Struct(StructRef::Path(k) | StructRef::ResultOf(k)) = ty else { return 0 };
        let module = &*self.s.module;
        let Some(s) = module.structure(&name_of(&self.func.references, *k)) else { return 0 };
        let before = s.fields.iter().take_while(|f| f.name != name);
        before.map(|f| leaves(module, &s.references, &f.ty).len()).sum()
    }

    pub(crate) fn field_offset(&self, ty: &Ty, index: usize) -> usize {
        let Ty::Tuple(items) = ty else { return 0 };
        items[..index.min(items.len())].iter().map(|t| self.leaves(t).len()).sum()
    }

    /// A variable.
    pub(crate) fn local_place(&mut self, id: LocalId) -> Place {
        match self.homes[id].clone() {
            Home::Words(_) | Home::Slice { .. } => Place::Words { id, first: 0 },
            Home::Memory { slot, many } => {
                let base = self.b.ins().stack_addr(types::I64, slot, 0);
                Place::Memory { base, many, first: 0, index: None }
            }
        }
    }

    pub(crate) fn place(&mut self, e: &Expr) -> Result<Place> {
        match &e.kind {
            Kind::Local(id) => Ok(self.local_place(*id)),
            Kind::Deref(inner) => {
                let pointer = self.scalar(inner)?;
                let base = self.lane(Leaf::Pointer, &pointer, 0);
                Ok(Place::Memory { base, many: false, first: 0, index: None })
            }
            Kind::Const(k) => {
                let name = name_of(&self.func.references, *k);
                let base = self.table(&name)?;
                Ok(Place::Memory { base, many: false, first: 0, index: None })
            }
            Kind::Field(base, index) => {
                let offset = self.field_offset(&base.ty, *index);
                Ok(self.place(base)?.after(offset))
            }
            Kind::Member(base, name) => {
                let offset = self.member_offset(&base.ty, name);
                Ok(self.place(base)?.after(offset))
            }
            Kind::Index(base, index) => self.element(base, index),
            _ => Err(Refused("this is no place".into())),
        }
    }

    fn element(&mut self, base: &Expr, index: &Expr) -> Result<Place> {
        if let Ty::Slice(..) = base.ty {
            let index = self.scalar(index)?;
            let index = self.lane(Leaf::U64, &index, 0);
            let Kind::Local(id) = base.kind else { return Err(Refused("not a slice".into())) };
            let Home::Slice { start, len, leaf } = self.homes[id].clone() else {
                return Err(Refused("not a slice".into()));
            };
            let spare = self.stack(8);
            let spare = self.b.ins().stack_addr(types::I64, spare, 0);
            let zero = self.ops(|o| o.int(types::I64, 0));
            self.b.ins().store(TRUSTED, zero, spare, 0);
            let inside = self.ops(|o| o.compare(Op::Lt, Leaf::U64, index, len));
            let bytes = self.b.ins().imul_imm_s(index, leaf.size() as i64);
            let at = self.b.ins().iadd(start, bytes);
            let at = self.b.ins().select(inside, at, spare);
            return Ok(Place::Element { at, leaf });
        }
        let place = self.place(base)?;
        let Ty::Array(elem, n) = &base.ty else { return Err(Refused("not an array".into())) };
        let words = self.leaves(elem).len();
        if let Kind::Int(k) = index.kind {
            let k = usize::try_from(k).unwrap_or(usize::MAX).min(n - 1);
            return Ok(place.after(k * words));
        }
        let index = self.scalar(index)?;
        let last = Word::One(self.int_constant(Leaf::U64, *n as i128 - 1));
        let beyond = self.binary(Op::Gt, Leaf::U64, &index, Leaf::U64, &last);
        let index = self.select(Leaf::U64, &beyond, &last, &index);
        let size = Word::One(self.int_constant(Leaf::U64, words as i128));
        let offset = match words {
            1 => index,
            _ => self.binary(Op::Mul, Leaf::U64, &index, Leaf::U64, &size),
        };
        match place {
            Place::Memory { base, many, first, index: before } => {
                let index = match before {
                    Some(before) => self.binary(Op::Add, Leaf::U64, &before, Leaf::U64, &offset),
                    None => offset,
                };
                Ok(Place::Memory { base, many, first, index: Some(index) })
            }
            _ => Err(Refused("an element chosen at run time is not in memory".into())),
        }
    }

    /// The address of a row of words: of one value, or of one for each lane.
    fn address(&mut self, base: Value, many: bool, index: Option<Value>) -> Value {
        let Some(index) = index else { return base };
        let bytes = self.b.ins().imul_imm_s(index, 8 * if many { self.lanes as i64 } else { 1 });
        self.b.ins().iadd(base, bytes)
    }

    /// Where the value of one lane is in a row.
    fn lane_offset(leaf: Leaf, lane: usize) -> usize {
        lane * if leaf.per_vector() == 4 { 4 } else { 8 }
    }

    fn load_lane(&mut self, leaf: Leaf, row: bool, at: Value, offset: usize) -> Value {
        match (leaf, row) {
            (Leaf::Bool, true) => {
                let mask = self.b.ins().load(types::I64, TRUSTED, at, offset as i32);
                let low = self.b.ins().ireduce(types::I8, mask);
                self.b.ins().band_imm_s(low, 1)
            }
            _ => self.b.ins().load(leaf.scalar(), TRUSTED, at, offset as i32),
        }
    }

    fn load_row(&mut self, leaf: Leaf, at: Value, offset: usize) -> Word {
        let count = self.lanes / leaf.per_vector();
        Word::Many(
            (0..count).map(|k| self.b.ins().load(leaf.vector(), TRUSTED, at, (offset + 16 * k) as i32)).collect(),
        )
    }

    pub(crate) fn load(&mut self, place: &Place, leaves: &[Leaf]) -> Result<Vec<Word>> {
        let lanes = self.lanes;
        match place {
            Place::Words { id, first } => match self.homes[*id].clone() {
                Home::Words(vars) => Ok(vars[*first..first + leaves.len()].iter().map(|v| self.get(v)).collect()),
                _ => Err(Refused("a slice is no value".into())),
            },
            Place::Element { at, leaf } => {
                Ok(vec![Word::One(self.b.ins().load(leaf.scalar(), MemFlagsData::new().with_notrap(), *at, 0))])
            }
            Place::Memory { base, many, first, index } => {
                let row = if *many { 8 * lanes } else { 8 };
                let mut out = vec![];
                match index {
                    Some(Word::Many(_)) => {
                        let index = index.clone().unwrap_or(Word::Many(vec![]));
                        let mut starts = vec![];
                        for lane in 0..lanes {
                            let index = self.lane(Leaf::U64, &index, lane);
                            starts.push(self.address(*base, *many, Some(index)));
                        }
                        for (k, leaf) in leaves.iter().enumerate() {
                            let mut values = vec![];
                            for (lane, at) in starts.iter().enumerate() {
                                let within = if *many { Self::lane_offset(*leaf, lane) } else { 0 };
                                values.push(self.load_lane(*leaf, *many, *at, (first + k) * row + within));
                            }
                            out.push(self.collect(*leaf, &values));
                        }
                    }
                    one => {
                        let index = match one {
                            Some(Word::One(index)) => Some(*index),
                            _ => None,
                        };
                        let at = self.address(*base, *many, index);
                        for (k, leaf) in leaves.iter().enumerate() {
                            let offset = (first + k) * row;
                            out.push(match many {
                                true => self.load_row(*leaf, at, offset),
                                false => Word::One(self.load_lane(*leaf, false, at, offset)),
                            });
                        }
                    }
                }
                Ok(out)
            }
        }
    }

    /// Writes a place; `masked`: only in the lanes that run.
    pub(crate) fn store(&mut self, place: &Place, leaves: &[Leaf], words: &[Word], masked: bool) -> Result<()> {
        let lanes = self.lanes;
        match place {
            Place::Words { id, first } => {
                let Home::Words(vars) = self.homes[*id].clone() else {
                    return Err(Refused("a slice is no variable".into()));
                };
                let pairs = vars[*first..].iter().zip(words);
                pairs
                    .into_iter()
                    .try_for_each(|(var, w)| if masked { self.set_masked(var, w) } else { self.set(var, w) })
            }
            Place::Element { at, leaf } => {
                let value = self.lane(*leaf, &words[0], 0);
                self.b.ins().store(MemFlagsData::new().with_notrap(), value, *at, 0);
                Ok(())
            }
            Place::Memory { base, many: false, first, index } => {
                let index = match index {
                    Some(Word::Many(_)) => return Err(Refused("lanes write to one place".into())),
                    Some(Word::One(index)) => Some(*index),
                    None => None,
                };
                let at = self.address(*base, false, index);
                for (k, word) in words.iter().enumerate() {
                    let Word::One(value) = word else { return Err(Refused("lanes write to one place".into())) };
                    self.b.ins().store(TRUSTED, *value, at, ((first + k) * 8) as i32);
                }
                Ok(())
            }
            Place::Memory { base, many: true, first, index: Some(index @ Word::Many(_)) } => {
                let mask = self.mask().filter(|_| masked);
                for lane in 0..lanes {
                    let index = self.lane(Leaf::U64, index, lane);
                    let at = self.address(*base, true, Some(index));
                    let runs = mask.clone().map(|mask| self.lane(Leaf::Bool, &Word::Many(mask), lane));
                    for (k, (leaf, word)) in leaves.iter().zip(words).enumerate() {
                        let offset = (first + k) * 8 * lanes + Self::lane_offset(*leaf, lane);
                        let mut value = self.lane(*leaf, word, lane);
                        if let Some(runs) = runs {
                            let old = self.load_lane(*leaf, true, at, offset);
                            value = self.b.ins().select(runs, value, old);
                        }
                        if *leaf == Leaf::Bool {
                            let wide = self.b.ins().uextend(types::I64, value);
                            value = self.b.ins().ineg(wide);
                        }
                        self.b.ins().store(TRUSTED, value, at, offset as i32);
                    }
                }
                Ok(())
            }
            Place::Memory { base, many: true, first, index } => {
                let index = match index {
                    Some(Word::One(index)) => Some(*index),
                    _ => None,
                };
                let at = self.address(*base, true, index);
                let mask = self.mask().filter(|_| masked);
                for (k, (leaf, word)) in leaves.iter().zip(words).enumerate() {
                    let offset = (first + k) * 8 * lanes;
                    let word = match &mask {
                        Some(mask) => {
                            let old = self.load_row(*leaf, at, offset);
                            self.select(*leaf, &Word::Many(mask.clone()), word, &old)
                        }
                        None => word.clone(),
                    };
                    for (i, vector) in self.many(*leaf, &word).into_iter().enumerate() {
                        self.b.ins().store(TRUSTED, vector, at, (offset + 16 * i) as i32);
                    }
                }
                Ok(())
            }
        }
    }

    /// The address of a place, for a reference.
    pub(crate) fn address_of(&mut self, place: &Place) -> Result<Value> {
        match place {
            Place::Memory { base, many: false, first, index } => {
                let index = match index {
                    Some(Word::One(index)) => Some(*index),
                    Some(Word::Many(_)) => return Err(Refused("a reference for each lane".into())),
                    None => None,
                };
                let at = self.address(*base, false, index);
                Ok(self.b.ins().iadd_imm_s(at, (*first * 8) as i64))
            }
            _ => Err(Refused("a reference to a register".into())),
        }
    }

    /// Where the words of a constant are.
    fn table(&mut self, name: &str) -> Result<Value> {
        let address = match self.s.tables.iter().find(|(known, _)| known == name) {
            Some((_, words)) => words.as_ptr(),
            None => {
                let value = self.s.module.constant(name).map_err(|e| Refused(e.to_string()))?;
                let mut words = vec![];
                words_of(&value, &mut words);
                let words: Box<[u64]> = words.into();
                let address = words.as_ptr();
                self.s.tables.push((name.to_string(), words));
                address
            }
        };
        Ok(self.b.ins().iconst(types::I64, address as i64))
    }
}

impl Place {
    /// So many words further on.
    fn after(self, words: usize) -> Place {
        match self {
            Place::Words { id, first } => Place::Words { id, first: first + words },
            Place::Memory { base, many, first, index } => Place::Memory { base, many, first: first + words, index },
            element => element,
        }
    }
}

/// Which variables lie in memory: an element is chosen at run time, or (`references`) a reference points to it.
pub(crate) fn in_memory(func: &Func, references: bool) -> Vec<bool> {
    let mut in_memory = vec![false; func.locals.len()];
    func.visit(&mut |e| match &e.kind {
        Kind::Index(base, index) if !matches!(index.kind, Kind::Int(_)) => mark(base, &mut in_memory),
        Kind::RefMut(place) if references => mark(place, &mut in_memory),
        _ => {}
    });
    for (marked, local) in in_memory.iter_mut().zip(&func.locals) {
        *marked &= !matches!(local.ty, Ty::Ref(_) | Ty::Slice(..));
    }
    in_memory
}

fn mark(e: &Expr, in_memory: &mut [bool]) {
    match &e.kind {
        Kind::Local(id) => in_memory[*id] = true,
        Kind::Field(a, _) | Kind::Member(a, _) | Kind::Index(a, _) => mark(a, in_memory),
        _ => {}
    }
}
