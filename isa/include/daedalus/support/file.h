// Output files: a file is written completely or not at all, and never over an input (input_file.h). All that
// this project writes for its users goes through here.
//
// A regular file is made beside its place, under a name that nobody can foresee, and renamed: it keeps the
// rights and the owner of the one that it replaces. Symbolic links stay: what they name is written, whether
// that exists or not. Pipes and character devices are written to directly, and so is what this process has
// open already (/dev/stdout, /dev/fd/N). A folder or a block device is refused.
#pragma once

#include "daedalus/support/result.h"
#include "daedalus/support/span.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace daedalus {

/// A file that is written in pieces. Without commit() its place stays as it was.
class OutputFile {
public:
  /// Errors say `shown` for the path, where it is given.
  static Result<std::unique_ptr<OutputFile>> create(const std::string &path, const std::string &shown = "");
  ~OutputFile();
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;

  /// What fails here is said by commit().
  void write(Span<const uint8_t> bytes);
  /// The content is that of a file in folderBeside(), which goes.
  void take(const std::string &file);
  /// A folder on the file system of the place; empty where there is none, as of a pipe.
  std::string folderBeside() const;

  /// The file is at its place now, or the error says why not.
  Result<void> commit();
  /// All of them, or none: also where a signal ends this process (temporaries.h).
  static Result<void> commitAll(const std::vector<std::unique_ptr<OutputFile>> &files);

private:
  struct State;
  explicit OutputFile(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

/// The whole file at once.
Result<void> writeFileAtomically(const std::string &path, Span<const uint8_t> bytes);
Result<void> writeFileAtomically(const std::string &path, const std::string &text);

struct FileOfFolder {
  std::string name;
  std::vector<uint8_t> bytes;
};

/// Writes all the files or none. A folder that is not there, and those above it, are made with them.
Result<void> writeFolder(const std::string &folder, const std::vector<FileOfFolder> &files);

} // namespace daedalus
