//! Write a numerical kernel once; run the same bits everywhere.
//!
//! # A tour
//! One value, and a slice over vectors of numbers, with the same bits; a number stands for every element:
//! ```
//! use gristmill::nmath::pgamma;
//!
//! let one = pgamma(3.2, 2.0, 1.0, true, false);
//! let q = [0.5, 1.0, 3.2];
//! let mut p = [0.0; 3];
//! pgamma::map((&q, 2.0, 1.0, true, false), &mut p)?;
//! assert_eq!(p[2], one);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! A kernel of your own, native and as OpenCL C:
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
//! Expressions for every row of a file:
//! ```
//! use gristmill::tables::Evaluation;
//! # let folder = tempfile::tempdir()?;
//! # let (data, out) = (folder.path().join("data.csv"), folder.path().join("out.csv"));
//! std::fs::write(&data, "name,x\nann,1\nbob,3\n")?;
//! Evaluation::new(["z = x - mean(x)", "p = pnorm(z)"]).input(&data).output(&out).run()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! The posterior of a model at many coefficient vectors:
//! ```
//! use gristmill::glm::{Family, GlmData, Matrix, Model};
//!
//! let x = Matrix::row_major(&[1.0, -1.0, 1.0, 0.0, 1.0, 2.0], 3, 2)?;
//! let data = GlmData::new(Model::new(Family::Binomial, None, None)?, x, &[0.0, 1.0, 1.0], None, None, None, None)?;
//! let result = data.evaluate(Matrix::row_major(&[0.0, 0.0, 0.5, 1.0], 2, 2)?)?;
//! assert_eq!(result.gradient(0), [-0.5, -1.5]);
//! # Ok::<(), gristmill::glm::GlmError>(())
//! ```
//!
//! # The crates
//! This crate is the facade: it re-exports the crates of the workspace under short names.
//!
//! | module | what it is for |
//! |---|---|
//! | [`ckernel`] | the C ABI in which kernels are traded |
//! | [`ndtypes`] | array types, views and assignment kernels |
//! | [`cl_library`] | annotated OpenCL C libraries, ordered and assembled |
//! | [`kernel`] | the `#[kernel]` attribute and what it emits |
//! | [`kernel_cl`] | kernels as OpenCL C: one program for some of them, or a tree of files for all |
//! | [`cl_runtime`] | OpenCL devices, programs and buffers |
//! | [`nmath`] | R's math library as kernels |
//! | [`engine`] | expressions over arrays, on threads or a device |
//! | [`tables`] | expressions for every row of a table in a file |
//! | [`glm`] | generalized linear models: formulas, fits, posteriors over grids |
#![forbid(unsafe_code)]

mod builtin;

pub use builtin::BUILTIN_PACKAGES;

pub use gristmill_ckernel as ckernel;
pub use gristmill_cl_library as cl_library;
pub use gristmill_cl_runtime as cl_runtime;
pub use gristmill_engine as engine;
pub use gristmill_glm as glm;
pub use gristmill_kernel as kernel;
pub use gristmill_kernel_cl as kernel_cl;
pub use gristmill_ndtypes as ndtypes;
pub use gristmill_nmath as nmath;
pub use gristmill_tables as tables;
