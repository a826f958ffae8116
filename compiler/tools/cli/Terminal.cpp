// See Terminal.h.
#include "cli/Terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

namespace daedalus::cli {

size_t terminalWidth() {
  winsize size{};
  return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

} // namespace daedalus::cli
