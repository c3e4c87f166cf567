/* Gristmill's ckernel ABI: kernels as movable blocks of memory, their builder, deferred kernels.
 * The rules, the layouts and examples are in docs/ckernel-abi.md.
 * Generated from crates/ckernel/src by `cargo xtask generate`: change it there.
 * SPDX-License-Identifier: MIT OR Apache-2.0 */

#ifndef GRISTMILL_CKERNEL_H
#define GRISTMILL_CKERNEL_H

#include <stddef.h>
#include <stdint.h>

/** The element of an error that belongs to no element. */
#define CKERNEL_NO_ELEMENT SIZE_MAX

/** The names of kernel_funcproto in the document that introduced deferred kernels. */
#define unary_operation_funcproto_id kernel_funcproto_unary
#define expr_operation_funcproto_id kernel_funcproto_expr
#define binary_predicate_funcproto_id kernel_funcproto_predicate

/**
 * A data type, seen through a pointer only. A pointer whose value is less than CKERNEL_BUILTIN_TYPE_LIMIT is the id
 * of a builtin type, as in `(const ckernel_type *)int32_type_id`.
 */
typedef struct ckernel_type ckernel_type;

/** The ids of the builtin types. */
enum builtin_type_id {
  uninitialized_type_id = 0,
  bool_type_id = 1,
  int8_type_id = 2,
  int16_type_id = 3,
  int32_type_id = 4,
  int64_type_id = 5,
  int128_type_id = 6,
  uint8_type_id = 7,
  uint16_type_id = 8,
  uint32_type_id = 9,
  uint64_type_id = 10,
  uint128_type_id = 11,
  float16_type_id = 12,
  float32_type_id = 13,
  float64_type_id = 14,
  float128_type_id = 15,
  complex_float32_type_id = 16,
  complex_float64_type_id = 17,
  void_type_id = 18,
};

/**
 * The version of the layouts and functions that this describes.
 */
#define CKERNEL_ABI_VERSION 1

/**
 * Type pointers below this value are the ids of builtin types.
 */
#define CKERNEL_BUILTIN_TYPE_LIMIT 64

/**
 * Which form of a kernel the caller wants.
 */
enum kernel_request
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * A function that does one element.
   */
  kernel_request_single = 0,
  /**
   * A function that does `count` elements with strides.
   */
  kernel_request_strided = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum kernel_request kernel_request;
#else
typedef uint32_t kernel_request;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Which family of prototypes a deferred kernel instantiates.
 */
enum kernel_funcproto
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : size_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * `unary_single_operation_t` and `unary_strided_operation_t`.
   */
  kernel_funcproto_unary = 0,
  /**
   * `expr_single_operation_t` and `expr_strided_operation_t`.
   */
  kernel_funcproto_expr = 1,
  /**
   * `binary_single_predicate_t`.
   */
  kernel_funcproto_predicate = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum kernel_funcproto kernel_funcproto;
#else
typedef size_t kernel_funcproto;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What kind of error a kernel met.
 */
enum ckernel_error_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * A value does not fit the destination type.
   */
  ckernel_error_kind_overflow = 1,
  /**
   * A fractional part would be lost.
   */
  ckernel_error_kind_fractional = 2,
  /**
   * A value would be changed by rounding.
   */
  ckernel_error_kind_inexact = 3,
  /**
   * An imaginary part would be lost.
   */
  ckernel_error_kind_imaginary_loss = 4,
  /**
   * Shapes do not match.
   */
  ckernel_error_kind_broadcast = 5,
  /**
   * Types do not match.
   */
  ckernel_error_kind_type = 6,
  /**
   * An index is out of range.
   */
  ckernel_error_kind_index = 7,
  /**
   * Something is used before it has a value.
   */
  ckernel_error_kind_uninitialized = 8,
  /**
   * The operation exists in no form for these arguments.
   */
  ckernel_error_kind_not_implemented = 9,
  /**
   * Code outside this library reported an error of its own.
   */
  ckernel_error_kind_foreign = 10,
  /**
   * Memory ran out.
   */
  ckernel_error_kind_out_of_memory = 11,
  /**
   * Rust code panicked; the panic ended at the ABI.
   */
  ckernel_error_kind_panic = 12,
  /**
   * An argument has a value that it must not have.
   */
  ckernel_error_kind_invalid_argument = 13,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum ckernel_error_kind ckernel_error_kind;
