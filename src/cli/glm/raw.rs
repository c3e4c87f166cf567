//! Models of matrices as they are: `--x X.npy --y y.npy`, and grids of them.

use super::npz::archive;
use super::{Args, Job};
use crate::cli::Result;
use gristmill::glm::Matrix;
use gristmill::glm::formula::{Design, DesignMatrix, Frame};
use gristmill_support::write_atomically;
use gristmill_table_io::npy::{NpyArray, NpyType};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// Points that are evaluated together.
const POINTS: usize = 4096;

/// Numbers of one or two dimensions.
struct Numbers {
    /// Row-major.
    values: Vec<f64>,
    rows: usize,
    columns: usize,
    dimensions: usize,
}

fn read(path: &Path) -> Result<Numbers> {
    let wrong =
        |what: &dyn std::fmt::Display| -> Box<dyn std::error::Error> { format!("{}: {what}", path.display()).into() };
    let file = File::open(path).map_err(|e| wrong(&e))?;
    let (array, fortran) = NpyArray::read_as_stored(BufReader::new(file)).map_err(|e| wrong(&e))?;
    let (rows, columns) = match array.shape() {
        [rows] => (*rows, 1),
        [rows, columns] => (*rows, *columns),
        shape => return Err(wrong(&format!("has {} dimensions, but must have one or two", shape.len()))),
    };
    let bytes = array.bytes();
    macro_rules! numbers {
        ($type:ty) => {
            bytes.as_chunks::<{ size_of::<$type>() }>().0.iter().map(|b| <$type>::from_ne_bytes(*b) as f64).collect()
        };
    }
    let stored: Vec<f64> = match array.ty() {
        NpyType::F64 => numbers!(f64),
        NpyType::F32 => numbers!(f32),
        NpyType::I64 => numbers!(i64),
        NpyType::I32 => numbers!(i32),
        NpyType::I16 => numbers!(i16),
        NpyType::I8 => numbers!(i8),
        NpyType::U64 => numbers!(u64),
        NpyType::U32 => numbers!(u32),
        NpyType::U16 => numbers!(u16),
        NpyType::U8 | NpyType::Bool => numbers!(u8),
    };
    let values = if fortran { Matrix::column_major(&stored, rows, columns)?.to_row_major() } else { stored };
    Ok(Numbers { values, rows, columns, dimensions: array.shape().len() })
}

/// One number for each row.
fn vector(path: &Path, what: &str, rows: usize) -> Result<Vec<f64>> {
    let numbers = read(path)?;
    if numbers.values.len() != rows {
        return Err(
            format!("{}: {what} has {} numbers, but x has {rows} rows", path.display(), numbers.values.len()).into()
        );
    }
    Ok(numbers.values)
}

pub(super) fn design(args: &Args, x: &Path, y: &Path) -> Result<Design> {
    let matrix = read(x)?;
    let (rows, columns) = (matrix.rows, matrix.columns);
    let optional = |given: &Option<String>, what: &str, usual: f64| match given {
        Some(path) => vector(Path::new(path), what, rows),
        None => Ok(vec![usual; rows]),
    };
    let columnwise = Matrix::row_major(&matrix.values, rows, columns)?;
    let x: Vec<f64> = (0..columns).flat_map(|j| (0..rows).map(move |i| columnwise.get(i, j))).collect();
    // A first column of ones is an intercept, for the null deviance.
    let intercept = columns > 0 && rows > 0 && x[..rows].iter().all(|v| *v == 1.0);
    Ok(Design {
        names: (1..=columns).map(|j| format!("V{j}")).collect(),
        x: DesignMatrix::Dense(x),
        y: vector(y, "--y", rows)?,
        weights: optional(&args.weights, "--weights", 1.0)?,
        offset: optional(&args.offset, "--offset", 0.0)?,
        rows: (1..=rows).collect(),
        dropped: 0,
        intercept,
        failure: None,
        terms: Vec::new(),
        frame: Frame::default(),
    })
}

/// The numbers of an .npy file of this shape, row-major.
pub(super) fn numbers(text: &str, (rows, columns): (usize, usize), option: &str) -> Result<Vec<f64>> {
    let numbers = read(Path::new(text))?;
    if numbers.values.len() != rows * columns || (columns > 1 && numbers.columns != columns) {
        return Err(format!(
            "{text}: {option} has the shape {} x {}, but must have {rows} x {columns}",
            numbers.rows, numbers.columns
        )
        .into());
    }
    Ok(numbers.values)
}

/// Evaluates the posterior at the rows of a matrix.
pub(super) fn grid(job: &Job<'_>, path: &Path) -> Result<()> {
    let n = job.design.names.len();
    let points = read(path)?;
    if points.columns != n || points.dimensions != 2 {
        return Err(format!(
            "{}: the grid has the shape {} x {}, but must have {n} columns, one for each coefficient, and a row for each point \
             (a grid of one column for each point has to be transposed)",
            path.display(),
            points.rows,
            points.columns
        )
        .into());
    }
    let Some(output) = job.args.output.as_deref().filter(|o| o.extension().is_some_and(|e| e == "npz")) else {
        return Err("the grid of raw matrices goes to an .npz file: give -o OUT.npz".into());
    };
    let data = job.posterior()?;
    let data = match job.device()? {
        Some(device) => data.on_device(&device)?,
        None => data,
    };
    let (mut values, mut gradients) = (Vec::with_capacity(points.rows), Vec::with_capacity(points.values.len()));
    let mut progress = super::progress::Progress::points(job.args.quiet, Some(points.rows as u64));
    for some in points.values.chunks((POINTS * n).max(1)) {
        let result = data.evaluate(Matrix::row_major(some, some.len() / n, n)?)?;
        values.extend_from_slice(result.values());
        gradients.extend_from_slice(result.gradients());
        progress.show(values.len() as u64);
    }
    progress.clear();
    let values = array(&[values.len()], &values)?;
    let gradients = array(&[points.rows, n], &gradients)?;
    let Some(bytes) = archive(&[("values.npy", values), ("gradients.npy", gradients)]) else {
        return Err(format!("{}: would be larger than 4 GiB; take fewer points at a time", output.display()).into());
    };
    write_atomically(output, &bytes)?;
    Ok(())
}

/// An .npy file.
fn array(shape: &[usize], values: &[f64]) -> Result<Vec<u8>> {
    let mut array = NpyArray::zeros(NpyType::F64, shape)?;
    array.bytes_mut().chunks_exact_mut(8).zip(values).for_each(|(b, v)| b.copy_from_slice(&v.to_ne_bytes()));
    let mut bytes = Vec::with_capacity(values.len() * 8 + 128);
    array.write(&mut bytes)?;
    Ok(bytes)
}
