// How targets make machine code for the host's processor.

#ifndef DAEDALUS_TARGET_CODEOPTIONS_H
#define DAEDALUS_TARGET_CODEOPTIONS_H

#include <string>

namespace daedalus {

struct CodeOptions {
  /// Levels of the processor, separated by commas, for each of which the package has code; "native" is the
  /// highest one that this host has (docs/targets.md).
  std::string levels = "native";
  /// Libraries, or functions of the user's, that kernels are given to where they compute them, such as
  /// "openblas" or "onednn:conv,mine:matmul" (docs/targets.md); empty: none.
  std::string libraries;
  /// A folder with code that was made before, for who has the same kernel again; empty: none.
  std::string cache;
};

} // namespace daedalus

#endif
