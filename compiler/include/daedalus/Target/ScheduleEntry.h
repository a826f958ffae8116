// The decisions about a kernel, as text.

#ifndef DAEDALUS_TARGET_SCHEDULEENTRY_H
#define DAEDALUS_TARGET_SCHEDULEENTRY_H

#include <string>

namespace daedalus {

/// One entry of a schedule (Schedule.h).
struct ScheduleEntry {
  std::string key;          ///< what kernels have in common that an entry is for
  std::string text;         ///< in a file
  std::string section = ""; ///< of the file; left out in what a dialect gives

  bool operator==(const ScheduleEntry &other) const {
    return key == other.key && text == other.text && section == other.section;
  }
};

} // namespace daedalus

#endif
