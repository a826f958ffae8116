"""Builds quantized ONNX models of real topologies: a layer is computed on one image as it is added, so that
weights keep activations alive (each output channel leaves its convolution with variance one, as behind a folded
batch normalization) and every activation's scale comes from what was seen. It is computed in double precision:
what is saved is then the same whichever BLAS numpy has and in whichever order it adds. save() writes int8 QDQ:
activations per tensor and asymmetric, weights per channel and symmetric, biases int32.

What only moves values (concat, max pooling, resize) has one scale for inputs and output, as in TensorFlow
Lite's quantization specification, so that it stays a move.
"""
import numpy as np
from onnx import TensorProto, helper, numpy_helper, save_model


class Range:
    """Least and largest value of tensors that share a scale."""

    def __init__(self, array):
        self.low, self.high, self.joined = min(0.0, float(array.min())), max(0.0, float(array.max())), None

    def root(self):
        return self.joined.root() if self.joined else self

    def join(self, other):
        a, b = self.root(), other.root()
        if a is not b:
            a.low, a.high, b.joined = min(a.low, b.low), max(a.high, b.high), a

    def quantization(self):
        root = self.root()
        scale = np.float32(max(root.high - root.low, 1e-6) / 255)
        return scale, np.int8(np.clip(np.round(-128 - root.low / scale), -128, 127))


class Value:
    """A tensor of the model: its values on the image, NCHW, and the range that its scale covers."""

    def __init__(self, name, array, real=None):
        self.name, self.array, self.range = name, array, Range(array)
        self.real = real or name + "_real"  # the name of what leaves the node, before QuantizeLinear

    @property
    def channels(self):
        return self.array.shape[1]


