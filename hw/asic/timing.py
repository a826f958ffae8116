"""The longest paths of a netlist by OpenSTA, without wires: from a register, an input or a memory to a register, an output
or a memory. Inputs come and outputs are taken at the clock's edge, and so it is with memories, whose own time is not
counted."""
import pathlib
import re
import shutil
import subprocess
import sys

import netlist

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "flow"))
from tools import fail  # noqa: E402

PERIOD = 100.0  # ns; longer than every path
FOUND = 100     # paths to different pins that are looked at; of a pair of registers the longest counts
TCL = r"""
proc register {pin} {
  set name [get_full_name $pin]
  regsub -all {([][*?\\])} [file dirname $name]/Q {\\\1} out
  if {[catch {get_full_name [get_nets -of_objects [get_pins $out]]} net]} { return $name }
  return $net
}
proc paths {folder module found} {
  read_verilog $folder/$module.v
  link_design $module
  create_clock -name clk -period PERIOD [get_ports clk_i]
  set_input_delay 0 -clock clk [all_inputs]
  set_output_delay 0 -clock clk [all_outputs]
  foreach name {MEMORIES} {
    foreach cell [get_cells -hierarchical *$name] {
      if {![string match MEMORY* [get_property $cell ref_name]]} { continue }
      foreach pin [get_pins -of_objects $cell] {
        set port [file tail [get_full_name $pin]]
        if {[string match read_data_o* $port]} {
          set_input_delay 0 -clock clk $pin
        } elseif {$port ne "clk_i"} {
          set_output_delay 0 -clock clk $pin
        }
      }
    }
  }
  foreach path [find_timing_paths -path_delay max -group_count $found -unique_paths_to_endpoint] {
    if {[get_property [get_property $path startpoint] full_name] eq "rst_ni"} { continue }
    puts "PATH $module [get_property $path slack] [register [get_property $path startpoint]] [register [get_property $path endpoint]]"
  }
}
"""


def version():
    if not shutil.which("sta"):
        fail("there is no program 'sta'; install Debian's opensta")
    return subprocess.run(["sta", "-version"], capture_output=True, text=True, check=True).stdout.strip()


def memories_in(text):
    """The last parts of the names that memories have in a netlist."""
    return sorted(set(re.findall(rf"^  {netlist.MEMORY}\w*\s+\\?(?:\S*\.)?(\w+)\s", text, re.M)))


def script(folder, modules):
    memories = memories_in((folder / "daedalus.v").read_text())
    tcl = TCL.replace("PERIOD", str(PERIOD)).replace("MEMORIES", " ".join(memories)).replace("MEMORY", netlist.MEMORY)
    lines = [tcl, f"read_liberty {netlist.LIBERTY}",
             *(f"paths {folder} {module} {FOUND}" for module in modules), "exit"]
    return "\n".join(lines) + "\n"


def name_of(pin):
    """`u_core/u_array/gen_row[1].u_row/taps_q[0]` is `u_core.u_array.gen_row.u_row.taps_q`: the same of all copies."""
    pin = re.sub(r"\[\d+\]", "", pin.replace("\\", ""))
    if found := re.match(r"(.*)/(read_data_o|write_\w+_i|read_\w+_i)$", pin):
        pin = found[1]  # a memory
    return pin.replace("/", ".")


def paths_of(text):
    """What the script prints: {module: [(ns, from, to)]}, longest first, of each pair of registers the longest."""
    longest = {}
    for line in text.splitlines():
        words = line.split()
        if words[:1] != ["PATH"]:
            continue
        pairs = longest.setdefault(words[1], {})
        pair = name_of(words[3]), name_of(words[4])
        pairs[pair] = max(pairs.get(pair, 0.0), round(PERIOD - float(words[2]), 2))
    return {module: sorted(((ns, *pair) for pair, ns in pairs.items()), reverse=True) for module, pairs in longest.items()}


def longest(folder, modules, count):
    """Of each of `modules`, {name: its module, in a file of FOLDER}, the longest paths: {name: [(ns, from, to)]}."""
    if not shutil.which("sta"):
        fail("there is no program 'sta'; install Debian's opensta")
    source = folder / "paths.tcl"
    source.write_text(script(folder, modules.values()))
    done = subprocess.run(["sta", "-no_init", "-no_splash", "-exit", source], capture_output=True, text=True, check=False)
    (folder / "paths.txt").write_text(done.stdout + done.stderr)
    found = paths_of(done.stdout)
    if done.returncode or "daedalus" not in found:
        fail(f"OpenSTA fails, see {folder / 'paths.txt'}")
    return {name: found.get(module, [])[:count] for name, module in modules.items()}
