//! Gauss' rule, for the tests that integrate densities.

/// Nodes and weights of Gauss and Legendre on [-1, 1] by Newton's iteration on the polynomial of degree `n`.
pub(crate) fn gauss_legendre(n: usize) -> Vec<(f64, f64)> {
    (0..n)
        .map(|i| {
            let mut x = (std::f64::consts::PI * (i as f64 + 0.75) / (n as f64 + 0.5)).cos();
            let mut slope = 1.0;
            for _ in 0..50 {
                let (mut a, mut b) = (1.0, x);
                for k in 2..=n {
                    (a, b) = (b, ((2 * k - 1) as f64 * x * b - (k - 1) as f64 * a) / k as f64);
                }
                slope = n as f64 * (x * b - a) / (x * x - 1.0);
                x -= b / slope;
            }
            (x, 2.0 / ((1.0 - x * x) * slope * slope))
        })
        .collect()
}
