#include "Tuning/DeviceRun.h"

#include "daedalus/Pipelines/Compile.h"
#include "daedalus/support/file.h"
#include "daedalus/support/temporaries.h"

#include <algorithm>

namespace daedalus::tuning {
namespace {

constexpr const char *smallProgram = R"(
#map = affine_map<(i) -> (i)>
func.func @main(%x: tensor<32xf32>) -> tensor<32xf32> {
  %empty = tensor.empty() : tensor<32xf32>
  %sum = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%x : tensor<32xf32>) outs(%empty : tensor<32xf32>) {
  ^bb0(%x0: f32, %out: f32):
    %y = arith.addf %x0, %x0 : f32
    linalg.yield %y : f32
  } -> tensor<32xf32>
  return %sum : tensor<32xf32>
}
)";

bool hasClock(const std::vector<runtime::LayerCycles> &layers) {
  return std::any_of(layers.begin(), layers.end(),
                     [](const runtime::LayerCycles &layer) { return layer.ticksPerMicrosecond > 0; });
}

} // namespace

Result<void> canRunOn(const std::string &target, const TargetSettings &settings) {
  const auto folder = ScratchFolder::create();
  if (!folder)
    return error(folder.error());
  const std::string path = (*folder)->path + "/small.mlir";
  if (Result<void> written = writeFileAtomically(path, smallProgram); !written)
    return written;
  CompileOptions options;
  options.target = target;
  options.settings = settings;
  Result<Compiled> compiled = compileModel(path, options);
  if (!compiled)
    return error(compiled.error());
  const auto session = runtime::Session::create(std::move(compiled->package), runtime::SessionOptions());
  return session ? Result<void>() : error(session.error());
}

Result<std::vector<runtime::LayerCycles>>
layersOfRuns(runtime::Session &session, const std::vector<runtime::Tensor> &inputs, uint64_t runs) {
  std::vector<runtime::LayerCycles> layers;
  std::vector<std::vector<uint64_t>> ticks;
  for (uint64_t run = 0; run <= runs; ++run) {
    auto result = session.run(size_t(0), inputs);
    if (!result)
      return error(result.error());
    layers = std::move(result->layers);
    if (!hasClock(layers)) // every run has the same ticks
      return layers;
    ticks.resize(layers.size());
    for (size_t i = 0; run && i < layers.size(); ++i) // the first one loads the code
      ticks[i].push_back(layers[i].deviceTicks);
  }
  for (size_t i = 0; i < layers.size(); ++i) {
    std::sort(ticks[i].begin(), ticks[i].end());
    layers[i].deviceTicks = ticks[i][ticks[i].size() / 2];
  }
  return layers;
}

} // namespace daedalus::tuning
