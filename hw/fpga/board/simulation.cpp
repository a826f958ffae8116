// board.sv, Verilated, behind a pseudo terminal: a program that talks to the board through a serial port
// talks to this one.
//
//   board_simulation PROGRAM ARGUMENT...
//
// runs the program, with the terminal's path in the place of each argument PORT, simulates the board until it
// ends, and ends with its status.
#include "Vboard.h"
#include "verilated.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <vector>

namespace {

constexpr int Divider = DIVIDER;       ///< cycles a bit (verilate.sh)
constexpr int CyclesBetweenPolls = 16; ///< of an idle line; each waits for the host for a millisecond at most

int fail(const char *what) {
  std::fprintf(stderr, "board_simulation: error: %s: %s\n", what, std::strerror(errno));
  return 1;
}

/// The host's side of a pseudo terminal, without any translation of bytes.
struct Terminal {
  int master = -1, slave = -1; ///< the slave stays open, so that a program may open and close it
  std::string path;
};

bool openTerminal(Terminal &terminal) {
  terminal.master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal.master < 0 || grantpt(terminal.master) || unlockpt(terminal.master))
    return false;
  terminal.path = ptsname(terminal.master);
  terminal.slave = open(terminal.path.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
  termios settings;
  if (terminal.slave < 0 || tcgetattr(terminal.slave, &settings))
    return false;
  cfmakeraw(&settings);
  return tcsetattr(terminal.slave, TCSANOW, &settings) == 0 &&
         fcntl(terminal.master, F_SETFL, O_NONBLOCK) == 0;
}

pid_t run(char **arguments, const Terminal &terminal) {
  const pid_t child = fork();
  if (child != 0)
    return child;
  std::string path = terminal.path;
  for (char **argument = arguments; *argument; ++argument)
    if (std::strcmp(*argument, "PORT") == 0)
      *argument = path.data();
  execvp(arguments[0], arguments);
  std::fprintf(stderr, "board_simulation: error: %s: %s\n", arguments[0], std::strerror(errno));
  _exit(127);
}

/// The bits of bytes, one after the other, Divider cycles each.
class Sender {
public:
  explicit Sender(int file) : file(file) {}
  /// The line in this cycle.
  bool line() {
    if (left == 0 && !next())
      return true;
    const int bit = 10 - (left + Divider - 1) / Divider;
    --left;
    return bit == 0 ? false : bit == 9 ? true : bytes[at - 1] >> (bit - 1) & 1;
  }
  bool isIdle() const { return left == 0 && at == size; }
  /// Waits for bytes from the host, so many milliseconds at most.
  void wait(int milliseconds) {
    pollfd poll{file, POLLIN, 0};
    ::poll(&poll, 1, milliseconds);
    const ssize_t got = read(file, bytes, sizeof bytes);
    at = 0;
    size = got > 0 ? static_cast<size_t>(got) : 0;
  }

private:
  bool next() {
    if (at == size)
      return false;
    ++at;
    left = 10 * Divider;
    return true;
  }
  int file;
  int left = 0; ///< cycles of the byte on the line
  size_t at = 0, size = 0;
  uint8_t bytes[4096];
};

/// Bytes of a line, each looked at in the middle of its bits.
class Receiver {
public:
  explicit Receiver(int file) : file(file) {}
  void take(bool line) {
    if (cycle == 0 && line)
      return;
    ++cycle;
    const int bit = cycle / Divider;
    if (cycle % Divider == Divider / 2 && bit >= 1 && bit <= 8)
      byte = static_cast<uint8_t>(byte >> 1 | line << 7);
    if (cycle == 9 * Divider + Divider / 2) {
      if (!line || write(file, &byte, 1) != 1)
        std::fprintf(stderr, "board_simulation: a byte of the board was lost\n");
      cycle = 0;
    }
  }
  bool isIdle() const { return cycle == 0; }

private:
  int file;
  int cycle = 0; ///< of the byte on the line
  uint8_t byte = 0;
};

/// How often a light went on.
class Light {
public:
  void take(bool on) {
    count += on && !lit;
    lit = on;
  }
  unsigned count = 0;

private:
  bool lit = false;
};

void clock(Vboard &board) {
  board.clk_i = 0;
  board.eval();
  board.clk_i = 1;
  board.eval();
}

void simulate(Vboard &board, int file, pid_t child, int &status) {
  Sender sender(file);
  Receiver receiver(file);
  Light busy, fault;
  board.rst_ni = 0;
  board.uart_rx_i = 1;
  for (int i = 0; i < 4; ++i)
    clock(board);
  board.rst_ni = 1;
  for (int quiet = 0;;) {
    if (sender.isIdle() && receiver.isIdle() && quiet++ % CyclesBetweenPolls == 0) {
      if (waitpid(child, &status, WNOHANG) == child)
        break;
      sender.wait(1);
    }
    board.uart_rx_i = sender.line();
    clock(board);
    receiver.take(board.uart_tx_o);
    busy.take(board.busy_o);
    fault.take(board.fault_o);
  }
  std::fprintf(stderr, "lights: busy %u, fault %u\n", busy.count, fault.count);
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2) {
    std::fprintf(
        stderr,
        "usage: board_simulation PROGRAM ARGUMENT... (PORT is replaced by the path of the serial port)\n");
    return 2;
  }
  Terminal terminal;
  if (!openTerminal(terminal))
    return fail("there is no pseudo terminal");
  const pid_t child = run(argv + 1, terminal);
  if (child < 0)
    return fail("no process can be started");
  VerilatedContext context;
  context.randReset(0);
  Vboard board(&context);
  int status = 0;
  simulate(board, terminal.master, child, status);
  board.final();
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
