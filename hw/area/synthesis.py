"""The gates of each module of a machine, mapped by yosys.

Every module is mapped once and counted as often as it stands there. The RAMs of the scratchpads are left out as black
boxes: they are macros of a memory compiler, and only their bits count. Every other memory becomes flip-flops.

A gate is the area of a NAND2: each cell counts with its area in the Nangate 45 nm Open Cell Library (X1, from its LEF:
width by a height of 1.4 um). yosys' own `stat -tech cmos` would count transistors, but knows no flip-flop with a reset."""
import collections
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "flow"))
from tools import HW, modules as rtl_modules, plain, read, statistics  # noqa: E402

NAND2 = 0.798
AREAS = {  # square micrometres
    "$_NOT_": 0.532, "$_NAND_": 0.798, "$_NOR_": 0.798, "$_AND_": 1.064, "$_OR_": 1.064, "$_XOR_": 1.596,
    "$_XNOR_": 1.596, "$_MUX_": 1.862, "$_DFF_P_": 4.522, "$_DFF_PN0_": 5.320, "$_DFF_PN1_": 5.320}
RAMS = {"ram_1r1w"}
# The modules of the core by the row that they belong to; whatever else there is belongs to `control`.
ROWS = {"fetch": "fetch", "read_channel": "read_channel", "instruction_queue": "queues", "load": "load",
        "gemm": "gemm", "vector": "vector", "store": "store", "scratchpad": "scratchpads", "registers": "registers"}
MODULES = [*dict.fromkeys(ROWS.values()), "control"]


def script(isa_package, machine_package, rams, mapped):
    sources = [isa_package, machine_package, HW / "rtl/daedalus_pkg.sv", *rtl_modules()]
    gates = ",".join(cell.strip("$_") for cell in AREAS if "DFF" not in cell and cell != "$_NOT_")
    flip_flops = " ".join(f"-cell {cell} x" for cell in AREAS if "DFF" in cell)
    return f"""{read(sources)}
        hierarchy -check -top daedalus; proc
        tee -q -o {rams} stat
        blackbox *{' *'.join(sorted(RAMS))}
        opt_expr; opt_clean; wreduce; alumacc; opt_clean; memory_collect; memory_map; opt_clean
        techmap; opt_expr; dfflegalize {flip_flops}; opt_clean
        abc -fast -g {gates}; opt_clean
        tee -q -o {mapped} stat"""


def cells_of(modules, name):
    """The cells of a module and of all below it."""
    total = collections.Counter()
    for cell, count in modules[name]["cells"].items():
        if plain(cell) in RAMS:
            continue
        if cell not in modules:
            total[cell] += count
        else:
            for inner, number in cells_of(modules, cell).items():
                total[inner] += number * count
    return total


def gates_of(cells):
    unknown = sorted(set(cells) - set(AREAS))
    if unknown:
        raise ValueError(f"yosys left cells without an area: {', '.join(unknown)}")
    return round(sum(AREAS[cell] * count for cell, count in cells.items()) / NAND2)


def rows_of(modules):
    """The gates of every row of MODULES."""
    rows = dict.fromkeys(MODULES, 0)
    top = next(name for name in modules if plain(name) == "daedalus")
    core = next(name for name in modules if plain(name) == "core")
    for parent in (top, core):
        for cell, count in modules[parent]["cells"].items():
            if cell == core or plain(cell) in RAMS:
                continue
            cells = cells_of(modules, cell) if cell in modules else {cell: 1}
            rows[ROWS.get(plain(cell), "control")] += gates_of({c: n * count for c, n in cells.items()})
    return rows


def ram_bits(modules, name):
    module = modules[name]
    own = module["memory_bits"] if plain(name) in RAMS else 0
    return own + sum(count * ram_bits(modules, cell) for cell, count in module["cells"].items()
                     if cell in modules)


def synthesize(isa_package, machine_package):
    """({module: gates}, bits of all scratchpads) of the machine whose SystemVerilog package is given."""
    with tempfile.TemporaryDirectory() as folder:
        rams, mapped = pathlib.Path(folder, "rams.txt"), pathlib.Path(folder, "mapped.txt")
        done = subprocess.run(["yosys", "-q", "-p", script(isa_package, machine_package, rams, mapped)],
                              capture_output=True, text=True)
        if done.returncode:
            raise ValueError(f"yosys fails: {done.stderr[-2000:]}")
        before = statistics(rams)
        top = next(name for name in before if plain(name) == "daedalus")
        return rows_of(statistics(mapped)), ram_bits(before, top)
