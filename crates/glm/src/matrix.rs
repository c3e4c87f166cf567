//! A view of a matrix in either order.

use crate::error::GlmError;
use rayon::prelude::*;

/// Rows that are turned from columns into rows together.
const ROWS: usize = 256;

/// A matrix of doubles that somebody else owns, row-major or column-major.
#[derive(Debug, Clone, Copy)]
pub struct Matrix<'a> {
    data: &'a [f64],
    rows: usize,
    columns: usize,
    row_step: usize,
    column_step: usize,
}

impl<'a> Matrix<'a> {
    /// Element `(i, j)` is `data[i * columns + j]`: C, NumPy.
    ///
    /// # Errors
    /// [`GlmError::MatrixLength`] if `data` does not have `rows * columns` elements.
    pub fn row_major(data: &'a [f64], rows: usize, columns: usize) -> Result<Matrix<'a>, GlmError> {
        check_length(data, rows, columns)?;
        Ok(Matrix { data, rows, columns, row_step: columns, column_step: 1 })
    }

    /// Element `(i, j)` is `data[i + j * rows]`: R, Fortran.
    ///
    /// # Errors
    /// [`GlmError::MatrixLength`] if `data` does not have `rows * columns` elements.
    pub fn column_major(data: &'a [f64], rows: usize, columns: usize) -> Result<Matrix<'a>, GlmError> {
        check_length(data, rows, columns)?;
        Ok(Matrix { data, rows, columns, row_step: 1, column_step: rows })
    }

    /// Rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Element `(i, j)`.
    ///
    /// # Panics
    /// If there is no such element.
    #[inline]
    pub fn get(&self, i: usize, j: usize) -> f64 {
        assert!(i < self.rows && j < self.columns, "({i}, {j}) is outside of {} x {}", self.rows, self.columns);
        self.data[i * self.row_step + j * self.column_step]
    }

    /// Row `i`.
    ///
    /// # Panics
    /// When its elements are read and there is no such row.
    pub fn row(&self, i: usize) -> impl ExactSizeIterator<Item = f64> + use<'a> {
        let matrix = *self;
        (0..self.columns).map(move |j| matrix.get(i, j))
    }

    /// A copy in row-major order.
    pub fn to_row_major(&self) -> Vec<f64> {
        if self.column_step == 1 {
            return self.data.to_vec();
        }
        let mut all = vec![0.0; self.rows * self.columns];
        // Some rows at a time, so that what is read of a column is used while it is near.
        all.par_chunks_mut((ROWS * self.columns).max(1)).enumerate().for_each(|(block, to)| {
            for j in 0..self.columns {
                let from = &self.data[block * ROWS * self.row_step + j * self.column_step..];
                let rows = to.len() / self.columns;
                for (i, value) in from.iter().step_by(self.row_step).take(rows).enumerate() {
                    to[i * self.columns + j] = *value;
                }
            }
        });
        all
    }

    /// The first element that is not a finite number, as `(row, column, value)`.
    pub fn first_non_finite(&self) -> Option<(usize, usize, f64)> {
        // The data in the order of the memory first: nearly always there is none.
        if self.data.par_chunks(1 << 14).all(|part| part.iter().all(|v| v.is_finite())) {
            return None;
        }
        (0..self.rows).find_map(|i| self.row(i).enumerate().find(|(_, v)| !v.is_finite()).map(|(j, v)| (i, j, v)))
    }
}

fn check_length(data: &[f64], rows: usize, columns: usize) -> Result<(), GlmError> {
    if rows.checked_mul(columns) == Some(data.len()) {
        Ok(())
    } else {
        Err(GlmError::MatrixLength { length: data.len(), rows, columns })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_orders_name_the_same_elements() {
        let a = Matrix::row_major(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 2, 3).unwrap();
        let b = Matrix::column_major(&[1.0, 4.0, 2.0, 5.0, 3.0, 6.0], 2, 3).unwrap();
        assert_eq!(a.to_row_major(), b.to_row_major());
        assert_eq!(b.row(1).collect::<Vec<_>>(), [4.0, 5.0, 6.0]);
    }

    #[test]
    fn a_wrong_length_is_an_error_also_where_the_product_overflows() {
        assert!(Matrix::row_major(&[1.0; 5], 2, 3).is_err());
        assert!(Matrix::column_major(&[], usize::MAX, 2).is_err());
    }

    #[test]
    fn the_first_non_finite_element_is_found_by_row() {
        let m = Matrix::column_major(&[1.0, f64::NAN, f64::INFINITY, 4.0], 2, 2).unwrap();
        let (i, j, v) = m.first_non_finite().unwrap();
        assert_eq!((i, j, v), (0, 1, f64::INFINITY));
    }
}
