// oneDNN 2 as bench cpu uses it: with an engine and a stream of the processor. Of a build without its headers
// there is nothing of this (DAEDALUS_ONEDNN_HEADERS).
#pragma once

#ifdef DAEDALUS_ONEDNN_HEADERS

#include "Peer.h"
#include "one_dnn.h"

namespace daedalus::cli {

struct OneDnn : runtime::libraries::OneDnnFunctions {
  dnnl_engine_t engine = nullptr;
  dnnl_stream_t stream = nullptr;
};

/// Loaded once; its instruction set cannot be changed afterwards.
const Result<OneDnn> &oneDnn(const PeerOptions &options);

} // namespace daedalus::cli

#endif
