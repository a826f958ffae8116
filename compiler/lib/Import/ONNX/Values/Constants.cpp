// See Constants.h.

#include "Values/Constants.h"

#include "Values/Types.h"

#include "daedalus/Dialect/Qnn/Transforms/Constants.h"

using namespace mlir;

namespace daedalus::onnximport {

template <class T> static DenseElementsAttr rawElements(const std::vector<T> &values, RankedTensorType type) {
  if (sizeof(T) * 8 == type.getElementTypeBitWidth() && !values.empty())
    return DenseElementsAttr::getFromRawBuffer(
        type, ArrayRef(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T)));
  if (values.empty())
    return DenseElementsAttr::get(type, ArrayRef<Attribute>());
  SmallVector<APInt> numbers;
  for (const T value : values)
    numbers.push_back(
        APInt(type.getElementTypeBitWidth(), static_cast<uint64_t>(static_cast<int64_t>(value)), true));
  return DenseElementsAttr::get(type, numbers);
}

DenseElementsAttr elementsOf(const HostTensor &host, RankedTensorType type) {
  if (isHalfType(host.dtype))
    return rawElements(narrowedFloats(host.floats, host.dtype), type);
  if (host.isFloat())
    return DenseElementsAttr::get(type, ArrayRef<float>(host.floats));
  if (host.dtype == onnx::TensorProto::DOUBLE)
    return DenseElementsAttr::get(type, ArrayRef<double>(host.doubles));
  return host.ints.visit([&](const auto &values) { return rawElements(values, type); });
}

HostTensorPtr dequantized(const HostTensor &host, Type quantized) {
  auto real = std::make_shared<HostTensor>();
  real->dtype = onnx::TensorProto::FLOAT;
  real->shape = host.shape;
  const qnn::ScaleOf of(RankedTensorType::get(host.shape, quantized));
  for (size_t i = 0; i < host.ints.size(); ++i)
    real->floats.push_back(static_cast<float>(host.ints[i] - of.zeroPoint(i)) *
                           static_cast<float>(of.scale(i)));
  return real;
}

} // namespace daedalus::onnximport
