// Constants of a model as the importer computes with them.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_HOSTTENSOR_H
#define DAEDALUS_LIB_IMPORT_ONNX_HOSTTENSOR_H

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace daedalus::onnximport {

/// A dense row-major constant. Integers of every width live in `ints`, float32 in `floats`, float64 in
/// `doubles`.
struct HostTensor {
  int32_t dtype = 0; // onnx::TensorProto::DataType
  std::vector<int64_t> shape;
  std::vector<int64_t> ints;
  std::vector<float> floats;
  std::vector<double> doubles;

  bool isFloat() const { return dtype == onnx::TensorProto::FLOAT; }
  int64_t size() const { return floats.size() + doubles.size() + ints.size(); }
};
using HostTensorPtr = std::shared_ptr<const HostTensor>;

/// "int8", "float32", ... as users know them.
std::string dtypeName(int32_t dtype);

/// What is wrong with a tensor's type, its sizes or the amount of its data; empty: nothing.
std::string tensorError(const onnx::TensorProto &proto);

/// Decodes a tensor; null with `why` set when its type or its data cannot be taken.
HostTensorPtr decodeTensor(const onnx::TensorProto &proto, std::string &why);

/// Elements of a shape.
int64_t elementCount(const std::vector<int64_t> &shape);

} // namespace daedalus::onnximport

#endif
