//! An interpreter of the IR: the third judge beside rustc and the device's compiler.
//!
//! It evaluates one expression after the other by Rust's own operations on numbers, so it shares neither LLVM's
//! optimiser nor any C with the other two. A [`Module`] is a text with functions, constants and structs; names are
//! resolved by their last segment.

use crate::ir::*;
use crate::{Form, StructTranslation, c_type, lower};
use gristmill_scalar::{constant_f32, constant_f64, names};
use std::collections::HashMap;
use std::fmt;

/// A value.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "one variant for each type")]
pub enum Val {
    F64(f64),
    F32(f32),
    I32(i32),
    I64(i64),
    U32(u32),
    U64(u64),
    Usize(u64),
    Bool(bool),
    Unit,
    Tuple(Vec<Val>),
    Array(Vec<Val>),
    Struct(Vec<(String, Val)>),
    /// `&mut`: a variable of a frame, and the way into it.
    Ref(usize, LocalId, Vec<Step>),
    /// A buffer of [`Module::launch`].
    Slice(usize),
}

/// A step into a value.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// A part of a tuple.
    Field(usize),
    /// A field of a struct.
    Member(String),
    /// An element of an array; in range.
    Element(usize),
}

/// Why a run did not end with a value.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RunError {
    /// More steps than allowed: perhaps an endless loop.
    Steps,
    /// The module has no such item, or not with these types. rustc would have refused it.
    Invalid(String),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Steps => f.write_str("the run took more steps than allowed"),
            RunError::Invalid(what) => write!(f, "not a valid program: {what}"),
        }
    }
}

impl std::error::Error for RunError {}

type Result<T> = std::result::Result<T, RunError>;

fn invalid<T>(what: impl Into<String>) -> Result<T> {
    Err(RunError::Invalid(what.into()))
}

/// The kernels of a text.
#[derive(Debug, Default)]
pub struct Module {
    pub(crate) functions: HashMap<String, Func>,
    pub(crate) constants: HashMap<String, Func>,
    pub(crate) structs: HashMap<String, StructTranslation>,
    /// Names in the order of the text, and which functions are entry points.
    pub(crate) order: Vec<(String, bool)>,
    /// Where the items stand and what their comments say, if the module is a whole text.
    pub(crate) notes: HashMap<String, crate::ItemNote>,
    pub(crate) externs: Option<std::rc::Rc<dyn crate::Externs>>,
}

impl Module {
    /// Reads every function, constant and struct with `#[kernel]` on it; other items are ignored.
    ///
    /// # Errors
    /// The refusals of the language, and Rust's syntax errors.
    pub fn parse(text: &str) -> syn::Result<Module> {
        let file: syn::File = syn::parse_str(text)?;
        let mut module = Module::default();
        let marked = |attrs: &[syn::Attribute]| attrs.iter().find(|a| a.path().is_ident("kernel")).cloned();
        for item in &file.items {
            match item {
                syn::Item::Fn(f) => {
                    let Some(attr) = marked(&f.attrs) else { continue };
                    let form = form_of(&attr);
                    let func = lower::lower(f, form, None)?.func;
                    module.order.push((func.name.clone(), form == Form::Entry));
                    module.functions.insert(func.name.clone(), func);
                }
                syn::Item::Const(c) if marked(&c.attrs).is_some() => {
                    let name = c.ident.to_string();
                    module.order.push((name.clone(), false));
                    module.constants.insert(name.clone(), lower::lower_const(&name, &c.ty, &c.expr, None)?);
                }
                syn::Item::Struct(s) if marked(&s.attrs).is_some() => {
                    module.order.push((s.ident.to_string(), false));
                    module.structs.insert(s.ident.to_string(), crate::translate_struct(s)?);
                }
                _ => {}
            }
        }
        Ok(module)
    }

