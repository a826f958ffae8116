#!/bin/bash
# Bad input gets one clear sentence and exit status 1, and nothing is left behind.
. "$(dirname "$0")/cli_lib.sh"
digits=$source/examples/digits models=$source/tests/models
model=$digits/digits.onnx
image=$models/image.npy

changed() { # FILE OFFSET COPY: a copy whose byte at OFFSET is inverted
  local byte
  cp "$1" "$3"
  byte=$(od -An -tu1 -j "$2" -N 1 "$1")
  printf "\\x$(printf %x $((byte ^ 255)))" | dd of="$3" bs=1 seek="$2" conv=notrunc status=none
}

models() {
  local size keep
  refuses 1 "nowhere.onnx'?: No such file" "$daedalus" compile nowhere.onnx -o out.dae
  refuses 1 "No such file|directory" "$daedalus" compile "$model" -o no/such/folder/out.dae
  refuses 1 'directory' "$daedalus" compile "$source" -o out.dae
  : >empty.onnx
  refuses 1 "empty.onnx" "$daedalus" compile empty.onnx -o out.dae
  size=$(stat -c %s "$model")
  for keep in 1 100 1000 20000 $((size - 1)); do
    head -c "$keep" "$model" >truncated.onnx
    refuses 1 'truncated.onnx' "$daedalus" compile truncated.onnx -o out.dae
    refuses 1 'truncated.onnx' "$daedalus" run truncated.onnx --input "image=$image" --output results
  done
  head -c 5000 /dev/zero | tr '\0' '\377' >noise.onnx
  refuses 1 'noise.onnx' "$daedalus" compile noise.onnx -o out.dae
  refuses 1 "Frobnicate.*head/frobnicate|head/frobnicate.*Frobnicate" "$daedalus" compile "$models/unknown_operator.onnx" -o out.dae
  refuses 1 'opset' "$daedalus" compile "$models/unknown_operator.onnx" -o out.dae
  refuses 1 "Det.*head/det|head/det.*Det" "$daedalus" compile "$models/unsupported_operator.onnx" -o out.dae
  refuses 1 'opset 13' "$daedalus" compile "$models/unsupported_operator.onnx" -o out.dae
  refuses 1 'complex64' "$daedalus" compile "$models/unsupported_dtype.onnx" -o out.dae
}

intrinsics() {
  local program=$source/examples/intrinsics/changes.mlir good=$source/examples/intrinsics/greater.mlir
  refuses 1 "nowhere.mlir'?: No such file" "$daedalus" compile "$program" --intrinsics nowhere.mlir -o out.dae
  refuses 1 'directory' "$daedalus" compile "$program" --intrinsics "$source" -o out.dae
  sed 's/sub> %a, %b/sub> %b, %a/' "$good" >wrong.mlir
  refuses 1 "wrong.mlir:6: .*@greater computes .* by its description and .* by its implementation, as greater\\(inp, inp -> acc\\) of argument 0 = " \
    "$daedalus" run "$program" --intrinsics wrong.mlir
  refuses 1 'wrong.mlir:6: ' "$daedalus" bench targets "$program" --intrinsics wrong.mlir
  head -c 700 "$good" >truncated.mlir
  refuses 1 'truncated.mlir:' "$daedalus" compile "$program" --intrinsics truncated.mlir -o out.dae
  # MLIR's parser goes on with memory that it has freed: a copy of the process may end so, and nobody reads it again.
  sed '/linalg.generic/i %one = arith.extui %is : i1 to i32' "$good" >twice.mlir
  refuses 1 "twice.mlir:[0-9]+: redefinition of SSA value|twice.mlir: MLIR's parser ends with" \
    "$daedalus" compile "$program" --intrinsics twice.mlir -o out.dae
  printf '%5000s' | tr ' ' '(' >deep.mlir
  refuses 1 'deep.mlir: ' "$daedalus" compile "$program" --intrinsics deep.mlir -o out.dae
  refuses 1 'digits.onnx' "$daedalus" compile "$program" --intrinsics "$digits/digits.onnx" -o out.dae
  "$daedalus" compile "$program" -o changes.dae
  refuses 2 '--intrinsics is for models' "$daedalus" run changes.dae --intrinsics "$good"
}

