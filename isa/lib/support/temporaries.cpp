// The handler may interrupt anything, so it works on tables of fixed size with atomic states, and removes
// folders by system calls alone: no heap, no locks, no stdio.
#include "daedalus/support/temporaries.h"

#include "unforeseen_name.h"

#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace daedalus {
namespace {

constexpr int Signals[] = {SIGBUS, SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM, SIGXCPU};
constexpr int Paths = 256, Groups = 16;
constexpr unsigned MostDepth = 16;

constexpr const char *lostFile =
    ": error: a file that is mapped to memory has lost its place (SIGBUS): the disk is full, or somebody has "
    "made the file shorter\n";

enum State : int { Free, Claimed, Set };

struct PathSlot {
  std::atomic<int> state{Free};
  char path[PATH_MAX];
};

PathSlot paths[Paths];
std::atomic<pid_t> groups[Groups]; // 0: free
std::atomic<int> holders{0};       // SignalsHeld that live
std::atomic<bool> ending{false};   // a signal ends the process
const char *program = "";          // for the sentence of SIGBUS
pid_t owner = 0;                   // whose signals clean up; a forked child's do not

/// The kernel's struct linux_dirent64.
struct Entry {
  uint64_t inode;
  int64_t offset;
  uint16_t length;
  uint8_t type;
  char name[1];
};

void removeAt(int folder, const char *name, unsigned depth);

/// One pass over an open folder; whether there was anything to remove.
bool emptyOnce(int folder, unsigned depth) {
  alignas(Entry) char block[4096];
  bool any = false;
  for (long count; (count = syscall(SYS_getdents64, folder, block, sizeof block)) > 0;)
    for (long at = 0; at < count;) {
      const Entry *entry = reinterpret_cast<const Entry *>(block + at);
      const char *name = block + at + offsetof(Entry, name);
      at += entry->length;
      if (std::strcmp(name, ".") == 0 || std::strcmp(name, "..") == 0)
        continue;
      removeAt(folder, name, depth - 1);
      any = true;
    }
  return any;
}

void removeAt(int folder, const char *name, unsigned depth) {
  if (unlinkat(folder, name, 0) == 0 || depth == 0)
    return;
  const int inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (inner < 0)
    return;
  // Removing moves entries, so that a pass may miss some, and somebody may still write into the folder.
  for (unsigned pass = 0; pass < 100; ++pass) {
    if (emptyOnce(inner, depth))
      lseek(inner, 0, SEEK_SET);
    else if (unlinkat(folder, name, AT_REMOVEDIR) == 0 || errno != ENOTEMPTY)
      break;
  }
  close(inner);
}

/// Whether somebody of the group is left. Its orphans are our children by now (subreaper).
bool isAlive(pid_t group) {
  while (waitpid(-group, nullptr, WNOHANG) > 0)
    continue;
  return kill(-group, 0) == 0;
}

/// Kills the groups and waits, for a second at most, until nobody is left who could write into a folder.
void endGroups() {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  for (const std::atomic<pid_t> &group : groups)
    if (const pid_t id = group.load(); id > 0)
      kill(-id, SIGKILL);
  for (const std::atomic<pid_t> &group : groups)
    if (const pid_t id = group.load(); id > 0)
      for (unsigned tries = 0; tries < 200 && isAlive(id); ++tries)
        poll(nullptr, 0, 5);
}

/// Waits, for a second at most, until no thread is between making something and entering it here.
void awaitHolders() {
  for (unsigned tries = 0; tries < 200 && holders.load() > 0; ++tries)
    poll(nullptr, 0, 5);
}

extern "C" void endBySignal(int number) {
  if (getpid() == owner) {
    ending.store(true);
    awaitHolders();
    endGroups();
    for (const PathSlot &slot : paths)
      if (slot.state.load() == Set)
        removeAt(AT_FDCWD, slot.path, MostDepth);
  }
  if (number == SIGBUS) {
    for (const char *part : {program, lostFile})
      (void)!write(STDERR_FILENO, part, std::strlen(part));
    _exit(1);
  }
  signal(number, SIG_DFL);
  raise(number); // blocked until this handler returns
}

/// A name that stays right when the working folder changes.
std::string absolute(const std::string &path) {
  char folder[PATH_MAX];
  return !path.empty() && path[0] != '/' && getcwd(folder, sizeof folder) ? std::string(folder) + "/" + path
                                                                          : path;
}

int claimPath(const std::string &path) {
  if (path.size() >= PATH_MAX)
    return -1;
  for (int i = 0; i < Paths; ++i) {
    int expected = Free;
    if (!paths[i].state.compare_exchange_strong(expected, Claimed))
      continue;
    std::memcpy(paths[i].path, path.c_str(), path.size() + 1);
    paths[i].state.store(Set);
    return i;
  }
  return -1;
}

} // namespace

Temporary::Temporary(const std::string &path) : path(absolute(path)), slot(claimPath(this->path)) {}

Temporary::~Temporary() {
  if (!kept)
    removeTree(path);
  keep();
}

void Temporary::keep() {
  kept = true;
  if (slot >= 0)
    paths[slot].state.store(Free);
  slot = -1;
}

ChildGroup::ChildGroup(pid_t group) : slot(-1) {
  for (int i = 0; i < Groups && slot < 0; ++i) {
    pid_t expected = 0;
    slot = groups[i].compare_exchange_strong(expected, group) ? i : -1;
  }
}

ChildGroup::~ChildGroup() {
  if (slot >= 0)
    groups[slot].store(0);
}

SignalsHeld::SignalsHeld() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  holders.fetch_add(1);
  if (ending.load() && getpid() == owner) {
    holders.fetch_sub(1);
    for (;;) // another thread ends the process
      pause();
  }
}

SignalsHeld::~SignalsHeld() {
  holders.fetch_sub(1);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Result<std::unique_ptr<ScratchFolder>> ScratchFolder::create(const std::string &where) {
  const char *const given = std::getenv("TMPDIR");
  const std::string folder = !where.empty() ? where : given && *given ? std::string(given) + "/" : "/tmp/";
  const std::string path = unforeseenName(folder);
  const SignalsHeld held;
  if (mkdir(path.c_str(), 0700) < 0)
    return error("cannot make a temporary folder in '" + folder + "': " + std::strerror(errno) +
                 (where.empty() ? "; set TMPDIR to a folder that can be written" : ""));
  return std::unique_ptr<ScratchFolder>(new ScratchFolder(path));
}

void removeTree(const std::string &path) {
  removeAt(AT_FDCWD, path.c_str(), MostDepth);
}

void cleanUpOnSignals(const char *name) {
  program = name;
  owner = getpid();
  struct sigaction action {};
  action.sa_handler = endBySignal;
  for (int number : Signals)
    sigaddset(&action.sa_mask, number);
  for (int number : Signals) {
    struct sigaction before {};
    if (sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_DFL)
      sigaction(number, &action, nullptr);
  }
}

void restoreSignals() {
  for (int number : Signals) {
    struct sigaction now {};
    if (sigaction(number, nullptr, &now) == 0 && now.sa_handler == endBySignal)
      signal(number, SIG_DFL);
  }
}

} // namespace daedalus
