#include "Report/Trace/PacketFile.h"

namespace daedalus::report {

Result<std::unique_ptr<PacketFile>> PacketFile::create(const std::string &path) {
  Result<std::unique_ptr<OutputFile>> file = OutputFile::create(path);
  if (!file)
    return error(file.error());
  return std::unique_ptr<PacketFile>(new PacketFile(std::move(*file)));
}

/// A packet is field 1 of the trace: its tag, its length, its bytes.
void PacketFile::add(const trace::TracePacket &packet) {
  std::string bytes;
  trace::Trace one;
  *one.add_packet() = packet;
  one.SerializeToString(&bytes);
  file->write({reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()});
}

Result<void> PacketFile::finish() {
  return file->commit();
}

} // namespace daedalus::report
