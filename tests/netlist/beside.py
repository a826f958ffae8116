#!/usr/bin/env python3
"""beside.py RTL GATES OUTPUT [MUTANT]: copies the RTL with the netlist GATES of the accelerator in it: the module `daedalus` gets
an instance of the netlist with its own inputs, and an assertion that the outputs which count are alike in every cycle. What a
channel says while it is not valid does not count. With MUTANT, a number, one LUT of so many in
the netlist computes something else."""
import itertools
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "hw/fpga"))
import netlist_models  # noqa: E402

# Outputs that count while another one is set.
VALID = {"s_axil_bresp_o": "s_axil_bvalid_o", "s_axil_rdata_o": "s_axil_rvalid_o", "s_axil_rresp_o": "s_axil_rvalid_o",
         "m_axi_araddr_o": "m_axi_arvalid_o", "m_axi_arlen_o": "m_axi_arvalid_o", "m_axi_awaddr_o": "m_axi_awvalid_o",
         "m_axi_awlen_o": "m_axi_awvalid_o", "m_axi_wstrb_o": "m_axi_wvalid_o", "m_axi_wlast_o": "m_axi_wvalid_o"}


def ports_of(text):
    """(direction, range, name) of the ports of `daedalus`."""
    return re.findall(r"^ *(input|output) +logic *(\[[^\]]*\])? *(\w+)", text.split(");")[0], re.MULTILINE)


def comparison(ports):
    lines = ["  // The netlist."]
    outputs = [(width, name) for direction, width, name in ports if direction == "output"]
    lines += [f"  logic {width} gates_{name};" for width, name in outputs]
    connections = [f".{name}({'gates_' if direction == 'output' else ''}{name})" for direction, _, name in ports]
    lines.append(f"  daedalus_gates u_gates ({', '.join(connections)});")
    for _, name in outputs:
        if name == "m_axi_wdata_o":
            continue
        valid = f"!{VALID[name]} || " if name in VALID else ""
        lines.append(f"  assert property (@(posedge clk_i) disable iff (!rst_ni) {valid}{name} == gates_{name})\n"
                     f'    else $error("the netlist has another {name}");')
    lines.append("  for (genvar b = 0; b < W; b++) begin : gen_byte\n"
                 "    assert property (@(posedge clk_i) disable iff (!rst_ni) !m_axi_wvalid_o || !m_axi_wstrb_o[b]\n"
                 "        || m_axi_wdata_o[8*b+:8] == gates_m_axi_wdata_o[8*b+:8])\n"
                 '      else $error("the netlist writes another byte");\n  end')
    return "\n".join(lines)


def mutated(text, each):
    """The netlist with two bits of the table of one LUT of `each` inverted."""
    count = itertools.count()
    return re.sub(r"(LUT4 #\(\s*\.INIT\(16'h)([0-9a-f]{4})", lambda lut: lut[0] if next(count) % each else
                  f"{lut[1]}{int(lut[2], 16) ^ 0x8001:04x}", text)


def main():
    rtl, gates, output = (pathlib.Path(path) for path in sys.argv[1:4])
    shutil.copytree(rtl, output)
    top = output / "daedalus.sv"
    text = top.read_text()
    head, end, rest = text.rpartition("endmodule")
    top.write_text(f"{head}{comparison(ports_of(text))}\n\n{end}{rest}")
    netlist = gates.read_text()
    if len(sys.argv) > 4:
        netlist = mutated(netlist, int(sys.argv[4]))
    cells = output / "cells.sv"
    netlist_models.write(cells)
    (output / "daedalus_gates.sv").write_text(netlist + cells.read_text())
    cells.unlink()


if __name__ == "__main__":
    main()
