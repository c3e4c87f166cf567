//! Parts for kernels of your own: what the functions of this crate are made of, and keeps its meaning from version to version.
//!
//! A *pair* `(high, low)` stands for the unevaluated sum of two doubles, about 106 bits; it is *normalised* where `high` is the sum
//! rounded, and *loose* where `low` may be a few bits larger. Each function says which it takes and gives, and how exact it is.
//! ```
//! use gristmill_kernel::kernel;
//! use gristmill_nmath::building_blocks::{dd_add_d, dd_high, two_prod};
//!
//! /// `a b + c`, rounded once, with nothing lost where `c` cancels the product.
//! #[kernel]
//! fn fused(a: f64, b: f64, c: f64) -> f64 {
//!     dd_high(dd_add_d(two_prod(a, b), c))
//! }
//! let tiny = f64::EPSILON;
//! assert_eq!(fused(1.0 + tiny, 1.0 - tiny, -1.0), -tiny * tiny);
//! ```

crate::list::only_functions! { special:
    double_double: dd_add dd_add_d dd_add_short dd_div dd_div_d dd_high dd_inverse dd_inverse_sqrt dd_mul dd_mul_d dd_neg dd_sqrt
        dd_square dd_sub dd_sub_short fast_two_sum pair_add pair_add_d pair_mul pair_mul_d pair_sub two_prod two_sum;
    scaling: SHIFT power_of_two scale_by_power;
    exponential: LN2_A LN2_B LN2_C exp_mantissa exp_near exp_pair exp_parts exp_sum exp_times expm1_pair;
    logarithm: log_dd log_dd_of_double log_dd_of_normal log_dd_of_normal_pair log_loose log_loose_of_pair log_pair log1p_dd
        log1pmx_dd split_double split_exponent;
    constants: EULER INV_PI INV_SQRT_2PI INV_SQRT_PI LN_PI LN_SQRT_2PI LN2 PI SQRT_2PI SQRT_HALF;
    location_scale: locate ordinary_scale standardise standardise_any standardise_by;
    normal_tail: half_square mills mills_dd mills_twice standard_quantile;
    log_sum: LOG_SUM_BLOCK LogSum log_sum_larger log_sum_merge log_sum_plus log_sum_value;
}
