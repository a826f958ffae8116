// See instruction_census.h. A plan leaves traces: a folded input is loaded in runs that overlap;
// block-diagonal weights make GEMM move along input, weights and result in one loop; a kernel that another
// one took into its tiles has no STORE of its own.

#include "instruction_census.h"

#include "daedalus/isa/encoding.h"

#include <algorithm>
#include <map>

namespace daedalus::testing {
namespace {

/// The instructions of one layer in one stream.
struct LayerCode {
  std::vector<isa::Load> loads;
  std::vector<isa::Gemm> gemms;
  std::vector<isa::Vector> vectors;
  std::vector<isa::Store> stores;

  void add(const isa::Instruction &instruction) {
    if (auto *load = std::get_if<isa::Load>(&instruction))
      loads.push_back(*load);
    else if (auto *gemm = std::get_if<isa::Gemm>(&instruction))
      gemms.push_back(*gemm);
    else if (auto *vector = std::get_if<isa::Vector>(&instruction))
      vectors.push_back(*vector);
    else if (auto *store = std::get_if<isa::Store>(&instruction))
      stores.push_back(*store);
  }
};

class Census {
public:
  explicit Census(const isa::Machine &machine) : n(machine.n) {}

  void count(const LayerCode &code) {
    for (const isa::Vector &vector : code.vectors)
      count(vector);
    for (const isa::Gemm &gemm : code.gemms)
      count(gemm);
    countLoads(code.loads);
    countStores(code);
    if (!code.gemms.empty() && code.stores.empty())
      features.insert("joined epilogue");
  }

  std::set<std::string> features;

private:
  void count(const isa::Vector &vector) {
    features.insert(std::string("vector ") + isa::name(vector.op) +
                    (isa::isReducing(vector) && vector.op != isa::VectorOp::Mac ? ", reducing" : ""));
    const bool ofWeights = vector.op == isa::VectorOp::Mac && vector.bScope == isa::Scope::Param;
    if (ofWeights)
      features.insert("lanes on VECTOR");
    if (vector.op == isa::VectorOp::Mac && vector.bScope == isa::Scope::Imm)
      features.insert("vector mac of an immediate");
    if (vector.op == isa::VectorOp::Requant)
      features.insert(std::string("requant ") + isa::name(vector.rounding));
  }

  void count(const isa::Gemm &gemm) {
    features.insert(gemm.accumulate ? "gemm, accumulating" : "gemm");
    for (size_t l = 0; l < gemm.loops.size(); ++l) {
      const isa::GemmLoop &loop = gemm.loops[l];
      if (loop.count > 1 && !(gemm.reduction >> l & 1) && loop.inpStride && loop.wgtStride && loop.accStride)
        features.insert("diagonal weights");
    }
  }

  void countLoads(const std::vector<isa::Load> &loads) {
    bool isFolded = false, isWindow = false;
    for (const isa::Load &load : loads) {
      if (load.scope != isa::Scope::Inp)
        continue;
      const isa::LoadLoop &inner = load.loops.back();
      const bool overlaps = inner.count > 1 && inner.dramStride > 0 && load.runBytes > inner.dramStride;
      isFolded |= overlaps;
      isWindow |= overlaps && load.dst % n != 0;
      if (!load.unbounded)
        features.insert("load with fill");
    }
    if (isFolded)
      features.insert(isWindow ? "fold window" : "fold columns");
  }

  void countStores(const LayerCode &code) {
    if (code.stores.size() < 2 || code.gemms.empty())
      return;
    const auto isBefore = [](const isa::Store &a, const isa::Store &b) { return a.offset < b.offset; };
    if (!std::is_sorted(code.stores.begin(), code.stores.end(), isBefore))
      features.insert("order by channels");
    const auto isShorter = [](const isa::Store &a, const isa::Store &b) { return a.runBytes < b.runBytes; };
    if (isShorter(code.stores.front(), *std::max_element(code.stores.begin(), code.stores.end(), isShorter)))
      features.insert("ramp");
  }

  int64_t n;
};

} // namespace

std::set<std::string> featuresOf(const package::Package &package) {
  if (package.programs.empty())
    return {};
  Census census(*isa::loadMachine(package.machineName));
  for (const package::AcceleratorProgram &program : package.programs) {
    std::map<uint32_t, LayerCode> layers;
    const std::vector<isa::Instruction> instructions = *isa::decodeWords(program.words);
    uint32_t last = package::noLayer;
    for (size_t k = 0; k < instructions.size(); ++k) {
      const uint32_t layer = program.layerOfInstruction[k];
      if (layer == package::noLayer)
        continue;
      const bool isBack = layer != last && layers.count(layer);
      if (isBack)
        census.features.insert("interleaved tiles");
      last = layer;
      layers[layer].add(instructions[k]);
    }
    for (const auto &[number, code] : layers)
      census.count(code);
  }
  return census.features;
}

} // namespace daedalus::testing
