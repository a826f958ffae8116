// See Candidates.h.

#include "Plan/Candidates.h"

#include "Transforms/Transforms.h"

#include "llvm/Support/raw_ostream.h"

namespace daedalus::accelerator {

std::string rankingKey(const Kernel &k) {
  std::string key;
  llvm::raw_string_ostream stream(key);
  const Window &w = k.window;
  for (int64_t size : {w.b, w.h, w.w, w.c, w.oh, w.ow, w.oc, w.kh, w.kw, w.sh, w.sw, w.dh, w.dw, w.pt, w.pl})
    stream << size << ' ';
  stream << k.inputs.size() << ' ' << k.repeatH << ' ' << k.repeatW << ' ' << k.groups << ' ' << k.temporaries
         << ' ' << k.dense << k.blockDiagonal << k.diagonal << ' ' << k.readsRows << k.rowTemporaries;
  stream << " result " << k.resultBytes();
  for (const std::optional<Layout> &l : k.layouts)
    if (l)
      stream << " layout " << l->first << ' ' << l->image << ' ' << l->row << ' ' << l->column << ' '
             << l->channel;
    else
      stream << " plain";
  if (k.combiner)
    stream << " combine " << int(k.combiner->kind) << k.combiner->weighted;
  if (k.weightsInput || k.sumsData)
    stream << " weights" << k.weightsInput << k.sumsData << k.sumsWeights;
  if (!k.excess.empty()) {
    stream << " excess " << k.excessCounts.blocks;
    for (int64_t tiles : k.excessCounts.tiles)
      stream << ' ' << tiles;
  }
  for (const Stage &stage : k.stages)
    stream << " stage " << int(stage.op) << ' ' << int(stage.dst.place) << int(stage.a.place)
           << int(stage.b.place) << int(stage.table.place) << stage.accumulate;
  for (const StageConstant &constant : k.constants)
    stream << (constant.isTable()     ? " table"
               : constant.isRows()    ? " rows"
               : constant.isUniform() ? " uniform"
                                      : " channels");
  return key;
}

const Result<RankedSchedules> &Candidates::of(const Kernel &kernel, const isa::Machine &machine) {
  if (!kernel.parts.empty())
    return of(partOf(kernel, 0), machine);
  const std::string key = rankingKey(kernel);
  auto found = known.find(key);
  if (found == known.end()) {
    ++count;
    found = known.emplace(key, rankSchedules(kernel, machine)).first;
  }
  return found->second;
}

} // namespace daedalus::accelerator
