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

/// Runs `work` in a copy of this process that prints nothing, and waits for it: 0, or the number of the signal that
/// ended it. For what other people's code does with a user's input.
Result<int> signalOf(const std::function<void()> &work);

} // namespace daedalus
