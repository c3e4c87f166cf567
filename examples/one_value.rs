//! One value: R's functions are functions of Rust.
use gristmill::nmath::{pgamma, qgamma};

fn main() {
    // Both tails and the log scale are computed, not subtracted: this one is 5.3e-25, and 1 - pgamma would be 0.
    let (lower_tail, log_scale) = (false, false);
    let p = pgamma(60.0, 2.0, 1.0, lower_tail, log_scale);
    println!("P(X > 60) = {p:e}");
    println!("and back:   {}", qgamma(p, 2.0, 1.0, lower_tail, log_scale));
    assert!((5.3e-25..5.4e-25).contains(&p));
}
