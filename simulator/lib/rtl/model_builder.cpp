// verilator makes C++ of the RTL, the compiler a shared object of that; both by make's rules of ours, since
// Verilator's own append -Os.
#include "rtl/model_builder.h"

#include "daedalus/isa/machine_verilog.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>
#include <vector>

namespace daedalus::sim::rtl {
namespace fs = std::filesystem;
namespace {

// Assertions stay on; x-values are zero, as in the other engines.
constexpr const char *VerilatorFlags = "--cc -O3 --assert --x-assign fast --x-initial fast -Wno-fatal "
                                       "--output-split 20000 --top-module daedalus_tb";
constexpr const char *CompilerFlags = "-std=c++17 -O3 -march=native -fPIC -fno-stack-protector -fno-gnu-unique -DVL_USER_STOP -DVL_PRINTF=daedalus_rtl_print "
                                      ""
                                      "-DVM_COVERAGE=0 -DVM_SC=0";

std::string environment(const char *name, const std::string &otherwise) {
  const char *value = std::getenv(name);
  return value && *value ? value : otherwise;
}

std::string readFile(const fs::path &path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string quoted(const std::string &path) {
  std::string text = "'";
  for (char c : path)
    text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

/// The files whose change makes another model, sorted.
std::vector<fs::path> sources(const fs::path &hardware, const BuildOptions &options) {
  std::vector<fs::path> files;
  const fs::path rtl = options.rtlDirectory.empty() ? hardware / "rtl" : fs::path(options.rtlDirectory);
  for (const fs::path &folder : {rtl, hardware / "tb", hardware / "lint"}) {
    std::error_code none;
    for (const auto &entry : fs::directory_iterator(folder, none))
      if (entry.is_regular_file())
        files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string modelName(const isa::Machine &machine, const std::vector<fs::path> &files, const BuildOptions &options) {
  uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](const std::string &text) {
    for (unsigned char c : text)
      hash = (hash ^ c) * 0x100000001b3;
  };
  add(isa::systemVerilogPackage(machine));
  add(isa::systemVerilogIsaPackage());
  add(VerilatorFlags);
  add(CompilerFlags);
  for (const fs::path &file : files)
    add(file.filename().string() + "\n" + readFile(file));
  char name[64];
  std::snprintf(name, sizeof name, "daedalus_rtl_%016" PRIx64 "%s%s.so", hash, options.waves ? "_waves" : "",
                options.bugs ? "_bugs" : "");
  return name;
}

std::string cacheDirectory() {
  const std::string home = environment("HOME", "/tmp");
  return environment("DAEDALUS_CACHE", environment("XDG_CACHE_HOME", home + "/.cache") + "/daedalus") + "/rtl";
}

bool writeFile(const fs::path &path, const std::string &text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  return static_cast<bool>(out);
}

/// The commands that make `object` in `work`.
std::string script(const fs::path &work, const fs::path &hardware, const fs::path &object,
                   const BuildOptions &options) {
  const std::string rtl = options.rtlDirectory.empty() ? (hardware / "rtl").string() : options.rtlDirectory;
  const std::string compiler = environment("CXX", "g++");
  std::ostringstream out;
  out << "set -e\ncd " << quoted(work.string()) << "\ninclude=$(verilator --getenv VERILATOR_ROOT)/include\n"
      << "verilator " << VerilatorFlags << (options.waves ? " --trace-fst" : "")
      << (options.bugs ? " -DDAEDALUS_BUGS" : "") << " --Mdir . " << quoted((hardware / "lint/waivers.vlt").string())
      << " daedalus_isa_pkg.sv daedalus_machine_pkg.sv " << quoted(rtl + "/daedalus_pkg.sv") << " -y "
      << quoted(rtl) << " " << quoted((hardware / "tb/daedalus_tb.sv").string()) << "\n"
      << "launcher=$(command -v ccache || true)\n"
      << "cat > compile.sh <<'END'\nset -e\n$launcher " << compiler << " " << CompilerFlags
      << " -DVM_TRACE=" << options.waves << " -DVM_TRACE_FST=" << options.waves
      << (options.bugs ? " -DDAEDALUS_BUGS" : "") << " -include " << quoted((hardware / "tb/print.h").string()) << " -I. -I" << quoted((hardware / "tb").string())
      << " -I\"$include\" -I\"$include/vltstd\" -c \"$1\" -o \"$(basename \"$1\").o\"\nEND\n"
      << "export launcher include\n"
      << "printf '%s\\n' *.cpp \"$include/verilated.cpp\" \"$include/verilated_threads.cpp\" " << (options.waves ? "\"$include/verilated_fst_c.cpp\" " : "")
      << quoted((hardware / "tb/model.cpp").string()) << " | xargs -P \"$(nproc)\" -I{} sh compile.sh {}\n"
      << compiler << " -shared -pthread -Wl,-Bsymbolic,-z,defs -o model.so *.o" << (options.waves ? " -lz" : "") << "\n"
      << "mv model.so " << quoted(object.string()) << "\n";
  return out.str();
}

Result<void> make(const fs::path &object, const fs::path &hardware, const isa::Machine &machine,
                  const BuildOptions &options) {
  for (const char *tool : {"verilator", "g++"})
    if (std::system((std::string("command -v ") + tool + " >/dev/null 2>&1").c_str()) != 0)
      return error("the RTL of machine '" + machine.name + "' has to be compiled, and " + tool +
                   " is not installed: install the Debian packages verilator and g++");
  const fs::path work = object.string() + "." + std::to_string(getpid());
  std::error_code problem;
  fs::create_directories(work, problem);
  if (problem || !writeFile(work / "daedalus_isa_pkg.sv", isa::systemVerilogIsaPackage()) ||
      !writeFile(work / "daedalus_machine_pkg.sv", isa::systemVerilogPackage(machine)) ||
      !writeFile(work / "make.sh", script(work, hardware, object, options)))
    return error("cannot write to '" + work.string() + "': set DAEDALUS_CACHE to a folder that can be written");
  const std::string log = (work / "log.txt").string();
  const std::string command = "sh " + quoted((work / "make.sh").string()) + " >" + quoted(log) + " 2>&1 </dev/null";
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
                             const std::function<void(const std::string &)> &progress) {
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
  if (fs::exists(object))
    return object.string();
  progress("compiling the RTL of machine '" + machine.name + "' (once; about a minute)");
  if (Result<void> made = make(object, hardware, machine, options); !made)
    return error(made.error());
  return object.string();
}

} // namespace daedalus::sim::rtl
