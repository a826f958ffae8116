// See KernelFacts.h.

#include "KernelFacts.h"

#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <functional>
#include <set>

using namespace llvm;
using namespace llvm::object;

namespace daedalus::firmware {
namespace {

/// The longest chain of calls in a kernel's code: its entry, its body, and a function of loops that were
/// taken out.
constexpr size_t longestChain = 3;

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

/// A section of stack sizes: for each function its address, to be relocated, and a ULEB128.
std::vector<uint64_t> stackSizes(StringRef bytes, unsigned addressBytes) {
  std::vector<uint64_t> sizes;
  const uint8_t *at = bytes.bytes_begin(), *const end = bytes.bytes_end();
  while (end - at > addressBytes) {
    unsigned length = 0;
    const char *problem = nullptr;
    sizes.push_back(decodeULEB128(at + addressBytes, &length, end, &problem));
    if (problem)
      break;
    at += addressBytes + length;
  }
  return sizes;
}

Result<void> addSection(const ELFSectionRef &section, unsigned addressBytes, KernelFacts &facts,
                        std::vector<uint64_t> &stacks) {
  Expected<StringRef> name = section.getName();
  Expected<StringRef> bytes = section.getContents();
  if (!name || !bytes)
    return error("the kernels' object cannot be read: " +
                 toString(joinErrors(name.takeError(), bytes.takeError())));
  if (*name == ".stack_sizes") {
    const std::vector<uint64_t> sizes = stackSizes(*bytes, addressBytes);
    stacks.insert(stacks.end(), sizes.begin(), sizes.end());
  } else if (section.getFlags() & ELF::SHF_ALLOC) {
    if (section.getFlags() & ELF::SHF_WRITE)
      return error("the kernels' object has the writable section '" + name->str() +
                   "', which is a mistake of the compiler");
    (section.isText() ? facts.textBytes : facts.constantBytes) += section.getSize();
  }
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
  std::vector<uint64_t> stacks;
  for (const SectionRef &section : (*file)->sections())
    if (Result<void> added = addSection(ELFSectionRef(section), (*file)->getBytesInAddress(), facts, stacks);
        !added)
      return error(added.error());
  if (stacks.empty())
    return error("the kernels' object does not say what stack its functions need");
  std::sort(stacks.begin(), stacks.end(), std::greater<>());
  stacks.resize(std::min(stacks.size(), longestChain));
  const unsigned returnAddress = (*file)->getBytesInAddress(); // which x86 has on the stack besides
  for (uint64_t stack : stacks)
    facts.stackBytes += stack + returnAddress;
  addBuiltins(cast<ELFObjectFileBase>(**file), facts);
  return facts;
}

} // namespace daedalus::firmware
