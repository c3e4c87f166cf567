//! What OpenCL C itself defines: OpenCL C 3.0 specification, sections 6.3 (types), 6.7 (keywords), 6.13 and 6.15
//! (built-in functions, by table), the `cl_khr_*` functions of the extension specification, and the predefined macros.

use crate::names::Seed;
use std::collections::HashSet;
use std::sync::OnceLock;

/// Keywords and type qualifiers: followed by `(`, they are no call.
const KEYWORDS: &str = "
auto break case char const continue default do double else enum extern float for goto if inline int long register restrict
return short signed sizeof static struct switch typedef union unsigned void volatile while _Bool _Complex _Imaginary
__kernel kernel __global global __local local __constant constant __private private __generic generic
__read_only read_only __write_only write_only __read_write read_write uniform pipe __attribute__ __attribute attribute
__inline __inline__ __restrict __restrict__ __const __volatile__ __extension__ _Alignof _Alignas _Static_assert alignof
typeof __typeof__ asm __asm__ __asm vec_step defined complex imaginary
";

/// Scalar and opaque types; vector types are recognised by their form.
const TYPES: &str = "
bool char uchar short ushort int uint long ulong float double half size_t ptrdiff_t intptr_t uintptr_t void
image2d_t image3d_t image2d_array_t image1d_t image1d_buffer_t image1d_array_t image2d_depth_t image2d_array_depth_t
image2d_msaa_t image2d_array_msaa_t image2d_msaa_depth_t image2d_array_msaa_depth_t
sampler_t queue_t ndrange_t clk_event_t reserve_id_t event_t cl_mem_fence_flags clk_profiling_info kernel_enqueue_flags_t
atomic_int atomic_uint atomic_long atomic_ulong atomic_float atomic_double atomic_intptr_t atomic_uintptr_t atomic_size_t
atomic_ptrdiff_t atomic_flag memory_order memory_scope
";

const FUNCTIONS: &str = "
get_work_dim get_global_size get_global_id get_local_size get_enqueued_local_size get_local_id get_num_groups get_group_id
get_global_offset get_global_linear_id get_local_linear_id
get_sub_group_size get_max_sub_group_size get_num_sub_groups get_enqueued_num_sub_groups get_sub_group_id get_sub_group_local_id
get_sub_group_eq_mask get_sub_group_ge_mask get_sub_group_gt_mask get_sub_group_le_mask get_sub_group_lt_mask

acos acosh acospi asin asinh asinpi atan atan2 atanh atanpi atan2pi cbrt ceil copysign cos cosh cospi erfc erf exp exp2 exp10
expm1 fabs fdim floor fma fmax fmin fmod fract frexp hypot ilogb ldexp lgamma lgamma_r log log2 log10 log1p logb mad maxmag
minmag modf nan nextafter pow pown powr remainder remquo rint rootn round rsqrt sin sincos sinh sinpi sqrt tan tanh tanpi
tgamma trunc
half_cos half_divide half_exp half_exp2 half_exp10 half_log half_log2 half_log10 half_powr half_recip half_rsqrt half_sin
half_sqrt half_tan
native_cos native_divide native_exp native_exp2 native_exp10 native_log native_log2 native_log10 native_powr native_recip
native_rsqrt native_sin native_sqrt native_tan

abs abs_diff add_sat hadd rhadd clamp clz ctz mad_hi mad_sat max min mul_hi rotate sub_sat upsample popcount mad24 mul24
bitfield_insert bitfield_extract_signed bitfield_extract_unsigned bit_reverse
dot_4x8packed_uu_uint dot_4x8packed_ss_int dot_4x8packed_us_int dot_4x8packed_su_int
dot_acc_sat_4x8packed_uu_uint dot_acc_sat_4x8packed_ss_int dot_acc_sat_4x8packed_us_int dot_acc_sat_4x8packed_su_int
dot dot_acc_sat

degrees mix radians step smoothstep sign cross distance length normalize fast_distance fast_length fast_normalize

isequal isnotequal isgreater isgreaterequal isless islessequal islessgreater isfinite isinf isnan isnormal isordered
isunordered signbit any all bitselect select shuffle shuffle2

vload_half vstore_half vstore_half_rte vstore_half_rtz vstore_half_rtp vstore_half_rtn

barrier work_group_barrier sub_group_barrier mem_fence read_mem_fence write_mem_fence get_fence to_global to_local to_private

