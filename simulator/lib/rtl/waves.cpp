// FST is blocks of a byte, the kind, and eight bytes, the size behind the kind with the most significant one
// first. Its writer does not look whether the disk is full.
#include "rtl/waves.h"

#include <array>
#include <fstream>

namespace daedalus::sim::rtl {
namespace {

/// Whether the blocks fill the file.
bool isComplete(const std::string &path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  const uint64_t bytes = in ? static_cast<uint64_t>(in.tellg()) : 0;
  uint64_t at = 0;
  while (at < bytes && in.seekg(static_cast<std::streamoff>(at) + 1)) {
    std::array<char, 8> size{};
    uint64_t value = 0;
    if (!in.read(size.data(), size.size()))
      return false;
    for (char byte : size)
      value = value << 8 | static_cast<uint8_t>(byte);
    if (value < size.size() || value > bytes - at - 1)
      return false;
    at += 1 + value;
  }
  return bytes > 0 && at == bytes;
}

} // namespace

Result<std::unique_ptr<Waves>> Waves::open(Model &model, const std::string &path) {
  std::unique_ptr<Waves> waves(new Waves(model, path));
  auto output = OutputFile::create(path);
  if (!output)
    return error(output.error());
  auto folder = ScratchFolder::create((*output)->folderBeside());
  if (!folder)
    return error(folder.error());
  if (!model.openWaves((*folder)->path + "/waves.fst"))
    return error("cannot write '" + path + "': the writer of waves cannot open its files");
  waves->output = std::move(*output);
  waves->folder = std::move(*folder);
  return waves;
}

Waves::~Waves() {
  (void)close();
}

Result<void> Waves::close() {
  if (!output)
    return {};
  const std::unique_ptr<OutputFile> closed = std::move(output);
  model.closeWaves();
  const std::string file = folder->path + "/waves.fst";
  if (!isComplete(file))
    return error("cannot write '" + path + "': the waves are not complete, which a full disk may cause");
  closed->take(file);
  return closed->commit();
}

} // namespace daedalus::sim::rtl
