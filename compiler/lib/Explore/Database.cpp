// See Database.h.
#include "Explore/Database.h"

#include "Sqlite/Statement.h"

#include <cstring>
#include <unistd.h>

namespace daedalus::explore {
namespace {

constexpr const char *tables = R"(
CREATE TABLE sweep(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE point(id INTEGER PRIMARY KEY, machine TEXT NOT NULL, skipped TEXT NOT NULL);
CREATE TABLE result(point INTEGER NOT NULL, network INTEGER NOT NULL, cycles INTEGER, bound_cycles INTEGER,
  dram_bytes INTEGER, estimated_pj REAL, host_layers INTEGER, refused TEXT NOT NULL,
  PRIMARY KEY(point, network)) WITHOUT ROWID;
)";

using sqlite::Statement;

} // namespace

/// The statements that write a point, prepared once.
struct Database::Writing {
  explicit Writing(sqlite3 *file)
      : begin(file, "BEGIN"), point(file, "INSERT OR REPLACE INTO point VALUES(?, ?, ?)"),
        row(file, "INSERT OR REPLACE INTO result VALUES(?, ?, ?, ?, ?, ?, ?, ?)"), commit(file, "COMMIT") {}
  Statement begin, point, row, commit;
};

Database::Database(sqlite3 *file, std::string path) : file(file), path(std::move(path)) {}

Database::Database(Database &&other) noexcept
    : file(other.file), path(std::move(other.path)), writing(std::move(other.writing)) {
  other.file = nullptr;
}

Database::~Database() {
  writing.reset();
  sqlite3_close(file);
}

Error Database::failure() const {
  switch (sqlite3_errcode(file)) {
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return error("'" + path + "' is open in another sweep; wait for it, or name another file");
  case SQLITE_NOTADB:
    return notASweep();
  case SQLITE_CANTOPEN:
    return error("cannot open '" + path + "': " + std::strerror(sqlite3_system_errno(file)));
  case SQLITE_READONLY:
    return error("cannot write beside '" + path +
                 "', where SQLite keeps its log; make the folder writable, or name another file");
  case SQLITE_FULL:
  case SQLITE_IOERR:
    return error("cannot write '" + path + "': " + sqlite3_errmsg(file) +
                 "; what is written stays, and --resume continues with it once there is room");
  default:
    return error("'" + path + "': " + sqlite3_errmsg(file));
  }
}

Error Database::notASweep() const {
  return error("'" + path + "' is not the database of a sweep; name another file");
}

Result<void> Database::execute(const std::string &sql) const {
  if (sqlite3_exec(file, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
    return failure();
  return {};
}

/// Without a wait for the disk at each point: a failure of power may lose the last points, and nothing else.
static constexpr const char *settings[] = {"PRAGMA journal_mode=WAL", "PRAGMA synchronous=NORMAL",
                                           "PRAGMA wal_autocheckpoint=16384", "BEGIN EXCLUSIVE"};

Result<Database> Database::open(const std::string &path, const Description &description, bool resumes) {
  const bool isThere = access(path.c_str(), F_OK) == 0;
  if (isThere && !resumes)
    return error("'" + path + "' already exists; continue its sweep with --resume, or name another file");
  if (isThere && access(path.c_str(), W_OK) != 0)
    return error("'" + path + "' is read-only; make it writable, or name another file");
  sqlite3 *file = nullptr;
  const int code = sqlite3_open(path.c_str(), &file);
  Database database(file, path);
  if (code != SQLITE_OK)
    return database.failure();
  if (Result<void> locked = database.execute("PRAGMA locking_mode=EXCLUSIVE"); !locked)
    return error(locked.error());
  if (Result<bool> known = database.isNew(); !known) // before anything of it changes
    return error(known.error());
  for (const char *sql : settings)
    if (Result<void> done = database.execute(sql); !done)
      return error(done.error());
  const Result<bool> isNew = database.isNew();
  if (!isNew)
    return error(isNew.error());
  if (Result<void> same = database.describe(description, *isNew); !same)
    return error(same.error());
  if (Result<void> done = database.execute("COMMIT"); !done)
    return error(done.error());
  return database;
}

/// Without tables. Errors: it has tables, but not those of a sweep.
Result<bool> Database::isNew() const {
  Statement tables(file, "SELECT count(*), total(name IN ('sweep', 'point', 'result')) FROM sqlite_master "
                         "WHERE type = 'table'");
  if (tables.step() != SQLITE_ROW)
    return failure();
  if (tables.number(0) != 0 && tables.number(1) != 3)
    return notASweep();
  return tables.number(0) == 0;
}

Result<void> Database::describe(const Description &description, bool isNew) {
  if (isNew)
    if (Result<void> made = execute(tables); !made)
      return made;
  for (const auto &[name, value] : description) {
    if (isNew) {
      if (Statement(file, "INSERT INTO sweep VALUES(?, ?)").bind(name).bind(value).step() != SQLITE_DONE)
        return failure();
      continue;
    }
    Statement known(file, "SELECT value FROM sweep WHERE name = ?");
    if (known.bind(name).step() != SQLITE_ROW || known.text(0) != value)
      return error("'" + path + "' holds a sweep with another " + name +
                   "; give the same, or name another file");
  }
  return {};
}

Result<void> Database::write(const PointResult &result) {
  if (!writing)
    writing = std::make_unique<Writing>(file);
  if (!writing->begin.run() ||
      !writing->point.bind(result.index).bind(result.machine).bind(result.skipped).run())
    return failure();
  for (uint64_t i = 0; i < result.networks.size(); ++i) {
    const Outcome &outcome = result.networks[i];
    Statement &row = writing->row.bind(result.index).bind(i);
    if (outcome.cost)
      row.bind(outcome.cost->cycles)
          .bind(outcome.cost->boundCycles)
          .bind(outcome.cost->dramBytes)
          .bind(outcome.cost->picojoules)
          .bind(outcome.cost->hostLayers);
    else
      row.bindNothing().bindNothing().bindNothing().bindNothing().bindNothing();
    if (!row.bind(outcome.refused).run())
      return failure();
  }
  return writing->commit.run() ? Result<void>() : failure();
}

Result<std::set<uint64_t>> Database::finished() const {
  std::set<uint64_t> points;
  Statement rows(file, "SELECT id FROM point");
  int code;
  while ((code = rows.step()) == SQLITE_ROW)
    points.insert(rows.number(0));
  return code == SQLITE_DONE ? Result<std::set<uint64_t>>(points) : failure();
}

Result<std::vector<PointResult>> Database::read(size_t networks) const {
  std::vector<PointResult> all;
  Statement points(file, "SELECT id, machine, skipped FROM point ORDER BY id");
  int code;
  while ((code = points.step()) == SQLITE_ROW) {
    PointResult point{points.number(0), points.text(1), points.text(2), {}};
    for (uint64_t i = 0; point.skipped.empty() && i < networks; ++i) {
      Statement row(file, "SELECT cycles, bound_cycles, dram_bytes, estimated_pj, host_layers, refused FROM "
                          "result WHERE point = ? AND network = ?");
      if (row.bind(point.index).bind(i).step() != SQLITE_ROW)
        return failure();
      Outcome outcome{std::nullopt, row.text(5)};
      if (!row.isNothing(0))
        outcome.cost = Cost{row.number(0), row.number(1), row.number(2), row.real(3), row.number(4)};
      point.networks.push_back(std::move(outcome));
    }
    all.push_back(std::move(point));
  }
  return code == SQLITE_DONE ? Result<std::vector<PointResult>>(std::move(all)) : failure();
}

} // namespace daedalus::explore
