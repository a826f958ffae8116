// The products of a model as they are launched on a GPU, of each of which a few blocks are emulated: the
// counts of all of them follow, also where a grid has too many to run.
#pragma once

#include "Emulation/Emulator.h"

#include <memory>
#include <string>
#include <vector>

namespace daedalus::test {

struct LaunchedProduct {
  std::string function;
  uint32_t blocks = 0, threads = 0;
  /// The factors, what is read besides for each element of the result, and the result: bytes of all, and of
  /// an element.
  std::vector<uint64_t> operandBytes = {}, elementBytes = {};
  int64_t m = 0, n = 0, k = 0;
  int64_t tileM = 0, tileN = 0, tileK = 0;
  bool hasTensorCores = false;
  int64_t groupColumns = 0; ///< of the tile, that a group of warps multiplies at once; 0 by mma.sync
  uint32_t sharedBytes = 0; ///< that the launch asks for

  int64_t down() const { return (m + tileM - 1) / tileM; }
  int64_t across() const { return (n + tileN - 1) / tileN; }
  /// Bytes of the factors that tiles of these sizes have to load, and of the result.
  uint64_t leastBytes() const;
  /// Bytes that are read besides: those of an element of the result for each.
  uint64_t otherBytes() const;
  uint64_t leastInstructions() const; ///< of tensor cores
};

class LaunchedProducts {
public:
  /// `architecture`: that is emulated, as --cuda-arch names it.
  static Result<LaunchedProducts> ofFile(const std::string &path,
                                         const std::string &architecture = "emulated");
  static Result<LaunchedProducts> ofModel(const std::string &bytes,
                                          const std::string &architecture = "emulated");

  const std::vector<LaunchedProduct> &all() const { return products; }
  /// What a launch does, of one block of each kind: those inside, at the ends of rows and of columns, the
  /// last one.
  Result<cuda::EmulationCounts> count(const LaunchedProduct &product);

private:
  std::vector<LaunchedProduct> products;
  std::unique_ptr<cuda::Emulator> emulator;
};

} // namespace daedalus::test
