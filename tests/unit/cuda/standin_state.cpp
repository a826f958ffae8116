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

int destroy(const char *name, Kind kind, void *handle) {
  const int status = calledInContext(name);
  const Thing *thing = find(name, kind, handle);
  if (!thing)
    return invalidHandle;
  for (const auto &[other, of] : parts().things) // of which a failed launch leaves nothing
    if (kind != Kind::Event && kind != Kind::Description && !of.work.empty() && parts().failure == 0)
      mistake(std::string(name) + " while a stream has work", 0);
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

int work(Thing &stream) {
  for (const auto &piece : std::exchange(stream.work, {}))
    if (parts().failure == 0)
      piece();
  return parts().failure;
}

} // namespace daedalus::test
