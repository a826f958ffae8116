// Cast, CastLike and BitCast.

#include "Elementwise/Elementwise.h"
#include "OperatorTable.h"
#include "Shapes/Views.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

/// What floats of 8 bits alone take notice of.
bool roundsAs(C &c) {
  return c.isFlag("saturate") && c.oneOf("round_mode", "up", {"up", "down", "nearest"});
}

bool castLike(C &c) {
  return roundsAs(c) && c.like(0);
}

bool cast(C &c) {
  const int64_t to = c.integer("to", 0);
  if (to < 1 || to > 16)
    return c.failAttribute("to", llvm::Twine(to), "1 to 16, a type of ONNX");
  c.outputs[0].dtype = static_cast<int32_t>(to);
  return roundsAs(c) && c.like(0);
}

/// The bits of a type of the same width.
bool bitCast(C &c) {
  const int32_t to = typeAttribute(c.node, "to", 0);
  const mlir::Builder builder(c.node.loc.getContext());
  const unsigned bits = elementType(builder, c.dtype(0)).getIntOrFloatBitWidth();
  if (!isPlainType(to) || elementType(builder, to).getIntOrFloatBitWidth() != bits)
    return c.failAttribute("to", llvm::Twine(c.integer("to", 0)),
                           "a type of " + llvm::Twine(bits) + " bits, like " + dtypeName(c.dtype(0)));
  c.outputs[0].dtype = to;
  return c.like(0);
}

/// A truth is 0 or 1, whatever its bits were.
Value bitCast(K &k) {
  return unary(k, [&](Value x) -> Value {
    if (k.output.dtype == onnx::TensorProto::BOOL)
      return k.stored(k.truth(x));
    return x.getType() == k.outputType() ? x : k.b.create<arith::BitcastOp>(k.loc, k.outputType(), x);
  });
}

Value cast(K &k) {
  return unary(k, [&](Value x) { return k.convert(x, k.dtype(0), k.output.dtype); });
}

/// Input 1 gives the type alone.
Value castLike(K &k) {
  return k.elementwiseOutput(k.read(0),
                             [&](ValueRange x) { return k.convert(x[0], k.dtype(0), k.output.dtype); });
}

/// To the type that it has.
Covered importCast(Importer &im, const Node &node) {
  return im.known(node, 0).dtype == intAttribute(node, "to", 0) ? importIdentity(im, node) : Covered(false);
}

} // namespace

void addCasts(Operators &all) {
  all["BitCast"] = {26, bitCast, bitCast, nullptr, inFloat32, true};
  all["Cast"] = {6, cast, cast, importCast, "CPU in float32; a view where the type stays", true};
  all["CastLike"] = {15, castLike, castLike};
}

} // namespace daedalus::onnximport