    /// The C text of all items, in the order of the text, without `#line`. Callees must stand before their callers.
    ///
    /// # Errors
    /// When a name is not in the module.
    pub fn to_c(&self) -> Result<String> {
        let mut out = String::new();
        let mut typedefs: Vec<String> = vec![];
        for (name, entry) in &self.order {
            let c_name = names::exported(name);
            let mut define =
                |defs: &[crate::Typedef], references: &[crate::Reference], out: &mut String| -> Result<()> {
                    for d in defs {
                        let (name, members) =
                            (self.resolve(&d.name, references)?, self.resolve(&d.members, references)?);
                        if !typedefs.contains(&name) {
                            out.push_str(&format!("typedef struct {{ {members} }} {name};\n"));
                            typedefs.push(name);
                        }
                    }
                    Ok(())
                };
            if let Some(s) = self.structs.get(name) {
                define(&s.typedefs, &s.references, &mut out)?;
                out.push_str(&format!("typedef struct {{ {} }} {c_name};\n", self.resolve(&s.members, &s.references)?));
            } else if let Some(f) = self.functions.get(name) {
                let c = crate::emit(f, *entry);
                define(&c.typedefs, &f.references, &mut out)?;
                let head = if *entry { "__kernel void".to_string() } else { self.resolve(&c.ret, &f.references)? };
                let body: String = c.text.split_inclusive('\n').filter(|l| !l.starts_with("#line ")).collect();
                out.push_str(&format!("{head} {c_name}{}", self.resolve(&body, &f.references)?));
            } else if let Some(c) = self.constants.get(name) {
                let mut run = Run { module: self, frames: vec![], buffers: vec![], steps: 1_000_000 };
                let value = run.call(c, vec![])?;
                let (mut elem, mut bounds) = (&c.ret, String::new());
                while let Ty::Array(inner, n) = elem {
                    bounds.push_str(&format!("[{n}]"));
                    elem = inner;
                }
                if bounds.is_empty() {
                    define(&crate::const_typedefs(elem), &[], &mut out)?;
                    let cast = if let Ty::Tuple(_) = elem { Some(c_type(elem)) } else { None };
                    let value = literal(&value)?;
                    let value = cast.map_or(value.clone(), |c| format!("(({c}){value})"));
                    out.push_str(&format!("#define {c_name} {value}\n"));
                } else {
                    out.push_str(&format!("__constant {} {c_name}{bounds} = {};\n", c_type(elem), literal(&value)?));
                }
            }
        }
        Ok(out)
    }

    fn resolve(&self, text: &str, references: &[crate::Reference]) -> Result<String> {
        let mut out = String::new();
        for (text, marker) in crate::split_references(text) {
            out.push_str(text);
            let name = |i: usize| references[i].path.segments.last().expect("a path has a segment").ident.to_string();
            match marker {
                Some(crate::Marker::Item(i)) => out.push_str(&names::exported(&name(i))),
                Some(crate::Marker::ResultOf(i)) => match self.functions.get(&name(i)) {
                    Some(f) => out.push_str(&self.resolve(&c_type(&f.ret), &f.references)?),
                    None => match self.constants.get(&name(i)) {
                        Some(c) => out.push_str(&c_type(&c.ret)),
                        None => return invalid(format!("no function or constant `{}`", name(i))),
                    },
                },
                None => {}
            }
        }
        Ok(out)
    }

    /// The names of the functions, in the order of the text.
    pub fn function_names(&self) -> impl Iterator<Item = &str> {
        self.order.iter().map(|(n, _)| n.as_str()).filter(|n| self.functions.contains_key(*n))
    }

    /// The value of a constant.
    ///
    /// # Errors
    /// When there is none of this name, or its expression takes too many steps.
    pub fn constant(&self, name: &str) -> Result<Val> {
        let Some(constant) = self.constants.get(name) else { return invalid(format!("no constant `{name}`")) };
        Run { module: self, frames: vec![], buffers: vec![], steps: 1_000_000 }.call(constant, vec![])
    }

    /// The type of a constant.
    pub fn constant_type(&self, name: &str) -> Option<&Ty> {
        self.constants.get(name).map(|c| &c.ret)
    }

    /// The struct of this name.
    pub fn structure(&self, name: &str) -> Option<&StructTranslation> {
        self.structs.get(name)
    }

    /// Every item's name, in the order of the text.
    pub fn item_names(&self) -> impl Iterator<Item = &str> {
        self.order.iter().map(|(n, _)| n.as_str())
    }

    /// The function of this name.
    pub fn function(&self, name: &str) -> Option<&Func> {
        self.functions.get(name)
    }

    /// Calls a function without `&mut` parameters, with at most `steps` steps.
    ///
    /// # Errors
    /// When it takes more steps, or the text is not a program that rustc accepts.
    pub fn call(&self, name: &str, args: Vec<Val>, steps: u64) -> Result<Val> {
        self.call_counted(name, args, steps).map(|(value, _)| value)
    }

    /// As [`Module::call`], and how many steps it took.
    ///
    /// # Errors
    /// As [`Module::call`].
    pub fn call_counted(&self, name: &str, args: Vec<Val>, steps: u64) -> Result<(Val, u64)> {
        let Some(func) = self.functions.get(name) else { return invalid(format!("no function `{name}`")) };
        let mut run = Run { module: self, frames: vec![], buffers: vec![], steps };
        let value = run.call(func, args)?;
        Ok((value, steps - run.steps))
    }

    /// Runs the work-items 0 to `n` of an entry point, in order. `args` follow the index; [`Val::Slice`] `k` means
    /// `buffers[k]`.
    ///
    /// # Errors
    /// As [`Module::call`].
    pub fn launch(&self, name: &str, n: u64, args: &[Val], buffers: &mut Vec<Vec<Val>>, steps: u64) -> Result<()> {
        let Some(func) = self.functions.get(name) else { return invalid(format!("no entry `{name}`")) };
        let mut run = Run { module: self, frames: vec![], buffers: std::mem::take(buffers), steps };
        let mut result = Ok(());
        for i in 0..n {
            let mut all = vec![Val::Usize(i)];
            all.extend(args.iter().cloned());
            if let Err(e) = run.call(func, all) {
                result = Err(e);
                break;
            }
        }
        *buffers = run.buffers;
        result
    }
}

