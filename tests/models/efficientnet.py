#!/usr/bin/python3
"""Writes a quantized network of EfficientNet-B0's shape (Tan and Le 2019, table 1) with seeded random weights: x * sigmoid(x)
behind convolutions, and blocks that scale their channels (squeeze and excitation), as a PyTorch export has them.

Needs Debian 12's python3-numpy and python3-onnx:
    /usr/bin/python3 tests/models/efficientnet.py OUT.onnx"""
import sys

import numpy as np
from quantized_net import QuantizedNet, Value

# Expansion, channels, blocks, stride of the first one, kernel.
STAGES = ((1, 16, 1, 1, 3), (6, 24, 2, 2, 3), (6, 40, 2, 2, 5), (6, 80, 3, 2, 3), (6, 112, 3, 1, 5), (6, 192, 4, 2, 5),
          (6, 320, 1, 1, 3))


class GatedNet(QuantizedNet):
    producer = "tests/models/efficientnet.py"

    def sigmoid(self, x, name):
        self.node("Sigmoid", [x.name], name + "_real")
        return self.emit_quantize(Value(name, 1 / (1 + np.exp(-x.array))))

    def mul(self, a, b, name):
        self.node("Mul", [a.name, b.name], name + "_real")
        return self.emit_quantize(Value(name, a.array * b.array))

    def swish(self, x):
        return self.mul(x, self.sigmoid(x, x.name + ".sigmoid"), x.name + ".swish")

    def conv_swish(self, x, out, kernel, stride=1, groups=1, name=None):
        return self.swish(self.conv(x, out, kernel, stride, groups=groups, activation=None, name=name))

    def excite(self, x, squeezed, path):
        gate = self.conv_swish(self.global_average(x, name=path + ".mean"), squeezed, 1, name=path + ".squeeze")
        gate = self.conv(gate, x.channels, 1, activation=None, name=path + ".excite")
        return self.mul(x, self.sigmoid(gate, path + ".gate"), path + ".scale")

    def block(self, x, expansion, out, stride, kernel, path):
        y = self.conv_swish(x, expansion * x.channels, 1, name=path + ".expand") if expansion > 1 else x
        y = self.conv_swish(y, y.channels, kernel, stride, groups=y.channels, name=path + ".depthwise")
        y = self.excite(y, x.channels // 4, path)
        y = self.conv(y, out, 1, activation=None, name=path + ".project")
        return self.add(y, x, activation=None, name=path + ".add") if stride == 1 and out == x.channels else y


def efficientnet_b0():
    net = GatedNet("efficientnet_b0", (1, 3, 224, 224))
    x, block = net.conv_swish(net.image, 32, 3, 2, name="conv1"), 0
    for expansion, channels, blocks, first, kernel in STAGES:
        for repeat in range(blocks):
            x = net.block(x, expansion, channels, first if repeat == 0 else 1, kernel, f"block{block}")
            block += 1
    x = net.conv_swish(x, 1280, 1, name="conv2")
    return net, [net.dense(net.flatten(net.global_average(x, name="mean")), 1000, name="classifier")]


if __name__ == "__main__":
    net, outputs = efficientnet_b0()
    net.save(sys.argv[1], outputs)
