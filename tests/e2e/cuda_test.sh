#!/bin/bash
# Code for GPUs, executed without one: every thread of every launch on the host, where races, accesses out of bounds and
# memory that nobody wrote end a run. ONNX's own tests pass as on the CPU.
. "$(dirname "$0")/cli_lib.sh"
data=/usr/share/libonnx-testdata/data
emulation=$(dirname "$daedalus")/../lib/daedalus-cuda-emulation.so
digits=$source/examples/digits

# As many as docs/onnx.md has of the CPU.
if [ -d "$data" ]; then
  expected=$(awk -F'|' '$2 ~ /^ (node|simple|pytorch-converted|pytorch-operator) $/ {passed += $3; refused += $4}
    END {print "passed " passed ", refused " refused ", wrong 0"}' "$source/docs/onnx.md")
  "$daedalus" check "$data"/{node,simple,pytorch-converted,pytorch-operator} --tolerance 0 --target cuda \
    --cuda-arch emulated --driver "$emulation" >on_gpu 2>&1 </dev/null
  [ "$(tail -n 1 on_gpu)" = "$expected" ] || fail "ONNX's tests on an emulated GPU: $(tail -n 1 on_gpu); on the CPU: $expected"
  grep '^wrong' on_gpu && fail "a test is wrong on an emulated GPU"
fi

# A network of int8: the same bytes as on the CPU.
ok "$daedalus" compile "$digits/digits.onnx" --target cuda --cuda-arch emulated -o digits.dae
ok "$daedalus" run digits.dae --driver "$emulation" --input "$source/tests/models/image.npy" --output gpu
ok "$daedalus" run "$digits/digits.onnx" --target cpu --input "$source/tests/models/image.npy" --output cpu
for file in cpu/*.npy; do same "$file" "gpu/${file#cpu/}"; done

# The same by the code for sm_90a, whose products are of groups of warps. A package for both has both schedules.
ok "$daedalus" compile "$digits/digits.onnx" --target cuda --cuda-arch emulated-sm_90a -o digits_90a.dae
ok "$daedalus" run digits_90a.dae --driver "$emulation" --input "$source/tests/models/image.npy" --output gpu_90a
for file in cpu/*.npy; do same "$file" "gpu_90a/${file#cpu/}"; done
ok "$daedalus" compile "$digits/digits.onnx" --target cuda --cuda-arch sm_80,sm_90a --emit schedule
prints '^  cuda.product i8 .* by tensor_cores tile'
prints '^  cuda.product i8 .* by warpgroups tile'
ok "$daedalus" compile "$digits/digits.onnx" --target cuda --cuda-arch sm_90a --emit ptx
prints 'wgmma.mma_async.sync.aligned.m64n'

# Every level prints.
for level in gpu nvvm ptx; do ok "$daedalus" compile "$digits/digits.onnx" --target cuda --emit $level; done
prints '^\.version 8\.0$'
prints '^\.target sm_80$'
ok "$daedalus" compile "$digits/digits.onnx" --target cuda --cuda-arch sm_90a,sm_80 --emit ptx
prints '^\.target sm_90a$'


# A schedule prints, and what it says is not chosen again.
ok "$daedalus" compile "$digits/digits.onnx" --target cuda --emit schedule -o schedule.mlir
grep -q '^  cuda.product i8 .* by tensor_cores tile' schedule.mlir || fail "no product of digits is on tensor cores"
ok "$daedalus" compile "$digits/digits.onnx" --target cuda -o chosen.dae
ok "$daedalus" compile "$digits/digits.onnx" --target cuda --schedule schedule.mlir -o given.dae
same chosen.dae given.dae
sed -i 's/by tensor_cores tile.*/by threads/' schedule.mlir
ok "$daedalus" compile "$digits/digits.onnx" --target cuda --schedule schedule.mlir --cuda-arch emulated -o by_threads.dae
ok "$daedalus" run by_threads.dae --driver "$emulation" --input "$source/tests/models/image.npy" --output by_threads
for file in cpu/*.npy; do same "$file" "by_threads/${file#cpu/}"; done

# Products that a library computes: emulated as plain loops, with the CPU's values.
if [ -d "$data" ]; then
  for library in cublas cublaslt; do
    "$daedalus" check "$data"/node/test_{matmul,gemm,qlinearmatmul,basic_conv,conv,einsum}* --tolerance 0 --target cuda \
      --cuda-arch emulated --cuda-library $library --driver "$emulation" >by_library 2>&1 </dev/null ||
      fail "ONNX's products with --cuda-library $library: $(grep -v '^passed' by_library)"
  done
  ok "$daedalus" compile "$data/node/test_gemm_all_attributes/model.onnx" --target cuda --cuda-library cublas:matmul --emit gpu
  prints 'cuda.gemm "cublas.matmul" .* sizes \[1, 3, 5, 4\] strides x \[0, 1, 3\] y \[0, 1, 4\] out \[0, 5, 1\]'
fi
if [ -d "$data" ]; then
  ok "$daedalus" compile "$data/node/test_matmul_2d/model.onnx" --target cuda --cuda-library cublas -o library.dae
  ok "$daedalus" compile "$data/node/test_matmul_2d/model.onnx" --target cuda --cuda-library cublas --placement -o library.dae
  prints 'asked for with target cuda; calls cublas.matmul( |$)'
  ok "$daedalus" info library.dae
  prints '^library of the device: cuBLAS \(libcublas.so.12 or libcublas.so.13, or the file that DAEDALUS_CUBLAS names\)$'
  ok "$daedalus" info library.dae --json
  prints '"variable": "DAEDALUS_CUBLAS"'
fi
if [ -d "$data" ]; then
  for libraries in cudnn cublas,cudnn; do
    "$daedalus" check "$data"/{node/test_{basic_conv,conv},pytorch-converted/test_Conv,pytorch-operator/test_operator_conv}* \
      --tolerance 0 --target cuda --cuda-arch emulated --cuda-library $libraries --driver "$emulation" >by_library 2>&1 </dev/null ||
      fail "ONNX's convolutions with --cuda-library $libraries: $(grep -v '^passed' by_library)"
  done
  padded=$data/pytorch-converted/test_Conv2d_padding/model.onnx
  ok "$daedalus" compile "$padded" --target cuda --cuda-library cublas,cudnn --emit gpu
  prints 'cuda.conv "cudnn.conv" .* images \[2, 3, 6, 6\] filters \[4, 3, 3\] pads \[1, 1\] strides \[2, 2\] dilations \[1, 1\]'
  ok "$daedalus" compile "$padded" --target cuda --cuda-library cudnn --placement -o library.dae
  prints 'asked for with target cuda; calls cudnn.conv( |$)'
  ok "$daedalus" info library.dae
  prints '^library of the device: cuDNN \(libcudnn.so.9 or libcudnn.so.8, or the file that DAEDALUS_CUDNN names\)$'
fi
ok "$daedalus" compile "$digits/digits.onnx" --target cuda --cuda-library cublas -o no_library.dae
ok "$daedalus" info no_library.dae
grep -q 'library of the device' "$work.out" && fail "digits has no product of a library's, and info says: $(cat "$work.out")"
refuses 1 "--cuda-library names 'blas'; expected cublas or cublaslt or cudnn" "$daedalus" compile "$digits/digits.onnx" --target cuda --cuda-library blas
refuses 1 "--cuda-library names ''; expected cublas" "$daedalus" compile "$digits/digits.onnx" --target cuda --cuda-library cublas,
refuses 1 "--cuda-library gives 'conv' to cublas; expected matmul or matmul_i8" \
  "$daedalus" compile "$digits/digits.onnx" --target cuda --cuda-library cublas:matmul+conv

refuses 1 "has 'sm_70'; expected sm_80, .* or emulated" "$daedalus" compile "$digits/digits.onnx" --target cuda --cuda-arch sm_70
refuses 1 "has 'sm_80' twice" "$daedalus" compile "$digits/digits.onnx" --target cuda --cuda-arch sm_80,sm_80
refuses 1 "has an emulated GPU beside others; expected it alone" "$daedalus" compile "$digits/digits.onnx" --target cuda --cuda-arch sm_80,emulated
refuses 1 "'cuda-emulation'" "$daedalus" run digits.dae --input "$source/tests/models/image.npy"
refuses 1 "the device 'cuda' cannot be opened: this host has no CUDA driver" env DAEDALUS_CUDA_DRIVER=/nowhere.so \
  "$daedalus" run "$digits/digits.onnx" --target cuda --input "$source/tests/models/image.npy"
# What was not asked for stays where it was.
ok "$daedalus" compile "$digits/digits.onnx" --cuda-arch sm_90a -o auto.dae
ok "$daedalus" compile "$digits/digits.onnx" -o plain.dae
same auto.dae plain.dae

# An index that comes at run time and is out of range ends the run, and names the node.
python3 - <<'END'
import struct
def save(name, descr, shape, data):
    header = repr({"descr": descr, "fortran_order": False, "shape": shape})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    open(name, "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)
save("table.npy", "<f4", (5, 4, 3, 2), struct.pack("<120f", *range(120)))
save("behind.npy", "<i8", (3,), struct.pack("<3q", 0, 1, 5))
END
[ ! -d "$data" ] || refuses 1 "node 'Gather_0'.* selects by an index .* outside of the dimension" "$daedalus" run \
  "$data/node/test_gather_0/model.onnx" --target cuda --cuda-arch emulated --driver "$emulation" \
  --input data=table.npy --input indices=behind.npy

finish
