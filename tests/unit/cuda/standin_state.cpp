#include "standin_state.h"

#include <cstdlib>
#include <utility>

namespace daedalus::test {

StandinParts &parts() {
  static StandinParts all;
  return all;
}

bool &hasContext() {
  static thread_local bool has = false;
  return has;
}

int mistake(const std::string &what, int status) {
  parts().state.mistakes.push_back(what);
  return status;
}

int called(const char *name) {
  Standin &state = parts().state;
  if (state.calls.empty()) // it was set anew
    parts().failure = 0;
  state.calls.push_back(name);
  return state.calls.size() == state.failing ? unknown : parts().failure;
}

int calledInContext(const char *name) {
  const int status = called(name);
  return hasContext() ? status : mistake(std::string(name) + " without a context", invalidContext);
}

int make(const char *name, Kind kind, size_t bytes, void **handle) {
  if (kind == Kind::Memory || kind == Kind::Module)
    forbidCapturing(name);
  *handle = reinterpret_cast<void *>(1); // nothing, of a call that fails
  if (const int status = calledInContext(name))
    return status;
  *handle = std::aligned_alloc(256, (bytes + 255) / 256 * 256); // as cuMemAlloc aligns
  Thing thing;
  thing.kind = kind;
  thing.bytes = bytes;
  parts().things[*handle] = std::move(thing);
  ++parts().state.alive;
  return 0;
}

Thing *find(const char *name, Kind kind, void *handle) {
  const auto found = parts().things.find(handle);
  if (found != parts().things.end() && found->second.kind == kind)
    return &found->second;
  mistake(std::string(name) + " of what is not alive", invalidHandle);
  return nullptr;
}

/// Whether a graph that is alive uses a thing.
static bool isUsed(void *handle, const Thing &thing) {
  const auto *begin = static_cast<const uint8_t *>(handle), *end = begin + thing.bytes;
  for (const auto &[other, graph] : parts().things)
    for (const Piece &node : graph.nodes)
      for (const void *used : node.uses)
        if (used >= begin && used < end)
          return true;
  return false;
}

int destroy(const char *name, Kind kind, void *handle) {
  if (kind != Kind::Event)
    forbidCapturing(name);
  const int status = calledInContext(name);
  const Thing *thing = find(name, kind, handle);
  if (!thing)
    return invalidHandle;
  for (const auto &[other, of] : parts().things) // of which a failed launch leaves nothing
    if (kind != Kind::Event && kind != Kind::Description && !of.work.empty() && parts().failure == 0)
      mistake(std::string(name) + " while a stream has work", 0);
  if (isUsed(handle, *thing))
    mistake(std::string(name) + " of what a graph uses", 0);
  parts().things.erase(handle);
  std::free(handle);
  --parts().state.alive;
  return status;
}

bool isWithinMemory(const void *address, size_t bytes) {
  const auto *first = static_cast<const uint8_t *>(address);
  for (const auto &[memory, thing] : parts().things) {
    const auto *begin = static_cast<const uint8_t *>(memory);
    if (thing.kind == Kind::Memory && first >= begin && first + bytes <= begin + thing.bytes)
      return true;
  }
  return false;
}

void give(Thing &stream, Piece piece) {
  (stream.isCapturing ? stream.nodes : stream.work).push_back(std::move(piece));
}

bool isCapturing(void *stream) {
  const auto found = parts().things.find(stream);
  return found != parts().things.end() && found->second.isCapturing;
}

void forbidCapturing(const char *name) {
  for (const auto &[handle, thing] : parts().things)
    if (thing.isCapturing)
      mistake(std::string(name) + " while a stream captures", 0);
}

int work(Thing &stream) {
  for (const Piece &piece : std::exchange(stream.work, {}))
    if (parts().failure == 0)
      piece.work();
  return parts().failure;
}

} // namespace daedalus::test
