"""Random ONNX graphs with odd shapes and constants, built node by node: each node is evaluated on the graph's own
input as it is added, so its output's shape and range are known, and a node that ONNX does not define is not added."""
import warnings

import numpy as np
import onnx
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import OpRun

OPSET = 21


class QuantizeLinear(OpRun):
    """As ONNX defines it, which saturates: the evaluator's own wraps what is beyond int32."""

    op_domain = ""

    def _run(self, x, scale, zero=None, axis=None, block_size=None, output_dtype=None, precision=None, saturate=None):
        info = np.iinfo(zero.dtype)
        rounded = np.rint(np.asarray(x / scale, np.float32)).astype(np.float64) + zero
        return (np.clip(rounded, info.min, info.max).astype(zero.dtype),)


def evaluate(model, feeds):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return ReferenceEvaluator(model, new_ops=[QuantizeLinear]).run(None, feeds)


def model_of(nodes, inputs, outputs, constants):
    """`inputs` and `outputs` are names with an array like the tensor, `constants` names with their arrays."""
    def infos(values):
        return [helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(a.dtype), a.shape) for n, a in values]
    graph = helper.make_graph(nodes, "odd", infos(inputs), infos(outputs),
                              [numpy_helper.from_array(a, n) for n, a in constants])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
    model.ir_version = 10
    return model


def inferred(node, fed):
    """The shape of a node's output by ONNX's shape inference; None where it does not say."""
    if "kernel_shape" not in [a.name for a in node.attribute]:
        return None
    model = model_of([node], fed, [(node.output[0], np.zeros((), fed[0][1].dtype))], [])
    del model.graph.output[:]
    values = onnx.shape_inference.infer_shapes(model).graph.value_info
    return [d.dim_value for d in values[0].type.tensor_type.shape.dim] if values else None


class Undefined(Exception):
    """ONNX's evaluator does not compute the node, or its result is no tensor worth to compare."""


class Graph:
    """Nodes, constants, and the value of every tensor for the input that the graph was built with."""

    def __init__(self, random):
        self.random = random
        self.nodes, self.constants, self.values = [], [], {}
        self.input = None

    def add_input(self, array):
        self.input = self.name("x")
        self.values[self.input] = array
        return self.input

    def name(self, stem):
        return f"{stem}_{len(self.values)}"

    def constant(self, array):
        name = self.name("c")
        self.values[name] = np.asarray(array)
        self.constants.append((name, self.values[name]))
        return name

    def node(self, op, inputs, **attributes):
        """The name of the node's one output."""
        name = self.name(op.lower())
        node = helper.make_node(op, inputs, [name], name=f"{op}_{len(self.nodes)}", **attributes)
        fed = [(i, self.values[i]) for i in dict.fromkeys(inputs) if i]
        try:
            result = evaluate(model_of([node], fed, [(name, np.zeros((), np.float32))], []), dict(fed))[0]
        except Exception as error:  # of many kinds: each operator of the evaluator has its own
            raise Undefined(f"{op}: {type(error).__name__} {error}") from error
        result = np.asarray(result)
        if result.ndim > 2 and inferred(node, fed) not in (None, list(result.shape)):
            raise Undefined(f"{op}: ONNX's shape inference gives another shape than its evaluator")
        if result.size > 200000 or result.dtype == object:
            raise Undefined(f"{op}: {result.size} elements")
        self.values[name] = result
        self.nodes.append(node)
        return name

    def quantized(self, x, scale, zero, dtype=np.int8):
        """The names behind a QuantizeLinear, and behind that and a DequantizeLinear."""
        parameters = [self.constant(np.float32(scale)), self.constant(dtype(zero))]
        q = self.node("QuantizeLinear", [x, *parameters])
        return q, self.node("DequantizeLinear", [q, *parameters])

    def model(self, outputs):
        """What the outputs need, as a model."""
        wanted, nodes = set(outputs), []
        for node in reversed(self.nodes):
            if wanted & set(node.output):
                nodes.insert(0, node)
                wanted.update(node.input)
        constants = [(n, a) for n, a in self.constants if n in wanted]
        return model_of(nodes, [(self.input, self.values[self.input])], [(n, self.values[n]) for n in outputs], constants)
