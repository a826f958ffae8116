// See WorkerProcess.h. A task is eight bytes, an answer its length in eight bytes and its text.
#include "Explore/WorkerProcess.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace daedalus::explore {
namespace {

bool receive(int socket, void *bytes, size_t count) {
  for (auto *at = static_cast<char *>(bytes); count > 0;) {
    const ssize_t got = read(socket, at, count);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    at += got;
    count -= static_cast<size_t>(got);
  }
  return true;
}

bool give(int socket, const void *bytes, size_t count) {
  for (const auto *at = static_cast<const char *>(bytes); count > 0;) {
    const ssize_t sent = send(socket, at, count, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      return false;
    at += sent;
    count -= static_cast<size_t>(sent);
  }
  return true;
}

[[noreturn]] void serve(int socket, const Work &work) {
  uint64_t task = 0;
  while (receive(socket, &task, sizeof task)) {
    const std::string answer = work(task);
    const uint64_t length = answer.size();
    if (!give(socket, &length, sizeof length) || !give(socket, answer.data(), answer.size()))
      break;
  }
  _exit(0);
}

} // namespace

Result<void> WorkerProcess::begin(const Work &work, const std::list<WorkerProcess> &others) {
  end();
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return error(std::string("cannot open a socket for a worker: ") + std::strerror(errno));
  process = fork();
  if (process == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL); // no worker outlives the sweep
    close(ends[0]);
    for (const WorkerProcess &other : others)
      if (other.socket >= 0)
        close(other.socket);
    serve(ends[1], work);
  }
  close(ends[1]);
  socket = ends[0];
  if (process < 0)
    return error(std::string("cannot start a worker process: ") + std::strerror(errno));
  return {};
}

void WorkerProcess::end() {
  if (socket >= 0)
    close(socket);
  if (process > 0) {
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
  }
  socket = process = -1;
  answered = 0;
}

bool WorkerProcess::start(Task given) {
  task = given;
  return give(socket, &task->number, sizeof task->number);
}

std::optional<std::string> WorkerProcess::answer() {
  uint64_t length = 0;
  if (!receive(socket, &length, sizeof length))
    return std::nullopt;
  std::string text(length, '\0');
  if (!receive(socket, text.data(), length))
    return std::nullopt;
  ++answered;
  return text;
}

} // namespace daedalus::explore
