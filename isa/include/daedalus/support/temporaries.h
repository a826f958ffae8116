// What must not outlast the process: temporary files, half-built folders, and the programs that it runs.
//
// Objects remove what they stand for when they go out of scope. A signal that ends the process does the same,
// where main asked for it with cleanUpOnSignals(); a library never takes over signals by itself.
#pragma once

#include "daedalus/support/result.h"

#include <csignal>
#include <memory>
#include <string>
#include <sys/types.h>

namespace daedalus {

/// A file, or a folder with all that is in it, that is removed with this object unless it was kept. Made
/// before the file is, so that there is no moment in which a signal leaves it behind.
class Temporary {
public:
  explicit Temporary(const std::string &path);
  ~Temporary();
  Temporary(const Temporary &) = delete;
  Temporary &operator=(const Temporary &) = delete;

  /// It is temporary no longer, or never came to be.
  void keep();

private:
  std::string path;
  int slot; // in the table of the signal handler; -1: the path is too long or the table is full
  bool kept = false;
};

/// A folder of this user's alone for files that nobody keeps; it goes with this object.
class ScratchFolder {
public:
  /// In the folder `where`, which ends in '/', or else in that for temporary files.
  static Result<std::unique_ptr<ScratchFolder>> create(const std::string &where = "");
  const std::string path;

private:
  explicit ScratchFolder(const std::string &path) : path(path), removal(path) {}
  const Temporary removal;
};

/// A process group that is killed when a signal ends this process.
class ChildGroup {
public:
  explicit ChildGroup(pid_t group);
  ~ChildGroup();
  ChildGroup(const ChildGroup &) = delete;
  ChildGroup &operator=(const ChildGroup &) = delete;

private:
  int slot;
};

/// While it lives, signals wait, in all threads: for what cannot be entered here before it is made, and for
/// what must not stop half-way. Short work alone; one at a time in a thread.
class SignalsHeld {
public:
  SignalsHeld();
  ~SignalsHeld();
  SignalsHeld(const SignalsHeld &) = delete;
  SignalsHeld &operator=(const SignalsHeld &) = delete;

  sigset_t before; // what this thread blocked until now
};

/// Removes a file, or a folder with all that is in it; links are removed, not followed.
void removeTree(const std::string &path);

/// SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM and SIGXCPU kill all child groups, remove all temporaries, and
/// then end the process as they always do; SIGBUS, which a full disk causes, with exit status 1 and a
/// sentence of the program `name`. One that is ignored (nohup) stays ignored.
void cleanUpOnSignals(const char *name = "daedalus");

/// In a child between fork and exec: the signals do what they do by default.
void restoreSignals();

} // namespace daedalus
