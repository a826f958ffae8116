// What searches found, as an SQLite file: a row a schedule of some kernels on a device, by a version of the
// compiler. What rows are of plans and of schedules: TunedPlans.h and TunedSchedules.h.
#pragma once

#include "daedalus/support/result.h"

#include <memory>
#include <string>
#include <vector>

struct sqlite3;

namespace daedalus::plansearch {

/// Rows of the same section, kernels, device and version stand for each other.
struct TunedRow {
  std::string section;          ///< of a schedule: dae.plan, cpu.schedule, cuda.schedule
  std::string kernels;          ///< their keys
  std::string device;           ///< on which they run: a line "KEY=VALUE" each
  std::string version;          ///< of Daedalus
  std::string schedule;         ///< empty, in what is written: the row is taken out
  double before = 0, after = 0; ///< of what is counted: by the compiler's own schedule, and by this one
  std::string unit;             ///< of these: cycles, seconds, instructions
};

class TuneDatabase {
public:
  /// A file that is there, or a new one; `mustExist`: an error where there is none. Other errors: the file is
  /// no such database, is of another format, or cannot be read or written.
  static Result<TuneDatabase> open(const std::string &path, bool mustExist);
  TuneDatabase(TuneDatabase &&) noexcept = default;
  ~TuneDatabase();

  /// Of a section, those with the least `after` first.
  Result<std::vector<TunedRow>> rows(const std::string &section) const;
  /// Of all sections.
  Result<std::vector<std::string>> sections() const;
  /// Of other versions of Daedalus than this one, the first by name; empty where some row is of this one, or
  /// none is there.
  Result<std::string> otherVersion() const;
  /// All of them or none, in the place of rows that stand for the same. Cycles are replaced by fewer, what is
  /// measured by what is measured later.
  Result<void> write(const std::vector<TunedRow> &rows);

  const std::string &file() const { return path; }

private:
  struct Close {
    void operator()(sqlite3 *file) const;
  };
  TuneDatabase(sqlite3 *file, std::string path) : sqlite(file), path(std::move(path)) {}
  Error failure() const;
  Result<void> checkTables() const;
  bool put(const TunedRow &row);

  std::unique_ptr<sqlite3, Close> sqlite;
  std::string path;
};

constexpr const char *PlanSection = "dae.plan"; ///< of the accelerator
/// The version of this compiler, in rows.
const std::string &ownVersion();

/// Lines in which two devices differ.
size_t differences(const std::string &a, const std::string &b);

} // namespace daedalus::plansearch