/// The form that an attribute says.
pub(crate) fn form_of(attr: &syn::Attribute) -> Form {
    let syn::Meta::List(list) = &attr.meta else { return Form::Function };
    let said = |name: &str| list.tokens.clone().into_iter().any(|t| t.to_string() == name);
    match () {
        () if said("split") => Form::Split,
        () if said("masked") => Form::Masked,
        () if said("entry") => Form::Entry,
        () => Form::Function,
    }
}

/// How an expression ended.
enum Flow {
    Value(Val),
    Return(Val),
    Break(LoopId, Val),
    Continue(LoopId),
}

/// Takes the value out of an expression, or passes its jump on.
macro_rules! value {
    ($e:expr) => {
        match $e? {
            Flow::Value(v) => v,
            jump => return Ok(jump),
        }
    };
}

struct Run<'m> {
    module: &'m Module,
    frames: Vec<Vec<Val>>,
    buffers: Vec<Vec<Val>>,
    steps: u64,
}

/// A place: a frame's variable and the way into it, or an element of a buffer (`None`: outside).
enum Place {
    Variable(usize, LocalId, Vec<Step>),
    Buffer(usize, Option<usize>),
}

impl Run<'_> {
    fn call(&mut self, func: &Func, args: Vec<Val>) -> Result<Val> {
        if func.params.len() != args.len() {
            return invalid(format!("`{}` takes {} arguments", func.name, func.params.len()));
        }
        if self.frames.len() > 200 {
            return invalid("recursion");
        }
        let mut frame = vec![Val::Unit; func.locals.len()];
        for (p, a) in func.params.iter().zip(args) {
            if !fits(&p.ty, &a) {
                return invalid(format!("`{}` takes `{}`, not {a:?}", func.name, p.ty.spell()));
            }
            frame[p.id] = a;
        }
        self.frames.push(frame);
        let flow = self.block(func, &func.body);
        self.frames.pop();
        match flow? {
            Flow::Value(v) | Flow::Return(v) => Ok(v),
            Flow::Break(..) | Flow::Continue(_) => invalid("a jump out of a function"),
        }
    }

    fn frame(&mut self) -> &mut Vec<Val> {
        self.frames.last_mut().expect("a function is running")
    }

    fn block(&mut self, f: &Func, b: &Block) -> Result<Flow> {
        for s in &b.stmts {
            match s {
                Stmt::Expr(e) => {
                    value!(self.expr(f, e));
                }
                Stmt::Let(pat, Some(e), _) => {
                    let v = value!(self.expr(f, e));
                    self.bind(pat, v)?;
                }
                Stmt::Let(_, None, _) => {}
            }
        }
        match &b.tail {
            Some(t) => self.expr(f, t),
            None => Ok(Flow::Value(Val::Unit)),
        }
    }

    fn bind(&mut self, pat: &Pat, v: Val) -> Result<()> {
        match (pat, v) {
            (Pat::Wild, _) => Ok(()),
            (Pat::Local(id), v) => {
                self.frame()[*id] = v;
                Ok(())
            }
            (Pat::Tuple(pats, _), Val::Tuple(vs)) => pats.iter().zip(vs).try_for_each(|(p, v)| self.bind(p, v)),
            (Pat::Tuple(..), v) => invalid(format!("{v:?} is no tuple")),
        }
    }

    fn place(&mut self, f: &Func, e: &Expr) -> Result<std::result::Result<Place, Flow>> {
        let here = self.frames.len() - 1;
        macro_rules! inner {
            ($base:expr, $step:expr) => {
                match self.place(f, $base)? {
                    Ok(Place::Variable(frame, id, mut path)) => {
                        path.push($step);
                        Ok(Ok(Place::Variable(frame, id, path)))
                    }
                    Ok(Place::Buffer(..)) => invalid("a part of a slice's element"),
                    Err(jump) => Ok(Err(jump)),
                }
            };
        }
        match &e.kind {
            Kind::Local(id) => Ok(Ok(Place::Variable(here, *id, vec![]))),
            Kind::Deref(inner) => match self.expr(f, inner)? {
                Flow::Value(Val::Ref(frame, id, path)) => Ok(Ok(Place::Variable(frame, id, path))),
                Flow::Value(v) => invalid(format!("{v:?} is no reference")),
                jump => Ok(Err(jump)),
            },
            Kind::Field(base, i) => inner!(base, Step::Field(*i)),
            Kind::Member(base, name) => inner!(base, Step::Member(name.clone())),
            Kind::Index(base, index) => {
                macro_rules! index {
                    () => {
                        match self.expr(f, index)? {
                            Flow::Value(Val::Usize(i)) => i,
                            Flow::Value(v) => return invalid(format!("{v:?} is no index")),
                            jump => return Ok(Err(jump)),
                        }
                    };
                }
                if let Ty::Slice(..) = base.ty {
                    let i = index!();
                    let Flow::Value(Val::Slice(k)) = self.expr(f, base)? else { return invalid("not a slice") };
                    let inside = usize::try_from(i).ok().filter(|i| *i < self.buffers[k].len());
                    return Ok(Ok(Place::Buffer(k, inside)));
                }
                // The base is a place: the indices inside it come first, but its value is not read yet.
                match self.place(f, base)? {
                    Ok(Place::Variable(frame, id, mut path)) => {
                        let i = index!();
                        let n = match self.get(frame, id, &path)? {
                            Val::Array(items) => items.len(),
                            other => return invalid(format!("{other:?} is no array")),
                        };
                        path.push(Step::Element(clamp(i, n)));
                        Ok(Ok(Place::Variable(frame, id, path)))
                    }
                    Ok(Place::Buffer(..)) => invalid("an element of a slice's element"),
                    Err(jump) => Ok(Err(jump)),
                }
            }
            _ => invalid("this is no place"),
        }
    }

    fn get(&mut self, frame: usize, id: LocalId, path: &[Step]) -> Result<&mut Val> {
        let mut v = &mut self.frames[frame][id];
        for step in path {
            v = match (step, v) {
                (Step::Field(i), Val::Tuple(items)) | (Step::Element(i), Val::Array(items)) => &mut items[*i],
                (Step::Member(name), Val::Struct(fields)) => match fields.iter_mut().find(|(n, _)| n == name) {
                    Some((_, v)) => v,
                    None => return invalid(format!("no field `{name}`")),
                },
                (_, v) => return invalid(format!("{v:?} has no such part")),
            };
        }
        Ok(v)
    }

    fn store(&mut self, place: Place, v: Val) -> Result<()> {
        match place {
            Place::Variable(frame, id, path) => *self.get(frame, id, &path)? = v,
            Place::Buffer(k, Some(i)) => self.buffers[k][i] = v,
            Place::Buffer(_, None) => {}
        }
        Ok(())
    }

    fn constant(&mut self, f: &Func, k: usize) -> Result<Val> {
        let name = last_segment(f, k);
        match self.module.constants.get(&name) {
            Some(c) => self.call(c, vec![]),
            None => invalid(format!("no constant `{name}`")),
        }
    }

    fn values(&mut self, f: &Func, list: &[Expr]) -> Result<std::result::Result<Vec<Val>, Flow>> {
        let mut out = vec![];
        for e in list {
            match self.expr(f, e)? {
                Flow::Value(v) => out.push(v),
                jump => return Ok(Err(jump)),
            }
        }
        Ok(Ok(out))
    }

    fn expr(&mut self, f: &Func, e: &Expr) -> Result<Flow> {
        self.steps = self.steps.checked_sub(1).ok_or(RunError::Steps)?;
        macro_rules! values {
            ($list:expr) => {
                match self.values(f, $list)? {
                    Ok(v) => v,
                    Err(jump) => return Ok(jump),
                }
            };
        }
        macro_rules! place {
            ($e:expr) => {
                match self.place(f, $e)? {
                    Ok(p) => p,
                    Err(jump) => return Ok(jump),
                }
            };
        }
        Ok(Flow::Value(match &e.kind {
            Kind::Float(v) if e.ty == Ty::F32 => Val::F32(v.f32),
            Kind::Float(v) => Val::F64(v.f64),
            Kind::Int(v) => int(*v, &e.ty)?,
            Kind::Bool(b) => Val::Bool(*b),
            Kind::Unit => Val::Unit,
            Kind::Local(id) => self.frame()[*id].clone(),
            Kind::Const(k) => self.constant(f, *k)?,
            Kind::Unary(op, a) => unary(*op, value!(self.expr(f, a)))?,
            Kind::Binary(op @ (Op::And | Op::Or), a, b) => match value!(self.expr(f, a)) {
                Val::Bool(x) if x == (*op == Op::Or) => Val::Bool(x),
                _ => return self.expr(f, b),
            },
            Kind::Binary(op, a, b) => {
                let a = value!(self.expr(f, a));
                let b = value!(self.expr(f, b));
                binary(*op, a, b)?
            }
            Kind::Cast(a) => cast(value!(self.expr(f, a)), &e.ty)?,
            Kind::Call(k, args) => {
                let args = values!(args);
                let name = last_segment(f, *k);
                match self.module.functions.get(&name) {
                    Some(callee) => self.call(callee, args)?,
                    None => match self.module.externs.as_ref().and_then(|e| e.call(&name, &args)) {
                        Some(value) => value,
                        None => return invalid(format!("no function `{name}`")),
                    },
                }
            }
            Kind::Method(name, args) => method(name, &values!(args), &e.ty)?,
            Kind::Tuple(items) => Val::Tuple(values!(items)),
            Kind::Array(items) => Val::Array(values!(items)),
            Kind::Repeat(item, n) => Val::Array(vec![value!(self.expr(f, item)); *n]),
            Kind::Struct(fields) => {
                let mut out = vec![];
                for (name, v) in fields {
                    out.push((name.clone(), value!(self.expr(f, v))));
                }
                // In the order of the definition, where it is known.
                if let Ty::Struct(StructRef::Path(k)) = e.ty
                    && let Some(order) = self.module.structs.get(&last_segment(f, k))
                {
                    out.sort_by_key(|(n, _)| order.fields.iter().position(|p| p.name == *n));
                }
                Val::Struct(out)
            }
            Kind::Len(a) => match value!(self.expr(f, a)) {
                Val::Array(items) => Val::Usize(items.len() as u64),
                Val::Slice(k) => Val::Usize(self.buffers[k].len() as u64),
                v => return invalid(format!("{v:?} has no length")),
            },
            // A table: nothing changes it, so that its row may be taken before the index is known.
            Kind::Index(base, index) if in_table(base) => {
                let Val::Array(mut items) = value!(self.expr(f, base)) else { return invalid("not a table") };
                match value!(self.expr(f, index)) {
                    Val::Usize(i) => items.swap_remove(clamp(i, items.len())),
                    v => return invalid(format!("{v:?} is no index")),
                }
            }
            Kind::Index(base, _) if !matches!(base.ty, Ty::Slice(..)) => match place!(e) {
                Place::Variable(frame, id, path) => self.get(frame, id, &path)?.clone(),
                Place::Buffer(..) => return invalid("an element of a slice's element"),
            },
            Kind::Index(..) => match place!(e) {
                Place::Buffer(k, Some(i)) => self.buffers[k][i].clone(),
                _ if e.ty == Ty::Bool => Val::Bool(false),
                _ => cast(Val::I32(0), &e.ty)?,
            },
            Kind::Field(base, i) => match value!(self.expr(f, base)) {
                Val::Tuple(mut items) if *i < items.len() => items.swap_remove(*i),
                v => return invalid(format!("{v:?} has no part {i}")),
            },
            Kind::Member(base, name) => match value!(self.expr(f, base)) {
                Val::Struct(fields) => match fields.into_iter().find(|(n, _)| n == name) {
                    Some((_, v)) => v,
                    None => return invalid(format!("no field `{name}`")),
                },
                v => return invalid(format!("{v:?} has no field `{name}`")),
            },
            Kind::Deref(_) => match place!(e) {
                Place::Variable(frame, id, path) => self.get(frame, id, &path)?.clone(),
                Place::Buffer(..) => return invalid("a reference into a slice"),
            },
            Kind::RefMut(p) => match place!(p) {
                Place::Variable(frame, id, path) => Val::Ref(frame, id, path),
                Place::Buffer(..) => return invalid("a reference into a slice"),
            },
            Kind::Block(b) => return self.block(f, b),
            Kind::Labeled(id, b) => match self.block(f, b)? {
                Flow::Break(to, v) if to == *id => v,
                flow => return Ok(flow),
            },
            Kind::If(c, then, other) => match (value!(self.expr(f, c)), other) {
                (Val::Bool(true), None) => {
                    value!(self.block(f, then));
                    Val::Unit
                }
                (Val::Bool(true), _) => return self.block(f, then),
                (_, Some(other)) => return self.expr(f, other),
                (_, None) => Val::Unit,
            },
            Kind::Match(scrutinee, arms) => {
                let v = value!(self.expr(f, scrutinee));
                let x = to_i128(&v)?;
                let last = arms.len().saturating_sub(1);
                for (i, arm) in arms.iter().enumerate() {
                    if let Some(id) = arm.bind {
                        self.frame()[id] = v.clone();
                    }
                    let inside = |(lo, hi): &(Option<i128>, Option<i128>)| {
                        lo.is_none_or(|lo| lo <= x) && hi.is_none_or(|hi| x <= hi)
                    };
                    let fits = arm.ranges.is_empty() || arm.ranges.iter().any(inside);
                    let fits = fits
                        && match &arm.guard {
                            Some(g) => value!(self.expr(f, g)) == Val::Bool(true),
                            None => true,
                        };
                    if fits || i == last {
                        return self.expr(f, &arm.body);
                    }
                }
                return invalid("no arm fits");
            }
            Kind::Loop(id, body) => loop {
                match self.block(f, body)? {
                    Flow::Value(_) => {}
                    Flow::Continue(to) if to == *id => {}
                    Flow::Break(to, v) if to == *id => break v,
                    flow => return Ok(flow),
                }
                self.steps = self.steps.checked_sub(1).ok_or(RunError::Steps)?;
            },
            Kind::While(id, cond, body) => {
                while value!(self.expr(f, cond)) == Val::Bool(true) {
                    match self.block(f, body)? {
                        Flow::Value(_) => {}
                        Flow::Continue(to) if to == *id => {}
                        Flow::Break(to, _) if to == *id => break,
                        flow => return Ok(flow),
                    }
                }
                Val::Unit
            }
            Kind::For { id, var, lo, hi, inclusive, rev, body } => {
                let ty = lo.ty.clone();
                let a = to_i128(&value!(self.expr(f, lo)))?;
                let b = to_i128(&value!(self.expr(f, hi)))? - i128::from(!*inclusive);
                let mut k = if *rev { b } else { a };
                while a <= k && k <= b {
                    if let Some(var) = var {
                        self.frame()[*var] = int(k, &ty)?;
                    }
                    match self.block(f, body)? {
                        Flow::Value(_) => {}
                        Flow::Continue(to) if to == *id => {}
                        Flow::Break(to, _) if to == *id => break,
                        flow => return Ok(flow),
                    }
                    k += if *rev { -1 } else { 1 };
                    self.steps = self.steps.checked_sub(1).ok_or(RunError::Steps)?;
                }
                Val::Unit
            }
            Kind::Assign(place, v) => {
                let v = value!(self.expr(f, v));
                let p = place!(place);
                self.store(p, v)?;
                Val::Unit
            }
            Kind::AssignTuple(places, v) => {
                let v = value!(self.expr(f, v));
                if !places.is_empty() {
                    let Val::Tuple(items) = v else { return invalid("not a tuple") };
                    for (p, v) in places.iter().zip(items) {
                        if let Some(p) = p {
                            let p = place!(p);
                            self.store(p, v)?;
                        }
                    }
                }
                Val::Unit
            }
            Kind::AssignOp(op, place, v) => {
                let v = value!(self.expr(f, v));
                match place!(place) {
                    Place::Variable(frame, id, path) => {
                        let old = self.get(frame, id, &path)?.clone();
                        *self.get(frame, id, &path)? = binary(*op, old, v)?;
                    }
                    Place::Buffer(k, Some(i)) => {
                        let old = self.buffers[k][i].clone();
                        self.buffers[k][i] = binary(*op, old, v)?;
                    }
                    Place::Buffer(_, None) => {}
                }
                Val::Unit
            }
            Kind::Return(None) => return Ok(Flow::Return(Val::Unit)),
            Kind::Return(Some(v)) => {
                let v = value!(self.expr(f, v));
                return Ok(Flow::Return(v));
            }
            Kind::Break(id, None) => return Ok(Flow::Break(*id, Val::Unit)),
            Kind::Break(id, Some(v)) => {
                let v = value!(self.expr(f, v));
                return Ok(Flow::Break(*id, v));
            }
            Kind::Continue(id) => return Ok(Flow::Continue(*id)),
        }))
    }
}

