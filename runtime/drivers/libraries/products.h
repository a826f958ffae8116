// What the products are that functions of libraries compute, read from the types of their tensors and their
// attributes. Functions whose names end in "_i8" take int8 and give int32, without bias, and negative results
// stay. Packages come from anywhere: nothing is called whose tensors do not fit each other.
#pragma once

#include "library_call.h"

#include <array>

namespace daedalus::runtime::libraries {

/// inputs: a [batch,] M x K and b [batch,] K x N, each of float32 and perhaps transposed; perhaps a bias [N];
/// int64 {a is transposed, b is transposed, negative results become 0}. output: [batch,] M x N.
struct MatMul {
  int64_t batch = 1, m = 0, k = 0, n = 0;
  bool isOfBytes = false, isBatched = false, transposesA = false, transposesB = false, hasBias = false,
       hasRelu = false;

  static Result<MatMul> of(const LibraryCall &call);
};

/// inputs: images N x H x W x C of float32; constant weights groups x OC/groups x KH x KW x C/groups; perhaps
/// a bias [OC]; int64 {strides, pads above, left, below and right, dilations, negative results become 0}.
/// output: N x OH x OW x OC.
struct Convolution {
  int64_t images = 0, channels = 0, outputs = 0, groups = 1;
  std::array<int64_t, 2> size{}, outSize{}, kernel{}, strides{}, dilations{}; // rows and columns
  std::array<int64_t, 2> padsBefore{}, padsBehind{};
  bool isOfBytes = false, hasBias = false, hasRelu = false;

  static Result<Convolution> of(const LibraryCall &call);
};

} // namespace daedalus::runtime::libraries
