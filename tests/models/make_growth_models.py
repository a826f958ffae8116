#!/usr/bin/python3
"""Writes models of one kind and a size, with which the growth of compile time and memory is measured
(docs/performance.md): OUT/KIND-SIZE.onnx. int8 QDQ where the kind ends in -int8, else float32.

    /usr/bin/python3 tests/models/make_growth_models.py OUT concat-int8-200 chain-float-1000 conv-int8-4096
"""
import argparse
import pathlib

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save_model


class Graph:
    """Nodes and constants; a quantized value has one scale everywhere, since only sizes matter here."""

    def __init__(self, quantized):
        self.quantized, self.nodes, self.initializers, self.inputs, self.count = quantized, [], [], [], 0
        self.constant("scale", np.float32(0.05))
        self.constant("zero", np.int8(3))

    def constant(self, name, array):
        self.initializers.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def node(self, kind, inputs, **attributes):
        self.count += 1
        name = f"{kind}_{self.count}"
        self.nodes.append(helper.make_node(kind, inputs, [name], name=name, **attributes))
        return name

    def dequantized(self, value):
        return self.node("DequantizeLinear", [self.node("QuantizeLinear", [value, "scale", "zero"]), "scale", "zero"])

    def input(self, name, shape):
        self.inputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape))
        return self.dequantized(name) if self.quantized else name

    def op(self, kind, inputs, **attributes):
        out = self.node(kind, inputs, **attributes)
        return self.dequantized(out) if self.quantized else out

    def weights(self, name, shape):
        values = (np.arange(int(np.prod(shape)), dtype=np.int64) * 7919 % 255 - 127).astype(np.int8).reshape(shape)
        if not self.quantized:
            return self.constant(name, values.astype(np.float32) * 0.01)
        self.constant(name + "_scale", np.float32(0.01))
        self.constant(name + "_zero", np.int8(0))
        return self.node("DequantizeLinear", [self.constant(name, values), name + "_scale", name + "_zero"])

    def save(self, path, output, shape):
        describe = helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)
        graph = helper.make_graph(self.nodes, path.stem, self.inputs, [describe], self.initializers)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
        model.ir_version = 7
        save_model(model, str(path))


def concat(g, size, axis=1):
    shape = [1, 16, 8, 8]
    parts = [g.input(f"x{i}", shape) for i in range(size)]
    shape[axis] *= size
    return g.op("Concat", parts, axis=axis), shape


def conv(g, size, channels=16):
    x = g.input("x", [1, channels, size, size])
    return g.op("Conv", [x, g.weights("w", [64, channels, 3, 3])], pads=[1] * 4), [1, 64, size, size]


def pool(g, size):
    x = g.input("x", [1, 16, size, size])
    return g.op("MaxPool", [x], kernel_shape=[2, 2], strides=[2, 2]), [1, 16, size // 2, size // 2]


def add(g, size):
    shape = [1, 16, size, size]
    return g.op("Add", [g.input("x", shape), g.input("y", shape)]), shape


def matmul(g, size):
    return g.op("MatMul", [g.input("x", [size, size]), g.weights("w", [size, size])]), [size, size]


def chain(g, size):
    shape = [1, 16, 8, 8]
    x = g.input("x", shape)
    for i in range(size):
        x = g.op("Conv", [x, g.weights(f"w{i}", [16, 16, 1, 1])]) if i % 2 else g.op("Add", [x, x])
    return x, shape


def fan(g, size):
    """One value that `size` nodes read, whose results are added up in a chain."""
    shape = [1, 16, 8, 8]
    x = total = g.input("x", shape)
    for _ in range(size):
        total = g.op("Add", [total, x])
    return total, shape


KINDS = {"concat": concat, "concat_rows": lambda g, size: concat(g, size, 2), "conv": conv,
         "image": lambda g, size: conv(g, size, 3), "wide": lambda g, size: conv(g, size, 64), "pool": pool, "add": add,
         "matmul": matmul, "chain": chain, "fan": fan}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path, help="the folder to write to")
    parser.add_argument("names", nargs="+", help=f"KIND-int8-SIZE or KIND-float-SIZE; kinds: {', '.join(KINDS)}")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for name in options.names:
        kind, number, size = name.rsplit("-", 2)
        graph = Graph(number == "int8")
        output, shape = KINDS[kind](graph, int(size))
        graph.save(options.out / f"{name}.onnx", output, shape)
        print(options.out / f"{name}.onnx", flush=True)


if __name__ == "__main__":
    main()