/// A constant in C.
fn literal(v: &Val) -> Result<String> {
    Ok(match v {
        Val::F64(x) => constant_f64(*x),
        Val::F32(x) => constant_f32(*x),
        Val::Bool(x) => u8::from(*x).to_string(),
        Val::Array(items) | Val::Tuple(items) => {
            let items: Result<Vec<String>> = items.iter().map(literal).collect();
            format!("{{{}}}", items?.join(", "))
        }
        v => crate::emit_c::int(to_i128(v)?, &ty_of(v)),
    })
}

fn last_segment(f: &Func, k: usize) -> String {
    f.references[k].path.segments.last().expect("a path has a segment").ident.to_string()
}

/// A constant table, or a row of one.
fn in_table(e: &Expr) -> bool {
    match &e.kind {
        Kind::Const(_) => true,
        Kind::Index(base, _) => in_table(base),
        _ => false,
    }
}

fn clamp(i: u64, n: usize) -> usize {
    usize::try_from(i).map_or(n - 1, |i| i.min(n - 1))
}

fn fits(ty: &Ty, v: &Val) -> bool {
    match (ty, v) {
        (&Ty::F64, Val::F64(_))
        | (&Ty::F32, Val::F32(_))
        | (&Ty::I32, Val::I32(_))
        | (&Ty::I64, Val::I64(_))
        | (&Ty::U32, Val::U32(_))
        | (&Ty::U64, Val::U64(_))
        | (&Ty::Usize, Val::Usize(_))
        | (&Ty::Bool, Val::Bool(_))
        | (Ty::Struct(_), Val::Struct(_))
        | (Ty::Ref(_), Val::Ref(..))
        | (Ty::Slice(..), Val::Slice(_)) => true,
        (Ty::Tuple(tys), Val::Tuple(vs)) => tys.len() == vs.len() && tys.iter().zip(vs).all(|(t, v)| fits(t, v)),
        (Ty::Array(ty, n), Val::Array(vs)) => vs.len() == *n && vs.iter().all(|v| fits(ty, v)),
        _ => false,
    }
}

