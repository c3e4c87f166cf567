//! Kernels by the interpreter: where there is no native code.

use crate::limits;
use crate::nesting::on_large_stack;
use crate::source::{Kernel, read_again};
use gristmill_kernel::{Column, ColumnMut, Stopped};
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

/// One call. It begins anew with more steps as long as it may: the interpreter cannot be asked to wait.
fn call(module: &Module, name: &str, args: Vec<Val>) -> Result<Val, Stopped> {
    let mut steps = STEPS;
    loop {
        match module.call(name, args.clone(), steps) {
            Ok(value) => return Ok(value),
            Err(RunError::Steps) if !limits::is_interrupted() && steps < u64::try_from(limits::fuel()).unwrap_or(0) => {
                steps = steps.saturating_mul(4);
            }
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
