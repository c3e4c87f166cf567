//! Single calls of a kernel that is known only as data, with arguments from one end of the range to the other.

use super::Random;
use gristmill_kernel::{Column, ColumnMut, Function, Level, Scalar};
use std::time::Instant;

impl Random {
    /// Counts, probabilities, logs of probabilities, sizes from one end of the range to the other.
    pub(crate) fn any_number(&mut self) -> f64 {
        match (self.unit() * 16.0) as u32 {
            0..=2 => self.unit(),
            3 => self.log_uniform(1e-300, 1.0),
            4 => 1.0 - self.log_uniform(1e-16, 0.5),
            5..=7 => self.log_uniform(1.0, 1e9).floor(),
            8 => self.log_uniform(1.0, 1e16).floor(),
            9 => self.log_uniform(1e-3, 1e6),
            10 => self.log_uniform(1e-300, 1e300),
            11 => -self.log_uniform(1e-3, 1e3),
            12 => -self.log_uniform(1e-300, 1e300),
            13 => (self.unit() * 100.0).floor(),
            14 => self.log_uniform(5e-324, 1e-307),
            _ => [0.0, -0.0, 0.5, 1.0, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, f64::NAN]
                [(self.unit() * 8.0) as usize],
        }
    }
}

/// Arguments of one call.
#[derive(Debug)]
pub(crate) enum Argument {
    F64([f64; 1]),
    I32([i32; 1]),
    U32([u32; 1]),
    U64([u64; 1]),
    Bool([bool; 1]),
}

impl Argument {
    pub(crate) fn draw(scalar: Scalar, random: &mut Random) -> Argument {
        match scalar {
            Scalar::I32 => Argument::I32([random.word() as i32]),
            Scalar::U32 => Argument::U32([random.word() as u32]),
            Scalar::U64 => Argument::U64([random.word()]),
            Scalar::Bool => Argument::Bool([random.unit() < 0.5]),
            _ => Argument::F64([random.any_number()]),
        }
    }

    pub(crate) fn shown(&self) -> String {
        match self {
            Argument::F64([x]) => format!("{x:?}"),
            Argument::I32([x]) => x.to_string(),
            Argument::U32([x]) => x.to_string(),
            Argument::U64([x]) => x.to_string(),
            Argument::Bool([x]) => x.to_string(),
        }
    }

    fn column(&self) -> Column<'_> {
        match self {
            Argument::F64(v) => Column::F64(v),
            Argument::I32(v) => Column::I32(v),
            Argument::U32(v) => Column::U32(v),
            Argument::U64(v) => Column::U64(v),
            Argument::Bool(v) => Column::Bool(v),
        }
    }
}

/// The time of a call in microseconds, the least of `times`.
pub(crate) fn time(f: Function, arguments: &[Argument], times: u32) -> f64 {
    let ins: Vec<Column<'_>> = arguments.iter().map(Argument::column).collect();
    let (mut numbers, mut b, mut words) = ([[0.0]; 4], [0i32], [[0u32]; 4]);
    let mut least = f64::INFINITY;
    for _ in 0..times {
        let mut outs = match f.results().as_slice() {
            [Scalar::F64, Scalar::I32] => vec![ColumnMut::F64(&mut numbers[0]), ColumnMut::I32(&mut b)],
            [Scalar::I32] => vec![ColumnMut::I32(&mut b)],
            all if all.len() <= 4 && all.iter().all(|ty| *ty == Scalar::F64) => {
                numbers.iter_mut().take(all.len()).map(|x| ColumnMut::F64(x)).collect()
            }
            [Scalar::U32, ..] => words.iter_mut().map(|w| ColumnMut::U32(w)).collect(),
            other => panic!("{} gives {other:?}", f.name()),
        };
        let start = Instant::now();
        f.call_at(Level::best(), &ins, &mut outs, 0).expect("the columns fit");
        least = least.min(start.elapsed().as_secs_f64() * 1e6);
    }
    least
}