/// An integer of a type; wraps.
fn int(v: i128, ty: &Ty) -> Result<Val> {
    Ok(match ty {
        &Ty::I32 => Val::I32(v as i32),
        &Ty::I64 => Val::I64(v as i64),
        &Ty::U32 => Val::U32(v as u32),
        &Ty::U64 => Val::U64(v as u64),
        &Ty::Usize => Val::Usize(v as u64),
        other => return invalid(format!("an integer literal as `{}`", other.spell())),
    })
}

fn to_i128(v: &Val) -> Result<i128> {
    Ok(match v {
        Val::I32(x) => (*x).into(),
        Val::I64(x) => (*x).into(),
        Val::U32(x) => (*x).into(),
        Val::U64(x) | Val::Usize(x) => (*x).into(),
        Val::Bool(x) => (*x).into(),
        other => return invalid(format!("{other:?} is no integer")),
    })
}

fn ty_of(v: &Val) -> Ty {
    match v {
        Val::F64(_) => Ty::F64,
        Val::F32(_) => Ty::F32,
        Val::I32(_) => Ty::I32,
        Val::I64(_) => Ty::I64,
        Val::U32(_) => Ty::U32,
        Val::U64(_) => Ty::U64,
        Val::Usize(_) => Ty::Usize,
        Val::Bool(_) => Ty::Bool,
        _ => Ty::Unit,
    }
}

