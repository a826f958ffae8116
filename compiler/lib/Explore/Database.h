// The results of a sweep as an SQLite file. One process has it open at a time; each point is written as a
// whole.
#pragma once

#include "Explore/Evaluate.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

struct sqlite3;

namespace daedalus::explore {

/// What one network costs at a point, or why the compiler refuses it there.
struct Outcome {
  std::optional<Cost> cost;
  std::string refused;
};

struct PointResult {
  uint64_t index = 0;
  std::string machine;           ///< as --machine takes it
  std::string skipped;           ///< why there is no such machine; empty where there is one
  std::vector<Outcome> networks; ///< in the order of the sweep; none where it is skipped
};

class Database {
public:
  /// What a sweep is made of, by name: a file goes on with the same alone.
  using Description = std::map<std::string, std::string>;

  /// A new file, or with `resumes` one that has the same description. Errors: a file that is there already,
  /// is none of these, is open elsewhere or describes another sweep, by the name of what differs.
  static Result<Database> open(const std::string &path, const Description &description, bool resumes);
  Database(Database &&) noexcept;
  ~Database();

  /// Replaces what is there of the point.
  Result<void> write(const PointResult &result);
  Result<std::set<uint64_t>> finished() const;
  /// All points, by their index.
  Result<std::vector<PointResult>> read(size_t networks) const;

private:
  struct Writing;

  Database(sqlite3 *file, std::string path);
  Result<void> execute(const std::string &sql) const;
  Result<void> describe(const Description &description, bool isNew);
  Result<bool> isNew() const;
  Error failure() const;
  Error notASweep() const;

  sqlite3 *file;
  std::string path;
  std::unique_ptr<Writing> writing;
};

} // namespace daedalus::explore
