// See TuneDatabase.h.
#include "PlanSearch/TuneDatabase.h"

#include "Sqlite/Statement.h"

#include <sstream>
#include <unistd.h>

namespace daedalus::plansearch {
namespace {

using sqlite::Statement;

constexpr uint64_t Format = 3; ///< PRAGMA user_version
constexpr const char *Table = R"(
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS tuned(section TEXT NOT NULL, kernels TEXT NOT NULL, device TEXT NOT NULL, version TEXT NOT NULL,
  schedule TEXT NOT NULL, before REAL NOT NULL, after REAL NOT NULL, unit TEXT NOT NULL,
  PRIMARY KEY(section, kernels, device, version)) WITHOUT ROWID;
PRAGMA user_version = 3;
COMMIT;
)";

} // namespace

const std::string &ownVersion() {
  static const std::string version = DAEDALUS_VERSION;
  return version;
}

size_t differences(const std::string &a, const std::string &b) {
  std::istringstream left(a), right(b);
  size_t count = 0;
  for (std::string one, other; std::getline(left, one) && std::getline(right, other);)
    count += one != other;
  return count;
}

void TuneDatabase::Close::operator()(sqlite3 *file) const {
  sqlite3_close(file);
}

TuneDatabase::~TuneDatabase() = default;

Error TuneDatabase::failure() const {
  if (sqlite3_errcode(sqlite.get()) == SQLITE_NOTADB)
    return error("'" + path + "' is not a database of tuned plans; name another file");
  return error("'" + path + "': " + sqlite3_errmsg(sqlite.get()));
}

Result<TuneDatabase> TuneDatabase::open(const std::string &path, bool mustExist) {
  if (mustExist && access(path.c_str(), F_OK) != 0)
    return error("there is no file '" + path + "'; daedalus tune --db makes one");
  sqlite3 *file = nullptr;
  const int code = sqlite3_open(path.c_str(), &file);
  TuneDatabase database(file, path);
  if (code != SQLITE_OK)
    return database.failure();
  sqlite3_busy_timeout(file, 10000); // of others that read and write
  if (Result<void> good = database.checkTables(); !good)
    return error(good.error());
  return database;
}

/// Makes the table in a file that is empty.
Result<void> TuneDatabase::checkTables() const {
  Statement known(sqlite.get(),
                  "SELECT count(*), sum(name = 'tuned'), sum(name = 'stream') FROM sqlite_master "
                  "WHERE type = 'table'");
  if (known.step() != SQLITE_ROW)
    return failure();
  const bool isEmpty = known.number(0) == 0, isFirst = known.number(2) == 1;
  if (!isEmpty && known.number(1) != 1 && !isFirst)
    return error("'" + path + "' is not a database of tuned plans; name another file");
  if (isEmpty && sqlite3_exec(sqlite.get(), Table, nullptr, nullptr, nullptr) != SQLITE_OK)
    return failure();
  Statement format(sqlite.get(), "PRAGMA user_version");
  if (format.step() != SQLITE_ROW)
    return failure();
  if (const uint64_t found = isFirst ? 1 : format.number(0); found != Format)
    return error("'" + path + "' is a database of tuned plans of format " + std::to_string(found) +
                 "; expected format " + std::to_string(Format) +
                 ": name another file, and daedalus tune makes it");
  Statement columns(
      sqlite.get(),
      "SELECT section, kernels, device, version, schedule, before, after, unit FROM tuned LIMIT 1");
  if (const int code = columns.step(); code != SQLITE_ROW && code != SQLITE_DONE)
    return error("'" + path + "' is not a database of tuned plans; name another file");
  return {};
}

Result<std::vector<TunedRow>> TuneDatabase::rows(const std::string &section) const {
  std::vector<TunedRow> all;
  Statement rows(sqlite.get(),
                 "SELECT kernels, device, version, schedule, before, after, unit FROM tuned WHERE "
                 "section = ? ORDER BY after, kernels, device, version");
  rows.bind(section);
  int code;
  while ((code = rows.step()) == SQLITE_ROW)
    all.push_back({section, rows.text(0), rows.text(1), rows.text(2), rows.text(3), rows.real(4),
                   rows.real(5), rows.text(6)});
  if (code != SQLITE_DONE)
    return failure();
  return all;
}

Result<std::vector<std::string>> TuneDatabase::sections() const {
  std::vector<std::string> all;
  Statement rows(sqlite.get(), "SELECT DISTINCT section FROM tuned ORDER BY section");
  int code;
  while ((code = rows.step()) == SQLITE_ROW)
    all.push_back(rows.text(0));
  if (code != SQLITE_DONE)
    return failure();
  return all;
}

Result<std::string> TuneDatabase::otherVersion() const {
  Statement versions(sqlite.get(), "SELECT min(version), sum(version = ?) FROM tuned");
  versions.bind(ownVersion());
  if (versions.step() != SQLITE_ROW)
    return failure();
  return versions.number(1) == 0 ? versions.text(0) : std::string();
}

bool TuneDatabase::put(const TunedRow &row) {
  if (row.schedule.empty()) {
    Statement gone(sqlite.get(),
                   "DELETE FROM tuned WHERE section = ? AND kernels = ? AND device = ? AND version = ?");
    gone.bind(row.section).bind(row.kernels).bind(row.device).bind(row.version);
    return gone.step() == SQLITE_DONE;
  }
  Statement put(
      sqlite.get(),
      "INSERT INTO tuned VALUES(?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(section, kernels, device, version) "
      "DO UPDATE SET schedule = excluded.schedule, before = excluded.before, after = excluded.after, "
      "unit = excluded.unit WHERE excluded.unit <> 'cycles' OR excluded.after < tuned.after");
  put.bind(row.section).bind(row.kernels).bind(row.device).bind(row.version).bind(row.schedule);
  put.bind(row.before).bind(row.after).bind(row.unit);
  return put.step() == SQLITE_DONE;
}

Result<void> TuneDatabase::write(const std::vector<TunedRow> &rows) {
  const auto run = [&](const char *sql) {
    return sqlite3_exec(sqlite.get(), sql, nullptr, nullptr, nullptr) == SQLITE_OK;
  };
  if (!run("BEGIN IMMEDIATE"))
    return failure();
  for (const TunedRow &row : rows)
    if (!put(row)) {
      const Error why = failure();
      run("ROLLBACK");
      return why;
    }
  return run("COMMIT") ? Result<void>() : failure();
}

} // namespace daedalus::plansearch
