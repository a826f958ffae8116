// Other programs, run and waited for.
#pragma once

#include "daedalus/support/result.h"

#include <string>
#include <vector>

namespace daedalus {

/// Runs a program by its path, with nothing on stdin and what it prints in the file `output`, and waits for
/// it. Gives its exit status, 128 + n where signal n ended it. It and all that it starts end with this
/// process when a signal ends that (temporaries.h).
Result<int> runProgram(const std::vector<std::string> &arguments, const std::string &output);

} // namespace daedalus