#else
typedef uint32_t ckernel_error_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The memory in which a kernel is put together: 16 words inside the structure, then the heap.
 *
 * All memory that was not written yet is zero. Because `data` may point into the structure itself, a constructed
 * builder must stay where it is.
 *
 * # Rules for those who write into it
 * 1. Call `ensure_capacity` (a child follows) or `ensure_capacity_leaf` before writing. A prefix at the offset that a
 *    factory was given is there already, so a kernel that is only a function pointer needs neither call.
 * 2. Fetch every pointer into the memory again after either call, and after a child was built: memory moves.
 * 3. Set the destructor before anything that it would have to free.
 * 4. A kernel refers to other places of its block by offsets relative to its own prefix, never by pointers.
 * 5. Offsets of kernels are multiples of 8.
 * 6. After a failed call `data` is null, and the kernel that was being built is destroyed already: return the error.
 */
typedef struct ckernel_builder {
  /**
   * The start of the kernel: `static_data`, or heap memory, or null after an allocation failed.
   */
  char *data;
  /**
   * The number of bytes at `data`.
   */
  intptr_t capacity;
  /**
   * The memory for small kernels.
   */
  size_t static_data[16];
} ckernel_builder;

/**
 * An error as C sees it.
 */
typedef struct ckernel_error {
  /**
   * A `ckernel_error_kind`.
   */
  uint32_t kind;
  /**
   * The element at which it was met, or `CKERNEL_NO_ELEMENT`.
   */
  size_t element;
  /**
   * What went wrong: UTF-8, ends with a zero byte, valid until the next error call of this thread.
   */
  const char *message;
} ckernel_error;

/**
 * A typed factory of kernels, by value. Freed by `free_func(data_ptr)`, if neither is null.
 */
typedef struct deferred_ckernel {
  /**
   * Which prototypes the kernels have: 0 unary, 1 expr, 2 binary predicate.
   */
  size_t ckernel_funcproto;
  /**
   * The number of entries of `data_dynd_types`.
   */
  size_t data_types_size;
  /**
   * The types of the destination and then of the sources. A value below 64 is the id of a builtin type. The array
   * is static, or part of the memory behind `data_ptr`.
   */
  const ckernel_type *const *data_dynd_types;
  /**
   * What the deferred kernel owns: the first argument of both functions.
   */
  void *data_ptr;
  /**
   * Places a kernel in a builder. May be called by several threads at once. Null in an empty deferred kernel.
   */
  intptr_t (*instantiate_func)(void *self_data_ptr,
                                struct ckernel_builder *out_ckb,
                                intptr_t ckb_offset,
                                const char *const *dynd_metadata,
                                uint32_t kerntype);
  /**
   * Frees `data_ptr`; null if there is nothing to free.
   */
  void (*free_func)(void *self_data_ptr);
} deferred_ckernel;

/**
 * The start of every kernel: what to call, and how to free what the kernel owns.
 *
 * The prototype behind `function` is not stored: the caller knows what it asked for. The kernel's own data follows the
 * prefix, then its children, each of which starts with a prefix again. A block may be moved by `memcpy` between calls.
 */
typedef struct ckernel_prefix {
  /**
   * The kernel function: has one of the five prototypes.
   */
  void *function;
  /**
   * Frees what the kernel and its children own; null if there is nothing to free.
   */
  void (*destructor)(struct ckernel_prefix *self);
} ckernel_prefix;

/**
 * Frees what the kernel at this prefix owns, its children included. It must accept a partly built kernel: every field
 * that was not set yet is zero.
 */
typedef void (*ckernel_destructor_t)(struct ckernel_prefix *self);

