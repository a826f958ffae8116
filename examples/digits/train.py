#!/usr/bin/python3
"""Train, quantize and export the digits example.

Trains a small residual CNN on scikit-learn's handwritten digits (8x8 images), folds its batch
normalisations, quantizes it per channel to int8 in QDQ form, and writes digits.onnx, test_images.npy
(int8, quantized as the model's input is) and test_labels.npy beside this file. Activation scales and
zero points come from the training images alone; the held-out images are used only for the figures
printed at the end.

Needs Debian 12's python3-numpy, python3-onnx, python3-sklearn and python3-torch:
    /usr/bin/python3 examples/digits/train.py
"""
import pathlib

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.nn import functional as F

FOLDER = pathlib.Path(__file__).resolve().parent
SEED = 7
HELD_OUT = 400
EPOCHS = 60
IMAGE = ("image", 1.0 / 255.0, -128)  # pixels 0..1 as int8: the real value is scale * (q - zero point)


class DigitsNet(nn.Module):
    """stem -> strided conv -> residual block -> max pool -> conv -> global average pool -> classifier."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16))
        self.down = nn.Sequential(nn.Conv2d(16, 32, 3, stride=2, padding=1), nn.BatchNorm2d(32))
        self.block1 = nn.Sequential(nn.Conv2d(32, 32, 3, padding=1), nn.BatchNorm2d(32))
        self.block2 = nn.Sequential(nn.Conv2d(32, 32, 3, padding=1), nn.BatchNorm2d(32))
        self.head = nn.Sequential(nn.Conv2d(32, 64, 3, padding=1), nn.BatchNorm2d(64))
        self.classifier = nn.Linear(64, 10)

    def forward(self, x):
        x = F.relu(self.down(F.relu(self.stem(x))))
        x = F.relu(x + self.block2(F.relu(self.block1(x))))
        x = F.relu(self.head(F.max_pool2d(x, 2)))
        return self.classifier(x.mean(dim=(2, 3)))


def shifted(images, generator):
    """Each image moved by up to one pixel in each direction."""
    padded = F.pad(images, (1, 1, 1, 1))
    moves = torch.randint(0, 3, (len(images), 2), generator=generator)
    return torch.stack([p[:, y:y + 8, x:x + 8] for p, (y, x) in zip(padded, moves.tolist())])


def train(images, labels):
    net = DigitsNet()
    optimizer = torch.optim.AdamW(net.parameters(), lr=4e-3, weight_decay=1e-2)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, EPOCHS)
    generator = torch.Generator().manual_seed(SEED)
    for _ in range(EPOCHS):
        for batch in torch.randperm(len(images), generator=generator).split(64):
            loss = F.cross_entropy(net(shifted(images[batch], generator)), labels[batch], label_smoothing=0.05)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        schedule.step()
    return net.eval()


def folded(sequence):
    """Weight and bias of a convolution with its batch normalisation folded in, in double precision."""
    conv, norm = sequence
    gain = (norm.weight / torch.sqrt(norm.running_var + norm.eps)).detach().double()
    weight = conv.weight.detach().double() * gain[:, None, None, None]
    bias = (conv.bias.detach().double() - norm.running_mean.double()) * gain + norm.bias.detach().double()
    return weight.numpy(), bias.numpy()


# The network as a list of layers: (node name, kind, input values, output value, options). The value
# names are the tensors that get a scale; a pool and a flatten keep the scale of their input.
LAYERS = [
    ("stem/conv", "conv", ["image"], "stem", dict(weights="stem", pads=1, stride=1, relu=True)),
    ("down/conv", "conv", ["stem"], "down", dict(weights="down", pads=1, stride=2, relu=True)),
    ("block/conv1", "conv", ["down"], "block1", dict(weights="block1", pads=1, stride=1, relu=True)),
    ("block/conv2", "conv", ["block1"], "block2", dict(weights="block2", pads=1, stride=1, relu=False)),
    ("block/add", "add", ["down", "block2"], "block", dict(relu=True)),
    ("pool/max", "maxpool", ["block"], "pooled", {}),
    ("head/conv", "conv", ["pooled"], "head", dict(weights="head", pads=1, stride=1, relu=True)),
    ("head/average", "average", ["head"], "average", {}),
    ("classifier/flatten", "flatten", ["average"], "features", {}),
    ("classifier/gemm", "gemm", ["features"], "logits", dict(weights="classifier")),
]
KEEPS_SCALE = ("maxpool", "flatten")


def apply_layer(kind, inputs, options, weight=None, bias=None):
    """One layer on real numbers (double precision); weight and bias as arrays where it has them."""
    x = torch.from_numpy(inputs[0])
    if kind == "conv":
        x = F.conv2d(x, torch.from_numpy(weight), torch.from_numpy(bias), options["stride"], options["pads"])
    elif kind == "gemm":
        x = F.linear(x, torch.from_numpy(weight), torch.from_numpy(bias))
    elif kind == "add":
        x = x + torch.from_numpy(inputs[1])
    elif kind == "maxpool":
        x = F.max_pool2d(x, 2)
    elif kind == "average":
        x = x.mean(dim=(2, 3), keepdim=True)
    elif kind == "flatten":
        x = x.flatten(1)
    return (F.relu(x) if options.get("relu") else x).numpy()


def calibrate(parameters, images):
    """Scale and zero point of every value, from the range it takes over the training images."""
    values, scales = {"image": images}, {"image": IMAGE[1:]}
    for _, kind, sources, target, options in LAYERS:
        weight, bias = parameters.get(options.get("weights"), (None, None))
        values[target] = apply_layer(kind, [values[s] for s in sources], options, weight, bias)
        if kind in KEEPS_SCALE:
            scales[target] = scales[sources[0]]
            continue
        low, high = min(0.0, values[target].min()), max(0.0, values[target].max())
        scale = float(np.float32((high - low) / 255.0))
        scales[target] = (scale, int(np.clip(np.rint(-128 - low / scale), -128, 127)))
    return scales


def quantize(values, scale, zero_point):
    return np.clip(np.rint(values / scale) + zero_point, -128, 127).astype(np.int8)


def quantize_parameters(weight, bias, input_scale):
    """Per output channel: symmetric int8 weights, and int32 biases at the scale of the products."""
    axes = tuple(range(1, weight.ndim))
    scale = (np.abs(weight).max(axis=axes) / 127.0).astype(np.float32)
    shape = (-1,) + (1,) * (weight.ndim - 1)
    integers = np.clip(np.rint(weight / scale.reshape(shape)), -127, 127).astype(np.int8)
    bias_scale = (np.float32(input_scale) * scale).astype(np.float32)
    return integers, scale, np.rint(bias / bias_scale).astype(np.int32), bias_scale


class Exporter:
    """Builds the QDQ graph: every value is quantized once and dequantized once per reader."""

    def __init__(self, scales):
        self.scales, self.nodes, self.initializers = scales, [], {}

    def constant(self, name, array):
        self.initializers[name] = numpy_helper.from_array(np.asarray(array), name)
        return name

    def node(self, kind, name, inputs, output, **attributes):
        self.nodes.append(helper.make_node(kind, inputs, [output], name=name, **attributes))
        return output

    def scale_of(self, value):
        scale, zero_point = self.scales[value]
        return [self.constant(value + "/scale", np.float32(scale)),
                self.constant(value + "/zero_point", np.int8(zero_point))]

    def dequantized(self, value, reader):
        return self.node("DequantizeLinear", f"{reader}/dequantize_{value}",
                         [value] + self.scale_of(value), f"{reader}/real_{value}")

    def parameters(self, layer, weight, bias, input_scale):
        integers, scale, bias_integers, bias_scale = quantize_parameters(weight, bias, input_scale)
        zeros = self.constant(layer + "/weight_zero_point", np.zeros(len(scale), np.int8))
        bias_zeros = self.constant(layer + "/bias_zero_point", np.zeros(len(scale), np.int32))
        return [
            self.node("DequantizeLinear", layer + "/dequantize_weight",
                      [self.constant(layer + "/weight", integers),
                       self.constant(layer + "/weight_scale", scale), zeros], layer + "/real_weight", axis=0),
            self.node("DequantizeLinear", layer + "/dequantize_bias",
                      [self.constant(layer + "/bias", bias_integers),
                       self.constant(layer + "/bias_scale", bias_scale), bias_zeros],
                      layer + "/real_bias", axis=0),
        ]

    def layer(self, name, kind, sources, target, options, parameters):
        inputs = [self.dequantized(s, name) for s in sources]
        if "weights" in options:
            inputs += self.parameters(name, *parameters[options["weights"]], self.scales[sources[0]][0])
        onnx_kind, attributes = {
            "conv": lambda: ("Conv", dict(kernel_shape=[3, 3], pads=[options["pads"]] * 4,
                                          strides=[options["stride"]] * 2)),
            "add": lambda: ("Add", {}),
            "maxpool": lambda: ("MaxPool", dict(kernel_shape=[2, 2], strides=[2, 2])),
            "average": lambda: ("GlobalAveragePool", {}),
            "flatten": lambda: ("Flatten", dict(axis=1)),
            "gemm": lambda: ("Gemm", dict(transB=1)),
        }[kind]()
        value = self.node(onnx_kind, name, inputs, name + "/real", **attributes)
        if options.get("relu"):
            relu = name.rsplit("/", 1)[0] + "/relu" + name[len(name.rstrip("0123456789")):]
            value = self.node("Relu", relu, [value], relu + "/real")
        self.node("QuantizeLinear", name + "/quantize", [value] + self.scale_of(target), target)

    def model(self):
        graph = helper.make_graph(
            self.nodes, "digits",
            [helper.make_tensor_value_info("image", TensorProto.INT8, [1, 1, 8, 8])],
            [helper.make_tensor_value_info("logits", TensorProto.INT8, [1, 10])],
            list(self.initializers.values()))
        model = helper.make_model(graph, producer_name="examples/digits/train.py",
                                  opset_imports=[helper.make_opsetid("", 13)])
        model.ir_version = 7
        onnx.checker.check_model(model, full_check=True)
        return model


def evaluate_quantized(parameters, scales, images):
    """The QDQ graph as ONNX defines it, on already quantized images; the int8 logits."""
    values = {"image": images}
    for _, kind, sources, target, options in LAYERS:
        inputs = [(values[s].astype(np.float64) - scales[s][1]) * scales[s][0] for s in sources]
        weight = bias = None
        if "weights" in options:
            weight, bias = parameters[options["weights"]]
            integers, scale, bias_integers, bias_scale = quantize_parameters(weight, bias, scales[sources[0]][0])
            weight = integers * scale.astype(np.float64).reshape((-1,) + (1,) * (weight.ndim - 1))
            bias = bias_integers * bias_scale.astype(np.float64)
        values[target] = quantize(apply_layer(kind, inputs, options, weight, bias), *scales[target])
    return values["logits"]


def main():
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    digits = load_digits()
    images = (digits.images / 16.0).reshape(-1, 1, 8, 8)
    train_images, test_images, train_labels, test_labels = train_test_split(
        images, digits.target, test_size=HELD_OUT, stratify=digits.target, random_state=SEED)

    net = train(torch.from_numpy(train_images).float(), torch.from_numpy(train_labels))
    parameters = {name: folded(getattr(net, name)) for name in ("stem", "down", "block1", "block2", "head")}
    parameters["classifier"] = (net.classifier.weight.detach().double().numpy(),
                                net.classifier.bias.detach().double().numpy())
    scales = calibrate(parameters, train_images)

    quantized_images = quantize(test_images, *IMAGE[1:])
    exporter = Exporter(scales)
    for layer in LAYERS:
        exporter.layer(*layer, parameters)
    onnx.save(exporter.model(), str(FOLDER / "digits.onnx"))
    np.save(FOLDER / "test_images.npy", quantized_images)
    np.save(FOLDER / "test_labels.npy", test_labels.astype(np.int64))

    with torch.no_grad():
        real = net(torch.from_numpy(test_images).float()).argmax(1).numpy()
    quantized = evaluate_quantized(parameters, scales, quantized_images).argmax(1)
    print(f"parameters {sum(p.numel() for p in net.parameters())}")
    print(f"held-out images {len(test_labels)}")
    print(f"accuracy in float {np.mean(real == test_labels):.4f}, in int8 {np.mean(quantized == test_labels):.4f}")


if __name__ == "__main__":
    main()
