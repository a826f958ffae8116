// What MLIR's parser takes for granted of a text, looked at before it reads it: it calls itself for each
// bracket and for each operator of an affine expression, without a bound, so that ten thousand of them
// overflow the stack; and it takes whatever stands in the iterator_types of an operation for strings.
#pragma once

#include "daedalus/support/result.h"

#include <string>

namespace daedalus {

/// The most brackets that are open at once, the operators between them included.
constexpr size_t mostNesting = 1000;

/// Whether the text nests deeper than that, or has iterator_types other than strings in a dictionary, and in
/// which line; strings and comments do not count.
Result<void> checkMlirText(const std::string &text);

} // namespace daedalus
