"""A random quantized layer that reads its input through a window, as an ONNX model, and what ONNX defines its result to
be before the last rounding."""
import numpy as np
from onnx import TensorProto, helper, numpy_helper

OPSET = 13
KINDS = ["depthwise"] * 4 + ["multiplied", "grouped", "average", "average", "maximum"]
TYPES = {np.dtype(np.int8): TensorProto.INT8, np.dtype(np.uint8): TensorProto.UINT8}


class Quantization:
    """Of a tensor: `scale` and `zero` are one number, or one for each output channel."""

    def __init__(self, dtype, scale, zero):
        self.dtype, self.scale = np.dtype(dtype), np.asarray(scale, np.float32)
        self.zero = np.full(self.scale.shape, zero, self.dtype)


class Layer:
    """Kernels of 1 to 11, rectangular; strides of 1 to 4; dilation; odd sizes; channels that fill no block of lanes; weights
    of int8, one scale for each channel or for all, or of uint8 with a zero point. `real` is the result in steps of the
    output's quantization, exact but for float64."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.kind = str(self.random.choice(KINDS))
        self.is_product = self.kind not in ("average", "maximum")
        self.choose_window()
        self.choose_groups()
        self.initializers, self.nodes, self.weights = [], [], "none"
        self.x = self.of_activations(0.02)
        info = np.iinfo(self.x.dtype)
        self.input = self.random.integers(info.min, info.max, (self.batch, self.channels, *self.size),
                                          endpoint=True).astype(self.x.dtype)
        self.result = self.operator(self.dequantized("x", "x", self.x))
        self.finish()

    def pick(self, low, high):
        return int(self.random.integers(low, high, endpoint=True))

    def chance(self, share):
        return self.random.random() < share

    def choose_window(self):
        self.kernel = [self.pick(1, 11) if self.chance(0.33) else self.pick(1, 5) for _ in range(2)]
        if self.kernel == [1, 1]:
            self.kernel[1] = 2
        self.strides = [self.pick(1, 4) if self.chance(0.6) else 1 for _ in range(2)]
        dilates = self.kind != "average"  # ONNX's has dilations since opset 19
        self.dilations = [self.pick(2, 3) if dilates and self.chance(0.2) else 1 for _ in range(2)]
        reach = [(k - 1) * d + 1 for k, d in zip(self.kernel, self.dilations)]
        most = [k - 1 for k in (reach if self.is_product else self.kernel)]
        if self.kind == "maximum" and max(self.dilations) > 1:  # a window in the padding alone has no maximum
            most = [0, 0]
        self.pads = [self.pick(0, most[d % 2]) if self.chance(0.6) else 0 for d in range(4)]
        self.size = [max(self.pick(1, 23), reach[d] - self.pads[d] - self.pads[d + 2]) for d in range(2)]
        self.out = [(self.size[d] + self.pads[d] + self.pads[d + 2] - reach[d]) // self.strides[d] + 1 for d in range(2)]

    def choose_groups(self):
        self.batch = 2 if self.chance(0.15) else 1
        self.groups, each = (self.pick(2, 6), self.pick(2, 20)) if self.kind == "grouped" else (self.pick(1, 70), 1)
        self.channels = self.groups * each
        times = {"depthwise": 1, "multiplied": self.pick(2, 3), "grouped": self.pick(1, 12)}.get(self.kind, 1)
        self.outputs = self.groups * times

    def of_activations(self, scale):
        dtype = np.uint8 if self.chance(0.4) else np.int8
        info = np.iinfo(dtype)
        zero = self.pick(info.min + 64, info.max - 64) if self.chance(0.7) else 0
        return Quantization(dtype, scale * self.random.uniform(0.5, 2), zero)

    def constant(self, name, array):
        self.initializers.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def node(self, op, inputs, output, **attributes):
        self.nodes.append(helper.make_node(op, inputs, [output], name=output, **attributes))
        return output

    def parameters(self, name, q):
        return [self.constant(f"{name}_scale", q.scale), self.constant(f"{name}_zero", q.zero)]

    def dequantized(self, tensor, name, q):
        axis = {"axis": 0} if q.scale.shape else {}
        return self.node("DequantizeLinear", [tensor, *self.parameters(name, q)], f"{name}_real", **axis)

    def operator(self, x):
        """The operator's node; its result is kept in `real`, in the units of the operator's result."""
        window = {"kernel_shape": self.kernel, "strides": self.strides, "pads": self.pads}
        if self.kind == "average":
            self.includes_pad = self.chance(0.5)
            self.real = self.averages()
            return self.node("AveragePool", [x], "result", count_include_pad=int(self.includes_pad), **window)
        window["dilations"] = self.dilations
        if self.kind == "maximum":
            self.real = self.maxima()
            return self.node("MaxPool", [x], "result", **window)
        return self.convolution(x, window)

    def convolution(self, x, window):
        shape = (self.outputs, self.channels // self.groups, *self.kernel)
        is_signed = self.chance(0.6)
        scales = self.random.uniform(0.002, 0.02, self.outputs if is_signed and self.chance(0.5) else ())
        w = Quantization(*((np.int8, scales, 0) if is_signed else (np.uint8, scales, self.pick(0, 255))))
        self.weights = f"of {w.dtype}"
        weights = self.random.integers(0, 256, shape).astype(np.uint8).view(w.dtype)
        inputs = [x, self.dequantized(self.constant("w", weights), "w", w)]
        sums = self.products(weights.astype(np.int64) - int(w.zero.flat[0]))
        if self.chance(0.7):
            units = Quantization(np.int32, w.scale * self.x.scale, 0)
            bias = self.random.integers(-20000, 20000, self.outputs).astype(np.int32)
            inputs.append(self.dequantized(self.constant("b", bias), "b", units))
            sums = sums + bias[:, None, None]
        self.real = sums * (np.float64(self.x.scale) * w.scale.astype(np.float64).reshape(-1, 1, 1))
        return self.node("Conv", inputs, "result", group=self.groups, **window)

    def taps(self, array, fill):
        """For each position of the kernel: where it is, and what it reads for all results."""
        top, left, bottom, right = self.pads
        wide = np.pad(array, ((0, 0), (0, 0), (top, bottom), (left, right)), constant_values=fill)
        for at in np.ndindex(*self.kernel):
            first = [i * d for i, d in zip(at, self.dilations)]
            rows, columns = (slice(f, f + (o - 1) * s + 1, s) for f, o, s in zip(first, self.out, self.strides))
            yield at, wide[:, :, rows, columns]

    def centred(self):
        return self.input.astype(np.int64) - int(self.x.zero)

    def products(self, weights):
        grouped = weights.reshape(self.groups, -1, *weights.shape[1:])
        sums = 0
        for (i, j), read in self.taps(self.centred(), 0):
            read = read.reshape(self.batch, self.groups, -1, *self.out)
            sums = sums + np.einsum("ngcyx,goc->ngoyx", read, grouped[..., i, j])
        return sums.reshape(self.batch, self.outputs, *self.out)

    def averages(self):
        counted = np.ones_like(self.input, np.int64)
        sums = sum(read for _, read in self.taps(self.centred(), 0))
        counts = sum(read for _, read in self.taps(counted, int(self.includes_pad)))
        return sums * np.float64(self.x.scale) / np.maximum(counts, 1)

    def maxima(self):
        lowest = np.iinfo(np.int64).min
        read = np.max([read for _, read in self.taps(self.centred(), lowest)], axis=0)
        return np.where(read == lowest, 0, read) * np.float64(self.x.scale)

    def finish(self):
        """Quantizes the result so that few of its numbers saturate, a pool's at its input's scale now and then."""
        spread = max(float(np.abs(self.real).max()), 1e-6)
        self.y = self.of_activations(spread / 160)
        if not self.is_product and self.chance(0.7):
            self.y = self.x
        self.node("QuantizeLinear", [self.result, *self.parameters("y", self.y)], "y")
        self.real = self.real / np.float64(self.y.scale) + int(self.y.zero)

    def model(self):
        def info(name, q, shape):
            return helper.make_tensor_value_info(name, TYPES[q.dtype], shape)
        graph = helper.make_graph(self.nodes, "layer", [info("x", self.x, self.input.shape)],
                                  [info("y", self.y, self.real.shape)], self.initializers)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
        model.ir_version = 8
        return model

    def __str__(self):
        return (f"{self.kind}, {self.input.shape} of {self.x.dtype} to {self.outputs} channels, kernel {self.kernel}, strides "
                f"{self.strides}, dilations {self.dilations}, pads {self.pads}, weights {self.weights}")
