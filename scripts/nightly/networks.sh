# Sourced by nightly.sh: the steps for models of others.

# Debian's onnx has no reference evaluator: with DAEDALUS_ONNX_PYTHON, a Python that has PyPI's onnx 1.16 or newer,
# what is taken is judged too.
step_onnx() {
  local kind
  build release
  /usr/bin/python3 tests/e2e/bad_nodes/bad_nodes_test.py build/release/bin/daedalus build/release/bin/onnx_batch --all \
    --share "$(if_whole 1 $nights)" --seed $((nth % nights))
  for kind in node networks; do
    "${DAEDALUS_ONNX_PYTHON:-/usr/bin/python3}" tests/onnx_mutants/mutants.py build/release/bin/onnx_batch \
      --from "$kind" --count "$(share 5000)" --seed $((nth + 1)) --keep build/nightly/onnx
  done
}

step_newest() {
  build release
  tests/e2e/newest_onnx/newest_onnx.py
}

step_odd() {
  build release
  /usr/bin/python3 tests/odd_graphs/odd_graphs.py build/release/bin/onnx_batch --onnxruntime \
    --graphs "$(begin 2000):$(($(begin 2000) + $(share 2000)))" --keep build/nightly/odd
}

step_elements() {
  build release
  /usr/bin/python3 tests/e2e/no_elements/no_elements_test.py build/release/bin/daedalus build/release/bin/onnx_batch --judge
}

step_exported() {
  local names
  build release
  names=$(some $(tests/e2e/exported/exported.py --list))
  tests/e2e/exported/exported.py $names
  tests/e2e/exported/nodes.py $(cd build/exported/models && find $names -name reference.npz -printf '%h\n' | grep -v '/float$')
  tests/e2e/exported/tutorial.py --daedalus build/release/bin/daedalus
}

step_export() {
  local emulate=tests/export/emulate.py data=/usr/share/libonnx-testdata/data/node work
  work=$(mktemp -d)
  packages=(gcc-arm-none-eabi gcc-aarch64-linux-gnu qemu-system-arm cppcheck)
  install_packages
  build release
  "$emulate" build/release/bin/daedalus "$root" --node-tests $data --share 5 --every-operator --cpu rv32imac --cpu rv64gc
  "$emulate" build/release/bin/daedalus "$root" --node-tests $data --share 40 --cpu cortex-m4 --cpu cortex-m55 --cpu aarch64
  /usr/bin/python3 -B tests/export/small_mobilenet.py "$work/mobilenet.onnx"
  "$emulate" build/release/bin/daedalus "$root" examples/digits/digits.onnx "$work/mobilenet.onnx" \
    build/release/models/networks/{mlp,squeezenet}.onnx \
    --cpu rv32imc --cpu cortex-m4 --cpu cortex-m55 --cpu aarch64 --cpu x86-64-v2
  "$emulate" build/release/bin/daedalus "$root" examples/digits/digits.onnx "$work/mobilenet.onnx" \
    $(some build/release/models/networks/*.onnx) --cpu rv32imac --cpu rv64gc
  rm -r "$work"
  tests/export/misra.py build/release/bin/daedalus "$root"
}

step_cuda() {
  build release
  tests/e2e/cuda_assembly/assemble.py
}

step_emulated() {
  local names
  build release
  names=$(some digits $(basename -s .onnx build/release/models/networks/*.onnx))
  /usr/bin/python3 tests/e2e/cuda_networks.py $names
  /usr/bin/python3 tests/e2e/cuda_networks.py $names --cuda-arch emulated-sm_90a
}
