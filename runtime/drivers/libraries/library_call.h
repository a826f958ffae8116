// Calls of functions of libraries, made ready when a package is loaded: the library found, the types of the
// tensors checked, primitives and weights in the library's order made once. What functions take is in
// docs/targets.md.
#pragma once

#include "daedalus/package/package.h"
#include "daedalus/runtime/session.h"
#include "daedalus/support/result.h"

#include <string>
#include <vector>

namespace daedalus::runtime::libraries {

/// A tensor of a call; of one that never changes its elements too.
struct Argument {
  const package::TensorType *type = nullptr;
  const void *constant = nullptr;
};

struct LibraryCall {
  std::string function; // "openblas.matmul": package::libraryOf() knows it
  std::vector<Argument> inputs;
  std::vector<const package::TensorType *> outputs;
  unsigned threads = 1;
};

/// What runs the call, on tensors of its types. Errors: the host lacks the library; types or attributes that
/// the function does not take.
Result<ExternalFunction> makeReady(const LibraryCall &call);

/// As of describeLibrary().
Result<std::string> describeOneDnn();
Result<std::string> describeOpenBlas();

/// How the sentence on a library that is not there goes on.
constexpr const char *withoutLibrary = ", or compile the model without --cpu-library";

/// The calls of each library.
Result<ExternalFunction> openBlasCall(const LibraryCall &call);
Result<ExternalFunction> oneDnnCall(const LibraryCall &call);

} // namespace daedalus::runtime::libraries
