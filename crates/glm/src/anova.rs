//! Analysis of deviance: the terms of a formula one after the other.

use crate::error::GlmError;
use crate::formula::Design;
use crate::model::Model;

/// A model, and what its last term added.
#[derive(Debug, Clone, PartialEq)]
pub struct AnovaRow {
    /// The term; `NULL` for the model without terms.
    pub term: String,
    /// Degrees of freedom of the term; `None` for the first row.
    pub degrees: Option<usize>,
    /// By how much the term lowers the deviance.
    pub reduction: Option<f64>,
    /// Degrees of freedom that are left.
    pub residual_degrees: usize,
    /// The deviance that is left.
    pub residual_deviance: f64,
}

impl Design {
    /// The deviance of the model with the intercept (if there is one) and the offset, then with each term added in turn, as R's
    /// `anova` of one `glm` has it.
    ///
    /// # Errors
    /// As [`crate::GlmData::fit`].
    pub fn analysis_of_deviance(&self, model: Model) -> Result<Vec<AnovaRow>, GlmError> {
        let rows = self.y.len();
        let mut columns = usize::from(self.intercept);
        let mut all: Vec<AnovaRow> = Vec::with_capacity(self.terms.len() + 1);
        for term in std::iter::once(None).chain(self.terms.iter().map(Some)) {
            columns += term.map_or(0, |(_, count)| *count);
            let x = self.x.first_columns(columns, rows);
            let data = x.builder(model, rows)?.y(&self.y).weights(&self.weights).offset(&self.offset).build()?;
            let fit = data.fit()?;
            let residual_degrees = fit.rows_used.saturating_sub(fit.rank());
            let before = all.last();
            let degrees = before.map(|b| b.residual_degrees.saturating_sub(residual_degrees));
            // A term that adds no column lowers nothing: what it does to the deviance is rounding.
            let reduction = |b: &AnovaRow| if degrees == Some(0) { 0.0 } else { b.residual_deviance - fit.deviance };
            all.push(AnovaRow {
                term: term.map_or_else(|| "NULL".to_string(), |(label, _)| label.clone()),
                degrees,
                reduction: before.map(reduction),
                residual_degrees,
                residual_deviance: fit.deviance,
            });
        }
        Ok(all)
    }
}
