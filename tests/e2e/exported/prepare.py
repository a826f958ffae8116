"""prepare.py export NAME EXPORTER FOLDER, prepare.py quantize QUANTIZER FLOAT.onnx FOLDER: one step in a
process of its own, whose memory it gives back.

export writes FOLDER/model.onnx as torch.onnx.export writes it by default, or as a package of PyPI has it, products.json (products.py), and samples.npz:
what calibrates, and an input that calibration has not seen. quantize, which takes no torch, writes FOLDER/model.onnx as
ONNX Runtime's quantize_static writes it, and reference.npz: that input, and ONNX Runtime's outputs for it with its
optimizations off and on."""
import json
import logging
import pathlib
import shutil
import sys
import warnings

import numpy as np
import onnxruntime

CALIBRATION = 4  # samples
FROM_PYPI = "PyPI"  # what exports the networks of found.py
QUANTIZERS = {  # activations, weights
    "float": "float32",
    "qdq": "QDQ, u8, s8 per channel",
    "qdq_s8": "QDQ, s8, s8 per tensor",
    "qdq_u8": "QDQ, u8, u8 per tensor",
    "qoperator": "QOperator, u8, s8 per tensor",
    "qdq_preprocessed": "QDQ, u8, s8 per channel, behind quant_pre_process",
}


def run(path, inputs, optimizes):
    options = onnxruntime.SessionOptions()
    level = onnxruntime.GraphOptimizationLevel
    options.graph_optimization_level = level.ORT_ENABLE_ALL if optimizes else level.ORT_DISABLE_ALL
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(path), options, ["CPUExecutionProvider"]).run(None, inputs)


def input_name(path):
    import onnx
    graph = onnx.load(path, load_external_data=False).graph
    constants = {tensor.name for tensor in graph.initializer}
    return next(value.name for value in graph.input if value.name not in constants)


def exported(name, exporter, folder):
    """By torch.onnx.export; what gives samples of its inputs."""
    import torch

    from architectures import make, samples
    module, shape = make(name)
    torch.onnx.export(module, (samples(shape, 1, 3),), str(folder / "model.onnx"), dynamo=exporter == "dynamo")
    return lambda count, seed: samples(shape, count, seed).numpy()


def found(name, folder):
    """From PyPI; what gives samples of its inputs."""
    from found import samples, take
    shape = take(name, folder)
    return lambda count, seed: samples(shape, count, seed)


def export(name, exporter, folder):
    from products import products
    folder = pathlib.Path(folder)
    path = folder / "model.onnx"
    samples = found(name, folder) if exporter == FROM_PYPI else exported(name, exporter, folder)
    (folder / "products.json").write_text(json.dumps(products(path, {input_name(path): samples(1, 3)}), indent=1))
    np.savez(folder / "samples.npz", calibration=samples(CALIBRATION, 5), unseen=samples(1, 6))


def calibration(data, path):
    from onnxruntime.quantization import CalibrationDataReader

    class Reader(CalibrationDataReader):
        def __init__(self):
            self.inputs = iter([{input_name(path): data[i : i + 1]} for i in range(len(data))])

        def get_next(self):
            return next(self.inputs, None)

    return Reader()


def quantized(data, quantizer, source, path):
    from onnxruntime.quantization import QuantFormat, QuantType, quantize_static
    from onnxruntime.quantization.shape_inference import quant_pre_process
    if quantizer == "qdq_preprocessed":
        prepared = path.with_name("preprocessed.onnx")
        try:
            quant_pre_process(str(source), str(prepared))
        except Exception:  # its symbolic inference fails on some transformers, and its message names this way out
            quant_pre_process(str(source), str(prepared), skip_symbolic_shape=True)
        source = prepared
    form, activations, weights = QUANTIZERS[quantizer].split(",")[0:3]
    types = {"s8": QuantType.QInt8, "u8": QuantType.QUInt8}
    quantize_static(str(source), str(path), calibration(data, source),
                    quant_format=QuantFormat.QOperator if form == "QOperator" else QuantFormat.QDQ,
                    activation_type=types[activations.strip()], weight_type=types[weights.split()[0]],
                    per_channel="per channel" in weights)
    if source.name == "preprocessed.onnx":
        source.unlink()


def copy(source, folder):
    """The exported model and what lies beside it, under the same names: external data is found by them."""
    for file in source.parent.glob("model.onnx*"):
        shutil.copyfile(file, folder / file.name)  # ONNX takes no links to external data


def quantize(quantizer, source, folder):
    source, folder = pathlib.Path(source), pathlib.Path(folder)
    path, samples = folder / "model.onnx", np.load(source.with_name("samples.npz"))
    if quantizer == "float":
        copy(source, folder)
    else:
        quantized(samples["calibration"], quantizer, source, path)
    given = samples["unseen"]
    arrays = {"input": given}
    for kind, optimizes in (("off", False), ("on", True)):
        for i, output in enumerate(run(path, {input_name(path): given}, optimizes)):
            arrays[f"{kind}_{i}"] = output
    np.savez(folder / "reference.npz", **arrays)


def main():
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    step, *given = sys.argv[1:]
    {"export": export, "quantize": quantize}[step](*given)


if __name__ == "__main__":
    main()
