// oneDNN 2 as it is loaded. Of a build without its headers there is nothing of this
// (DAEDALUS_ONEDNN_HEADERS).
#pragma once

#ifdef DAEDALUS_ONEDNN_HEADERS

#include "daedalus/support/result.h"

#include <oneapi/dnnl/dnnl.h>

namespace daedalus::runtime::libraries {

/// The functions that are used, under their own names without "dnnl_".
struct OneDnnFunctions {
#define DAEDALUS_ONEDNN_FUNCTIONS(F)                                                                         \
  F(version)                                                                                                 \
  F(set_max_cpu_isa)                                                                                         \
  F(get_effective_cpu_isa)                                                                                   \
  F(engine_create)                                                                                           \
  F(stream_create)                                                                                           \
  F(stream_destroy)                                                                                          \
  F(stream_wait)                                                                                             \
  F(memory_desc_init_by_tag)                                                                                 \
  F(memory_desc_get_size)                                                                                    \
  F(memory_create)                                                                                           \
  F(memory_destroy)                                                                                          \
  F(memory_get_data_handle)                                                                                  \
  F(memory_set_data_handle)                                                                                  \
  F(convolution_forward_desc_init)                                                                           \
  F(dilated_convolution_forward_desc_init)                                                                   \
  F(matmul_desc_init)                                                                                        \
  F(inner_product_forward_desc_init)                                                                         \
  F(post_ops_create)                                                                                         \
  F(post_ops_append_eltwise)                                                                                 \
  F(post_ops_destroy)                                                                                        \
  F(primitive_attr_create)                                                                                   \
  F(primitive_attr_destroy)                                                                                  \
  F(primitive_attr_set_output_scales)                                                                        \
  F(primitive_attr_set_post_ops)                                                                             \
  F(primitive_attr_set_scratchpad_mode)                                                                      \
  F(primitive_desc_create)                                                                                   \
  F(primitive_desc_destroy)                                                                                  \
  F(primitive_desc_query)                                                                                    \
  F(primitive_desc_query_md)                                                                                 \
  F(reorder_primitive_desc_create)                                                                           \
  F(primitive_create)                                                                                        \
  F(primitive_destroy)                                                                                       \
  F(primitive_execute)
#define DAEDALUS_DECLARE(name) decltype(&dnnl_##name) name = nullptr;
  DAEDALUS_ONEDNN_FUNCTIONS(DAEDALUS_DECLARE)
#undef DAEDALUS_DECLARE
  void (*setThreads)(int) = nullptr; // of OpenMP, on which Debian's is built: of the calling thread
  int (*threads)() = nullptr;

  /// The error: the host lacks it, or it is another version.
  static Result<OneDnnFunctions> load();
};

} // namespace daedalus::runtime::libraries

#endif
