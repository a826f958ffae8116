// Graphs of the stand-in of CUDA's driver library: what a stream is given while it captures is kept, and a
// launch gives it to a stream.
#include "standin_state.h"

using namespace daedalus::test;

namespace {

/// As by cuEventRecord, where the launch is.
void recordEvents(const std::vector<Piece> &nodes, void *stream) {
  for (const Piece &node : nodes)
    if (node.event)
      if (Thing *event = find("cuGraphLaunch", Kind::Event, node.event))
        event->stream = stream, event->isReached = false, event->isOfCapture = false;
}

void run(const std::vector<Piece> &nodes) {
  for (const Piece &node : nodes)
    if (parts().failure == 0)
      node.work();
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

int cuStreamBeginCapture_v2(void *stream, int mode) {
  constexpr const char *name = "cuStreamBeginCapture";
  if (const int status = calledInContext(name))
    return status;
  Thing *thing = find(name, Kind::Stream, stream);
  if (!thing || thing->isCapturing || mode != 1)
    return mistake(std::string(name) + " of what captures, or for all threads", invalidValue);
  thing->isCapturing = true;
  thing->capturer = std::this_thread::get_id();
  return 0;
}
/// It ends in any case.
int cuStreamEndCapture(void *stream, void **graph) {
  constexpr const char *name = "cuStreamEndCapture";
  Thing *thing = find(name, Kind::Stream, stream);
  if (!thing || !thing->isCapturing || thing->capturer != std::this_thread::get_id())
    return mistake(std::string(name) + " of what this thread does not capture", invalidValue);
  thing->isCapturing = false;
  std::vector<Piece> nodes;
  nodes.swap(thing->nodes);
  const int status = make(name, Kind::Template, 1, graph);
  if (!status)
    parts().things[*graph].nodes = nodes;
  return status;
}
int cuGraphInstantiateWithFlags(void **made, void *graph, unsigned long long) {
  constexpr const char *name = "cuGraphInstantiateWithFlags";
  const Thing *thing = find(name, Kind::Template, graph);
  const int status = make(name, Kind::Graph, 1, made);
  if (!status && thing)
    parts().things[*made].nodes = thing->nodes;
  return status;
}
int cuGraphDestroy(void *graph) {
  return destroy("cuGraphDestroy", Kind::Template, graph);
}
int cuGraphLaunch(void *graph, void *stream) {
  constexpr const char *name = "cuGraphLaunch";
  forbidCapturing(name);
  if (const int status = calledInContext(name))
    return status;
  const Thing *thing = find(name, Kind::Graph, graph);
  Thing *on = find(name, Kind::Stream, stream);
  if (!thing || !on)
    return invalidHandle;
  recordEvents(thing->nodes, stream);
  give(*on, {[nodes = thing->nodes] { run(nodes); }});
  return 0;
}
int cuGraphExecDestroy(void *graph) {
  return destroy("cuGraphExecDestroy", Kind::Graph, graph);
}

} // extern "C"
#pragma GCC visibility pop
