//! Kernels by the interpreter: where there is no native code.

use crate::entry::{Slot, SlotType};
use crate::limits;
use crate::nesting::on_large_stack;
use crate::source::{Kernel, KnownText, read_again};
use gristmill_kernel::{Column, ColumnMut, Scalar, Stopped};
use gristmill_kernel_lang::interp::{Module, RunError, Val};
use std::ops::Range;
use syn::spanned::Spanned;

/// Steps before the interpreter is asked whether to go on.
const STEPS: u64 = 1 << 20;

/// The values of some elements.
pub(crate) fn elements(
    kernel: &Kernel,
    ins: &[Column<'_>],
    outs: &mut [ColumnMut<'_>],
    which: Range<usize>,
) -> Result<(), Stopped> {
    let run = || {
        let Ok(module) = read_again(&kernel.text.text) else { return Err(Stopped) };
        for i in which {
            let args = ins.iter().map(|c| value(c, if c.len() == 1 { 0 } else { i })).collect();
            match call(&module, &kernel.name, args)? {
                Val::Tuple(items) => outs.iter_mut().zip(items).for_each(|(out, v)| put(out, i, &v)),
                v => outs.iter_mut().for_each(|out| put(out, i, &v)),
            }
        }
        Ok(())
    };
    on_large_stack(run).unwrap_or(Err(Stopped))
}

/// The work-items 0 to `n` of an entry point. What is written is as it was if they were stopped.
pub(crate) fn launch(
    text: &KnownText,
    name: &str,
    n: u64,
    params: &[(&'static str, SlotType)],
    slots: &mut [Slot<'_>],
) -> Result<(), Stopped> {
    let (mut args, mut given) = (vec![], vec![]);
    for ((_, ty), slot) in params.iter().zip(slots.iter()) {
        let (SlotType::Value(scalar) | SlotType::Slice(scalar, _)) = *ty;
        let bytes: &[u8] = match slot {
            Slot::Value(word) => {
                args.push(value_of(scalar, &word.to_le_bytes()));
                continue;
            }
            Slot::In(bytes) => bytes,
            Slot::Out(bytes) => bytes,
        };
        args.push(Val::Slice(given.len()));
        given.push(bytes.chunks_exact(scalar.size()).map(|bytes| value_of(scalar, bytes)).collect::<Vec<Val>>());
    }
    let run = || {
        let Ok(module) = read_again(&text.text) else { return Err(Stopped) };
        let mut steps = STEPS;
        loop {
            let mut buffers = given.clone();
            match module.launch(name, n, &args, &mut buffers, steps) {
                Ok(()) => return Ok(buffers),
                Err(RunError::Steps) if may_go_on(steps) => steps = steps.saturating_mul(4),
                Err(_) => return Err(Stopped),
            }
        }
    };
    let mut buffers = on_large_stack(run).unwrap_or(Err(Stopped))?.into_iter();
    for slot in slots.iter_mut().filter(|slot| !matches!(slot, Slot::Value(_))) {
        let Some(values) = buffers.next() else { break };
        let Slot::Out(bytes) = slot else { continue };
        let mut rest = &mut bytes[..];
        for value in &values {
            rest = write_value(value, rest);
        }
    }
    Ok(())
}

/// A value from its bytes in memory.
fn value_of(scalar: Scalar, bytes: &[u8]) -> Val {
    let mut word = [0; 8];
    word[..scalar.size()].copy_from_slice(&bytes[..scalar.size()]);
    let word = u64::from_le_bytes(word);
    match scalar {
        Scalar::F64 => Val::F64(f64::from_bits(word)),
        Scalar::F32 => Val::F32(f32::from_bits(word as u32)),
        Scalar::I32 => Val::I32(word as i32),
        Scalar::I64 => Val::I64(word as i64),
        Scalar::U32 => Val::U32(word as u32),
        Scalar::U64 => Val::U64(word),
        Scalar::Usize => Val::Usize(word),
        Scalar::Bool => Val::Bool(word != 0),
    }
}

/// Puts a value at the beginning of some bytes and gives the others.
fn write_value<'b>(value: &Val, to: &'b mut [u8]) -> &'b mut [u8] {
    let (word, size) = match *value {
        Val::F64(x) => (x.to_bits(), 8),
        Val::F32(x) => (u64::from(x.to_bits()), 4),
        Val::I32(x) => (x as u64, 4),
        Val::I64(x) => (x as u64, 8),
        Val::U32(x) => (u64::from(x), 4),
        Val::U64(x) | Val::Usize(x) => (x, 8),
        Val::Bool(x) => (u64::from(x), 1),
        // The text was checked: slices hold scalars.
        _ => return to,
    };
    let (place, rest) = to.split_at_mut(size);
    place.copy_from_slice(&word.to_le_bytes()[..size]);
    rest
}

/// Whether a run that used up so many steps may begin anew with more.
fn may_go_on(steps: u64) -> bool {
    !limits::is_interrupted() && steps < u64::try_from(limits::fuel()).unwrap_or(0)
}

/// One call. It begins anew with more steps as long as it may: the interpreter cannot be asked to wait.
fn call(module: &Module, name: &str, args: Vec<Val>) -> Result<Val, Stopped> {
    let mut steps = STEPS;
    loop {
        match module.call(name, args.clone(), steps) {
            Ok(value) => return Ok(value),
            Err(RunError::Steps) if may_go_on(steps) => steps = steps.saturating_mul(4),
            Err(_) => return Err(Stopped),
        }
    }
}

fn value(column: &Column<'_>, i: usize) -> Val {
    match column {
        Column::F64(v) => Val::F64(v[i]),
        Column::F32(v) => Val::F32(v[i]),
        Column::I32(v) => Val::I32(v[i]),
        Column::I64(v) => Val::I64(v[i]),
        Column::U32(v) => Val::U32(v[i]),
        Column::U64(v) => Val::U64(v[i]),
        Column::Usize(v) => Val::Usize(v[i] as u64),
        Column::Bool(v) => Val::Bool(v[i]),
    }
}

fn put(column: &mut ColumnMut<'_>, i: usize, value: &Val) {
    match (column, value) {
        (ColumnMut::F64(v), Val::F64(x)) => v[i] = *x,
        (ColumnMut::F32(v), Val::F32(x)) => v[i] = *x,
        (ColumnMut::I32(v), Val::I32(x)) => v[i] = *x,
        (ColumnMut::I64(v), Val::I64(x)) => v[i] = *x,
        (ColumnMut::U32(v), Val::U32(x)) => v[i] = *x,
        (ColumnMut::U64(v), Val::U64(x)) => v[i] = *x,
        (ColumnMut::Usize(v), Val::Usize(x)) => v[i] = *x as usize,
        (ColumnMut::Bool(v), Val::Bool(x)) => v[i] = *x,
        // The text was checked: a function gives what its signature says.
        _ => {}
    }
}

/// The text of one item, from its comments to its end.
pub(crate) fn item_text(text: &str, name: &str) -> Option<String> {
    let file: syn::File = syn::parse_str(text).ok()?;
    let item = file.items.iter().find(|item| match item {
        syn::Item::Fn(f) => f.sig.ident == name,
        syn::Item::Const(c) => c.ident == name,
        syn::Item::Struct(s) => s.ident == name,
        _ => false,
    })?;
    let (first, last) = (item.span().start().line, item.span().end().line);
    let lines: Vec<&str> = text.lines().skip(first - 1).take(last + 1 - first).collect();
    Some(lines.join("\n") + "\n")
}
