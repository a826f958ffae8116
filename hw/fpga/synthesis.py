"""A machine's accelerator, or one of its modules, mapped to the cells of an ECP5 by yosys, and these cells by module.

The design is wrapped in `harness`, which has four pins: its inputs come from a chain of registers, its outputs go to
another one. So every path that is timed begins and ends in a register, and pins set no limit."""
import collections
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "flow"))
from tools import HW, fail, read, sources_of, yosys  # noqa: E402

TYPES = ["LUT4", "CCU2C", "TRELLIS_FF", "DP16KD", "MULT18X18D", "TRELLIS_DPR16X4"]
STATE = {"TRELLIS_FF", "DP16KD", "MULT18X18D", "TRELLIS_DPR16X4"}
DUT = "u_dut."


def ports_of(packages, top, parameters, folder):
    """The ports of a module, whose file has its name: (name, direction, bits)."""
    source = HW / "rtl" / f"{top}.sv"
    if not source.is_file():
        fail(f"there is no module '{top}': no file {source}")
    changes = "".join(f"chparam -set {key} {value} {top}; " for key, value in parameters.items())
    out = folder / "ports.json"
    yosys(f"{read([*packages, source])}; {changes}hierarchy -top {top}; proc; write_json {out}", folder / "ports.log")
    modules = json.loads(out.read_text())["modules"]
    module = next(module for module in modules.values() if int(module["attributes"].get("top", "0"), 2))
    return [(name, port["direction"], len(port["bits"])) for name, port in module["ports"].items()]


def harness(top, parameters, ports):
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
    values = ", ".join(f".{key}({value})" for key, value in parameters.items())
    return f"""module harness (input logic clk_i, input logic rst_ni, input logic serial_i, output logic serial_o);
  logic [{ins}:0] in_q;
  logic [{at - 1}:0] out, out_q;
  logic shift_q;
  {top} {f"#({values})" if values else ""} u_dut ({", ".join(connections)});
  always_ff @(posedge clk_i) begin
    in_q <= {{in_q[{ins - 1}:0], serial_i}};
    shift_q <= in_q[{ins}];
    out_q <= shift_q ? {{out_q[{max(at - 2, 0)}:0], 1'b0}} : out;
    serial_o <= out_q[{at - 1}];
  end
endmodule
"""


def synthesize(build, machine, top, parameters, folder):
    """Writes FOLDER/netlist.json and returns its cells by module."""
    folder.mkdir(parents=True, exist_ok=True)
    packages, modules = sources_of(build, machine)
    source = folder / "harness.sv"
    source.write_text(harness(top, parameters, ports_of(packages, top, parameters, folder)))
    netlist = folder / "netlist.json"
    yosys(f"{read([*packages, *modules, source])}; synth_ecp5 -top harness -json {netlist}", folder / "yosys.log")
    return cells_by_module(json.loads(netlist.read_text())["modules"]["harness"])


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


def module_of(name):
    """`u_dut.u_core.u_gemm.u_array.sums_o` belongs to gemm.array; what is below that belongs to it."""
    if not name.startswith(DUT):
        return "harness"
    path = [re.sub(r"\[\d+\]", "", part).removeprefix("u_") for part in name[len(DUT):].split(".")[:-1]
            if part.startswith("u_") or part.startswith("gen_")]
    path = [part for part in path if part != "core" and not part.startswith("gen_")]
    return ".".join(path[:2]) or "top"


def cells_by_module(module):
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
        if named and not (cell["type"] in ("DP16KD", "TRELLIS_DPR16X4") and name.startswith(DUT)):
            belongs[name] = module_of(named[0])
        elif cell["type"] in STATE and name.startswith(DUT):
            belongs[name] = module_of(name)
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
