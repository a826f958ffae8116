#!/usr/bin/python3
"""Writes quantized networks of the shapes of MobileNetV3-large (Howard et al. 2019, table 1), MNASNet 1.0 (Tan et al. 2019,
figure 7, as torchvision has it) and ShuffleNetV2 1.0 (Ma et al. 2018, table 5), with seeded random weights, in the form that
ONNX Runtime's quantizer gives PyTorch's export.

Needs Debian 12's python3-numpy and python3-onnx:
    /usr/bin/python3 tests/models/mobile_networks.py FOLDER [NETWORK]..."""
import pathlib
import sys

import numpy as np
from efficientnet import GatedNet
from onnx import helper
from quantized_net import Value

# Kernel, expanded channels, channels, squeeze and excitation, hard swish, stride.
V3_LARGE = ((3, 16, 16, 0, 0, 1), (3, 64, 24, 0, 0, 2), (3, 72, 24, 0, 0, 1), (5, 72, 40, 1, 0, 2), (5, 120, 40, 1, 0, 1),
            (5, 120, 40, 1, 0, 1), (3, 240, 80, 0, 1, 2), (3, 200, 80, 0, 1, 1), (3, 184, 80, 0, 1, 1),
            (3, 184, 80, 0, 1, 1), (3, 480, 112, 1, 1, 1), (3, 672, 112, 1, 1, 1), (5, 672, 160, 1, 1, 2),
            (5, 960, 160, 1, 1, 1), (5, 960, 160, 1, 1, 1))
# Expansion, channels, blocks, stride of the first one, kernel.
MNASNET = ((3, 24, 3, 2, 3), (3, 40, 3, 2, 5), (6, 80, 3, 2, 5), (6, 96, 2, 1, 3), (6, 192, 4, 2, 5), (6, 320, 1, 1, 3))


