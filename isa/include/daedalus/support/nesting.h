// How deep a text of MLIR nests. MLIR's parser calls itself for each bracket and for each operator of an affine
// expression, without a bound, so that ten thousand of them overflow the stack.
#pragma once

#include "daedalus/support/result.h"

#include <string>

namespace daedalus {

/// The most brackets that are open at once, the operators between them included.
constexpr size_t mostNesting = 1000;

/// Whether the text nests deeper than that, and in which line; strings and comments do not count.
Result<void> checkNesting(const std::string &text);

} // namespace daedalus
