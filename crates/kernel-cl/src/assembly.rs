//! Shards in their order as one program. What they need is known by type: nothing is parsed or sorted again.

use gristmill_cl_library as cl;
use gristmill_kernel::{EmittedShard, Item, MarkedText, ShardKey, TextPart, Type, Value, result_type};
use gristmill_scalar::{LAYER_0, PRELUDE, constant_f32, constant_f64, type_name, type_tag};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// The stem of the shard with the helpers that emitted functions call.
pub(crate) const HELPERS: &str = "gm_exact";

/// The helpers as annotated text.
pub(crate) fn helpers() -> String {
    let names: Vec<&str> = PRELUDE
        .lines()
        .filter_map(|l| l.split_once('(').filter(|_| !l.starts_with([' ', '/'])))
        .filter_map(|(head, _)| head.split_whitespace().last())
        .collect();
    format!("// @provides: {}\n// @depends: (none)\n\n{PRELUDE}", names.join(", "))
}

/// A piece of a program; messages of a device's compiler name it `NAME.cl`.
fn piece(layer: cl::Layer, name: &str, text: impl Into<String>) -> cl::ProgramPiece {
    cl::ProgramPiece { layer, path: format!("{name}.cl"), text: text.into() }
}

/// Collects the shards that some roots need and assembles them into one program.
///
/// The C names of two different items never collide: the second one gets its module's path, or a number.
#[derive(Debug, Default)]
pub struct Assembly {
    names: Names,
    taken: HashSet<String>,
    order: Vec<&'static EmittedShard>,
    entries: Vec<cl::ProgramPiece>,
}

impl Assembly {
    /// An empty program.
    pub fn new() -> Self {
        Self::default()
    }

    /// The shards, callees first.
    pub fn order(&self) -> &[&'static EmittedShard] {
        &self.order
    }

    /// The C name of a shard that was added.
    pub fn name_of(&self, shard: &EmittedShard) -> Option<&str> {
        self.names.get(&shard.key()).map(String::as_str)
    }

    /// Adds a shard and what it needs; gives its C name.
    pub fn add(&mut self, shard: &'static EmittedShard) -> String {
        if let Some(name) = self.names.get(&shard.key()) {
            return name.clone();
        }
        for d in shard.dependencies() {
            self.add(d);
        }
        let mut name = shard.c_name();
        if self.taken.contains(&name) {
            name = shard.qualified_name();
        }
        let base = name.clone();
        let mut n = 2;
        while !self.taken.insert(name.clone()) {
            name = format!("{base}_{n}");
            n += 1;
        }
        self.names.insert(shard.key(), name.clone());
        self.order.push(shard);
        name
    }

    /// Adds `__kernel void map_NAME`, one work-item for each element, and gives its name.
    ///
    /// Its parameters: `ulong n`; for each argument a buffer and its `long` stride in elements (0 repeats one value); for
    /// each result a buffer. A bool is a `uchar` in a buffer.
    ///
    /// # Panics
    /// When the shard is not a function from scalars to scalars: [`gristmill_kernel::Function`] exists exactly for those.
    pub fn add_map(&mut self, shard: &'static EmittedShard) -> String {
        let name = self.add(shard);
        let Item::Fn(sig) = shard.item else { panic!("`{}` is not a function", shard.name) };
        let entry = format!("map_{name}");
        if !self.taken.insert(entry.clone()) {
            return entry;
        }
        let scalar = |t: Type| t.scalar().unwrap_or_else(|| panic!("`{}` is not elementwise", shard.name));
        let mut params = vec!["ulong n".to_string()];
        let mut args = vec![];
        for (i, p) in sig.params.iter().enumerate() {
            params.push(format!("__global const {} *a{i}, long s{i}", scalar(p.ty).c_element()));
            args.push(format!("a{i}[i * s{i}]"));
        }
        let results = sig.results().unwrap_or_else(|| panic!("`{}` is not elementwise", shard.name));
        for (i, r) in results.iter().enumerate() {
            params.push(format!("__global {} *r{i}", r.c_element()));
        }
        let call = format!("{name}({})", args.join(", "));
        let store = match sig.result {
            Type::Tuple(_) => {
                let parts: Vec<String> = (0..results.len()).map(|i| format!("r{i}[i] = y.v{i};")).collect();
                format!("{} y = {call};\n    {}", c_type(&sig.result, &self.names), parts.join(" "))
            }
            _ => format!("r0[i] = {call};"),
        };
        let text = format!(
            "// @depends: {name}\n\n__kernel void {entry}({})\n{{\n    long i = (long)get_global_id(0);\n    \
             if ((ulong)i >= n) return;\n    {store}\n}}\n",
            params.join(", ")
        );
        self.add_entry(&entry, text);
        entry
    }

