//! An OpenCL device with double precision, a graphics card or PoCL on the processor: the same bits again.
use gristmill::cl_runtime::Device;
use gristmill::nmath::pnorm;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let device = Device::from_env()?; // GRISTMILL_DEVICE, or the best one
    println!("on {}", device.info().name);
    let x: Vec<f64> = (0..10_000).map(|i| f64::from(i) * 0.002 - 10.0).collect();
    let (mut here, mut there) = (vec![0.0; x.len()], vec![0.0; x.len()]);
    pnorm::map((&x, 0.0, 1.0, true, false), &mut here)?;
    let on_device = pnorm::on(&device)?; // translates and builds; the next process finds it in the cache
    on_device.map((&x, 0.0, 1.0, true, false), &mut there)?;
    assert!(here.iter().zip(&there).all(|(a, b)| a.to_bits() == b.to_bits()));
    println!("{} values, the same bits", x.len());
    Ok(())
}
