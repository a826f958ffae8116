#!/usr/bin/python3
"""Makes the small models and arrays beside this file, which the tests of the command line use.

Needs Debian 12's python3-numpy and python3-onnx:
    /usr/bin/python3 tests/models/make_bad_models.py
"""
import pathlib

import numpy as np
import onnx
from onnx import TensorProto, helper

FOLDER = pathlib.Path(__file__).resolve().parent


def save(name, nodes, dtype, initializers=(), shape=(1, 4)):
    write(helper.make_graph(nodes, name, [helper.make_tensor_value_info("x", dtype, shape)],
                            [helper.make_tensor_value_info("y", dtype, shape)], list(initializers)))


def write(graph):
    model = helper.make_model(graph, producer_name="tests/models/make_bad_models.py",
                              opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 7
    onnx.save(model, str(FOLDER / f"{graph.name}.onnx"))


def quantized(operator, name, **attributes):
    """x int8 -> operator -> y int8, as QDQ around one node."""
    initializers = [helper.make_tensor("scale", TensorProto.FLOAT, [], [0.5]),
                    helper.make_tensor("zero_point", TensorProto.INT8, [], [3])]
    nodes = [helper.make_node("DequantizeLinear", ["x", "scale", "zero_point"], ["x_real"], name="in"),
             helper.make_node(operator, ["x_real"], ["y_real"], name=name, **attributes),
             helper.make_node("QuantizeLinear", ["y_real", "scale", "zero_point"], ["y"], name="out")]
    return nodes, initializers


def open_sizes():
    """y = x * rate, and the sum of y; x of sizes that are not known."""
    shape = ["batch", 1, "height", "width"]
    return helper.make_graph(
        [helper.make_node("Cast", ["x"], ["wide"], to=TensorProto.INT32),
         helper.make_node("Mul", ["wide", "rate"], ["y"]),
         helper.make_node("ReduceSum", ["y"], ["sum"], keepdims=0)], "open_sizes",
        [helper.make_tensor_value_info("x", TensorProto.INT8, shape),
         helper.make_tensor_value_info("rate", TensorProto.INT32, [])],
        [helper.make_tensor_value_info("y", TensorProto.INT32, shape),
         helper.make_tensor_value_info("sum", TensorProto.INT32, [])])


def main():
    # An operator that ONNX has and Daedalus does not take.
    nodes, initializers = quantized("Det", "head/det")
    save("unsupported_operator", nodes, TensorProto.INT8, initializers)
    # An operator of nobody.
    nodes, initializers = quantized("Frobnicate", "head/frobnicate")
    save("unknown_operator", nodes, TensorProto.INT8, initializers)
    # A type that Daedalus does not take.
    save("unsupported_dtype", [helper.make_node("Relu", ["x"], ["y"], name="head/relu")], TensorProto.COMPLEX64)
    # Sizes that only the command line says.
    write(open_sizes())
    # Inputs of a wrong shape and of a wrong type for examples/digits.
    np.save(FOLDER / "image_wrong_shape.npy", np.zeros((1, 1, 9, 8), np.int8))
    np.save(FOLDER / "image_wrong_dtype.npy", np.zeros((1, 1, 8, 8), np.float32))
    np.save(FOLDER / "image.npy", np.load(FOLDER / "../../examples/digits/test_images.npy")[:1])


if __name__ == "__main__":
    main()
