// A copy of this process that parses MLIR text first: MLIR's own parser may end in a signal, which is nothing
// to be found here. The product makes a copy for each text (Pipelines/Program.cpp); this one, so that there
// are thousands a second, takes one after the other until a text ends it.
#pragma once

#include "fuzz.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <csignal>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace daedalus::fuzz {

class ParserCopy {
public:
  explicit ParserCopy(mlir::MLIRContext &context) : context(context) {}
  ParserCopy(const ParserCopy &) = delete;
  ParserCopy &operator=(const ParserCopy &) = delete;
  ~ParserCopy() { end(); }

  /// Whether MLIR's parser comes back from the text, no matter what it says of it.
  bool survives(const std::string &text) {
    if (copy <= 0)
      begin();
    char answer = 0;
    const bool sent = send(channel, text.c_str(), text.size() + 1, MSG_NOSIGNAL) > 0;
    if (sent && TEMP_FAILURE_RETRY(recv(channel, &answer, 1, 0)) == 1)
      return true;
    end();
    return false;
  }

private:
  void begin() {
    int ends[2];
    require(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0, "no socket for a copy");
    copy = fork();
    require(copy >= 0, "cannot run a copy");
    channel = ends[copy ? 0 : 1];
    close(ends[copy ? 1 : 0]);
    if (!copy)
      serve();
  }

  /// In the copy.
  [[noreturn]] void serve() {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int crash : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL})
      signal(crash, SIG_DFL);
    dup2(open("/dev/null", O_RDWR | O_CLOEXEC), STDERR_FILENO);
    std::vector<char> text(1 << 18); // more than the channel takes
    for (ssize_t size; (size = recv(channel, text.data(), text.size(), 0)) > 0;) {
      const llvm::StringRef withoutZero(text.data(), static_cast<size_t>(size) - 1);
      (void)mlir::parseSourceString<mlir::ModuleOp>(withoutZero, &context);
      (void)!send(channel, "", 1, MSG_NOSIGNAL);
    }
    _exit(0);
  }

  void end() {
    if (copy <= 0)
      return;
    close(channel);
    TEMP_FAILURE_RETRY(waitpid(copy, nullptr, 0));
    copy = 0;
  }

  mlir::MLIRContext &context;
  pid_t copy = 0;
  int channel = -1; ///< to the copy, and in it to this process
};

} // namespace daedalus::fuzz
