// How hw/rtl cuts the scratchpads into memories.
#include "rtl/rams.h"

#include <cstring>

namespace daedalus::sim::rtl {

using isa::Machine;
using isa::Scope;

namespace {

std::string numbered(const std::string &name, unsigned number) {
  return name + "[" + std::to_string(number) + "]";
}

/// A memory of rows of rowBytes bytes, the first at byte `first` and each next one rowStep bytes behind, of
/// the `bytes` bytes that it shares with other memories.
Ram wholeRows(std::string module, Scope scope, size_t bytes, size_t first, size_t rowBytes, size_t rowStep) {
  return {std::move(module), scope, false, bytes / rowStep, first, rowStep, 1, rowBytes, rowBytes};
}

/// scratchpad.sv: `interleave` memories in a bank, of which memory m holds the rows a with a mod interleave =
/// m, and with `ownReadPorts` one more a bank for all its rows.
void addBanked(std::vector<Ram> &rams, const std::string &module, Scope scope, const Machine &machine,
               unsigned interleave, bool ownReadPorts) {
  const size_t bankBytes = machine.bytes(scope) / machine.banks(scope), rowBytes = machine.rowBytes(scope);
  for (unsigned ram = 0; ram < machine.banks(scope) * interleave; ++ram) {
    const size_t first = ram / interleave * bankBytes + ram % interleave * rowBytes;
    rams.push_back(wholeRows(module + "." + numbered("gen_ram", ram) + ".u_ram", scope, bankBytes, first,
                             rowBytes, interleave * rowBytes));
  }
  for (unsigned bank = 0; ownReadPorts && bank < machine.banks(scope); ++bank) {
    rams.push_back(wholeRows(module + "." + numbered("gen_bank", bank) + ".u_ram", scope, bankBytes,
                             bank * bankBytes, rowBytes, rowBytes));
    rams.back().isCopy = true;
  }
}

/// Calls `each` with the memory's and the scratchpad's offset of every group of bytes.
template <class Each> void forEachGroup(const Ram &ram, size_t memoryBytes, Each each) {
  const size_t rowBytes = memoryBytes / ram.rows; // the model's, in whole words
  for (size_t row = 0; row < ram.rows; ++row)
    for (size_t group = 0; group < ram.groups; ++group)
      each(row * rowBytes + group * ram.groupBytes, ram.first + row * ram.rowStep + group * ram.groupStep);
}

} // namespace

void Ram::read(Span<const uint8_t> memory, Span<uint8_t> scratchpad) const {
  forEachGroup(*this, memory.size(), [&](size_t inMemory, size_t inScratchpad) {
    std::memcpy(scratchpad.data() + inScratchpad, memory.data() + inMemory, groupBytes);
  });
}

void Ram::write(Span<uint8_t> memory, Span<const uint8_t> scratchpad) const {
  forEachGroup(*this, memory.size(), [&](size_t inMemory, size_t inScratchpad) {
    std::memcpy(memory.data() + inMemory, scratchpad.data() + inScratchpad, groupBytes);
  });
}

std::vector<Ram> ramsOf(const Machine &machine) {
  const size_t n = machine.n;
  std::vector<Ram> rams;
  addBanked(rams, "u_inp", Scope::Inp, machine, machine.inpInterleave, true);
  addBanked(rams, "u_acc", Scope::Acc, machine, 1, false);
  for (unsigned lane = 0; lane < n; ++lane) {
    const std::string module = numbered("gen_lane", lane) + ".u_ram";
    rams.push_back(wholeRows("u_wgt." + module, Scope::Wgt, machine.wgtBytes, lane * n, n, n * n));
    rams.push_back(wholeRows("u_lut." + module, Scope::Lut, machine.lutBytes, 0, n, n));
    rams.back().isCopy = lane > 0;
  }
  rams.push_back(wholeRows("u_param.u_narrow", Scope::Param, machine.paramBytes, 0, n, n));
  rams.push_back({"u_param.u_wide", Scope::Param, true, machine.paramBytes / (16 * n), 0, 16 * n, n, 9, 16});
  rams.push_back(wholeRows("u_out", Scope::Out, machine.outBytes, 0, n, n));
  return rams;
}

} // namespace daedalus::sim::rtl
