"""Both sides of cpu_networks.py: a package through the runtime's C API, and ONNX Runtime."""
import ctypes
import pathlib
import resource
import statistics
import time

import numpy as np

CODES = {"i": 0, "u": 1, "f": 2, "b": 6}  # numpy's kinds as DLPack's type codes


class DataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class Tensor(ctypes.Structure):
    """DLTensor, of an array that has to outlive it."""
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int), ("device_id", ctypes.c_int),
                ("ndim", ctypes.c_int32), ("dtype", DataType), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.c_void_p), ("byte_offset", ctypes.c_uint64)]


class Info(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("dtype", DataType), ("ndim", ctypes.c_int32),
                ("shape", ctypes.POINTER(ctypes.c_int64))]


def tensor_of(array):
    shape = (ctypes.c_int64 * array.ndim)(*array.shape)
    dtype = DataType(CODES[array.dtype.kind], array.dtype.itemsize * 8, 1)
    return Tensor(array.ctypes.data, 1, 0, array.ndim, dtype, shape, None, 0)


def array_of(info):
    kind = next(kind for kind, code in CODES.items() if code == info.dtype.code)
    dtype = np.dtype(np.bool_) if kind == "b" else np.dtype(f"{kind}{info.dtype.bits // 8}")
    return np.zeros([info.shape[i] for i in range(info.ndim)], dtype)


class Ours:
    """A package that is loaded once; `threads` counts where the runtime has more than one."""

    def __init__(self, daedalus, package, threads):
        library = pathlib.Path(daedalus).resolve().parents[1] / "lib/libdaedalus_runtime.so"
        self.runtime = ctypes.CDLL(str(library))
        self.runtime.daedalus_last_error.restype = ctypes.c_char_p
        self.function = self.load(package, threads)
        self.inputs, self.outputs = self.arrays("input"), self.arrays("output")

    def load(self, package, threads):
        device, loaded, function = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        self.check(self.runtime.daedalus_device_open(b"functional", None, ctypes.byref(device)))
        if hasattr(self.runtime, "daedalus_device_set_threads"):
            self.check(self.runtime.daedalus_device_set_threads(device, ctypes.c_uint32(threads)))
        self.check(self.runtime.daedalus_package_load_file(device, str(package).encode(), ctypes.byref(loaded)))
        self.check(self.runtime.daedalus_package_function(loaded, None, ctypes.byref(function)))
        return function

    def arrays(self, which):
        """Zeros for all inputs, or outputs, of the function."""
        count = getattr(self.runtime, f"daedalus_function_{which}_count")
        count.restype = ctypes.c_size_t
        infos = [Info() for _ in range(count(self.function))]
        for index, info in enumerate(infos):
            self.check(getattr(self.runtime, f"daedalus_function_{which}")(self.function, ctypes.c_size_t(index),
                                                                            ctypes.byref(info)))
        return [array_of(info) for info in infos]

    def check(self, status):
        if status != 0:
            raise RuntimeError(self.runtime.daedalus_last_error().decode())

    def run(self):
        inputs, outputs = ((Tensor * len(arrays))(*map(tensor_of, arrays)) for arrays in (self.inputs, self.outputs))
        self.check(self.runtime.daedalus_function_invoke(self.function, inputs, ctypes.c_size_t(len(inputs)), outputs,
                                                         ctypes.c_size_t(len(outputs))))
        return self.outputs


class Theirs:
    """ONNX Runtime with all of its optimizations, and random inputs."""

    def __init__(self, model, threads):
        import onnxruntime  # only in processes whose memory it may count to
        settings = onnxruntime.SessionOptions()
        settings.intra_op_num_threads = threads
        settings.inter_op_num_threads = 1
        settings.log_severity_level = 3
        self.version = onnxruntime.__version__
        self.session = onnxruntime.InferenceSession(str(model), settings, providers=["CPUExecutionProvider"])
        random = np.random.default_rng(0)
        self.inputs = {value.name: made(random, value) for value in self.session.get_inputs()}

    def run(self):
        return self.session.run(None, self.inputs)


def made(random, value):
    """Of any type; a size that the model leaves open is 1."""
    shape = [size if isinstance(size, int) else 1 for size in value.shape]
    if value.type == "tensor(float)":
        return random.standard_normal(shape, dtype=np.float32)
    return random.integers(0, 100, shape).astype(value.type[len("tensor("):-1])


def seconds(side, runs):
    time.sleep(0.04)  # threads that wait for work by running fall asleep
    side.run()
    begin = time.perf_counter()
    for _ in range(runs):
        side.run()
    return (time.perf_counter() - begin) / runs


def spread(samples):
    first, middle, last = statistics.quantiles(samples, n=4, method="inclusive")
    return (last - first) / middle


def difference(ours, theirs):
    """The largest, in parts of the range of the output."""
    return max(float(np.max(np.abs(a.astype(np.float64) - b)) / max(float(np.ptp(b)), 1e-9))
               for a, b in zip(ours, theirs))


def in_turns(options, ours, theirs):
    sides = [ours, theirs]
    runs = [max(1, round(options.seconds / seconds(side, 1))) for side in sides]
    samples = [[], []]
    for _ in range(max(2, options.repeats)):
        for at, side in enumerate(sides):
            samples[at].append(seconds(side, runs[at]))
    return {"seconds": statistics.median(samples[0]), "spread": spread(samples[0]),
            "peer_seconds": statistics.median(samples[1]), "peer_spread": spread(samples[1]), "samples": samples,
            "difference": difference(ours.run(), theirs.run()), "onnxruntime": theirs.version}


def measure(options, side, model, package, threads):
    """`both` in turns; of one alone, the peak memory of this process."""
    if side == "both":
        ours, theirs = Ours(options.daedalus, package, threads), Theirs(model, threads)
        for array, given in zip(ours.inputs, theirs.inputs.values(), strict=True):
            np.copyto(array, given, casting="no")
        return in_turns(options, ours, theirs)
    (Ours(options.daedalus, package, threads) if side == "ours" else Theirs(model, threads)).run()
    return {"bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}
