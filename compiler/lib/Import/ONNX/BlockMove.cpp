// See BlockMove.h.

#include "BlockMove.h"

namespace daedalus::onnximport {

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

} // namespace daedalus::onnximport
