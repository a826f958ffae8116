// See Workers.h. A task is eight bytes, an answer its length in eight bytes and its text.
#include "Explore/Workers.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <list>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

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

[[noreturn]] void serve(int socket, const WorkerJobs &jobs) {
  uint64_t task = 0;
  while (receive(socket, &task, sizeof task)) {
    const std::string answer = jobs.work(task);
    const uint64_t length = answer.size();
    if (!give(socket, &length, sizeof length) || !give(socket, answer.data(), answer.size()))
      break;
  }
  _exit(0);
}

struct Task {
  uint64_t number;
  unsigned attempts = 0;
};

class Worker {
public:
  ~Worker() { end(); }

  Result<void> begin(const WorkerJobs &jobs, const std::list<Worker> &others) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      return error(std::string("cannot open a socket for a worker: ") + std::strerror(errno));
    process = fork();
    if (process == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL); // no worker outlives the sweep
      close(ends[0]);
      for (const Worker &other : others)
        if (other.socket >= 0)
          close(other.socket);
      serve(ends[1], jobs);
    }
    close(ends[1]);
    socket = ends[0];
    if (process < 0)
      return error(std::string("cannot start a worker process: ") + std::strerror(errno));
    return {};
  }

  void end() {
    if (socket >= 0)
      close(socket);
    if (process > 0) {
      kill(process, SIGKILL);
      waitpid(process, nullptr, 0);
    }
    socket = process = -1;
  }

  /// False: the worker is gone.
  bool start(Task given) {
    task = given;
    return give(socket, &task->number, sizeof task->number);
  }

  /// The answer that has come; nothing where the worker is gone.
  std::optional<std::string> answer() {
    uint64_t length = 0;
    if (!receive(socket, &length, sizeof length))
      return std::nullopt;
    std::string text(length, '\0');
    if (!receive(socket, text.data(), length))
      return std::nullopt;
    return text;
  }

  int socket = -1;
  pid_t process = -1;
  std::optional<Task> task;
};

class Pool {
public:
  Pool(unsigned count, const WorkerJobs &jobs) : jobs(jobs), count(count) {}

  Result<void> run() {
    for (unsigned i = 0; i < count; ++i)
      if (Result<void> begun = add(); !begun)
        return begun;
    while (true) {
      for (Worker &worker : workers)
        if (Result<void> fed = feed(worker); !fed)
          return fed;
      if (!isBusy())
        return {};
      if (Result<void> answered = awaitAnswers(); !answered)
        return answered;
    }
  }

private:
  Result<void> add() {
    workers.emplace_back();
    return workers.back().begin(jobs, workers);
  }

  bool isBusy() const {
    for (const Worker &worker : workers)
      if (worker.task)
        return true;
    return false;
  }

  Result<void> feed(Worker &worker) {
    while (!worker.task) {
      std::optional<Task> task;
      if (!again.empty()) {
        task = again.back();
        again.pop_back();
      } else if (const auto number = jobs.next()) {
        task = Task{*number};
      }
      if (!task)
        return {};
      if (!worker.start(*task))
        if (Result<void> replaced = replace(worker); !replaced)
          return replaced;
    }
    return {};
  }

  Result<void> awaitAnswers() {
    std::vector<pollfd> polled;
    for (const Worker &worker : workers)
      polled.push_back({worker.task ? worker.socket : -1, POLLIN, 0});
    if (poll(polled.data(), polled.size(), -1) < 0)
      return errno == EINTR ? Result<void>() : error(std::string("poll: ") + std::strerror(errno));
    size_t i = 0;
    for (Worker &worker : workers)
      if (polled[i++].revents)
        if (Result<void> taken = take(worker); !taken)
          return taken;
    return {};
  }

  Result<void> take(Worker &worker) {
    const std::optional<std::string> answer = worker.answer();
    if (!answer)
      return replace(worker);
    const Task task = *worker.task;
    worker.task.reset();
    return jobs.done(task.number, *answer, false);
  }

  /// Of a worker that is gone.
  Result<void> replace(Worker &worker) {
    Task task = *worker.task;
    worker.task.reset();
    worker.end();
    if (Result<void> begun = worker.begin(jobs, workers); !begun)
      return begun;
    if (++task.attempts == mostAttempts)
      return jobs.done(task.number, "", true);
    again.push_back(task);
    return {};
  }

  const WorkerJobs &jobs;
  const unsigned count;
  std::list<Worker> workers;
  std::vector<Task> again; ///< tasks of workers that are gone
};

} // namespace

Result<void> runOnWorkers(unsigned workers, const WorkerJobs &jobs) {
  return Pool(workers, jobs).run();
}

} // namespace daedalus::explore
