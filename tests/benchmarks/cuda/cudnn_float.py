"""The float16 side of resnet50.py: the steps of a model through PyTorch, which gives convolutions to cuDNN."""
import statistics

import torch
import torch.nn.functional as F

RUNS, WARM = 50, 5


class Network:
    """Steps with their constants on a device. fused: cuDNN adds residuals and applies ReLU within the convolution."""

    def __init__(self, steps, device, dtype, fused=False):
        self.steps, self.device, self.dtype, self.fused = steps, device, dtype, fused
        self.constants = {step.name: (self.tensor(step.weight), self.tensor(step.bias))
                          for step in steps if step.weight is not None}

        uses = [(name, at) for at, step in enumerate(steps) for name in (*step.inputs, step.residual) if name]
        self.last = dict(uses)  # step by value

    def tensor(self, array):
        """Images and weights of convolutions in NHWC, as cuDNN's kernels for tensor cores have them."""
        made = torch.tensor(array).to(self.device, self.dtype)
        return made.contiguous(memory_format=torch.channels_last) if made.ndim == 4 else made

    def __call__(self, image):
        values = {"image": image}
        for at, step in enumerate(self.steps):
            values[step.output] = self.step(step, values[step.inputs[0]], values.get(step.residual))
            for name in {*step.inputs, step.residual}:
                if self.last.get(name) == at:  # its memory can be used again
                    del values[name]
        return values[self.steps[-1].output]

    def step(self, step, x, residual):
        if step.kind == "Conv":
            return self.convolution(step, x, residual)
        if step.kind == "MaxPool":
            return F.max_pool2d(x, step.kernel, step.stride, step.pad)
        if step.kind == "GlobalAveragePool":
            return F.adaptive_avg_pool2d(x, 1)
        return x.flatten(1) if step.kind == "Flatten" else F.linear(x, *self.constants[step.name])

    def convolution(self, step, x, residual):
        weight, bias = self.constants[step.name]
        place = ([step.stride] * 2, [step.pad] * 2)
        if self.fused and step.relu:
            if residual is None:
                return torch.cudnn_convolution_relu(x, weight, bias, *place, [1, 1], 1)
            return torch.cudnn_convolution_add_relu(x, weight, residual, 1.0, bias, *place, [1, 1], 1)
        y = F.conv2d(x, weight, bias, *place)
        y = y if residual is None else y.add_(residual)
        return y.relu_() if step.relu else y


def median_time(call, before=lambda: None):
    """In milliseconds, by events around each call; what `before` does isn't timed."""
    times = []
    for run in range(WARM + RUNS):
        before()
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        call()
        end.record()
        end.synchronize()
        if run >= WARM:
            times.append(begin.elapsed_time(end))
    return statistics.median(times)


def graph_of(call):
    """What `call` enqueues, as a CUDA graph; it has run before on a stream of its own."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            call()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        call()
    return graph


@torch.inference_mode()
def times(steps, shape):
    """Milliseconds of a run by way of measuring: PyTorch's calls one by one, as a CUDA graph, and as one with cuDNN's
    fused convolutions. A problem's sentence stands where one does not run."""
    torch.backends.cudnn.benchmark = True
    image = torch.empty(shape, device="cuda", dtype=torch.half).contiguous(memory_format=torch.channels_last)

    def fresh():
        image.normal_()

    def eager(network):
        return median_time(lambda: network(image), fresh)

    def captured(network):
        return median_time(graph_of(lambda: network(image)).replay, fresh)

    found = {}
    for name, measure, is_fused in (("eager", eager, False), ("graph", captured, False), ("fused graph", captured, True)):
        try:
            fresh()
            found[name] = measure(Network(steps, "cuda", torch.half, is_fused))
        except (RuntimeError, AttributeError, TypeError) as problem:
            found[name] = str(problem).splitlines()[0]
    return found


@torch.inference_mode()
def reference(steps, image):
    """Scores in float32 of the same float16 weights and image."""
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    device = "cuda" if torch.cuda.is_available() else "cpu"
    network = Network(steps, device, torch.float32)
    return network(network.tensor(image)).cpu().numpy()
