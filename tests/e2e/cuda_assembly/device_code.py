"""What a package has for GPUs: its images, and how its functions are launched (runtime/lib/package/format.h,
runtime/drivers/cuda/cuda_code.h)."""
import dataclasses
import math
import struct

DEVICE = 6  # a section's kind
MAGIC = b"DAECUDA3"


@dataclasses.dataclass
class Launch:
    function: str
    grid: tuple
    block: tuple
    dynamic_shared: int  # bytes

    @property
    def threads(self):
        return math.prod(self.block)


class Reader:
    """Of runtime/lib/package/format.h's integers, texts and lists."""

    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def take(self, form):
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values if len(values) > 1 else values[0]

    def bytes(self):
        size = self.take("I")
        self.at += size
        return self.data[self.at - size : self.at]

    def list(self, read):
        return [read() for _ in range(self.take("I"))]


def sections(package, kind):
    reader = Reader(package, 12)
    for at in range(reader.take("I")):
        found, _, offset, size, _ = Reader(package, 64 + 32 * at).take("IIQQQ")
        if found == kind:
            yield package[offset : offset + size]


def image(reader):
    """An architecture's name, its PTX and its launches in order."""
    capability, is_exact, _ = reader.take("IBB")
    text = reader.bytes().decode()
    launches = sum(reader.list(lambda: reader.list(lambda: launch(reader))), [])
    return f"sm_{capability}{'a' * is_exact}", text, [made for made in launches if made]


def launch(reader):
    """None of what a library computes."""
    function, made = reader.bytes().decode(), None
    kind = reader.take("B")
    if kind:
        reader.take("BB13Q" if kind == 1 else "BBB13Q")  # a product or a convolution
    else:
        made = Launch(function, reader.take("III"), reader.take("III"), reader.take("I"))
    reader.list(lambda: reader.take("BIQ"))  # parameters
    return made


def read(package):
    """The PTX and the launches of all kernels, by architecture. Both are empty where nothing of the model runs on the
    GPU."""
    for section in sections(package, DEVICE):
        reader = Reader(section, section.index(MAGIC) + len(MAGIC))
        images = reader.list(lambda: image(reader))
        return {name: text for name, text, _ in images}, {name: launches for name, _, launches in images}
    return {}, {}
