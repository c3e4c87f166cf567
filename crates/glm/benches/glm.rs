//! `cargo xtask bench glm [grids|fits]… [ROUNDS]`: grids and fits.
//!
//! Grids: seconds for value and gradient of a binomial logit model at a grid, on all threads, on
//! one and on an OpenCL device (if there is one), against NumPy (if python3 has it), on the same data in one run. Then ns per
//! row and point of every family and link. `MB` is the memory that an evaluation takes beside its data and its results.
//!
//! Fits: seconds for whole fits from the model matrix in memory, against R's `glm.fit` and statsmodels (where they are installed)
//! on the same data in the same run.
//!
//! The figures to read are the ratios.
#![allow(missing_docs)]

use gristmill_cl_runtime::Device;
use gristmill_glm::{Family, GlmData, Link, Matrix, Model, SparseMatrix};
use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Counts what is allocated.
struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is passed on to the system's allocator as it came, which keeps the contract.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MOST.fetch_max(now, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The most bytes that are held while `f` runs, without those of its result.
fn bytes_beside<R>(f: impl FnOnce() -> R) -> usize {
    let before = NOW.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    let result = f();
    let kept = NOW.load(Ordering::Relaxed);
    drop(result);
    MOST.load(Ordering::Relaxed).saturating_sub(kept.max(before))
}

/// Rows, coefficients, points; and seconds that a run should not exceed on two threads of the machine where the goals were set.
const SHAPES: &[(usize, usize, usize, Option<f64>)] = &[
    (300, 14, 500, Some(0.0007)),
    (10_000, 14, 4096, Some(0.14)),
    (100_000, 10, 1024, Some(0.36)),
    (5000, 200, 64, None),
];

/// The best that NumPy does with whole-array operations: grid points in runs, so that temporaries stay near the cache.
const NUMPY: &str = r#"
import numpy as np, sys, time
folder, rows, columns, points, rounds = sys.argv[1], *map(int, sys.argv[2:])
x = np.fromfile(folder + "/x").reshape(rows, columns)
y = np.fromfile(folder + "/y")
b = np.fromfile(folder + "/b").reshape(points, columns)
run = max(1, 1000000 // rows)
def evaluate():
    values, gradients = np.empty(points), np.empty((points, columns))
    for i in range(0, points, run):
        eta = x @ b[i:i + run].T
        e = np.exp(-np.abs(eta))
        values[i:i + run] = (np.log1p(e) + np.maximum(eta, 0.0) - y[:, None] * eta).sum(0)
        gradients[i:i + run] = (np.where(eta >= 0.0, 1.0, e) / (1.0 + e) - y[:, None]).T @ x
    return values, gradients
best = np.inf
for _ in range(rounds):
    start = time.perf_counter()
    values, gradients = evaluate()
    best = min(best, time.perf_counter() - start)
values.tofile(folder + "/values")
gradients.tofile(folder + "/gradients")
print(best)
"#;

struct Numbers(u64);

impl Numbers {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, count: usize, low: f64, high: f64) -> Vec<f64> {
        (0..count).map(|_| low + (high - low) * self.uniform()).collect()
    }
}

fn least<R>(rounds: usize, mut f: impl FnMut() -> R) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..rounds {
        let start = Instant::now();
        black_box(f());
        best = best.min(start.elapsed().as_secs_f64());
    }
    best
}

fn save(path: &Path, values: &[f64]) {
    let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
    std::fs::write(path, bytes).expect("the folder for temporary files can be written");
}

fn load(path: &Path) -> Option<Vec<f64>> {
    let bytes = std::fs::read(path).ok()?;
    Some(bytes.chunks_exact(8).map(|c| f64::from_le_bytes(c.try_into().expect("8 bytes"))).collect())
}

