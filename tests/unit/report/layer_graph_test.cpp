// Edges between layers: through memory, copies and scratchpads.
#include "Report/Graph/Dot.h"
#include "Report/Graph/LayerGraph.h"

#include "daedalus/isa/encoding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace daedalus::report {
namespace {

using isa::Scope;
using package::noLayer;
using package::Space;
using package::Step;
using ::testing::HasSubstr;
using Sources = std::vector<std::set<uint32_t>>;

const isa::Machine &machine() {
  static const isa::Machine machine = *isa::loadMachine("tiny"); // n = 8
  return machine;
}

package::Package packageOf(size_t layers) {
  package::Package package;
  for (size_t i = 0; i < layers; ++i)
    package.layers.push_back({"layer" + std::to_string(i), i ? "accelerator" : "cpu", "", 10 * i});
  package.functions.emplace_back();
  return package;
}

package::Ref ref(uint64_t offset, uint64_t bytes, Space space = Space::Arena) {
  return {space, offset, bytes, {}};
}

void add(package::Package &package, Step::Kind kind, uint32_t layer, std::vector<package::Ref> inputs,
         std::vector<package::Ref> outputs) {
  package.functions[0].steps.push_back({kind, 0, std::move(inputs), std::move(outputs), layer});
}

void add(package::Package &package, const std::vector<std::pair<isa::Instruction, uint32_t>> &program) {
  package::AcceleratorProgram words;
  std::vector<isa::Instruction> instructions;
  for (const auto &[instruction, layer] : program) {
    instructions.push_back(instruction);
    words.layerOfInstruction.push_back(layer);
  }
  words.words = isa::encodeWords(instructions);
  package.programs.push_back(words);
  add(package, Step::Kind::Start, noLayer, {}, {});
}

isa::Load load(Scope scope, uint8_t base, uint32_t offset, uint32_t byte, uint16_t bytes) {
  isa::Load load;
  load.scope = scope, load.base = base, load.offset = offset, load.dst = byte, load.runBytes = bytes;
  load.unbounded = true;
  return load;
}

isa::Vector move(Scope from, uint16_t row, Scope to, uint16_t toRow, bool accumulate = false) {
  isa::Vector vector;
  vector.op = isa::VectorOp::Add, vector.aScope = from, vector.bScope = Scope::Imm, vector.dstScope = to;
  vector.a = row, vector.dst = toRow, vector.accumulate = accumulate;
  return vector;
}

isa::Store store(uint32_t offset, uint16_t row, uint16_t bytes) {
  isa::Store store;
  store.base = 1, store.offset = offset, store.src = row, store.runBytes = bytes;
  return store;
}

TEST(LayerGraph, IsOfTheBytesWrittenLast) {
  package::Package package = packageOf(4);
  add(package, Step::Kind::CallKernel, 0, {ref(100, 8)}, {ref(0, 16)});
  add(package, Step::Kind::CallKernel, 1, {ref(0, 16)}, {ref(16, 16)});
  add(package, Step::Kind::CallKernel, 2, {ref(8, 16)}, {ref(0, 12)});
  add(package, Step::Kind::CallKernel, 3, {ref(0, 12)}, {ref(40, 8)});
  EXPECT_EQ(sourcesOf(package, nullptr), (Sources{{}, {0}, {0, 1}, {2}}));
}

TEST(LayerGraph, LeadsThroughCopies) {
  const Space device = package::memoryOf(0);
  package::Package package = packageOf(3);
  add(package, Step::Kind::CallKernel, 0, {}, {ref(0, 16)});
  add(package, Step::Kind::Copy, 1, {ref(0, 16)}, {ref(64, 16, device)});
  add(package, Step::Kind::CallDevice, 1, {ref(72, 8, device)}, {ref(0, 8, device)});
  add(package, Step::Kind::CallDevice, 2, {ref(64, 8, device), ref(0, 4, device)}, {ref(8, 8, device)});
  EXPECT_EQ(sourcesOf(package, nullptr), (Sources{{}, {0}, {0, 1}}));
}

TEST(LayerGraph, LeadsThroughDramAndScratchpads) {
  package::Package package = packageOf(4);
  add(package, Step::Kind::CallKernel, 0, {}, {ref(0, 8)});
  add(package, {{load(Scope::Inp, 1, 0, 0, 8), 1},
                {move(Scope::Inp, 0, Scope::Acc, 0), 1},
                {move(Scope::Acc, 0, Scope::Out, 0), 2}, // what 1 left in ACC
                {store(64, 0, 8), 2},
                {load(Scope::Inp, 1, 64, 8, 8), 3},
                {isa::Finish{}, noLayer}});
  EXPECT_EQ(sourcesOf(package, &machine()), (Sources{{}, {0}, {1}, {2}}));
}

TEST(LayerGraph, OfDataLoadedByAnotherLayerIsOfWhoWroteThem) {
  package::Package package = packageOf(3);
  add(package, Step::Kind::CallKernel, 0, {}, {ref(0, 8)});
  add(package, {{load(Scope::Inp, 1, 0, 0, 8), 1},
                {load(Scope::Inp, 0, 0, 8, 8), 1}, // constants
                {move(Scope::Inp, 0, Scope::Out, 0), 2},
                {move(Scope::Inp, 1, Scope::Out, 1), 2},
                {isa::Finish{}, noLayer}});
  EXPECT_EQ(sourcesOf(package, &machine()), (Sources{{}, {0}, {0}}));
}

TEST(LayerGraph, OfPartialSumsIsOfThoseThatItReads) {
  package::Package package = packageOf(4);
  isa::Gemm sum, more; // of two products each, in one row of ACC
  sum.loops.back().count = 2, sum.loops.back().inpStride = 1, sum.reduction = 1 << (sum.loops.size() - 1);
  more = sum, more.accumulate = true;
  add(package, {{move(Scope::Inp, 0, Scope::Acc, 0), 1},
                {sum, 2}, // reads its own sums alone
                {more, 3},
                {isa::Finish{}, noLayer}});
  EXPECT_EQ(sourcesOf(package, &machine()), (Sources{{}, {}, {}, {2}}));
}

TEST(LayerGraph, AsDot) {
  package::Package package = packageOf(2);
  package.layers[1].node = "a\"b + c\\d";
  add(package, Step::Kind::CallKernel, 0, {}, {ref(0, 8)});
  add(package, Step::Kind::CallKernel, 1, {ref(0, 8)}, {ref(8, 8)});
  const std::string text = placementDot(package, machine());
  EXPECT_THAT(text, HasSubstr("  0 [label=\"layer0\\ncpu\", fillcolor=9];\n"));
  EXPECT_THAT(text, HasSubstr("  1 [label=\"a\\\"b\\nc\\\\d\\n10 products\\naccelerator\", fillcolor=1];\n"));
  EXPECT_THAT(text, HasSubstr("  0 -> 1;\n}\n"));
}

} // namespace
} // namespace daedalus::report
