// See TuneDatabase.h.
#include "PlanSearch/TuneDatabase.h"

#include "Sqlite/Statement.h"
#include "daedalus/isa/dram.h"

#include <algorithm>
#include <sstream>
#include <unistd.h>

namespace daedalus::plansearch {
namespace {

using accelerator::Tuned;
using accelerator::TunedGroup;
using accelerator::TunedStream;
using sqlite::Statement;

constexpr const char *table = R"(
CREATE TABLE stream(kernels TEXT NOT NULL, machine TEXT NOT NULL, version TEXT NOT NULL,
  plan TEXT NOT NULL, planned_cycles INTEGER NOT NULL, tuned_cycles INTEGER NOT NULL,
  PRIMARY KEY(kernels, machine, version)) WITHOUT ROWID;
)";

/// All keys, memory and clock too, a line each: what cycles depend on, and near machines are compared by.
std::string textOf(const isa::Machine &machine) {
  std::string text;
  for (const auto &[key, value] : isa::numbersOf(machine))
    text += key + "=" + std::to_string(value) + "\n";
  return text;
}

std::string planText(const TunedStream &stream) {
  std::string text;
  for (const TunedGroup &group : stream)
    text += accelerator::textOf(group) + "\n";
  return text;
}

Result<TunedStream> streamOf(const std::string &text) {
  TunedStream stream;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find("\n\n", begin), text.size());
    Result<TunedGroup> group = accelerator::tunedGroup(text.substr(begin, end - begin));
    if (!group)
      return error(group.error());
    stream.push_back(std::move(*group));
    begin = end + 2;
  }
  return stream;
}

std::string kernelsOf(const TunedStream &stream) {
  std::string text;
  for (const TunedGroup &group : stream)
    for (const std::string &kernel : group.kernels)
      text += kernel + " ";
  return text;
}

/// Lines in which two texts differ.
size_t differences(const std::string &a, const std::string &b) {
  std::istringstream left(a), right(b);
  size_t count = 0;
  for (std::string one, other; std::getline(left, one) && std::getline(right, other);)
    count += one != other;
  return count;
}

void addGroups(Tuned &tuned) {
  for (const TunedStream &stream : tuned.streams)
    for (const TunedGroup &group : stream)
      if (std::find(tuned.groups.begin(), tuned.groups.end(), group) == tuned.groups.end())
        tuned.groups.push_back(group);
  std::stable_sort(tuned.groups.begin(), tuned.groups.end(), [](const TunedGroup &a, const TunedGroup &b) {
    return a.kernels.size() > b.kernels.size();
  });
}

} // namespace

void TuneDatabase::Close::operator()(sqlite3 *file) const {
  sqlite3_close(file);
}

TuneDatabase::~TuneDatabase() = default;

std::string TuneDatabase::isNone() const {
  return "'" + path + "' is not a database of tuned plans; name another file";
}

Error TuneDatabase::failure() const {
  if (sqlite3_errcode(file.get()) == SQLITE_NOTADB)
    return error(isNone());
  return error("'" + path + "': " + sqlite3_errmsg(file.get()));
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
  Statement known(file, "SELECT count(*), sum(name = 'stream') FROM sqlite_master WHERE type = 'table'");
  if (known.step() != SQLITE_ROW)
    return database.failure();
  if (known.number(0) > 0 && known.number(1) != 1)
    return error(database.isNone());
  if (known.number(0) == 0 && sqlite3_exec(file, table, nullptr, nullptr, nullptr) != SQLITE_OK)
    return database.failure();
  Statement columns(
      file, "SELECT kernels, machine, version, plan, planned_cycles, tuned_cycles FROM stream LIMIT 1");
  if (const int found = columns.step(); found != SQLITE_ROW && found != SQLITE_DONE)
    return error(database.isNone());
  return database;
}

Result<Tuned> TuneDatabase::read(const isa::Machine &machine) const {
  Tuned tuned;
  Statement rows(file.get(),
                 "SELECT plan FROM stream WHERE machine = ? AND version = ? ORDER BY tuned_cycles, kernels");
  rows.bind(textOf(machine)).bind(std::string(DAEDALUS_VERSION));
  int code;
  while ((code = rows.step()) == SQLITE_ROW) {
    Result<TunedStream> stream = streamOf(rows.text(0));
    if (!stream)
      return error("'" + path + "': " + stream.error());
    tuned.streams.push_back(std::move(*stream));
  }
  if (code != SQLITE_DONE)
    return failure();
  addGroups(tuned);
  return tuned;
}

Result<Tuned> TuneDatabase::readNear(const isa::Machine &machine) const {
  const std::string own = textOf(machine);
  std::vector<std::pair<size_t, TunedStream>> near;
  Statement rows(file.get(), "SELECT plan, machine FROM stream WHERE machine <> ? ORDER BY kernels, machine");
  rows.bind(own);
  int code;
  while ((code = rows.step()) == SQLITE_ROW)
    if (Result<TunedStream> stream = streamOf(rows.text(0)))
      near.emplace_back(differences(own, rows.text(1)), std::move(*stream));
  if (code != SQLITE_DONE)
    return failure();
  std::stable_sort(near.begin(), near.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
  Tuned tuned;
  for (auto &[distance, stream] : near)
    tuned.streams.push_back(std::move(stream));
  return tuned;
}

Result<bool> TuneDatabase::write(const isa::Machine &machine, const TunedStream &stream,
                                 uint64_t plannedCycles, uint64_t tunedCycles) {
  Statement row(file.get(),
                "INSERT INTO stream VALUES(?, ?, ?, ?, ?, ?) ON CONFLICT(kernels, machine, version) DO "
                "UPDATE SET plan = excluded.plan, planned_cycles = excluded.planned_cycles, tuned_cycles = "
                "excluded.tuned_cycles WHERE excluded.tuned_cycles < stream.tuned_cycles");
  row.bind(kernelsOf(stream))
      .bind(textOf(machine))
      .bind(std::string(DAEDALUS_VERSION))
      .bind(planText(stream));
  row.bind(plannedCycles).bind(tunedCycles);
  if (row.step() != SQLITE_DONE)
    return failure();
  return sqlite3_changes(file.get()) > 0;
}

} // namespace daedalus::plansearch
