//! Evaluates points: each line of the input is `NAME<tab>ARGUMENT...`, each line of the output the result. The scripts of
//! dev/oracle that compare with other libraries call it; `--time` adds the nanoseconds of a call, the least of seven.
#![allow(missing_docs)]

use gristmill_kernel::{Column, ColumnMut, Level, Scalar};
use gristmill_nmath::kernel;
use std::io::{BufRead, BufWriter, Write};
use std::time::Instant;

type Failure = Box<dyn std::error::Error>;

/// One value of each type a kernel may take or give.
#[derive(Default)]
struct Cell {
    scalar: Option<Scalar>,
    f64: [f64; 1],
    i32: [i32; 1],
    i64: [i64; 1],
    u32: [u32; 1],
    u64: [u64; 1],
    bool: [bool; 1],
}

impl Cell {
    fn parse(scalar: Scalar, text: &str) -> Result<Cell, Failure> {
        let mut cell = Cell { scalar: Some(scalar), ..Cell::default() };
        match scalar {
            Scalar::F64 => cell.f64[0] = text.parse()?,
            Scalar::I32 => cell.i32[0] = text.parse::<f64>()? as i32,
            Scalar::I64 => cell.i64[0] = text.parse::<f64>()? as i64,
            Scalar::U32 => cell.u32[0] = text.parse()?,
            Scalar::U64 => cell.u64[0] = text.parse()?,
            Scalar::Bool => cell.bool[0] = text.parse::<f64>()? != 0.0,
            other => return Err(format!("arguments of type {other:?} cannot be read").into()),
        }
        Ok(cell)
    }

    fn column(&self) -> Column<'_> {
        match self.scalar {
            Some(Scalar::I32) => Column::I32(&self.i32),
            Some(Scalar::I64) => Column::I64(&self.i64),
            Some(Scalar::U32) => Column::U32(&self.u32),
            Some(Scalar::U64) => Column::U64(&self.u64),
            Some(Scalar::Bool) => Column::Bool(&self.bool),
            _ => Column::F64(&self.f64),
        }
    }

    fn column_mut(&mut self) -> ColumnMut<'_> {
        match self.scalar {
            Some(Scalar::I32) => ColumnMut::I32(&mut self.i32),
            Some(Scalar::I64) => ColumnMut::I64(&mut self.i64),
            Some(Scalar::U32) => ColumnMut::U32(&mut self.u32),
            Some(Scalar::U64) => ColumnMut::U64(&mut self.u64),
            Some(Scalar::Bool) => ColumnMut::Bool(&mut self.bool),
            _ => ColumnMut::F64(&mut self.f64),
        }
    }

    fn text(&self) -> String {
        match self.scalar {
            Some(Scalar::I32) => self.i32[0].to_string(),
            Some(Scalar::I64) => self.i64[0].to_string(),
            Some(Scalar::U32) => self.u32[0].to_string(),
            Some(Scalar::U64) => self.u64[0].to_string(),
            Some(Scalar::Bool) => self.bool[0].to_string(),
            _ => format!("{:?}", self.f64[0]),
        }
    }
}

fn evaluate(line: &str, time: bool) -> Result<String, Failure> {
    let mut fields = line.split('\t');
    let name = fields.next().unwrap_or_default();
    let function = kernel(name).ok_or_else(|| format!("`{name}` is not in nmath::KERNELS"))?;
    let fields: Vec<&str> = fields.collect();
    if fields.len() != function.params().len() {
        let expected = function.params().len();
        return Err(format!("`{name}` has {} arguments in `{line}`, but takes {expected}", fields.len()).into());
    }
    let cells: Result<Vec<Cell>, Failure> = function.params().zip(&fields).map(|(p, f)| Cell::parse(p.1, f)).collect();
    let cells = cells?;
    let ins: Vec<Column<'_>> = cells.iter().map(Cell::column).collect();
    let mut results: Vec<Cell> =
        function.results().into_iter().map(|scalar| Cell { scalar: Some(scalar), ..Cell::default() }).collect();
    let mut least = f64::INFINITY;
    for _ in 0..if time { 7 } else { 1 } {
        let mut outs: Vec<ColumnMut<'_>> = results.iter_mut().map(Cell::column_mut).collect();
        let start = Instant::now();
        function.call_at(Level::best(), &ins, &mut outs, 0)?;
        least = least.min(start.elapsed().as_nanos() as f64);
    }
    let mut text: Vec<String> = results.iter().map(Cell::text).collect();
    if time {
        text.push(format!("{least}"));
    }
    Ok(text.join("\t"))
}

fn main() -> Result<(), Failure> {
    let time = std::env::args().any(|a| a == "--time");
    let mut out = BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        writeln!(out, "{}", evaluate(&line?, time)?)?;
    }
    Ok(())
}
