#include "rtl/model_builder.h"

#include "daedalus/isa/machine_verilog.h"
#include "rtl/model_script.h"
#include "rtl/shell.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
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
  uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](const std::string &text) {
    for (unsigned char c : text)
      hash = (hash ^ c) * 0x100000001b3;
  };
  add(isa::systemVerilogPackage(machine));
  add(isa::systemVerilogIsaPackage());
  add(modelFlags());
  add(instructionSet());
  for (const fs::path &file : files)
    add(file.filename().string() + "\n" + readFile(file));
  char name[64];
  std::snprintf(name, sizeof name, "daedalus_rtl_%016" PRIx64 "%s%s.so", hash, options.waves ? "_waves" : "",
                options.bugs ? "_bugs" : "");
  return name;
}

std::string cacheDirectory() {
  const std::string home = environment("HOME", "/tmp");
  return environment("DAEDALUS_CACHE", environment("XDG_CACHE_HOME", home + "/.cache") + "/daedalus") +
         "/rtl";
}

bool writeFile(const fs::path &path, const std::string &text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  return static_cast<bool>(out);
}

Result<void> make(const fs::path &object, const fs::path &hardware, const isa::Machine &machine,
                  const BuildOptions &options, const Progress &progress) {
  for (const char *tool : {"verilator", "g++"})
    if (std::system((std::string("command -v ") + tool + " >/dev/null 2>&1").c_str()) != 0)
      return error("the RTL of machine '" + machine.name + "' has to be compiled, and " + tool +
                   " is not installed: install the Debian packages verilator and g++");
  progress("compiling the RTL of machine '" + machine.name + "' (once; about a minute)");
  const fs::path work = object.string() + "." + std::to_string(getpid());
  std::error_code problem;
  fs::create_directories(work, problem);
  if (problem || !writeFile(work / "daedalus_isa_pkg.sv", isa::systemVerilogIsaPackage()) ||
      !writeFile(work / "daedalus_machine_pkg.sv", isa::systemVerilogPackage(machine)) ||
      !writeFile(work / "make.sh", modelScript(work, hardware, object, options)))
    return error("cannot write to '" + work.string() +
                 "': set DAEDALUS_CACHE to a folder that can be written");
  const std::string log = (work / "log.txt").string();
  const std::string command =
      "sh " + quoted((work / "make.sh").string()) + " >" + quoted(log) + " 2>&1 </dev/null";
  if (std::system(command.c_str()) != 0)
    return error("the RTL of machine '" + machine.name + "' could not be compiled; " + log + " says why");
  fs::remove_all(work, problem);
  return {};
}

} // namespace

std::string hardwareDirectory() {
  return environment("DAEDALUS_HW", DAEDALUS_HW_DIRECTORY);
}

Result<std::string> modelFor(const isa::Machine &machine, const BuildOptions &options,
                             const Progress &progress) {
  const fs::path hardware = hardwareDirectory();
  const std::vector<fs::path> files = sources(hardware, options);
  if (!fs::exists(hardware / "tb/daedalus_tb.sv"))
    return error("the hardware's sources are not in '" + hardware.string() +
                 "': set DAEDALUS_HW to the project's folder hw");
  const std::string name = modelName(machine, files, options);
  const fs::path builtin = fs::path(DAEDALUS_RTL_MODELS) / name;
  if (options.directory.empty() && fs::exists(builtin))
    return builtin.string();
  const fs::path object = fs::path(options.directory.empty() ? cacheDirectory() : options.directory) / name;
  static std::mutex oneAtATime; // threads of a process that need the same model wait for the first
  const std::lock_guard<std::mutex> lock(oneAtATime);
  if (fs::exists(object))
    return object.string();
  if (Result<void> made = make(object, hardware, machine, options, progress); !made)
    return error(made.error());
  return object.string();
}

} // namespace daedalus::sim::rtl
