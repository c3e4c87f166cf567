//! What is the same in all lanes, and where lanes part.
//!
//! A variable is uniform if all values that it is given are, and no lane misses one of them. A loop or labelled block diverges if lanes leave it at different
//! times; then it runs under masks, and so does everything that jumps out of it. Both are found by walking the function until
//! nothing changes.

use gristmill_kernel_lang::ir::*;
use std::collections::{HashMap, HashSet};

/// Expressions by their address: the function does not move while it is compiled.
pub(crate) type Node = *const Expr;

/// Facts about a function on lanes.
#[derive(Debug, Default)]
pub(crate) struct Uniformity {
    locals: Vec<bool>,
    nodes: HashMap<Node, bool>,
    loops: Vec<bool>,
    /// Whether what a loop or labelled block gives differs between lanes.
    values: Vec<bool>,
    /// Lanes return at different times.
    pub(crate) returns: bool,
    /// `if`, `match` and `&&` from whose arms some lanes may leave by a masked jump; loops likewise.
    escapes: HashSet<Node>,
    /// Loops of which some lanes may begin the next round before others have ended this one.
    continued: HashSet<LoopId>,
    sizes: HashMap<Node, usize>,
    /// Everything is uniform: a scalar function.
    scalar: bool,
}

/// Arms beyond this many operations are skipped if no lane takes them: a mispredicted branch costs about as much.
const CHEAP: usize = 30;

impl Uniformity {
    /// Of a function that handles one element.
    pub(crate) fn scalar() -> Uniformity {
        Uniformity { scalar: true, ..Uniformity::default() }
    }

    /// Of a function over lanes; `varying` says which parameters differ between them.
    pub(crate) fn of(func: &Func, varying: &[bool]) -> Uniformity {
        let mut facts = Uniformity {
            locals: vec![false; func.locals.len()],
            loops: vec![false; func.loops.len()],
            values: vec![false; func.loops.len()],
            ..Uniformity::default()
        };
        for (p, varying) in func.params.iter().zip(varying) {
            facts.locals[p.id] |= varying;
        }
        loop {
            let state =
                |f: &Uniformity| (f.loops.clone(), f.values.clone(), f.returns, f.locals.clone(), f.escapes.len());
            let before = state(&facts);
            let mut walk = Walk { facts: &mut facts, frames: vec![None], divergent: 0, arms: vec![] };
            walk.block(&func.body);
            if before == state(&facts) {
                return facts;
            }
        }
    }

    /// Does the variable differ between lanes?
    pub(crate) fn local(&self, id: LocalId) -> bool {
        !self.scalar && self.locals[id]
    }

    /// Does the value differ between lanes?
    pub(crate) fn varies(&self, e: &Expr) -> bool {
        !self.scalar && self.nodes.get(&(e as Node)).copied().unwrap_or(true)
    }

    /// Do lanes leave the loop at different times?
    pub(crate) fn diverges(&self, id: LoopId) -> bool {
        !self.scalar && self.loops[id]
    }

    /// Does what a loop or labelled block gives differ between lanes?
    pub(crate) fn value_varies(&self, id: LoopId) -> bool {
        !self.scalar && (self.values[id] || self.loops[id])
    }

    /// Are there loops that lanes leave at different times?
    pub(crate) fn has_divergent_loops(&self, func: &Func) -> bool {
        self.loops.iter().zip(&func.loops).any(|(diverges, info)| *diverges && !info.block)
    }

    /// May some lanes, not all, jump out of this expression?
    pub(crate) fn escapes(&self, e: &Expr) -> bool {
        !self.scalar && self.escapes.contains(&(e as Node))
    }

    /// Does a lane wait for the next round of this loop anywhere?
    pub(crate) fn continues(&self, id: LoopId) -> bool {
        self.continued.contains(&id)
    }

    /// Whether an arm is worth a branch around it.
    pub(crate) fn is_cheap(&self, e: &Expr) -> bool {
        self.sizes.get(&(e as Node)).copied().unwrap_or(usize::MAX) <= CHEAP
    }
}

struct Walk<'a> {
    facts: &'a mut Uniformity,
    /// The function, then the loops and labelled blocks around this point.
    frames: Vec<Option<LoopId>>,
    /// How many of the frames, from the outermost on, some lanes may have parted from on the way here.
    divergent: usize,
    /// Expressions with arms around this point, and how many frames there were.
    arms: Vec<(Node, usize)>,
}

