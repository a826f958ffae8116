// See TransposedWindow.h.

#include "TransposedWindow.h"

namespace daedalus::onnximport {
namespace {

constexpr int64_t most = int64_t(1) << 31;

/// What a dimension's output would be without pads, less what it is to be, cut off at both ends.
void cut(TransposedWindow &window, size_t i, int64_t whole, bool isUpper) {
  const int64_t total = std::max<int64_t>(whole - window.output[i], 0);
  window.padBegin[i] = isUpper ? total / 2 : total - total / 2;
  window.padEnd[i] = whole - window.output[i] - window.padBegin[i];
}

} // namespace

Result<TransposedWindow> readTransposedWindow(const Node &node, const Shape &input, const Shape &kernel) {
  const size_t rank = kernel.size();
  const std::string mode = textAttribute(node, "auto_pad", "NOTSET");
  if (mode != "NOTSET" && mode != "VALID" && mode != "SAME_UPPER" && mode != "SAME_LOWER")
    return error("attribute 'auto_pad' has value '" + mode +
                 "'; expected NOTSET, VALID, SAME_UPPER or SAME_LOWER");
  const Shape declared = intsAttribute(node, "kernel_shape", kernel);
  if (declared != kernel)
    return error("attribute 'kernel_shape' has value " + shapeText(declared) + "; expected " +
                 shapeText(kernel));
  const Result<Shape> strides = listAttribute(node, "strides", rank, 1, 1),
                      dilations = listAttribute(node, "dilations", rank, 1, 1),
                      pads = listAttribute(node, "pads", 2 * rank, 0, 0),
                      extra = listAttribute(node, "output_padding", rank, 0, 0);
  for (const Result<Shape> *list : {&strides, &dilations, &pads, &extra})
    if (!*list)
      return error(list->error());
  Shape given = intsAttribute(node, "output_shape", {});
  if (given.size() == rank + 2)
    given.erase(given.begin(), given.begin() + 2);
  if (!given.empty() && given.size() != rank)
    return error("attribute 'output_shape' has value " + shapeText(given) + "; expected " +
                 std::to_string(rank) + " integers");
  TransposedWindow window{kernel, *strides, *dilations, Shape(rank, 0), Shape(rank, 0), Shape(rank, 0)};
  for (size_t i = 0; i < rank; ++i) {
    if (kernel[i] < 1 || kernel[i] > most)
      return error("has a kernel of shape " + shapeText(kernel) + "; expected sizes of at least 1");
    if (input[2 + i] < 1)
      return error("has an input of shape " + shapeText(input) + "; expected sizes of at least 1");
    const int64_t bare = (*strides)[i] * (input[2 + i] - 1) + (kernel[i] - 1) * (*dilations)[i] + 1;
    const bool isSame = mode == "SAME_UPPER" || mode == "SAME_LOWER";
    if (!given.empty() || isSame) {
      window.output[i] = given.empty() ? input[2 + i] * (*strides)[i] : given[i];
      cut(window, i, bare + (given.empty() ? 0 : (*extra)[i]), mode == "SAME_UPPER");
      window.padEnd[i] = bare - window.output[i] - window.padBegin[i];
    } else {
      window.padBegin[i] = mode == "VALID" ? 0 : (*pads)[i];
      window.padEnd[i] = (mode == "VALID" ? 0 : (*pads)[rank + i]) - (*extra)[i];
      window.output[i] = bare - window.padBegin[i] - window.padEnd[i];
    }
    if (!given.empty() && (given[i] < 1 || given[i] > most))
      return error("attribute 'output_shape' has value " + shapeText(given) +
                   "; expected sizes from 1 to 2^31");
    if (window.output[i] < 1 || window.output[i] > most)
      return error("gives dimension " + std::to_string(2 + i) + " of size " + std::to_string(input[2 + i]) +
                   " the size " + std::to_string(window.output[i]) + "; expected 1 to 2^31");
  }
  return window;
}

} // namespace daedalus::onnximport
