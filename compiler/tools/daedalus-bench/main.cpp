// daedalus-bench: how near the compiler and its code come to what machines allow. Of the sources alone: it
// measures the models that the build writes, and kernels against libraries.
#include "Commands.h"

using namespace daedalus::cli;

static void addCommands(CLI::App &app) {
  addBenchModels(app, "convs",
                 "Measure the twelve convolutions of ResNet-18, each alone, against the machine's bound");
  addBenchModels(app, "networks", "Measure whole networks against the machine's bound");
  addBenchCpu(app);
  addBenchGpu(app);
}

int main(int argc, char **argv) {
  CLI::App app("Measures the compiler against the bounds of its machines and against libraries.",
               "daedalus-bench");
  app.footer("Examples:\n"
             "  daedalus-bench convs C5 C8 --machine vta\n"
             "  daedalus-bench networks --json\n"
             "  daedalus-bench cpu --cases matmul-256\n"
             "  daedalus-bench gpu model.onnx\n"
             "\nEach command has its own --help.");
  return runCommand(app, argc, argv, addCommands);
}
