// See Fold.h.

#include "Schema/Fold.h"

#include "Values/EmptyTensor.h"

namespace daedalus::onnximport {
namespace {

constexpr int64_t most = 4096; // elements that are followed

/// The elements of its sources; null where one of the inputs is unknown.
HostTensorPtr moved(const NodeCheck &c, unsigned output, const std::vector<Source> &sources) {
  auto host = std::make_shared<HostTensor>();
  const Known &out = c.outputs[output];
  host->dtype = out.dtype;
  host->shape.assign(out.shape.begin(), out.shape.end());
  std::vector<int64_t> integers;
  for (const Source &source : sources) {
    const HostTensor *from = c.constant(source.input);
    if (!from)
      return nullptr;
    if (from->isFloat())
      host->floats.push_back(from->floats[source.at]);
    else if (from->dtype == onnx::TensorProto::DOUBLE)
      host->doubles.push_back(from->doubles[source.at]);
    else
      integers.push_back(from->ints[source.at]);
  }
  host->ints = narrowed(integers, out.dtype);
  return host;
}

bool isFollowed(const Known &out) {
  double count = 1;
  for (int64_t size : out.shape)
    count *= double(size);
  return out.isKnown() && !out.isShapeOpen && count <= most;
}

} // namespace

void fold(NodeCheck &c) {
  for (Known &out : c.outputs) // what has no element is known, whatever would compute it
    if (out.isKnown() && !out.isShapeOpen && llvm::is_contained(out.shape, 0) && !out.constant)
      out.constant = emptyTensor(out.dtype, out.shape);
  if (!c.outputs.empty() && isFollowed(c.outputs[0]) && !c.outputs[0].constant)
    c.outputs[0].constant = computed(c);
  for (unsigned i = 0; i < c.outputs.size(); ++i)
    if (Known &out = c.outputs[i]; isFollowed(out) && !out.constant)
      if (const auto sources = c.constant(0) ? sourcesOf(c, i) : std::nullopt)
        out.constant = moved(c, i, *sources);
}

} // namespace daedalus::onnximport
