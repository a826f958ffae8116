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

/// What the folder's dae_memory.c defines.
bool isOfFolder(StringRef symbol) {
  symbol.consume_front("__aeabi_");
  for (StringRef function : {"memcpy", "memmove", "memset", "memclr"})
    if (symbol.consume_front(function))
      return symbol.empty() || symbol == "4" || symbol == "8";
  return false;
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

std::vector<std::string> undefinedSymbols(const ELFObjectFileBase &file) {
  std::set<std::string> names;
  for (const SymbolRef &symbol : file.symbols()) {
    Expected<uint32_t> flags = symbol.getFlags();
    Expected<StringRef> name = symbol.getName();
    if (flags && name && (*flags & SymbolRef::SF_Undefined) && !name->empty() && !isOfFolder(*name))
      names.insert(name->str());
    consumeError(flags.takeError());
    consumeError(name.takeError());
  }
  return {names.begin(), names.end()};
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
  facts.builtins = undefinedSymbols(cast<ELFObjectFileBase>(**file));
  return facts;
}

} // namespace daedalus::firmware
