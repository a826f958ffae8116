#!/usr/bin/python3
"""Writes a quantized vision transformer of DeiT-Ti's shape (Touvron et al. 2021) with seeded random weights: its nodes are
those of a PyTorch export, and around them QuantizeLinear and DequantizeLinear as ONNX Runtime's quantize_static writes
them, int8, weights per tensor. Div and Erf, which it does not quantize, take and give real values.

Needs Debian 12's python3-numpy and python3-onnx:
    /usr/bin/python3 tests/e2e/report/vit.py OUT.onnx [--blocks N]"""
import argparse
import math
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "models"))
from quantized_net import QuantizedNet, Value

PIXELS, PATCH, WIDTH, HEADS, MLP, BLOCKS, CLASSES = 224, 16, 192, 3, 768, 12, 1000
EPSILON = 1e-6
ERF = np.vectorize(math.erf)


class TransformerNet(QuantizedNet):
    """Values are [1, tokens, channels], or [1, heads, tokens, channels] within attention."""

    opset = 17  # LayerNormalization
    producer = "tests/e2e/report/vit.py"

    def parameter(self, name, array):
        """A constant in int8 with one scale, behind DequantizeLinear."""
        scale = np.float32(np.abs(array).max() / 127)
        self.constant(name + "_int8", np.round(array / scale).astype(np.int8))
        self.constant(name + "_scale", scale)
        self.constant(name + "_zero_point", np.int8(0))
        self.node("DequantizeLinear", [name + part for part in ("_int8", "_scale", "_zero_point")], name)
        return Value(name, array)

    def bias(self, name, x, scale_of, array):
        """int32 with the scale of x by that of another constant."""
        self.node("DequantizeLinear", [name + "_int32", name + "_scale"], name)

        def finish():
            scale = x.range.quantization()[0] * scale_of
            self.constant(name + "_scale", scale.astype(np.float32))
            self.constant(name + "_int32", np.round(array / scale).astype(np.int32))

        self.pending.append(finish)
        return name

    def result(self, kind, inputs, array, name, **attributes):
        self.node(kind, [x if isinstance(x, str) else x.name for x in inputs], name + "_real", **attributes)
        return self.emit_quantize(Value(name, array))

    def linear(self, x, out, name):
        w = self.random.normal(size=(x.array.shape[-1], out))
        w /= (x.array @ w).std()
        y = self.result("MatMul", [x, self.parameter(name + ".weight", w)], x.array @ w, name)
        b = self.parameter(name + ".bias", 0.25 * self.random.normal(size=out))
        return self.result("Add", [b, y], y.array + b.array, name + ".add")

    def matmul(self, a, b, name):
        return self.result("MatMul", [a, b], a.array @ b.array, name)

    def layer_norm(self, x, name):
        gamma = self.parameter(name + ".weight", self.random.uniform(0.5, 1.5, x.array.shape[-1]))
        beta = 0.25 * self.random.normal(size=x.array.shape[-1])
        bias = self.bias(name + ".bias", x, np.float32(np.abs(gamma.array).max() / 127), beta)
        mean, var = x.array.mean(-1, keepdims=True), x.array.var(-1, keepdims=True)
        y = (x.array - mean) / np.sqrt(var + EPSILON) * gamma.array + beta
        return self.result("LayerNormalization", [x, gamma, bias], y, name, axis=-1, epsilon=EPSILON)

    def softmax(self, x, name):
        e = np.exp(x.array - x.array.max(-1, keepdims=True))
        return self.result("Softmax", [x], e / e.sum(-1, keepdims=True), name, axis=-1)

    def gelu(self, x, name):
        """x (1 + erf(x / sqrt 2)) / 2, node by node."""
        self.node("Div", [x.name, self.constant(name + ".sqrt2", np.float32(math.sqrt(2)))], name + ".div")
        erf = self.result("Erf", [name + ".div"], ERF(x.array / math.sqrt(2)), name + ".erf")
        y = self.result("Add", [erf, self.parameter(name + ".one", np.float64(1))], erf.array + 1, name + ".add")
        y = self.result("Mul", [x, y], x.array * y.array, name + ".mul")
        return self.result("Mul", [y, self.parameter(name + ".half", np.float64(0.5))], y.array / 2, name)

    def reshape(self, x, shape, name):
        return self.move("Reshape", [x], x.array.reshape(shape), name, [self.constant(name + ".shape", np.int64(shape))])

    def transpose(self, x, order, name):
        return self.move("Transpose", [x], x.array.transpose(order), name, perm=order)

    def gather(self, x, index, axis, name):
        return self.move("Gather", [x], x.array.take(index, axis), name, [self.constant(name + ".index", np.int64(index))],
                         axis=axis)


def attention(net, x, path):
    tokens, size = x.array.shape[1], WIDTH // HEADS
    qkv = net.reshape(net.linear(x, 3 * WIDTH, path + ".qkv"), [1, tokens, 3, HEADS, size], path + ".split")
    qkv = net.transpose(qkv, [2, 0, 3, 1, 4], path + ".heads")
    q, k, v = (net.gather(qkv, i, 0, f"{path}.{name}") for i, name in enumerate("qkv"))
    q = net.result("Mul", [q, net.parameter(path + ".scale", np.float64(size**-0.5))], q.array * size**-0.5, path + ".scaled")
    scores = net.matmul(q, net.transpose(k, [0, 1, 3, 2], path + ".kT"), path + ".scores")
    y = net.matmul(net.softmax(scores, path + ".softmax"), v, path + ".values")
    y = net.reshape(net.transpose(y, [0, 2, 1, 3], path + ".tokens"), [1, tokens, WIDTH], path + ".join")
    return net.linear(y, WIDTH, path + ".proj")


def vit(name, blocks):
    net = TransformerNet(name, (1, 3, PIXELS, PIXELS))
    tokens = (PIXELS // PATCH) ** 2
    x = net.conv(net.image, WIDTH, PATCH, PATCH, (0, 0), activation=None, name="patch_embed")
    x = net.transpose(net.reshape(x, [1, WIDTH, tokens], "flatten"), [0, 2, 1], "tokens")
    x = net.concat([net.parameter("cls_token", net.random.normal(size=(1, 1, WIDTH))), x], name="concat")
    position = net.parameter("pos_embed", 0.5 * net.random.normal(size=(1, tokens + 1, WIDTH)))
    x = net.add(x, position, activation=None, name="pos_add")
    for i in range(blocks):
        path = f"block{i}"
        x = net.add(x, attention(net, net.layer_norm(x, path + ".norm1"), path + ".attn"), None, path + ".add1")
        y = net.gelu(net.linear(net.layer_norm(x, path + ".norm2"), MLP, path + ".fc1"), path + ".gelu")
        x = net.add(x, net.linear(y, WIDTH, path + ".fc2"), None, path + ".add2")
    x = net.gather(net.layer_norm(x, "norm"), 0, 1, "cls")
    return net, [net.dense(x, CLASSES, name="head")]


def write(path, blocks=BLOCKS):
    net, outputs = vit(path.stem, blocks)
    net.save(path, outputs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path, metavar="OUT.onnx")
    parser.add_argument("--blocks", type=int, default=BLOCKS, metavar="N", help=f"of attention and MLP ({BLOCKS})")
    options = parser.parse_args()
    write(options.out, options.blocks)


if __name__ == "__main__":
    main()
