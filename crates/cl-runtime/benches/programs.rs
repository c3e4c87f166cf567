//! How much faster a cached program loads than it builds, each in a process of its own.
//!
//! PoCL keeps compiled kernels too, so every measurement gives it an empty cache folder of its own (POCL_CACHE_DIR):
//! `build` has neither cache, `load` has ours only, `driver` has PoCL's only. The time is until the first result: some
//! drivers compile a kernel only when it is launched.

use gristmill_cl_runtime::{Arg, CacheSetting, Device, DeviceOptions, Origin, ProgramCache, choose_device};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Library functions, and how many of them each kernel calls: about the text of a distribution's quantile function.
const FUNCTIONS: usize = 40;

fn text() -> String {
    let mut text = String::from("#pragma OPENCL FP_CONTRACT OFF\n");
    for f in 0..FUNCTIONS {
        text += &format!(
            "double f{f}(double x) {{ double s = 0.0; for (int i = 0; i < 20; i++) {{ s = fma(s, x, {f}.5 + i); \
             if (s > 1e10) s = sqrt(s) / (x + {f}.0); }} return s; }}\n"
        );
    }
    text += "__kernel void k(ulong n, __global const double* x, __global double* y) { size_t i = get_global_id(0); if (i >= n) return; double s = 0.0;\n";
    for f in 0..FUNCTIONS {
        text += &format!("s += f{f}(x[i]);\n");
    }
    text + "y[i] = s; }\n"
}

/// In the child: time until the program is there, and until the first result.
fn child(cache: &str) {
    let setting =
        if cache.is_empty() { CacheSetting::Off } else { CacheSetting::At(ProgramCache::at(cache).strict(true)) };
    let mut options = DeviceOptions::default();
    options.cache = setting;
    let device = Device::open_with(&choose_device().expect("a device"), options).expect("a context");
    let text = text();
    let (x, mut y) = (vec![0.25; 64], vec![0.0; 64]);
    let start = Instant::now();
    let program = device.build(&text, "").expect("it compiles");
    let there = start.elapsed();
    let kernel = program.kernel("k").expect("it is there");
    // Writing the entry after the first launch is not part of the first result.
    // SAFETY: the entry compares its index with the number of elements, which both arrays have.
    unsafe { kernel.run_elementwise(64, &mut [Arg::Count, Arg::input(&x), Arg::output(&mut y)]) }.expect("it runs");
    let first = start.elapsed();
    println!("{} {} {}", there.as_nanos(), first.as_nanos(), u8::from(program.origin() == Origin::DiskCache));
}

/// The best of several runs, each with a fresh driver cache unless `keep` names one.
fn measure(cache: &str, runs: usize, keep: Option<&Path>) -> (Duration, Duration, bool) {
    let mut best = (Duration::MAX, Duration::MAX, false);
    for _ in 0..runs {
        let fresh = tempfile::tempdir().expect("a folder");
        let output = Command::new(std::env::current_exe().expect("this program"))
            .args(["--child", cache])
            .env("POCL_CACHE_DIR", keep.unwrap_or(fresh.path()))
            .output()
            .expect("it starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8_lossy(&output.stdout);
        let mut numbers = text.split_whitespace().map(|n| n.parse::<u64>().expect("a number"));
        let mut next = || numbers.next().expect("three numbers");
        let (there, first, cached) = (Duration::from_nanos(next()), Duration::from_nanos(next()), next() == 1);
        best = (best.0.min(there), best.1.min(first), cached);
    }
    best
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if let Some(at) = args.iter().position(|a| a == "--child") {
        return child(args.get(at + 1).map_or("", String::as_str));
    }
    let cache = tempfile::tempdir().expect("a folder");
    let path = cache.path().to_str().expect("text").to_string();
    let built = measure("", 3, None);
    measure(&path, 1, None);
    let loaded = measure(&path, 5, None);
    assert!(loaded.2, "it came from the cache");
    let driver = tempfile::tempdir().expect("a folder");
    measure("", 1, Some(driver.path()));
    let driver = measure("", 5, Some(driver.path()));
    let ms = |d: Duration| d.as_secs_f64() * 1e3;
    println!("                       program     first result");
    println!("built               {:9.2} ms    {:9.2} ms", ms(built.0), ms(built.1));
    println!("our cache           {:9.2} ms    {:9.2} ms", ms(loaded.0), ms(loaded.1));
    println!("the driver's cache  {:9.2} ms    {:9.2} ms", ms(driver.0), ms(driver.1));
    let ratio = built.0.as_secs_f64() / loaded.0.as_secs_f64();
    let first = built.1.as_secs_f64() / loaded.1.as_secs_f64();
    let verdict = if ratio >= 20.0 { "met" } else { "MISSED" };
    println!(
        "a cached program loads {ratio:.0}x faster than it builds (goal 20x: {verdict}), and gives its first result {first:.0}x sooner"
    );
}
