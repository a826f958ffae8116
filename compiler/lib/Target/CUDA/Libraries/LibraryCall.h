// What libraries compute of a kernel.

#ifndef DAEDALUS_LIB_TARGET_CUDA_LIBRARYCALL_H
#define DAEDALUS_LIB_TARGET_CUDA_LIBRARYCALL_H

#include "LibraryChoice.h"

#include "Transforms/Transforms.h"

#include "cuda_call.h"

#include <optional>
#include <string>

namespace daedalus::cuda {

/// A call of a library, on whole buffers of a kernel's, for a group's root.
struct LibraryCall {
  std::string function;
  Call call;
  mlir::Value x, y, out;
  llvm::SmallVector<mlir::Operation *> unused = {}; ///< what pads an image that is read as it is
  bool rounds = false; ///< it does what the group's epilogue does, too, to whose result it goes

  void create(mlir::OpBuilder &b, mlir::Location loc, bool accumulates) const;
};

/// Gives a convolution of float16 whose sums are rounded first an operation that does only that.
void prepareForLibraries(const Group &group, llvm::ArrayRef<LibraryChoice> libraries);

/// What the first of the libraries computes of a group, whose root is a product; nothing where none of them
/// does.
std::optional<LibraryCall> libraryCallOf(const Group &group, llvm::ArrayRef<LibraryChoice> libraries);

/// Whether 0 fills what the root adds to.
bool beginsWithZero(const Group &group);

/// Whether an operation is a library's call.
bool isLibraryCall(mlir::Operation *op);
/// Its function, and what it computes as a package has it.
std::string functionOf(mlir::Operation *call);
Call callOf(mlir::Operation *call);

} // namespace daedalus::cuda

#endif
