// The layers of a package as a graph for Graphviz (dot).
#pragma once

#include "Report/Profile/ProfileReport.h"

#include <string>

namespace daedalus::report {

/// A digraph in Graphviz's language: a node a layer, with its name, products and target, coloured by target;
/// an edge from a layer to each one that reads its results (LayerGraph.h).
std::string placementDot(const package::Package &package, const isa::Machine &machine);

/// The same with each layer's cycles on the critical path and their share of the run; of a run without cycles
/// with the host's time.
std::string profileDot(const ProfiledRun &run);

} // namespace daedalus::report
