//! The items of a text as shards: what devices, libraries and engines know of a kernel.

use crate::externs;
use gristmill_kernel::{EmittedShard, Item, MarkedText, Param, ShardRef, Signature, Type, Value};
use gristmill_kernel_lang::interp::{Module, Val};
use gristmill_kernel_lang::ir::{StructRef, Ty};
use gristmill_kernel_lang::{Form, Reference, Typedef, const_typedefs, emit};
use std::collections::HashMap;

/// Text that stays for the rest of the process: a text is translated once, and what it became is kept.
fn keep(text: &str) -> &'static str {
    Box::leak(text.to_string().into_boxed_str())
}

fn keep_list<T>(list: Vec<T>) -> &'static [T] {
    Box::leak(list.into_boxed_slice())
}

/// The shards of a text's items so far, by name.
pub(crate) type Shards = HashMap<String, &'static EmittedShard>;

/// Every item of the text, callees first. `place` tells texts apart.
pub(crate) fn of_module(module: &Module, place: &'static str) -> Result<Shards, String> {
    let mut shards = Shards::new();
    for name in module.item_names() {
        let writer = Writer { module, shards: &shards };
        let (item, text) = writer.item(name)?;
        let note = module.note(name);
        let shard = EmittedShard {
            name: keep(name),
            given_name: None,
            public: true,
            module: place,
            file: "kernels.rs",
            line: note.map_or(1, |n| n.line as u32),
            doc: keep(note.map_or("", |n| &n.doc)),
            item,
            typedefs: text.typedefs,
            text: text.text,
            references: text.references,
        };
        shards.insert(name.to_string(), Box::leak(Box::new(shard)));
    }
    Ok(shards)
}

/// What a shard has of text.
struct Text {
    typedefs: &'static [(MarkedText, MarkedText)],
    text: (MarkedText, MarkedText),
    references: &'static [ShardRef],
}

struct Writer<'a> {
    module: &'a Module,
    shards: &'a Shards,
}

impl Writer<'_> {
    fn shard(&self, references: &[Reference], k: usize) -> Result<&'static EmittedShard, String> {
        let name = references[k].path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        match self.shards.get(&name) {
            Some(shard) => Ok(shard),
            None => externs::kernel(&name).map(|f| f.shard()).ok_or_else(|| format!("nothing is called `{name}`")),
        }
    }

    fn ty(&self, ty: &Ty, references: &[Reference]) -> Result<Type, String> {
        Ok(match ty {
            Ty::Scalar(scalar) => Type::Scalar(*scalar),
            Ty::Tuple(items) => {
                let items = items.iter().map(|t| self.ty(t, references)).collect::<Result<Vec<_>, _>>()?;
                Type::Tuple(keep_list(items))
            }
            Ty::Array(elem, n) => Type::Array(Box::leak(Box::new(self.ty(elem, references)?)), *n),
            Ty::Struct(StructRef::Path(k) | StructRef::ResultOf(k)) => Type::Struct(self.shard(references, *k)?),
            Ty::Ref(inner) => Type::Ref(Box::leak(Box::new(self.ty(inner, references)?))),
            Ty::Slice(scalar, written) => Type::Slice(*scalar, *written),
            _ => Type::Unit,
        })
    }

    fn params<'p>(
        &self,
        params: impl Iterator<Item = (&'p str, &'p Ty)>,
        references: &[Reference],
    ) -> Result<&'static [Param], String> {
        let params = params.map(|(name, ty)| Ok(Param { name: keep(name), ty: self.ty(ty, references)? }));
        params.collect::<Result<Vec<_>, String>>().map(keep_list)
    }

    fn text(&self, typedefs: &[Typedef], before: &str, after: &str, references: &[Reference]) -> Result<Text, String> {
        let typedefs = typedefs.iter().map(|d| (keep(&d.name), keep(&d.members))).collect();
        let references = (0..references.len()).map(|k| self.shard(references, k).map(ShardRef::This));
        Ok(Text {
            typedefs: keep_list(typedefs),
            text: (keep(before), keep(after)),
            references: keep_list(references.collect::<Result<_, _>>()?),
        })
    }

    fn item(&self, name: &str) -> Result<(Item, Text), String> {
        if let Some(func) = self.module.function(name) {
            let entry = self.module.note(name).is_some_and(|n| n.form == Form::Entry);
            let references = &func.references;
            let params = func.params.iter().map(|p| (func.locals[p.id].name.as_str(), &p.ty));
            let signature =
                Signature { params: self.params(params, references)?, result: self.ty(&func.ret, references)? };
            let c = emit(func, entry);
            let before = if entry { "__kernel void ".to_string() } else { format!("{} ", c.ret) };
            let text = self.text(&c.typedefs, &before, &c.text, references)?;
            return Ok((if entry { Item::Entry(signature) } else { Item::Fn(signature) }, text));
        }
        if let Some(s) = self.module.structure(name) {
            let fields = self.params(s.fields.iter().map(|f| (f.name.as_str(), &f.ty)), &s.references)?;
            let before = format!("typedef struct {{ {} }} ", s.members);
            return Ok((Item::Struct { fields }, self.text(&s.typedefs, &before, ";\n", &s.references)?));
        }
        let ty = self.module.constant_type(name).ok_or_else(|| format!("nothing is called `{name}`"))?;
        let value = self.module.constant(name).map_err(|e| e.to_string())?;
        let value = kept_value(&value).ok_or_else(|| format!("`{name}` is no constant of numbers"))?;
        Ok((Item::Const { ty: self.ty(ty, &[])?, value }, self.text(&const_typedefs(ty), "", "", &[])?))
    }
}

fn flatten<'v>(value: &'v Val, out: &mut Vec<&'v Val>) {
    match value {
        Val::Array(items) => items.iter().for_each(|v| flatten(v, out)),
        one => out.push(one),
    }
}

fn kept_value(value: &Val) -> Option<Value> {
    if let Val::Tuple(parts) = value {
        return parts.iter().map(kept_value).collect::<Option<Vec<_>>>().map(|parts| Value::Tuple(keep_list(parts)));
    }
    let mut flat = vec![];
    flatten(value, &mut flat);
    macro_rules! all {
        ($variant:ident $t:ty) => {{
            let all = flat.iter().map(|v| match v {
                Val::$variant(x) => <$t>::try_from(*x).ok(),
                _ => None,
            });
            Value::$variant(keep_list(all.collect::<Option<Vec<$t>>>()?))
        }};
    }
    Some(match flat.first()? {
        Val::F64(_) => all!(F64 f64),
        Val::F32(_) => all!(F32 f32),
        Val::I32(_) => all!(I32 i32),
        Val::I64(_) => all!(I64 i64),
        Val::U32(_) => all!(U32 u32),
        Val::U64(_) => all!(U64 u64),
        Val::Usize(_) => all!(Usize usize),
        Val::Bool(_) => all!(Bool bool),
        _ => return None,
    })
}
