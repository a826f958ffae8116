"""A machine's accelerator, or one of its modules, mapped to the cells of an ECP5 by yosys, and these cells by module.

The design is wrapped in `harness`, which has four pins: its inputs come from a chain of registers, its outputs go to
another one. So every path that is timed begins and ends in a register, and pins set no limit."""
import collections
import json
import pathlib
import re
import sys

import floorplan

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "flow"))
from tools import HW, fail, read, sources_of, yosys  # noqa: E402

# yosys' own script for LUTs, but for the levels that it may take. What is not on the longest path is mapped for area; where no
# path is long, nothing would be.
LEVELS = 7
SCRIPT = f"+strash;&get,-n;&fraig,-x;&put;scorr;dc2;dretime;strash;dch,-f;if,-D,{LEVELS};mfs2"
TYPES = ["LUT4", "CCU2C", "TRELLIS_FF", "DP16KD", "MULT18X18D", "TRELLIS_DPR16X4"]
STATE = {"TRELLIS_FF", "DP16KD", "MULT18X18D", "TRELLIS_DPR16X4"}
DUT = ("u_dut.",)
BOARD = ("gen_accelerator.u_daedalus_axi.u_daedalus.", "gen_accelerator.u_daedalus_axi.", "")


def changes(top, parameters):
    """yosys' commands that give a module its parameters."""
    return "".join(f"chparam -set {key} {value} {top}; " for key, value in parameters.items())


def sources_for_ecp5(build, machine):
    return sources_of(build, machine, HW / "fpga/ecp5")


def ports_of(packages, top, parameters, folder):
    """The ports of a module, whose file has its name: (name, direction, bits)."""
    source = HW / "rtl" / f"{top}.sv"
    if not source.is_file():
        fail(f"there is no module '{top}': no file {source}")
    out = folder / "ports.json"
    yosys(f"{read([*packages, source])}; {changes(top, parameters)}hierarchy -top {top}; proc; write_json {out}", folder / "ports.log")
    modules = json.loads(out.read_text())["modules"]
    module = next(module for module in modules.values() if int(module["attributes"].get("top", "0"), 2))
    return [(name, port["direction"], len(port["bits"])) for name, port in module["ports"].items()]


def harness(top, ports):
    """The source of the wrapper."""
    inputs = [port for port in ports if port[1] == "input" and port[0] not in ("clk_i", "rst_ni")]
    outputs = [port for port in ports if port[1] == "output"]
    connections, at = [".clk_i(clk_i)"] + [".rst_ni(rst_ni)"] * any(name == "rst_ni" for name, _, _ in ports), 0
    for name, _, bits in inputs:
        connections.append(f".{name}(in_q[{at}+:{bits}])")
        at += bits
    ins, at = at, 0
    for name, _, bits in outputs:
        connections.append(f".{name}(out[{at}+:{bits}])")
        at += bits
    return f"""module harness (input logic clk_i, input logic rst_ni, input logic serial_i, output logic serial_o);
  logic [{ins}:0] in_q;
  logic [{at - 1}:0] out, out_q;
  logic shift_q;
  {top}_gates u_dut ({", ".join(connections)});
  always_ff @(posedge clk_i) begin
    in_q <= {{in_q[{ins - 1}:0], serial_i}};
    shift_q <= in_q[{ins}];
    out_q <= shift_q ? {{out_q[{max(at - 2, 0)}:0], 1'b0}} : out;
    serial_o <= out_q[{at - 1}];
  end
endmodule
"""


# Modules of which each instance is mapped alone: over their borders yosys' mapper copies what many read, the choice of a row
# of INP once for each tap. All others are mapped as one, for their paths go through several of them.
ALONE = "*vector_lane* *gemm_array* *scratchpad* *signed_sum* *tokens* *faults* *issue* *resting*"


def mapped(top):
    """yosys' commands. It inverts a reset that is low once for each register, and merges none of these inverters: each would be
    a signal of its own, of which two are all that a tile has."""
    return (f"hierarchy -top {top}; setattr -mod -set keep_hierarchy 1 {ALONE}; synth_ecp5 -top {top} -run begin:map_luts; "
            f"opt_merge; opt_clean; scratchpad -set abc.script {SCRIPT}; synth_ecp5 -run map_luts:; "
            "setattr -mod -unset keep_hierarchy *; flatten; opt_clean")


