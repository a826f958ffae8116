// oneDNN with its engine, its tensors and its threads, each for as long as it is needed.
#pragma once

#include "one_dnn.h"

#ifdef DAEDALUS_ONEDNN_HEADERS

#include <new>

namespace daedalus::runtime::libraries {

struct OneDnn : OneDnnFunctions {
  dnnl_engine_t engine = nullptr;
};

/// The number of threads of OpenMP for the calling thread, and back.
class Threads {
public:
  Threads(const OneDnn &library, unsigned threads) : library(library), before(library.threads()) {
    library.setThreads(static_cast<int>(threads));
  }
  ~Threads() { library.setThreads(before); }
  Threads(const Threads &) = delete;
  Threads &operator=(const Threads &) = delete;

private:
  const OneDnn &library;
  int before;
};

/// A tensor of oneDNN's, in memory of somebody else's or its own.
class Memory {
public:
  explicit Memory(const OneDnn &library) : library(library) {}
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;
  ~Memory() {
    if (memory)
      library.memory_destroy(memory);
    ::operator delete(own, alignment);
  }

  bool create(const dnnl_memory_desc_t &description, const void *data) {
    return library.memory_create(&memory, &description, library.engine, const_cast<void *>(data)) ==
           dnnl_success;
  }
  bool createOwn(const dnnl_memory_desc_t &description) {
    const size_t bytes = library.memory_desc_get_size(&description);
    own = ::operator new(bytes ? bytes : 1, alignment, std::nothrow);
    return own && create(description, own);
  }
  bool set(void *data) const { return library.memory_set_data_handle(memory, data) == dnnl_success; }
  dnnl_memory_t get() const { return memory; }

private:
  static constexpr std::align_val_t alignment{64};
  const OneDnn &library;
  void *own = nullptr;
  dnnl_memory_t memory = nullptr;
};

} // namespace daedalus::runtime::libraries

#endif
