// How long the compiler takes for examples/digits, from the file to the package, by target. Figures:
// docs/performance.md.
//
//   build/release/bin/compiler_benchmark --benchmark_repetitions=5
#include "daedalus/Pipelines/Compile.h"

#include <benchmark/benchmark.h>

namespace daedalus::testing {
namespace {

void digits(benchmark::State &state, const char *target) {
  CompileOptions options;
  options.target = target;
  for (auto _ : state) {
    Result<Compiled> compiled = compileModel(DAEDALUS_SOURCE_DIR "/examples/digits/digits.onnx", options);
    if (!compiled)
      state.SkipWithError(compiled.error().c_str());
  }
}

BENCHMARK_CAPTURE(digits, accelerator, "accelerator")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(digits, cpu, "cpu")->Unit(benchmark::kMillisecond);

} // namespace
} // namespace daedalus::testing

BENCHMARK_MAIN();
