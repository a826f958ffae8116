"""Models in ONNX's test form whose expected outputs are right, near or wrong.

    make_checked_models.py FOLDER"""
import json
import pathlib
import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

ROOT = pathlib.Path(sys.argv[1])
HALF = [helper.make_tensor("scale", TensorProto.FLOAT, [], [0.5]), helper.make_tensor("zero", TensorProto.INT8, [], [0])]


def tensor(array, path):
    path.write_bytes(numpy_helper.from_array(array).SerializeToString())


def test(name, nodes, given, expected, data=None, constants=()):
    """Expected: arrays by the names of outputs."""
    def value(what, array):
        return helper.make_tensor_value_info(what, helper.np_dtype_to_tensor_dtype(array.dtype)
                                             if hasattr(helper, "np_dtype_to_tensor_dtype")
                                             else helper.mapping.NP_TYPE_TO_TENSOR_TYPE[array.dtype], array.shape)
    graph = helper.make_graph(nodes, name, [value("x", given)], [value(*item) for item in expected.items()], [*HALF, *constants])
    folder = ROOT / name
    (folder / "test_data_set_0").mkdir(parents=True)
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=7), folder / "model.onnx")
    tensor(given, folder / "test_data_set_0/input_0.pb")
    for k, array in enumerate(expected.values()):
        tensor(array, folder / f"test_data_set_0/output_{k}.pb")
    if data is not None:
        (folder / "data.json").write_text(data)


def twice(name, given, expected, data=None):
    test(name, [helper.make_node("Add", ["x", "x"], ["y"])], given, {"y": expected}, data)


large = np.array([1, 2**60], np.int64)
twice("int64", large, 2 * large)
twice("int64_last_place", large, 2 * large + np.array([0, 1]))

bytes_ = np.array([-3, 0, 5, 7], np.int8)
test("int8_step", [helper.make_node("Identity", ["x"], ["y"])], bytes_,
     {"y": bytes_ + np.array([0, 0, 1, 0], np.int8)})

quantize = helper.make_node("QuantizeLinear", ["x", "scale", "zero"], ["y"])
for name, difference in [("quantized_step", [0, 0, 1, 0]), ("quantized_steps", [0, 1, -2, 0])]:
    test(name, [quantize], bytes_.astype(np.float32) / 2, {"y": bytes_ + np.array(difference, np.int8)})

one = np.array([0.55], np.float32)
twice("real_near", one, np.array([1.1005], np.float32))
for name, data in [("real", None), ("real_data", {"rtol": 0.2}), ("real_data_narrow", {"rtol": 0.01, "atol": 0.01}),
                   ("real_data_nonsense", {"rtol": "wide"})]:
    twice(name, one, np.array([1], np.float32), data and json.dumps(data))

real = bytes_.astype(np.float32) / 2
dequantize = helper.make_node("DequantizeLinear", ["x", "scale", "zero"], ["y"])
for name, difference in [("0", [0, 0, 0, 0]), ("2", [0, -1, 0, 2]), ("fraction", [0, 0.4, 0, 0]),
                         ("nan", [np.nan, 0, 0, 1])]:
    test("steps_" + name, [dequantize], bytes_, {"y": real + np.array(difference, np.float32) / 2})

test("outputs", [helper.make_node("DequantizeLinear", ["x", "scale", "zero"], ["first"]),
                 helper.make_node("Identity", ["x"], ["second"])], bytes_,
     {"first": real + np.float32(0.5), "second": bytes_ + np.int8(3)})

# A convolution's result twice behind each other, the first time where it lies.
pixels = np.array([[-3, 0, 5], [4, 7, -9]], np.int8)
both = np.array([pixels[0], pixels[0] + pixels[1]])
test("concat_of_one_value",
     [helper.make_node("DequantizeLinear", ["x", "scale", "zero"], ["real"]),
      helper.make_node("DequantizeLinear", ["weights", "scale", "zero"], ["factors"]),
      helper.make_node("Conv", ["real", "factors"], ["sums"]),
      helper.make_node("QuantizeLinear", ["sums", "scale", "zero"], ["bytes"]),
      helper.make_node("DequantizeLinear", ["bytes", "scale", "zero"], ["part"]),
      helper.make_node("Concat", ["part", "part"], ["joined"], axis=1),
      helper.make_node("QuantizeLinear", ["joined", "scale", "zero"], ["y"])],
     pixels.reshape(1, 2, 1, 3), {"y": np.concatenate([both, both]).astype(np.int8).reshape(1, 4, 1, 3)},
     constants=[helper.make_tensor("weights", TensorProto.INT8, [2, 2, 1, 1], [2, 0, 2, 2])])
