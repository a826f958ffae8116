// A copy of memory: what a kernel that computes next to nothing for a byte is compared with.
#include "Peer.h"
#include "daedalus/support/stopwatch.h"

#include <cstring>
#include <thread>

namespace daedalus::cli {
namespace {

class CopyPeer : public Peer {
public:
  CopyPeer(uint64_t bytes, unsigned threads) : from(bytes, 1), to(bytes, 2), threads(threads) {}

  std::string name() const override { return "memcpy"; }
  std::string implementation() const override {
    return "memcpy of " + std::to_string(from.size()) + " bytes";
  }

  Result<double> seconds(uint64_t runs) override {
    Stopwatch stopwatch;
    for (uint64_t run = 0; run < runs; ++run) {
      std::vector<std::thread> others;
      for (unsigned part = 1; part < threads; ++part)
        others.emplace_back([this, part] { copy(part); });
      copy(0);
      for (std::thread &thread : others)
        thread.join();
    }
    return stopwatch.lap();
  }

private:
  void copy(unsigned part) {
    const size_t begin = from.size() * part / threads, end = from.size() * (part + 1) / threads;
    std::memcpy(to.data() + begin, from.data() + begin, end - begin);
  }

  std::vector<uint8_t> from, to;
  unsigned threads;
};

} // namespace

std::unique_ptr<Peer> copyPeer(const CpuCase &c, const PeerOptions &options) {
  return std::make_unique<CopyPeer>(c.movedBytes() / 2, options.threads);
}

} // namespace daedalus::cli
