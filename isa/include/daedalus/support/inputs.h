// Which files are inputs, so that no output is written over one of them.
#pragma once

#include "daedalus/support/result.h"

#include <string>

namespace daedalus {

/// From now on no file is written that this process has read, by whatever name: it is an input of the user's,
/// and its loss could not be undone. For programs of one task; a library leaves it off.
void protectInputs();

/// The file is an input. readFile and readDescriptor (input_file.h) say so of all they read.
void noteInput(const std::string &path);
/// As noteInput, of an open file such as stdin.
void noteInput(int descriptor);

/// Of a file that was read to be replaced, as its option says: it is no input any more.
void forgetInput(const std::string &path);

/// An error where `path` is an input. writeFileAtomically asks by itself; ask before long work.
Result<void> checkNotInput(const std::string &path);

} // namespace daedalus
