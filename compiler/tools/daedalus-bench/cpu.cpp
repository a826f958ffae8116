// daedalus-bench cpu: kernels that the compiler makes for the CPU, and those of libraries, side by side.
#include "Commands.h"
#include "OurKernel.h"
#include "Report/Figures.h"
#include "Row.h"
#include "cli/Choices.h"
#include "cli/Files.h"
#include "cli/Progress.h"
#include "daedalus/Target/Target.h"
#include "daedalus/runtime/session.h"

#include <algorithm>
#include <iostream>
#include <memory>

namespace daedalus::cli {
namespace {

struct Options {
  std::string cases;
  uint64_t repeats = 5, threads = 1;
  std::string peerIsa, levels = "native";
  bool json = false, list = false;
};

std::vector<CpuCase> chosenCases(const Options &options) {
  auto cases = cpuCases(options.cases);
  if (!cases)
    throw Usage{"--cases: " + cases.error()};
  return std::move(*cases);
}

CpuHeader headerOf(const Options &options, const CpuOptions &measured) {
  return {processorName(), static_cast<unsigned>(options.threads), options.repeats,
          describePeers(measured.peers)};
}

void benchCpu(const Options &options) {
  const std::vector<CpuCase> cases = chosenCases(options);
  if (options.list) {
    for (const CpuCase &c : cases)
      std::cout << c.label() << "\n";
    return;
  }
  if (auto known = checkLevels(options.levels); !known)
    throw Usage{known.error()};
  CpuOptions measured;
  measured.timing.repeats = options.repeats;
  measured.peers.threads = static_cast<unsigned>(options.threads);
  measured.peers.isa = options.peerIsa;
  measured.levels = options.levels;
  const CpuHeader header = headerOf(options, measured);
  std::vector<CpuRow> rows;
  {
    Progress progress(cases.size(), "cases");
    for (const CpuCase &c : cases) {
      rows.push_back(measureCase(c, measured));
      progress.done(rows.size());
    }
  }
  options.json ? std::cout << dump(jsonOf(header, rows)) : std::cout << textOf(header, rows);
  if (std::any_of(rows.begin(), rows.end(), [](const CpuRow &row) { return !row.problem.empty(); }))
    throw Negative{};
}

} // namespace

void addBenchCpu(CLI::App &app) {
  auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand(
      fallbackTarget().name(), "Compare kernels of the CPU target with oneDNN, OpenBLAS and memcpy");
  command
      ->add_option("--cases", options->cases,
                   "Measure only the cases with a matching NAME/TYPE, such as conv3x3.*int8")
      ->type_name("REGEX");
  command->add_flag("--list", options->list, "Print the names and types of the cases and measure nothing");
  addNumberOption(*command, "--repeats", options->repeats, 5, 1000,
                  "Batches of at least 20 ms each; the median counts")
      ->type_name("N");
  addNumberOption(*command, "--threads", options->threads, 1, runtime::mostThreads,
                  "Threads, for our kernels and for the peers")
      ->type_name("N");
  command->add_option("--cpu", options->levels, "Instruction set level of our code, as for compile --cpu")
      ->capture_default_str()
      ->type_name("LEVEL");
  command
      ->add_option("--peer-isa", options->peerIsa,
                   "Highest instruction set that the peers may use, by oneDNN's name")
      ->check(oneOf(peerIsas()))
      ->type_name("NAME");
  command->add_flag("--json", options->json, "Print JSON instead of text, one object per case");
  command->footer(
      "The peers are found at run time: Debian's libdnnl2 and libopenblas0. Where both can compute a "
      "product, the faster one counts. A kernel that memory limits is compared with a memcpy of half "
      "of the bytes that the kernel reads and writes, so that both move the same number of bytes. "
      "Weights are constants; like ours, oneDNN's are put into its own order before the measurement. "
      "Conversions between the order of the graph and the order of a kernel are not counted. If a "
      "result differs from the definition or from that of a peer, exits with status 1.\n\n"
      "Examples:\n"
      "  daedalus-bench cpu --cases matmul-256\n"
      "  daedalus-bench cpu --cases int8 --peer-isa avx512_core_vnni --json");
  command->callback([options] { benchCpu(*options); });
}

} // namespace daedalus::cli
