//! What several test programs and the benchmarks share.
#![allow(dead_code)] // each uses a part

pub(crate) mod calls;
pub(crate) mod timing;

/// Numbers from a seed that failures can print: Knuth's linear congruential generator, of which the high bits are used.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0
    }

    /// Uniform in (0, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        ((self.word() >> 11) as f64 + 0.5) / 9_007_199_254_740_992.0
    }

    /// Between two positive numbers, all orders of magnitude alike.
    pub(crate) fn log_uniform(&mut self, low: f64, high: f64) -> f64 {
        (low.ln() + (high.ln() - low.ln()) * self.unit()).exp()
    }
}
