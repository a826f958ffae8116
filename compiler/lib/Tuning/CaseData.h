// The numbers of a case: its tensors, and the ONNX model that has its constants.
#pragma once

#include "Tuning/Case.h"

namespace daedalus::tuning {

/// The zero point of quantized inputs, and of quantized results of what is bound by memory.
constexpr int8_t quantizedZero = -128;

/// Tensors as bytes, in ONNX's order. An int8 activation x stands for x + 128, which the peers take as uint8;
/// it is below 0, so that pairs of products fit the 16 bits in which instruction sets before VNNI add them.
struct CaseData {
  std::vector<uint8_t> input, second; ///< second: the other summand of Add
  std::vector<uint8_t> weights;
  std::vector<float> bias;    ///< of a convolution, whole numbers where it is int8; of LayerNorm
  std::vector<float> factors; ///< int8: what sums are multiplied by, for the matrix or for each channel;
                              ///< LayerNorm: its scale
};

/// The same numbers for the same case.
CaseData caseData(const CpuCase &c);

/// The node that counts is named "kernel".
std::string onnxModel(const CpuCase &c, const CaseData &data);

} // namespace daedalus::tuning
