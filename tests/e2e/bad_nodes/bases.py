"""The valid models that faults are put into: one node 'the_node' each, at least one for every operator that is taken.
ONNX's own one-operator models (Debian's libonnx-testdata), and models made here of the operators and forms that are
newer than those, and of the QOperator form."""
import collections
import json
import pathlib
import subprocess

import numpy as np
import onnx
from onnx import TensorProto, defs, helper, numpy_helper

TESTDATA = pathlib.Path("/usr/share/libonnx-testdata/data/node")
NODE = "the_node"
F, B, U8, I8, I32, I64 = (TensorProto.FLOAT, TensorProto.BOOL, TensorProto.UINT8, TensorProto.INT8, TensorProto.INT32,
                          TensorProto.INT64)
INT, FLOAT, STRING, TENSOR, INTS, FLOATS, STRINGS = 2, 1, 3, 4, 7, 6, 8


class Base:
    """A model of one node. `kinds` are the attributes that its operator has, `required` those that it must have;
    `values` the arrays of its inputs where they are known; `least` and `most` how many inputs there may be; `wrong` the
    types that each input may not have; `first` the opset that brought the operator."""

    def __init__(self, name, model):
        self.name, self.model, self.node = name, model, model.graph.node[0]
        self.operator, self.opset = self.node.op_type, model.opset_import[0].version
        self.values, self.kinds, self.required, self.wrong = {}, {}, set(), {}
        self.least = self.most = None
        self.optional, self.first, self.is_loose = set(), None, False

    def read_schema(self, schema):
        self.kinds = {key: int(value.type) for key, value in schema.attributes.items()}
        self.required = {key for key, value in schema.attributes.items() if value.required}
        self.least, self.most = schema.min_input, schema.max_input
        for at, name in enumerate(self.node.input):
            formal = schema.inputs[min(at, len(schema.inputs) - 1)]
            if int(formal.option) == 1:
                self.optional.add(at)
            self.wrong[at] = [t for t in TYPES if TYPES[t] not in formal.types]


TYPES = {F: "tensor(float)", TensorProto.DOUBLE: "tensor(double)", B: "tensor(bool)", U8: "tensor(uint8)",
         I32: "tensor(int32)", I64: "tensor(int64)", TensorProto.INT16: "tensor(int16)"}


def tested(folder):
    """ONNX's own model, or nothing where it is of more than one node or of another domain."""
    model = onnx.load(folder / "model.onnx")
    if len(model.graph.node) != 1 or model.graph.node[0].domain or model.graph.node[0].op_type in ("If", "Loop", "Scan"):
        return None
    base = Base(folder.name, model)
    base.node.name = NODE
    try:
        base.read_schema(defs.get_schema(base.operator, base.opset, ""))
    except defs.SchemaError:
        return None
    base.first = FIRST[base.operator]
    for at, value in enumerate(model.graph.input):
        tensor = onnx.TensorProto()
        try:
            tensor.ParseFromString((folder / "test_data_set_0" / f"input_{at}.pb").read_bytes())
            base.values[value.name] = numpy_helper.to_array(tensor)
        except Exception:  # of a sequence, or missing
            pass
    return base


def first_opsets():
    first = {}
    for schema in defs.get_all_schemas_with_history():
        if schema.domain == "":
            first[schema.name] = min(first.get(schema.name, 99), schema.since_version)
    return first


FIRST = first_opsets()