/**
 * Places a kernel in a builder.
 *
 * Returns the offset just after the kernel, counted from the start of the builder's memory, so that siblings can be
 * placed one after another; or a negative number, with the reason in the calling thread's error slot. In that case the
 * builder still holds what was built so far, ready for its destructor.
 *
 * Rules:
 * 1. `self_data_ptr` is the `data_ptr` of the deferred kernel, which was not freed.
 * 2. `out_ckb` is a constructed builder; `ckb_offset` is a multiple of 8, and the 16 bytes there exist and are zero.
 * 3. `dynd_metadata` has one entry for each data type; an entry may be null where the type needs no metadata.
 * 4. The metadata outlives the kernel.
 */
typedef intptr_t (*instantiate_fn_t)(void *self_data_ptr,
                                      struct ckernel_builder *out_ckb,
                                      intptr_t ckb_offset,
                                      const char *const *dynd_metadata,
                                      uint32_t kerntype);

/**
 * One element: `*dst = f(*src)`.
 */
typedef void (*unary_single_operation_t)(char *dst, const char *src, struct ckernel_prefix *self);

/**
 * `count` elements; strides are in bytes, and may be zero or negative.
 */
typedef void (*unary_strided_operation_t)(char *dst,
                                          intptr_t dst_stride,
                                          const char *src,
                                          intptr_t src_stride,
                                          size_t count,
                                          struct ckernel_prefix *self);

/**
 * One element from several sources: `*dst = f(*src[0], *src[1], ...)`.
 */
typedef void (*expr_single_operation_t)(char *dst, const char *const *src, struct ckernel_prefix *self);

/**
 * `count` elements from several sources; strides are in bytes, and may be zero or negative.
 */
typedef void (*expr_strided_operation_t)(char *dst,
                                         intptr_t dst_stride,
                                         const char *const *src,
                                         const intptr_t *src_stride,
                                         size_t count,
                                         struct ckernel_prefix *self);

/**
 * A predicate over two elements: nonzero is true. It has no strided form.
 */
typedef int (*binary_single_predicate_t)(const char *src0, const char *src1, struct ckernel_prefix *self);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The version of the layouts and functions in the library that is linked; compare with `CKERNEL_ABI_VERSION`.
 */
uint32_t ckernel_abi_version(void);

/**
 * Makes an empty builder out of the memory at `self`. The builder must not be moved before `ckernel_builder_destruct`.
 *
 * Rules:
 * 1. `self` is writable, aligned memory of the builder's size.
 */
void ckernel_builder_construct(struct ckernel_builder *self);

/**
 * Destroys the kernel in the builder and frees the builder's memory.
 *
 * Rules:
 * 1. `self` is a constructed builder whose kernel is completely or partly built by the rules.
 */
void ckernel_builder_destruct(struct ckernel_builder *self);

/**
 * Destroys the kernel in the builder and makes the builder empty again.
 *
 * Rules:
 * 1. `self` is a constructed builder whose kernel is completely or partly built by the rules.
 */
void ckernel_builder_reset(struct ckernel_builder *self);

/**
 * Makes room for `requested_capacity` bytes and, behind them, for the zeroed prefix of a child.
 *
 * Returns 0, or -1 with the reason in the error slot; then the kernel was destroyed and `data` is null. Pointers into
 * the builder's memory have to be fetched again after this call.
 *
 * Rules:
 * 1. `self` is a constructed builder whose kernel is completely or partly built by the rules.
 */
int ckernel_builder_ensure_capacity(struct ckernel_builder *self,
                                    intptr_t requested_capacity);

/**
 * Makes room for `requested_capacity` bytes, without a child's prefix.
 *
 * Returns 0, or -1 with the reason in the error slot; then the kernel was destroyed and `data` is null. Pointers into
 * the builder's memory have to be fetched again after this call.
 *
 * Rules:
 * 1. `self` is a constructed builder whose kernel is completely or partly built by the rules.
 */
int ckernel_builder_ensure_capacity_leaf(struct ckernel_builder *self,
                                         intptr_t requested_capacity);

