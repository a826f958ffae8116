// fork and exec, in a process group of its own: a signal of the terminal reaches us alone, and we end the
// group.
#include "daedalus/support/process.h"

#include "daedalus/support/temporaries.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace daedalus {
namespace {

int statusOf(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    continue;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/// Does `work` in a child, whose status it waits for: as an exit status, 128 + n where signal n ended it.
/// Before work that begins with an exec, the child makes only calls that are safe there.
template <class Work> Result<int> statusOfChild(const std::string &name, Work work) {
  auto held = std::make_unique<SignalsHeld>(); // until the group is known to the handler
  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    restoreSignals();
    work(held->before);
  }
  const int problem = errno;
  if (child > 0)
    setpgid(child, child); // here and there, whoever comes first
  const ChildGroup group(child > 0 ? child : 0);
  held.reset();
  if (child < 0)
    return error("cannot run " + name + ": " + std::strerror(problem));
  return statusOf(child);
}

/// Closes on leaving.
struct Descriptor {
  const int fd;
  explicit Descriptor(int fd) : fd(fd) {}
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  ~Descriptor() {
    if (fd >= 0)
      close(fd);
  }
};

bool writeAll(int fd, const std::string &text) {
  for (size_t done = 0; done < text.size();) {
    const ssize_t count = write(fd, text.data() + done, text.size() - done);
    if (count < 0 && errno != EINTR)
      return false;
    done += count > 0 ? static_cast<size_t>(count) : 0;
  }
  return true;
}

/// Of a file from its beginning.
std::string contentOf(int fd) {
  std::string text;
  char block[1 << 14];
  for (ssize_t count; (count = pread(fd, block, sizeof block, static_cast<off_t>(text.size()))) > 0;)
    text.append(block, static_cast<size_t>(count));
  return text;
}

} // namespace

Result<int> runProgram(const std::vector<std::string> &arguments, const std::string &output) {
  std::vector<char *> words;
  for (const std::string &argument : arguments)
    words.push_back(const_cast<char *>(argument.c_str()));
  words.push_back(nullptr);
  const int out = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (out < 0)
    return error("cannot write '" + output + "': " + std::strerror(errno));
  const int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
  Result<int> status = statusOfChild("'" + arguments[0] + "'", [&](const sigset_t &mask) {
    signal(SIGXFSZ, SIG_DFL);
    sigprocmask(SIG_SETMASK, &mask, nullptr);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    execv(words[0], words.data());
    _exit(127);
  });
  close(in);
  close(out);
  return status;
}

std::string CopyOutcome::ending() const {
  return status > 128 ? "signal " + std::to_string(status - 128) : "status " + std::to_string(status);
}

Result<CopyOutcome> runInCopy(const std::function<std::string()> &work, bool printsErrors) {
  const Descriptor nowhere(open("/dev/null", O_RDWR | O_CLOEXEC)), given(memfd_create("given", MFD_CLOEXEC));
  if (nowhere.fd < 0 || given.fd < 0)
    return error(std::string("cannot run a copy of this process: ") + std::strerror(errno));
  const Result<int> status = statusOfChild("a copy of this process", [&](const sigset_t &mask) {
    for (int crash : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL})
      signal(crash, SIG_DFL);
    sigprocmask(SIG_SETMASK, &mask, nullptr);
    dup2(nowhere.fd, STDOUT_FILENO);
    if (!printsErrors)
      dup2(nowhere.fd, STDERR_FILENO);
    const std::string text = work();
    _exit(writeAll(given.fd, text) ? 0 : 1);
  });
  if (!status)
    return error(status.error());
  return CopyOutcome{*status, *status ? "" : contentOf(given.fd)};
}

} // namespace daedalus
