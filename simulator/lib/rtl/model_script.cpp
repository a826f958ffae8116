// Rules of ours instead of the makefile that Verilator writes, which appends -Os.
#include "rtl/model_script.h"

#include "rtl/shell.h"

#include <sstream>

namespace daedalus::sim::rtl {
namespace {

// Assertions stay on; x-values and what stands in registers at first are zero, or random by a seed.
// Without the data-flow graph, which joins the bytes of a vector to one concatenation, with a temporary as
// wide as what is joined so far for each of them: 8 MB of stack for the taps of an array of 64 x 64, and of
// 32 x 32 more than half of the time.
constexpr const char *VerilatorFlags =
    "--cc -O3 -fno-dfg --assert --x-assign unique --x-initial unique -Wno-fatal "
    "--output-split 20000 --top-module daedalus_tb";
constexpr const char *CoverageFlags = " --coverage-line --coverage-toggle -DDAEDALUS_COVERAGE";
constexpr const char *CompilerFlags = "-std=c++17 -O3 -march=native -fPIC -fno-stack-protector "
                                      "-fno-gnu-unique -Werror=frame-larger-than=1000000 "
                                      "-DVL_USER_STOP -DVL_PRINTF=daedalus_rtl_print -DVM_SC=0";

/// Verilator's call: the top finds its modules by their names.
std::string verilate(const std::string &hardware, const BuildOptions &options) {
  const std::string rtl = rtlDirectory(hardware, options);
  std::ostringstream out;
  out << "verilator " << VerilatorFlags << (options.waves ? " --trace-fst" : "")
      << (options.coverage ? CoverageFlags : "") << (options.bugs ? " -DDAEDALUS_BUGS" : "") << " --Mdir . "
      << quoted(hardware + "/lint/waivers.vlt") << " " << quoted(hardware + "/tb/presets.vlt")
      << " daedalus_isa_pkg.sv daedalus_machine_pkg.sv " << quoted(rtl + "/daedalus_pkg.sv")
      << (options.coverage ? " " + quoted(hardware + "/tb/stage_forms_pkg.sv") : "") << " -y " << quoted(rtl)
      << " -y " << quoted(hardware + "/tb") << " " << quoted(hardware + "/tb/daedalus_tb.sv") << "\n";
  return out.str();
}

/// A script for one file of C++, through ccache where there is one.
std::string compileOne(const std::string &compiler, const std::string &hardware,
                       const BuildOptions &options) {
  std::ostringstream out;
  out << "cat > compile.sh <<'END'\nset -e\n$launcher " << compiler << " " << CompilerFlags
      << " -DVM_COVERAGE=" << options.coverage << " -DVM_TRACE=" << options.waves
      << " -DVM_TRACE_FST=" << options.waves << (options.bugs ? " -DDAEDALUS_BUGS" : "") << " -include "
      << quoted(hardware + "/tb/print.h") << " -I. -I" << quoted(hardware + "/tb")
      << " -I\"$include\" -I\"$include/vltstd\" -c \"$1\" -o \"$(basename \"$1\").o\""
      << "\nEND\n";
  return out.str();
}

} // namespace

std::string modelFlags() {
  return std::string(VerilatorFlags) + CoverageFlags + CompilerFlags;
}

std::string rtlDirectory(const std::string &hardware, const BuildOptions &options) {
  return options.rtlDirectory.empty() ? hardware + "/rtl" : options.rtlDirectory;
}

std::string modelScript(const std::string &work, const std::string &hardware, const BuildOptions &options) {
  const std::string compiler = environment("CXX", "g++");
  std::ostringstream out;
  out << "set -e\ncd " << quoted(work)
      << "\nmkdir temporary\nexport TMPDIR=$PWD/temporary CCACHE_TEMPDIR=$PWD/temporary # goes with the "
         "folder\n"
      << "export include=$(verilator --getenv VERILATOR_ROOT)/include\n"
      << "export launcher=$(command -v ccache || true)\n"
      << verilate(hardware, options) << compileOne(compiler, hardware, options)
      << "printf '%s\\n' *.cpp \"$include/verilated.cpp\" \"$include/verilated_threads.cpp\" "
      << (options.waves ? "\"$include/verilated_fst_c.cpp\" " : "")
      << (options.coverage ? "\"$include/verilated_cov.cpp\" " : "") << quoted(hardware + "/tb/model.cpp")
      << " | xargs -P \"$(nproc)\" -I{} sh compile.sh {}\n"
      << compiler << " -shared -pthread -Wl,-Bsymbolic,-z,defs -o model.so *.o"
      << (options.waves ? " -lz" : "") << "\n";
  return out.str();
}

} // namespace daedalus::sim::rtl
