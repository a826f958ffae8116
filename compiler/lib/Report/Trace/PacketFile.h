// A file of Perfetto's packets, written as they come.
#pragma once

#include "daedalus/support/file.h"
#include "trace.pb.h"

#include <memory>
#include <string>

namespace daedalus::report {

class PacketFile {
public:
  /// The error says why it cannot be written.
  static Result<std::unique_ptr<PacketFile>> create(const std::string &path);

  void add(const trace::TracePacket &packet);
  /// All of it is in the file now, or nothing.
  Result<void> finish();

private:
  explicit PacketFile(std::unique_ptr<OutputFile> file) : file(std::move(file)) {}

  const std::unique_ptr<OutputFile> file;
};

} // namespace daedalus::report
