// Compiles and runs models, each in a process of its own that was forked from this one, so that a crash is
// one model's. Reads folders from stdin, one a line; a folder holds model.onnx and in_0.npy, in_1.npy, ...
// for the graph's inputs. Leaves out_0.npy, ... and message.txt there, and prints for each: folder, outcome.
//
//   ok            compiled and ran; without inputs, compiled
//   refused       a sentence about the model
//   stopped       compiled; the run ended with a sentence
//   differs       other bytes for the CPU alone, or another package by way of a level's text
//   signal N, timeout, exit N
//
// With --import a model is only taken as far as its graph; with --levels the text of every level is compiled
// too, and the model for machine tiny and for the CPU alone.
#include "daedalus/Pipelines/Compile.h"
#include "daedalus/Target/Accelerator/Settings.h"
#include "daedalus/runtime/npy.h"
#include "daedalus/runtime/session.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace daedalus {
namespace {

namespace fs = std::filesystem;

enum Exit { Ok = 0, Refused = 40, Stopped = 41, Differs = 42 };
enum class Mode { Run, Import, Levels };

constexpr unsigned seconds = 60;
constexpr rlim_t bytes = rlim_t(6) << 30;

int say(const std::string &message, Exit code) {
  std::cout << message << std::flush;
  return code;
}

Result<std::vector<runtime::Tensor>> inputsIn(const fs::path &folder) {
  std::vector<runtime::Tensor> inputs;
  for (size_t i = 0; fs::exists(folder / ("in_" + std::to_string(i) + ".npy")); ++i) {
    Result<runtime::Tensor> tensor =
        runtime::readNpy((folder / ("in_" + std::to_string(i) + ".npy")).string());
    if (!tensor)
      return error(tensor.error());
    inputs.push_back(std::move(*tensor));
  }
  return inputs;
}

/// The outputs; none where the model has inputs and the folder does not.
Result<std::vector<runtime::Tensor>> run(const package::Package &package, const fs::path &folder) {
  auto session = runtime::Session::create(package::writePackage(package), {});
  if (!session)
    return error(session.error());
  Result<std::vector<runtime::Tensor>> inputs = inputsIn(folder);
  if (!inputs)
    return error(inputs.error());
  if (inputs->empty() && !(*(*session)->function(0))->inputs.empty())
    return std::vector<runtime::Tensor>();
  Result<runtime::RunResult> result = (*session)->run(0, *inputs);
  if (!result)
    return error(result.error());
  return std::move(result->outputs);
}

/// Compiles what is printed at each level, in the model's folder.
int checkLevels(const fs::path &folder, const CompileOptions &options, const package::Package &direct) {
  for (const std::string level : {"graph", "linalg", "dae"}) {
    Result<std::string> text = emitLevel((folder / "model.onnx").string(), options, level);
    if (!text)
      return say("level " + level + ": " + text.error(), Differs);
    const std::string path = (folder / (level + ".mlir")).string();
    std::ofstream(path) << *text;
    CompileOptions again = options;
    again.target = level == "dae" ? "auto" : options.target;
    Result<Compiled> compiled = compileModel(path, again);
    if (!compiled)
      return say("from level " + level + ": " + compiled.error(), Differs);
    if (package::writePackage(compiled->package) != package::writePackage(direct))
      return say("from level " + level + " comes another package", Differs);
  }
  return Ok;
}

bool sameBytes(const runtime::Tensor &a, const runtime::Tensor &b) {
  return a.type == b.type && a.data == b.data;
}

/// Runs the model compiled with other options: the same outputs.
int checkOutputs(const fs::path &folder, const Result<Compiled> &compiled, const std::string &what,
                 const std::vector<runtime::Tensor> &outputs) {
  if (!compiled)
    return say("for " + what + ": " + compiled.error(), Differs);
  Result<std::vector<runtime::Tensor>> others = run(compiled->package, folder);
  if (!others)
    return say("for " + what + ": " + others.error(), Differs);
  return std::equal(outputs.begin(), outputs.end(), others->begin(), others->end(), sameBytes)
             ? int(Ok)
             : say("for " + what + " the bytes are others", Differs);
}

/// For a machine of another width and for the CPU alone, and for both targets by way of every level.
int checkTargets(const fs::path &folder, const CompileOptions &options, const package::Package &direct,
                 const std::vector<runtime::Tensor> &outputs) {
  CompileOptions tiny = options, cpu = options;
  tiny.settings.of<accelerator::Settings>().machine = *isa::loadMachine("tiny");
  cpu.target = "cpu";
  if (const int code = checkLevels(folder, options, direct))
    return code;
  const std::string model = (folder / "model.onnx").string();
  if (const int code = checkOutputs(folder, compileModel(model, tiny), "machine tiny", outputs))
    return code;
  const Result<Compiled> forCpu = compileModel(model, cpu);
  if (const int code = checkOutputs(folder, forCpu, "the CPU", outputs))
    return code;
  return checkLevels(folder, cpu, forCpu->package);
}

int runModel(const fs::path &folder, Mode mode) {
  CompileOptions options;
  if (mode == Mode::Import) {
    Result<std::string> graph = emitLevel((folder / "model.onnx").string(), options, "graph");
    return graph ? int(Ok) : say(graph.error(), Refused);
  }
  Result<Compiled> compiled = compileModel((folder / "model.onnx").string(), options);
  if (!compiled)
    return say(compiled.error(), Refused);
  Result<std::vector<runtime::Tensor>> outputs = run(compiled->package, folder);
  if (!outputs)
    return say(outputs.error(), Stopped);
  for (size_t i = 0; i < outputs->size(); ++i)
    if (Result<void> written =
            runtime::writeNpy((folder / ("out_" + std::to_string(i) + ".npy")).string(), (*outputs)[i]);
        !written)
      return say(written.error(), Stopped);
  return mode == Mode::Levels ? checkTargets(folder, options, compiled->package, *outputs) : int(Ok);
}

/// In the child: what it says goes to a file, and it ends with an exit code.
[[noreturn]] void child(const fs::path &folder, Mode mode) {
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
  const int code = runModel(folder, mode);
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
  case Differs:
    return "differs";
  default:
    return "exit " + std::to_string(WEXITSTATUS(status));
  }
}

} // namespace
} // namespace daedalus

int main(int argc, char **argv) {
  const std::string option = argc > 1 ? argv[1] : "";
  const auto mode = option == "--import"   ? daedalus::Mode::Import
                    : option == "--levels" ? daedalus::Mode::Levels
                                           : daedalus::Mode::Run;
  for (std::string folder; std::getline(std::cin, folder);) {
    const pid_t process = fork();
    if (process == 0)
      daedalus::child(folder, mode);
    int status = 0;
    if (process < 0 || waitpid(process, &status, 0) < 0)
      return 1;
    std::cout << folder << "\t" << daedalus::outcome(status) << std::endl;
  }
}
