// Names that nobody can foresee, so that nobody has put a file or a link there.
#pragma once

#include <string>

namespace daedalus {

/// `folder` ends in '/', or is empty. The name is short whatever that of the file is that it stands for.
std::string unforeseenName(const std::string &folder);

} // namespace daedalus
