// A statement of SQLite with its values.
#pragma once

#include <cstdint>
#include <sqlite3.h>
#include <string>

namespace daedalus::sqlite {

/// It ends with the object. Columns and values are counted from 0 in the order in which SQL names them.
class Statement {
public:
  Statement(sqlite3 *file, const char *sql) { sqlite3_prepare_v2(file, sql, -1, &statement, nullptr); }
  ~Statement() { sqlite3_finalize(statement); }
  Statement(const Statement &) = delete;

  Statement &bind(uint64_t value) {
    sqlite3_bind_int64(statement, ++bound, static_cast<sqlite3_int64>(value));
    return *this;
  }
  Statement &bind(double value) {
    sqlite3_bind_double(statement, ++bound, value);
    return *this;
  }
  Statement &bind(const std::string &text) {
    sqlite3_bind_text(statement, ++bound, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
    return *this;
  }
  Statement &bindNothing() {
    sqlite3_bind_null(statement, ++bound);
    return *this;
  }

  int step() { return statement ? sqlite3_step(statement) : SQLITE_ERROR; }
  /// To its end, and ready for other values; false: an error.
  bool run() {
    const bool isDone = step() == SQLITE_DONE;
    bound = 0;
    return sqlite3_reset(statement) == SQLITE_OK && isDone;
  }
  uint64_t number(int column) const { return static_cast<uint64_t>(sqlite3_column_int64(statement, column)); }
  double real(int column) const { return sqlite3_column_double(statement, column); }
  bool isNothing(int column) const { return sqlite3_column_type(statement, column) == SQLITE_NULL; }
  std::string text(int column) const {
    const auto *text = reinterpret_cast<const char *>(sqlite3_column_text(statement, column));
    return text ? text : "";
  }

private:
  sqlite3_stmt *statement = nullptr;
  int bound = 0;
};

} // namespace daedalus::sqlite
