// What a node's outputs hold where its inputs are known (what ONNX calls data propagation): the arithmetic of
// shapes that exporters write, of tensors of few elements.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_SCHEMA_FOLD_H
#define DAEDALUS_LIB_IMPORT_ONNX_SCHEMA_FOLD_H

#include "Schema/NodeCheck.h"

namespace daedalus::onnximport {

/// Sets the constants of the outputs of a node that its rule has passed; leaves open what it does not know.
/// An output with an extent of 0 is one: its node computes nothing.
void fold(NodeCheck &check);

/// Where each element of output `output` comes from.
struct Source {
  unsigned input;
  int64_t at; ///< row-major
};

/// Of a node that only moves elements, whose indices and sizes are known; nothing for all others.
std::optional<std::vector<Source>> sourcesOf(const NodeCheck &check, unsigned output);

/// The constant that an elementwise operator, a reduction or a generator gives; null: it is none, or unknown.
HostTensorPtr computed(const NodeCheck &check);

/// As wide as the type has them; all of them fit.
HostIntegers narrowed(const std::vector<int64_t> &values, int32_t dtype);

/// Calls f with each position of a shape, in row-major order.
template <class F> void forEachPosition(const Shape &shape, F f) {
  Shape at(shape.size(), 0);
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  for (int64_t i = 0; i < count; ++i) {
    f(at);
    for (size_t d = shape.size(); d-- > 0 && ++at[d] == shape[d];)
      at[d] = 0;
  }
}

/// The row-major index of a position.
int64_t flatIndex(const Shape &shape, const Shape &at);

/// That of the element of `shape`, which broadcasts to the position's shape.
int64_t broadcastIndex(const Shape &shape, const Shape &at);

} // namespace daedalus::onnximport

#endif
