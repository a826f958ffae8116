// The layouts of fragments against the maps of lanes that MLIR's NVGPU dialect has, which others wrote.
#include "Emulation/Fragments.h"

#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/NVGPU/Utils/MMAUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"

#include <gtest/gtest.h>

namespace daedalus::cuda {
namespace {

using mlir::nvgpu::MatMulOperandRole;

class NvgpuMaps : public ::testing::TestWithParam<MmaShape> {
protected:
  NvgpuMaps() { context.loadDialect<mlir::nvgpu::NVGPUDialect, mlir::vector::VectorDialect>(); }

  mlir::Type element() {
    mlir::Builder b(&context);
    const unsigned bits = GetParam().bits;
    return bits == 8 ? mlir::Type(b.getI8Type()) : bits == 16 ? mlir::Type(b.getF16Type()) : b.getF32Type();
  }

  /// Where lane and number of an element lead to in a matrix of that many rows and columns.
  Position at(MatMulOperandRole role, int64_t rows, int64_t columns, mlir::Type type, unsigned lane,
              unsigned number) {
    mlir::OpBuilder b(&context);
    const mlir::nvgpu::WarpMatrixInfo info{mlir::VectorType::get({rows, columns}, type), role};
    const auto map = mlir::nvgpu::getLaneIdAndValueIdToOperandCoord(b, b.getUnknownLoc(), info);
    EXPECT_TRUE(mlir::succeeded(map));
    if (mlir::failed(map))
      return {};
    const auto place = map->compose({lane, number});
    return {static_cast<unsigned>(place[0]), static_cast<unsigned>(place[1])};
  }

  mlir::MLIRContext context;
};

TEST_P(NvgpuMaps, SayTheSame) {
  const MmaShape &shape = GetParam();
  const unsigned each = shape.elementsPerRegister();
  const mlir::Type sum =
      shape.bits == 8 ? mlir::Type(mlir::IntegerType::get(&context, 32)) : mlir::Float32Type::get(&context);
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned number = 0; number < shape.registersOfA() * each; ++number)
      EXPECT_TRUE(positionInA(shape, lane, number / each, number % each) ==
                  at(MatMulOperandRole::A, shape.m, shape.k, element(), lane, number))
          << "A, lane " << lane << ", element " << number;
    for (unsigned number = 0; number < shape.registersOfB() * each; ++number) {
      const Position place = positionInB(shape, lane, number / each, number % each);
      EXPECT_TRUE((Position{place.column, place.row}) == // theirs is of N rows
                  at(MatMulOperandRole::B, shape.n, shape.k, element(), lane, number))
          << "B, lane " << lane << ", element " << number;
    }
    for (unsigned number = 0; number < shape.elementsOfC(); ++number)
      EXPECT_TRUE(positionInC(shape, lane, number) ==
                  at(MatMulOperandRole::C, shape.m, shape.n, sum, lane, number))
          << "C, lane " << lane << ", element " << number;
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, NvgpuMaps,
                         ::testing::Values(MmaShape{16, 8, 16, 16}, MmaShape{16, 8, 8, 16},
                                           MmaShape{16, 8, 32, 8}, MmaShape{16, 8, 16, 8},
                                           MmaShape{16, 8, 8, 32}, MmaShape{16, 8, 4, 32}));

} // namespace
} // namespace daedalus::cuda