/**
 * The error that is pending in the calling thread, or NULL. Valid until the next error call of this thread.
 */
const struct ckernel_error *ckernel_last_error(void);

/**
 * Nonzero when an error is pending in the calling thread. A parent asks after calling a child, and returns if so.
 */
int ckernel_error_pending(void);

/**
 * Empties the calling thread's error slot. Do this before a call whose error you want to see.
 */
void ckernel_clear_error(void);

/**
 * Records an error in the calling thread's slot. The first error stays: while one is pending, this changes nothing.
 *
 * `kind` is a `ckernel_error_kind`; unknown numbers count as `ckernel_error_kind_foreign`. `element`
 * counts from 0 in this kernel's call, or is `CKERNEL_NO_ELEMENT`. The message is copied; NULL means an empty one.
 *
 * Rules:
 * 1. `message` is NULL, or ends with a zero byte.
 */
void ckernel_set_error(uint32_t kind,
                       size_t element,
                       const char *message);

/**
 * Adds `first` to the element of the pending error, if it has one, and says whether an error is pending. For a parent
 * that hands its elements to a child in pieces: call it after each piece, with the index at which the piece began.
 */
int ckernel_error_pending_from(size_t first);

/**
 * Begins a frame of `size` bytes of scratch memory, aligned to 64 bytes, in the calling thread's arena.
 *
 * Returns NULL, with the reason in the error slot, when memory ran out. Frames end in the reverse order of their
 * beginning, each by `ckernel_scratch_pop`, before the kernel returns.
 */
void *ckernel_scratch_push(size_t size);

/**
 * Ends the frame that `ckernel_scratch_push` began; NULL is ignored.
 *
 * Rules:
 * 1. `frame` is NULL, or the latest frame of this thread that was not ended.
 */
void ckernel_scratch_pop(void *frame);

/**
 * Frees what a deferred kernel owns, and leaves it empty; NULL and empty ones are ignored.
 *
 * Rules:
 * 1. `ckd` is NULL, or a deferred kernel that the caller owns.
 */
void deferred_ckernel_free(struct deferred_ckernel *ckd);

/**
 * Makes an expr kernel with one source out of a unary kernel.
 *
 * Rules:
 * 1. `ckd` is a deferred kernel that the caller owns and may be used by several threads; `out` is writable.
 */
int deferred_ckernel_as_expr(struct deferred_ckernel *out, struct deferred_ckernel *ckd);

/**
 * Makes a unary kernel out of an expr kernel with one source.
 *
 * Rules:
 * 1. `ckd` is a deferred kernel that the caller owns and may be used by several threads; `out` is writable.
 */
int deferred_ckernel_as_unary(struct deferred_ckernel *out, struct deferred_ckernel *ckd);

/**
 * Makes a kernel with both forms out of one that only has the single form: its strided form is a loop.
 *
 * Rules:
 * 1. `ckd` is a deferred kernel that the caller owns and may be used by several threads; `out` is writable.
 */
int deferred_ckernel_loop_over_single(struct deferred_ckernel *out, struct deferred_ckernel *ckd);

/**
 * Makes one kernel out of two: the second is unary, or expr with one source, and reads what the first writes, through
 * a buffer of 128 elements of a builtin type from the calling thread's scratch memory.
 *
 * Rules:
 * 1. `first` and `second` are different deferred kernels that the caller owns and that may be used by several threads;
 *    `out` is writable.
 */
int deferred_ckernel_chain(struct deferred_ckernel *out,
                           struct deferred_ckernel *first,
                           struct deferred_ckernel *second);

/**
 * Makes an expr kernel that writes the same element, of a builtin type, everywhere. It has `sources` sources, all of
 * that same type, which it ignores.
 *
 * Rules:
 * 1. `value` points to an element of the builtin type `type_id`; `out` is writable.
 */
int deferred_ckernel_constant(struct deferred_ckernel *out,
                              size_t type_id,
                              const void *value,
                              size_t sources);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* GRISTMILL_CKERNEL_H */
