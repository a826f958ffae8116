// Compiles and runs models, each in a process of its own that was forked from this one, so that a crash is
// one model's. Reads folders from stdin, one a line; a folder holds model.onnx and in_0.npy, in_1.npy, ...
// for the graph's inputs. Leaves out_0.npy, ... and message.txt there, and prints for each: folder, outcome.
//
//   ok            compiled and ran; without inputs, compiled
//   refused       a sentence about the model
//   stopped       compiled; the run ended with a sentence
//   signal N, timeout, exit N
//
// With --import a model is only taken as far as its graph.
#include "daedalus/Pipelines/Compile.h"
#include "daedalus/runtime/npy.h"
#include "daedalus/runtime/session.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <iostream>

namespace daedalus {
namespace {

namespace fs = std::filesystem;

enum Exit { Ok = 0, Refused = 40, Stopped = 41 };

constexpr unsigned seconds = 60;
constexpr rlim_t bytes = rlim_t(6) << 30;

int say(const std::string &message, Exit code) {
  std::cout << message << std::flush;
  return code;
}

int runModel(const fs::path &folder, bool onlyImports) {
  CompileOptions options;
  Result<isa::Machine> machine = isa::loadMachine("default");
  if (!machine)
    return say(machine.error(), Stopped);
  options.machine = *machine;
  if (onlyImports) {
    Result<std::string> graph = emitLevel((folder / "model.onnx").string(), options, "graph");
    return graph ? int(Ok) : say(graph.error(), Refused);
  }
  Result<Compiled> compiled = compileModel((folder / "model.onnx").string(), options);
  if (!compiled)
    return say(compiled.error(), Refused);
  Result<std::unique_ptr<runtime::Session>> session =
      runtime::Session::create(package::writePackage(compiled->package), {});
  if (!session)
    return say(session.error(), Stopped);
  std::vector<runtime::Tensor> inputs;
  for (size_t i = 0; fs::exists(folder / ("in_" + std::to_string(i) + ".npy")); ++i) {
    Result<runtime::Tensor> tensor =
        runtime::readNpy((folder / ("in_" + std::to_string(i) + ".npy")).string());
    if (!tensor)
      return say(tensor.error(), Stopped);
    inputs.push_back(std::move(*tensor));
  }
  if (inputs.empty() && !(*(*session)->function(0))->inputs.empty())
    return Ok;
  Result<runtime::RunResult> result = (*session)->run(0, inputs);
  if (!result)
    return say(result.error(), Stopped);
  for (size_t i = 0; i < result->outputs.size(); ++i)
    if (Result<void> written =
            runtime::writeNpy((folder / ("out_" + std::to_string(i) + ".npy")).string(), result->outputs[i]);
        !written)
      return say(written.error(), Stopped);
  return Ok;
}

/// In the child: what it says goes to a file, and it ends with an exit code.
[[noreturn]] void child(const fs::path &folder, bool onlyImports) {
  const int file = open((folder / "message.txt").c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0644);
  dup2(file, 1);
  dup2(file, 2);
#if !defined(__SANITIZE_ADDRESS__)
  const rlimit memory{bytes, bytes};
  setrlimit(RLIMIT_AS, &memory);
#endif
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  alarm(seconds);
  const int code = runModel(folder, onlyImports);
  std::fflush(nullptr);
  _exit(code);
}

std::string outcome(int status) {
  if (WIFSIGNALED(status))
    return WTERMSIG(status) == SIGALRM ? "timeout" : "signal " + std::to_string(WTERMSIG(status));
  switch (WEXITSTATUS(status)) {
  case Ok:
    return "ok";
  case Refused:
    return "refused";
  case Stopped:
    return "stopped";
  default:
    return "exit " + std::to_string(WEXITSTATUS(status));
  }
}

} // namespace
} // namespace daedalus

int main(int argc, char **argv) {
  const bool onlyImports = argc > 1 && std::string(argv[1]) == "--import";
  for (std::string folder; std::getline(std::cin, folder);) {
    const pid_t process = fork();
    if (process == 0)
      daedalus::child(folder, onlyImports);
    int status = 0;
    if (process < 0 || waitpid(process, &status, 0) < 0)
      return 1;
    std::cout << folder << "\t" << daedalus::outcome(status) << std::endl;
  }
}
