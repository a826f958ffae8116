// See ExternalData.h. The entries of a tensor are ONNX's: location, offset, length, checksum (docs of IR,
// "External Tensor Data").

#include "Load/ExternalData.h"

#include "Values/HostTensor.h"

#include "llvm/ADT/StringExtras.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

namespace daedalus::onnximport {
namespace {

namespace fs = std::filesystem;

/// Where a tensor's bytes lie.
struct Place {
  std::string location;
  uint64_t offset = 0;
  std::optional<uint64_t> length; ///< nothing: as many as the shape says
};

Result<uint64_t> numberOf(const std::string &key, const std::string &text) {
  uint64_t value = 0;
  if (llvm::StringRef(text).getAsInteger(10, value))
    return error("has external data with " + key + " '" + text + "'; expected a number of bytes");
  return value;
}

Result<Place> placeOf(const onnx::TensorProto &tensor) {
  Place place;
  for (const auto &entry : tensor.external_data()) {
    if (entry.key() == "location")
      place.location = entry.value();
    if (entry.key() != "offset" && entry.key() != "length")
      continue;
    const Result<uint64_t> number = numberOf(entry.key(), entry.value());
    if (!number)
      return error(number.error());
    entry.key() == "offset" ? void(place.offset = *number) : void(place.length = *number);
  }
  if (place.location.empty())
    return error("has external data without a location; expected the name of a file beside the model");
  return place;
}

class Reader {
public:
  explicit Reader(const std::string &folder) : folder(folder) {}

  /// Of a tensor; the sentence goes on behind its name.
  Result<void> read(onnx::TensorProto &tensor) {
    if (tensor.data_location() != onnx::TensorProto::EXTERNAL)
      return {};
    const Result<Place> place = placeOf(tensor);
    if (!place)
      return error(place.error());
    const Result<fs::path> path = pathOf(place->location);
    if (!path)
      return error(path.error());
    tensor.clear_external_data();
    tensor.clear_data_location();
    return readInto(*tensor.mutable_raw_data(), *path, *place, tensor);
  }

private:
  /// A file in the model's folder.
  Result<fs::path> pathOf(const std::string &location) const {
    if (folder.empty())
      return error("lies in an external file '" + location +
                   "'; expected its data inside the model, which is not a file");
    std::error_code code;
    const fs::path root = fs::canonical(folder, code), path = fs::canonical(root / location, code);
    if (code)
      return error("lies in file '" + location + "' beside the model: " + code.message() +
                   "; keep that file in the model's folder");
    const auto [end, unused] = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
    if (end != root.end() || fs::path(location).is_absolute() || !fs::is_regular_file(path, code))
      return error("lies in '" + location + "'; expected a file in the model's folder");
    return path;
  }

  static Result<void> readInto(std::string &bytes, const fs::path &path, const Place &place,
                               const onnx::TensorProto &tensor) {
    std::error_code code;
    const uint64_t size = fs::file_size(path, code);
    const std::optional<uint64_t> expected = bytesOf(tensor);
    const uint64_t length = place.length.value_or(expected.value_or(0));
    if (code || place.offset > size || length > size - place.offset)
      return error("lies in file '" + place.location + "' from byte " + std::to_string(place.offset) +
                   " on for " + std::to_string(length) + " bytes; the file has " + std::to_string(size));
    bytes.resize(length);
    std::ifstream file(path, std::ios::binary);
    file.seekg(static_cast<std::streamoff>(place.offset));
    if (!file.read(bytes.data(), static_cast<std::streamsize>(length)))
      return error("lies in file '" + place.location + "', which cannot be read");
    return {};
  }

  const std::string &folder;
};

} // namespace

Result<void> readExternalData(onnx::GraphProto &graph, const std::string &folder) {
  Reader reader(folder);
  for (auto &tensor : *graph.mutable_initializer())
    if (const Result<void> good = reader.read(tensor); !good)
      return error("initializer '" + tensor.name() + "' " + good.error());
  for (auto &node : *graph.mutable_node())
    for (auto &attribute : *node.mutable_attribute())
      if (attribute.has_t())
        if (const Result<void> good = reader.read(*attribute.mutable_t()); !good)
          return error("attribute '" + attribute.name() + "' of node '" + node.name() + "' " + good.error());
  return {};
}

} // namespace daedalus::onnximport
