// See KernelFacts.h.

#include "KernelFacts.h"

#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

using namespace llvm;
using namespace llvm::object;

namespace daedalus::firmware {
namespace {

/// What dae_math.c defines.
bool isMath(StringRef symbol) {
  for (StringRef function :
       {"ceil", "floor", "fmax", "fmin", "fmod", "rint", "round", "roundeven", "sqrt", "trunc"})
    if (symbol == function || symbol == (function + "f").str())
      return true;
  return false;
}

/// What dae_memory.c defines.
bool isMemory(StringRef symbol) {
  symbol.consume_front("__aeabi_");
  for (StringRef function : {"memcpy", "memmove", "memset", "memclr"})
    if (symbol.consume_front(function))
      return symbol.empty() || symbol == "4" || symbol == "8";
  return false;
}

/// What dae_math.c calls besides, where its compiler has no instructions for shifts of 64 bits.
std::vector<std::string> builtinsOfMath(const ELFObjectFileBase &file) {
  if (file.getArch() == Triple::riscv32)
    return {"__ashldi3", "__ashrdi3", "__lshrdi3"};
  return file.getArch() == Triple::thumb || file.getArch() == Triple::arm
             ? std::vector<std::string>{"__aeabi_lasr", "__aeabi_llsl", "__aeabi_llsr"}
             : std::vector<std::string>();
}

/// The functions of an object, each in a section of its own: what they have on the stack, and whom they call.
class Calls {
public:
  explicit Calls(const ObjectFile &file) : file(file) {
    for (const SectionRef &section : file.sections())
      if (Expected<section_iterator> target = section.getRelocatedSection(); !target)
        consumeError(target.takeError());
      else if (*target != file.section_end())
        addRelocations(section, **target);
  }

  bool isEmpty() const { return stacks.empty(); }

  /// Of the chain of calls that needs the largest stack, with the return address that x86 has there besides.
  uint64_t largestStack() {
    uint64_t largest = 0;
    for (const auto &[function, stack] : stacks)
      largest = std::max(largest, stackFrom(function));
    return largest;
  }

private:
  void addRelocations(const SectionRef &relocations, const SectionRef &target) {
    Expected<StringRef> name = target.getName(), bytes = target.getContents();
    if (name && bytes)
      for (const RelocationRef &relocation : relocations.relocations())
        if (const std::optional<uint64_t> function = sectionOf(relocation)) {
          if (*name == ".stack_sizes")
            stacks[*function] = sizeAt(*bytes, relocation.getOffset() + file.getBytesInAddress());
          else if (target.isText())
            callees[target.getIndex()].insert(*function);
        }
    consumeError(name.takeError());
    consumeError(bytes.takeError());
  }

  /// Where the symbol of a relocation lies; nothing where it is undefined.
  std::optional<uint64_t> sectionOf(const RelocationRef &relocation) const {
    if (relocation.getSymbol() == file.symbol_end())
      return std::nullopt;
    Expected<section_iterator> section = relocation.getSymbol()->getSection();
    if (section && *section != file.section_end())
      return (*section)->getIndex();
    consumeError(section.takeError());
    return std::nullopt;
  }

  static uint64_t sizeAt(StringRef bytes, uint64_t offset) {
    return offset < bytes.size() ? decodeULEB128(bytes.bytes_begin() + offset, nullptr, bytes.bytes_end())
                                 : 0;
  }

  uint64_t stackFrom(uint64_t function) {
    const auto [known, isNew] = chains.try_emplace(function, 0);
    if (!isNew)
      return known->second;
    uint64_t below = 0;
    for (uint64_t callee : callees[function])
      if (callee != function && stacks.count(callee))
        below = std::max(below, stackFrom(callee));
    return chains[function] = stacks[function] + file.getBytesInAddress() + below;
  }

  const ObjectFile &file;
  std::map<uint64_t, uint64_t> stacks, chains; ///< by the sections of functions
  std::map<uint64_t, std::set<uint64_t>> callees;
};

Result<void> addSection(const ELFSectionRef &section, KernelFacts &facts) {
  Expected<StringRef> name = section.getName();
  if (!name)
    return error("the kernels' object cannot be read: " + toString(name.takeError()));
  if (!(section.getFlags() & ELF::SHF_ALLOC))
    return {};
  if (section.getFlags() & ELF::SHF_WRITE)
    return error("the kernels' object has the writable section '" + name->str() +
                 "', which is a mistake of the compiler");
  (section.isText() ? facts.textBytes : facts.constantBytes) += section.getSize();
  return {};
}

void addBuiltins(const ELFObjectFileBase &file, KernelFacts &facts) {
  std::set<std::string> names;
  for (const SymbolRef &symbol : file.symbols()) {
    Expected<uint32_t> flags = symbol.getFlags();
    Expected<StringRef> name = symbol.getName();
    if (flags && name && (*flags & SymbolRef::SF_Undefined) && !name->empty() && !isMemory(*name)) {
      if (isMath(*name))
        facts.needsMath = true;
      else
        names.insert(name->str());
    }
    consumeError(flags.takeError());
    consumeError(name.takeError());
  }
  if (facts.needsMath)
    for (std::string &name : builtinsOfMath(file))
      names.insert(std::move(name));
  facts.builtins = {names.begin(), names.end()};
}

} // namespace

Result<KernelFacts> factsOf(Span<const uint8_t> object) {
  const StringRef bytes(reinterpret_cast<const char *>(object.data()), object.size());
  auto file = ObjectFile::createELFObjectFile(MemoryBufferRef(bytes, "kernels"));
  if (!file)
    return error("the kernels' object cannot be read: " + toString(file.takeError()));
  KernelFacts facts;
  for (const SectionRef &section : (*file)->sections())
    if (Result<void> added = addSection(ELFSectionRef(section), facts); !added)
      return error(added.error());
  Calls calls(**file);
  if (calls.isEmpty())
    return error("the kernels' object does not say what stack its functions need");
  facts.stackBytes = calls.largestStack();
  addBuiltins(cast<ELFObjectFileBase>(**file), facts);
  return facts;
}

} // namespace daedalus::firmware
