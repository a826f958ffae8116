// Plans that searches found, as an SQLite file: by the kernels that they are for, the machine with its
// memory, and the version of the compiler.
#pragma once

#include "daedalus/Target/Accelerator/Tuned.h"
#include "daedalus/isa/machine.h"

#include <memory>

struct sqlite3;

namespace daedalus::plansearch {

class TuneDatabase {
public:
  /// A file that is there, or a new one; `mustExist`: an error where there is none. Other errors: the file is
  /// no such database, or cannot be read or written.
  static Result<TuneDatabase> open(const std::string &path, bool mustExist);
  TuneDatabase(TuneDatabase &&) noexcept = default;
  ~TuneDatabase();

  /// Plans for this machine and this compiler: whole streams, and their groups, the fewest cycles first.
  Result<accelerator::Tuned> read(const isa::Machine &machine) const;
  /// Streams of the same kernels on other machines, those with the fewest changed keys first.
  Result<accelerator::Tuned> readNear(const isa::Machine &machine) const;
  /// Keeps a stream where it takes fewer cycles than what is there for the same kernels; whether it does.
  Result<bool> write(const isa::Machine &machine, const accelerator::TunedStream &stream,
                     uint64_t plannedCycles, uint64_t tunedCycles);

private:
  struct Close {
    void operator()(sqlite3 *file) const;
  };
  TuneDatabase(sqlite3 *file, std::string path) : file(file), path(std::move(path)) {}
  Error failure() const;
  std::string isNone() const;

  std::unique_ptr<sqlite3, Close> file;
  std::string path;
};

} // namespace daedalus::plansearch
