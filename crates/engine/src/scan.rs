//! Running results: each row's depends on the rows before it, so the rows are taken in order.

use crate::compensated::Product;
use crate::plan::ScanKind;
use crate::reduce::Sum;
use std::collections::VecDeque;

/// A running result under way: what the rows so far came to, for each group.
#[derive(Debug, Clone)]
pub struct Scan {
    kind: ScanKind,
    groups: Vec<State>,
}

#[derive(Debug, Clone)]
enum State {
    /// The sum so far, and whether a value was missing: all that follow are then missing too.
    Sum(Sum, bool),
    Product(Product, bool),
    /// The last values, oldest first, and whether each is missing.
    Last(VecDeque<(f64, bool)>),
}

impl State {
    fn new(kind: ScanKind) -> State {
        match kind {
            ScanKind::Sum => State::Sum(Sum::default(), false),
            ScanKind::Product => State::Product(Product::ONE, false),
            ScanKind::Lag(_) => State::Last(VecDeque::new()),
        }
    }

    #[inline]
    fn next(&mut self, kind: ScanKind, value: f64, missing: bool) -> (f64, bool) {
        match self {
            State::Sum(sum, ended) => {
                *ended |= missing;
                if *ended {
                    return (0.0, true);
                }
                *sum = sum.plus(value);
                (sum.value(), false)
            }
            State::Product(product, ended) => {
                *ended |= missing;
                if *ended {
                    return (0.0, true);
                }
                *product = product.times(value);
                (product.value(), false)
            }
            State::Last(last) => {
                let ScanKind::Lag(distance) = kind else { return (0.0, true) };
                last.push_back((value, missing));
                if last.len() as u64 > distance { last.pop_front().unwrap_or((0.0, true)) } else { (0.0, true) }
            }
        }
    }
}

impl Scan {
    /// Before the first row.
    pub fn new(kind: ScanKind) -> Scan {
        Scan { kind, groups: Vec::new() }
    }

    /// The results for rows that follow those before, and where they are missing. `groups` has each row's group, if the
    /// results run within groups.
    pub fn run(&mut self, values: &[f64], missing: Option<&[bool]>, groups: Option<&[u32]>) -> (Vec<f64>, Vec<bool>) {
        let count = groups.and_then(|g| g.iter().max()).map_or(1, |most| *most as usize + 1);
        if self.groups.len() < count {
            self.groups.resize(count, State::new(self.kind));
        }
        let mut results = (Vec::with_capacity(values.len()), Vec::with_capacity(values.len()));
        for (i, value) in values.iter().enumerate() {
            let group = groups.map_or(0, |g| g[i] as usize);
            let (result, is_missing) = self.groups[group].next(self.kind, *value, missing.is_some_and(|m| m[i]));
            results.0.push(result);
            results.1.push(is_missing);
        }
        results
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(kind: ScanKind, values: &[f64], missing: &[usize], groups: Option<&[u32]>) -> Vec<Option<f64>> {
        let is_missing: Vec<bool> = (0..values.len()).map(|i| missing.contains(&i)).collect();
        let mut whole = None;
        // However the rows are cut up, the results are the same.
        for piece in [values.len().max(1), 1, 3] {
            let mut scan = Scan::new(kind);
            let mut found = Vec::new();
            for start in (0..values.len()).step_by(piece) {
                let end = values.len().min(start + piece);
                let groups = groups.map(|g| &g[start..end]);
                let (results, missing) = scan.run(&values[start..end], Some(&is_missing[start..end]), groups);
                found.extend(results.iter().zip(missing).map(|(x, m)| (!m).then_some(*x)));
            }
            assert_eq!(*whole.get_or_insert(found.clone()), found);
        }
        whole.unwrap_or_default()
    }

    #[test]
    fn running_results_follow_r() {
        let some = |values: &[f64]| values.iter().copied().map(Some).collect::<Vec<_>>();
        assert_eq!(run(ScanKind::Sum, &[1.0, 2.0, 4.0], &[], None), some(&[1.0, 3.0, 7.0]));
        assert_eq!(run(ScanKind::Sum, &[1.0, 2.0, 4.0], &[1], None), [Some(1.0), None, None]);
        assert_eq!(run(ScanKind::Sum, &[1e16, 1.0, -1e16], &[], None), some(&[1e16, 1e16, 1.0]));
        assert_eq!(run(ScanKind::Product, &[1e200, 1e200, 1e-300], &[], None), some(&[1e200, f64::INFINITY, 1e100]));
        assert_eq!(run(ScanKind::Lag(1), &[1.0, 2.0, 4.0], &[0], None), [None, None, Some(2.0)]);
        assert_eq!(run(ScanKind::Lag(0), &[1.0, 2.0], &[], None), some(&[1.0, 2.0]));
        assert_eq!(run(ScanKind::Lag(5), &[1.0, 2.0], &[], None), [None, None]);
        let groups = [0, 1, 0, 1];
        assert_eq!(run(ScanKind::Sum, &[1.0, 2.0, 4.0, 8.0], &[], Some(&groups)), some(&[1.0, 2.0, 5.0, 10.0]));
        assert_eq!(
            run(ScanKind::Lag(1), &[1.0, 2.0, 4.0, 8.0], &[], Some(&groups)),
            [None, None, Some(1.0), Some(2.0)]
        );
    }
}
