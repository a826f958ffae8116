"""What ONNX itself says of a model that was taken: PyPI's full checker with strict shape inference, and the
reference evaluator's values. REASONS are the models that are taken although ONNX rejects them."""
import re
import warnings

import numpy as np
import onnx
from onnx import version_converter

try:
    from onnx.reference import ReferenceEvaluator
except ImportError:  # Debian's onnx 1.12
    ReferenceEvaluator = None

# What the checker or the evaluator says, and why the model is taken all the same.
REASONS = [
    ("values: .*Resize .*align_corners", "the evaluator counts 2.4 columns where ONNX's text counts 2"),
    (r"evaluator: TypeError Issues with types .*\(operator '\w+_\d+'\)",
     "the evaluator's operators of old opsets do not take all attributes that those have"),
    ("evaluator: .*Invalid coordinate_transformation_mode: 'tf_half_pixel_for_nn'", "Resize of opset 11 has this mode"),
    ("stopped: the inputs of node .* that say its output's shape",
     "the shape that comes at run time is another one than the model declares, which the evaluator does not look at"),
    ("stopped: node .* selects by an index or label that is outside",
     "ONNX leaves open what such an index gives, and the evaluator may take it"),
    ("evaluator: .*No implementation for operator", "the evaluator has no operator of that opset"),
    (r"checker: .*op_type:Constant\): output has unsupported type",
     "PyTorch's exports of opset 6 have integers in a Constant, ONNX's own tests among them"),
    ("values: .*Pool .*ceil_mode=1", "the evaluator moves the windows of ceil_mode before the image"),
    ("checker: .*No opset import for domain 'daedalus.external'", "an external function needs no opset import"),
]

# A node is within a step of the evaluator on equal inputs; a network of more Quantize nodes than this amplifies
# the steps, and tests/e2e compares such networks node by node.
FEW = 12


def stated(message):
    for pattern, reason in REASONS:
        if re.search(pattern, message, re.S):
            return f"stated: {reason}"
    return None


def inputs_of(folder, model):
    constants = {t.name for t in model.graph.initializer}
    names = [i.name for i in model.graph.input if i.name not in constants]
    if not all((folder / f"in_{i}.npy").exists() for i in range(len(names))):
        return None
    return {name: np.load(folder / f"in_{i}.npy") for i, name in enumerate(names)}


def quantizations(model):
    return sum("Quantize" in n.op_type or "QLinear" in n.op_type for n in model.graph.node)


def difference(got, wanted, quantized):
    """Empty: the same."""
    wanted = np.asarray(wanted)
    if got.dtype != wanted.dtype or got.shape != wanted.shape:
        return f"{got.dtype} {got.shape}, the evaluator gives {wanted.dtype} {wanted.shape}"
    if got.dtype.kind != "f":
        if quantized and got.dtype.itemsize == 1:
            return "" if np.abs(got.astype(int) - wanted.astype(int)).max(initial=0) <= 1 else "other integers"
        return "" if np.array_equal(got, wanted) else f"other integers: {got.ravel()[:8]} for {wanted.ravel()[:8]}"
    tolerance = {"rtol": 1e-3, "atol": 1e-5, "equal_nan": True}
    if np.allclose(got, wanted, **tolerance):
        return ""
    return f"other values: {got.ravel()[:6]} for {wanted.ravel()[:6]}"


def evaluator(model):
    """The evaluator knows few operators of old opsets: it gets the model in a newer one. Softmax became another
    function in opset 13, which the evaluator takes no notice of."""
    opset = max((o.version for o in model.opset_import if o.domain in ("", "ai.onnx")), default=0)
    if opset < 21:
        try:
            return ReferenceEvaluator(version_converter.convert_version(model, 21))
        except Exception:  # of many kinds: what the converter cannot convert is evaluated as it is
            pass
    return ReferenceEvaluator(model)


def judge(folder, outcome):
    """A verdict and its detail, of a model that compiled and whose run went `ok` or was `stopped`."""
    if ReferenceEvaluator is None:
        return "not judged", ""
    model = onnx.load_from_string((folder / "model.onnx").read_bytes())
    try:
        onnx.checker.check_model(model, full_check=True)
    except Exception as error:  # of several kinds, all of them a refusal
        return stated(f"checker: {error}") or "checker rejects", str(error)[:400].replace("\n", " ")
    inputs = inputs_of(folder, model)
    if inputs is None:
        return "not judged", ""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            expected = evaluator(model).run(None, inputs)
    except Exception as error:
        if outcome == "stopped":
            return "agrees", ""
        return stated(f"evaluator: {type(error).__name__} {error}") or "evaluator rejects", f"{type(error).__name__} {error}"[:400]
    if outcome == "refused":
        return "taken", ""
    if outcome == "stopped":
        message = (folder / "message.txt").read_text()
        return stated(f"stopped: {message}") or "stopped", message
    if quantizations(model) > FEW:
        return "agrees, values aside", ""
    for i, wanted in enumerate(expected):
        if not (folder / f"out_{i}.npy").exists():
            return "not judged", ""
        got = np.load(folder / f"out_{i}.npy")
        if any(n.op_type == "LogSoftmax" for n in model.graph.node) and got.shape == np.shape(wanted):
            wanted = np.where(np.isneginf(wanted), got, wanted)  # the logarithm of a softmax that is 0 in float32
        different = difference(got, wanted, quantizations(model) > 0)
        if different:
            nodes = " ".join(f"{n.op_type} {[f'{a.name}={a.s or a.i}' for a in n.attribute]}" for n in model.graph.node)
            return stated(f"values: {nodes}: {different}") or "other values", f"output {i}: {different}"
    return "agrees", ""
