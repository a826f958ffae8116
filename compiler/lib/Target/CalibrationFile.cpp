// See CalibrationFile.h.

#include "daedalus/Target/CalibrationFile.h"

#include "daedalus/support/input_file.h"

namespace daedalus {

Result<llvm::json::Object> calibrationObject(const std::string &path, const std::string &what,
                                             const std::string &remedy) {
  const auto bytes = readFile(path, input::Calibration);
  if (!bytes)
    return error("there is no calibration of " + what + ": " + bytes.error() + remedy);
  llvm::Expected<llvm::json::Value> value =
      llvm::json::parse(llvm::StringRef(reinterpret_cast<const char *>(bytes->data()), bytes->size()));
  llvm::json::Object *object = value ? value->getAsObject() : nullptr;
  if (object)
    return std::move(*object);
  llvm::consumeError(value.takeError());
  return error("the calibration '" + path + "' is not a JSON object" + remedy);
}

} // namespace daedalus
