"""What simulates a netlist of yosys' synth_ecp5: yosys' own models of an ECP5's cells, and those of `cells`, which yosys has as
black boxes alone."""
import pathlib
import re
import shutil

CELLS = pathlib.Path(__file__).resolve().parent / "cells"


def write(path):
    """All of them in one file of SystemVerilog."""
    shared = pathlib.Path(shutil.which("yosys")).resolve().parent.parent / "share/yosys"
    text = (shared / "ecp5/cells_sim.v").read_text()
    text = re.sub(r'^`include ".*"$', "", text, flags=re.M)
    for cell in sorted(CELLS.glob("*.sv")):
        text = re.sub(rf"^module {cell.stem}\b.*?^endmodule$", "", text, flags=re.M | re.S) + cell.read_text()
    path.write_text(text)
