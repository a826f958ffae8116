"""ONNX Runtime (PyPI) as a reference: without its optimizations, on the CPU."""


def outputs_of(model, feeds):
    """All outputs of a model, which is its bytes, for a dictionary of inputs."""
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return session.run(None, feeds)
