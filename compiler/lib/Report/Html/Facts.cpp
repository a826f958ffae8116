// See HtmlReport.h.
#include "Report/Html/HtmlReport.h"
#include "Report/Profile/Utilisation.h"

namespace daedalus::report {
namespace {

using isa::CounterClass;

/// Spans in order as four columns, as differences, because small numbers pack well: the cycles between a
/// span and the one before, its length, its class, and its instruction less the one before.
Json columnsOf(const sim::SpanList &spans) {
  std::vector<uint64_t> gaps, lengths;
  std::vector<unsigned> classes;
  std::vector<int64_t> steps;
  uint64_t end = 0;
  int64_t instruction = 0;
  for (const sim::CycleSpan span : spans) {
    if (span.what == CounterClass::Idle)
      continue;
    gaps.push_back(span.first - end);
    lengths.push_back(span.end - span.first);
    classes.push_back(static_cast<unsigned>(span.what));
    steps.push_back(int64_t(span.instruction) - instruction);
    end = span.end;
    instruction = int64_t(span.instruction);
  }
  return {{"gaps", gaps}, {"lengths", lengths}, {"classes", classes}, {"steps", steps}};
}

Json spansJson(const runtime::ProgramProfile &program) {
  Json modules = Json::object();
  for (size_t m = 0; m < program.profile->spans.size(); ++m)
    modules[isa::name(static_cast<isa::CounterModule>(m))] = columnsOf(program.profile->spans[m]);
  return modules;
}

Json machineJson(const isa::Machine &machine) {
  return {{"n", machine.n}, {"bus_bytes", machine.busBytes}};
}

} // namespace

Json reportFacts(const ProfiledRun &run) {
  Json facts = Json::object();
  facts["classes"] = Json::array();
  for (unsigned c = 0; c < isa::CounterClassCount; ++c)
    facts["classes"].push_back(isa::name(static_cast<CounterClass>(c)));
  if (const LayerUse use = useOf(run.result, run.machine)) {
    facts["machine"] = machineJson(*run.machine);
    facts["utilisation"] = *use;
  }
  facts["spans"] = Json::array();
  for (const runtime::ProgramProfile &program : run.result.profiles)
    facts["spans"].push_back(spansJson(program));
  return facts;
}

} // namespace daedalus::report
