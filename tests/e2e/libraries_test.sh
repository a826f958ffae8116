#!/bin/bash
# --cpu-library: what packages say that they need, and one sentence for libraries that nobody knows or that are not there.
. "$(dirname "$0")/cli_lib.sh"
/usr/bin/python3 "$source/tests/models/make_product.py" . || exit 77

compiling() {
  local unknown='; expected onednn or openblas, or functions of your own with the patterns'
  refuses 1 "--cpu-library names 'mkl'$unknown" "$daedalus" compile product.onnx --cpu-library mkl -o out.dae
  refuses 1 "--cpu-library names ''$unknown" "$daedalus" compile product.onnx --cpu-library openblas,, -o out.dae
  refuses 1 "gives 'conv' to openblas; expected matmul$" \
    "$daedalus" compile product.onnx --cpu-library openblas:conv -o out.dae
  refuses 1 "--cpu x86-64-v4-vnni$" \
    "$daedalus" compile product.onnx --cpu x86-64-v2 --cpu-library onednn:conv_i8 -o out.dae
  ok "$daedalus" compile product.onnx --cpu-library openblas --placement
  prints 'product .*; calls openblas.matmul'
  ok "$daedalus" compile product.onnx --cpu-library openblas --emit dae -o product.mlir
  refuses 1 'product.mlir: the module is at level dae, .* expected no --cpu-library$' \
    "$daedalus" compile product.mlir --cpu-library openblas -o out.dae
  ok "$daedalus" compile product.mlir -o replayed.dae
  ok "$daedalus" compile product.onnx --cpu-library openblas -o product.dae
  same product.dae replayed.dae
  ok env DAEDALUS_OPENBLAS=/nowhere.so "$daedalus" compile product.onnx --cpu-library openblas -o absent.dae
  same product.dae absent.dae
}

describing() {
  ok "$daedalus" info product.dae
  prints '^external functions: openblas.matmul$'
  prints "^library: OpenBLAS \\(libopenblas.so.0, Debian's libopenblas0\\)$"
  ok "$daedalus" info product.dae --json
  prints '"debian_package": "libopenblas0"'
  prints '"name": "openblas"'
  ok "$daedalus" compile product.onnx --cpu-library mine:matmul -o mine.dae
  ok "$daedalus" info mine.dae --json
  prints '"libraries": \[\]'
  ok "$daedalus" info
  prints '^libraries: (no oneDNN|oneDNN 2[0-9.]*), (no OpenBLAS|OpenBLAS .*)$'
  ok env DAEDALUS_OPENBLAS=/nowhere.so "$daedalus" info
  prints '^libraries: .*, no OpenBLAS$'
  ok env DAEDALUS_OPENBLAS=/nowhere.so "$daedalus" info --json
  prints '"problem": "this host lacks OpenBLAS'
}

# The loader finds nothing, or something else.
running() {
  local call="the package calls the external function 'openblas.matmul' \\(node 'product'\\): "
  export DAEDALUS_OPENBLAS=/nowhere/libopenblas.so DAEDALUS_ONEDNN=/nowhere/libdnnl.so
  refuses 1 "${call}this host lacks OpenBLAS \\(/nowhere/libopenblas.so: .*: install Debian's libopenblas0 or name its file in DAEDALUS_OPENBLAS, or compile the model without --cpu-library$" \
    "$daedalus" run product.dae --input x.npy --output results
  refuses 1 "calls the external function 'onednn.matmul' .*oneDNN.* or compile the model without --cpu-library$" \
    "$daedalus" run product.onnx --cpu-library onednn --input x.npy
  DAEDALUS_OPENBLAS=$(realpath /lib/x86_64-linux-gnu/libm.so.6)
  refuses 1 "${call}the file of OpenBLAS lacks cblas_sgemm or openblas_set_num_threads: " \
    "$daedalus" run product.dae --input x.npy
  unset DAEDALUS_OPENBLAS DAEDALUS_ONEDNN
  refuses 1 "calls the external function 'mine.matmul' \\(node 'product'\\), which is not registered; register it" \
    "$daedalus" run mine.dae --input x.npy
  refuses 2 "--cpu-library is for models: 'product.dae' is a package" \
    "$daedalus" run product.dae --cpu-library openblas --input x.npy
}

# The same numbers by generated code and by the libraries that there are.
computing() {
  local library
  ok "$daedalus" run product.onnx --input x.npy --output generated
  for library in openblas onednn; do
    if "$daedalus" run product.onnx --cpu-library $library --input x.npy --output $library >/dev/null 2>"$work.err"; then
      same generated/y.npy $library/y.npy
    else
      grep -Eq 'this host lacks|built without the headers' "$work.err" || fail "$library: $(cat "$work.err")"
      echo "skipped $library: $(cat "$work.err")"
    fi
  done
}

compiling
describing
running
computing
finish
