//! The name somebody probably meant.

/// The candidate with the smallest edit distance to `name`, if it is near enough to be a likely misspelling.
#[must_use]
pub(crate) fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate.len().abs_diff(name.len()) > limit * 4 {
            continue;
        }
        let distance = if candidate.eq_ignore_ascii_case(name) { 0 } else { edit_distance(name, candidate) };
        if distance <= limit && best.is_none_or(|(d, b)| (distance, candidate) < (d, b)) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Insertions, deletions, substitutions and swaps of neighbours, each 1 (optimal string alignment).
fn edit_distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut previous: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let mut cost = (previous[j] + usize::from(a[i] != b[j])).min(previous[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                cost = cost.min(before[j - 1] + 1);
            }
            row.push(cost);
        }
        before = std::mem::replace(&mut previous, row);
    }
    previous[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelling_finds_its_name_and_a_stranger_finds_nothing() {
        let names = ["stirlerr", "dbinom", "Rmath", "pgamma_utils"];
        assert_eq!(nearest("stirler", names), Some("stirlerr"));
        assert_eq!(nearest("dbniom", names), Some("dbinom"));
        assert_eq!(nearest("rmath", names), Some("Rmath"));
        assert_eq!(nearest("bessel_k", names), None);
    }
}
