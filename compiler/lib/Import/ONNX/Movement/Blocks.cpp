// DepthToSpace and SpaceToDepth.

#include "OperatorTable.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/Dialect/Qnn/Transforms/Constants.h"

using namespace mlir;
using llvm::Twine;

namespace daedalus::onnximport {
namespace {

/// The image has the dimensions `split`, of which `order` are those of the result in turn, of shape `shape`.
struct BlockMove {
  Shape split, order, shape;
};

BlockMove blockMoveOf(const Node &node, const Shape &x) {
  const bool areBehind =
      textAttribute(node, "mode", "DCR") == "CRD"; // the positions in a block, its channels
  const int64_t b = intAttribute(node, "blocksize", 1), n = x[0], c = x[1], h = x[2], w = x[3];
  if (node.proto.op_type() == "SpaceToDepth")
    return {{n, c, h / b, b, w / b, b},
            areBehind ? Shape{0, 1, 3, 5, 2, 4} : Shape{0, 3, 5, 1, 2, 4},
            {n, c * b * b, h / b, w / b}};
  const int64_t channels = c / (b * b);
  return {areBehind ? Shape{n, channels, b, b, h, w} : Shape{n, b, b, channels, h, w},
          areBehind ? Shape{0, 1, 4, 2, 5, 3} : Shape{0, 3, 4, 1, 5, 2},
          {n, channels, h * b, w * b}};
}

bool blockOf(C &c, int64_t &block) {
  block = c.integer("blocksize", 0);
  return c.rankIs(0, 4) && c.atLeast("blocksize", 1, 0) &&
         (block <= (1 << 15) || c.failAttribute("blocksize", Twine(block), "at most 2^15"));
}

bool depthToSpace(C &c) {
  int64_t block = 0;
  if (!c.oneOf("mode", "DCR", {"DCR", "CRD"}) || !blockOf(c, block))
    return false;
  const Shape &x = c.shape(0);
  if (x[1] % (block * block))
    return c.failToFit("blocksize", Twine(block),
                       "one whose square divides the " + Twine(x[1]) + " channels");
  return c.output(0, {x[0], x[1] / (block * block), x[2] * block, x[3] * block});
}

bool spaceToDepth(C &c) {
  int64_t block = 0;
  if (!c.oneOf("mode", "DCR", {"DCR", "CRD"}) || !blockOf(c, block))
    return false;
  const Shape &x = c.shape(0);
  if (x[2] % block || x[3] % block)
    return c.failToFit("blocksize", Twine(block), "a divisor of height and width of shape " + shapeText(x));
  return c.output(0, {x[0], x[1] * block * block, x[2] / block, x[3] / block});
}

Value blocks(K &k) {
  const BlockMove move = blockMoveOf(k.node, k.shape(0));
  return k.reshape(k.transpose(k.reshape(k.in(0), move.split), move.order), move.shape);
}

/// Blocks of rows and columns from channels, or channels from them.
Covered importBlocks(Importer &im, const Node &node) {
  const Shape x = im.known(node, 0).shape;
  if (!im.canMove(node))
    return false;
  const BlockMove move = blockMoveOf(node, x);
  Value blocks = im.reshaped(im.valueOf(node, 0), move.split, node.loc);
  im.defineMoved(
      node, im.reshaped(qnn::transposed(im.builder, node.loc, blocks, move.order), move.shape, node.loc));
  return true;
}

} // namespace

void addBlocks(Operators &all) {
  const char *quantized = "accelerator with mode DCR; CPU in int8 otherwise";
  all["DepthToSpace"] = {1, depthToSpace, blocks, importBlocks, quantized};
  all["SpaceToDepth"] = {1, spaceToDepth, blocks, importBlocks, quantized};
}

} // namespace daedalus::onnximport
