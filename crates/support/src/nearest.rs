//! "Did you mean": the name that a mistyped one probably stands for.

/// The candidate with the fewest edits (insert, delete, replace, swap neighbours), if it is close enough to be meant:
/// at most a third of the longer name's letters, upper and lower case taken as equal. The first of equally near ones.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted: Vec<char> = name.to_lowercase().chars().collect();
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let letters: Vec<char> = candidate.to_lowercase().chars().collect();
        let limit = (wanted.len().max(letters.len()) / 3).max(1);
        let distance = edits(&wanted, &letters);
        if distance <= limit && best.is_none_or(|(d, _)| distance < d) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The optimal string alignment distance: three rows of the table are enough.
fn edits(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = vec![0; b.len() + 1];
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replace = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replace.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_errors_find_their_name_and_strangers_do_not() {
        let names = ["mean", "median", "sd", "pnorm", "qnorm"];
        assert_eq!(nearest("maen", names), Some("mean"));
        assert_eq!(nearest("Pnrom", names), Some("pnorm"));
        assert_eq!(nearest("ds", names), Some("sd"));
        assert_eq!(nearest("weight", names), None);
        assert_eq!(nearest("", []), None);
        let symbols = ["stirlerr", "dbinom", "Rmath", "pgamma_utils"];
        assert_eq!(nearest("stirler", symbols), Some("stirlerr"));
        assert_eq!(nearest("dbniom", symbols), Some("dbinom"));
        assert_eq!(nearest("rmath", symbols), Some("Rmath"));
        assert_eq!(nearest("bessel_k", symbols), None);
    }
}
