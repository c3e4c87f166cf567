//! A kernel of your own: a function with an attribute.
use gristmill::kernel::kernel;
use gristmill::nmath::exp;

/// Logistic growth.
#[kernel(crate = "gristmill::kernel")]
pub fn growth(t: f64, a: f64, b: f64) -> f64 {
    a / (1.0 + exp(-b * t))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    assert_eq!(growth(0.0, 3.0, 0.7), 1.5); // a value
    let t: Vec<f64> = (0..1000).map(|i| f64::from(i) * 0.01).collect();
    let mut y = vec![0.0; t.len()];
    growth::par_map((&t, 3.0, 0.7), &mut y)?; // a slice on threads, over vectors of numbers
    println!("growth({}) = {}", t[999], y[999]);
    // The same in OpenCL C, with all that it calls, for any host.
    let mut program = gristmill::kernel_cl::Assembly::new();
    program.add_map(growth::FUNCTION.shard());
    println!("{} lines of OpenCL C", program.text().lines().count());
    Ok(())
}
