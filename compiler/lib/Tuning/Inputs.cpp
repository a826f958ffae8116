#include "Tuning/Inputs.h"

#include <cstring>
#include <random>

namespace daedalus::tuning {

using package::Value;
using runtime::Tensor;

std::vector<Tensor> zeroInputs(const package::Function &function) {
  std::vector<Tensor> tensors;
  for (const Value &value : function.inputs)
    tensors.push_back({value.name, value.type, std::vector<uint8_t>(package::byteSize(value.type))});
  return tensors;
}

std::vector<Tensor> extremeInputs(const package::Function &function, bool isLargest) {
  std::vector<Tensor> tensors = zeroInputs(function);
  const float number = isLargest ? 127 : -128;
  for (Tensor &tensor : tensors)
    if (tensor.type.dtype == package::DType::F32)
      for (size_t at = 0; at + sizeof number <= tensor.data.size(); at += sizeof number)
        std::memcpy(&tensor.data[at], &number, sizeof number);
    else if (tensor.type.dtype == package::DType::I8 || tensor.type.dtype == package::DType::U8)
      std::fill(tensor.data.begin(), tensor.data.end(), isLargest ? 0x7f : 0x80);
  return tensors;
}

std::vector<Tensor> randomInputs(const package::Function &function, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<Tensor> tensors = zeroInputs(function);
  for (Tensor &tensor : tensors) {
    if (tensor.type.dtype == package::DType::F32) {
      for (size_t at = 0; at + sizeof(float) <= tensor.data.size(); at += sizeof(float)) {
        const float value = static_cast<float>(random() >> 8) / (1 << 23) * 3 - 3; // from -3 to 3
        std::memcpy(&tensor.data[at], &value, sizeof value);
      }
    } else if (tensor.type.dtype == package::DType::I8 || tensor.type.dtype == package::DType::U8) {
      for (uint8_t &byte : tensor.data)
        byte = static_cast<uint8_t>(random());
    }
  }
  return tensors;
}

} // namespace daedalus::tuning
