"""What refusals of many models have in common."""
import re

# Words of the compiler's own, which no message to a user holds.
INTERNAL = re.compile(r"'(tensor|linalg|tosa|arith|memref|func|llvm|builtin|scf|cf|math|affine|quant|vector|dae|host|qnn)\.\w+"
                      r"|mistake of the compiler|[Aa]ssert|LLVM ERROR|Stack dump|without a reason|terminate called"
                      r"|SmallVector|double free|InferenceError|std::|\(op_type|AddressSanitizer|runtime error:")


def reason_of(detail):
    """The sentence without the names and numbers of this one model, nor the operator's, nor what to do."""
    detail = re.sub(r"(node '[^']*') \([^)]*\)", r"\1", detail)
    detail = re.sub(r"'[^']*/[^']*\.onnx'", "the model", detail.partition("; ")[0])
    detail = re.sub(r"operator '[^']*'", "operator _", detail)
    detail = re.sub(r"\b(node|input|output|inputs|outputs|initializer|value|tensor) '[^']*'", r"\1 _", detail)
    detail = re.sub(r"\[[-0-9, ?a-zA-Z_]*\]", "[_]", detail)
    return re.sub(r"(?<![\w.])-?\d+(\.\d+)?(e[-+]?\d+)?(?![\w.])", "#", detail)
