//! R's math library as kernels: special functions, distributions, random numbers.
#![forbid(unsafe_code)]