def synthesize(build, machine, top, parameters, folder):
    """Writes FOLDER/netlist.json, with the harness, and FOLDER/gates.v, the same cells without it, and returns the cells by
    module."""
    packages, modules = sources_for_ecp5(build, machine)
    folder.mkdir(parents=True, exist_ok=True)
    source, gates, netlist = (folder / name for name in ("harness.sv", "gates.v", "netlist.json"))
    source.write_text(harness(top, ports_of(packages, top, parameters, folder)))
    yosys(f"{read([*packages, *modules])}; {changes(top, parameters)}{mapped(top)}; rename -top {top}_gates; write_verilog -noattr {gates}; "
          f"design -stash gates; read_verilog -lib {gates}; read_verilog -sv {source}; synth_ecp5 -top harness; delete {top}_gates; "
          f"design -copy-from gates {top}_gates; hierarchy -top harness; flatten; write_json {netlist}", folder / "yosys.log")
    return cells_by_module(floorplanned(netlist, "harness"))


def synthesize_board(build, machine, parameters, folder):
    """Writes FOLDER/netlist.json and FOLDER/gates.v of hw/fpga/board/board.sv, with its own pins, and returns its cells by
    module."""
    packages, modules = sources_for_ecp5(build, machine)
    folder.mkdir(parents=True, exist_ok=True)
    board = sorted((HW / "fpga/board").glob("*.sv"))
    netlist = folder / "netlist.json"
    yosys(f"{read([*packages, *modules, *board])}; {changes('board', parameters)}{mapped('board')}; write_verilog -noattr {folder / 'gates.v'}; "
          f"write_json {netlist}", folder / "yosys.log")
    return cells_by_module(floorplanned(netlist, "board"), BOARD)


def floorplanned(netlist, top):
    """The module of a netlist, whose file then says where its block RAMs and multipliers stand."""
    design = json.loads(netlist.read_text())
    floorplan.add(design["modules"][top])
    netlist.write_text(json.dumps(design))
    return design["modules"][top]


def names_of_bits(module):
    """The shortest name in the source of each bit."""
    names = {}
    for name, wire in module["netnames"].items():
        if wire.get("hide_name") or name.startswith("$"):
            continue
        for bit in wire["bits"]:
            if isinstance(bit, int) and (bit not in names or len(name) < len(names[bit])):
                names[bit] = name
    return names


def inner(name, roots):
    """The part of a name behind the first of the roots that it begins with; None where it begins with none."""
    return next((name[len(root):] for root in roots if name.startswith(root)), None)


def module_of(name, roots=DUT):
    """`u_dut.u_core.u_gemm.u_array.sums_o` belongs to gemm.array; what is below that belongs to it."""
    name = inner(name, roots)
    if name is None:
        return "harness"
    path = [re.sub(r"\[\d+\]", "", part).removeprefix("u_") for part in name.split(".")[:-1]
            if part.startswith("u_") or part.startswith("gen_")]
    path = [part for part in path if part != "core" and not part.startswith("gen_")]
    return ".".join(path[:2]) or "top"


def cells_by_module(module, roots=DUT):
    """{module: {type: cells}}. Registers and memories belong to the module that names what comes out of them, and so
    does logic; logic without a name belongs where most of what it feeds does."""
    names, cells = names_of_bits(module), module["cells"]
    consumers, outputs, belongs = collections.defaultdict(list), {}, {}
    for name, cell in cells.items():
        bits = {way: [bit for port, wires in cell["connections"].items() if cell["port_directions"][port] == way
                      for bit in wires if isinstance(bit, int)] for way in ("input", "output")}
        outputs[name] = bits["output"]
        for bit in bits["input"]:
            consumers[bit].append(name)
        named = [names[bit] for bit in bits["output"] if bit in names and (cell["type"] in STATE or "." in names[bit])]
        if named and not (cell["type"] in ("DP16KD", "TRELLIS_DPR16X4") and inner(name, roots) is not None):
            belongs[name] = module_of(named[0], roots)
        elif cell["type"] in STATE and inner(name, roots) is not None:
            belongs[name] = module_of(name, roots)
    left = [name for name in cells if name not in belongs]
    while left:
        votes = {name: collections.Counter(belongs[reader] for bit in outputs[name] for reader in consumers[bit]
                                           if reader in belongs) for name in left}
        found = {name: count.most_common(1)[0][0] for name, count in votes.items() if count}
        belongs.update(found)
        left = [name for name in left if name not in found] if found else []
    table = collections.defaultdict(collections.Counter)
    for name, cell in cells.items():
        table[belongs.get(name, "top")][cell["type"]] += 1
    return table