class Made:
    """One model made here. An input is (type, shape) or a numpy array, a constant; attributes that are not given are in
    `more` with their kinds; inputs of `anything` may be of every type."""

    def __init__(self, operator, opset, inputs, attributes=None, more=None, first=None, required=(), most=None,
                 optional=(), anything=(), domain="", outputs=(F,)):
        self.operator, self.opset, self.inputs, self.attributes = operator, opset, inputs, attributes or {}
        self.more, self.first, self.required, self.most = more or {}, first or opset, set(required), most
        self.optional, self.anything, self.domain, self.outputs = set(optional), set(anything), domain, outputs

    def base(self):
        names = [f"in{i}" for i in range(len(self.inputs))]
        outputs = [f"out{i}" for i in range(len(self.outputs))]
        node = helper.make_node(self.operator, names, outputs, NODE, domain=self.domain, **self.attributes)
        given = [helper.make_tensor_value_info(n, *i) for n, i in zip(names, self.inputs) if isinstance(i, tuple)]
        constants = [numpy_helper.from_array(i, n) for n, i in zip(names, self.inputs) if isinstance(i, np.ndarray)]
        results = [helper.make_tensor_value_info(name, dtype, None) for name, dtype in zip(outputs, self.outputs)]
        graph = helper.make_graph([node], "graph", given, results, constants)
        imports = [helper.make_opsetid("", self.opset)]
        if self.domain:
            imports.append(helper.make_opsetid(self.domain, 1))
        base = Base(f"{self.operator}_{self.opset}", helper.make_model(graph, opset_imports=imports))
        base.model.ir_version = 8
        base.kinds = {**{a.name: int(a.type) for a in base.node.attribute}, **self.more}
        base.required, base.first, base.optional = self.required, self.first, self.optional
        behind = [at for at in range(len(names)) if all(later in self.optional for later in range(at, len(names)))]
        base.least, base.most = len(names) - len(behind), self.most or len(names)
        for at in range(len(names)):
            floats = at < len(given) and self.inputs[at][0] == F if isinstance(self.inputs[at], tuple) else False
            base.wrong[at] = [] if at in self.anything else [B, I64] if floats else [F, B]
        return base


def ints(*values, dtype=np.int64):
    return np.array(values, dtype)


SCALE, ZERO = np.array(0.5, np.float32), np.array(3, np.uint8)
MATRIX, IMAGE, HEADS = (F, [3, 4]), (F, [1, 4, 6, 6]), (F, [1, 2, 3, 4])
SAMPLE = {"mode": STRING, "padding_mode": STRING, "align_corners": INT}
WINDOW = {"auto_pad": STRING, "ceil_mode": INT, "dilations": INTS, "pads": INTS, "strides": INTS}
ATTENTION = {"is_causal": INT, "q_num_heads": INT, "kv_num_heads": INT, "qk_matmul_output_mode": INT, "scale": FLOAT,
             "softcap": FLOAT, "softmax_precision": INT}
REDUCTION = {"keepdims": INT, "noop_with_empty_axes": INT}
MICROSOFT = {"domain": "com.microsoft", "outputs": (U8,)}
BYTES, BYTE_IMAGE = (U8, [3, 4]), (U8, [1, 4, 6, 6])

