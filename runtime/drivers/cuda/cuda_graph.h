// Kernels that a session submits again and again: a sequence that comes the second time is captured as a
// CUDA graph ("CUDA Driver API Reference Manual", chapter Graph Management), and launched as one from then
// on.
#pragma once

#include "cuda_api.h"
#include "cuda_code.h"

#include <functional>
#include <memory>
#include <vector>

namespace daedalus::cuda {

/// A kernel by its number, and the offsets of its operands.
struct Submission {
  size_t kernel = 0;
  std::vector<uint64_t> operands;

  bool operator==(const Submission &other) const {
    return kernel == other.kernel && operands == other.operands;
  }
};
using Sequence = std::vector<Submission>; ///< in the order in which they run

/// Work of a stream, which a launch does again. The context that it was captured in is current.
class CapturedGraph {
public:
  /// Captures what `work` gives to the stream, none of which is done. The error says which part failed.
  static Result<std::unique_ptr<CapturedGraph>> capture(const DriverApi &api, Stream stream,
                                                        const std::function<Result<void>()> &work);
  CapturedGraph(const DriverApi &api, Stream stream, Graph graph) : api(api), stream(stream), graph(graph) {}
  CapturedGraph(const CapturedGraph &) = delete;
  ~CapturedGraph() { api.graphExecDestroy(graph); }

  Result<void> launch() const;

private:
  const DriverApi &api;
  const Stream stream;
  const Graph graph;
};

/// What a session submits from where nothing is outstanding to where it waits. A kernel's ticket there is its
/// number in the sequence, so the events of all graphs are those of the tickets.
class Repetitions {
public:
  /// The most graphs of a session.
  static constexpr size_t mostGraphs = 8;

  /// Gives a kernel to the stream, between the events of its ticket.
  using Give = std::function<Result<void>(const Submission &submission, size_t ticket, bool isCaptured)>;

  /// The first two outlive it.
  Repetitions(const DriverApi &api, const std::vector<Kernel> &kernels, Stream stream, Give give)
      : api(api), kernels(kernels), stream(stream), give(std::move(give)) {}

  /// Nothing is outstanding: a sequence begins.
  void begin();
  /// Gives it to the stream, or holds it back while a graph may come of it. An error may be one of what was
  /// held back.
  Result<void> submit(Submission next, size_t ticket);
  /// Gives what is held back to the stream; nothing is held back until the next sequence. An error stays the
  /// answer until then.
  Result<void> flush();
  /// Nothing is outstanding any more. Captures what came the second time; an error of that is said once.
  Result<void> end();

private:
  struct Repeated {
    Sequence sequence;
    std::unique_ptr<CapturedGraph> graph; ///< null where it cannot be captured
  };

  void forget();
  Result<void> giveHeld();
  const Repeated *complete() const;
  bool isLonger() const;
  bool isWorthwhile() const;
  Result<void> remember();
  Result<void> capture();

  const DriverApi &api;
  const std::vector<Kernel> &kernels;
  const Stream stream;
  const Give give;
  std::vector<Repeated> graphs;
  std::vector<Sequence> seen;             ///< a package has few
  Sequence sequence;                      ///< since begin()
  size_t given = 0;                       ///< how many of them the stream has
  std::vector<const Repeated *> followed; ///< graphs that begin as the sequence, of which nothing was given
  bool isOpen = false;                    ///< between begin() and flush()
  Result<void> outcome;                   ///< of what was given
};

} // namespace daedalus::cuda
