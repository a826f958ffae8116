#include "Trace/PacketFile.h"

#include "daedalus/support/temporaries.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace daedalus::cli {

PacketFile::PacketFile(const std::string &path)
    : path(path), unfinished(path + "." + std::to_string(getpid()) + ".part"),
      temporary(std::make_unique<Temporary>(unfinished)), stream(unfinished, std::ios::binary) {}

PacketFile::~PacketFile() = default;

Result<std::unique_ptr<PacketFile>> PacketFile::create(const std::string &path) {
  errno = 0;
  std::unique_ptr<PacketFile> file(new PacketFile(path));
  if (!file->stream)
    return error("cannot write '" + path + "': " + std::strerror(errno));
  return file;
}

/// A packet is field 1 of the trace: its tag, its length, its bytes.
void PacketFile::add(const trace::TracePacket &packet) {
  std::string bytes;
  trace::Trace one;
  *one.add_packet() = packet;
  one.SerializeToString(&bytes);
  stream << bytes;
}

Result<void> PacketFile::finish() {
  stream.close();
  if (!stream || std::rename(unfinished.c_str(), path.c_str()) != 0)
    return error("cannot write '" + path + "': " + std::strerror(errno ? errno : EIO));
  temporary->keep();
  return {};
}

} // namespace daedalus::cli
