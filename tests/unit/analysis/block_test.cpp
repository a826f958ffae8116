// Blocks of operations as a user may write them: what is read behind pads and reshapes, in which order, and
// what blocks that read one another compute together.

#include "blocks.h"

namespace daedalus {
namespace {

const std::string maximum = R"(
    %c = arith.constant -128 : i8
    %p = tensor.pad %x low[0, 1, 0] high[0, 2, 0] {
    ^bb0(%i: index, %j: index, %k: index):
      tensor.yield %c : i8
    } : tensor<1x6x4xi8> to tensor<1x9x4xi8>
    %e = tensor.empty() : tensor<4x4xi8>
    %s = linalg.fill ins(%c : i8) outs(%e : tensor<4x4xi8>) -> tensor<4x4xi8>
    %k = tensor.empty() : tensor<3xi8>
    %r = linalg.generic {indexing_maps = [affine_map<(c, n, i, y) -> (n, y * 2 + i, c)>, affine_map<(c, n, i, y) -> (i)>,
          affine_map<(c, n, i, y) -> (y, c)>], iterator_types = ["parallel", "parallel", "reduction", "parallel"]}
        ins(%p, %k : tensor<1x9x4xi8>, tensor<3xi8>) outs(%s : tensor<4x4xi8>) {
    ^bb0(%a: i8, %b: i8, %o: i8):
      %m = arith.maxsi %a, %o : i8
      linalg.yield %m : i8
    } -> tensor<4x4xi8>)";

TEST_F(Blocks, ReadBehindPadsInTheOrderOfTheOutput) {
  const Block block = of(maximum, "%x: tensor<1x6x4xi8>").back();
  ASSERT_EQ(block.iterators.size(), 3u); // the batch of one is none
  EXPECT_EQ(block.iterators[0].extent, 4);
  EXPECT_FALSE(block.iterators[0].isReduction || block.iterators[1].isReduction);
  EXPECT_TRUE(block.iterators[2].isReduction);
  EXPECT_TRUE(block.writesInOrder());
  ASSERT_EQ(block.inputs.size(), 1u); // nobody reads the window
  const Access &x = block.inputs[0];
  EXPECT_EQ(x.shape, (llvm::SmallVector<int64_t, 5>{1, 6, 4}));
  EXPECT_EQ(x.fill, -128);
  EXPECT_EQ(x.at[1], (Coordinate{{2, 0, 1}, -1}));
  EXPECT_EQ(x.at[2], (Coordinate{{0, 1, 0}, 0}));
  EXPECT_EQ(block.start, -128);
  EXPECT_EQ(block.expressions.text(block.result), "max(a0, a1)");
}

TEST_F(Blocks, ReadersOfBlocksWithoutReductionsComputeThem) {
  const std::vector<Block> blocks = of(R"(
    %e = tensor.empty() : tensor<4x8xi32>
    %s = linalg.generic {indexing_maps = [affine_map<(a, b) -> (b, a)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<8x4xi8>) outs(%e : tensor<4x8xi32>) {
    ^bb0(%a: i8, %o: i32):
      %w = arith.extsi %a : i8 to i32
      linalg.yield %w : i32
    } -> tensor<4x8xi32>
    %t = linalg.generic {indexing_maps = [affine_map<(a, b) -> (b, a)>, affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
        ins(%s, %x : tensor<4x8xi32>, tensor<8x4xi8>) outs(%f : tensor<8x4xi32>) {
    ^bb0(%a: i32, %b: i8, %o: i32):
      %w = arith.extsi %b : i8 to i32
      %r = arith.muli %a, %w : i32
      linalg.yield %r : i32
    } -> tensor<8x4xi32>)",
                                       "%x: tensor<8x4xi8>, %f: tensor<8x4xi32>");
  const std::optional<Block> together = inlined(blocks[1], 0, blocks[0]);
  ASSERT_TRUE(together.has_value());
  ASSERT_EQ(together->inputs.size(), 1u); // both transpositions together read x as it is
  EXPECT_EQ(together->expressions.text(together->result), "ext32(a0)*ext32(a0)");
  EXPECT_EQ(together->inputs[0].linear(), together->output.linear());
}

TEST_F(Blocks, ReadThroughReshapes) {
  const Block split = of(R"(
    %g = tensor.expand_shape %x [[0], [1, 2]] output_shape [4, 2, 3] : tensor<4x6xi8> into tensor<4x2x3xi8>
    %e = tensor.empty() : tensor<4x2x3xi8>
    %r = linalg.copy ins(%g : tensor<4x2x3xi8>) outs(%e : tensor<4x2x3xi8>) -> tensor<4x2x3xi8>)",
                         "%x: tensor<4x6xi8>")
                          .back();
  EXPECT_EQ(split.inputs[0].shape, (llvm::SmallVector<int64_t, 5>{4, 6}));
  EXPECT_EQ(split.inputs[0].at[1], (Coordinate{{0, 3, 1}, 0}));
  const Block joined = of(R"(
    %g = tensor.collapse_shape %x [[0, 1]] : tensor<4x6xi8> into tensor<24xi8>
    %e = tensor.empty() : tensor<24xi8>
    %r = linalg.copy ins(%g : tensor<24xi8>) outs(%e : tensor<24xi8>) -> tensor<24xi8>)",
                          "%x: tensor<4x6xi8>")
                           .back();
  EXPECT_TRUE(mlir::isa<mlir::BlockArgument>(joined.inputs[0].tensor));
  EXPECT_EQ(joined.inputs[0].shape, (llvm::SmallVector<int64_t, 5>{24}));
}

TEST_F(Blocks, ConstantsThatFillAreValues) {
  of("%c = arith.constant 7 : i32\n%e = tensor.empty() : tensor<3xi32>\n"
     "%r = linalg.fill ins(%c : i32) outs(%e : tensor<3xi32>) -> tensor<3xi32>\n"
     "%s = arith.constant dense<9> : tensor<3xi32>\n%t = arith.constant dense<[1, 2, 3]> : tensor<3xi32>",
     "");
  std::vector<std::optional<int64_t>> values;
  for (mlir::Operation &op : (*module->getOps<mlir::func::FuncOp>().begin()).getBody().front())
    if (op.getNumResults() && mlir::isa<mlir::TensorType>(op.getResult(0).getType()))
      values.push_back(uniformValue(op.getResult(0)));
  EXPECT_EQ(values, (std::vector<std::optional<int64_t>>{std::nullopt, 7, 9, std::nullopt}));
}

} // namespace
} // namespace daedalus
