// What the parts of validate() share.
#pragma once

#include "daedalus/package/package.h"

#include <set>
#include <string>

namespace daedalus::package {

constexpr uint64_t mostBytes = uint64_t(1) << 40; // of a space or tensor: sums of two cannot overflow

inline Error invalid(const std::string &what) {
  return error("the package is not valid: " + what);
}

inline std::string number(uint64_t value) {
  return std::to_string(value);
}

/// Whether the type's bytes can be counted; see elementCount.
bool countable(const TensorType &type);

/// Whether two operands share a byte.
inline bool overlap(const Ref &a, const Ref &b) {
  return a.space == b.space && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}

/// The names of one table, each of which is a key: none is empty, none comes twice, and none has a character
/// that would end it early where strings end with a zero.
class Names {
public:
  /// `kind` as in "function", "external function".
  explicit Names(std::string kind) : kind(std::move(kind)) {}

  Result<void> add(const std::string &name) {
    if (name.empty())
      return invalid(kind + " number " + number(names.size()) + " has no name");
    if (name.find('\0') != std::string::npos)
      return invalid(kind + " '" + name.c_str() + "' has a zero character in its name");
    if (!names.insert(name).second)
      return invalid(kind + " '" + name + "' appears twice");
    return {};
  }

private:
  std::string kind;
  std::set<std::string> names;
};

/// Every kernel's symbol and signature, and that there is code where there are kernels.
Result<void> checkKernels(const Package &package);

/// The same of the devices, and their names and memories.
Result<void> checkDevices(const Package &package);

/// A call against the kernel's signature. The operands lie in their spaces.
Result<void> checkCall(const Kernel &kernel, const Step &step, const std::string &where);

} // namespace daedalus::package
