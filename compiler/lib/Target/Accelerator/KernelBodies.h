// What the bodies of linalg operations compute, read from what they yield: an operation's name says nothing
// of that, for its generic form takes any body. Arguments are those of the body; products and sums match
// either way round.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_KERNELBODIES_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_KERNELBODIES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>
#include <utility>

namespace daedalus::accelerator {

/// int8 arguments x and w: out + x w in int32.
bool multipliesAndAdds(mlir::linalg::LinalgOp op);
/// An int8 argument x: out + x in int32.
bool addsFirst(mlir::linalg::LinalgOp op);
/// An int8 argument x: the greater of out and x, in int32 or int8.
bool takesMaximum(mlir::linalg::LinalgOp op);
/// The first argument as it is.
bool yieldsFirst(mlir::linalg::LinalgOp op);
/// a and b of x a + y b, for int8 arguments x and y, in int32.
std::optional<std::pair<int32_t, int32_t>> factorsOfSum(mlir::linalg::LinalgOp op);
/// a and b of (x - a) (y - b), for int8 arguments x and y, in int32.
std::optional<std::pair<int32_t, int32_t>> zerosOfProduct(mlir::linalg::LinalgOp op);
/// The table of which the body yields element x + 128, for an int8 argument x; null where it does not.
mlir::Value tableLookedUp(mlir::linalg::LinalgOp op);

} // namespace daedalus::accelerator

#endif