class MobileNet(GatedNet):
    opset = 14
    producer = "tests/models/mobile_networks.py"

    def hard_swish(self, x):
        name = x.name + ".swish"
        self.node("HardSwish", [x.name], name + "_real")
        return self.emit_quantize(Value(name, x.array * np.clip(x.array / 6 + 0.5, 0, 1)))

    def activated(self, x, out, kernel, stride=1, groups=1, swish=False, name=None):
        y = self.conv(x, out, kernel, stride, groups=groups, activation=None if swish else "relu", name=name)
        return self.hard_swish(y) if swish else y

    def excite_hard(self, x, path):
        squeezed = (x.channels // 4 + 4) // 8 * 8
        gate = self.conv(self.global_average(x, name=path + ".mean"), squeezed, 1, name=path + ".squeeze")
        gate = self.conv(gate, x.channels, 1, activation=None, name=path + ".excite")
        name = path + ".gate"
        self.node("HardSigmoid", [gate.name], name + "_real", alpha=1 / 6, beta=0.5)
        gate = self.emit_quantize(Value(name, np.clip(gate.array / 6 + 0.5, 0, 1)))
        return self.mul(x, gate, path + ".scale")

    def halves(self, x, path):
        """The channels in two parts."""
        half = x.channels // 2
        parts = [Value(f"{path}.part{i}", x.array[:, i * half:(i + 1) * half]) for i in range(2)]
        sizes = self.constant(path + "_sizes", np.array([half, half], np.int64))
        self.nodes.append(helper.make_node("Split", [x.name, sizes], [part.real for part in parts], name=path + ".split",
                                           axis=1))
        for part in parts:
            part.range.join(x.range)
        return [self.emit_quantize(part) for part in parts]

    def shuffle(self, x, path):
        """Channels of two groups in turns."""
        _, channels, h, w = x.array.shape
        apart = x.array.reshape(1, 2, channels // 2, h, w)
        y = self.reshape(x, apart, path + ".apart")
        y = self.move("Transpose", [y], apart.transpose(0, 2, 1, 3, 4), path + ".turn", perm=[0, 2, 1, 3, 4])
        return self.reshape(y, y.array.reshape(1, channels, h, w), path + ".shuffle")

    def reshape(self, x, array, name):
        shape = self.constant(name + "_shape", np.array(array.shape, np.int64))
        return self.move("Reshape", [x], array, name, [shape])

    def classified(self, x):
        return [self.dense(self.flatten(self.global_average(x, name="mean")), 1000, name="classifier")]


def mobilenet_v3_large():
    net = MobileNet("mobilenet_v3_large", (1, 3, 224, 224))
    x = net.activated(net.image, 16, 3, 2, swish=True, name="conv1")
    for i, (kernel, expanded, channels, excites, swish, stride) in enumerate(V3_LARGE):
        path, y = f"block{i}", x
        if expanded != x.channels:
            y = net.activated(y, expanded, 1, swish=swish, name=path + ".expand")
        y = net.activated(y, expanded, kernel, stride, groups=expanded, swish=swish, name=path + ".depthwise")
        y = net.excite_hard(y, path) if excites else y
        y = net.conv(y, channels, 1, activation=None, name=path + ".project")
        x = net.add(y, x, activation=None, name=path + ".add") if stride == 1 and x.channels == channels else y
    x = net.global_average(net.activated(x, 960, 1, swish=True, name="conv2"), name="mean")
    x = net.hard_swish(net.dense(net.flatten(x), 1280, name="hidden"))
    return net, [net.dense(x, 1000, name="classifier")]


def mnasnet1_0():
    net = MobileNet("mnasnet1_0", (1, 3, 224, 224))
    x = net.conv(net.image, 32, 3, 2, name="conv1")
    x = net.conv(net.conv(x, 32, 3, groups=32, name="depthwise1"), 16, 1, activation=None, name="project1")
    block = 0
    for expansion, channels, blocks, first, kernel in MNASNET:
        for repeat in range(blocks):
            path, stride = f"block{block}", first if repeat == 0 else 1
            y = net.conv(x, expansion * x.channels, 1, name=path + ".expand")
            y = net.conv(y, y.channels, kernel, stride, groups=y.channels, name=path + ".depthwise")
            y = net.conv(y, channels, 1, activation=None, name=path + ".project")
            x = net.add(y, x, activation=None, name=path + ".add") if repeat else y
            block += 1
    return net, net.classified(net.conv(x, 1280, 1, name="conv2"))


def shufflenet_v2_x1_0():
    net = MobileNet("shufflenet_v2_x1_0", (1, 3, 224, 224))
    x = net.max_pool(net.conv(net.image, 24, 3, 2, name="conv1"), 3, 2, pad=1, name="pool1")

    def branch(y, half, stride, path):
        y = net.conv(y, half, 1, name=path + ".first")
        y = net.conv(y, half, 3, stride, groups=half, activation=None, name=path + ".depthwise")
        return net.conv(y, half, 1, name=path + ".last")

    for stage, (channels, blocks) in enumerate(((116, 4), (232, 8), (464, 4)), 2):
        for repeat in range(blocks):
            path, half = f"stage{stage}.{repeat}", channels // 2
            if repeat == 0:
                left = net.conv(x, x.channels, 3, 2, groups=x.channels, activation=None, name=path + ".left.depthwise")
                left = net.conv(left, half, 1, name=path + ".left.last")
                right = branch(x, half, 2, path)
            else:
                left, right = net.halves(x, path)
                right = branch(right, half, 1, path)
            x = net.shuffle(net.concat([left, right], name=path + ".concat"), path)
    return net, net.classified(net.conv(x, 1024, 1, name="conv5"))


NETWORKS = {build.__name__: build for build in (mobilenet_v3_large, mnasnet1_0, shufflenet_v2_x1_0)}

if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    for name in sys.argv[2:] or NETWORKS:
        net, outputs = NETWORKS[name]()
        net.save(folder / f"{name}.onnx", outputs)
