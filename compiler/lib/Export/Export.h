// Firmware: a compiled model as a folder of C that a cross compiler builds without a library
// (docs/export.md).

#ifndef DAEDALUS_LIB_EXPORT_EXPORT_H
#define DAEDALUS_LIB_EXPORT_EXPORT_H

#include "daedalus/Import/ONNX/Describe.h"
#include "daedalus/package/package.h"
#include "daedalus/support/file.h"
#include "daedalus/support/result.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace daedalus::firmware {

/// The processors that firmware is compiled for, by the names of --cpu.
std::vector<std::string> processorNames();

/// "Digits-2.onnx": "digits_2", what a C identifier can be made of; "model" where nothing is left.
std::string identifierOf(const std::string &text);
/// Whether it may begin all names of a model: a C identifier in lower case, without "__", that no file of the
/// folder uses. The error says what is wrong.
Result<void> checkName(const std::string &name);

struct Options {
  std::string name;                               ///< which checkName took
  std::string processor;                          ///< one of processorNames()
  std::string source;                             ///< the model's file, for the text of the folder
  std::optional<uint64_t> arenaLimit, flashLimit; ///< bytes
  std::map<std::string, OnnxScale> inputScales, outputScales; ///< by names
};

/// What an export is, for who prints it.
struct Summary {
  uint64_t arenaBytes = 0, leastArenaBytes = 0; ///< the second: no order of these steps needs fewer
  uint64_t blobBytes = 0, kernelBytes = 0;      ///< the second: code and constants of the kernels' object
  uint64_t stackBytes = 0;
  std::vector<std::string> builtins; ///< of the compiler, that the kernels call
};

struct Folder {
  std::vector<FileOfFolder> files;
  Summary summary;
};

/// Whether the package can become firmware: it calls nothing that lies outside of it, and its kernels, if it
/// has any, were compiled for firmware.
Result<void> checkExportable(const package::Package &package);

/// The files of a package that checkExportable took. Errors: a limit is exceeded.
Result<Folder> exportPackage(const package::Package &package, const Options &options);

} // namespace daedalus::firmware

#endif
