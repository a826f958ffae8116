// See Dot.h.
#include "Report/Graph/Dot.h"
#include "Report/Graph/LayerGraph.h"
#include "Report/Profile/ProfileSums.h"
#include "Report/RunReport.h"
#include "Report/Table.h"
#include "daedalus/Target/Target.h"

#include <algorithm>

namespace daedalus::report {
namespace {

/// Inside of quotes; a fused layer has a line for each of its nodes.
std::string escaped(const std::string &text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i)
    if (text.compare(i, 3, " + ") == 0)
      result += "\\n", i += 2;
    else if (text[i] == '"' || text[i] == '\\')
      result += {'\\', text[i]};
    else
      result += text[i] == '\n' ? ' ' : text[i];
  return result;
}

/// Of Graphviz's scheme pastel19: grey of the fallback, the others in the order in which layers have them.
class Colours {
public:
  size_t of(const std::string &target) {
    constexpr size_t grey = 9;
    if (target == fallbackTarget().name())
      return grey;
    auto at = std::find(seen.begin(), seen.end(), target);
    if (at == seen.end())
      at = seen.insert(seen.end(), target);
    return 1 + static_cast<size_t>(at - seen.begin()) % (grey - 1);
  }

private:
  std::vector<std::string> seen;
};

/// `line`: what stands between the name and the target of a layer, by its index; may be empty.
template <class Line>
std::string dotText(const package::Package &package, const isa::Machine *machine, Line &&line) {
  std::string text = "digraph layers {\n"
                     "  node [shape=box, style=\"rounded,filled\", colorscheme=pastel19, "
                     "fontname=\"sans-serif\", fontsize=11];\n";
  Colours colours;
  for (size_t i = 0; i < package.layers.size(); ++i) {
    const package::Layer &layer = package.layers[i];
    const std::string own = line(i);
    text += "  " + std::to_string(i) + " [label=\"" + escaped(layer.node) + "\\n" +
            (own.empty() ? "" : own + "\\n") + escaped(layer.target) +
            "\", fillcolor=" + std::to_string(colours.of(layer.target)) + "];\n";
  }
  const auto sources = sourcesOf(package, machine);
  for (size_t reader = 0; reader < sources.size(); ++reader)
    for (const uint32_t writer : sources[reader])
      text += "  " + std::to_string(writer) + " -> " + std::to_string(reader) + ";\n";
  return text + "}\n";
}

} // namespace

std::string placementDot(const package::Package &package, const isa::Machine &machine) {
  return dotText(package, &machine, [&](size_t layer) {
    const uint64_t macs = package.layers[layer].macs;
    return macs ? grouped(macs) + " products" : "";
  });
}

std::string profileDot(const ProfiledRun &run) {
  const std::vector<ProfileSums> sums = profileSums(run.result, run.package);
  return dotText(run.package, run.machine, [&](size_t layer) {
    if (const uint64_t cycles = sums[layer].pathCycles(); runsStreams(run.package.layers[layer].target))
      return grouped(cycles) + " cycles, " +
             percent(static_cast<double>(cycles), static_cast<double>(run.result.cycles));
    const uint64_t nanoseconds = run.result.layers[layer].hostNanoseconds;
    return nanoseconds ? microsecondsText(nanoseconds) + " us" : "";
  });
}

} // namespace daedalus::report
