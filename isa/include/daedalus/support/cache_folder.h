// Folders of the user's own for code that was compiled before: what lies there is loaded and run.
#pragma once

#include "daedalus/support/result.h"

#include <filesystem>
#include <string>

namespace daedalus {

/// $DAEDALUS_CACHE/KIND, or daedalus/KIND in $XDG_CACHE_HOME, in ~/.cache, in .cache of the home folder that
/// the system knows. Never a folder that users share.
Result<std::string> cacheFolder(const std::string &kind);

/// Makes such a folder. An error where others own it or can write to it.
Result<void> makePrivateFolder(const std::filesystem::path &folder);

/// By errno: that a folder there cannot be written, and what to do.
Error unwritable(const std::filesystem::path &folder);

/// Whether it is a regular file that this user owns and nobody else can write to.
bool isPrivateFile(const std::filesystem::path &file);

} // namespace daedalus
