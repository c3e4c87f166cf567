//! A slice, over vectors of numbers: the same bits as value by value.
use gristmill::nmath::pgamma;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let q: Vec<f64> = (0..1000).map(|i| f64::from(i) * 0.01).collect();
    let mut p = vec![0.0; q.len()];
    // A slice has a value for each element; a number stands for every element, and what depends on such numbers alone is
    // computed once.
    pgamma::map((&q, 2.0, 1.0, true, false), &mut p)?;
    assert!(q.iter().zip(&p).all(|(q, p)| pgamma(*q, 2.0, 1.0, true, false).to_bits() == p.to_bits()));
    println!("P(X <= {}) = {}", q[999], p[999]);

    // Slices that do not fit are an error, and nothing is written.
    let error = pgamma::map((&q[..3], 2.0, 1.0, true, false), &mut p).unwrap_err();
    println!("{error}");
    Ok(())
}