/// Varies between lanes; operations.
type Fact = (bool, usize);

fn join(a: Fact, b: Fact) -> Fact {
    (a.0 || b.0, a.1.saturating_add(b.1))
}

/// A loop, a call: always worth a branch around it.
const LARGE: usize = 1000;

impl Walk<'_> {
    fn block(&mut self, b: &Block) -> Fact {
        let mut size = 0usize;
        for s in &b.stmts {
            match s {
                Stmt::Let(pat, value, _) => {
                    let fact = value.as_ref().map_or((false, 0), |v| self.expr(v));
                    size = size.saturating_add(fact.1);
                    self.bind(pat, fact.0);
                }
                Stmt::Expr(e) => size = size.saturating_add(self.expr(e).1),
            }
        }
        let tail = b.tail.as_ref().map_or((false, 0), |t| self.expr(t));
        (tail.0, tail.1.saturating_add(size))
    }

    fn bind(&mut self, pat: &Pat, varies: bool) {
        match pat {
            Pat::Wild => {}
            Pat::Local(id) => self.facts.locals[*id] |= varies,
            Pat::Tuple(items, _) => items.iter().for_each(|p| self.bind(p, varies)),
        }
    }

    /// A variable gets a value, or a part of it does. Lanes that are elsewhere do not get it.
    fn assign(&mut self, place: &Expr, varies: bool) {
        let mut chosen_by_lane = false;
        let mut at = place;
        let id = loop {
            match &at.kind {
                Kind::Local(id) => break Some(*id),
                Kind::Index(base, index) => {
                    chosen_by_lane |= self.expr(index).0;
                    at = base;
                }
                Kind::Field(base, _) | Kind::Member(base, _) | Kind::Deref(base) => at = base,
                _ => break None,
            }
        };
        if let Some(id) = id {
            self.facts.locals[id] |= varies || chosen_by_lane || self.divergent > 0;
        }
    }

    fn all<'e>(&mut self, list: impl IntoIterator<Item = &'e Expr>) -> Fact {
        list.into_iter().fold((false, 1), |fact, e| join(fact, self.expr(e)))
    }

    /// A jump to a frame.
    fn jump(&mut self, frame: usize) {
        if frame < self.divergent {
            match self.frames[frame] {
                Some(id) => self.facts.loops[id] = true,
                None => self.facts.returns = true,
            }
        }
        let masked = match self.frames[frame] {
            Some(id) => self.facts.loops[id],
            None => self.facts.returns,
        };
        if masked {
            // A masked jump leaves no loop by itself, not even where all lanes take it: the loops inside must look at the masks.
            for id in self.frames[frame + 1..].iter().flatten() {
                self.facts.loops[*id] = true;
            }
            for (node, frames) in &self.arms {
                if *frames > frame {
                    self.facts.escapes.insert(*node);
                }
            }
        }
    }

    fn frame_of(&self, id: LoopId) -> usize {
        self.frames.iter().position(|f| *f == Some(id)).unwrap_or(0)
    }

    fn frame(&mut self, id: LoopId, node: Node, inside: impl FnOnce(&mut Self) -> Fact) -> Fact {
        let before = self.divergent;
        if self.facts.loops[id] {
            self.divergent = self.frames.len();
        }
        self.arms.push((node, self.frames.len()));
        self.frames.push(Some(id));
        let fact = inside(self);
        self.frames.pop();
        self.arms.pop();
        self.divergent = before;
        fact
    }

    /// Arms of an expression, of which lanes take different ones if `parts`.
    fn arms(&mut self, node: Node, parts: bool, inside: impl FnOnce(&mut Self) -> Fact) -> Fact {
        let before = self.divergent;
        if parts {
            self.divergent = self.frames.len();
        }
        self.arms.push((node, self.frames.len()));
        let fact = inside(self);
        self.arms.pop();
        self.divergent = before;
        fact
    }

    fn expr(&mut self, e: &Expr) -> Fact {
        let node = e as Node;
        let fact = self.kind(e, node);
        self.facts.nodes.insert(node, fact.0);
        self.facts.sizes.insert(node, fact.1);
        fact
    }

    fn kind(&mut self, e: &Expr, node: Node) -> Fact {
        match &e.kind {
            Kind::Float(_) | Kind::Int(_) | Kind::Bool(_) | Kind::Unit | Kind::Const(_) => (false, 0),
            Kind::Local(id) => (self.facts.locals[*id], 0),
            Kind::Unary(_, a) | Kind::Cast(a) => join(self.expr(a), (false, 1)),
            Kind::Repeat(a, _) | Kind::Len(a) | Kind::Field(a, _) | Kind::Member(a, _) | Kind::Deref(a) => self.expr(a),
            Kind::RefMut(a) => {
                self.assign(a, true);
                self.expr(a)
            }
            Kind::Binary(op @ (Op::And | Op::Or), a, b) => {
                let _ = op;
                let first = self.expr(a);
                let second = self.arms(node, first.0, |this| this.expr(b));
                join(first, second)
            }
            Kind::Binary(_, a, b) | Kind::Index(a, b) => self.all([&**a, &**b]),
            Kind::Call(_, list) => join(self.all(list), (false, LARGE)),
            Kind::Method(_, list) | Kind::Tuple(list) | Kind::Array(list) => self.all(list),
            Kind::Struct(fields) => self.all(fields.iter().map(|f| &f.1)),
            Kind::Block(b) => self.block(b),
            Kind::Labeled(id, b) => {
                let fact = self.frame(*id, node, |this| this.block(b));
                self.facts.values[*id] |= fact.0;
                (fact.0 || self.facts.values[*id] || self.facts.loops[*id], fact.1)
            }
            Kind::If(c, then, other) => {
                let test = self.expr(c);
                let arms = self.arms(node, test.0, |this| {
                    let then = this.block(then);
                    let other = other.as_ref().map_or((false, 0), |o| this.expr(o));
                    join(then, other)
                });
                join(test, arms)
            }
            Kind::Match(s, list) => {
                let scrutinee = self.expr(s);
                let mut parts = scrutinee.0;
                let mut fact = scrutinee;
                for arm in list {
                    if let Some(id) = arm.bind {
                        self.facts.locals[id] |= scrutinee.0;
                    }
                    if let Some(g) = &arm.guard {
                        let guard = self.arms(node, parts, |this| this.expr(g));
                        parts |= guard.0;
                        fact = join(fact, guard);
                    }
                    let body = self.arms(node, parts, |this| this.expr(&arm.body));
                    fact = join(fact, body);
                }
                (fact.0 || parts, fact.1)
            }
            Kind::Loop(id, body) => {
                let fact = self.frame(*id, node, |this| this.block(body));
                (self.facts.values[*id] || self.facts.loops[*id], fact.1.saturating_add(LARGE))
            }
            Kind::While(id, c, body) => {
                let fact = self.frame(*id, node, |this| {
                    let test = this.expr(c);
                    if test.0 {
                        this.facts.loops[*id] = true;
                    }
                    join(test, this.block(body))
                });
                (false, fact.1.saturating_add(LARGE))
            }
            Kind::For { id, var, lo, hi, body, .. } => {
                let bounds = join(self.expr(lo), self.expr(hi));
                if bounds.0 {
                    self.facts.loops[*id] = true;
                }
                if let Some(var) = var {
                    self.facts.locals[*var] |= bounds.0;
                }
                let fact = self.frame(*id, node, |this| this.block(body));
                (false, fact.1.saturating_add(LARGE))
            }
            Kind::Assign(p, v) | Kind::AssignOp(_, p, v) => {
                let (value, place) = (self.expr(v), self.expr(p));
                self.assign(p, value.0);
                (false, join(value, place).1.saturating_add(1))
            }
            Kind::AssignTuple(places, v) => {
                let (value, place) = (self.expr(v), self.all(places.iter().flatten()));
                places.iter().flatten().for_each(|p| self.assign(p, value.0));
                (false, join(value, place).1)
            }
            Kind::Return(v) => {
                let fact = v.as_ref().map_or((false, 0), |v| self.expr(v));
                self.jump(0);
                (false, fact.1)
            }
            Kind::Break(id, v) => {
                let fact = v.as_ref().map_or((false, 0), |v| self.expr(v));
                self.facts.values[*id] |= fact.0;
                let frame = self.frame_of(*id);
                self.jump(frame);
                (false, fact.1)
            }
            Kind::Continue(id) => {
                self.facts.continued.insert(*id);
                let frame = self.frame_of(*id);
                self.jump(frame);
                (false, 0)
            }
        }
    }
}
