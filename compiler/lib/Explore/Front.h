// Which points of a sweep no other point beats in all objectives.
#pragma once

#include "Explore/Database.h"
#include "Explore/Space.h"

#include <string>
#include <vector>

namespace daedalus::explore {

/// A number of a machine that is to be small.
struct Objective {
  std::string name;
  const char *meaning;
  /// Of a machine, the costs of all networks there, and their weights.
  double (*of)(const isa::Machine &machine, const std::vector<Cost> &costs,
               const std::vector<double> &weights);
  bool ofMachine = false;           ///< the machine alone decides it
  bool needsClock = false;          ///< the machine has to state its clock
  std::vector<double> weights = {}; ///< by network, for geometric means; empty: all the same

  double at(const isa::Machine &machine, const std::vector<Cost> &costs) const {
    return of(machine, costs, weights);
  }
};

/// Whether the machines of the space have all that it needs: those of a time state their clock.
bool isKnown(const Objective &objective, const Space &space);

/// All that there are. Over several networks they are geometric means.
const std::vector<Objective> &objectives();
/// Those of a list with commas, at least one: "cycles", or "cycles:a.onnx" for one of the networks. The
/// others weigh the networks. An error names what is unknown.
Result<std::vector<Objective>> objectivesOf(const std::string &list,
                                            const std::vector<std::string> &networks = {},
                                            const std::vector<double> &weights = {});

struct Ranked {
  PointResult point;
  isa::Machine machine;
  std::vector<double> values; ///< by objective
  bool isOnFront = false;
};

/// The points where every network runs on the accelerator, with as few layers on the host's CPU as anywhere
/// in the sweep: cycles of others leave out more. Sorted by the objectives, the first one first.
std::vector<Ranked> ranked(const std::vector<PointResult> &points, const std::vector<Objective> &objectives);

} // namespace daedalus::explore
