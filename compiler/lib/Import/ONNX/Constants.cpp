// See Constants.h.

#include "Constants.h"

#include "mlir/Dialect/Quant/QuantTypes.h"

using namespace mlir;

namespace daedalus::onnximport {

template <class T> static DenseElementsAttr rawElements(const std::vector<T> &values, RankedTensorType type) {
  if (sizeof(T) * 8 == type.getElementTypeBitWidth() && !values.empty())
    return DenseElementsAttr::getFromRawBuffer(
        type, ArrayRef(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T)));
  SmallVector<APInt> numbers;
  for (const T value : values)
    numbers.push_back(
        APInt(type.getElementTypeBitWidth(), static_cast<uint64_t>(static_cast<int64_t>(value)), true));
  return DenseElementsAttr::get(type, numbers);
}

DenseElementsAttr elementsOf(const HostTensor &host, RankedTensorType type) {
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
  auto perAxis = dyn_cast<quant::UniformQuantizedPerAxisType>(quantized);
  auto uniform = dyn_cast<quant::UniformQuantizedType>(quantized);
  const size_t axis = perAxis ? perAxis.getQuantizedDimension() : 0,
               count = perAxis ? perAxis.getScales().size() : 1;
  const size_t inner = perAxis ? elementCount({host.shape.begin() + axis + 1, host.shape.end()}) : 1;
  for (size_t i = 0; i < host.ints.size(); ++i) {
    const size_t channel = i / inner % count;
    const double scale = perAxis ? perAxis.getScales()[channel] : uniform.getScale();
    const int64_t zeroPoint = perAxis ? perAxis.getZeroPoints()[channel] : uniform.getZeroPoint();
    real->floats.push_back(static_cast<float>(host.ints[i] - zeroPoint) * static_cast<float>(scale));
  }
  return real;
}

} // namespace daedalus::onnximport
