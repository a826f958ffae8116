// Einsum as one structured operation: parallel loops for the output's dimensions, reductions for the others.

#include "../Einsum.h"
#include "Builds.h"
#include "Statistics.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using K = GeneralKernel;

Value einsum(K &k) {
  std::vector<Shape> shapes;
  for (size_t i = 0; i < k.operands.size(); ++i)
    shapes.push_back(k.shape(i));
  const Einsum of = *readEinsum(textAttribute(k.node, "equation", ""), shapes); // checked
  const unsigned count = of.sizes.size();
  SmallVector<Read> reads;
  for (auto [i, loops] : llvm::enumerate(of.operands)) {
    SmallVector<AffineExpr> at;
    for (int64_t loop : loops)
      at.push_back(loop < 0 ? k.b.getAffineConstantExpr(0) : k.b.getAffineDimExpr(loop));
    reads.push_back({k.in(i), AffineMap::get(count, 0, at, k.b.getContext())});
  }
  return k.reduce(k.output.shape, k.loops(count, range(0, of.rank)), k.number(0, k.outputType()), reads,
                  [&](Value sum, ValueRange x) {
                    Value term = x[0];
                    for (Value factor : x.drop_front())
                      term = k.mul(term, factor);
                    return k.add(sum, term);
                  });
}

} // namespace

void addEinsum(Builds &builds) {
  builds["Einsum"] = einsum;
}

} // namespace daedalus::onnximport
