// What whole tensor programs may be written with: every program here is compiled as the command does and
// gives a plain interpreter's bytes on functional, on systemc and compiled for the CPU.
#include "program_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace daedalus::testing {
namespace {

struct Program {
  std::string name, text;
};

void PrintTo(const Program &program, std::ostream *out) {
  *out << program.name;
}

std::string replaced(std::string text, const std::string &from, const std::string &to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

/// One named operation of int8 operands with int32 sums from `start`, clamped. `%w` is an input or a
/// constant.
Program named(const std::string &op, const std::string &x, const std::string &w, const std::string &y,
              bool isConstant = false, const std::string &start = "0") {
  std::string loops, text = R"(func.func @main(%x: tensor<X>INPUT) -> tensor<Yxi8> {
  CONSTANT%start = arith.constant START : i32
  %low = arith.constant -128 : i32
  %high = arith.constant 127 : i32
  %e = tensor.empty() : tensor<Yxi32>
  %f = linalg.fill ins(%start : i32) outs(%e : tensor<Yxi32>) -> tensor<Yxi32>
  %s = linalg.NAMED ins(%x, %w : tensor<X>, tensor<W>) outs(%f : tensor<Yxi32>) -> tensor<Yxi32>
  %q = tensor.empty() : tensor<Yxi8>
  %r = linalg.generic {indexing_maps = [affine_map<(LOOPS) -> (LOOPS)>, affine_map<(LOOPS) -> (LOOPS)>],
      iterator_types = [KINDS]} ins(%s : tensor<Yxi32>) outs(%q : tensor<Yxi8>) {
  ^bb0(%a: i32, %o: i8):
    %l = arith.maxsi %a, %low : i32
    %h = arith.minsi %l, %high : i32
    %t = arith.trunci %h : i32 to i8
    linalg.yield %t : i8
  } -> tensor<Yxi8>
  return %r : tensor<Yxi8>
}
)";
  std::string kinds;
  for (size_t d = 0; d <= static_cast<size_t>(std::count(y.begin(), y.end(), 'x')); ++d) {
    loops += (d ? ", d" : "d") + std::to_string(d);
    kinds += d ? ", \"parallel\"" : "\"parallel\"";
  }
  const bool isWindow = op.rfind("pooling", 0) == 0;
  for (const auto &[from, to] : std::vector<std::pair<std::string, std::string>>{
           {"INPUT", isConstant || isWindow ? "" : ", %w: tensor<W>"},
           {"CONSTANT", isWindow     ? "%w = tensor.empty() : tensor<W>\n  "
                        : isConstant ? "%w = arith.constant dense<3> : tensor<W>\n  "
                                     : ""},
           {"START", start},
           {"NAMED", op},
           {"LOOPS", loops},
           {"KINDS", kinds},
           {"tensor<X>", "tensor<" + x + "xi8>"},
           {"tensor<W>", "tensor<" + w + "xi8>"},
           {"tensor<Y", "tensor<" + y}})
    text = replaced(text, from, to);
  return {op.substr(0, op.find(' ')) + (isConstant ? "_by_a_constant" : ""), text};
}

std::vector<Program> namedOperations() {
  const std::string one = " {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>}",
                    two = " {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}",
                    three = " {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>}";
  std::vector<Program> all;
  for (bool isConstant : {false, true})
    for (const Program &program :
         {named("matmul", "5x16", "16x7", "5x7", isConstant),
          named("matmul_transpose_a", "16x5", "16x7", "5x7", isConstant),
          named("matmul_transpose_b", "5x16", "7x16", "5x7", isConstant),
          named("batch_matmul", "3x5x16", "3x16x7", "3x5x7", isConstant),
          named("batch_matmul_transpose_a", "3x16x5", "3x16x7", "3x5x7", isConstant),
          named("batch_matmul_transpose_b", "3x5x16", "3x7x16", "3x5x7", isConstant),
          named("matvec", "5x16", "16", "5", isConstant),
          named("vecmat", "16", "16x7", "7", isConstant),
          named("batch_matvec", "2x5x16", "2x16", "2x5", isConstant),
          named("batch_vecmat", "2x16", "2x16x7", "2x7", isConstant),
          named("conv_1d", "12", "3", "10", isConstant),
          named("conv_2d", "6x7", "3x2", "4x6", isConstant),
          named("conv_3d", "4x5x6", "2x3x2", "3x3x5", isConstant),
          named("conv_1d_nwc_wcf" + one, "2x9x4", "3x4x5", "2x4x5", isConstant),
          named("conv_1d_ncw_fcw" + one, "2x4x9", "5x4x3", "2x5x4", isConstant),
          named("conv_2d_nhwc_hwcf" + two, "1x7x9x4", "3x3x4x5", "1x3x4x5", isConstant),
          named("conv_2d_nhwc_fhwc" + two, "1x7x9x4", "5x3x3x4", "1x3x4x5", isConstant),
          named("conv_2d_nchw_fchw" + two, "1x4x7x9", "5x4x3x3", "1x5x3x4", isConstant),
          named("conv_2d_ngchw_gfchw" + two, "1x2x3x7x9", "2x4x3x3x3", "1x2x4x3x4", isConstant),
          named("conv_3d_ndhwc_dhwcf" + three, "1x4x4x5x3", "2x2x2x3x4", "1x3x3x4x4", isConstant),
          named("depthwise_conv_1d_nwc_wc" + one, "1x9x4", "3x4", "1x4x4", isConstant),
          named("depthwise_conv_2d_nhwc_hwc" + two, "1x7x9x4", "3x3x4", "1x3x4x4", isConstant),
          named("depthwise_conv_2d_nchw_chw" + two, "1x4x7x9", "4x3x3", "1x4x3x4", isConstant),
          named("depthwise_conv_2d_nhwc_hwcm" + two, "1x7x9x4", "3x3x4x2", "1x3x4x4x2", isConstant)})
      all.push_back(program);
  for (const Program &program :
       {named("pooling_nhwc_sum" + two, "1x7x9x4", "3x3", "1x3x4x4"),
        named("pooling_nhwc_max" + two, "1x7x9x4", "3x3", "1x3x4x4", false, "-128"),
        named("pooling_nhwc_max_unsigned" + two, "1x7x9x4", "3x3", "1x3x4x4", false, "0"),
        named("pooling_nhwc_min" + two, "1x7x9x4", "3x3", "1x3x4x4", false, "127"),
        named("pooling_nchw_sum" + two, "1x4x7x9", "3x3", "1x4x3x4"),
        named("pooling_nchw_max" + two, "1x4x7x9", "3x3", "1x4x3x4", false, "-128"),
        named("pooling_nwc_sum" + one, "1x9x4", "3", "1x4x4"),
        named("pooling_nwc_max" + one, "1x9x4", "3", "1x4x4", false, "-128"),
        named("pooling_ncw_max" + one, "1x4x9", "3", "1x4x4", false, "-128"),
        named("pooling_ndhwc_sum" + three, "1x4x4x5x3", "2x2x2", "1x3x3x4x3")})
    all.push_back(program);
  return all;
}

