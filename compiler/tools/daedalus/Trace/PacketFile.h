// A file of Perfetto's packets, written as they come.
#pragma once

#include "daedalus/support/result.h"
#include "trace.pb.h"

#include <fstream>
#include <memory>
#include <string>

namespace daedalus {
class Temporary;
}

namespace daedalus::cli {

class PacketFile {
public:
  /// Beside `path` until it is finished. The error says why it cannot be written.
  static Result<std::unique_ptr<PacketFile>> create(const std::string &path);
  ~PacketFile();

  void add(const trace::TracePacket &packet);
  /// All of it is in `path` now, or nothing.
  Result<void> finish();

private:
  explicit PacketFile(const std::string &path);

  const std::string path, unfinished;
  std::unique_ptr<Temporary> temporary;
  std::ofstream stream;
};

} // namespace daedalus::cli
