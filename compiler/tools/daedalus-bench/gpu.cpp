// daedalus-bench gpu: what the code of a model for GPUs does, launch by launch.
#include "Commands.h"
#include "GpuCounts.h"
#include "Report/Json.h"
#include "Report/Table.h"
#include "cli/Files.h"

#include "daedalus/Pipelines/Compile.h"
#include "daedalus/Target/CUDA/Settings.h"

#include <iostream>
#include <memory>

namespace daedalus::cli {
namespace {

struct Options {
  std::string model, schedule;
  uint64_t blocks = 4;
  bool json = false;
};

std::vector<LaunchCounts> count(const Options &options) {
  CompileOptions compileOptions;
  compileOptions.target = cuda::Settings::target;
  compileOptions.settings.of<cuda::Settings>().architectures = "emulated";
  compileOptions.schedule = options.schedule;
  const Compiled compiled = orFail(compileModel(options.model, compileOptions));
  Result<std::vector<LaunchCounts>> counts = countLaunches(compiled.package, options.blocks);
  if (!counts)
    throw Failed{"'" + options.model + "': " + counts.error()};
  return std::move(*counts);
}

std::string textOf(const std::vector<LaunchCounts> &launches) {
  report::Table table({"ONNX node", "function", ">blocks", ">counted", ">threads", ">instructions",
                       ">bytes loaded", ">bytes stored", ">sectors", ">shared", ">conflicts",
                       ">tensor instructions"});
  for (const LaunchCounts &launch : launches) {
    const auto &[x, y, z] = launch.launch.block;
    const cuda::EmulationCounts &counts = launch.counts;
    std::vector<std::string> cells = {launch.node.empty() ? "(none)" : launch.node, launch.launch.function};
    for (uint64_t number : {launch.blocks, launch.counted, uint64_t(x) * y * z, counts.instructions,
                            counts.globalBytesLoaded, counts.globalBytesStored, counts.globalSectors,
                            counts.sharedAccesses, counts.bankConflicts, counts.tensorInstructions})
      cells.push_back(report::grouped(number));
    table.row(std::move(cells));
  }
  return table.text();
}

report::Json jsonOf(const std::vector<LaunchCounts> &launches) {
  report::Json all = report::Json::array();
  for (const LaunchCounts &launch : launches) {
    const cuda::EmulationCounts &counts = launch.counts;
    all.push_back({{"node", launch.node},
                   {"function", launch.launch.function},
                   {"grid", launch.launch.grid},
                   {"block", launch.launch.block},
                   {"blocks_counted", launch.counted},
                   {"instructions", counts.instructions},
                   {"global_bytes_loaded", counts.globalBytesLoaded},
                   {"global_bytes_stored", counts.globalBytesStored},
                   {"global_sectors", counts.globalSectors},
                   {"shared_accesses", counts.sharedAccesses},
                   {"bank_conflicts", counts.bankConflicts},
                   {"tensor_instructions", counts.tensorInstructions}});
  }
  return all;
}

} // namespace

void addBenchGpu(CLI::App &app) {
  auto options = std::make_shared<Options>();
  CLI::App *gpu = app.add_subcommand("gpu", "Emulate a model's GPU code and count what each launch does");
  gpu->add_option("model", options->model, "ONNX model or tensor program")
      ->required()
      ->type_name("M.onnx|M.mlir:FILE");
  gpu->add_option("--schedule", options->schedule, "Schedules of the kernels")->type_name("FILE.mlir");
  gpu->add_option("--blocks", options->blocks, "Blocks to run of each launch, 2 or more")
      ->capture_default_str()
      ->type_name("N")
      ->check(CLI::Range(2, 1 << 20));
  gpu->add_flag("--json", options->json, "Print JSON instead of text");
  gpu->footer(
      "Blocks run on the host, one thread after the other: the first block, the last block, and blocks "
      "at equal distances between them. Counts are extrapolated to all blocks, on the assumption that "
      "the others behave like those that ran. `sectors` counts the 32-byte sectors of global memory "
      "that the accesses of warps touch, `shared` the wavefronts of their accesses to shared memory, "
      "and `conflicts` the wavefronts beyond those that the width of an access needs. Inputs are "
      "zeros.\n\n"
      "Examples:\n"
      "  daedalus-bench gpu examples/gpu_matmul/matmul.mlir \\\n"
      "    --schedule examples/gpu_matmul/5_tensor_cores.mlir");
  gpu->callback([options] {
    const std::vector<LaunchCounts> launches = count(*options);
    std::cout << (options->json ? report::dump(jsonOf(launches)) : textOf(launches));
  });
}

} // namespace daedalus::cli
