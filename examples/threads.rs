//! Threads: parts of the slice on every core, and still the same bits.
use gristmill::nmath::{pbeta, rbeta};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Random numbers have no state: element i of a stream is the same on any thread.
    let (seed, stream) = (42, 0);
    let index: Vec<u64> = (0..100_000).collect();
    let mut x = vec![0.0; index.len()];
    rbeta::par_map((seed, stream, &index, 2.0, 3.0), &mut x)?;
    assert_eq!(x[70_000], rbeta(seed, stream, 70_000, 2.0, 3.0));

    let (mut on_threads, mut on_one) = (vec![0.0; x.len()], vec![0.0; x.len()]);
    pbeta::par_map((&x, 2.0, 3.0, true, false), &mut on_threads)?;
    pbeta::map((&x, 2.0, 3.0, true, false), &mut on_one)?;
    assert!(on_threads.iter().zip(&on_one).all(|(a, b)| a.to_bits() == b.to_bits()));
    println!("mean of pbeta(rbeta): {}", on_one.iter().sum::<f64>() / 1e5);
    Ok(())
}
