#include "rtl/model_builder.h"

#include "daedalus/isa/machine_verilog.h"
#include "daedalus/support/cache_folder.h"
#include "daedalus/support/file.h"
#include "daedalus/support/hash.h"
#include "daedalus/support/process.h"
#include "rtl/model.h"
#include "rtl/model_cache.h"
#include "rtl/model_script.h"
#include "rtl/places.h"
#include "rtl/shell.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>
#include <vector>

namespace daedalus::sim::rtl {
namespace fs = std::filesystem;
namespace {

std::string readFile(const fs::path &path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// What -march=native depends on: a cache may be shared by unlike hosts.
std::string instructionSet() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.rfind("flags", 0) == 0 || line.rfind("Features", 0) == 0)
      return line;
  return "";
}

/// The files whose change makes another model, sorted.
std::vector<fs::path> sources(const fs::path &hardware, const BuildOptions &options) {
  std::vector<fs::path> files;
  for (const fs::path &folder :
       {fs::path(rtlDirectory(hardware, options)), hardware / "tb", hardware / "lint"}) {
    std::error_code none;
    for (const auto &entry : fs::directory_iterator(folder, none))
      if (entry.is_regular_file())
        files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string modelName(const isa::Machine &machine, const std::vector<fs::path> &files,
                      const BuildOptions &options) {
  uint64_t hash = fnv1aStart;
  const auto add = [&](const std::string &text) { hash = fnv1a(text, hash); };
  add(isa::systemVerilogPackage(machine));
  add(isa::systemVerilogIsaPackage());
  add(modelFlags());
  add(instructionSet());
  for (const fs::path &file : files)
    add(file.filename().string() + "\n" + readFile(file));
  char name[64];
  std::snprintf(name, sizeof name, "daedalus_rtl_%016" PRIx64 "%s%s%s.so", hash,
                options.waves ? "_waves" : "", options.coverage ? "_coverage" : "",
                options.bugs ? "_bugs" : "");
  return name;
}

bool isInstalled(const std::string &tool) {
  std::stringstream folders(environment("PATH", ""));
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((folder + "/" + tool).c_str(), X_OK) == 0)
      return true;
  return false;
}

/// Makes the model in a folder of its own and moves it to `object`.
Result<void> make(const fs::path &work, const fs::path &object, const fs::path &hardware,
                  const isa::Machine &machine, const BuildOptions &options) {
  const std::pair<const char *, std::string> files[] = {
      {"daedalus_isa_pkg.sv", isa::systemVerilogIsaPackage()},
      {"daedalus_machine_pkg.sv", isa::systemVerilogPackage(machine)},
      {"make.sh", modelScript(work, hardware, options)}};
  for (const auto &[name, text] : files)
    if (Result<void> written = writeFileAtomically((work / name).string(), text); !written)
      return error(written.error() + "; set DAEDALUS_CACHE to a folder that can be written");
  const fs::path log = work / "log.txt", kept = object.string() + ".log";
  const Result<int> status = runProgram({"/bin/sh", (work / "make.sh").string()}, log.string());
  std::error_code none;
  if (status && *status == 0) {
    fs::remove(kept, none);
    return sealAndMove(work / "model.so", object);
  }
  fs::rename(log, kept, none);
  return status ? error("the RTL of machine '" + machine.name + "' could not be compiled; " + kept.string() +
                        " says why")
                : error(status.error());
}

/// As modelFor, for an object that is not there.
Result<void> makeOnce(const fs::path &object, const fs::path &hardware, const isa::Machine &machine,
                      const BuildOptions &options, const Progress &progress) {
  for (const char *tool : {"verilator", "g++"})
    if (!isInstalled(tool))
      return error("the RTL of machine '" + machine.name + "' has to be compiled, and " + tool +
                   " is not installed: install the Debian packages verilator and g++");
  const auto folder = BuildFolder::lock(object, [&] {
    progress("waiting for another process that compiles the RTL of machine '" + machine.name + "'");
  });
  if (!folder)
    return error(folder.error());
  if (isIntact(object, options.directory.empty()))
    return {}; // the other process made it
  progress("compiling the RTL of machine '" + machine.name + "' (once; about a minute)");
  return make((*folder)->path, object, hardware, machine, options);
}

} // namespace

Result<std::string> modelFor(const isa::Machine &machine, const BuildOptions &options,
                             const Progress &progress) {
  const fs::path hardware = hardwareDirectory();
  const std::vector<fs::path> files = sources(hardware, options);
  if (std::error_code none; !fs::exists(hardware / "tb/daedalus_tb.sv", none))
    return error("the hardware's sources are not in '" + hardware.string() +
                 "': set DAEDALUS_HW to the project's folder hw");
  const std::string name = modelName(machine, files, options);
  const fs::path builtin = builtinModels() / name;
  const bool mine = options.directory.empty();
  if (mine && (Model::isLoaded(builtin.string()) || isIntact(builtin, false)))
    return builtin.string();
  const Result<std::string> folder = mine ? cacheFolder("rtl") : fs::absolute(options.directory).string();
  if (!folder)
    return error(folder.error());
  const std::string object = *folder + "/" + name;
  if (Model::isLoaded(object))
    return object;
  if (Result<void> made = mine ? makePrivateFolder(*folder) : Result<void>(); !made)
    return error(made.error());
  if (isIntact(object, mine))
    return object;
  if (Result<void> made = makeOnce(object, hardware, machine, options, progress); !made)
    return error(made.error());
  return object;
}

} // namespace daedalus::sim::rtl
