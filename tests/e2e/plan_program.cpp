// See plan_program.h.

#include "plan_program.h"

#include "../unit/accelerator/kernel_model.h"

namespace daedalus::testing {
namespace {

/// A depthwise convolution by 3 x 3 of SIZE x SIZE pixels of C channels, P the padded size.
const char *const depthwise =
    R"(func.func private @depthwise(%x: tensor<1xSIZExSIZExCxi8>) -> tensor<1xSIZExSIZExCxi8> {
  %pad = arith.constant 5 : i8
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %pad : i8
  } : tensor<1xSIZExSIZExCxi8> to tensor<1xPxPxCxi8>
  %w = arith.constant dense<3> : tensor<3x3xCxi8>
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1xSIZExSIZExCxi32>
  %i = linalg.fill ins(%zero : i32) outs(%e : tensor<1xSIZExSIZExCxi32>) -> tensor<1xSIZExSIZExCxi32>
  %v = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<1> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
      ins(%p, %w : tensor<1xPxPxCxi8>, tensor<3x3xCxi8>) outs(%i : tensor<1xSIZExSIZExCxi32>) -> tensor<1xSIZExSIZExCxi32>
  %bias = arith.constant 7 : i32
  %mult = arith.constant 1073741824 : i32
  %shift = arith.constant 34 : i8
  %o = tensor.empty() : tensor<1xSIZExSIZExCxi8>
  %q = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>],
        iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%v : tensor<1xSIZExSIZExCxi32>) outs(%o : tensor<1xSIZExSIZExCxi8>) {
  ^bb0(%a: i32, %out: i8):
    %r = qnn.requantize %a, %bias, %mult, %shift {zero_point = 3 : i8, lo = -128 : i8, hi = 127 : i8, rounding = #qnn.rounding<half_even>} : (i32, i32, i32, i8) -> i8
    linalg.yield %r : i8
  } -> tensor<1xSIZExSIZExCxi8>
  return %q : tensor<1xSIZExSIZExCxi8>
}
)";

const char *const concat =
    R"(func.func private @concat(%a: tensor<1x6x6x32xi8>, %b: tensor<1x6x6x48xi8>, %c: tensor<1x6x6x16xi8>) -> tensor<1x6x6x96xi8> {
  %e = tensor.empty() : tensor<1x6x6x96xi8>
  %f = tensor.insert_slice %a into %e[0, 0, 0, 0] [1, 6, 6, 32] [1, 1, 1, 1] : tensor<1x6x6x32xi8> into tensor<1x6x6x96xi8>
  %g = tensor.insert_slice %b into %f[0, 0, 0, 32] [1, 6, 6, 48] [1, 1, 1, 1] : tensor<1x6x6x48xi8> into tensor<1x6x6x96xi8>
  %h = tensor.insert_slice %c into %g[0, 0, 0, 80] [1, 6, 6, 16] [1, 1, 1, 1] : tensor<1x6x6x16xi8> into tensor<1x6x6x96xi8>
  return %h : tensor<1x6x6x96xi8>
}
)";

std::string replaced(std::string text, const std::string &what, const std::string &by) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

} // namespace

std::string planProgram() {
  std::mt19937 random(11);
  std::string functions,
      main = "func.func @main(%x: tensor<1x12x12x3xi8>, %y: tensor<1x6x6x16xi8>) -> tensor<1x1x1x40xi8> {\n";
  const auto call = [&](const std::string &name, const std::string &operands, const std::string &types,
                        const std::string &result) {
    main += "  %" + name + " = call @" + name + "(" + operands + ") : (" + types + ") -> " + result + "\n";
  };
  const auto add = [&](KernelModel m, const std::string &name, const std::string &operands) {
    randomConstants(m, random, m.kind == Kind::Add);
    functions += kernelText(m, name);
    call(name, operands, inputType(m) + (m.kind == Kind::Add ? ", " + inputType(m) : ""), outputType(m));
  };
  add(layer(Kind::Conv, 12, 3, 32, 3, 1), "stem", "%x");
  add(layer(Kind::MaxPool, 12, 32, 32, 3, 2), "pool", "%stem");
  add(layer(Kind::Conv, 6, 32, 32, 3, 1), "body", "%pool");
  add(layer(Kind::Add, 6, 32, 32, 1, 1), "sum", "%body, %pool");
  add(layer(Kind::Conv, 6, 32, 32, 1, 1), "left", "%sum");
  add(layer(Kind::Conv, 6, 32, 48, 3, 1), "right", "%sum");
  functions += concat;
  call("concat", "%left, %right, %y", "tensor<1x6x6x32xi8>, tensor<1x6x6x48xi8>, tensor<1x6x6x16xi8>",
       "tensor<1x6x6x96xi8>");
  add(layer(Kind::Conv, 6, 96, 40, 1, 1), "head", "%concat");
  functions += replaced(replaced(replaced(depthwise, "SIZE", "6"), "P", "8"), "C", "40");
  call("depthwise", "%head", "tensor<1x6x6x40xi8>", "tensor<1x6x6x40xi8>");
  add(layer(Kind::GlobalSum, 6, 40, 40, 1, 1), "mean", "%depthwise");
  return functions + main + "  return %mean : tensor<1x1x1x40xi8>\n}\n";
}

} // namespace daedalus::testing