fn unary(op: UnaryOp, v: Val) -> Result<Val> {
    Ok(match (op, v) {
        (UnaryOp::Neg, Val::F64(x)) => Val::F64(-x),
        (UnaryOp::Neg, Val::F32(x)) => Val::F32(-x),
        (UnaryOp::Not, Val::Bool(x)) => Val::Bool(!x),
        (UnaryOp::Neg, v) => int(-to_i128(&v)?, &ty_of(&v))?,
        (UnaryOp::Not, v) => int(!to_i128(&v)?, &ty_of(&v))?,
    })
}

fn binary(op: Op, a: Val, b: Val) -> Result<Val> {
    macro_rules! float {
        ($variant:ident, $x:expr, $y:expr) => {
            match op {
                Op::Add => Val::$variant($x + $y),
                Op::Sub => Val::$variant($x - $y),
                Op::Mul => Val::$variant($x * $y),
                Op::Div => Val::$variant($x / $y),
                Op::Eq => Val::Bool($x == $y),
                Op::Ne => Val::Bool($x != $y),
                Op::Lt => Val::Bool($x < $y),
                Op::Le => Val::Bool($x <= $y),
                Op::Gt => Val::Bool($x > $y),
                Op::Ge => Val::Bool($x >= $y),
                other => return invalid(format!("{other:?} on floats")),
            }
        };
    }
    match (&a, &b) {
        (Val::F64(x), Val::F64(y)) => return Ok(float!(F64, x, y)),
        (Val::F32(x), Val::F32(y)) => return Ok(float!(F32, x, y)),
        _ => {}
    }
    let ty = ty_of(&a);
    let (x, y) = (to_i128(&a)?, to_i128(&b)?);
    if !matches!(op, Op::Shl | Op::Shr) && ty != ty_of(&b) {
        return invalid(format!("{a:?} {op:?} {b:?}"));
    }
    let bits = ty.bits();
    let number = match op {
        Op::Add => x + y,
        Op::Sub => x - y,
        // The product of two 64-bit numbers fits, except that of two large unsigned ones: the low bits are right.
        Op::Mul => x.wrapping_mul(y),
        Op::Div if y == 0 => 0,
        Op::Div => x / y,
        Op::Rem if y == 0 => x,
        Op::Rem => x % y,
        Op::BitAnd => x & y,
        Op::BitOr => x | y,
        Op::BitXor => x ^ y,
        Op::Shl => x << (y as u32 & (bits - 1)),
        Op::Shr => x >> (y as u32 & (bits - 1)),
        Op::Eq => return Ok(Val::Bool(x == y)),
        Op::Ne => return Ok(Val::Bool(x != y)),
        Op::Lt => return Ok(Val::Bool(x < y)),
        Op::Le => return Ok(Val::Bool(x <= y)),
        Op::Gt => return Ok(Val::Bool(x > y)),
        Op::Ge => return Ok(Val::Bool(x >= y)),
        Op::And | Op::Or => return invalid("`&&` and `||` are not evaluated here"),
    };
    if ty == Ty::Bool { Ok(Val::Bool(number & 1 == 1)) } else { int(number, &ty) }
}

