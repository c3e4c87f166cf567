//! The compiled kernels that a text may call: all of nmath, by name.

use gristmill_kernel::{Column, ColumnMut, Function, Level, Scalar};
use gristmill_kernel_lang::Externs;
use gristmill_kernel_lang::interp::Val;
use gristmill_kernel_lang::ir::Ty;
use gristmill_nmath::KERNELS;

/// nmath's functions.
#[derive(Debug)]
pub(crate) struct Nmath;

/// The compiled kernel of this name.
pub(crate) fn kernel(name: &str) -> Option<&'static Function> {
    KERNELS.iter().find(|f| f.name() == name)
}

/// One value as a column.
pub(crate) enum One {
    F64([f64; 1]),
    F32([f32; 1]),
    I32([i32; 1]),
    I64([i64; 1]),
    U32([u32; 1]),
    U64([u64; 1]),
    Usize([usize; 1]),
    Bool([bool; 1]),
}

impl One {
    pub(crate) fn zero(scalar: Scalar) -> One {
        match scalar {
            Scalar::F64 => One::F64([0.0]),
            Scalar::F32 => One::F32([0.0]),
            Scalar::I32 => One::I32([0]),
            Scalar::I64 => One::I64([0]),
            Scalar::U32 => One::U32([0]),
            Scalar::U64 => One::U64([0]),
            Scalar::Usize => One::Usize([0]),
            Scalar::Bool => One::Bool([false]),
        }
    }

    fn of(value: &Val) -> Option<One> {
        Some(match value {
            Val::F64(x) => One::F64([*x]),
            Val::F32(x) => One::F32([*x]),
            Val::I32(x) => One::I32([*x]),
            Val::I64(x) => One::I64([*x]),
            Val::U32(x) => One::U32([*x]),
            Val::U64(x) => One::U64([*x]),
            Val::Usize(x) => One::Usize([usize::try_from(*x).ok()?]),
            Val::Bool(x) => One::Bool([*x]),
            _ => return None,
        })
    }

    fn value(&self) -> Val {
        match self {
            One::F64([x]) => Val::F64(*x),
            One::F32([x]) => Val::F32(*x),
            One::I32([x]) => Val::I32(*x),
            One::I64([x]) => Val::I64(*x),
            One::U32([x]) => Val::U32(*x),
            One::U64([x]) => Val::U64(*x),
            One::Usize([x]) => Val::Usize(*x as u64),
            One::Bool([x]) => Val::Bool(*x),
        }
    }

    fn column(&self) -> Column<'_> {
        match self {
            One::F64(x) => Column::F64(x),
            One::F32(x) => Column::F32(x),
            One::I32(x) => Column::I32(x),
            One::I64(x) => Column::I64(x),
            One::U32(x) => Column::U32(x),
            One::U64(x) => Column::U64(x),
            One::Usize(x) => Column::Usize(x),
            One::Bool(x) => Column::Bool(x),
        }
    }

    fn column_mut(&mut self) -> ColumnMut<'_> {
        match self {
            One::F64(x) => ColumnMut::F64(x),
            One::F32(x) => ColumnMut::F32(x),
            One::I32(x) => ColumnMut::I32(x),
            One::I64(x) => ColumnMut::I64(x),
            One::U32(x) => ColumnMut::U32(x),
            One::U64(x) => ColumnMut::U64(x),
            One::Usize(x) => ColumnMut::Usize(x),
            One::Bool(x) => ColumnMut::Bool(x),
        }
    }
}

impl Externs for Nmath {
    fn signature(&self, name: &str) -> Option<(Vec<Ty>, Ty)> {
        let function = kernel(name)?;
        let params = function.params().map(|(_, scalar)| Ty::Scalar(scalar)).collect();
        let result = match function.results().as_slice() {
            [one] => Ty::Scalar(*one),
            several => Ty::Tuple(several.iter().map(|s| Ty::Scalar(*s)).collect()),
        };
        Some((params, result))
    }

    fn call(&self, name: &str, args: &[Val]) -> Option<Val> {
        let function = kernel(name)?;
        let values: Vec<One> = args.iter().map(One::of).collect::<Option<_>>()?;
        let ins: Vec<Column<'_>> = values.iter().map(One::column).collect();
        let mut results: Vec<One> = function.results().into_iter().map(One::zero).collect();
        let mut outs: Vec<ColumnMut<'_>> = results.iter_mut().map(One::column_mut).collect();
        function.call_at(Level::best(), &ins, &mut outs, 0).ok()?;
        drop(outs);
        Some(match results.as_slice() {
            [one] => one.value(),
            several => Val::Tuple(several.iter().map(One::value).collect()),
        })
    }

    fn nearest(&self, name: &str) -> Option<String> {
        gristmill_support::nearest(name, KERNELS.iter().map(Function::name)).map(String::from)
    }
}
