//! Where random numbers come from: each is a function of seed, stream and index, and of the distribution's parameters.
//!
//! Element `index` of a stream is drawn from its own blocks of Philox4x32-10 (docs/random-numbers.md): it is the same alone,
//! in a block, on a thread or on a device. There is no state. What draws from a distribution stands beside it in
//! [`dist`](crate::dist); here is what several of them share.
//!
//! ```
//! use gristmill_nmath::rnorm;
//! let (seed, stream) = (42, 0);
//! let sample: Vec<f64> = (0..1000).map(|index| rnorm(seed, stream, index, 10.0, 2.0)).collect();
//! assert_eq!(sample[700], rnorm(seed, stream, 700, 10.0, 2.0));
//! ```

#[cfg(test)]
pub(crate) mod agreement;
pub(crate) mod bits;
pub(crate) mod small_mean;

crate::list::functions! { random:
    bits: unif_rand norm_rand exp_rand r_unif_index;
}
