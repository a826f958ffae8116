// Loads oneDNN, and says what it is.
#include "OneDnnLibrary.h"
#include "Peer.h"

namespace daedalus::cli {

#ifdef DAEDALUS_ONEDNN_HEADERS
namespace {

struct NamedIsa {
  const char *name;
  dnnl_cpu_isa_t isa;
};
constexpr NamedIsa isas[] = {{"sse41", dnnl_cpu_isa_sse41},
                             {"avx", dnnl_cpu_isa_avx},
                             {"avx2", dnnl_cpu_isa_avx2},
                             {"avx2_vnni", dnnl_cpu_isa_avx2_vnni},
                             {"avx512_core", dnnl_cpu_isa_avx512_core},
                             {"avx512_core_vnni", dnnl_cpu_isa_avx512_core_vnni},
                             {"avx512_core_bf16", dnnl_cpu_isa_avx512_core_bf16},
                             {"avx512_core_amx", dnnl_cpu_isa_avx512_core_amx},
                             {"all", dnnl_cpu_isa_all}};

Result<void> prepare(OneDnn &library, const std::string &isa) {
  for (const NamedIsa &named : isas)
    if (named.name == isa && library.set_max_cpu_isa(named.isa) != dnnl_success)
      return error("oneDNN does not take '" + isa + "' as its instruction set");
  library.setThreads(1);
  if (library.engine_create(&library.engine, dnnl_cpu, 0) != dnnl_success ||
      library.stream_create(&library.stream, library.engine, dnnl_stream_default_flags) != dnnl_success)
    return error("oneDNN gives no engine for this processor");
  return {};
}

} // namespace

const Result<OneDnn> &oneDnn(const PeerOptions &options) {
  static const Result<OneDnn> library = [&]() -> Result<OneDnn> {
    auto found = runtime::libraries::OneDnnFunctions::load();
    if (!found)
      return error(found.error());
    OneDnn loaded{*found};
    if (auto ok = prepare(loaded, options.isa); !ok)
      return error(ok.error());
    return loaded;
  }();
  return library;
}

Result<std::string> describeOneDnn(const PeerOptions &options) {
  const Result<OneDnn> &library = oneDnn(options);
  if (!library)
    return error(library.error());
  const dnnl_version_t *version = library->version();
  std::string effective = "all that it knows";
  for (const NamedIsa &named : isas)
    if (named.isa == library->get_effective_cpu_isa())
      effective = named.name;
  return "oneDNN " + std::to_string(version->major) + "." + std::to_string(version->minor) + "." +
         std::to_string(version->patch) + ", instruction set " + effective +
         (options.isa.empty() ? "" : " (capped to " + options.isa + ")");
}

#else

Result<std::string> describeOneDnn(const PeerOptions &) {
  return error("oneDNN is absent: this was built without the headers of oneDNN 2 (Debian's libdnnl-dev)");
}

#endif

} // namespace daedalus::cli
