// Constants of a model as the importer computes with them.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_VALUES_HOSTTENSOR_H
#define DAEDALUS_LIB_IMPORT_ONNX_VALUES_HOSTTENSOR_H

#include "daedalus/support/result.h"

#include <onnx/onnx_pb.h>

#include "llvm/ADT/iterator.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace daedalus::onnximport {

/// Integers of one type, as wide as they are there: a model's weights are most of what the importer
/// holds.
class HostIntegers {
public:
  HostIntegers() = default;
  HostIntegers(std::initializer_list<int64_t> values) : values(std::vector<int64_t>(values)) {}
  template <class T> HostIntegers(std::vector<T> values) : values(std::move(values)) {}

  /// The vector of them, of whatever type, is what `f` is called with.
  template <class F> auto visit(F f) const { return std::visit(f, values); }
  size_t size() const {
    return visit([](const auto &all) { return all.size(); });
  }
  int64_t operator[](size_t at) const {
    return visit([at](const auto &all) { return static_cast<int64_t>(all[at]); });
  }

  class Iterator : public llvm::iterator_facade_base<Iterator, std::random_access_iterator_tag, int64_t,
                                                     ptrdiff_t, const int64_t *, int64_t> {
  public:
    Iterator(const HostIntegers &all, size_t at) : all(&all), at(at) {}
    int64_t operator*() const { return (*all)[at]; }
    bool operator==(const Iterator &other) const { return at == other.at; }
    bool operator<(const Iterator &other) const { return at < other.at; }
    ptrdiff_t operator-(const Iterator &other) const { return ptrdiff_t(at) - ptrdiff_t(other.at); }
    Iterator &operator+=(ptrdiff_t n) { return at += n, *this; }
    Iterator &operator-=(ptrdiff_t n) { return at -= n, *this; }

  private:
    const HostIntegers *all;
    size_t at;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }

private:
  std::variant<std::vector<int64_t>, std::vector<int32_t>, std::vector<uint32_t>, std::vector<int16_t>,
               std::vector<uint16_t>, std::vector<int8_t>, std::vector<uint8_t>>
      values;
};

/// A dense row-major constant. Integers of every width live in `ints`, uint64 as int64 of the same bits;
/// float32 and floats of 16 bits in `floats`, float64 in `doubles`.
struct HostTensor {
  int32_t dtype = 0; // onnx::TensorProto::DataType
  std::vector<int64_t> shape;
  HostIntegers ints;
  std::vector<float> floats;
  std::vector<double> doubles;

  bool isFloat() const {
    return dtype == onnx::TensorProto::FLOAT || dtype == onnx::TensorProto::FLOAT16 ||
           dtype == onnx::TensorProto::BFLOAT16;
  }
  int64_t size() const { return floats.size() + doubles.size() + ints.size(); }
};
using HostTensorPtr = std::shared_ptr<const HostTensor>;

/// "int8", "float32", ... as users know them.
std::string dtypeName(int32_t dtype);

/// Bytes that the data of a tensor of a plain type take by its shape; nothing where one of them is refused.
std::optional<uint64_t> bytesOf(const onnx::TensorProto &proto);

/// Whether a tensor's type, its sizes and the amount of its data can be taken. The sentence goes on behind
/// the tensor's name.
Result<void> checkTensor(const onnx::TensorProto &proto);

/// Checks a tensor and decodes it.
Result<HostTensorPtr> decodeTensor(const onnx::TensorProto &proto);

/// Floats of 16 bits as bits, and back; `dtype` says which.
std::vector<uint16_t> narrowedFloats(const std::vector<float> &values, int32_t dtype);
std::vector<float> widenedFloats(const std::vector<uint16_t> &bits, int32_t dtype);

/// The tensor as a model holds it.
onnx::TensorProto encodeTensor(const std::string &name, const HostTensor &tensor);

/// Elements of a shape.
int64_t elementCount(const std::vector<int64_t> &shape);

} // namespace daedalus::onnximport

#endif
