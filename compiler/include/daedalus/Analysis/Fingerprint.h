// What a function of blocks computes but for its constants, as a number: two kernels of equal fingerprints
// have the same iterators, access maps and expressions. Names, locations, the numbers in constants, and
// whether an operation is named or generic do not count.

#ifndef DAEDALUS_ANALYSIS_FINGERPRINT_H
#define DAEDALUS_ANALYSIS_FINGERPRINT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace daedalus {

/// Of a function of one block.
uint64_t fingerprintOf(mlir::func::FuncOp function);

/// Sixteen hexadecimal digits.
std::string hashText(uint64_t hash);

} // namespace daedalus

#endif
