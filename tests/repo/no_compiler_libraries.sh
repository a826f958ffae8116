#!/bin/sh
# no_compiler_libraries.sh LIBRARY: fails where the library needs LLVM, MLIR, protobuf or ONNX to load, or
# cannot be loaded at all.
set -eu
needed=$(ldd "$1")
if ! echo "$needed" | grep -q 'libc\.so' || echo "$needed" | grep 'not found'; then
  echo "$1 cannot be loaded as it is:"
  echo "$needed"
  exit 1
fi
if echo "$needed" | grep -iE 'llvm|mlir|protobuf|onnx|clang'; then
  echo "$1 needs the libraries above, expected none of the compiler's"
  exit 1
fi
