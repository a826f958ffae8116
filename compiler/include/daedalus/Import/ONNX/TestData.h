// Tensors in ONNX's own test form: files of one serialized TensorProto.

#ifndef DAEDALUS_IMPORT_ONNX_TESTDATA_H
#define DAEDALUS_IMPORT_ONNX_TESTDATA_H

#include "daedalus/package/package.h"

#include <string>
#include <vector>

namespace daedalus {

/// Name, type and row-major little-endian bytes.
struct OnnxTensor {
  std::string name;
  package::TensorType type;
  std::vector<uint8_t> data;
};

/// Reads `path`. Errors name the file and what is wrong with it; types that packages do not have are errors
/// too.
Result<OnnxTensor> readOnnxTensor(const std::string &path);

/// As readOnnxTensor, of bytes in memory; errors name `path`.
Result<OnnxTensor> parseOnnxTensor(Span<const uint8_t> bytes, const std::string &path);

} // namespace daedalus

#endif
