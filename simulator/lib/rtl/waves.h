// The waves of a model, in a folder of their own until all of them are there: the library that writes them
// replaces what their name names, and puts more files beside it.
#pragma once

#include "daedalus/support/file.h"
#include "daedalus/support/temporaries.h"
#include "rtl/model.h"

#include <memory>
#include <string>

namespace daedalus::sim::rtl {

class Waves {
public:
  /// Of a model that outlives this. The error names `path`.
  static Result<std::unique_ptr<Waves>> open(Model &model, const std::string &path);
  ~Waves(); ///< closes them

  /// All of them are in `path` now, or the error says why not.
  Result<void> close();

private:
  Waves(Model &model, const std::string &path) : model(model), path(path) {}

  Model &model;
  const std::string path;
  std::unique_ptr<OutputFile> output; ///< null: closed
  std::unique_ptr<ScratchFolder> folder;
};

} // namespace daedalus::sim::rtl
