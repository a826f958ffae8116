"""A machine's accelerator mapped to the standard cells of a Liberty file by yosys, module by module: each distinct module
with its parameters once, and counted as often as it stands there. Memories are black boxes."""
import collections
import pathlib
import re
import sys

import fanout

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "flow"))
from tools import HW, fail, plain, read, sources_of, statistics, yosys  # noqa: E402

LIBERTY = pathlib.Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib")
CELLS = HW / "asic/standard_cells"
MEMORY = "ram_1r1w"
AIM = 4000  # picoseconds, for ABC
# Delay first, then sizes and buffers; `dc2` of yosys' own script makes a chain of every adder.
ABC = "+strash;ifraig;scorr;dch,-f;map,-B,0.9,{D};topo;buffer,-c;upsize,{D};dnsize,{D}"
DRIVER = "set_driving_cell INVX4\nset_load 0.05\n"  # of a module's inputs, in pF of its outputs
SMALL = 0.01  # of the area: a module with less in all its instances is no row of its own


def script(sources, folder):
    return f"""{read(sources)}
        hierarchy -check -top daedalus
        blackbox *{MEMORY} {MEMORY}
        proc; flatten {" ".join(own())}; hierarchy -top daedalus
        opt_expr; opt_clean; wreduce; peepopt; alumacc; share; opt; memory_collect; memory_map; opt; techmap; opt
        dfflibmap -liberty {LIBERTY}; opt
        abc -liberty {LIBERTY} -constr {folder / "driver.sdc"} -D {AIM} -script {ABC}
        opt_clean
        tee -q -o {folder / "cells.txt"} stat
        splitnets -ports
        write_verilog -noattr -noexpr -simple-lhs {folder / "yosys.v"}"""


def own():
    """The modules of CELLS that stand for the RTL's; what stands in them is a part of theirs."""
    return [path.stem for path in sorted(CELLS.glob("*.sv")) if (HW / "rtl" / path.name).is_file()]


def areas():
    """{cell: um2} of the library."""
    if not LIBERTY.is_file():
        fail(f"there is no {LIBERTY}; install Debian's qflow-tech-osu018")
    return areas_of(LIBERTY.read_text())


def areas_of(text):
    return {name: float(area) for name, area in re.findall(r"^cell \((\w+)\) \{[^}]*?\barea : ([\d.]+);", text, re.M)}


def renamed(text):
    """The netlist with names of modules that OpenSTA takes, and {name by yosys: that name}."""
    names = {}

    def name(found):
        names.setdefault(found[1], f"{plain(found[1])}__{len(names)}")
        return names[found[1]] + " "
    return re.sub(r"\\(\$paramod\S*) ", name, text), names


def parts(text):
    """{module: its lines} of a netlist."""
    return {block.split("(", 1)[0].split()[1]: block for block in re.split(r"^(?=module )", text, flags=re.M)[1:]}


def below(modules, top):
    """A module and all that stand in it, but memories, which OpenSTA takes for black boxes."""
    return sorted(name for name in instances(modules, top))


def synthesize(build, machine, folder):
    """{module: {type: cells}}, by the names that FOLDER/MODULE.v have: each is a netlist of the module and of those in it."""
    sources = sum(sources_of(build, machine, CELLS), [])
    areas()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "driver.sdc").write_text(DRIVER)
    yosys(script(sources, folder), folder / "yosys.log")
    text, names = renamed((folder / "yosys.v").read_text())
    modules = {names.get(module, module): {names.get(cell, cell): count for cell, count in found["cells"].items()}
               for module, found in statistics(folder / "cells.txt").items()}
    blocks = parts(text)
    written = {module for module in blocks if not is_memory(module)}
    for module in written:
        blocks[module], buffers = fanout.buffered(blocks[module], written)
        modules[module][fanout.BUFFER] = modules[module].get(fanout.BUFFER, 0) + buffers
    for module in written:
        (folder / f"{module}.v").write_text("".join(blocks[name] for name in below(modules, module)))
    (folder / "yosys.v").unlink()
    return modules


def is_memory(name):
    return name.split("__")[0] == MEMORY


def instances(modules, top):
    """{module: how often it stands in the design}."""
    found = collections.Counter({top: 1})
    left = [(top, 1)]
    while left:
        module, times = left.pop()
        for cell, count in modules[module].items():
            if cell in modules and not is_memory(cell):
                found[cell] += times * count
                left.append((cell, times * count))
    return found


def whole(modules, areas, name):
    """(cells, um2) of a module and of what is below it."""
    cells, area = 0, 0.0
    for cell, count in modules[name].items():
        if is_memory(cell):
            continue
        if cell in modules:
            below = whole(modules, areas, cell)
            cells, area = cells + count * below[0], area + count * below[1]
        elif cell in areas:
            cells, area = cells + count, area + count * areas[cell]
        else:
            fail(f"yosys left a cell without an area in '{name}': {cell}")
    return cells, area


def label(modules, name):
    """The name in the source; of a module with other parameters elsewhere, behind the module that it stands in."""
    base = name.split("__")[0]
    if sum(other.split("__")[0] == base for other in modules) == 1:
        return base
    parents = sorted(parent.split("__")[0] for parent, cells in modules.items() if name in cells)
    return f"{'/'.join(parents)}.{base}"


def rows(modules, areas):
    """Modules by the area of all their instances: what one of them has, with what is below it. The first is the top."""
    top = next(name for name in modules if name == "daedalus")
    all_cells = whole(modules, areas, top)
    lines = []
    for name, times in instances(modules, top).items():
        cells, area = whole(modules, areas, name)
        if times * area >= SMALL * all_cells[1]:
            lines.append({"module": label(modules, name), "netlist": name, "instances": times, "cells": cells,
                          "um2": round(area)})
    return sorted(lines, key=lambda row: (row["module"] != "daedalus", -row["instances"] * row["um2"], row["module"]))