MADE = [
    Made("Gelu", 20, [MATRIX], {"approximate": "tanh"}),
    Made("Mish", 18, [MATRIX]),
    Made("Swish", 24, [MATRIX], {"alpha": 2.0}),
    Made("SwiGLU", 28, [MATRIX, MATRIX], {"alpha": 2.0}),
    Made("BitCast", 26, [MATRIX], {"to": I32}, required=["to"], anything=[0], outputs=(I32,)),
    *[Made(name, 18, [BYTES, BYTES], outputs=(U8,)) for name in ("BitwiseAnd", "BitwiseOr", "BitwiseXor")],
    Made("BitwiseNot", 18, [BYTES], outputs=(U8,)),
    Made("GroupNormalization", 21, [IMAGE, (F, [4]), (F, [4])], {"num_groups": 2, "epsilon": 1e-5}, {"stash_type": INT},
         18, ["num_groups"]),
    Made("RMSNormalization", 23, [MATRIX, (F, [4])], {"axis": -1, "epsilon": 1e-5}, {"stash_type": INT}),
    Made("Attention", 23, [HEADS, (F, [1, 2, 5, 4]), (F, [1, 2, 5, 4]), (F, [3, 5])], {"scale": 0.5}, ATTENTION, most=6,
         optional=[3]),
    Made("Attention", 25, [(F, [1, 3, 8]), (F, [1, 5, 8]), (F, [1, 5, 8])], {"q_num_heads": 2, "kv_num_heads": 2},
         {**ATTENTION, "left_window_size": INT, "right_window_size": INT}, 23, most=7),
    Made("RotaryEmbedding", 23, [HEADS, (F, [7, 2]), (F, [7, 2]), (I64, [1, 3])], {},
         {"interleaved": INT, "rotary_embedding_dim": INT, "num_heads": INT}, optional=[3]),
    Made("CumProd", 26, [MATRIX, np.array(1)], {"exclusive": 1, "reverse": 1}),
    Made("TensorScatter", 24, [(F, [2, 5, 4]), (F, [2, 2, 4]), (I64, [2])], {"axis": 1, "mode": "circular"}, anything=[0, 1],
         optional=[2]),
    Made("AffineGrid", 20, [(F, [1, 2, 3]), ints(1, 1, 4, 4)], {"align_corners": 1}),
    Made("CenterCropPad", 18, [MATRIX, ints(2)], {"axes": [1]}, anything=[0]),
    Made("Col2Im", 18, [(F, [1, 4, 4]), ints(3, 3), ints(2, 2)], {"strides": [1, 1]}, {"dilations": INTS, "pads": INTS},
         anything=[0]),
    Made("GridSample", 20, [IMAGE, (F, [1, 2, 2, 2])], {"mode": "linear"}, SAMPLE, 16, anything=[0]),
    Made("GlobalLpPool", 13, [IMAGE], {"p": 2}, first=1),
    Made("LpPool", 18, [IMAGE], {"kernel_shape": [2, 2], "p": 2}, WINDOW, 1, ["kernel_shape"]),
    Made("LpNormalization", 13, [MATRIX], {"axis": -1, "p": 2}, first=1),
    Made("AveragePool", 19, [IMAGE], {"kernel_shape": [2, 2], "dilations": [1, 1]}, {**WINDOW, "count_include_pad": INT}, 1,
         ["kernel_shape"]),
    *[Made(name, 18, [MATRIX, ints(1)], {"keepdims": 0}, REDUCTION, 1, optional=[1]) for name in ("ReduceMean", "ReduceMax")],
    Made("ReduceLogSumExp", 13, [MATRIX], {"axes": [1], "keepdims": 0}, first=1),
    Made("Split", 18, [MATRIX], {"axis": 0, "num_outputs": 2}, first=1, most=2, anything=[0], outputs=(F, F)),
    Made("Pad", 19, [MATRIX, ints(1, 1), np.array(0, np.float32), ints(1)], {"mode": "wrap"}, first=1, optional=[2, 3],
         anything=[0]),
    Made("Resize", 19, [IMAGE, np.zeros(0, np.float32), np.zeros(0, np.float32), ints(8, 8)],
         {"axes": [2, 3], "mode": "linear", "keep_aspect_ratio_policy": "not_larger"},
         {"antialias": INT, "coordinate_transformation_mode": STRING, "cubic_coeff_a": FLOAT, "exclude_outside": INT,
          "extrapolation_value": FLOAT, "nearest_mode": STRING}, 10, anything=[0], optional=[1, 2, 3]),
    Made("QuantizeLinear", 23, [MATRIX, SCALE, ZERO], {"axis": 1},
         {"saturate": INT, "block_size": INT, "output_dtype": INT, "precision": INT}, 10, optional=[2], outputs=(U8,)),
    Made("DequantizeLinear", 23, [BYTES, SCALE, ZERO], {"axis": 1}, {"block_size": INT, "output_dtype": INT}, 10, optional=[2]),
    Made("Cast", 24, [MATRIX], {"to": I32}, {"saturate": INT, "round_mode": STRING}, 1, ["to"], anything=[0], outputs=(I32,)),
    Made("CastLike", 24, [MATRIX, BYTES], {}, {"saturate": INT, "round_mode": STRING}, 15, anything=[0, 1], outputs=(U8,)),
    Made("ScatterElements", 18, [MATRIX, (I64, [2, 4]), (F, [2, 4])], {"axis": 0, "reduction": "max"}, first=11, anything=[0, 2]),
    Made("ScatterND", 18, [MATRIX, (I64, [2, 1]), (F, [2, 4])], {"reduction": "min"}, first=11, anything=[0, 2]),
    Made("Range", 27, [np.array(0), np.array(9), np.array(2)], {"stash_type": 1}, first=11, anything=[0, 1, 2], outputs=(I64,)),
    Made("Mod", 28, [MATRIX, MATRIX], {"fmod": 0}, first=10),
    Made("SpaceToDepth", 28, [IMAGE], {"blocksize": 2, "mode": "CRD"}, first=1, required=["blocksize"], anything=[0]),
    Made("IsInf", 20, [MATRIX], {"detect_negative": 1, "detect_positive": 0}, first=10, outputs=(B,)),
    *[Made(f"QLinear{name}", 13, [BYTES, SCALE, ZERO, BYTES, SCALE, ZERO, SCALE, ZERO], optional=[2, 5, 7], **MICROSOFT)
      for name in ("Add", "Mul")],
    Made("QLinearSigmoid", 13, [BYTES, SCALE, ZERO, SCALE, ZERO], optional=[2, 4], **MICROSOFT),
    Made("QLinearLeakyRelu", 13, [BYTES, SCALE, ZERO, SCALE, ZERO], {"alpha": 0.1}, optional=[2, 4], **MICROSOFT),
    Made("QLinearSoftmax", 13, [BYTES, SCALE, ZERO, SCALE, ZERO], {"axis": -1, "opset": 13}, optional=[2, 4], **MICROSOFT),
    Made("QLinearConcat", 13, [SCALE, ZERO, BYTES, SCALE, ZERO, BYTES, SCALE, ZERO], {"axis": 1}, most=1 << 20, **MICROSOFT),
    Made("QLinearGlobalAveragePool", 13, [BYTE_IMAGE, SCALE, ZERO, SCALE, ZERO], {"channels_last": 0}, **MICROSOFT),
    Made("QLinearAveragePool", 13, [BYTE_IMAGE, SCALE, ZERO, SCALE, ZERO], {"kernel_shape": [2, 2]},
         {"auto_pad": STRING, "ceil_mode": INT, "channels_last": INT, "count_include_pad": INT, "pads": INTS, "strides": INTS},
         required=["kernel_shape"], optional=[2, 4], **MICROSOFT),
    Made("QGemm", 13, [BYTES, SCALE, ZERO, (U8, [4, 5]), SCALE, ZERO, np.zeros(5, np.int32), SCALE, ZERO],
         {"alpha": 1.0, "transB": 0}, {"transA": INT}, optional=[6, 7, 8], **MICROSOFT),
]


def operators(daedalus):
    """The names of all operators that are taken."""
    listing = subprocess.run([daedalus, "info", "--operators", "--json"], stdout=subprocess.PIPE, check=True).stdout
    return {operator["name"] for operator in json.loads(listing)["operators"]}


def bases(taken, all_of_them):
    """Of ONNX's own models of an operator the one with the most inputs and attributes, or all; and those made here."""
    found = collections.defaultdict(list)
    for folder in sorted(TESTDATA.iterdir()):
        base = tested(folder) if (folder / "model.onnx").exists() else None
        if base and base.operator in taken:
            found[base.operator].append(base)
    for own in found.values():
        own.sort(key=lambda base: -len(base.node.attribute) - len(base.node.input))
        yield own
    for made in MADE:
        yield [made.base()]