async_work_group_copy async_work_group_strided_copy async_work_group_copy_2D2D async_work_group_copy_3D3D wait_group_events
prefetch

atomic_init ATOMIC_VAR_INIT atomic_work_item_fence atomic_store atomic_store_explicit atomic_load atomic_load_explicit
atomic_exchange atomic_exchange_explicit atomic_compare_exchange_strong atomic_compare_exchange_strong_explicit
atomic_compare_exchange_weak atomic_compare_exchange_weak_explicit
atomic_fetch_add atomic_fetch_add_explicit atomic_fetch_sub atomic_fetch_sub_explicit atomic_fetch_or atomic_fetch_or_explicit
atomic_fetch_xor atomic_fetch_xor_explicit atomic_fetch_and atomic_fetch_and_explicit atomic_fetch_min
atomic_fetch_min_explicit atomic_fetch_max atomic_fetch_max_explicit atomic_flag_test_and_set
atomic_flag_test_and_set_explicit atomic_flag_clear atomic_flag_clear_explicit
atomic_add atomic_sub atomic_xchg atomic_inc atomic_dec atomic_cmpxchg atomic_min atomic_max atomic_and atomic_or atomic_xor
atom_add atom_sub atom_xchg atom_inc atom_dec atom_cmpxchg atom_min atom_max atom_and atom_or atom_xor

printf

read_imagef read_imagei read_imageui read_imageh write_imagef write_imagei write_imageui write_imageh get_image_width
get_image_height get_image_depth get_image_channel_data_type get_image_channel_order get_image_dim get_image_array_size
get_image_num_samples get_image_num_mip_levels

work_group_all work_group_any work_group_broadcast work_group_reduce_add work_group_reduce_min work_group_reduce_max
work_group_scan_exclusive_add work_group_scan_exclusive_min work_group_scan_exclusive_max work_group_scan_inclusive_add
work_group_scan_inclusive_min work_group_scan_inclusive_max
work_group_reduce_mul work_group_reduce_and work_group_reduce_or work_group_reduce_xor work_group_reduce_logical_and
work_group_reduce_logical_or work_group_reduce_logical_xor work_group_scan_inclusive_mul work_group_scan_inclusive_and
work_group_scan_inclusive_or work_group_scan_inclusive_xor work_group_scan_inclusive_logical_and
work_group_scan_inclusive_logical_or work_group_scan_inclusive_logical_xor work_group_scan_exclusive_mul
work_group_scan_exclusive_and work_group_scan_exclusive_or work_group_scan_exclusive_xor
work_group_scan_exclusive_logical_and work_group_scan_exclusive_logical_or work_group_scan_exclusive_logical_xor
sub_group_all sub_group_any sub_group_broadcast sub_group_reduce_add sub_group_reduce_min sub_group_reduce_max
sub_group_scan_exclusive_add sub_group_scan_exclusive_min sub_group_scan_exclusive_max sub_group_scan_inclusive_add
sub_group_scan_inclusive_min sub_group_scan_inclusive_max
sub_group_elect sub_group_non_uniform_all sub_group_non_uniform_any sub_group_non_uniform_all_equal
sub_group_non_uniform_broadcast sub_group_broadcast_first sub_group_ballot sub_group_inverse_ballot
sub_group_ballot_bit_extract sub_group_ballot_bit_count sub_group_ballot_inclusive_scan sub_group_ballot_exclusive_scan
sub_group_ballot_find_lsb sub_group_ballot_find_msb
sub_group_shuffle sub_group_shuffle_xor sub_group_shuffle_up sub_group_shuffle_down sub_group_rotate
sub_group_clustered_rotate

read_pipe write_pipe reserve_read_pipe reserve_write_pipe commit_read_pipe commit_write_pipe is_valid_reserve_id
work_group_reserve_read_pipe work_group_reserve_write_pipe work_group_commit_read_pipe work_group_commit_write_pipe
sub_group_reserve_read_pipe sub_group_reserve_write_pipe sub_group_commit_read_pipe sub_group_commit_write_pipe
get_pipe_num_packets get_pipe_max_packets

