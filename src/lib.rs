//! Write a numerical kernel once; run the same bits everywhere.
//!
//! # A tour
//! The programs in `examples/` are this tour, to run and to change: `cargo run --example one_value`.
//!
//! **One value.** R's functions are functions of Rust; both tails and the log scale are computed, not subtracted:
//! ```
//! use gristmill::nmath::pgamma;
//!
//! let (lower_tail, log_scale) = (false, false);
//! let p = pgamma(60.0, 2.0, 1.0, lower_tail, log_scale);
//! assert_eq!(format!("{p:.3e}"), "5.341e-25");
//! ```
//! **A slice**, over vectors of numbers, and **threads**, with the same bits. A number stands for every element:
//! ```
//! use gristmill::nmath::pgamma;
//!
//! let q = [0.5, 1.0, 3.2];
//! let (mut p, mut on_threads) = ([0.0; 3], [0.0; 3]);
//! pgamma::map((&q, 2.0, 1.0, true, false), &mut p)?;
//! pgamma::par_map((&q, 2.0, 1.0, true, false), &mut on_threads)?;
//! assert_eq!(p[2], pgamma(3.2, 2.0, 1.0, true, false));
//! assert_eq!(p, on_threads);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! **A device**: any OpenCL device with double precision.
#![cfg_attr(feature = "opencl", doc = "```")]
#![cfg_attr(not(feature = "opencl"), doc = "```ignore")]
//! use gristmill::cl_runtime::Device;
//! use gristmill::nmath::pgamma;
//!
//! let q = [0.5, 1.0, 3.2];
//! let (mut here, mut there) = ([0.0; 3], [0.0; 3]);
//! // Translated, built, and kept on disk for the next process.
//! let on_device = pgamma::on(&Device::from_env()?)?;
//! on_device.map((&q, 2.0, 1.0, true, false), &mut there)?;
//! pgamma::map((&q, 2.0, 1.0, true, false), &mut here)?;
//! assert_eq!(here, there);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! **A kernel of your own** has all of this too, and its OpenCL C:
//! ```
//! use gristmill::kernel::kernel;
//! use gristmill::nmath::exp;
//!
//! /// Logistic growth.
//! #[kernel(crate = "gristmill::kernel")]
//! pub fn growth(t: f64, a: f64, b: f64) -> f64 {
//!     a / (1.0 + exp(-b * t))
//! }
//!
//! assert_eq!(growth(0.0, 3.0, 1.0), 1.5);
//! let mut program = gristmill::kernel_cl::Assembly::new();
//! program.add(growth::FUNCTION.shard());
//! assert!(program.text().contains("double growth(double t_, double a_, double b_)"));
//! ```
//! **A kernel as a text**, read while the program runs; expressions call it by its name:
#![cfg_attr(feature = "kernel-texts", doc = "```")]
#![cfg_attr(not(feature = "kernel-texts"), doc = "```ignore")]
//! use gristmill::engine::plan::Bindings;
//! use gristmill::engine::{Engine, InputColumn, ResultValues, Rows, expr::parse};
//! use gristmill::kernel_jit::KernelSource;
//!
//! let text = "fn growth(t: f64, a: f64, b: f64) -> f64 { a / (1.0 + exp(-b * t)) }";
//! let engine = Engine::new().with_kernels(&KernelSource::parse(text)?);
//! let bindings = Bindings { columns: vec!["t".into()], ..Bindings::default() };
//! let plan = engine.bind(&[parse("growth(t, a = 3, b = 0.7) * 2")?], &bindings)?;
//! let t = InputColumn { values: &[0.0, 1e9], missing: None };
//! let results = engine.evaluate(&plan, &Rows { count: 2, first: 0, columns: &[t] }, &[])?;
//! assert_eq!(results[0].values, ResultValues::F64(vec![3.0, 6.0]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! **An expression** in R's syntax over columns in memory:
//! ```
//! use gristmill::engine::plan::{Bindings, bind};
//! use gristmill::engine::{Engine, InputColumn, ResultValues, Rows, expr::parse};
//!
//! let bindings = Bindings { columns: vec!["z".into()], ..Bindings::default() };
//! let plan = bind(&[parse("2 * pnorm(-abs(z))")?], &bindings)?;
//! let z = InputColumn { values: &[0.0, -1.96], missing: None };
//! let rows = Rows { count: 2, first: 0, columns: &[z] };
//! let results = Engine::new().evaluate(&plan, &rows, &[])?;
//! let ResultValues::F64(p) = &results[0].values else { panic!("numbers were asked for") };
//! assert_eq!(format!("{:.4} {:.4}", p[0], p[1]), "1.0000 0.0500");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! **A table**: expressions for every row of a file, which may be larger than memory:
//! ```
//! use gristmill::tables::Evaluation;
//! # let folder = tempfile::tempdir()?;
//! # let (data, out) = (folder.path().join("data.csv"), folder.path().join("out.csv"));
//! std::fs::write(&data, "name,x\nann,1\nbob,3\n")?;
//! Evaluation::new(["z = x - mean(x)", "p = pnorm(z)"]).input(&data).output(&out).run()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! **A model**: its posterior at many coefficient vectors:
#![cfg_attr(feature = "glm", doc = "```")]
#![cfg_attr(not(feature = "glm"), doc = "```ignore")]
//! use gristmill::glm::{Family, GlmData, Matrix, Model};
//!
//! let x = Matrix::row_major(&[1.0, -1.0, 1.0, 0.0, 1.0, 2.0], 3, 2)?;
//! let model = Model::new(Family::Binomial, None, None)?;
//! let data = GlmData::builder(model).x(x).y(&[0.0, 1.0, 1.0]).build()?;
//! let result = data.evaluate(Matrix::row_major(&[0.0, 0.0, 0.5, 1.0], 2, 2)?)?;
//! assert_eq!(result.gradient(0), [-0.5, -1.5]);
//! # Ok::<(), gristmill::glm::GlmError>(())
//! ```
//!
//! # Features
//! All but `jit` are on by default; `default-features = false` with a list leaves out the others, and what they build.
//!
//! | feature | what it is for | without it |
//! |---|---|---|
//! | `cli` | the command `gristmill` | the library alone; no clap, no progress bars |
//! | `opencl` | devices, by a libOpenCL that is opened at run time | there is no device; texts in OpenCL C are still written |
//! | `glm` | [`glm`] and the command's `glm` | neither |
//! | `kernel-texts` | [`kernel_jit`]: kernels that are texts at run time; `cli` needs it | kernels are compiled with the program |
//! | `parquet` | tables in Apache Parquet | a message that says so |
//! | `arrow` | tables in Apache Arrow IPC, also called Feather | a message that says so |
//! | `jit` | native code by Cranelift for kernels that are texts, for chains of operations in expressions over many rows, and for assignments of large arrays of structs | texts are interpreted, expressions run step by step, and a tree of kernels assigns: the same bits, later |
//!
//! Rust 1.95 or later.
//!
//! # The crates
//! This crate is the facade: it re-exports the crates of the workspace under short names.
//!
//! | module | what it is for |
//! |---|---|
//! | [`ckernel`] | the C ABI in which kernels are traded |
//! | [`ndtypes`] | array types, views and assignment kernels |
//! | [`cl_library`] | annotated OpenCL C libraries, ordered and assembled |
//! | [`kernel`] | `#[kernel]`, and what its code needs at run time: lanes, native levels, functions as data |
//! | [`kernel_cl`] | kernels as OpenCL C: one program for some of them, or a tree of files for all |
//! | [`kernel_jit`] | kernels as text at run time |
//! | [`cl_runtime`] | OpenCL devices, programs and buffers |
//! | [`nmath`] | R's math library as kernels |
//! | [`engine`] | expressions over arrays, on threads or a device |
//! | [`tables`] | expressions for every row of a table in a file |
//! | [`glm`] | generalized linear models: formulas, fits, posteriors over grids |
#![forbid(unsafe_code)]

// The command's files name this crate as those outside of it do.
#[cfg(feature = "cli")]
extern crate self as gristmill;

mod builtin;
// `println!` and `eprintln!` panic when their reader has gone away: `cli::write_stdout` and `say!` do not.
#[cfg(feature = "cli")]
#[deny(clippy::print_stdout, clippy::print_stderr)]
#[doc(hidden)]
pub mod cli;

pub use builtin::BUILTIN_PACKAGES;

pub use gristmill_ckernel as ckernel;
pub use gristmill_cl_library as cl_library;
pub use gristmill_cl_runtime as cl_runtime;
pub use gristmill_engine as engine;
#[cfg(feature = "glm")]
pub use gristmill_glm as glm;
pub use gristmill_kernel as kernel;
pub use gristmill_kernel_cl as kernel_cl;
#[cfg(feature = "kernel-texts")]
pub use gristmill_kernel_jit as kernel_jit;
pub use gristmill_ndtypes as ndtypes;
pub use gristmill_nmath as nmath;
pub use gristmill_tables as tables;
