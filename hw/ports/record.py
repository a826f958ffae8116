"""A short run of the Verilated accelerator (hw/tb/model.h), in which every port is used: what its signals were in each
cycle. A host writes registers and starts a program of a LOAD and a STORE; the memory answers reads and writes three
cycles later, and refuses the first handshake on AR, on AW and in a burst on W."""
import ctypes
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "flow"))
from header import registers_of  # noqa: E402
from tools import fail  # noqa: E402

ABI = 6
BUS = 8  # bytes of a beat of `tiny`
LATENCY = 3
PROGRAM, INPUT, OUTPUT = 0x1000, 0x2000, 0x3000
TEXT = "load scope=inp base=0 offset=0 dst=0 run_bytes=40 unbounded\nstore scope=out base=1 offset=8 src=0 run_bytes=24\nfinish\n"
INSTRUCTIONS = TEXT.count("\n")


def fields(text):
    """Of a C struct: `uint8_t a, b` and so on."""
    kinds = {"u8": ctypes.c_uint8, "u16": ctypes.c_uint16, "u32": ctypes.c_uint32, "u64": ctypes.c_uint64}
    return [(name, kinds[line.split()[0]]) for line in text.splitlines() for name in line.split()[1:]]


class Inputs(ctypes.Structure):
    _fields_ = [*fields("""u8 rst_n observe
u16 bug
u8 awvalid wvalid wstrb bready arvalid rready
u32 awaddr wdata araddr
u8 m_arready m_rvalid m_rlast m_rresp m_awready m_wready m_bvalid m_bresp"""),
                ("m_rdata", ctypes.POINTER(ctypes.c_uint8))]


class Outputs(ctypes.Structure):
    _fields_ = fields("""u8 awready wready bvalid bresp arready rvalid rresp irq
u8 m_arvalid m_arlen m_arsize m_arburst m_rready
u8 m_awvalid m_awlen m_awsize m_awburst m_wvalid m_wlast m_bready
u8 register_write register_read counting stop finish_in_head start retire load_write
u8 gemm_write vector_write
u32 rdata fetch_index classes load_work
u64 m_araddr m_awaddr cycle""")


class Model(ctypes.Structure):
    _fields_ = [("abi", ctypes.c_int), ("has_waves", ctypes.c_int),
                ("create", ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_uint32)),
                ("destroy", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
                ("settle", ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(Inputs), ctypes.POINTER(Outputs))),
                ("tick", ctypes.CFUNCTYPE(None, ctypes.c_void_p))]


def load(build):
    """The model of `tiny` that the build made."""
    stamp = build / "lib/rtl/tiny.stamp"
    if not stamp.is_file():
        fail(f"there is no {stamp}; build the target rtl_models")
    library = ctypes.CDLL(stamp.read_text().strip())
    library.daedalus_rtl_model.restype = ctypes.POINTER(Model)
    model = library.daedalus_rtl_model().contents
    if model.abi != ABI:
        fail(f"the Verilated model has version {model.abi} of hw/tb/model.h; hw/ports/record.py knows {ABI}")
    return model


def header_of(build):
    return (build / "isa/generated/include/daedalus_isa.h").read_text()


def words(build):
    """The program's instructions, as they lie in DRAM: the end of its file."""
    bytes_of_one = int(re.search(r"^#define DAEDALUS_INSTRUCTION_BYTES (\d+)u$", header_of(build), re.M)[1])
    with tempfile.NamedTemporaryFile(suffix=".bin") as file:
        subprocess.run([build / "bin/daedalus", "asm", "-", "-o", file.name], input=TEXT, text=True, check=True)
        return pathlib.Path(file.name).read_bytes()[-INSTRUCTIONS * bytes_of_one:]


def registers(build):
    """{name: [offsets]}: of an array one for each element."""
    offsets = {}
    for offset, (name, *_) in sorted(registers_of(header_of(build)).items()):
        offsets.setdefault(name, []).append(offset)
    return offsets


