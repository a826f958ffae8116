// See ProfileReport.h.
#include "Report/Graph/LayerGraph.h"
#include "Report/Hexadecimal.h"
#include "Report/Profile/CountersJson.h"
#include "Report/Profile/DramFigures.h"
#include "Report/Profile/LayerFigures.h"
#include "Report/Profile/Occupancy.h"
#include "Report/Profile/Utilisation.h"
#include "daedalus/Target/Target.h"
#include "daedalus/isa/assembly.h"
#include "daedalus/isa/encoding.h"

namespace daedalus::report {
namespace {

using isa::CounterClass;
using isa::CounterModule;

Json json(const package::LeastWork &work) {
  Json all = Json::object();
  for (const auto &[name, member] : package::LeastWork::fields())
    if (work.*member)
      all[name] = work.*member;
  return all;
}

/// Picojoules.
Json json(const Energy &energy) {
  return {{"array", energy.array},
          {"vector", energy.vector},
          {"scratchpads", energy.scratchpads},
          {"dram", energy.dram}};
}

/// Of a layer on the accelerator.
void addFigures(Json &entry, const LayerFigures &figures, uint64_t macs, const runtime::Counters &path) {
  entry["read_bytes"] = figures.bytes.read;
  entry["written_bytes"] = figures.bytes.written;
  if (const std::optional<double> intensity = macsPerByte(macs, figures.bytes))
    entry["macs_per_byte"] = *intensity;
  if (figures.bound) {
    entry["bound_cycles"] = figures.bound;
    entry["least_work"] = json(figures.least);
  }
  if (const std::string limit = limitOf(path); limit != "-")
    entry["limited_by"] = limit;
}

Json layerJson(const runtime::LayerCycles &layer, const LayerUse &use, const ProfileSums &sums,
               const LayerFigures &figures, bool isPriced) {
  Json entry = {{"node", layer.node}, {"target", layer.target}, {"macs", layer.macs}};
  if (layer.target == fallbackTarget().name())
    entry["host_us"] = static_cast<double>(layer.hostNanoseconds) / 1000;
  if (layer.deviceTicks)
    entry["device_ticks"] = layer.deviceTicks;
  if (layer.copiedBytes) {
    entry["copied_bytes"] = layer.copiedBytes;
    entry["copy_us"] = static_cast<double>(layer.copyNanoseconds) / 1000;
  }
  entry["path_cycles"] = sums.pathCycles();
  entry["path"] = countersJson(sums.path);
  entry["modules"] = countersJson(sums.modules);
  if (runsStreams(layer.target))
    addFigures(entry, figures, layer.macs, sums.path);
  if (runsStreams(layer.target) && isPriced)
    entry["estimated_pj"] = json(figures.energy);
  if (use)
    entry["utilisation"] = *use;
  return entry;
}

/// By scratchpad.
Json json(const std::vector<ScopeOccupancy> &scopes) {
  Json all = Json::object();
  for (const ScopeOccupancy &one : scopes)
    all[isa::name(one.scope)] = {
        {"capacity_bytes", one.capacity}, {"peak_bytes", one.peak}, {"mean_bytes", one.mean}};
  return all;
}

Json segmentJson(const sim::PathSegment &segment) {
  Json entry = {{"first", segment.first},
                {"end", segment.end},
                {"module", isa::name(segment.module)},
                {"class", isa::name(segment.what)}};
  if (segment.instruction != sim::NoInstruction)
    entry["instruction"] = segment.instruction;
  return entry;
}

Json instructionJson(const sim::InstructionCycles &cycles, const isa::Instruction &instruction,
                     uint32_t layer) {
  Json entry = {{"text", isa::disassemble(instruction)},
                {"module", isa::name(cycles.module)},
                {"start", cycles.start},
                {"end", cycles.end},
                {"fetch", countersJson(cycles.fetch)},
                {"own", countersJson(cycles.own)}};
  if (layer != package::noLayer)
    entry["layer"] = layer;
  return entry;
}

Json programJson(const ProfiledRun &run, const runtime::ProgramProfile &program) {
  const sim::Profile &profile = *program.profile;
  Json entry = {{"program", program.program}, {"cycles", profile.cycles}, {"path", Json::array()}};
  for (const sim::PathSegment &segment : profile.path)
    entry["path"].push_back(segmentJson(segment));
  const package::AcceleratorProgram &source = run.package.programs[program.program];
  const auto decoded = isa::decodeWords(source.words);
  entry["instructions"] = Json::array();
  for (size_t i = 0; i < profile.instructions.size(); ++i)
    entry["instructions"].push_back(
        instructionJson(profile.instructions[i], (*decoded)[i], tuning::layerOf(source, i)));
  return entry;
}

} // namespace

Json profileJson(const ProfiledRun &run, bool instructions) {
  const std::vector<ProfileSums> sums = profileSums(run.result, run.package);
  Json layers = Json::array(), programs = Json::array();
  const std::vector<LayerUse> uses = usesOf(run.result, run.machine);
  const std::vector<LayerFigures> figures = layerFigures(run);
  const std::vector<std::set<uint32_t>> sources = sourcesOf(run.package, run.machine);
  for (size_t i = 0; i < run.package.layers.size(); ++i) {
    layers.push_back(layerJson(run.result.layers[i], uses[i], sums[i], figures[i], run.energy));
    if (!sources[i].empty())
      layers.back()["reads_from"] = sources[i];
  }
  if (instructions)
    for (const runtime::ProgramProfile &program : run.result.profiles)
      programs.push_back(programJson(run, program));
  Json report = {{"schema", profileSchema},
                 {"version", DAEDALUS_VERSION},
                 {"model", run.model},
                 {"engine", run.engine},
                 {"machine", run.machine ? Json(run.machine->name) : Json()},
                 {"machine_hash", run.machine ? Json(hexadecimal(run.machine->hash())) : Json()},
                 {"cycles", run.result.cycles},
                 {"bound_cycles", boundOf(run)},
                 {"modules", countersJson(run.result.counters)},
                 {"layers", std::move(layers)},
                 {"none",
                  {{"path_cycles", sums.back().pathCycles()},
                   {"path", countersJson(sums.back().path)},
                   {"modules", countersJson(sums.back().modules)}}}};
  if (run.machine && run.machine->memoryModel)
    report["dram"] = dramJson(run);
  if (const auto scopes = occupancyOf(run); !scopes.empty())
    report["occupancy"] = json(scopes);
  if (run.energy)
    report["energy_source"] = run.energy->source;
  if (instructions)
    report["programs"] = std::move(programs);
  return report;
}

} // namespace daedalus::report
