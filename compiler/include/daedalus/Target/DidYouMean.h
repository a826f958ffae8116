// What an error says behind a name that nobody knows: the nearest one that is known.

#ifndef DAEDALUS_TARGET_DIDYOUMEAN_H
#define DAEDALUS_TARGET_DIDYOUMEAN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace daedalus {

/// " (did you mean 'compile'?)" of the name with the least edit distance; of several the first one of the
/// nearest length. Empty where every name needs more than a third of the letters of `name` changed.
std::string didYouMean(llvm::StringRef name, llvm::ArrayRef<std::string> known);

/// "a, b or c".
std::string listOf(llvm::ArrayRef<std::string> names);

} // namespace daedalus

#endif
