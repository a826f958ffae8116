// What the parts of the C API share: its objects, the thread's last sentence, and how every function begins
// and ends.
#pragma once

#include "daedalus/runtime.h"
#include "daedalus/runtime/session.h"

#include <initializer_list>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

struct daedalus_device {
  daedalus::runtime::SessionOptions options;
};

struct daedalus_function {
  daedalus_package *owner;
  size_t index; // in the package
  const daedalus::package::Function *function;
};

struct daedalus_package {
  std::unique_ptr<daedalus::runtime::Session> session;
  std::vector<daedalus_function> functions;
  daedalus::runtime::RunResult last;
};

namespace daedalus::runtime::c_api {

/// Keeps the sentence for daedalus_last_error().
daedalus_status fail(daedalus_status status, const std::string &sentence);

/// A pointer that a caller gave, under its name in the header.
struct Argument {
  const char *name;
  const void *pointer;
};

/// DAEDALUS_INVALID_ARGUMENT and a sentence with the name of the first that is null.
daedalus_status notNull(std::initializer_list<Argument> arguments);

/// Nothing is thrown at callers in C: memory that is not there, or what a function of theirs throws, is a
/// status.
template <class F> daedalus_status guarded(F call) {
  try {
    return call();
  } catch (const std::bad_alloc &) {
    return fail(DAEDALUS_FAILED, "the system has no memory for this call");
  } catch (const std::exception &thrown) {
    return fail(DAEDALUS_FAILED, std::string("the call was ended by the exception: ") + thrown.what());
  }
}

} // namespace daedalus::runtime::c_api
