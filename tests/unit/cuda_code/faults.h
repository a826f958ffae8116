// Faults that compilers make, to be planted into the code of kernels: the emulator or the results have to
// show each.
#pragma once

#include "edits.h"

#include "cuda_code.h"

#include <functional>
#include <string>
#include <vector>

namespace daedalus::test {

/// A kernel's code, with the launches of it.
struct Subject {
  mlir::ModuleOp module;
  cuda::Code &code;
};

/// Extents of the products: rows, columns and what is summed up. No constant of their code is the same.
struct Extents {
  int64_t m, n, k;
};
constexpr Extents int8Extents{37, 44, 400}, float16Extents{150, 136, 168}, float32Extents{70, 68, 100};
/// The same of the softmax and the convolution.
constexpr int64_t softmaxWidth = 37, pixels = 11 * 13, windowWidth = 3, windowElements = 5 * 3 * 3;

struct Fault {
  const char *kernel; ///< one of faults_test.cpp
  const char *name;
  /// False where there is nothing to edit.
  std::function<bool(Subject &)> plant;
};

/// Of copies to shared memory, their stages and the waits for them.
std::vector<Fault> faultsOfStages();
/// Of fragments, sums and the places of elements in shared memory.
std::vector<Fault> faultsOfFragments();
/// Of products of warpgroups.
std::vector<Fault> faultsOfWarpgroups();
/// Of conditions that keep threads inside of the operands.
std::vector<Fault> faultsOfGuards();
/// Of addresses in global memory, and of launches.
std::vector<Fault> faultsOfPlaces();
/// Of what is computed: reductions, requantization.
std::vector<Fault> faultsOfValues();

} // namespace daedalus::test
