"""What may be taken although it was changed: legal ONNX, each with the reason. A changed shape is legal where libonnx's own
checker and shape inference take it too."""
import re

import onnx

# Operators, kind of the fault, what was changed, reason.
LEGAL = [
    ("QuantizeLinear|DequantizeLinear", "attribute value", "axis = .*", "of one scale the axis is ignored"),
    (".*Pool|Conv|ConvInteger|ConvTranspose|QLinearConv", "attribute value", "auto_pad = $", "an empty one is NOTSET"),
    ("LpPool|GlobalLpPool", "attribute value", r"p = \d+", "a norm of any order from 1 on"),
    ("Attention", "attribute value", r"(left|right)_window_size = \d+", "a window wider than the sequence"),
    ("Attention", "input type", "in3 bool", "a mask may be of truth values"),
    ("Range", "constant value", ".*", "a limit or step may be any number"),
    ("Dropout", "attribute value", "(seed|ratio) = .*", "nothing is drawn in inference"),
    ("EyeLike", "attribute value", "k = .*", "a diagonal outside of the matrix is empty"),
    ("Trilu", "constant value", "k .*", "a diagonal outside of the matrix is empty"),
    ("LRN", "attribute value", "size = 99", "a window wider than the channels"),
    ("NegativeLogLikelihoodLoss|SoftmaxCrossEntropyLoss", "attribute value", "ignore_index = .*", "any label may be ignored"),
    ("OneHot", "constant value", "indices .*", "an index outside of the depth gives a row of the off value"),
    ("Shape", "attribute value", "(start|end) = .*", "ONNX clamps both to the rank"),
    ("Slice", "constant value", "(starts|ends) .*", "ONNX clamps both to the dimension"),
    ("Slice", "constant value", "steps -?99", "a step wider than the dimension"),
    ("Equal|EyeLike|GatherND|Max|Min|Mod|OneHot|Pad|Pow|Trilu|QGemm|Where", "constant value",
     r"(x|y|data|data_\d|values|in6) .*", "data, which may be any number"),
    ("Expand", "input shape", r"new_shape \[0\]", "a shape of no dimensions leaves the input as it is"),
    ("AffineGrid|CenterCropPad|Resize|ConstantOfShape|Expand|Tile", "constant value", ".* 99", "a size of 99"),
]


def legal(base, fault):
    """The reason, or nothing."""
    for operators, kind, what, reason in LEGAL:
        if fault.kind == kind and re.fullmatch(operators, base.operator) and re.fullmatch(what, fault.what):
            return reason
    if fault.kind != "input shape":
        return None
    if base.node.domain or base.opset > onnx.defs.onnx_opset_version():
        return "libonnx does not know the operator"
    try:
        onnx.shape_inference.infer_shapes(fault.model, check_type=True, strict_mode=True)
    except Exception:  # of several kinds, all of them a refusal
        return None
    return "libonnx takes the shape"
