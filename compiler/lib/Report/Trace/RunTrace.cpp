#include "Report/Trace/RunTrace.h"
#include "Tuning/Costs.h"

#include "daedalus/isa/assembly.h"
#include "daedalus/isa/encoding.h"
#include "daedalus/simulator/token_givers.h"

namespace daedalus::report {
namespace {

using isa::CounterClass;
using isa::CounterModule;

constexpr uint32_t Sequence = 1; ///< all packets are of one writer
constexpr uint64_t Process = 1, FirstModule = 2, Path = FirstModule + isa::CounterModuleCount,
                   Memory = Path + 1;

uint64_t trackOf(CounterModule module) {
  return FirstModule + static_cast<uint64_t>(module);
}

/// "gemm" of "gemm wait=load inp=...".
std::string mnemonicOf(const std::string &text) {
  return text.substr(0, text.find(' '));
}

} // namespace

RunTrace::RunTrace(PacketFile &file, const package::Package &package, const std::string &name)
    : file(file), package(package) {
  trace::TracePacket packet;
  packet.set_trusted_packet_sequence_id(Sequence);
  trace::TrackDescriptor &process = *packet.mutable_track_descriptor();
  process.set_uuid(Process);
  process.mutable_process()->set_pid(1);
  process.mutable_process()->set_process_name(name + " (1 ns is 1 cycle)");
  file.add(packet);
  for (unsigned m = 0; m < isa::CounterModuleCount; ++m)
    describe(FirstModule + m, isa::name(static_cast<CounterModule>(m)));
  describe(Path, "critical path");
}

void RunTrace::describe(uint64_t track, const std::string &name) {
  trace::TracePacket packet;
  packet.set_trusted_packet_sequence_id(Sequence);
  trace::TrackDescriptor &descriptor = *packet.mutable_track_descriptor();
  descriptor.set_uuid(track);
  descriptor.set_name(name);
  descriptor.set_parent_uuid(Process);
  file.add(packet);
}

/// The tokens of the program, each an arrow of its own.
void RunTrace::begin(uint32_t started) {
  program = started;
  instructions = *isa::decodeWords(package.programs[program].words);
  given.assign(instructions.size(), {});
  taken = given;
  shown.assign(instructions.size(), false);
  const sim::TokenGivers givers = sim::tokenGivers(instructions);
  for (uint32_t taker = 0; taker < givers.size(); ++taker)
    for (size_t module = 0; module < givers[taker].size(); ++module)
      if (const uint32_t giver = givers[taker][module]; giver != sim::NoInstruction) {
        const uint64_t flow = (from + 1) << 34 ^ (uint64_t(taker) << 2 | module);
        given[giver].push_back(flow);
        taken[taker].push_back(flow);
      }
}

std::string RunTrace::nodeOf(uint32_t instruction) const {
  const uint32_t layer = tuning::layerOf(package.programs[program], instruction);
  return layer == package::noLayer ? "" : package.layers[layer].node;
}

/// Named by the instruction and its ONNX nodes; a wait by its class.
trace::TrackEvent RunTrace::eventOf(CounterClass what, uint32_t instruction) const {
  trace::TrackEvent event;
  event.add_categories(isa::name(what));
  if (instruction >= instructions.size()) {
    event.set_name(isa::name(what));
    return event;
  }
  const std::string text = isa::disassemble(instructions[instruction]), node = nodeOf(instruction);
  const std::string of = mnemonicOf(text) + (node.empty() ? "" : " " + node);
  event.set_name(what == CounterClass::Busy ? of : std::string(isa::name(what)) + ": " + of);
  const auto annotate = [&](const char *name) -> trace::DebugAnnotation & {
    trace::DebugAnnotation &annotation = *event.add_debug_annotations();
    annotation.set_name(name);
    return annotation;
  };
  annotate("instruction").set_uint_value(instruction);
  annotate("text").set_string_value(text);
  return event;
}

void RunTrace::slice(uint64_t track, uint64_t first, uint64_t end, trace::TrackEvent event) {
  trace::TracePacket packet;
  packet.set_trusted_packet_sequence_id(Sequence);
  packet.set_timestamp(from + first);
  event.set_type(trace::TrackEvent::SLICE_BEGIN);
  event.set_track_uuid(track);
  *packet.mutable_track_event() = std::move(event);
  file.add(packet);
  packet.set_timestamp(from + end);
  packet.clear_track_event();
  packet.mutable_track_event()->set_type(trace::TrackEvent::SLICE_END);
  packet.mutable_track_event()->set_track_uuid(track);
  file.add(packet);
}

/// At the first work of its module for it, an instruction takes its tokens, and shows those that it gives.
void RunTrace::addFlows(uint32_t instruction, trace::TrackEvent &event) {
  if (shown[instruction])
    return;
  shown[instruction] = true;
  for (const uint64_t flow : given[instruction])
    event.add_flow_ids(flow);
  for (const uint64_t flow : taken[instruction])
    event.add_terminating_flow_ids(flow);
}

void RunTrace::add(const sim::CycleSpan &span) {
  if (span.what == CounterClass::Idle)
    return;
  trace::TrackEvent event = eventOf(span.what, span.instruction);
  if (span.what == CounterClass::Busy && span.module != CounterModule::Fetch)
    addFlows(span.instruction, event);
  slice(trackOf(span.module), span.first, span.end, std::move(event));
}

void RunTrace::add(const sim::PathSegment &segment) {
  trace::TrackEvent event = eventOf(segment.what, segment.instruction);
  event.set_name(std::string(isa::name(segment.module)) + " " + event.name());
  slice(Path, segment.first, segment.end, std::move(event));
}

/// On a track that is there once a DRAM was refreshed.
void RunTrace::addRefreshes(const sim::DramActivity &dram) {
  if (!dram.refreshes.empty() && !hasMemory)
    describe(Memory, "DRAM");
  hasMemory = hasMemory || !dram.refreshes.empty();
  for (const sim::DramRefresh &refresh : dram.refreshes) {
    trace::TrackEvent event;
    event.add_categories("refresh");
    event.set_name("refresh");
    slice(Memory, refresh.first, refresh.end, std::move(event));
  }
}

void RunTrace::add(const runtime::ProgramProfile &run) {
  begin(run.program);
  for (const sim::SpanList &spans : run.profile->spans)
    for (const sim::CycleSpan span : spans)
      add(span);
  for (const sim::PathSegment &segment : run.profile->path)
    add(segment);
  addRefreshes(run.profile->dram);
  from += run.profile->cycles;
}

} // namespace daedalus::report
