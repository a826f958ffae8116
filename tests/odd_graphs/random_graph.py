"""A random graph for a seed: one to three operators, floats or between quantizations, with odd shapes and constants far
outside of what the tensors beside them hold."""
import numpy as np

import arithmetic
import moves
import windows
from build_graph import Graph, Undefined

FAMILIES = [windows.OPERATORS, moves.OPERATORS, arithmetic.OPERATORS]
EXTENTS = [1, 1, 2, 3, 4, 5, 7, 9, 16, 17, 33]
EMPTY = 0.08  # how often an extent is 0
FAR = [0.0, 0.3, 1.0, 4.0, 50.0, 1e4, 1e9]  # times the size of the numbers beside


class RandomGraph(Graph):
    """`scales` and `zeros` are the parameters of dequantized tensors; `quantized_names` the outputs of QuantizeLinear, in order, and
    `activations` the tensors between operators; `output` is the last tensor."""

    def __init__(self, seed):
        super().__init__(np.random.default_rng(seed))
        r = self.random
        self.scales, self.zeros, self.quantized_names, self.activations = {}, {}, [], []
        self.is_quantized = r.random() < 0.8
        self.dtype = np.uint8 if r.random() < 0.3 else np.int8
        self.output = self.add_input(r.normal(size=self.shape()).astype(np.float32) * np.float32(r.choice([0.05, 1, 20])))
        self.step(lambda g, x: x)
        for _ in range(int(r.integers(1, 4))):
            self.add_operator()

    def shape(self):
        r = self.random
        rank = int(r.choice([1, 2, 3, 4, 4, 4, 4]))
        shape = [int(r.choice(EXTENTS)) for _ in range(rank)]
        if rank > 1:
            shape[0] = int(r.choice([1, 1, 1, 2, 3]))
        if rank == 4 and r.random() < 0.1:
            shape[1:] = [257, int(r.integers(1, 5)), int(r.integers(1, 5))]
        if r.random() < EMPTY:
            shape[int(r.integers(0, rank))] = 0
        return shape

    def unfit(self, why):
        return Undefined(why)

    def spread(self, x):
        """The size of the finite numbers of a tensor."""
        finite = self.values[x][np.isfinite(self.values[x])].astype(np.float64)
        return float(np.abs(finite).max(initial=0)) or 1.0

    def far(self, x, shape=()):
        """A constant of x's type, inside of what x holds or far outside of it."""
        r, array = self.random, self.values[x]
        if array.dtype.kind != "f":
            info = np.iinfo(array.dtype)
            return self.constant(r.integers(info.min, info.max, shape, endpoint=True).astype(array.dtype))
        size = float(r.choice(FAR)) * self.spread(x)
        value = np.full(shape, r.choice([-size, size])) if r.random() < 0.5 else r.uniform(-size, size, shape)
        return self.constant(value.astype(np.float32))

    def quantized_constant(self, name):
        array = self.values[name]
        size = float(np.abs(array).max(initial=0)) or 1.0
        scale, zero = np.float32(size / 127), np.int8(self.random.choice([0, 0, 5]))
        q = np.clip(np.rint(array / scale) + zero, -128, 127).astype(np.int8)
        return self.node("DequantizeLinear", [self.constant(q), self.constant(scale), self.constant(zero)])

    def range_for(self, x):
        """What the quantization of x covers: all of it, a part, or what the operand before it had."""
        r, last = self.random, self.activations[-1:] or [x]
        kind = r.random()
        if kind < 0.4 and self.spread(x) < 1e30:
            return self.spread(x)
        return self.spread(last[0]) * float(r.choice([1, 1, 0.3, 3]))

    def quantize(self, x):
        r = self.random
        most = self.range_for(x)
        symmetric = r.random() < 0.4
        scale, zero = most / 127, 0
        if not symmetric:
            low = -most if self.values[x].min(initial=0) < 0 else 0
            scale, zero = (most - low) / 255 or 1.0, 0
            zero = int(np.clip(round(-128 - low / scale), -128, 127))
        zero += 128 if self.dtype == np.uint8 else 0
        last = self.activations[-1:]
        if last and last[0] in self.scales and r.random() < 0.15:
            scale, zero = self.scales[last[0]], self.zeros[last[0]]
        q, real = self.quantized(x, scale, zero, self.dtype)
        self.scales[real], self.zeros[real] = float(np.float32(scale)), zero
        self.quantized_names.append(q)
        return q, real

    def step(self, operator):
        """The operator on the current tensor; on the integers of a quantized one, now and then, where it moves."""
        y = operator(self, self.output)
        if self.is_quantized and self.values[y].dtype == np.float32 and self.random.random() < 0.85:
            y = self.quantize(y)[1]
        self.activations.append(y)
        self.output = y

    def step_on_integers(self, operator):
        last = self.nodes[-1]
        y = operator(self, last.input[0])
        if self.values[y].dtype != self.values[last.input[0]].dtype:
            raise self.unfit("gives another type")
        y = self.node("DequantizeLinear", [y, *last.input[1:]])
        self.scales[y], self.zeros[y] = self.scales[self.output], self.zeros[self.output]
        self.activations.append(y)
        self.output = y

    def add_operator(self):
        r = self.random
        for _ in range(20):
            kept = (list(self.nodes), list(self.constants), self.output, list(self.activations))
            family = FAMILIES[int(r.integers(0, len(FAMILIES)))]
            operator = family[int(r.integers(0, len(family)))]
            try:
                if family is moves.OPERATORS and self.output in self.scales and r.random() < 0.1:
                    return self.step_on_integers(operator)
                return self.step(operator)
            except Undefined:
                self.nodes, self.constants, self.output, self.activations = kept
        return None

    def outputs(self):
        """The last tensor, as integers now and then, where it is dequantized."""
        if self.output in self.scales and self.random.random() < 0.5:
            return [self.nodes[-1].input[0]]
        return [self.output]