enqueue_kernel get_kernel_work_group_size get_kernel_preferred_work_group_size_multiple
get_kernel_max_sub_group_size_for_ndrange get_kernel_sub_group_count_for_ndrange get_kernel_local_size_for_sub_group_count
get_kernel_max_num_sub_groups enqueue_marker retain_event release_event create_user_event is_valid_event
set_user_event_status capture_event_profiling_info get_default_queue ndrange_1D ndrange_2D ndrange_3D
";

/// Macros that the compiler predefines or its built-in header defines, with the value a `#if` sees. Capabilities are those
/// of a device with double precision; a device may define more.
const MACROS: &str = "
__OPENCL_VERSION__=300 __OPENCL_C_VERSION__=120 CL_VERSION_1_0=100 CL_VERSION_1_1=110 CL_VERSION_1_2=120 CL_VERSION_2_0=200
CL_VERSION_3_0=300 __ENDIAN_LITTLE__=1 __IMAGE_SUPPORT__=1 cl_khr_fp64=1 FP_FAST_FMA=1
__opencl_c_fp64=1 __opencl_c_int64=1 __STDC_VERSION__=199901L
cl_khr_byte_addressable_store=1 cl_khr_global_int32_base_atomics=1 cl_khr_global_int32_extended_atomics=1
cl_khr_local_int32_base_atomics=1 cl_khr_local_int32_extended_atomics=1
MAXFLOAT HUGE_VALF INFINITY NAN HUGE_VAL
FLT_DIG FLT_MANT_DIG FLT_MAX_10_EXP FLT_MAX_EXP FLT_MIN_10_EXP FLT_MIN_EXP FLT_RADIX FLT_MAX FLT_MIN FLT_EPSILON
DBL_DIG DBL_MANT_DIG DBL_MAX_10_EXP DBL_MAX_EXP DBL_MIN_10_EXP DBL_MIN_EXP DBL_MAX DBL_MIN DBL_EPSILON FP_ILOGB0 FP_ILOGBNAN
M_E_F M_LOG2E_F M_LOG10E_F M_LN2_F M_LN10_F M_PI_F M_PI_2_F M_PI_4_F M_1_PI_F M_2_PI_F M_2_SQRTPI_F M_SQRT2_F M_SQRT1_2_F
M_E M_LOG2E M_LOG10E M_LN2 M_LN10 M_PI M_PI_2 M_PI_4 M_1_PI M_2_PI M_2_SQRTPI M_SQRT2 M_SQRT1_2
CHAR_BIT CHAR_MAX CHAR_MIN INT_MAX INT_MIN LONG_MAX LONG_MIN SCHAR_MAX SCHAR_MIN SHRT_MAX SHRT_MIN UCHAR_MAX USHRT_MAX
UINT_MAX ULONG_MAX
CLK_LOCAL_MEM_FENCE CLK_GLOBAL_MEM_FENCE CLK_IMAGE_MEM_FENCE
";

/// Every call of a program is looked up here, and nobody adds to them.
type Words = HashSet<&'static str, Seed>;

fn words(text: &'static str) -> Words {
    text.split_whitespace().collect()
}

/// Whether a name is a keyword or qualifier of OpenCL C.
#[must_use]
pub fn is_keyword(name: &str) -> bool {
    static SET: OnceLock<Words> = OnceLock::new();
    SET.get_or_init(|| words(KEYWORDS)).contains(name)
}

/// Whether a name is a type of OpenCL C: `double`, `uint4`, `image2d_t`.
#[must_use]
pub fn is_type(name: &str) -> bool {
    static SET: OnceLock<Words> = OnceLock::new();
    SET.get_or_init(|| words(TYPES)).contains(name) || is_vector_type(name)
}

/// `double4`, `uchar16`: an element type followed by 2, 3, 4, 8 or 16.
fn is_vector_type(name: &str) -> bool {
    let element = name.trim_end_matches(|c: char| c.is_ascii_digit());
    matches!(
        element,
        "char" | "uchar" | "short" | "ushort" | "int" | "uint" | "long" | "ulong" | "float" | "double" | "half"
    ) && matches!(&name[element.len()..], "2" | "3" | "4" | "8" | "16")
}

fn is_scalar_or_vector(name: &str) -> bool {
    matches!(
        name,
        "char" | "uchar" | "short" | "ushort" | "int" | "uint" | "long" | "ulong" | "float" | "double" | "half"
    ) || is_vector_type(name)
}

