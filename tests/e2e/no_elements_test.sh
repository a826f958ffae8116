#!/bin/bash
# Inputs and outputs without elements by every command: a model and a tensor program whose tensors have an extent of 0,
# from .npy files of that shape to such files.
. "$(dirname "$0")/cli_lib.sh"

/usr/bin/python3 - <<'PYTHON' || exit 77
import numpy as np
from onnx import TensorProto as T, helper as h, numpy_helper as n

def save(name, nodes, inputs, outputs, constants=()):
    tensors = lambda values: [h.make_tensor_value_info(name, dtype, shape) for name, dtype, shape in values]
    graph = h.make_graph(nodes, "g", tensors(inputs), tensors(outputs), [n.from_array(v, k) for k, v in constants])
    model = h.make_model(graph, opset_imports=[h.make_opsetid("", 17)], ir_version=8)
    open(name, "wb").write(model.SerializeToString())

save("none.onnx", [h.make_node("Relu", ["boxes"], ["kept"])], [("boxes", T.FLOAT, ["count", 4])],
     [("kept", T.FLOAT, ["count", 4])])
save("head.onnx", [h.make_node("DequantizeLinear", ["x", "s", "z"], ["a"]), h.make_node("DequantizeLinear", ["w", "s"], ["b"]),
                   h.make_node("MatMul", ["a", "b"], ["c"]), h.make_node("QuantizeLinear", ["c", "s", "z"], ["y"]),
                   h.make_node("Relu", ["boxes"], ["kept"])],
     [("x", T.INT8, [2, 0]), ("boxes", T.FLOAT, [0, 4])], [("y", T.INT8, [2, 3]), ("kept", T.FLOAT, [0, 4])],
     [("s", np.float32(0.5)), ("z", np.int8(3)), ("w", np.zeros([0, 3], np.int8))])
np.save("boxes.npy", np.zeros([0, 4], np.float32))
np.save("x.npy", np.zeros([2, 0], np.int8))
np.save("turned.npy", np.zeros([4, 0], np.float32))
np.save("y.npy", np.full([2, 3], 3, np.int8))
PYTHON

none=(none.onnx --shape boxes=0x4)
for target in auto cpu; do
  ok "$daedalus" compile "${none[@]}" --target $target -o none.dae
  ok "$daedalus" info none.dae
  prints 'kept.*float32.*\[0,4\]'
  for engine in functional systemc; do
    ok "$daedalus" run none.dae --input boxes=boxes.npy --output none_out --engine $engine
    same boxes.npy none_out/kept.npy
    ok "$daedalus" compile head.onnx --target $target -o head.dae
    ok "$daedalus" run head.dae --input x=x.npy --input boxes=boxes.npy --output head_out --engine $engine
    same y.npy head_out/y.npy
    same boxes.npy head_out/kept.npy
  done
  for level in graph linalg dae; do
    ok "$daedalus" compile head.onnx --target $target --emit $level -o head.mlir
    [ $level = dae ] && again=auto || again=$target
    ok "$daedalus" compile head.mlir --target $again -o again.dae
    same head.dae again.dae
  done
done
ok "$daedalus" run head.onnx --input x=x.npy --input boxes=boxes.npy --output head_out
refuses 1 "'turned.npy' holds float32 \[4,0\], but the input 'boxes' is float32 \[0,4\]" "$daedalus" run head.dae --input x=x.npy --input boxes=turned.npy

refuses 1 'no kernel of the model has a schedule; use --placement to see why' \
  "$daedalus" compile "${none[@]}" --emit schedule -o none.txt
for level in asm words llvm; do
  refuses 1 "nothing of the model runs on the .*, so it has no level '$level'" \
    "$daedalus" compile "${none[@]}" --emit $level -o none.txt
done
ok "$daedalus" info none.onnx
for model in head.onnx "${none[*]}"; do
  ok "$daedalus" compile $model --placement
  ok "$daedalus" profile $model
  ok "$daedalus" bench targets $model
done

mkdir -p test/test_data_set_0
cp head.onnx test/model.onnx
/usr/bin/python3 - <<'PYTHON'
import numpy as np
from onnx import numpy_helper as n
for name, file in (("input_0", "x"), ("input_1", "boxes"), ("output_0", "y"), ("output_1", "boxes")):
    open(f"test/test_data_set_0/{name}.pb", "wb").write(n.from_array(np.load(f"{file}.npy")).SerializeToString())
PYTHON
ok "$daedalus" check test
prints '^passed'

cat >turn.mlir <<'MLIR'
func.func @main(%x: tensor<0x4xf32> {daedalus.name = "boxes"}) -> (tensor<4x0xf32> {daedalus.name = "turned"},
                                                                  tensor<4xf32> {daedalus.name = "sum"}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x0xf32>
  %y = linalg.transpose ins(%x : tensor<0x4xf32>) outs(%e : tensor<4x0xf32>) permutation = [1, 0]
  %s = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%s : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce {arith.addf} ins(%x : tensor<0x4xf32>) outs(%f : tensor<4xf32>) dimensions = [0]
  return %y, %sum : tensor<4x0xf32>, tensor<4xf32>
}
MLIR
ok "$daedalus" run turn.mlir --input boxes=boxes.npy --output turn_out
same turned.npy turn_out/turned.npy

finish
