// What `daedalus-bench cpu` measures: one kernel a case, its shape and its type.
#pragma once

#include "daedalus/package/package.h"
#include "daedalus/support/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace daedalus::tuning {

enum class CaseKind { MatMul, Conv, Softmax, LayerNorm, Add, MaxPool, AveragePool, GlobalAveragePool };

/// Images are NCHW, as in ONNX; a matrix of M x K elements times a constant one of K x N.
struct CpuCase {
  CaseKind kind = CaseKind::MatMul;
  bool isInt8 = false;
  int64_t m = 0, k = 0, n = 0; ///< of a product; m rows of n elements of Softmax, LayerNorm
  int64_t batch = 1, channels = 0, height = 0, width = 0; ///< of images, and of what Add adds
  int64_t outputs = 0, groups = 1;                        ///< of a convolution
  float outputScale = 1;                   ///< of a quantized result, in parts of what it has elsewhere
  int64_t kernel = 1, stride = 1, pad = 0; ///< of a window, in both dimensions

  std::string name() const; ///< such as "conv3x3s2-64x56x56-128"; without the type
  std::string dtype() const;
  std::string label() const; ///< name/dtype, which --cases searches

  bool isImage() const; ///< whether it has a window
  /// Whether its peer is a copy of as many bytes rather than a library's product.
  bool isMemoryBound() const;
  int64_t outHeight() const;
  int64_t outWidth() const;

  package::TensorType input() const, output() const,
      weights() const; ///< weights: without dimensions where it has none
  uint64_t macs() const;
  /// Each input read and the output written once; weights aside.
  uint64_t movedBytes() const;
};

/// All cases, in the order of the table.
std::vector<CpuCase> cpuCases();
/// Those in whose label the regular expression finds something. The error says what is wrong with it, or what
/// labels there are.
Result<std::vector<CpuCase>> cpuCases(const std::string &regex);

} // namespace daedalus::tuning
