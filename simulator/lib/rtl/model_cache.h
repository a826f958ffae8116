// Where Verilated models lie, and which of them may be loaded: code that runs in this process.
//
// A model is a shared object with a seal behind it, a checksum over all of it: one that is cut short or
// changed is made again instead of ending the process. Models of the user's own machines lie in a cache that
// nobody else can write to. Of processes that make the same model, one does and the others wait.
#pragma once

#include "daedalus/support/result.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace daedalus::sim::rtl {

/// Whether the file is a model as it was sealed. With `mine`, also whether it is a regular file that this
/// user owns and nobody else can write to.
bool isIntact(const std::filesystem::path &model, bool mine);

/// Puts the seal behind the shared object `from`, and moves it to `to`, which appears whole.
Result<void> sealAndMove(const std::filesystem::path &from, const std::filesystem::path &to);

/// The folder OBJECT.build, empty, and this process's alone until the end of this object, which removes it.
/// What a killed process left there or beside is removed too.
class BuildFolder {
public:
  /// Waits while another process has it, after a call of `busy`.
  static Result<std::unique_ptr<BuildFolder>> lock(const std::filesystem::path &object,
                                                   const std::function<void()> &busy);
  ~BuildFolder();
  BuildFolder(const BuildFolder &) = delete;

  const std::filesystem::path path;

private:
  struct Removal;
  BuildFolder(std::filesystem::path path, int descriptor);

  int descriptor;
  std::unique_ptr<Removal> removal;
};

} // namespace daedalus::sim::rtl