shapes() {
  local open=$models/open_sizes.onnx
  refuses 1 "open_sizes.onnx' has input 'x' with dimension 2 of unknown size 'height'; .* --shape x=1x1x224x224$" \
    "$daedalus" compile "$open" -o out.dae
  refuses 1 "shape \[batch,1,height,width\], to which --shape gives 2x3; expected as many" "$daedalus" run "$open" --shape x=2x3
  refuses 1 "no input 'y', which --shape names; its inputs are 'x', 'rate'" "$daedalus" bench targets "$open" --shape y=1
  refuses 1 "no input 'y', which --set names" "$daedalus" cosim "$open" --engines functional,systemc --shape x=1x1x8x8 --set y=1
  refuses 1 "'rate' of type int32, which --set makes a constant of '1.5'; expected a whole" \
    "$daedalus" compile "$open" --shape x=1x1x8x8 --set rate=1.5 -o out.dae
  refuses 1 "matmul.mlir' is a tensor program" \
    "$daedalus" compile "$source/examples/tensor_programs/matmul.mlir" --shape 1x4 -o out.dae
  ok "$daedalus" compile "$open" --shape x=1x1x8x8 -o open.dae
  refuses 2 "for models: 'open.dae' is a package" "$daedalus" run open.dae --shape x=1x1x8x8
  refuses 2 "for models: 'open.dae' is a package" "$daedalus" cosim open.dae --engines functional,systemc --set rate=1
}

inputs() {
  refuses 1 "image.*int8 \[1,1,8,8\]" "$daedalus" run "$model"
  refuses 1 "no input 'picture'.*image" "$daedalus" run "$model" --input "picture=$image"
  refuses 1 'nowhere.npy' "$daedalus" run "$model" --input image=nowhere.npy
  refuses 1 'int8 \[1,1,9,8\].*int8 \[1,1,8,8\]' "$daedalus" run "$model" --input "image=$models/image_wrong_shape.npy" --output results
  refuses 1 'float32 \[1,1,8,8\].*int8 \[1,1,8,8\]' "$daedalus" run "$model" --input "image=$models/image_wrong_dtype.npy" --output results
  head -c 90 "$image" >short.npy
  refuses 1 'short.npy' "$daedalus" run "$model" --input image=short.npy --output results
  refuses 1 'not an|\.npy|magic' "$daedalus" run "$model" --input "image=$model" --output results
  refuses 1 'test_labels.npy.*int64 \[400\].* 1 samples' "$daedalus" run "$model" --samples --input "image=$image" \
    --labels "$digits/test_labels.npy" --logits logits.npy
}

machines() {
  refuses 1 "gigantic" "$daedalus" compile "$model" --machine gigantic -o out.dae
  sed 's/inp_bytes/inp_byte/' "$source/isa/machines/tiny.yaml" >wrong_key.yaml
  refuses 1 "inp_byte" "$daedalus" compile "$model" --machine wrong_key.yaml -o out.dae
  sed 's/inp_bytes:.*/inp_bytes: 0/' "$source/isa/machines/tiny.yaml" >zero.yaml
  refuses 1 'inp_bytes.*\b0\b.*512' "$daedalus" compile "$model" --machine zero.yaml -o out.dae
  printf 'core: [' >broken.yaml
  refuses 1 'broken.yaml' "$daedalus" compile "$model" --machine broken.yaml -o out.dae
}

packages() {
  local size offset
  ok "$daedalus" compile "$model" --machine vta -o vta.dae
  refuses 1 'vta.*tiny|tiny.*vta' "$daedalus" run vta.dae --machine tiny --input "image=$image" --output results
  refuses 2 'package' "$daedalus" run vta.dae --target cpu --input "image=$image" --output results
  size=$(stat -c %s vta.dae)
  for offset in 9 17 100 4096 $((size / 3)) $((size / 2)) $((size - 1)); do
    changed vta.dae "$offset" changed.dae
    refuses 1 'changed.dae' "$daedalus" run changed.dae --input "image=$image" --output results
  done
  head -c $((size / 2)) vta.dae >truncated.dae
  refuses 1 'truncated.dae' "$daedalus" run truncated.dae --input "image=$image" --output results
  refuses 1 'truncated.dae' "$daedalus" verify truncated.dae
}

# Folders that may not be read, by a user who is not root.
unreadable() {
  becomes_ordinary || return 0
  mkdir -p locked/tests/inner locked/test
  cp "$model" locked/test/model.onnx
  chmod 0 locked/tests/inner
  refuses 1 "cannot read the folder 'locked/tests/inner': Permission denied" "${ordinary[@]}" "$daedalus" check locked/tests
  chmod 711 locked/test
  "${ordinary[@]}" "$daedalus" check locked/test >"$work.out" 2>"$work.err" && prints "^refused .*cannot read the folder 'locked/test'" ||
    fail "check of a folder that cannot be read says $(cat "$work.err")"
  refuses 1 "are not in '$PWD/locked/tests/inner/hw': set DAEDALUS_HW" \
    "${ordinary[@]}" env "DAEDALUS_HW=$PWD/locked/tests/inner/hw" "$daedalus" cosim --programs 1 --machine tiny
  chmod 755 locked/tests/inner locked/test
}

models; intrinsics; shapes; inputs; machines; packages; unreadable
finish