    /// Adds `__kernel` functions that a host writes around the shards: a piece of layer 3, as a `#[kernel(entry)]` is.
    /// Messages of a device's compiler name it `NAME.cl`.
    pub fn add_entry(&mut self, name: &str, text: impl Into<String>) {
        self.entries.push(piece(cl::Layer::Kernel, name, text));
    }

    /// The program: configuration, helpers, the shards in their order, the entry points.
    pub fn source(&self) -> cl::ProgramSource {
        let mut pieces =
            vec![piece(cl::Layer::Configuration, "OPENCL", LAYER_0), piece(cl::Layer::Library, HELPERS, helpers())];
        for shard in &self.order {
            let layer = if matches!(shard.item, Item::Entry(_)) { cl::Layer::Kernel } else { cl::Layer::Library };
            pieces.push(piece(layer, &self.names[&shard.key()], annotated(shard, &self.names)));
        }
        pieces.extend(self.entries.iter().cloned());
        cl::ProgramSource::new(pieces)
    }

    /// The text of the program.
    pub fn text(&self) -> String {
        self.source().text()
    }
}

/// One shard as ordinary annotated text; `#line` leads back to the Rust source.
fn annotated(shard: &'static EmittedShard, names: &Names) -> String {
    let name = &names[&shard.key()];
    let mut depends = vec![];
    if !matches!(shard.item, Item::Const { .. } | Item::Struct { .. }) {
        depends.push(HELPERS);
    }
    let needed = shard.dependencies();
    depends.extend(needed.iter().map(|d| names[&d.key()].as_str()));
    format!(
        "// @provides: {name}\n// @depends: {}\n// @source_origin: {}\n\n{}",
        if depends.is_empty() { "(none)".to_string() } else { depends.join(", ") },
        shard.file.replace('\\', "/"),
        render(shard, names, &mut HashSet::new(), true)
    )
}

/// The C names of shards.
pub(crate) type Names = HashMap<ShardKey, String>;

/// The C spelling of a type.
fn c_type(ty: &Type, names: &Names) -> String {
    type_name(ty, &|shard: &EmittedShard| names[&shard.key()].clone())
}

/// The text of one shard, given the names of what it refers to.
pub(crate) fn render(
    shard: &'static EmittedShard,
    names: &Names,
    typedefs: &mut HashSet<String>,
    lines: bool,
) -> String {
    let own = &names[&shard.key()];
    let mut out = String::new();
    match shard.item {
        Item::Const { ty, value } => {
            let items = literals(value);
            let mut dims = vec![];
            let mut elem = ty;
            while let Type::Array(inner, n) = elem {
                dims.push(n);
                elem = *inner;
            }
            let c = c_type(&elem, names);
            if let Type::Tuple(_) = elem {
                write_typedefs(shard, names, typedefs, &mut out);
                let _ = writeln!(out, "#define {own} (({c}){{{}}})", items.join(", "));
            } else if dims.is_empty() {
                let _ = writeln!(out, "#define {own} {}", items[0]);
            } else {
                let bounds: String = dims.iter().map(|n| format!("[{n}]")).collect();
                let _ = writeln!(out, "__constant {c} {own}{bounds} = {};", nested(&items, &dims));
            }
        }
        Item::Fn(_) | Item::Entry(_) | Item::Struct { .. } => {
            if lines {
                let _ = writeln!(out, "#line {} \"{}\"", shard.line, shard.file.replace('\\', "/"));
            }
            write_typedefs(shard, names, typedefs, &mut out);
            write_text(shard, shard.text.0, names, lines, &mut out);
            out.push_str(own);
            write_text(shard, shard.text.1, names, lines, &mut out);
        }
    }
    out
}

