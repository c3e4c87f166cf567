//! Fits whose likelihood is highest where the link's domain ends.
//!
//! Newton's steps, cut short at the border, can come to rest anywhere along it. Here the rows are kept away from it by a barrier,
//! a part of the logarithm of their distance, which is lowered until it makes no difference (fiacco1968): the highest value
//! that the domain has is missed by less than the last part times the number of rows.

use super::{Curvatures, Ended, FitOutcome, FitProgress, Local, Search};
use crate::error::GlmError;

/// The parts of the logarithm, each a tenth of the one before: from 1 to 1e-10.
const PARTS: i32 = 10;
/// A predictor this near to 0, in units of the largest, is at the border: the last barrier leaves rows that press against it a
/// distance of 1e-10 or so.
const AT_BORDER: f64 = 1e-6;

impl Search<'_> {
    /// Goes on from a search that was stopped by the border.
    pub(super) fn along_the_border(
        &mut self,
        ended: Ended,
        progress: &mut impl FnMut(FitProgress),
    ) -> Result<Ended, GlmError> {
        let mut iterations = ended.iterations;
        let mut place = self.start()?.at;
        for power in 0..=PARTS {
            self.barrier = 10_f64.powi(-power);
            let start = self.local(place.clone(), None, Curvatures::Exact);
            if !start.sums.value.is_finite() {
                break;
            }
            let step = self.climb(start, progress);
            iterations += step.iterations;
            place = step.here.at;
        }
        self.barrier = 0.0;
        let here = self.local(place, None, Curvatures::Exact);
        let rows = self.rows_at_border(&here);
        if here.sums.value.is_nan() || here.sums.value > ended.here.sums.value {
            return Ok(Ended { iterations, ..ended });
        }
        if rows.is_empty() {
            // The border was only in the way: the mode is inside.
            let inside = self.climb(here, progress);
            return Ok(Ended { iterations: iterations + inside.iterations, ..inside });
        }
        Ok(Ended { here, iterations, outcome: FitOutcome::Border { rows }, met_border: true })
    }

    fn rows_at_border(&self, here: &Local) -> Vec<usize> {
        let largest = here.eta.iter().fold(0.0, |m: f64, eta| m.max(eta.abs()));
        let near = |i: &usize| self.data.weights()[*i] > 0.0 && here.eta[*i].abs() <= AT_BORDER * largest;
        (0..here.eta.len()).filter(near).collect()
    }
}
