// See search_table.h.
#include "search_table.h"

#include "Explore/Sobol.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <random>
#include <sstream>
#include <zlib.h>

namespace daedalus::explore {
namespace {

std::string folder() {
  const char *given = std::getenv("DAEDALUS_SEARCH_TABLES");
  return given ? given : DAEDALUS_SOURCE_DIR "/tests/unit/explore/spaces";
}

Space spaceOf(const std::string &name) {
  std::ifstream file(folder() + "/" + name + ".yaml");
  std::stringstream text;
  text << file.rdbuf();
  const Result<Space> space = readSpace(text.str(), name);
  EXPECT_TRUE(space) << space.error();
  return *space;
}

Values logarithms(Values values) {
  for (double &value : values)
    value = std::log(value);
  return values;
}

} // namespace

std::vector<std::pair<std::string, std::string>> tableRows() {
  if (!std::getenv("DAEDALUS_SEARCH_SPACES"))
    return {{"3", "cycles,area"}, {"4", "cycles,dram_bytes,area"}};
  std::vector<std::pair<std::string, std::string>> rows;
  for (const char *space : {"1", "2", "3", "4"})
    for (const char *objectives : {"cycles,area", "cycles,energy,area", "cycles,dram_bytes,area"})
      rows.emplace_back(space, objectives);
  return rows;
}

double medianOf(Values numbers) {
  std::sort(numbers.begin(), numbers.end());
  return (numbers[(numbers.size() - 1) / 2] + numbers[numbers.size() / 2]) / 2;
}

Table::Table(const std::string &name, const std::string &list) {
  const Space space = spaceOf(name);
  counts = space.counts();
  const auto objectives = objectivesOf(list);
  gzFile file = gzopen((folder() + "/" + name + ".csv.gz").c_str(), "rb");
  char line[256];
  for (gzgets(file, line, sizeof line); gzgets(file, line, sizeof line);)
    add(line, space, *objectives);
  gzclose(file);
  std::vector<Values> logs;
  for (const auto &[point, one] : values)
    logs.push_back(logarithms(one));
  front = frontOf(logs);
  bound.assign(objectives->size(), -INFINITY);
  for (const Values &one : front)
    for (size_t i = 0; i < bound.size(); ++i)
      bound[i] = std::max(bound[i], one[i] + std::log(1.1));
  whole = hypervolume(front, bound);
}

void Table::add(const char *line, const Space &space, const std::vector<Objective> &objectives) {
  uint64_t point = 0;
  Cost cost;
  std::sscanf(line, "%lu,%lu,%lu,%lf", &point, &cost.cycles, &cost.dramBytes, &cost.picojoules);
  const isa::Machine machine = *space.point(point).machine;
  for (const Objective &objective : objectives) {
    values[point].push_back(objective.at(machine, {cost}));
    known[point].push_back(objective.ofMachine ? values[point].back() : NAN);
  }
}

double Table::shareOf(const Points &points) const {
  std::vector<Values> found;
  for (const uint64_t point : points)
    found.push_back(logarithms(values.at(point)));
  return hypervolume(found, bound) / whole;
}

uint64_t Table::pointsTo99(const Points &points) const {
  uint64_t count = 8;
  while (count < points.size() && shareOf({points.begin(), points.begin() + long(count)}) < 0.99)
    count += 8;
  return std::min<uint64_t>(count, points.size());
}

Points Table::searched(uint64_t evaluations, uint64_t seed) const {
  std::map<uint64_t, Values> answers;
  SearchGrid grid;
  for (const uint64_t count : counts)
    grid.axes.push_back({count, true});
  grid.objectives = bound.size();
  grid.look = [&](uint64_t point) {
    const auto found = known.find(point);
    return found == known.end() ? std::nullopt : std::optional<Values>(found->second);
  };
  grid.evaluate = [&](const Points &points) -> Result<std::map<uint64_t, Values>> {
    for (const uint64_t point : points)
      answers[point] = values.at(point);
    return answers;
  };
  return *search(grid, {evaluations, seed, {}});
}

Points Table::random(uint64_t evaluations, uint64_t seed) const {
  Points points;
  for (const auto &[point, one] : values)
    points.push_back(point);
  std::shuffle(points.begin(), points.end(), std::mt19937_64(seed));
  points.resize(evaluations);
  return points;
}

Points Table::sobol(uint64_t evaluations, uint64_t seed) const {
  return SobolPoints(counts, seed).take(evaluations, [&](uint64_t point) { return values.count(point) > 0; });
}

} // namespace daedalus::explore
