// See instruction_census.h. A plan leaves traces: a folded input is loaded in runs that overlap;
// block-diagonal weights make GEMM move along input, weights and result in one loop; a kernel that another
// one took into its tiles has no STORE of its own; what is handed over VECTOR writes to INP.

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

/// Of mac in all of its forms.
std::string nameOf(isa::VectorOp op, bool isReducing) {
  return std::string("vector ") + isa::name(op) +
         (isReducing && op != isa::VectorOp::Mac ? ", reducing" : "");
}

class Census {
public:
  explicit Census(const isa::Machine &machine) : n(machine.n) {}

  void count(const LayerCode &code) {
    for (const isa::Vector &vector : code.vectors)
      count(vector);
    for (const isa::Gemm &gemm : code.gemms)
      count(gemm);
    countLoads(code.loads);
    if (code.gemms.empty() && std::none_of(code.vectors.begin(), code.vectors.end(), isWindowed))
      for (const isa::Load &load : code.loads)
        countRead(load);
    countStores(code);
    if (std::any_of(code.vectors.begin(), code.vectors.end(), isHandingOver))
      features.insert("handed over in INP");
    else if (!code.gemms.empty() && code.stores.empty())
      features.insert("joined epilogue");
    if (!code.gemms.empty() && std::any_of(code.vectors.begin(), code.vectors.end(), isOfWeights))
      features.insert("split over GEMM and VECTOR");
  }

  std::set<std::string> features;

private:
  void count(const isa::Vector &vector) {
    features.insert(nameOf(vector.op, isa::isReducing(vector)));
    const bool isShift = vector.op == isa::VectorOp::Shl || vector.op == isa::VectorOp::Shr;
    if (isShift && vector.bScope != isa::Scope::Imm)
      features.insert(nameOf(vector.op, false) + " by rows");
    if (isOfWeights(vector))
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

  static bool isOfWeights(const isa::Vector &vector) {
    return vector.op == isa::VectorOp::Mac && vector.bScope == isa::Scope::Param;
  }

  static bool isHandingOver(const isa::Vector &vector) { return vector.dstScope == isa::Scope::Inp; }

  /// Whether a loop reduces: a sum of terms has none, though it goes on from what was there.
  static bool isWindowed(const isa::Vector &vector) { return vector.reduction != 0; }

  /// How what is read lies in DRAM, for who walks it as it lies in the scratchpad.
  void countRead(const isa::Load &load) {
    if (load.scope != isa::Scope::Inp)
      return;
    std::vector<std::pair<int64_t, int64_t>> walks; // strides in the scratchpad and in DRAM
    if (load.runBytes > 1)
      walks.push_back({1, 1});
    for (const isa::LoadLoop &loop : load.loops)
      if (loop.count > 1)
        walks.push_back({loop.dstStride, loop.dramStride});
    std::sort(walks.begin(), walks.end());
    int64_t last = 0;
    for (const auto &[dst, dram] : walks) {
      if (dram == 0)
        features.insert("read that repeats");
      else if (dram < 0)
        features.insert("read backwards");
      else if (dram < last)
        features.insert("read in another order");
      last = std::max(last, dram);
    }
    if (!walks.empty() && walks[0].first == 1 && walks[0].second > 1 && walks[0].second == last)
      features.insert("read with gaps");
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

std::vector<std::string> instructionFeatures() {
  std::vector<std::string> all{"gemm", "gemm, accumulating", "load with fill"};
  for (unsigned k = 0; k < isa::VectorOpCount; ++k) {
    isa::Vector vector;
    vector.op = static_cast<isa::VectorOp>(k);
    vector.dstScope = isa::Scope::Acc;
    all.push_back(nameOf(vector.op, false));
    vector.reduction = 1;
    if (isa::illegalReason(isa::Instruction(vector)).empty())
      all.push_back(nameOf(vector.op, true));
  }
  for (unsigned k = 0; k < isa::RoundingCount; ++k)
    all.push_back(std::string("requant ") + isa::name(static_cast<isa::Rounding>(k)));
  return all;
}

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
