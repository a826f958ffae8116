#include "Report/Placement/Summary.h"
#include "Report/Table.h"
#include "daedalus/Target/Target.h"

#include <algorithm>
#include <cstdio>
#include <map>

namespace daedalus::report {
namespace {

using Times = std::optional<std::vector<double>>;

constexpr double leastMicroseconds = 1; // less is not worth a sentence

struct Share {
  uint64_t layers = 0, macs = 0;
  double microseconds = 0;
  std::string node; ///< the first

  void add(const package::Layer &layer, double time) {
    if (layers++ == 0)
      node = layer.node;
    macs += layer.macs;
    microseconds += time;
  }
};

double timeOf(const Times &times, size_t layer) {
  return times ? (*times)[layer] : 0;
}

std::string layersOf(uint64_t count) {
  return grouped(count) + (count == 1 ? " layer" : " layers");
}

std::string productsOf(uint64_t macs, uint64_t all) {
  return all ? ", " + percent(static_cast<double>(macs), static_cast<double>(all)) + " of the products" : "";
}

std::string hostTimeOf(const Share &share, const Times &times) {
  if (!times)
    return "";
  char text[48];
  std::snprintf(text, sizeof text, ", %.3f ms on this host", share.microseconds / 1000);
  return text;
}

/// What to do where layers are not on the accelerator for this reason; may be empty.
std::string adviceFor(const std::string &reason, bool isQuantized) {
  const auto says = [&](const char *what) { return reason.find(what) != std::string::npos; };
  if (reason.rfind("computes in float", 0) != 0)
    return "";
  if (says("16 bits"))
    return ": quantize to 8 bits, activations and weights";
  if (!isQuantized)
    return ": the accelerator computes in int8, so quantize the model first, for example by "
           "onnxruntime.quantization.quantize_static (docs/tutorials/from_pytorch.md)";
  return says("not quantized")
             ? ": quantize these operators too, each input and output by a QuantizeLinear and "
               "DequantizeLinear"
             : "";
}

/// The reason that costs most on the CPU: time, or where none is measured products. Nothing where that is
/// none.
std::string mostOnHost(const Compiled &compiled, const Times &times) {
  const std::vector<package::Layer> &layers = compiled.package.layers;
  std::map<std::string, Share> reasons;
  for (uint32_t i : compiled.demand.cpuLayers)
    reasons[layers[i].reason].add(layers[i], timeOf(times, i));
  const auto most = std::max_element(reasons.begin(), reasons.end(), [](const auto &a, const auto &b) {
    return std::tuple(a.second.microseconds, a.second.macs, a.second.layers) <
           std::tuple(b.second.microseconds, b.second.macs, b.second.layers);
  });
  if (most == reasons.end() ||
      (times ? most->second.microseconds < leastMicroseconds : most->second.macs == 0))
    return "";
  const Share &share = most->second;
  return "  most of the work on " + fallbackTarget().name() + ": " + layersOf(share.layers) + " with " +
         grouped(share.macs) + " products" + hostTimeOf(share, times) + ", such as '" + share.node + "': \"" +
         most->first + "\"" + adviceFor(most->first, compiled.demand.isQuantized) + "\n";
}

} // namespace

/// Products alone do not show that the host has most of the work; without a clock, time does not either.
static std::string comparisonText(const isa::Machine &machine, uint64_t cycles, double hostMicroseconds) {
  if (!cycles || !machine.clockMhz)
    return "";
  const double expected = static_cast<double>(cycles) / machine.clockMhz;
  if (hostMicroseconds <= expected)
    return "";
  char text[400];
  std::snprintf(text, sizeof text,
                "  most of the time is %s's: %.3f ms on this host, where the cycles would take %.3f ms at "
                "the %u MHz that "
                "machine '%s' states\n",
                fallbackTarget().name().c_str(), hostMicroseconds / 1000, expected / 1000,
                static_cast<unsigned>(machine.clockMhz), machine.name.c_str());
  return text;
}

std::string summaryText(const Compiled &compiled, const isa::Machine &machine, uint64_t cycles,
                        const Times &times) {
  std::map<std::string, Share> targets;
  Share all;
  const std::vector<package::Layer> &layers = compiled.package.layers;
  for (size_t i = 0; i < layers.size(); ++i) {
    targets[layers[i].target].add(layers[i], timeOf(times, i));
    all.add(layers[i], 0);
  }
  std::string text = layersOf(all.layers) + ", " + grouped(all.macs) + " products\n";
  for (const auto &[target, share] : targets) {
    text += "  " + target + ": " + layersOf(share.layers) + productsOf(share.macs, all.macs);
    if (runsStreams(target))
      text += ", " + grouped(cycles) + " cycles expected";
    else if (target == fallbackTarget().name())
      text += hostTimeOf(share, times);
    text += "\n";
  }
  return text + comparisonText(machine, cycles, times ? targets[fallbackTarget().name()].microseconds : 0) +
         mostOnHost(compiled, times);
}

} // namespace daedalus::report
