// Decoded functions: a flat array of instructions on slots. A slot is a register of 64 bits of each lane: an
// integer without its sign's extension, the bits of a float, an address. Values of several scalars (vectors,
// structs) are lists of slots, so that taking them apart and joining them costs nothing.
#pragma once

#include "Fragments.h"
#include "SharedMatrices.h"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace daedalus::cuda {

constexpr unsigned warpSize = 32;
constexpr uint32_t allLanes = ~uint32_t(0);

class Warp;
struct Instruction;

/// Executes an instruction for the lanes that are active.
using Handler = void (*)(Warp &, const Instruction &);

struct Instruction {
  Handler execute = nullptr;
  uint32_t result = 0;
  std::array<uint32_t, 3> operands = {};
  uint32_t width = 0;     ///< bits of an integer
  uint32_t extra = 0;     ///< index of the access, edge, switch or list of slots that belongs to it
  uint64_t immediate = 0; ///< what the operation says besides: a predicate, a scale, a number
  uint32_t origin = 0;
};

/// The operation that an instruction was made of, for messages.
struct Origin {
  std::string operation, location;
};

enum class Number : uint8_t { Integer, Half, BFloat, Single, Double };

/// A scalar of a type, and its offset in memory. Pointers are integers of 64 bits.
struct Scalar {
  Number number = Number::Integer;
  uint8_t bits = 0;
  uint64_t offset = 0;

  uint8_t bytes() const { return static_cast<uint8_t>((bits + 7) / 8); }
};

enum class Space : uint8_t { Generic, Global, Shared };

/// A scalar of a load or store: its slot, and where it lies from the access's address on.
struct Element {
  uint32_t slot = 0;
  uint32_t offset = 0;
  uint8_t bytes = 0, bits = 0;
};

/// A load, a store, an atomic operation or an asynchronous copy's end.
struct Access {
  Space space = Space::Generic;
  bool atomic = false;
  uint32_t bytes = 0, alignment = 0;
  std::vector<Element> elements;
};

/// A way from a block to another, with the slots to copy: in their order.
struct Edge {
  uint32_t target = 0;
  std::vector<std::pair<uint32_t, uint32_t>> copies; ///< from, to
};

struct Switch {
  std::vector<std::pair<uint64_t, uint32_t>> cases; ///< value, edge
  uint32_t otherwise = 0;
};

/// What the elements of A or B of a product are.
enum class Factor : uint8_t { Half, BFloat, Tf32, Signed, Unsigned };

/// An mma.sync. The slots are of each register of A and B, or of each of its elements; of each element of C
/// and D.
struct TensorProduct {
  MmaShape shape;
  Factor factorA = Factor::Half, factorB = Factor::Half;
  bool isPacked = false, sumsAreHalf = false, saturates = false;
  std::vector<uint32_t> a, b, c, d;
};

/// A wgmma.mma_async: of 64 rows, of which each of the four warps has 16. A and B are in shared memory; the
/// slots are of each lane's elements of C and D.
struct WarpgroupProduct {
  unsigned columns = 0, k = 0;
  unsigned bits = 0; ///< of each element of A and B
  Factor factorA = Factor::Half, factorB = Factor::Half;
  Major majorA = Major::K, majorB = Major::K;
  bool addsC = true, negatesA = false, negatesB = false, saturates = false;
  std::vector<uint32_t> c, d;
};

/// A kernel with all that it calls inlined.
struct DecodedKernel {
  std::string name;
  std::vector<Instruction> code;
  std::vector<Origin> origins;
  std::vector<Access> accesses;
  std::vector<Edge> edges;
  std::vector<Switch> switches;
  std::vector<TensorProduct> products;
  std::vector<WarpgroupProduct> warpgroupProducts;
  std::vector<std::vector<uint32_t>> lists; ///< slots of operations with many
  std::vector<std::pair<uint32_t, uint64_t>> constants;
  std::vector<uint32_t> parameters; ///< their slots
  uint32_t slots = 0;
  uint32_t staticSharedBytes = 0;
};

} // namespace daedalus::cuda
