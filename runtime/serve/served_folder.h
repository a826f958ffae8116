// The folder of a server: its socket, and its memory with attributes as those of an u-dma-buf.
#pragma once

#include "daedalus/support/result.h"
#include "daedalus/support/span.h"
#include "daedalus/support/temporaries.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace daedalus::runtime {

/// What it made goes with it.
class ServedFolder {
public:
  /// With `bytes` of zeros at `address` of the accelerator, and without a socket.
  static Result<std::unique_ptr<ServedFolder>> create(const std::string &folder, uint64_t bytes,
                                                      uint64_t address);
  ~ServedFolder();

  /// From here on there is a socket that takes connections.
  Result<void> listen();

  /// Paths of the socket and of the memory.
  std::string registers() const;
  std::string memoryFile() const;
  Span<uint8_t> memory() const { return mapped; }
  int socket() const { return listening; } ///< of listen()

private:
  explicit ServedFolder(const std::string &folder) : folder(folder) {}
  Result<void> makeFolder();
  Result<void> makeMemory(uint64_t bytes);
  Result<void> describeMemory(uint64_t bytes, uint64_t address);
  std::string path(const char *name) const { return folder + "/" + name; }
  void willMake(const char *name);

  const std::string folder;
  std::vector<std::unique_ptr<Temporary>> made;
  Span<uint8_t> mapped;
  int listening = -1;
};

} // namespace daedalus::runtime
