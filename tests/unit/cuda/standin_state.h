// What the stand-in keeps: things that are alive, and the work that streams have not done yet.
#pragma once

#include "standin.h"

#include <functional>
#include <map>
#include <thread>

namespace daedalus::test {

// Of CUresult.
constexpr int invalidValue = 1, outOfMemory = 2, invalidContext = 201, invalidHandle = 400, notFound = 500,
              notReady = 600, launchFailed = 719, unknown = 999;

enum class Kind { Module, Stream, Event, Memory, Template, Graph, Blas, Description };

/// Work of a stream or a graph.
struct Piece {
  std::function<void()> work;
  std::vector<const void *> uses = {}; ///< handles, and addresses in memory
  void *event = nullptr;               ///< that a launch of a graph records
};

struct Thing {
  Kind kind = Kind::Memory;
  size_t bytes = 0;         ///< of memory
  std::vector<Piece> work;  ///< of a stream
  std::vector<Piece> nodes; ///< of a graph, or what a stream captures
  bool isCapturing = false; ///< of a stream
  std::thread::id capturer; ///< likewise: who began it
  void *stream = nullptr;   ///< of an event: where it was recorded
  bool isReached = false;   ///< likewise
  bool isOfCapture = false; ///< likewise: nobody can wait for it, for it is part of what was captured
};

struct Function {
  StandinKernel kernel = nullptr;
  unsigned mostShared = 48 << 10; ///< bytes that a launch may ask for
  void *module = nullptr;         ///< where it was found last
};

struct StandinParts {
  Standin state;
  std::map<std::string, Function> functions;
  std::map<void *, Thing> things;
  int contexts = 0; ///< that were retained
  int failure = 0;  ///< of a launch, from then on
};

StandinParts &parts();
/// Whether the thread has a context.
bool &hasContext();

/// Adds to Standin::mistakes, and gives the status.
int mistake(const std::string &what, int status);

/// What a call gives: an error where it is the one that fails, or a launch did.
int called(const char *name);
/// As called, of one that needs a context.
int calledInContext(const char *name);

/// Makes a thing, or fails.
int make(const char *name, Kind kind, size_t bytes, void **handle);
int destroy(const char *name, Kind kind, void *handle);
/// Null, and a mistake, where there is none.
Thing *find(const char *name, Kind kind, void *handle);
/// Whether the bytes lie within one piece of memory.
bool isWithinMemory(const void *address, size_t bytes);

/// To the stream, or to what it captures.
void give(Thing &stream, Piece piece);
/// Whether it is a stream that captures.
bool isCapturing(void *stream);
/// A mistake where a stream captures.
void forbidCapturing(const char *name);

/// Does what the stream has not done yet; the status is that of a launch among it.
int work(Thing &stream);

} // namespace daedalus::test
