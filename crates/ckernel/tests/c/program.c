/* Trades kernels with Rust through include/gristmill_ckernel.h. Compiled as C99, C11 and C++ by tests/c_program.rs.
 * With -DWITHOUT_PEER only the library itself is linked. Prints one line and returns 0 if every CHECK holds. */
#include "gristmill_ckernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                        \
  do {                                                                                          \
    if (!(condition)) {                                                                         \
      printf("%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);                          \
      if (ckernel_last_error()) printf("last error: %s\n", ckernel_last_error()->message);      \
      exit(1);                                                                                  \
    }                                                                                           \
  } while (0)

/* The layout, as docs/ckernel-abi.md gives it in words. */
#define WORD sizeof(void *)
typedef char check_prefix[sizeof(ckernel_prefix) == 2 * WORD ? 1 : -1];
typedef char check_builder[sizeof(ckernel_builder) == 18 * WORD ? 1 : -1];
typedef char check_deferred[sizeof(deferred_ckernel) == 6 * WORD ? 1 : -1];
typedef char check_destructor[offsetof(ckernel_prefix, destructor) == WORD ? 1 : -1];
typedef char check_static[offsetof(ckernel_builder, static_data) == 2 * WORD ? 1 : -1];
typedef char check_types[offsetof(deferred_ckernel, data_dynd_types) == 2 * WORD ? 1 : -1];
typedef char check_instantiate[offsetof(deferred_ckernel, instantiate_func) == 4 * WORD ? 1 : -1];
typedef char check_free[offsetof(deferred_ckernel, free_func) == 5 * WORD ? 1 : -1];

/* ---- A deferred kernel that triples an int32: static, owns nothing. ---- */

static void int32_triple_single(char *dst, const char *const *src, ckernel_prefix *self) {
  (void)self;
  *(int32_t *)dst = *(const int32_t *)src[0] * 3;
}

static void int32_triple_strided(char *dst, intptr_t dst_stride, const char *const *src, const intptr_t *src_stride,
                                 size_t count, ckernel_prefix *self) {
  const char *src0 = src[0];
  intptr_t src0_stride = src_stride[0];
  size_t i;
  (void)self;
  for (i = 0; i < count; ++i) {
    *(int32_t *)dst = *(const int32_t *)src0 * 3;
    dst += dst_stride;
    src0 += src0_stride;
  }
}

static intptr_t instantiate_triple_int32(void *self_data_ptr, ckernel_builder *out_ckb, intptr_t ckb_offset,
                                         const char *const *dynd_metadata, uint32_t kerntype) {
  /* A kernel that is only a function pointer: its prefix is there already. */
  ckernel_prefix *out_ckernel = (ckernel_prefix *)(out_ckb->data + ckb_offset);
  (void)self_data_ptr;
  (void)dynd_metadata;
  switch (kerntype) {
    case kernel_request_single:
      out_ckernel->function = (void *)int32_triple_single;
      break;
    case kernel_request_strided:
      out_ckernel->function = (void *)int32_triple_strided;
      break;
    default:
      ckernel_set_error(ckernel_error_kind_invalid_argument, CKERNEL_NO_ELEMENT, "triple: unknown request");
      return -1;
  }
  return ckb_offset + (intptr_t)sizeof(ckernel_prefix);
}

static const ckernel_type *const int32_to_int32[] = {
    (const ckernel_type *)int32_type_id,
    (const ckernel_type *)int32_type_id,
};

static deferred_ckernel triple_int32(void) {
  deferred_ckernel ckd = {expr_operation_funcproto_id, 2, int32_to_int32, NULL, instantiate_triple_int32, NULL};
  return ckd;
}

/* ---- A deferred kernel with data: multiplies an int32 by a constant. ---- */

typedef struct {
  ckernel_prefix base;
  intptr_t factor;
} multiply_kernel;

static void int32_multiply_single(char *dst, const char *const *src, ckernel_prefix *self) {
  *(int32_t *)dst = *(const int32_t *)src[0] * (int32_t)((multiply_kernel *)self)->factor;
}

static void int32_multiply_strided(char *dst, intptr_t dst_stride, const char *const *src, const intptr_t *src_stride,
                                   size_t count, ckernel_prefix *self) {
  int32_t factor = (int32_t)((multiply_kernel *)self)->factor;
  const char *src0 = src[0];
  intptr_t src0_stride = src_stride[0];
  size_t i;
  for (i = 0; i < count; ++i) {
    *(int32_t *)dst = *(const int32_t *)src0 * factor;
    dst += dst_stride;
    src0 += src0_stride;
  }
}

typedef struct {
  intptr_t factor;
} deferred_multiply;

static intptr_t instantiate_multiply(void *self_data_ptr, ckernel_builder *out_ckb, intptr_t ckb_offset,
                                     const char *const *dynd_metadata, uint32_t kerntype) {
  intptr_t ckb_end = ckb_offset + (intptr_t)sizeof(multiply_kernel);
  multiply_kernel *out_ckernel;
  CHECK(dynd_metadata != NULL);
  if (ckernel_builder_ensure_capacity_leaf(out_ckb, ckb_end) < 0) return -1;
  out_ckernel = (multiply_kernel *)(out_ckb->data + ckb_offset);
  if (kerntype == kernel_request_single) {
    out_ckernel->base.function = (void *)int32_multiply_single;
  } else if (kerntype == kernel_request_strided) {
    out_ckernel->base.function = (void *)int32_multiply_strided;
  } else {
    ckernel_set_error(ckernel_error_kind_invalid_argument, CKERNEL_NO_ELEMENT, "multiply: unknown request");
    return -1;
  }
  out_ckernel->factor = ((deferred_multiply *)self_data_ptr)->factor;
  return ckb_end;
}

static int multiply_freed = 0;

static void free_multiply(void *self_data_ptr) {
  ++multiply_freed;
  free(self_data_ptr);
}

static deferred_ckernel multiply_int32(intptr_t factor) {
  deferred_ckernel ckd = {expr_operation_funcproto_id, 2, int32_to_int32, NULL, instantiate_multiply, free_multiply};
  ckd.data_ptr = malloc(sizeof(deferred_multiply));
  CHECK(ckd.data_ptr != NULL);
  ((deferred_multiply *)ckd.data_ptr)->factor = factor;
  return ckd;
}

/* ---- Using them, from C alone. ---- */

static int32_t call_single(deferred_ckernel *ckd, int32_t value) {
  ckernel_builder ckb;
  const char *metadata[2] = {NULL, NULL};
  ckernel_prefix *ck;
  int32_t result = 0;
  const char *src = (const char *)&value;
  ckernel_builder_construct(&ckb);
  CHECK(ckd->ckernel_funcproto == expr_operation_funcproto_id && ckd->data_types_size == 2);
  CHECK(ckd->instantiate_func(ckd->data_ptr, &ckb, 0, metadata, kernel_request_single) > 0);
  ck = (ckernel_prefix *)ckb.data;
  ckernel_clear_error();
  ((expr_single_operation_t)ck->function)((char *)&result, &src, ck);
  CHECK(!ckernel_error_pending());
  ckernel_builder_destruct(&ckb);
  return result;
}

/* Instantiates at `offset`, moves the block by memcpy, and runs the copy on every other element. */
static void call_strided(deferred_ckernel *ckd, intptr_t offset, const int32_t *values, int32_t *results, size_t count) {
  ckernel_builder ckb;
  const char *metadata[2] = {NULL, NULL};
  intptr_t end, src_stride = 2 * sizeof(int32_t);
  char *moved;
  ckernel_prefix *ck;
  const char *src = (const char *)values;
  ckernel_builder_construct(&ckb);
  CHECK(ckernel_builder_ensure_capacity(&ckb, offset) == 0);
  end = ckd->instantiate_func(ckd->data_ptr, &ckb, offset, metadata, kernel_request_strided);
  CHECK(end >= offset + (intptr_t)sizeof(ckernel_prefix));
  moved = (char *)malloc(end - offset);
  CHECK(moved != NULL);
  memcpy(moved, ckb.data + offset, end - offset);
  memset(ckb.data, 0, ckb.capacity); /* the kernel has moved out: nothing here is destroyed */
  ck = (ckernel_prefix *)moved;
  ckernel_clear_error();
  ((expr_strided_operation_t)ck->function)((char *)results, 2 * sizeof(int32_t), &src, &src_stride, count, ck);
  CHECK(!ckernel_error_pending());
  if (ck->destructor) ck->destructor(ck);
  free(moved);
  ckernel_builder_destruct(&ckb);
}

static void run_single_and_strided(deferred_ckernel *ckd, int32_t factor) {
  int32_t values[600], results[600];
  static const size_t counts[] = {0, 1, 2, 127, 128, 129, 300};
  static const intptr_t offsets[] = {0, 16, 104, 112, 120, 400};
  size_t n, o, i;
  for (i = 0; i < 600; ++i) values[i] = (int32_t)i * 7 - 1000;
  CHECK(call_single(ckd, 12) == 12 * factor);
  CHECK(call_single(ckd, -5) == -5 * factor);
  for (n = 0; n < sizeof counts / sizeof *counts; ++n) {
    for (o = 0; o < sizeof offsets / sizeof *offsets; ++o) {
      memset(results, 0x55, sizeof results);
      call_strided(ckd, offsets[o], values, results, counts[n]);
      for (i = 0; i < 600; ++i) {
        int written = i % 2 == 0 && i / 2 < counts[n];
        CHECK(results[i] == (written ? values[i] * factor : 0x55555555));
      }
    }
  }
}

static void unknown_requests_are_refused(deferred_ckernel *ckd) {
  ckernel_builder ckb;
  const char *metadata[2] = {NULL, NULL};
  ckernel_builder_construct(&ckb);
  ckernel_clear_error();
  CHECK(ckd->instantiate_func(ckd->data_ptr, &ckb, 0, metadata, 7) < 0);
  CHECK(ckernel_last_error() != NULL);
  CHECK(ckernel_last_error()->kind == ckernel_error_kind_invalid_argument);
  CHECK(ckernel_last_error()->element == CKERNEL_NO_ELEMENT);
  ckernel_clear_error();
  CHECK(ckernel_last_error() == NULL);
  ckernel_builder_destruct(&ckb);
}

static void builder_has_the_sizes_of_the_document(void) {
  ckernel_builder ckb;
  intptr_t inline_size = 16 * sizeof(void *), prefix = sizeof(ckernel_prefix), i;
  ckernel_builder_construct(&ckb);
  CHECK(ckb.data == (char *)ckb.static_data && ckb.capacity == inline_size);
  CHECK(ckernel_builder_ensure_capacity(&ckb, inline_size - prefix) == 0);
  CHECK(ckb.data == (char *)ckb.static_data && ckb.capacity == inline_size);
  CHECK(ckernel_builder_ensure_capacity_leaf(&ckb, inline_size) == 0);
  CHECK(ckb.data == (char *)ckb.static_data && ckb.capacity == inline_size);
  CHECK(ckernel_builder_ensure_capacity(&ckb, inline_size) == 0);
  CHECK(ckb.data != (char *)ckb.static_data && ckb.capacity >= inline_size + prefix);
  CHECK(ckernel_builder_ensure_capacity_leaf(&ckb, 5000) == 0 && ckb.capacity >= 5000);
  for (i = 0; i < ckb.capacity; ++i) CHECK(ckb.data[i] == 0);
  ckernel_builder_reset(&ckb);
  CHECK(ckb.data == (char *)ckb.static_data && ckb.capacity == inline_size);
  ckernel_clear_error();
  CHECK(ckernel_builder_ensure_capacity_leaf(&ckb, -8) == -1 && ckb.data == NULL);
  CHECK(ckernel_last_error()->kind == ckernel_error_kind_invalid_argument);
  CHECK(ckernel_builder_ensure_capacity_leaf(&ckb, 8) == -1); /* until it is reset */
  ckernel_clear_error();
  ckernel_builder_reset(&ckb);
  CHECK(ckernel_builder_ensure_capacity_leaf(&ckb, 8) == 0);
  ckernel_builder_destruct(&ckb);
}

static void scratch_frames_nest(void) {
  char *outer = (char *)ckernel_scratch_push(1000), *inner;
  memset(outer, 1, 1000);
  inner = (char *)ckernel_scratch_push(100000);
  CHECK(outer != NULL && inner != NULL);
  CHECK((uintptr_t)outer % 64 == 0 && (uintptr_t)inner % 64 == 0);
  memset(inner, 2, 100000);
  CHECK(outer[0] == 1 && outer[999] == 1);
  ckernel_scratch_pop(inner);
  ckernel_scratch_pop(outer);
  ckernel_scratch_pop(NULL);
}

/* Rust builds a kernel around the two C kernels: x -> (x * 3) * 13, through a buffer of 128 elements. */
static void chain_around_c_kernels(void) {
  deferred_ckernel first = triple_int32(), second = multiply_int32(13), chain, empty;
  int freed = multiply_freed, seven = 7;
  CHECK(deferred_ckernel_chain(&chain, &first, &second) == 0);
  CHECK(first.instantiate_func == NULL && second.data_ptr == NULL);
  run_single_and_strided(&chain, 39);
  unknown_requests_are_refused(&chain);
  CHECK(multiply_freed == freed);
  deferred_ckernel_free(&chain);
  deferred_ckernel_free(&chain);
  CHECK(multiply_freed == freed + 1);

  /* A failure takes over its arguments all the same. */
  memset(&empty, 0, sizeof empty);
  second = multiply_int32(2);
  ckernel_clear_error();
  CHECK(deferred_ckernel_chain(&chain, &empty, &second) == -1);
  CHECK(ckernel_last_error()->kind == ckernel_error_kind_uninitialized);
  CHECK(multiply_freed == freed + 2 && chain.instantiate_func == NULL);
  ckernel_clear_error();

  first = multiply_int32(4);
  CHECK(deferred_ckernel_as_unary(&first, &first) == 0 && first.ckernel_funcproto == unary_operation_funcproto_id);
  CHECK(deferred_ckernel_as_expr(&first, &first) == 0);
  CHECK(deferred_ckernel_loop_over_single(&first, &first) == 0);
  run_single_and_strided(&first, 4);
  deferred_ckernel_free(&first);
  CHECK(multiply_freed == freed + 3);

  CHECK(deferred_ckernel_constant(&first, int32_type_id, &seven, 1) == 0);
  CHECK(call_single(&first, 99) == 7);
  deferred_ckernel_free(&first);
  CHECK(deferred_ckernel_constant(&first, 63, &seven, 1) == -1);
  ckernel_clear_error();
}

#ifndef WITHOUT_PEER
#ifdef __cplusplus
extern "C" {
#endif
intptr_t peer_alive(void);
void peer_sum_of_squares(deferred_ckernel *out);
void peer_square_root(deferred_ckernel *out);
int peer_run(deferred_ckernel *ckd, int32_t *dst, const int32_t *src, size_t count, uint32_t request);
int peer_run_built(ckernel_builder *builder, int32_t *dst, const int32_t *src, size_t count);
#ifdef __cplusplus
}
#endif

static void rust_kernels_run_in_c(void) {
  deferred_ckernel ckd;
  ckernel_builder ckb;
  const char *metadata[3] = {NULL, NULL, NULL};
  double x[300], y = 4.0, dst[300];
  const char *src[2];
  intptr_t strides[2] = {sizeof(double), 0}, end, second;
  ckernel_prefix *ck;
  size_t i;
  for (i = 0; i < 300; ++i) x[i] = (double)i - 100;
  src[0] = (const char *)x;
  src[1] = (const char *)&y;

  peer_sum_of_squares(&ckd);
  CHECK(peer_alive() == 1);
  CHECK(ckd.data_types_size == 3 && (uintptr_t)ckd.data_dynd_types[2] == float64_type_id);
  ckernel_builder_construct(&ckb);
  end = ckd.instantiate_func(ckd.data_ptr, &ckb, 0, metadata, kernel_request_strided);
  CHECK(end >= (intptr_t)sizeof(ckernel_prefix) && end <= ckb.capacity);
  CHECK(peer_alive() == 2);
  deferred_ckernel_free(&ckd); /* the kernel owns what it needs */
  CHECK(peer_alive() == 1);
  ck = (ckernel_prefix *)ckb.data;
  ckernel_clear_error();
  ((expr_strided_operation_t)ck->function)((char *)dst, sizeof(double), src, strides, 300, ck);
  CHECK(!ckernel_error_pending());
  for (i = 0; i < 300; ++i) CHECK(dst[i] == x[i] * x[i] + 16.0);
  ckernel_builder_destruct(&ckb);
  CHECK(peer_alive() == 0);

  /* Errors and panics of Rust code end in the slot. */
  peer_square_root(&ckd);
  CHECK(ckd.ckernel_funcproto == unary_operation_funcproto_id);
  ckernel_builder_construct(&ckb);
  second = ckd.instantiate_func(ckd.data_ptr, &ckb, 0, metadata, kernel_request_strided);
  CHECK(ckernel_builder_ensure_capacity(&ckb, second) == 0);
  CHECK(ckd.instantiate_func(ckd.data_ptr, &ckb, second, metadata, kernel_request_single) > second);
  ck = (ckernel_prefix *)ckb.data;
  for (i = 0; i < 300; ++i) x[i] = i == 200 ? -9.0 : (double)(i * i);
  ((unary_strided_operation_t)ck->function)((char *)dst, sizeof(double), (const char *)x, sizeof(double), 300, ck);
  CHECK(ckernel_error_pending() && ckernel_last_error()->kind == ckernel_error_kind_overflow);
  CHECK(ckernel_last_error()->element == 200);
  CHECK(strcmp(ckernel_last_error()->message, "x is -9, but must be >= 0") == 0);
  CHECK(dst[199] == 199.0);
  ckernel_clear_error();
  ck = (ckernel_prefix *)(ckb.data + second);
  y = 0.0;
  y = y / y;
  ((unary_single_operation_t)ck->function)((char *)dst, (const char *)&y, ck);
  CHECK(ckernel_error_pending() && ckernel_last_error()->kind == ckernel_error_kind_panic);
  CHECK(strstr(ckernel_last_error()->message, "no root of nothing") != NULL);
  ckernel_clear_error();
  ckernel_builder_destruct(&ckb);
  deferred_ckernel_free(&ckd);
}

static void c_kernels_run_in_rust(void) {
  deferred_ckernel ckd;
  ckernel_builder ckb;
  const char *metadata[2] = {NULL, NULL};
  int32_t src[301], dst[301];
  int freed = multiply_freed;
  size_t i;
  for (i = 0; i < 301; ++i) src[i] = (int32_t)i - 150;
  ckd = triple_int32();
  CHECK(peer_run(&ckd, dst, src, 301, kernel_request_strided) == 0);
  for (i = 0; i < 301; ++i) CHECK(dst[i] == src[i] * 3);
  ckd = multiply_int32(-11);
  CHECK(peer_run(&ckd, dst, src, 301, kernel_request_strided) == 0);
  for (i = 0; i < 301; ++i) CHECK(dst[i] == src[i] * -11);
  CHECK(ckd.data_ptr == NULL && multiply_freed == freed + 1);

  /* A single kernel does one element: Rust refuses before anything is written. */
  memset(dst, 0, sizeof dst);
  ckd = multiply_int32(2);
  ckernel_clear_error();
  CHECK(peer_run(&ckd, dst, src, 301, kernel_request_single) == -1);
  CHECK(ckernel_last_error()->kind == ckernel_error_kind_broadcast);
  for (i = 150; i < 301; ++i) CHECK(dst[i] == 0);
  CHECK(multiply_freed == freed + 2);
  ckernel_clear_error();

  ckernel_builder_construct(&ckb);
  ckd = multiply_int32(6);
  CHECK(ckd.instantiate_func(ckd.data_ptr, &ckb, 0, metadata, kernel_request_strided) > 0);
  CHECK(peer_run_built(&ckb, dst, src, 301) == 0);
  for (i = 0; i < 301; ++i) CHECK(dst[i] == src[i] * 6);
  CHECK(peer_run_built(&ckb, dst, src, 301) == -1); /* it was moved out */
  CHECK(ckernel_last_error()->kind == ckernel_error_kind_uninitialized);
  ckernel_clear_error();
  deferred_ckernel_free(&ckd);
  ckernel_builder_destruct(&ckb);
}
#endif

int main(void) {
  deferred_ckernel triple = triple_int32(), multiply = multiply_int32(13);
  CHECK(ckernel_abi_version() == CKERNEL_ABI_VERSION);
  builder_has_the_sizes_of_the_document();
  scratch_frames_nest();
  run_single_and_strided(&triple, 3);
  run_single_and_strided(&multiply, 13);
  unknown_requests_are_refused(&triple);
  unknown_requests_are_refused(&multiply);
  deferred_ckernel_free(&triple);
  deferred_ckernel_free(&multiply);
  CHECK(multiply_freed == 1 && multiply.instantiate_func == NULL);
  chain_around_c_kernels();
#ifndef WITHOUT_PEER
  rust_kernels_run_in_c();
  c_kernels_run_in_rust();
#endif
  printf("all checks hold\n");
  return 0;
}
