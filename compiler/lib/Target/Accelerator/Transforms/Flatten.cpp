// Flatten: the same computation in the fewest dimensions, for tiles are then cut where they need not be
// square. A window as large as its input is a product of one pixel, or a row of pixels; pixels that are read
// and written one by one are one row; and where nothing differs from channel to channel, everything is one
// long pixel. Each form needs that the tensors' elements lie one behind the other, which parts of wider ones
// (`isDense`) and layouts of their own do not.

#include "Transforms/Transforms.h"

#include "llvm/ADT/STLExtras.h"

namespace daedalus::accelerator {

void flatten(Kernel &kernel, bool isDense) {
  Window &w = kernel.window;
  kernel.dense = isDense && isPlain(kernel);
  if (!isPlain(kernel))
    return;
  const bool repeats = kernel.repeatH != 1 || kernel.repeatW != 1;
  if (!kernel.combiner && isDense && !repeats && kernel.isUniform()) {
    int64_t total = w.b * w.h * w.w * w.c;
    w = Window();
    w.c = w.oc = total;
    return;
  }
  bool whole = w.kh == w.h && w.kw == w.w && w.oh == 1 && w.ow == 1 && !w.pt && !w.pl;
  bool dense = (w.kh == 1 || w.dh == 1) && (w.kw == 1 || w.dw == 1);
  if (whole && dense)
    w.sh = w.sw = w.dh = w.dw = 1;
  if (whole && dense && isDense && kernel.isWeighted() && kernel.groups == 1) {
    w.c *= w.h * w.w;
    w.h = w.w = w.kh = w.kw = 1;
  } else if (whole && dense) {
    w.w = w.kw = w.h * w.w;
    w.h = w.kh = 1;
  }
  if (!repeats && isPixelwise(w)) {
    w.w = w.ow = w.b * w.h * w.w;
    w.b = w.h = w.oh = 1;
  }
}

} // namespace daedalus::accelerator