class QuantizedNet:
    opset = 13
    producer = "tests/models/make_models.py"

    def __init__(self, name, image_shape, seed=1):
        self.name, self.random = name, np.random.default_rng(seed)
        self.nodes, self.initializers, self.pending = [], [], []
        self.image_shape, self.count = image_shape, 0
        coarse = self.random.normal(size=(*image_shape[:2], *[max(1, -(-s // 8)) for s in image_shape[2:]]))
        smooth = coarse
        for axis in range(2, len(image_shape)):
            smooth = np.repeat(smooth, 8, axis).take(range(image_shape[axis]), axis)
        self.image = Value("image_q", smooth + 0.3 * self.random.normal(size=image_shape), real="image")
        self.emit_quantize(self.image)

    def unique(self, kind):
        self.count += 1
        return f"{kind}_{self.count}"

    def constant(self, name, array):
        self.initializers.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def node(self, kind, inputs, output, **attributes):
        self.nodes.append(helper.make_node(kind, inputs, [output], name=output.removesuffix("_real"),
                                           **attributes))

    def emit_quantize(self, value):
        """QuantizeLinear and DequantizeLinear behind a value; their parameters are known when saving."""
        names = [value.name + "_scale", value.name + "_zero_point"]
        self.nodes.append(helper.make_node("QuantizeLinear", [value.real, *names], [value.name + "_int8"],
                                           name=value.name + "_quantize"))
        self.nodes.append(helper.make_node("DequantizeLinear", [value.name + "_int8", *names], [value.name],
                                           name=value.name + "_dequantize"))

        def finish():
            scale, zero_point = value.range.quantization()
            self.constant(names[0], scale)
            self.constant(names[1], zero_point)

        self.pending.append(finish)
        return value

    def activate(self, name, array, activation):
        """The value behind an activation function, which is a node of its own."""
        if not activation:
            return Value(name, array)
        before, after = name + "_real", name + "_act_real"
        if activation == "relu":
            self.node("Relu", [before], after)
            array = np.maximum(array, 0)
        elif activation == "relu6":
            self.node("Clip", [before, self.constant(name + "_min", np.float32(0)),
                               self.constant(name + "_max", np.float32(6))], after)
            array = np.clip(array, 0, 6)
        elif activation == "leaky":  # quantizers keep it a node of its own
            self.node("LeakyRelu", [self.emit_quantize(Value(name, array)).name], name + "_act_real", alpha=0.1)
            return Value(name + "_act", np.where(array > 0, array, 0.1 * array))
        return Value(name, array, real=after)

    def weights(self, name, x, w, b):
        """Dequantized weights and bias: int8 per output channel, int32."""
        scale = (np.abs(w).reshape(len(w), -1).max(1) / 127 + 1e-12).astype(np.float32)
        q = np.round(w / scale.reshape(-1, *[1] * (w.ndim - 1))).astype(np.int8)
        self.constant(name + "_w_int8", q)
        self.constant(name + "_w_scale", scale)
        self.constant(name + "_w_zero_point", np.zeros(len(w), np.int8))
        self.nodes.append(helper.make_node("DequantizeLinear", [f"{name}_w_int8", f"{name}_w_scale",
                                                                f"{name}_w_zero_point"], [name + "_w"], axis=0,
                                           name=name + "_w_dequantize"))
        self.nodes.append(helper.make_node("DequantizeLinear", [f"{name}_b_int32", f"{name}_b_scale"],
                                           [name + "_b"], axis=0, name=name + "_b_dequantize"))

        def finish():
            bias_scale = (x.range.quantization()[0] * scale).astype(np.float32)
            self.constant(name + "_b_scale", bias_scale)
            self.constant(name + "_b_int32", np.round(b / bias_scale).astype(np.int32))

        self.pending.append(finish)
        return [name + "_w", name + "_b"]

    def conv(self, x, out, kernel, stride=1, pad=None, groups=1, activation="relu", name=None):
        name = name or self.unique("conv")
        kh, kw = kernel if isinstance(kernel, tuple) else (kernel, kernel)
        ph, pw = pad if pad is not None else (kh // 2, kw // 2)
        w = self.random.normal(size=(out, x.channels // groups, kh, kw))
        y = convolve(x.array, w, stride, ph, pw, groups)
        spread = y.std(axis=(0, 2, 3)) + 1e-3
        shift = 0.25 * self.random.normal(size=out)
        b = shift - y.mean(axis=(0, 2, 3)) / spread
        w, y = w / spread[:, None, None, None], y / spread[:, None, None] + b[:, None, None]
        self.node("Conv", [x.name, *self.weights(name, x, w, b)], name + "_real", kernel_shape=[kh, kw],
                  strides=[stride, stride], pads=[ph, pw, ph, pw], group=groups)
        return self.emit_quantize(self.activate(name, y, activation))

    def dense(self, x, out, activation=None, name=None):
        name = name or self.unique("dense")
        w = self.random.normal(size=(out, x.channels))
        spread = (x.array @ w.T).std() + 1e-3
        b = 0.25 * self.random.normal(size=out)
        w /= spread
        self.node("Gemm", [x.name, *self.weights(name, x, w, b)], name + "_real", transB=1)
        return self.emit_quantize(self.activate(name, x.array @ w.T + b, activation))

    def flatten(self, x, name=None):
        """A view: the node takes the quantized value of x."""
        name = name or self.unique("flatten")
        y = Value(name, x.array.reshape(len(x.array), -1))
        self.node("Flatten", [x.name], y.real, axis=1)
        y.range.join(x.range)
        return self.emit_quantize(y)

    def batch_norm(self, x, activation="relu", name=None):
        name = name or self.unique("bn")
        mean, var = x.array.mean(axis=(0, 2, 3)), x.array.var(axis=(0, 2, 3)) + 1e-3
        gamma = self.random.uniform(0.5, 1.5, x.channels)
        beta = 0.25 * self.random.normal(size=x.channels)
        parts = zip(("gamma", "beta", "mean", "var"), (gamma, beta, mean, var))
        self.node("BatchNormalization", [x.name, *[self.constant(f"{name}_{n}", a.astype(np.float32))
                                                   for n, a in parts]], name + "_real")
        k = (gamma / np.sqrt(var + 1e-5))[:, None, None]
        y = (x.array - mean[:, None, None]) * k + beta[:, None, None]
        return self.emit_quantize(self.activate(name, y, activation))

    def add(self, a, b, activation="relu", name=None):
        name = name or self.unique("add")
        self.node("Add", [a.name, b.name], name + "_real")
        return self.emit_quantize(self.activate(name, a.array + b.array, activation))

    def move(self, kind, inputs, array, name, extra=(), **attributes):
        y = Value(name, array)
        self.node(kind, [*[x.name for x in inputs], *extra], y.real, **attributes)
        for x in inputs:
            y.range.join(x.range)
        return self.emit_quantize(y)

    def concat(self, inputs, name=None):
        return self.move("Concat", inputs, np.concatenate([x.array for x in inputs], 1),
                         name or self.unique("concat"), axis=1)

    def resize(self, x, factor=2, name=None):
        name = name or self.unique("resize")
        scales = self.constant(name + "_scales", np.array([1, 1, factor, factor], np.float32))
        return self.move("Resize", [x], x.array.repeat(factor, 2).repeat(factor, 3), name, ["", scales],
                         mode="nearest", nearest_mode="floor", coordinate_transformation_mode="asymmetric")

    def max_pool(self, x, kernel, stride, pad=0, ceil=False, name=None):
        name = name or self.unique("pool")
        h, w = x.array.shape[2:]
        extra = stride - 1 if ceil else 0
        wide = np.pad(x.array, ((0, 0), (0, 0), (pad, pad + extra), (pad, pad + extra)),
                      constant_values=-np.inf)
        oh = (h + 2 * pad + extra - kernel) // stride + 1
        ow = (w + 2 * pad + extra - kernel) // stride + 1
        y = np.full((*x.array.shape[:2], oh, ow), -np.inf)
        for i in range(kernel):
            for j in range(kernel):
                y = np.maximum(y, window(wide, i, j, oh, ow, stride))
        return self.move("MaxPool", [x], y, name, kernel_shape=[kernel, kernel], strides=[stride, stride],
                         pads=[pad] * 4, ceil_mode=int(ceil))

    def average_pool(self, x, kernel, stride, name=None):
        name = name or self.unique("mean")
        oh, ow = [(s - kernel) // stride + 1 for s in x.array.shape[2:]]
        parts = [window(x.array, i, j, oh, ow, stride) for i in range(kernel) for j in range(kernel)]
        self.node("AveragePool", [x.name], name + "_real", kernel_shape=[kernel, kernel],
                  strides=[stride, stride])
        return self.emit_quantize(Value(name, sum(parts) / len(parts)))

    def global_average(self, x, name=None):
        name = name or self.unique("mean")
        self.node("GlobalAveragePool", [x.name], name + "_real")
        return self.emit_quantize(Value(name, x.array.mean(axis=(2, 3), keepdims=True)))

    def save(self, path, outputs):
        for finish in self.pending:
            finish()
        describe = helper.make_tensor_value_info
        graph = helper.make_graph(
            self.nodes, self.name, [describe("image", TensorProto.FLOAT, self.image_shape)],
            [describe(y.name, TensorProto.FLOAT, y.array.shape) for y in outputs], self.initializers)
        model = helper.make_model(graph, producer_name=self.producer,
                                  opset_imports=[helper.make_opsetid("", self.opset)])
        model.ir_version = 7
        save_model(model, str(path))


def window(x, i, j, oh, ow, stride):
    return x[:, :, i:i + (oh - 1) * stride + 1:stride, j:j + (ow - 1) * stride + 1:stride]


def convolve(x, w, stride, ph, pw, groups):
    """x [1, C, H, W], w [O, C / groups, KH, KW]: as ONNX's Conv."""
    out, _, kh, kw = w.shape
    oh, ow = (x.shape[2] + 2 * ph - kh) // stride + 1, (x.shape[3] + 2 * pw - kw) // stride + 1
    x = np.pad(x, ((0, 0), (0, 0), (ph, ph), (pw, pw)))
    y = np.zeros((groups, out // groups, oh * ow))
    for i in range(kh):
        for j in range(kw):
            part = window(x, i, j, oh, ow, stride).reshape(groups, x.shape[1] // groups, oh * ow)
            k = w[:, :, i, j].reshape(groups, out // groups, -1)
            y += k * part if k.shape[2] == 1 else k @ part
    return y.reshape(1, out, oh, ow)
