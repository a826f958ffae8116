"""The int8 side of resnet50.py: the steps of a model through cuDNN's C API, for PyTorch has no quantized convolutions on
GPUs. Weights and images are random and rounding is cuDNN's: what is measured is time. Enumerations are those of cudnn.h."""
import ctypes
import pathlib
import statistics
from ctypes import byref, c_double, c_float, c_size_t, c_void_p

import torch

from cudnn_float import graph_of, median_time

FLOAT, INT8, INT32, INT8X32 = 0, 3, 4, 8
NCHW, NHWC, NCHW_VECT_C = 0, 1, 2
RELU, IDENTITY = 1, 5
MAX, AVERAGE = 0, 2
PRECOMPUTED_GEMM, TENSOR_OP_MATH, CROSS_CORRELATION, NO_REORDER = 1, 1, 1, 1
FORMS = {"NHWC": (NHWC, INT8, 4), "NCHW_VECT_C of 32": (NCHW_VECT_C, INT8X32, 32)}  # and what divides channels
REPEATS, RUNS = 10, 11


class Refused(Exception):
    """A call that gave a status, of a layer."""


def load():
    """PyTorch has loaded it, under this name or from the package."""
    try:
        return ctypes.CDLL("libcudnn.so.9")
    except OSError:
        import nvidia.cudnn
        return ctypes.CDLL(str(pathlib.Path(list(nvidia.cudnn.__path__)[0]) / "lib/libcudnn.so.9"))