/// The structs that stand for the tuples and arrays of a shard, but for those that are there already.
fn write_typedefs(shard: &EmittedShard, names: &Names, typedefs: &mut HashSet<String>, out: &mut String) {
    let plain = |text: MarkedText| {
        let mut out = String::new();
        write_text(shard, text, names, true, &mut out);
        out
    };
    for (name, members) in shard.typedefs {
        let name = plain(name);
        if typedefs.insert(name.clone()) {
            let members = plain(members);
            // The guard is for files that are included one by one.
            let _ = write!(out, "#ifndef {name}_\n#define {name}_\ntypedef struct {{ {members} }} {name};\n#endif\n");
        }
    }
}

/// A text with the names of what it refers to; `lines`: with the `#line`s that it has.
fn write_text(shard: &EmittedShard, text: MarkedText, names: &Names, lines: bool, out: &mut String) {
    for part in shard.parts(text) {
        match part {
            TextPart::Text(t) if lines => out.push_str(t),
            TextPart::Text(t) => {
                t.split_inclusive('\n').filter(|l| !l.starts_with("#line ")).for_each(|line| out.push_str(line));
            }
            TextPart::Ref(s) => out.push_str(&names[&s.key()]),
            TextPart::Result(s) => {
                let ty = result_type(s);
                // Within the name of a tuple or an array, `gm_t2_…`, a type stands by its tag: `f64`, not `double`.
                let within_name = out.ends_with('_');
                let name = |shard: &EmittedShard| names[&shard.key()].clone();
                out.push_str(&if within_name { type_tag(&ty, &name) } else { type_name(&ty, &name) });
            }
        }
    }
}

fn nested(items: &[String], dims: &[usize]) -> String {
    if dims.len() == 1 {
        return format!("{{{}}}", items.join(", "));
    }
    let rows: Vec<String> = items.chunks(items.len() / dims[0]).map(|row| nested(row, &dims[1..])).collect();
    format!("{{{}}}", rows.join(", "))
}

/// The values of an array in C, one after the other; of a tuple, its parts.
fn literals(value: Value) -> Vec<String> {
    fn signed(x: i64, min: i64, suffix: &str) -> String {
        if x == min { format!("({}{suffix} - 1{suffix})", min + 1) } else { format!("({x}{suffix})") }
    }
    match value {
        Value::F64(v) => v.iter().map(|x| constant_f64(*x)).collect(),
        Value::F32(v) => v.iter().map(|x| constant_f32(*x)).collect(),
        Value::I32(v) => v.iter().map(|x| signed(i64::from(*x), i64::from(i32::MIN), "")).collect(),
        Value::I64(v) => v.iter().map(|x| signed(*x, i64::MIN, "L")).collect(),
        Value::U32(v) => v.iter().map(|x| format!("{x}u")).collect(),
        Value::U64(v) => v.iter().map(|x| format!("{x}UL")).collect(),
        Value::Usize(v) => v.iter().map(|x| format!("{x}UL")).collect(),
        Value::Bool(v) => v.iter().map(|x| u8::from(*x).to_string()).collect(),
        Value::Tuple(parts) => {
            let part = |value: &Value| match value {
                Value::Tuple(_) => format!("{{{}}}", literals(*value).join(", ")),
                _ => literals(*value).concat(),
            };
            parts.iter().map(part).collect()
        }
    }
}