fn cast(v: Val, to: &Ty) -> Result<Val> {
    macro_rules! from {
        ($x:expr) => {
            match to {
                &Ty::F64 => Val::F64($x as f64),
                &Ty::F32 => Val::F32($x as f32),
                &Ty::I32 => Val::I32($x as i32),
                &Ty::I64 => Val::I64($x as i64),
                &Ty::U32 => Val::U32($x as u32),
                &Ty::U64 => Val::U64($x as u64),
                &Ty::Usize => Val::Usize($x as u64),
                other => return invalid(format!("a cast to `{}`", other.spell())),
            }
        };
    }
    Ok(match v {
        Val::F64(x) => from!(x),
        Val::F32(x) => from!(x),
        Val::I32(x) => from!(x),
        Val::I64(x) => from!(x),
        Val::U32(x) => from!(x),
        Val::U64(x) | Val::Usize(x) => from!(x),
        Val::Bool(x) => int(x.into(), to)?,
        other => return invalid(format!("a cast of {other:?}")),
    })
}

macro_rules! float_methods {
    ($fn:ident $t:ident $variant:ident $bits:ident $u:ident $i:ident $nan:literal) => {
        fn $fn(name: &str, x: $t, rest: &[Val]) -> Result<Val> {
            let arg = |k: usize| match rest.get(k) {
                Some(Val::$variant(y)) => Ok(*y),
                other => invalid(format!("`{name}` of {other:?}")),
            };
            let to_bits = |x: $t| if x.is_nan() { $nan } else { x.to_bits() };
            let key = |x: $t| {
                let b = x.to_bits() as $i;
                if b < 0 { !(b & $i::MAX) } else { b }
            };
            Ok(match name {
                "abs" => Val::$variant(x.abs()),
                "sqrt" => Val::$variant(x.sqrt()),
                "floor" => Val::$variant(x.floor()),
                "ceil" => Val::$variant(x.ceil()),
                "trunc" => Val::$variant(x.trunc()),
                "fract" => Val::$variant(x - x.trunc()),
                "round_ties_even" => Val::$variant(x.round_ties_even()),
                "recip" => Val::$variant(1.0 / x),
                "signum" => Val::$variant(if x.is_nan() { x } else { (1.0 as $t).copysign(x) }),
                "mul_add" => Val::$variant(x.mul_add(arg(0)?, arg(1)?)),
                "copysign" => Val::$variant(x.copysign($t::from_bits(to_bits(arg(0)?)))),
                "min" | "max" => {
                    let y = arg(0)?;
                    let second = match name {
                        "min" => key(y) < key(x),
                        _ => key(y) > key(x),
                    };
                    Val::$variant(if x.is_nan() || (!y.is_nan() && second) { y } else { x })
                }
                "to_bits" => Val::$u(to_bits(x)),
                "is_nan" => Val::Bool(x.is_nan()),
                "is_finite" => Val::Bool(x.is_finite()),
                "is_infinite" => Val::Bool(x.is_infinite()),
                "is_sign_negative" => Val::Bool(to_bits(x) >> ($bits::BITS - 1) == 1),
                "is_sign_positive" => Val::Bool(to_bits(x) >> ($bits::BITS - 1) == 0),
                other => return invalid(format!("no method `{other}`")),
            })
        }
    };
}
float_methods!(f64_method f64 F64 u64 U64 i64 0x7ff8_0000_0000_0000);
float_methods!(f32_method f32 F32 u32 U32 i32 0x7fc0_0000);

