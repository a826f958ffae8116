// Calibrations of targets on disk: JSON objects, which users may have changed.

#ifndef DAEDALUS_TARGET_CALIBRATIONFILE_H
#define DAEDALUS_TARGET_CALIBRATIONFILE_H

#include "daedalus/support/result.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/JSON.h"

#include <string>

namespace daedalus {

/// The object in a file. The error says that there is no calibration of `what` ("the CPU"), or that it is
/// none, and `remedy`.
Result<llvm::json::Object> calibrationObject(const std::string &path, const std::string &what,
                                             const std::string &remedy);

/// What `parse` makes of it. Its error, such as "lacks the number 'copy_ns'", stands behind the file's name.
template <class T>
Result<T> readCalibrationFile(const std::string &path, const std::string &what, const std::string &remedy,
                              llvm::function_ref<Result<T>(const llvm::json::Object &)> parse) {
  const Result<llvm::json::Object> object = calibrationObject(path, what, remedy);
  if (!object)
    return error(object.error());
  Result<T> read = parse(*object);
  return read ? std::move(read) : error("the calibration '" + path + "' " + read.error() + remedy);
}

} // namespace daedalus

#endif
