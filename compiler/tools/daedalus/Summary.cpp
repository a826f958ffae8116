#include "Summary.h"
#include "Table.h"
#include "daedalus/Target/Target.h"

#include <algorithm>
#include <map>

namespace daedalus::cli {
namespace {

struct Share {
  uint64_t layers = 0, macs = 0;
  std::string node; ///< the first
};

void add(Share &share, const package::Layer &layer) {
  if (share.layers++ == 0)
    share.node = layer.node;
  share.macs += layer.macs;
}

std::string layersOf(uint64_t count) {
  return grouped(count) + (count == 1 ? " layer" : " layers");
}

/// What to do where layers are not on the accelerator for this reason; may be empty.
std::string adviceFor(const std::string &reason, bool isQuantized) {
  if (reason.rfind("computes in float", 0) != 0)
    return "";
  return isQuantized ? ": quantize these operators too, each input and output by a QuantizeLinear and "
                       "DequantizeLinear"
                     : ": the accelerator computes in int8, so quantize the model first, for example by "
                       "onnxruntime.quantization.quantize_static";
}

/// The reason that keeps most products on the CPU, or where none has any most layers.
std::string mostHelp(const package::Package &package) {
  std::map<std::string, Share> reasons;
  bool isQuantized = false;
  for (const package::Layer &layer : package.layers) {
    isQuantized |= runsStreams(layer.target) && layer.macs;
    if (layer.target == fallbackTarget().name())
      add(reasons[layer.reason], layer);
  }
  const auto most = std::max_element(reasons.begin(), reasons.end(), [](const auto &a, const auto &b) {
    return std::pair(a.second.macs, a.second.layers) < std::pair(b.second.macs, b.second.layers);
  });
  if (most == reasons.end() || most->second.macs == 0)
    return "";
  return "  most would help: " + layersOf(most->second.layers) + " with " + grouped(most->second.macs) +
         " products, such as '" + most->second.node + "', " + (most->second.layers == 1 ? "is" : "are") +
         " on " + fallbackTarget().name() + ": \"" + most->first + "\"" +
         adviceFor(most->first, isQuantized) + "\n";
}

} // namespace

std::string summaryText(const std::string &output, const Compiled &compiled) {
  std::map<std::string, Share> targets;
  Share all;
  for (const package::Layer &layer : compiled.package.layers) {
    add(targets[layer.target], layer);
    add(all, layer);
  }
  std::string text = output + ": " + layersOf(all.layers) + ", " + grouped(all.macs) + " products\n";
  for (const auto &[target, share] : targets) {
    text += "  " + target + ": " + layersOf(share.layers);
    if (all.macs)
      text +=
          ", " + percent(static_cast<double>(share.macs), static_cast<double>(all.macs)) + " of the products";
    text += runsStreams(target) ? ", " + grouped(compiled.expectedCycles) + " cycles expected\n" : "\n";
  }
  return text + mostHelp(compiled.package);
}

} // namespace daedalus::cli