class Host:
    """Accesses one after the other: (write, offset, data), (read, offset) or (wait, irq)."""

    def __init__(self, accesses):
        self.left, self.open, self.address, self.data = list(accesses), None, False, False

    def drive(self, pins):
        if self.open is None and self.left:
            self.open, self.address, self.data = self.left.pop(0), True, True
        kind = self.open[0] if self.open else ""
        pins.awvalid = int(kind == "write" and self.address)
        pins.wvalid = int(kind == "write" and self.data)
        pins.arvalid = int(kind == "read" and self.address)
        pins.wstrb, pins.bready, pins.rready = 15, 1, 1
        if kind in ("write", "read"):
            pins.awaddr = pins.araddr = self.open[1]
        if kind == "write":
            pins.wdata = self.open[2]

    def see(self, pins, out):
        self.address = self.address and not (pins.awvalid and out.awready) and not (pins.arvalid and out.arready)
        self.data = self.data and not (pins.wvalid and out.wready)
        kind = self.open[0] if self.open else ""
        if (kind == "write" and out.bvalid) or (kind == "read" and out.rvalid) or (kind == "wait" and out.irq):
            self.open = None

    def is_done(self):
        return self.open is None and not self.left


class Memory:
    def __init__(self, contents):
        self.contents, self.beats, self.answers, self.refused, self.owed = contents, [], [], set(), 0

    def refuses(self, channel, valid):
        """The first handshake of a channel."""
        if valid and channel not in self.refused:
            self.refused.add(channel)
            return True
        return False

    def drive(self, pins, now):
        pins.m_rvalid = int(bool(self.beats) and self.beats[0][0] <= now)
        if pins.m_rvalid:
            _, address, last = self.beats[0]
            data = bytes(self.contents.get(address + i, 0) for i in range(BUS))
            self.data = (ctypes.c_uint8 * BUS)(*data)
            pins.m_rdata, pins.m_rlast = self.data, int(last)
        pins.m_bvalid = int(bool(self.answers) and self.answers[0] <= now)
        pins.m_arready = pins.m_awready = pins.m_wready = 1

    def refuse(self, pins, out):
        """Whether a READY changed: they may look at VALID, as those of a memory may."""
        pins.m_arready = int(not self.refuses("ar", out.m_arvalid))
        pins.m_awready = int(not self.refuses("aw", out.m_awvalid))
        pins.m_wready = int(not self.refuses("w", out.m_wvalid and self.owed == 1))

    def see(self, pins, out, now):
        if pins.m_rvalid and out.m_rready:
            self.beats.pop(0)
        if pins.m_bvalid and out.m_bready:
            self.answers.pop(0)
        if out.m_arvalid and pins.m_arready:
            count = out.m_arlen + 1
            self.beats += [(now + LATENCY, out.m_araddr + BUS * i, i == count - 1) for i in range(count)]
        if out.m_wvalid and pins.m_wready:
            self.owed += 1
            if out.m_wlast:
                self.answers.append(now + LATENCY)
                self.owed = 0


def accesses(offsets, program_bytes):
    written = [("program_lo", 0, PROGRAM), ("program_length", 0, INSTRUCTIONS), ("program_limit", 0, program_bytes),
               ("interrupt_enable", 0, 1), ("base_lo", 0, INPUT), ("limit", 0, 64), ("base_lo", 1, OUTPUT), ("limit", 1, 64)]
    writes = [("write", offsets[name][element], value) for name, element, value in written]
    return [*writes, ("write", offsets["control"][0], 1), ("wait", 0), ("read", offsets["cycles_lo"][0]),
            ("write", offsets["interrupt"][0], 1)]


def record(build):
    """[{signal: value}] of each cycle, without those of rst_ni."""
    program = words(build)
    model, host = load(build), Host(accesses(registers(build), len(program)))
    contents = dict(enumerate(program, PROGRAM))
    contents.update({INPUT + i: i for i in range(40)})
    memory, handle = Memory(contents), model.create(0)
    pins, out, cycles = Inputs(), Outputs(), []
    for now in range(-2, 2000):
        pins.rst_n = int(now >= 0)
        if now >= 0:
            host.drive(pins)
            memory.drive(pins, now)
        model.settle(handle, ctypes.byref(pins), ctypes.byref(out))
        if now >= 0:
            memory.refuse(pins, out)
            model.settle(handle, ctypes.byref(pins), ctypes.byref(out))
            cycles.append({name: getattr(of, name) for of in (pins, out) for name, _ in of._fields_ if name != "m_rdata"})
            cycles[-1]["m_rdata"] = int.from_bytes(bytes(memory.data), "little") if pins.m_rvalid else 0
            memory.see(pins, out, now)
            host.see(pins, out)
        model.tick(handle)
        if now >= 0 and host.is_done() and len(cycles) > 12 and not any(cycle["irq"] for cycle in cycles[-6:]):
            return cycles
    fail("the run does not end")
