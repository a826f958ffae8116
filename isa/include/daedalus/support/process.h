// Other programs, and copies of this one, run and waited for.
#pragma once

#include "daedalus/support/result.h"

#include <functional>
#include <string>
#include <vector>

namespace daedalus {

/// Runs a program by its path, with nothing on stdin and what it prints in the file `output`, and waits for
/// it. Gives its exit status, 128 + n where signal n ended it. It and all that it starts end with this
/// process when a signal ends that (temporaries.h).
Result<int> runProgram(const std::vector<std::string> &arguments, const std::string &output);

/// What came of work in a copy of this process.
struct CopyOutcome {
  int status = 0;   ///< 0: the work was done; otherwise that of the copy, 128 + n where signal n ended it
  std::string text; ///< that the work gave

  /// "signal 11" or "status 1".
  std::string ending() const;
};

/// Runs `work` in a copy of this process and waits for it. For what other people's code does with a user's
/// input: what happens to the memory of the copy happens to nobody else. It prints errors or nothing.
Result<CopyOutcome> runInCopy(const std::function<std::string()> &work, bool printsErrors = false);

} // namespace daedalus