class Cudnn:
    def __init__(self):
        self.library = load()
        self.library.cudnnGetErrorString.restype = ctypes.c_char_p
        self.handle = c_void_p()
        self.call("cudnnCreate", byref(self.handle))

    def call(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        if status != 0:
            raise Refused(f"{name} gives {status} ({self.library.cudnnGetErrorString(status).decode()})")

    def descriptor(self, kind, setter, *values):
        made = c_void_p()
        self.call(f"cudnnCreate{kind}Descriptor", byref(made))
        self.call(setter, made, *values)
        return made

    def use_stream(self):
        self.call("cudnnSetStream", self.handle, c_void_p(torch.cuda.current_stream().cuda_stream))


def pointer(tensor):
    return c_void_p(tensor.data_ptr())


def random_bytes(*shape):
    return torch.randint(-128, 128, shape, dtype=torch.int8, device="cuda")


class Value:
    """A tensor of a form; its channels are what the form needs."""

    def __init__(self, cudnn, form, batch, channels, height, width):
        layout, kind, divisor = FORMS[form]
        self.shape = (batch, -(-channels // divisor) * divisor, height, width)
        self.data = random_bytes(*self.shape)
        self.descriptor = cudnn.descriptor("Tensor", "cudnnSetTensor4dDescriptor", layout, kind, *self.shape)


class Sequence:
    """Calls for the steps, on buffers of their own. `notes`: what cuDNN refuses, and is computed in
    another way: residuals by a kernel of PyTorch, pooling in NHWC."""

    def __init__(self, steps, batch, pixels, form):
        self.cudnn, self.form, self.notes, self.values = Cudnn(), form, [], {}
        self.one, self.zero = c_float(1), c_float(0)
        self.values["image"] = Value(self.cudnn, form, batch, 3, pixels, pixels)
        self.calls = []
        for step in steps:
            if step.kind == "Flatten":
                self.values[step.output] = self.values[step.inputs[0]]
            else:
                self.calls.append((step.name, self.built(step)))

    def built(self, step):
        """A call that has run once: the first way that cuDNN takes."""
        ways = ([self.pooling, self.plain_pooling] if step.kind.endswith("Pool") else
                [self.convolution, *([self.with_addition] if step.residual else [])])
        self.cudnn.use_stream()
        for way in ways:
            try:
                call = way(step, self.values[step.inputs[0]])
                call()
                torch.cuda.synchronize()
                return call
            except Refused as problem:
                self.notes.append(f"{step.name}: {problem}")
        raise Refused(self.notes[-1])

    def output(self, step, *shape):
        self.values[step.output] = Value(self.cudnn, self.form, *shape)
        return self.values[step.output]

    def convolution(self, step, x, residual=True):
        """The classifier, too: its window is a pixel."""
        out, (height, width) = step.weight.shape[0], step.kernel
        extents = [(size + 2 * step.pad - window) // step.stride + 1
                   for size, window in zip(x.shape[2:], step.kernel, strict=True)]
        y = self.output(step, x.shape[0], out, *extents)
        z = self.values[step.residual] if step.residual and residual else y
        layout, kind, _ = FORMS[self.form]
        make = self.cudnn.descriptor
        weight = random_bytes(y.shape[1], x.shape[1], height, width)
        filters = make("Filter", "cudnnSetFilter4dDescriptor", kind, layout, *weight.shape)
        how = make("Convolution", "cudnnSetConvolution2dDescriptor", step.pad, step.pad, step.stride, step.stride, 1, 1,
                   CROSS_CORRELATION, INT32)
        self.cudnn.call("cudnnSetConvolutionMathType", how, TENSOR_OP_MATH)
        if kind == INT8X32:
            self.cudnn.call("cudnnSetConvolutionReorderType", how, NO_REORDER)
        bias = torch.zeros(y.shape[1], device="cuda")
        biases = make("Tensor", "cudnnSetTensor4dDescriptor", NCHW, FLOAT, 1, y.shape[1], 1, 1)
        activation = make("Activation", "cudnnSetActivationDescriptor", RELU if step.relu and residual else IDENTITY, 0,
                          c_double(0))
        size = c_size_t()
        self.cudnn.call("cudnnGetConvolutionForwardWorkspaceSize", self.cudnn.handle, x.descriptor, filters, how,
                        y.descriptor, PRECOMPUTED_GEMM, byref(size))
        space = torch.empty(max(1, size.value), dtype=torch.uint8, device="cuda")
        scale = c_float(1 / (128 * weight[0].numel() ** 0.5))
        return lambda: self.cudnn.call(
            "cudnnConvolutionBiasActivationForward", self.cudnn.handle, byref(scale), x.descriptor, pointer(x.data),
            filters, pointer(weight), how, PRECOMPUTED_GEMM, pointer(space), size,
            byref(self.zero if z is y else self.one), z.descriptor, pointer(z.data), biases, pointer(bias), activation,
            y.descriptor, pointer(y.data))

    def with_addition(self, step, x):
        """The convolution without its residual, and another kernel that adds it."""
        z, convolution = self.values[step.residual], self.convolution(step, x, residual=False)
        y = self.values[step.output]

        def both():
            convolution()
            y.data.add_(z.data).clamp_(min=0)
        return both

    def plain_pooling(self, step, x):
        """Of as many bytes in NHWC, where the form has none."""
        return self.pooling(step, x, (NHWC, INT8))

    def pooling(self, step, x, plain=None):
        is_mean = step.kind == "GlobalAveragePool"
        window, stride, pad = ((x.shape[2:], 1, 0) if is_mean else (step.kernel, step.stride, step.pad))
        extents = [(size + 2 * pad - extent) // stride + 1 for size, extent in zip(x.shape[2:], window, strict=True)]
        y = self.output(step, *x.shape[:2], *extents)
        how = self.cudnn.descriptor("Pooling", "cudnnSetPooling2dDescriptor", AVERAGE if is_mean else MAX, 0, *window,
                                    pad, pad, stride, stride)
        of_x, of_y = [self.cudnn.descriptor("Tensor", "cudnnSetTensor4dDescriptor", *plain, *value.shape) if plain else
                      value.descriptor for value in (x, y)]
        return lambda: self.cudnn.call("cudnnPoolingForward", self.cudnn.handle, how, byref(self.one), of_x,
                                       pointer(x.data), byref(self.zero), of_y, pointer(y.data))

    def run(self):
        self.cudnn.use_stream()
        for _, call in self.calls:
            call()

    def layer_times(self):
        """Milliseconds by name, of calls that stand close together in the stream."""
        self.cudnn.use_stream()
        return {name: statistics.median(self.time(call) for _ in range(RUNS)) for name, call in self.calls}

    def time(self, call):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(REPEATS):
            call()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) / REPEATS


@torch.inference_mode()
def times(steps, shape):
    """As cudnn_float.times, with the sum over the layers; of the form that is faster. And notes."""
    found, notes = {}, []
    for form in FORMS:
        try:
            sequence = Sequence(steps, shape[0], shape[2], form)
            notes += [f"int8 {form}: {note}" for note in sequence.notes]
            took = {"eager": median_time(sequence.run), "layers": sum(sequence.layer_times().values()),
                    "graph": median_time(graph_of(sequence.run).replay)}
            notes.append(f"int8 {form}: " + ", ".join(f"{name} {value:.4f} ms" for name, value in took.items()))
            found = min(found or took, took, key=lambda times: times["graph"])
        except (Refused, RuntimeError, OSError, AttributeError) as problem:
            notes.append(f"int8 {form} is not supported: {str(problem).splitlines()[0]}")
    return found or dict.fromkeys(("eager", "layers", "graph"), "not supported"), notes
