// What a case is compared with: a library that is found when the benchmark runs, or a copy of memory.
#pragma once

#include "Tuning/CaseData.h"
#include "Tuning/Timing.h"
#include "cli/Names.h"

#include <memory>

namespace daedalus::cli {

class Peer : public Timed {
public:
  virtual std::string name() const = 0;
  /// What the library says that it runs.
  virtual std::string implementation() const = 0;
  /// What it computed, in ONNX's order; nothing where it computes nothing.
  virtual std::vector<float> result() const { return {}; }
};

struct PeerOptions {
  unsigned threads = 1;
  std::string isa; ///< one of peerIsas(), which the libraries do not go beyond; empty: all that the host has
};

/// The names that PeerOptions::isa takes: oneDNN's, in lower case.
std::vector<std::string> peerIsas();

/// Instruction set, version and name of each library, a line each; or why it is absent.
std::vector<std::string> describePeers(const PeerOptions &options);

struct Peers {
  std::vector<std::unique_ptr<Peer>> present;
  std::vector<std::string> absent; ///< why, a sentence each
};

/// All that compute the case. The first call in a process decides on the instruction set.
Peers openPeers(const CpuCase &c, const CaseData &data, const PeerOptions &options);

using MadePeer = Result<std::unique_ptr<Peer>>;
/// What oneDNN computes the case with: primitives that differ in kind. The error says why there are none.
Result<std::vector<std::unique_ptr<Peer>>> oneDnnPeers(const CpuCase &c, const CaseData &data,
                                                       const PeerOptions &options);
Result<std::string> describeOneDnn(const PeerOptions &options);
/// Only of a float32 MatMul.
MadePeer openBlasPeer(const CpuCase &c, const CaseData &data, const PeerOptions &options);
Result<std::string> describeOpenBlas(const PeerOptions &options);
/// Copies half of the bytes that the case moves, which is as many read and written.
std::unique_ptr<Peer> copyPeer(const CpuCase &c, const PeerOptions &options);

} // namespace daedalus::cli
