//! A matrix most of whose elements are zero: a factor of a thousand levels has one element other than zero in a row.

/// Row by row, the elements other than zero.
#[derive(Debug, Clone, PartialEq)]
pub struct SparseMatrix {
    columns: usize,
    /// Where each row ends in the two lists below.
    ends: Vec<usize>,
    places: Vec<u32>,
    values: Vec<f64>,
}

impl SparseMatrix {
    /// A matrix without rows.
    ///
    /// # Panics
    /// With more than 2^32 columns.
    pub fn new(columns: usize) -> SparseMatrix {
        assert!(u32::try_from(columns).is_ok(), "{columns} columns are too many");
        SparseMatrix { columns, ends: Vec::new(), places: Vec::new(), values: Vec::new() }
    }

    /// Adds a row of `(column, value)`, columns in rising order; zeros may be left out.
    ///
    /// # Panics
    /// If a column does not exist, or they are not in order.
    pub fn push_row(&mut self, row: impl IntoIterator<Item = (usize, f64)>) {
        let first = self.places.len();
        for (column, value) in row {
            assert!(column < self.columns, "there is no column {column}");
            let in_order = self.places[first..].last().is_none_or(|last| (*last as usize) < column);
            assert!(in_order, "column {column} is not after the one before it");
            if value != 0.0 {
                self.places.push(column as u32);
                self.values.push(value);
            }
        }
        self.ends.push(self.places.len());
    }

    /// Adds the rows of another matrix below.
    ///
    /// # Panics
    /// If it has another number of columns.
    pub fn append(&mut self, other: &SparseMatrix) {
        assert_eq!(self.columns, other.columns, "both have the same columns");
        let before = self.places.len();
        self.ends.extend(other.ends.iter().map(|end| before + end));
        self.places.extend_from_slice(&other.places);
        self.values.extend_from_slice(&other.values);
    }

    /// The first columns.
    ///
    /// # Panics
    /// If there are fewer.
    #[must_use]
    pub fn first_columns(&self, columns: usize) -> SparseMatrix {
        let new: Vec<Option<u32>> = (0..self.columns).map(|j| (j < columns).then_some(j as u32)).collect();
        self.divided(&new, columns, &vec![1.0; columns])
    }

    /// Rows.
    pub fn rows(&self) -> usize {
        self.ends.len()
    }

    /// Columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Elements other than zero.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether every element is zero.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The elements of row `i` other than zero: their columns, and their values.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn row(&self, i: usize) -> (&[u32], &[f64]) {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        (&self.places[start..self.ends[i]], &self.values[start..self.ends[i]])
    }

    /// All elements, row-major.
    pub fn to_row_major(&self) -> Vec<f64> {
        let mut all = vec![0.0; self.rows() * self.columns];
        for i in 0..self.rows() {
            let (places, values) = self.row(i);
            for (place, value) in places.iter().zip(values) {
                all[i * self.columns + *place as usize] = *value;
            }
        }
        all
    }

    /// All elements, column-major.
    pub fn to_column_major(&self) -> Vec<f64> {
        let mut all = vec![0.0; self.rows() * self.columns];
        for i in 0..self.rows() {
            let (places, values) = self.row(i);
            for (place, value) in places.iter().zip(values) {
                all[*place as usize * self.rows() + i] = *value;
            }
        }
        all
    }

    /// The first element that is not a finite number, as `(row, column, value)`.
    pub(crate) fn first_non_finite(&self) -> Option<(usize, usize, f64)> {
        let at = self.values.iter().position(|v| !v.is_finite())?;
        let row = self.ends.partition_point(|end| *end <= at);
        Some((row, self.places[at] as usize, self.values[at]))
    }

    /// Some of the columns, each divided by a number; `new[j]` is the number of column `j` among them.
    pub(crate) fn divided(&self, new: &[Option<u32>], columns: usize, by: &[f64]) -> SparseMatrix {
        let mut out = SparseMatrix::new(columns);
        for i in 0..self.rows() {
            let (places, values) = self.row(i);
            for (place, value) in places.iter().zip(values) {
                if let Some(place) = new[*place as usize] {
                    out.places.push(place);
                    out.values.push(value / by[place as usize]);
                }
            }
            out.ends.push(out.places.len());
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_kept_as_given_and_zeros_are_not_stored() {
        let mut m = SparseMatrix::new(4);
        m.push_row([(0, 1.0), (2, -2.0)]);
        m.push_row([]);
        m.push_row([(1, 0.0), (3, f64::NAN)]);
        assert_eq!((m.rows(), m.columns(), m.len()), (3, 4, 3));
        assert_eq!(m.row(0), (&[0, 2][..], &[1.0, -2.0][..]));
        assert!(m.row(1).0.is_empty());
        assert_eq!(m.to_row_major()[..8], [1.0, 0.0, -2.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(m.to_column_major()[6..9], [-2.0, 0.0, 0.0]);
        let (row, column, value) = m.first_non_finite().expect("a NaN");
        assert!((row, column) == (2, 3) && value.is_nan());
        let half = m.divided(&[None, None, Some(0), None], 1, &[2.0]);
        assert_eq!(half.row(0), (&[0][..], &[-1.0][..]));
    }
}