/// An operation of two tensors of one type.
Program elementwise(const std::string &op, const std::string &element) {
  const std::string type = "tensor<5x17x" + element + ">";
  return {op + "_of_" + element, "func.func @main(%x: " + type + ", %y: " + type + ") -> " + type +
                                     " {\n  %e = tensor.empty() : " + type + "\n  %r = linalg." + op +
                                     " ins(%x, %y : " + type + ", " + type + ") outs(%e : " + type + ") -> " +
                                     type + "\n  return %r : " + type + "\n}\n"};
}

std::vector<Program> elementwiseOperations() {
  std::vector<Program> all;
  for (const char *op : {"add", "sub", "mul"})
    for (const char *element : {"i8", "i32", "i64", "f32", "f64"})
      all.push_back(elementwise(op, element));
  for (const char *op : {"max", "min"})
    for (const char *element : {"i8", "i32", "i64"})
      all.push_back(elementwise(op, element));
  return all;
}

const std::vector<Program> others = {
    {"reduce", R"(func.func @main(%x: tensor<5x17xi8>) -> tensor<5xi8> {
  %low = arith.constant -128 : i8
  %e = tensor.empty() : tensor<5xi8>
  %f = linalg.fill ins(%low : i8) outs(%e : tensor<5xi8>) -> tensor<5xi8>
  %r = linalg.reduce {arith.maxsi} ins(%x : tensor<5x17xi8>) outs(%f : tensor<5xi8>) dimensions = [1]
  return %r : tensor<5xi8>
})"},
    {"reduce_along_rows", R"(func.func @main(%x: tensor<5x17xi8>) -> tensor<17xi8> {
  %low = arith.constant -128 : i8
  %e = tensor.empty() : tensor<17xi8>
  %f = linalg.fill ins(%low : i8) outs(%e : tensor<17xi8>) -> tensor<17xi8>
  %r = linalg.reduce {arith.maxsi} ins(%x : tensor<5x17xi8>) outs(%f : tensor<17xi8>) dimensions = [0]
  return %r : tensor<17xi8>
})"},
    {"map", R"(func.func @main(%x: tensor<5x17xi8>) -> tensor<5x17xi8> {
  %e = tensor.empty() : tensor<5x17xi8>
  %r = linalg.map ins(%x : tensor<5x17xi8>) outs(%e : tensor<5x17xi8>) (%a: i8) {
    %s = arith.muli %a, %a : i8
    linalg.yield %s : i8
  }
  return %r : tensor<5x17xi8>
})"},
    {"broadcast", R"(func.func @main(%x: tensor<17xi8>) -> tensor<5x17xi8> {
  %e = tensor.empty() : tensor<5x17xi8>
  %r = linalg.broadcast ins(%x : tensor<17xi8>) outs(%e : tensor<5x17xi8>) dimensions = [0]
  return %r : tensor<5x17xi8>
})"},
    {"broadcast_along_rows", R"(func.func @main(%x: tensor<5xi8>) -> tensor<5x17xi8> {
  %e = tensor.empty() : tensor<5x17xi8>
  %r = linalg.broadcast ins(%x : tensor<5xi8>) outs(%e : tensor<5x17xi8>) dimensions = [1]
  return %r : tensor<5x17xi8>
})"},
    {"transpose", R"(func.func @main(%x: tensor<2x5x17xi8>) -> tensor<17x2x5xi8> {
  %e = tensor.empty() : tensor<17x2x5xi8>
  %r = linalg.transpose ins(%x : tensor<2x5x17xi8>) outs(%e : tensor<17x2x5xi8>) permutation = [2, 0, 1]
  return %r : tensor<17x2x5xi8>
})"},
    {"dot", R"(func.func @main(%x: tensor<17xi8>, %y: tensor<17xi8>) -> tensor<i32> {
  %c = arith.constant 0 : i32
  %e = tensor.empty() : tensor<i32>
  %f = linalg.fill ins(%c : i32) outs(%e : tensor<i32>) -> tensor<i32>
  %r = linalg.dot ins(%x, %y : tensor<17xi8>, tensor<17xi8>) outs(%f : tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
})"},
    {"called_twice_on_the_accelerator", R"(func.func private @twice(%x: tensor<5x17xi8>) -> tensor<5x17xi8> {
  %e = tensor.empty() : tensor<5x17xi8>
  %r = linalg.add ins(%x, %x : tensor<5x17xi8>, tensor<5x17xi8>) outs(%e : tensor<5x17xi8>) -> tensor<5x17xi8>
  return %r : tensor<5x17xi8>
}
func.func @main(%x: tensor<5x17xi8>) -> (tensor<5x17xi8>, tensor<5x17xi8>) {
  %a = call @twice(%x) : (tensor<5x17xi8>) -> tensor<5x17xi8>
  %b = call @twice(%a) : (tensor<5x17xi8>) -> tensor<5x17xi8>
  return %b, %a : tensor<5x17xi8>, tensor<5x17xi8>
})"},
    {"called_twice_on_the_cpu", R"(func.func private @twice(%x: tensor<5x17xi32>) -> tensor<5x17xi32> {
  %e = tensor.empty() : tensor<5x17xi32>
  %r = linalg.add ins(%x, %x : tensor<5x17xi32>, tensor<5x17xi32>) outs(%e : tensor<5x17xi32>) -> tensor<5x17xi32>
  return %r : tensor<5x17xi32>
}
func.func @main(%x: tensor<5x17xi32>) -> tensor<5x17xi32> {
  %a = call @twice(%x) : (tensor<5x17xi32>) -> tensor<5x17xi32>
  %b = call @twice(%a) : (tensor<5x17xi32>) -> tensor<5x17xi32>
  return %b : tensor<5x17xi32>
})"},
    {"scratch_at_the_start_of_a_kernel", R"(func.func @main(%x: tensor<9x3xi8>) -> tensor<3x2xi8> {
  %one = arith.constant 1 : i32
  %e = tensor.empty() : tensor<9x3xi32>
  %w = linalg.map ins(%x : tensor<9x3xi8>) outs(%e : tensor<9x3xi32>) (%a: i8) {
    %s = arith.extsi %a : i8 to i32
    linalg.yield %s : i32
  }
  %v = linalg.add ins(%w, %w : tensor<9x3xi32>, tensor<9x3xi32>) outs(%e : tensor<9x3xi32>) -> tensor<9x3xi32>
  %u = tensor.extract_slice %v[1, 0] [3, 2] [2, 2] : tensor<9x3xi32> to tensor<3x2xi32>
  %f = tensor.empty() : tensor<3x2xi8>
  %r = linalg.map ins(%u : tensor<3x2xi32>) outs(%f : tensor<3x2xi8>) (%a: i32) {
    %t = arith.trunci %a : i32 to i8
    linalg.yield %t : i8
  }
  return %r : tensor<3x2xi8>
})"},
    {"parts_whose_channels_are_not_last", R"(#id = affine_map<(a, b) -> (a, b)>
func.func private @table(%x: tensor<4x32xi8>) -> tensor<4x32x1xi8> {
  %e = tensor.empty() : tensor<4x32xi8>
  %r = linalg.add ins(%x, %x : tensor<4x32xi8>, tensor<4x32xi8>) outs(%e : tensor<4x32xi8>) -> tensor<4x32xi8>
  %v = tensor.expand_shape %r [[0], [1, 2]] output_shape [4, 32, 1] : tensor<4x32xi8> into tensor<4x32x1xi8>
  return %v : tensor<4x32x1xi8>
}
func.func @main(%x: tensor<4x32xi8>, %y: tensor<4x32xi8>) -> tensor<4x32x2xi8> {
  %a = call @table(%x) : (tensor<4x32xi8>) -> tensor<4x32x1xi8>
  %b = call @table(%y) : (tensor<4x32xi8>) -> tensor<4x32x1xi8>
  %r = tensor.concat dim(2) %a, %b : (tensor<4x32x1xi8>, tensor<4x32x1xi8>) -> tensor<4x32x2xi8>
  return %r : tensor<4x32x2xi8>
})"},
    {"one_part_read_in_another_shape", R"(func.func private @double(%x: tensor<4x16xi8>) -> tensor<4x16xi8> {
  %e = tensor.empty() : tensor<4x16xi8>
  %r = linalg.add ins(%x, %x : tensor<4x16xi8>, tensor<4x16xi8>) outs(%e : tensor<4x16xi8>) -> tensor<4x16xi8>
  return %r : tensor<4x16xi8>
}
func.func private @maximum(%x: tensor<4x16xi8>) -> tensor<32xi8> {
  %v = tensor.collapse_shape %x [[0, 1]] : tensor<4x16xi8> into tensor<64xi8>
  %w = tensor.expand_shape %v [[0, 1]] output_shape [2, 32] : tensor<64xi8> into tensor<2x32xi8>
  %low = arith.constant -128 : i8
  %e = tensor.empty() : tensor<32xi8>
  %f = linalg.fill ins(%low : i8) outs(%e : tensor<32xi8>) -> tensor<32xi8>
  %r = linalg.reduce {arith.maxsi} ins(%w : tensor<2x32xi8>) outs(%f : tensor<32xi8>) dimensions = [0]
  return %r : tensor<32xi8>
}
func.func @main(%x: tensor<4x16xi8>, %y: tensor<4x16xi8>) -> (tensor<4x32xi8>, tensor<32xi8>) {
  %a = call @double(%x) : (tensor<4x16xi8>) -> tensor<4x16xi8>
  %b = call @double(%y) : (tensor<4x16xi8>) -> tensor<4x16xi8>
  %c = call @maximum(%a) : (tensor<4x16xi8>) -> tensor<32xi8>
  %r = tensor.concat dim(1) %a, %b : (tensor<4x16xi8>, tensor<4x16xi8>) -> tensor<4x32xi8>
  return %r, %c : tensor<4x32xi8>, tensor<32xi8>
})"},
    {"parts_in_another_order_than_arguments",
     R"(func.func private @double(%x: tensor<4x16xi8>) -> tensor<4x16xi8> {
  %e = tensor.empty() : tensor<4x16xi8>
  %r = linalg.add ins(%x, %x : tensor<4x16xi8>, tensor<4x16xi8>) outs(%e : tensor<4x16xi8>) -> tensor<4x16xi8>
  return %r : tensor<4x16xi8>
}
func.func private @behind(%x: tensor<4x16xi8>, %y: tensor<4x16xi8>) -> tensor<4x32xi8> {
  %e = tensor.empty() : tensor<4x32xi8>
  %f = tensor.insert_slice %y into %e[0, 0] [4, 16] [1, 1] : tensor<4x16xi8> into tensor<4x32xi8>
  %g = tensor.insert_slice %x into %f[0, 16] [4, 16] [1, 1] : tensor<4x16xi8> into tensor<4x32xi8>
  return %g : tensor<4x32xi8>
}
func.func @main(%x: tensor<4x16xi8>, %y: tensor<4x16xi8>) -> tensor<4x32xi8> {
  %a = call @double(%x) : (tensor<4x16xi8>) -> tensor<4x16xi8>
  %b = call @double(%y) : (tensor<4x16xi8>) -> tensor<4x16xi8>
  %r = call @behind(%a, %b) : (tensor<4x16xi8>, tensor<4x16xi8>) -> tensor<4x32xi8>
  return %r : tensor<4x32xi8>
})"},
    {"one_part_twice", R"(func.func @main(%x: tensor<4x16xi8>) -> tensor<4x48xi8> {
  %e = tensor.empty() : tensor<4x16xi8>
  %a = linalg.add ins(%x, %x : tensor<4x16xi8>, tensor<4x16xi8>) outs(%e : tensor<4x16xi8>) -> tensor<4x16xi8>
  %r = tensor.concat dim(1) %x, %a, %a : (tensor<4x16xi8>, tensor<4x16xi8>, tensor<4x16xi8>) -> tensor<4x48xi8>
  return %r : tensor<4x48xi8>
})"},
    {"loop_without_iterations", R"(func.func @main(%x: tensor<5x17xi8>) -> tensor<5x17xi8> {
  %a = arith.constant 3 : index
  %b = arith.constant 1 : index
  %e = tensor.empty() : tensor<5x17xi8>
  %r = scf.for %i = %a to %b step %b iter_args(%t = %x) -> (tensor<5x17xi8>) {
    %s = linalg.add ins(%t, %t : tensor<5x17xi8>, tensor<5x17xi8>) outs(%e : tensor<5x17xi8>) -> tensor<5x17xi8>
    scf.yield %s : tensor<5x17xi8>
  }
  %q = linalg.add ins(%r, %x : tensor<5x17xi8>, tensor<5x17xi8>) outs(%e : tensor<5x17xi8>) -> tensor<5x17xi8>
  return %q : tensor<5x17xi8>
})"},
    {"loops_in_loops", R"(func.func @main(%x: tensor<5x17xi8>) -> tensor<5x17xi8> {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %five = arith.constant 5 : index
  %e = tensor.empty() : tensor<5x17xi8>
  %r = scf.for %i = %zero to %five step %three iter_args(%t = %x) -> (tensor<5x17xi8>) {
    %p = scf.for %j = %zero to %three step %two iter_args(%u = %t) -> (tensor<5x17xi8>) {
      %s = linalg.add ins(%u, %t : tensor<5x17xi8>, tensor<5x17xi8>) outs(%e : tensor<5x17xi8>) -> tensor<5x17xi8>
      scf.yield %s : tensor<5x17xi8>
    }
    scf.yield %p : tensor<5x17xi8>
  }
  return %r : tensor<5x17xi8>
})"},
    {"loop_of_two_values_that_change_places",
     R"(func.func @main(%x: tensor<17xi8>, %y: tensor<17xi8>) -> (tensor<17xi8>, tensor<17xi8>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %r:2 = scf.for %i = %zero to %three step %one iter_args(%t = %x, %u = %y) -> (tensor<17xi8>, tensor<17xi8>) {
    scf.yield %u, %t : tensor<17xi8>, tensor<17xi8>
  }
  return %r#0, %r#1 : tensor<17xi8>, tensor<17xi8>
})"},
    {"loop_that_uses_its_index", R"(func.func @main(%x: tensor<17xi32>) -> tensor<17xi32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %e = tensor.empty() : tensor<17xi32>
  %r = scf.for %i = %zero to %three step %one iter_args(%t = %x) -> (tensor<17xi32>) {
    %k = arith.index_cast %i : index to i32
    %f = linalg.fill ins(%k : i32) outs(%e : tensor<17xi32>) -> tensor<17xi32>
    %s = linalg.add ins(%t, %f : tensor<17xi32>, tensor<17xi32>) outs(%e : tensor<17xi32>) -> tensor<17xi32>
    scf.yield %s : tensor<17xi32>
  }
  return %r : tensor<17xi32>
})"},
    {"slices_in_a_loop", R"(func.func @main(%x: tensor<6x17xi8>) -> tensor<6x17xi8> {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %six = arith.constant 6 : index
  %e = tensor.empty() : tensor<2x17xi8>
  %r = scf.for %i = %zero to %six step %two iter_args(%t = %x) -> (tensor<6x17xi8>) {
    %p = tensor.extract_slice %t[%i, 0] [2, 17] [1, 1] : tensor<6x17xi8> to tensor<2x17xi8>
    %s = linalg.add ins(%p, %p : tensor<2x17xi8>, tensor<2x17xi8>) outs(%e : tensor<2x17xi8>) -> tensor<2x17xi8>
    %u = tensor.insert_slice %s into %t[%i, 0] [2, 17] [1, 1] : tensor<2x17xi8> into tensor<6x17xi8>
    scf.yield %u : tensor<6x17xi8>
  }
  return %r : tensor<6x17xi8>
})"},
    {"choice", R"(func.func @main(%x: tensor<17xi8>, %y: tensor<17xi8>) -> tensor<17xi8> {
  %no = arith.constant false
  %e = tensor.empty() : tensor<17xi8>
  %r = scf.if %no -> (tensor<17xi8>) {
    scf.yield %x : tensor<17xi8>
  } else {
    %s = linalg.sub ins(%x, %y : tensor<17xi8>, tensor<17xi8>) outs(%e : tensor<17xi8>) -> tensor<17xi8>
    scf.yield %s : tensor<17xi8>
  }
  return %r : tensor<17xi8>
})"},
    {"results_that_are_arguments",
     R"(func.func @main(%x: tensor<17xi8>, %y: tensor<3xf64>, %z: tensor<2xi64>) -> (tensor<3xf64>, tensor<17xi8>, tensor<17xi8>, tensor<2xi64>) {
  return %y, %x, %x, %z : tensor<3xf64>, tensor<17xi8>, tensor<17xi8>, tensor<2xi64>
})"},
    {"results_that_are_constants",
     R"(func.func @main(%x: tensor<3xi8>) -> (tensor<3xi8>, tensor<2xf32>, tensor<3xi8>) {
  %c = arith.constant dense<[1, -2, 3]> : tensor<3xi8>
  %d = arith.constant dense<[1.5, -0.0]> : tensor<2xf32>
  return %c, %d, %c : tensor<3xi8>, tensor<2xf32>, tensor<3xi8>
})"},
    {"views_that_are_results",
     R"(func.func @main(%x: tensor<4x6xi8>) -> (tensor<24xi8>, tensor<2x2x6xi8>, tensor<4x6xi8>) {
  %e = tensor.empty() : tensor<4x6xi8>
  %a = linalg.add ins(%x, %x : tensor<4x6xi8>, tensor<4x6xi8>) outs(%e : tensor<4x6xi8>) -> tensor<4x6xi8>
  %v = tensor.collapse_shape %x [[0, 1]] : tensor<4x6xi8> into tensor<24xi8>
  %w = tensor.expand_shape %a [[0, 1], [2]] output_shape [2, 2, 6] : tensor<4x6xi8> into tensor<2x2x6xi8>
  return %v, %w, %a : tensor<24xi8>, tensor<2x2x6xi8>, tensor<4x6xi8>
})"},
    {"arguments_that_nobody_reads",
     R"(func.func @main(%x: tensor<17xi8>, %y: tensor<5xf32>, %z: tensor<17xi8>) -> tensor<17xi8> {
  %e = tensor.empty() : tensor<17xi8>
  %r = linalg.max ins(%x, %x : tensor<17xi8>, tensor<17xi8>) outs(%e : tensor<17xi8>) -> tensor<17xi8>
  return %r : tensor<17xi8>
})"},
    {"without_arguments", R"(func.func @main() -> tensor<3xi8> {
  %c = arith.constant dense<[1, -2, 3]> : tensor<3xi8>
  %e = tensor.empty() : tensor<3xi8>
  %r = linalg.add ins(%c, %c : tensor<3xi8>, tensor<3xi8>) outs(%e : tensor<3xi8>) -> tensor<3xi8>
  return %r : tensor<3xi8>
})"},
    {"scalars_as_tensors", R"(func.func @main(%x: tensor<i8>, %y: tensor<i8>) -> tensor<i8> {
  %e = tensor.empty() : tensor<i8>
  %r = linalg.add ins(%x, %y : tensor<i8>, tensor<i8>) outs(%e : tensor<i8>) -> tensor<i8>
  return %r : tensor<i8>
})"},
    {"scalars_beside_a_permuted_tensor",
     R"(func.func @main(%x: tensor<5x17xi8>, %y: tensor<i8>) -> tensor<17x5xi8> {
  %e = tensor.empty() : tensor<17x5xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<5x17xi8>, tensor<i8>) outs(%e : tensor<17x5xi8>) {
  ^bb0(%a: i8, %b: i8, %o: i8):
    %s = arith.maxsi %a, %b : i8
    linalg.yield %s : i8
  } -> tensor<17x5xi8>
  return %r : tensor<17x5xi8>
})"},
    {"sum_of_all", R"(func.func @main(%x: tensor<5x17xi8>) -> tensor<i32> {
  %c = arith.constant 0 : i32
  %e = tensor.empty() : tensor<i32>
  %f = linalg.fill ins(%c : i32) outs(%e : tensor<i32>) -> tensor<i32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>],
      iterator_types = ["reduction", "reduction"]} ins(%x : tensor<5x17xi8>) outs(%f : tensor<i32>) {
  ^bb0(%a: i8, %o: i32):
    %w = arith.extsi %a : i8 to i32
    %s = arith.addi %o, %w : i32
    linalg.yield %s : i32
  } -> tensor<i32>
  return %r : tensor<i32>
})"},
    {"table_that_is_cut", R"(func.func @main(%x: tensor<5x17xi8>) -> tensor<5x17xi8> {
  %four = arith.constant 4 : i32
  %two = arith.constant 2 : i32
  %e = tensor.empty() : tensor<5x17xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x17xi8>) outs(%e : tensor<5x17xi8>) {
  ^bb0(%a: i8, %o: i8):
    %w = arith.extsi %a : i8 to i32
    %s = arith.shrsi %w, %four : i32
    %h = arith.minsi %s, %two : i32
    %t = arith.trunci %h : i32 to i8
    linalg.yield %t : i8
  } -> tensor<5x17xi8>
  return %r : tensor<5x17xi8>
})"},
    {"unit_dimensions",
     R"(func.func @main(%x: tensor<1x1x1x1x1x1xi8>, %y: tensor<1x1x1x1x1x1xi8>) -> tensor<1x1x1x1x1x1xi8> {
  %e = tensor.empty() : tensor<1x1x1x1x1x1xi8>
  %r = linalg.max ins(%x, %y : tensor<1x1x1x1x1x1xi8>, tensor<1x1x1x1x1x1xi8>) outs(%e : tensor<1x1x1x1x1x1xi8>) -> tensor<1x1x1x1x1x1xi8>
  return %r : tensor<1x1x1x1x1x1xi8>
})"},
    {"large_tensors", R"(func.func @main(%x: tensor<70001xi8>) -> tensor<70001xi8> {
  %e = tensor.empty() : tensor<70001xi8>
  %r = linalg.add ins(%x, %x : tensor<70001xi8>, tensor<70001xi8>) outs(%e : tensor<70001xi8>) -> tensor<70001xi8>
  return %r : tensor<70001xi8>
})"},
    {"large_tensors_from_an_offset_on", R"(func.func @main(%x: tensor<4x12x512xi8>) -> tensor<4x10x512xi8> {
  %low = arith.constant -100 : i32
  %e = tensor.empty() : tensor<4x10x512xi32>
  %w = linalg.generic {indexing_maps = [affine_map<(n, y, c) -> (n, y + 2, c)>, affine_map<(n, y, c) -> (n, y, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x12x512xi8>) outs(%e : tensor<4x10x512xi32>) {
  ^bb0(%a: i8, %o: i32):
    %s = arith.extsi %a : i8 to i32
    linalg.yield %s : i32
  } -> tensor<4x10x512xi32>
  %q = tensor.empty() : tensor<4x10x512xi8>
  %r = linalg.map ins(%w : tensor<4x10x512xi32>) outs(%q : tensor<4x10x512xi8>) (%a: i32) {
    %m = arith.maxsi %a, %low : i32
    %t = arith.trunci %m : i32 to i8
    linalg.yield %t : i8
  }
  return %r : tensor<4x10x512xi8>
})"},
    {"large_tensors_backwards", R"(func.func @main(%x: tensor<4x12x512xi8>) -> tensor<4x10x512xi8> {
  %low = arith.constant -100 : i32
  %e = tensor.empty() : tensor<4x10x512xi32>
  %w = linalg.generic {indexing_maps = [affine_map<(n, y, c) -> (n, 9 - y, c)>, affine_map<(n, y, c) -> (n, y, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x12x512xi8>) outs(%e : tensor<4x10x512xi32>) {
  ^bb0(%a: i8, %o: i32):
    %s = arith.extsi %a : i8 to i32
    linalg.yield %s : i32
  } -> tensor<4x10x512xi32>
  %q = tensor.empty() : tensor<4x10x512xi8>
  %r = linalg.map ins(%w : tensor<4x10x512xi32>) outs(%q : tensor<4x10x512xi8>) (%a: i32) {
    %m = arith.maxsi %a, %low : i32
    %t = arith.trunci %m : i32 to i8
    linalg.yield %t : i8
  }
  return %r : tensor<4x10x512xi8>
})"},
    {"large_tensors_by_halves", R"(func.func @main(%x: tensor<4x12x512xi8>) -> tensor<4x10x512xi8> {
  %low = arith.constant -100 : i32
  %e = tensor.empty() : tensor<4x10x512xi32>
  %w = linalg.generic {indexing_maps = [affine_map<(n, y, c) -> (n, y floordiv 2 + y mod 3, c)>, affine_map<(n, y, c) -> (n, y, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x12x512xi8>) outs(%e : tensor<4x10x512xi32>) {
  ^bb0(%a: i8, %o: i32):
    %s = arith.extsi %a : i8 to i32
    linalg.yield %s : i32
  } -> tensor<4x10x512xi32>
  %q = tensor.empty() : tensor<4x10x512xi8>
  %r = linalg.map ins(%w : tensor<4x10x512xi32>) outs(%q : tensor<4x10x512xi8>) (%a: i32) {
    %m = arith.maxsi %a, %low : i32
    %t = arith.trunci %m : i32 to i8
    linalg.yield %t : i8
  }
  return %r : tensor<4x10x512xi8>
})"},
    {"odd_names", R"(func.func private @"a b\22c\\ d"(%x: tensor<17xi8>) -> tensor<17xi8> {
  %e = tensor.empty() : tensor<17xi8>
  %r = linalg.sub ins(%x, %x : tensor<17xi8>, tensor<17xi8>) outs(%e : tensor<17xi8>) -> tensor<17xi8>
  return %r : tensor<17xi8>
}
func.func private @"\C3\A4/..\0A"(%x: tensor<17xi32>) -> tensor<17xi32> {
  %e = tensor.empty() : tensor<17xi32>
  %r = linalg.sub ins(%x, %x : tensor<17xi32>, tensor<17xi32>) outs(%e : tensor<17xi32>) -> tensor<17xi32>
  return %r : tensor<17xi32>
}
func.func @main(%x: tensor<17xi8> {daedalus.name = "an \22input\22, \C3\A4"}, %y: tensor<17xi32>) -> (tensor<17xi8>, tensor<17xi32> {daedalus.name = "an output"}) {
  %a = call @"a b\22c\\ d"(%x) : (tensor<17xi8>) -> tensor<17xi8>
  %b = call @"\C3\A4/..\0A"(%y) : (tensor<17xi32>) -> tensor<17xi32>
  return %a, %b : tensor<17xi8>, tensor<17xi32>
})"},
};

/// What reads one tensor in two ways, or a tensor that is only partly what it seems.
const std::vector<Program> lookalikes = {
    {"maximum_of_two_places", R"(func.func @main(%x: tensor<1x9x16xi8>) -> tensor<1x4x16xi8> {
  %low = arith.constant -128 : i8
  %k = tensor.empty() : tensor<2xi8>
  %e = tensor.empty() : tensor<1x4x16xi8>
  %f = linalg.fill ins(%low : i8) outs(%e : tensor<1x4x16xi8>) -> tensor<1x4x16xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(n, y, c, i) -> (n, 2 * y + i, c)>, affine_map<(n, y, c, i) -> (n, 2 * y + i + 1, c)>,
      affine_map<(n, y, c, i) -> (i)>, affine_map<(n, y, c, i) -> (n, y, c)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %x, %k : tensor<1x9x16xi8>, tensor<1x9x16xi8>, tensor<2xi8>) outs(%f : tensor<1x4x16xi8>) {
  ^bb0(%a: i8, %b: i8, %w: i8, %o: i8):
    %m = arith.maxsi %a, %b : i8
    %n = arith.maxsi %m, %o : i8
    linalg.yield %n : i8
  } -> tensor<1x4x16xi8>
  return %r : tensor<1x4x16xi8>
})"},
    {"maximum_of_two_paddings", R"(func.func @main(%x: tensor<1x7x16xi8>) -> tensor<1x4x16xi8> {
  %low = arith.constant -128 : i8
  %high = arith.constant 100 : i8
  %p = tensor.pad %x low[0, 1, 0] high[0, 0, 0] {
  ^bb0(%g: index, %h: index, %j: index):
    tensor.yield %low : i8
  } : tensor<1x7x16xi8> to tensor<1x8x16xi8>
  %q = tensor.pad %x low[0, 1, 0] high[0, 0, 0] {
  ^bb0(%g: index, %h: index, %j: index):
    tensor.yield %high : i8
  } : tensor<1x7x16xi8> to tensor<1x8x16xi8>
  %k = tensor.empty() : tensor<2xi8>
  %e = tensor.empty() : tensor<1x4x16xi8>
  %f = linalg.fill ins(%low : i8) outs(%e : tensor<1x4x16xi8>) -> tensor<1x4x16xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(n, y, c, i) -> (n, 2 * y + i, c)>, affine_map<(n, y, c, i) -> (n, 2 * y + i, c)>,
      affine_map<(n, y, c, i) -> (i)>, affine_map<(n, y, c, i) -> (n, y, c)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %q, %k : tensor<1x8x16xi8>, tensor<1x8x16xi8>, tensor<2xi8>) outs(%f : tensor<1x4x16xi8>) {
  ^bb0(%a: i8, %b: i8, %w: i8, %o: i8):
    %m = arith.maxsi %a, %b : i8
    %n = arith.maxsi %m, %o : i8
    linalg.yield %n : i8
  } -> tensor<1x4x16xi8>
  return %r : tensor<1x4x16xi8>
})"},
    {"padded_behind_a_computation", R"(func.func @main(%x: tensor<1x7x16xi8>) -> tensor<1x4x16xi32> {
  %zero = arith.constant 0 : i32
  %nine = arith.constant 9 : i32
  %ew = tensor.empty() : tensor<1x7x16xi32>
  %w = linalg.map ins(%x : tensor<1x7x16xi8>) outs(%ew : tensor<1x7x16xi32>) (%a: i8) {
    %s = arith.extsi %a : i8 to i32
    linalg.yield %s : i32
  }
  %p = tensor.pad %w low[0, 1, 0] high[0, 0, 0] {
  ^bb0(%g: index, %h: index, %j: index):
    tensor.yield %nine : i32
  } : tensor<1x7x16xi32> to tensor<1x8x16xi32>
  %k = tensor.empty() : tensor<2xi8>
  %e = tensor.empty() : tensor<1x4x16xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x4x16xi32>) -> tensor<1x4x16xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, y, c, i) -> (n, 2 * y + i, c)>, affine_map<(n, y, c, i) -> (i)>,
      affine_map<(n, y, c, i) -> (n, y, c)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %k : tensor<1x8x16xi32>, tensor<2xi8>) outs(%f : tensor<1x4x16xi32>) {
  ^bb0(%a: i32, %b: i8, %o: i32):
    %n = arith.addi %a, %o : i32
    linalg.yield %n : i32
  } -> tensor<1x4x16xi32>
  return %r : tensor<1x4x16xi32>
})"},
    {"sum_from_two_values", R"(func.func @main(%x: tensor<1x8x16xi8>) -> tensor<1x4x16xi32> {
  %zero = arith.constant 0 : i32
  %nine = arith.constant 9 : i32
  %e = tensor.empty() : tensor<1x4x16xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<1x4x16xi32>) -> tensor<1x4x16xi32>
  %h = tensor.empty() : tensor<1x2x16xi8>
  %f = linalg.generic {indexing_maps = [affine_map<(n, y, c) -> (n, y, c)>, affine_map<(n, y, c) -> (n, 2 * y, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%h : tensor<1x2x16xi8>) outs(%z : tensor<1x4x16xi32>) {
  ^bb0(%a: i8, %o: i32):
    linalg.yield %nine : i32
  } -> tensor<1x4x16xi32>
  %k = tensor.empty() : tensor<2xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(n, y, c, i) -> (n, 2 * y + i, c)>, affine_map<(n, y, c, i) -> (i)>,
      affine_map<(n, y, c, i) -> (n, y, c)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %k : tensor<1x8x16xi8>, tensor<2xi8>) outs(%f : tensor<1x4x16xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %w = arith.extsi %a : i8 to i32
    %n = arith.addi %w, %o : i32
    linalg.yield %n : i32
  } -> tensor<1x4x16xi32>
  return %r : tensor<1x4x16xi32>
})"},
};

std::vector<Program> all() {
  std::vector<Program> programs = namedOperations();
  for (const std::vector<Program> &more : {elementwiseOperations(), others, lookalikes})
    programs.insert(programs.end(), more.begin(), more.end());
  return programs;
}

class ProgramForms : public ::testing::TestWithParam<Program> {};

TEST_P(ProgramForms, SameBytesEverywhere) {
  const TemporaryProgram file(GetParam().text);
  InterpretedProgram program(GetParam().text);
  ASSERT_TRUE(program.parses());
  const auto accelerated = compileProgram(file.path), onCpu = compileProgram(file.path, "default", "cpu");
  ASSERT_TRUE(accelerated) << accelerated.error();
  ASSERT_TRUE(onCpu) << onCpu.error();
  EXPECT_EQ(program.difference(accelerated->package, "functional"), "");
  if (!accelerated->package.programs.empty()) {
    EXPECT_EQ(program.difference(accelerated->package, "systemc"), "");
  }
  EXPECT_EQ(program.difference(onCpu->package, "functional"), "");
}

INSTANTIATE_TEST_SUITE_P(All, ProgramForms, ::testing::ValuesIn(all()),
                         [](const auto &info) { return info.param.name; });

} // namespace
} // namespace daedalus::testing
