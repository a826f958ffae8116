#include "Peer.h"

namespace daedalus::cli {

std::vector<std::string> peerIsas() {
  return {
      "sse41",           "avx", "avx2", "avx2_vnni", "avx512_core", "avx512_core_vnni", "avx512_core_bf16",
      "avx512_core_amx", "all"};
}

std::vector<std::string> describePeers(const PeerOptions &options) {
  std::vector<std::string> lines;
  for (auto describe : {describeOneDnn, describeOpenBlas}) {
    const Result<std::string> text = describe(options);
    lines.push_back(text ? *text : text.error());
  }
  return lines;
}

Peers openPeers(const CpuCase &c, const CaseData &data, const PeerOptions &options) {
  Peers peers;
  if (c.isMemoryBound()) {
    peers.present.push_back(copyPeer(c, options));
    return peers;
  }
  if (auto found = oneDnnPeers(c, data, options))
    for (auto &peer : *found)
      peers.present.push_back(std::move(peer));
  else
    peers.absent.push_back(found.error());
  if (c.kind != CaseKind::MatMul || c.isInt8)
    return peers;
  if (auto found = openBlasPeer(c, data, options))
    peers.present.push_back(std::move(*found));
  else
    peers.absent.push_back(found.error());
  return peers;
}

} // namespace daedalus::cli
