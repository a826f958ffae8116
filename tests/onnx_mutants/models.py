"""The models that mutants are made of: ONNX's one-operator models, and networks small enough to compile in
a moment."""
import pathlib
import sys

import numpy as np
import onnx
from onnx import numpy_helper

from mutate import OPERATORS

TESTDATA = pathlib.Path("/usr/share/libonnx-testdata/data")
ROOT = pathlib.Path(__file__).resolve().parents[2]


class Base:
    """A model and, where its test data gives them, its inputs."""

    def __init__(self, name, model, inputs=()):
        self.name, self.model, self.inputs = name, model, list(inputs)


def test_models(suite, most=20000):
    """Those of libonnx-testdata whose operators are all known, without training."""
    for folder in sorted((TESTDATA / suite).iterdir()):
        path = folder / "model.onnx"
        if not path.exists() or path.stat().st_size > most:
            continue
        model = onnx.load(path)
        inputs = []
        for i in range(len(model.graph.input)):
            tensor = onnx.TensorProto()
            data = folder / "test_data_set_0" / f"input_{i}.pb"
            try:
                tensor.ParseFromString(data.read_bytes())
                inputs.append(numpy_helper.to_array(tensor))
            except Exception:  # of a sequence, or missing
                inputs.append(None)
        yield Base(f"{suite}/{folder.name}", model, inputs)


def small_networks():
    """The topologies of tests/models with a sixteenth of their channels and a seventh of their image."""
    sys.path.insert(0, str(ROOT / "tests/models"))
    import quantized_net
    import topologies

    class Small(quantized_net.QuantizedNet):
        def __init__(self, name, image_shape, seed=1):
            small = tuple(32 if s > 32 else s for s in image_shape)
            super().__init__(name, small, seed)

        def conv(self, x, out, kernel, *args, **kwargs):
            groups = kwargs.get("groups", 1)
            return super().conv(x, out if groups > 1 else max(4, out // 16), kernel, *args, **kwargs)

        def dense(self, x, out, **kwargs):
            return super().dense(x, max(4, out // 32), **kwargs)

    topologies.QuantizedNet = Small
    for name, build in topologies.NETWORKS.items():
        path = pathlib.Path(f"/tmp/small-{name}-{id(build)}.onnx")
        try:
            net, outputs = build(name)
            net.save(path, outputs)
            yield Base(f"networks/{name}", onnx.load(path))
        except (ValueError, IndexError, ZeroDivisionError):
            continue
        finally:
            path.unlink(missing_ok=True)


def bases(kind):
    if kind == "node":
        return [b for b in test_models("node") if supported(b.model)]
    digits = Base("digits", onnx.load(ROOT / "examples/digits/digits.onnx"))
    suites = [b for suite in ("simple", "pytorch-converted", "pytorch-operator") for b in test_models(suite)]
    return [digits, *[b for b in suites if supported(b.model)], *small_networks()]


def supported(model):
    return all(node.op_type in OPERATORS for node in model.graph.node)


def fit(array, dtype, shape, random):
    """The test's own input where it still fits, random numbers elsewhere."""
    if array is not None and array.dtype == dtype and list(array.shape) == list(shape):
        return array
    if dtype == np.bool_:
        return random.random(shape) < 0.5
    if np.issubdtype(dtype, np.integer):
        info = np.iinfo(dtype)
        low, high = (info.min, info.max) if info.bits == 8 else (0, 4)
        return random.integers(low, high, shape, endpoint=True).astype(dtype)
    return random.normal(size=shape).astype(dtype)
