//! For tests: whether draws follow a discrete distribution.

/// Draws 2000 numbers and compares how many fall between twenty quantiles with how many should.
pub(crate) fn assert_follows(
    what: &str,
    draw: impl Fn(u64) -> f64,
    quantile: impl Fn(f64) -> f64,
    probability: impl Fn(f64) -> f64,
) {
    let (draws, cells) = (2000, 20);
    let borders: Vec<f64> = (1..cells).map(|j| quantile(f64::from(j) / f64::from(cells))).collect();
    let mut counts = vec![0.0; cells as usize];
    for i in 0..draws {
        let k = draw(i);
        counts[borders.iter().filter(|border| k > **border).count()] += 1.0;
    }
    let (mut below, mut chi) = (0.0, 0.0);
    for (j, count) in counts.iter().enumerate() {
        let to = borders.get(j).map_or(1.0, |border| probability(*border));
        let expected = (to - below) * draws as f64;
        below = to;
        if expected > 0.0 {
            chi += (count - expected) * (count - expected) / expected;
        } else {
            assert_eq!(*count, 0.0, "{what}");
        }
    }
    let tail = crate::pchisq(chi, f64::from(cells - 1), false, false);
    assert!(tail > 1e-4, "{what}: {counts:?}");
}