/// Whether OpenCL C defines a function of this name, `convert_*`, `as_*`, `vloadn` and `vstoren` included.
#[must_use]
pub fn is_function(name: &str) -> bool {
    static SET: OnceLock<Words> = OnceLock::new();
    if SET.get_or_init(|| words(FUNCTIONS)).contains(name) {
        return true;
    }
    if let Some(rest) = name.strip_prefix("convert_") {
        let rest = ["_rte", "_rtz", "_rtp", "_rtn"].iter().find_map(|m| rest.strip_suffix(m)).unwrap_or(rest);
        return is_scalar_or_vector(rest.strip_suffix("_sat").unwrap_or(rest));
    }
    if let Some(rest) = name.strip_prefix("as_") {
        return is_scalar_or_vector(rest) || matches!(rest, "size_t" | "ptrdiff_t" | "intptr_t" | "uintptr_t");
    }
    is_vector_load_or_store(name) || name.starts_with("__builtin_") || name.starts_with("intel_sub_group_")
}

/// `vload4`, `vstorea_half8_rte`, ….
fn is_vector_load_or_store(name: &str) -> bool {
    let width = |text: &str| matches!(text, "2" | "3" | "4" | "8" | "16");
    if let Some(rest) = name.strip_prefix("vload") {
        return rest.strip_prefix("_half").or_else(|| rest.strip_prefix("a_half")).map_or_else(|| width(rest), width);
    }
    let Some(rest) = name.strip_prefix("vstore") else { return false };
    let rounded = |text: &str| {
        let text = ["_rte", "_rtz", "_rtp", "_rtn"].iter().find_map(|m| text.strip_suffix(m)).unwrap_or(text);
        width(text)
    };
    rest.strip_prefix("_half").or_else(|| rest.strip_prefix("a_half")).map_or_else(|| width(rest), rounded)
}

/// The predefined macros and their values for `#if` (none for those whose value no `#if` should depend on).
pub(crate) fn macros() -> impl Iterator<Item = (&'static str, &'static str)> {
    MACROS.split_whitespace().map(|word| word.split_once('=').unwrap_or((word, "")))
}

/// The functions of the work-item and synchronisation kind, which `@calls_opencl_builtin` lists; plain mathematics is left out.
#[must_use]
pub fn is_execution_function(name: &str) -> bool {
    const PREFIXES: &[&str] = &[
        "get_",
        "barrier",
        "work_group_",
        "sub_group_",
        "mem_fence",
        "read_mem_fence",
        "write_mem_fence",
        "atomic_",
        "atom_",
        "async_",
        "wait_group_",
        "prefetch",
        "vload",
        "vstore",
        "printf",
        "read_image",
        "write_image",
        "enqueue_",
        "read_pipe",
        "write_pipe",
    ];
    const SPECIAL: &[&str] = &["lgamma", "lgamma_r", "tgamma", "erf", "erfc", "hypot", "remainder", "remquo"];
    is_function(name) && (PREFIXES.iter().any(|p| name.starts_with(p)) || SPECIAL.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_families_are_recognised_by_their_form() {
        for name in [
            "convert_int",
            "convert_uchar16_sat_rtz",
            "convert_double3_rtn",
            "as_ulong2",
            "vload4",
            "vstore16",
            "vload_half",
            "vloada_half8",
            "vstorea_half3_rtz",
            "vstore_half2",
            "get_global_id",
            "async_work_group_copy",
            "atomic_fetch_max",
            "read_imagef",
            "shuffle2",
            "work_group_reduce_add",
            "native_sin",
            "sub_group_shuffle_xor",
            "printf",
        ] {
            assert!(is_function(name), "{name}");
        }
        for name in [
            "convert_thing",
            "convert_int5",
            "as_",
            "vload5",
            "vstore",
            "dnorm",
            "R_pow",
            "j0",
            "gamma",
            "expf",
            "fmax2",
        ] {
            assert!(!is_function(name), "{name}");
        }
        assert!(is_type("double8") && is_type("image2d_t") && !is_type("double5") && !is_type("real"));
    }

    #[test]
    fn no_word_is_in_two_lists() {
        let (keywords, types, functions) = (words(KEYWORDS), words(TYPES), words(FUNCTIONS));
        assert!(functions.iter().all(|f| !keywords.contains(f) && !types.contains(f)));
        assert_eq!(functions.len(), FUNCTIONS.split_whitespace().count(), "a function is listed twice");
    }
}