/// The largest difference, relative to the largest number.
fn difference(a: &[f64], b: &[f64]) -> f64 {
    let scale = a.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
    a.iter().zip(b).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs())) / scale
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let rounds: usize = words.iter().find_map(|a| a.parse().ok()).unwrap_or(7);
    let named = |part: &str| words.iter().any(|w| w == part);
    if named("grids") || !named("fits") {
        grids(rounds);
    }
    if named("fits") || !named("grids") {
        fits(rounds.div_ceil(3));
    }
}

fn grids(rounds: usize) {
    let folder = std::env::temp_dir().join(format!("gristmill-bench-glm-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread can be started");
    println!("binomial logit, value and gradient; {} threads", rayon::current_num_threads());
    println!(
        "{:>7} {:>6} {:>6} {:>10} {:>10} {:>8} {:>8} {:>10} {:>8} {:>9} {:>6} {:>10}",
        "rows",
        "coeff.",
        "points",
        "seconds",
        "1 thread",
        "speed-up",
        "ns/row",
        "NumPy",
        "ratio",
        "goal",
        "MB",
        "device"
    );
    let device = Device::from_env();
    for &(rows, columns, points, goal) in SHAPES {
        let mut numbers = Numbers((rows + columns) as u64);
        let mut x = numbers.between(rows * columns, -1.0, 1.0);
        x.chunks_exact_mut(columns).for_each(|row| row[0] = 1.0);
        let y: Vec<f64> = (0..rows).map(|_| f64::from(numbers.uniform() < 0.4)).collect();
        let b = numbers.between(points * columns, -1.0, 1.0);
        let model = Model::new(Family::Binomial, Some(Link::Logit), None).expect("a model");
        let data =
            GlmData::new(model, Matrix::row_major(&x, rows, columns).expect("a matrix"), &y, None, None, None, None)
                .expect("fine data");
        let grid = Matrix::row_major(&b, points, columns).expect("a matrix");
        let rounds = if rows * points < 1_000_000 { 40 * rounds } else { rounds };
        let seconds = least(rounds, || data.evaluate(grid).expect("a grid"));
        let alone = one.install(|| least(rounds.div_ceil(2), || data.evaluate(grid).expect("a grid")));
        for (name, values) in [("x", &x), ("y", &y), ("b", &b)] {
            save(&folder.join(name), values);
        }
        let numpy: Option<f64> = Command::new("python3")
            .args(["-c", NUMPY])
            .arg(&folder)
            .args([rows, columns, points, rounds.div_ceil(4)].map(|n| n.to_string()))
            .output()
            .ok()
            .and_then(|out| String::from_utf8_lossy(&out.stdout).trim().parse().ok());
        let ns = seconds * 1e9 / (rows * points) as f64;
        print!("{rows:>7} {columns:>6} {points:>6} {seconds:>10.5} {alone:>10.5} {:>8.2} {ns:>8.2}", alone / seconds);
        match numpy {
            Some(numpy) => {
                print!(" {numpy:>10.5} {:>8.1}", numpy / seconds);
                let result = data.evaluate(grid).expect("a grid");
                if let (Some(values), Some(gradients)) = (load(&folder.join("values")), load(&folder.join("gradients")))
                {
                    let off = difference(result.values(), &values).max(difference(result.gradients(), &gradients));
                    assert!(off < 1e-11, "NumPy's results differ by {off:e}");
                }
            }
            None => print!(" {:>10} {:>8}", "-", "-"),
        }
        match goal {
            Some(goal) => print!(" {goal:>9.4}"),
            None => print!(" {:>9}", "-"),
        }
        print!(" {:>6.2}", bytes_beside(|| data.evaluate(grid).expect("a grid")) as f64 / 1e6);
        match &device {
            Ok(device) => {
                let there = data.clone().on_device(device).expect("the device has room");
                let expected = data.evaluate(grid).expect("a grid");
                // The first run may compile.
                assert_eq!(there.evaluate(grid).expect("a grid"), expected, "the device's results differ");
                println!(" {:>10.5}", least(2, || there.evaluate(grid).expect("a grid")));
            }
            Err(_) => println!(" {:>10}", "-"),
        }
        if numpy.is_none() {
            eprintln!("glm: python3 has no NumPy: that column is left out");
        }
    }
    std::fs::remove_dir_all(&folder).ok();
    match &device {
        Ok(device) => println!("device: {}, the same bits", device.info().name),
        Err(error) => eprintln!("glm: that column is left out: {error}"),
    }
    println!("\nns per row and point, 1000 rows, 5 coefficients, 512 points, 1 thread");
    for &family in Family::ALL {
        for &link in family.links() {
            let ns = one.install(|| per_row(family, link, rounds));
            println!("{:<18} {:<9} {ns:>6.2}", family.name(), link.name());
        }
    }
}

/// R's own loop, without formulas and summaries: what `glm` spends its time in.
const R: &str = r#"
a <- commandArgs(TRUE); n <- as.integer(a[2]); p <- as.integer(a[3])
x <- matrix(readBin(file.path(a[1], "x"), "double", n * p), n, p, byrow = TRUE)
y <- readBin(file.path(a[1], "y"), "double", n)
family <- get(a[4])()
seconds <- system.time(f <- glm.fit(x, y, family = family))[["elapsed"]]
writeBin(unname(coef(f)), file.path(a[1], "coefficients"))
cat(seconds)
"#;

const STATSMODELS: &str = r#"
import numpy as np, sys, time, statsmodels.api as sm
folder, rows, columns, family = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
x = np.fromfile(folder + "/x").reshape(rows, columns)
y = np.fromfile(folder + "/y")
family = {"binomial": sm.families.Binomial, "poisson": sm.families.Poisson}[family]()
start = time.perf_counter()
fit = sm.GLM(y, x, family=family).fit()
seconds = time.perf_counter() - start
np.asarray(fit.params, dtype=float).tofile(folder + "/coefficients")
print(seconds)
"#;

/// A model whose fit is timed.
struct FitCase {
    name: &'static str,
    family: Family,
    rows: usize,
    columns: usize,
    /// Row-major.
    x: Vec<f64>,
    y: Vec<f64>,
    /// The same as `x`, of a factor.
    sparse: Option<SparseMatrix>,
    /// Seconds that a fit should not exceed on two threads of the machine where the goals were set.
    goal: Option<f64>,
}

impl FitCase {
    fn dense(name: &'static str, rows: usize, columns: usize, goal: Option<f64>) -> FitCase {
        let mut numbers = Numbers((rows + columns) as u64);
        let mut x = numbers.between(rows * columns, -1.0, 1.0);
        x.chunks_exact_mut(columns).for_each(|row| row[0] = 1.0);
        let b = numbers.between(columns, -0.7, 0.7);
        let y = x
            .chunks_exact(columns)
            .map(|row| {
                let eta: f64 = row.iter().zip(&b).map(|(x, b)| x * b).sum();
                f64::from(numbers.uniform() < 1.0 / (1.0 + (-eta).exp()))
            })
            .collect();
        FitCase { name, family: Family::Binomial, rows, columns, x, y, sparse: None, goal }
    }

    /// An intercept and a factor with treatment contrasts.
    fn factor(name: &'static str, rows: usize, levels: usize) -> FitCase {
        let mut numbers = Numbers(levels as u64);
        let mut x = vec![0.0; rows * levels];
        let mut y = Vec::with_capacity(rows);
        let mut sparse = SparseMatrix::new(levels);
        for (i, row) in x.chunks_exact_mut(levels).enumerate() {
            let level = i % levels;
            row[0] = 1.0;
            row[level] = 1.0;
            sparse.push_row([(0, 1.0), (level, 1.0)].into_iter().take(1 + usize::from(level > 0)));
            y.push((numbers.uniform() * (3 + level % 7) as f64).floor() + 1.0);
        }
        FitCase { name, family: Family::Poisson, rows, columns: levels, x, y, sparse: Some(sparse), goal: None }
    }

    fn data(&self) -> GlmData {
        let builder = GlmData::builder(Model::new(self.family, None, None).expect("a model")).y(&self.y);
        match &self.sparse {
            Some(x) => builder.sparse_x(x).build(),
            None => builder.x(Matrix::row_major(&self.x, self.rows, self.columns).expect("a matrix")).build(),
        }
        .expect("fine data")
    }

    /// Seconds of another program, and by how much its coefficients differ from ours, relative to the largest.
    fn peer(&self, command: &mut Command, folder: &Path, ours: &[f64]) -> Option<(f64, f64)> {
        let words = [self.rows.to_string(), self.columns.to_string(), self.family.name().to_string()];
        let output = command.arg(folder).args(words).output().ok()?;
        let seconds = String::from_utf8_lossy(&output.stdout).trim().parse().ok()?;
        Some((seconds, difference(ours, &load(&folder.join("coefficients"))?)))
    }
}

fn fits(rounds: usize) {
    let folder = std::env::temp_dir().join(format!("gristmill-bench-fits-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread can be started");
    println!("\nfits, from the model matrix in memory; {} threads", rayon::current_num_threads());
    println!(
        "{:<26} {:>8} {:>9} {:>5} {:>6} {:>9} {:>6} {:>11} {:>6}",
        "", "seconds", "1 thread", "steps", "goal", "R", "ratio", "statsmodels", "ratio"
    );
    let cases = [
        FitCase::dense("binomial 10^6 x 15", 1_000_000, 15, Some(1.0)),
        FitCase::dense("binomial 10^5 x 100", 100_000, 100, None),
        FitCase::factor("poisson, 1,000 levels", 20_000, 1000),
    ];
    for case in &cases {
        let fit = case.data().fit().expect("a fit");
        assert!(fit.converged(), "{}", case.name);
        let whole = || case.data().fit().expect("a fit");
        let seconds = least(rounds, whole);
        let alone = one.install(|| least(rounds.div_ceil(2), whole));
        print!("{:<26} {seconds:>8.3} {alone:>9.3} {:>5}", case.name, fit.iterations);
        print!(" {:>6}", case.goal.map_or("-".to_string(), |goal| format!("{goal:.1}")));
        save(&folder.join("x"), &case.x);
        save(&folder.join("y"), &case.y);
        let r = case.peer(Command::new("Rscript").args(["-e", R]), &folder, &fit.coefficients);
        let statsmodels = case.peer(Command::new("python3").args(["-c", STATSMODELS]), &folder, &fit.coefficients);
        for (peer, width) in [(r, 9), (statsmodels, 11)] {
            match peer {
                Some((theirs, off)) => {
                    assert!(off < 1e-6, "the coefficients differ by {off:e}");
                    print!(" {theirs:>width$.3} {:>6.1}", theirs / seconds);
                }
                None => print!(" {:>width$} {:>6}", "-", "-"),
            }
        }
        println!();
    }
    std::fs::remove_dir_all(&folder).ok();
}

/// ns per row and point.
fn per_row(family: Family, link: Link, rounds: usize) -> f64 {
    let (rows, columns, points) = (1000, 5, 512);
    let mut numbers = Numbers(7);
    let x = numbers.between(rows * columns, 0.1, 1.0);
    let y: Vec<f64> = (0..rows)
        .map(|i| {
            if matches!(family, Family::Gamma | Family::InverseGaussian | Family::Quasi) { 1.5 } else { (i % 2) as f64 }
        })
        .collect();
    let b = numbers.between(points * columns, 0.1, 1.0);
    let model = Model::new(family, Some(link), (family == Family::NegativeBinomial).then_some(2.0)).expect("a model");
    let x = Matrix::row_major(&x, rows, columns).expect("a matrix");
    let data = GlmData::new(model, x, &y, None, None, None, None).expect("fine data");
    let grid = Matrix::row_major(&b, points, columns).expect("a matrix");
    least(4 * rounds, || data.evaluate(grid).expect("a grid")) * 1e9 / (rows * points) as f64
}
