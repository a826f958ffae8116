"""What refusals of many models have in common."""
import re


def reason_of(detail):
    """The sentence without the names and numbers of this one model, nor the operator's, nor what to do."""
    detail = re.sub(r"(node '[^']*') \([^)]*\)", r"\1", detail)
    detail = re.sub(r"'[^']*/[^']*\.onnx'", "the model", detail.partition("; ")[0])
    detail = re.sub(r"operator '[^']*'", "operator _", detail)
    detail = re.sub(r"\b(node|input|output|inputs|outputs|initializer|value|tensor) '[^']*'", r"\1 _", detail)
    detail = re.sub(r"\[[-0-9, ?a-zA-Z_]*\]", "[_]", detail)
    return re.sub(r"(?<![\w.])-?\d+(\.\d+)?(e[-+]?\d+)?(?![\w.])", "#", detail)