fn method(name: &str, args: &[Val], ret: &Ty) -> Result<Val> {
    match (&args[0], name) {
        (Val::F64(x), _) => return f64_method(name, *x, &args[1..]),
        (Val::F32(x), _) => return f32_method(name, *x, &args[1..]),
        (Val::U64(x), "from_bits") => return Ok(Val::F64(f64::from_bits(*x))),
        (Val::U32(x), "from_bits") => return Ok(Val::F32(f32::from_bits(*x))),
        _ => {}
    }
    let ty = ty_of(&args[0]);
    let x = to_i128(&args[0])?;
    let bits = ty.bits();
    let mask = (1i128 << bits) - 1;
    let count = |k: usize| -> Result<u32> { Ok(to_i128(&args[k])? as u32 & (bits - 1)) };
    match name {
        "wrapping_add" => binary(Op::Add, args[0].clone(), args[1].clone()),
        "wrapping_sub" => binary(Op::Sub, args[0].clone(), args[1].clone()),
        "wrapping_mul" => binary(Op::Mul, args[0].clone(), args[1].clone()),
        "wrapping_div" => binary(Op::Div, args[0].clone(), args[1].clone()),
        "wrapping_rem" => binary(Op::Rem, args[0].clone(), args[1].clone()),
        "wrapping_shl" => binary(Op::Shl, args[0].clone(), args[1].clone()),
        "wrapping_shr" => binary(Op::Shr, args[0].clone(), args[1].clone()),
        "wrapping_neg" => int(-x, &ty),
        "wrapping_abs" | "abs" => int(x.abs(), &ty),
        "rotate_left" | "rotate_right" => {
            let k = match name {
                "rotate_left" => count(1)?,
                _ => (bits - count(1)?) & (bits - 1),
            };
            let u = x & mask;
            int((u << k) | (u >> (bits - k)), &ty)
        }
        "count_ones" => Ok(Val::U32((x & mask).count_ones())),
        "leading_zeros" => Ok(Val::U32((x & mask).leading_zeros() - (128 - bits))),
        "trailing_zeros" => Ok(Val::U32((x & mask).trailing_zeros().min(bits))),
        "min" => int(x.min(to_i128(&args[1])?), &ty),
        "max" => int(x.max(to_i128(&args[1])?), &ty),
        other => invalid(format!("no method `{other}` giving `{}`", ret.spell())),
    }
}
