#!/usr/bin/env python3
"""fpga_test.py BUILD: of hw/fpga cells by module, the harness, longest paths and gates, worked out by hand; that the tables of
docs/hardware.md are those of results.json; that what is asked for wrongly is refused in a sentence."""
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import unittest

FPGA = pathlib.Path(__file__).resolve().parents[2] / "hw/fpga"
sys.path.insert(0, str(FPGA))
import floorplan  # noqa: E402
import synthesis  # noqa: E402
import table  # noqa: E402
import timing  # noqa: E402
import tools  # noqa: E402

BUILD = pathlib.Path(sys.argv.pop(1)).absolute()

SDF = """(DELAYFILE
  (CELL
    (CELLTYPE "top")
    (INSTANCE )
    (DELAY
      (ABSOLUTE
        (INTERCONNECT u_dut.a\\[0\\]_q_TRELLIS_FF_Q_1/Q sum_LUT4_Z/A (900:1000:1100) (900:1000:1100))
        (INTERCONNECT u_dut.b.mem.0.1/DOB3 sum_LUT4_Z/B (400:500:600) (400:500:600))
        (INTERCONNECT u_dut.a\\[0\\]_q_TRELLIS_FF_Q_1/Q u_dut.d_q_TRELLIS_FF_Q_7/M (900:1000:1100) (900:1000:1100))
        (INTERCONNECT sum_LUT4_Z/F u_dut.c_q_TRELLIS_FF_Q/DI (200:200:200) (200:200:200))
  )))
  (CELL (CELLTYPE "TRELLIS_FF")
    (INSTANCE u_dut.a\\[0\\]_q_TRELLIS_FF_Q_1)
        (IOPATH CLK Q (500:500:500) (500:500:500))
  )
  (CELL (CELLTYPE "DP16KD")
    (INSTANCE u_dut.b.mem.0.1)
        (IOPATH CLKB DOB3 (5000:5500:5800) (5000:5500:5800))
  )
  (CELL (CELLTYPE "TRELLIS_COMB")
    (INSTANCE sum_LUT4_Z)
        (IOPATH A F (200:220:236) (200:220:236))
        (IOPATH B F (200:220:236) (200:220:236))
  )
  (CELL (CELLTYPE "TRELLIS_FF")
    (INSTANCE u_dut.d_q_TRELLIS_FF_Q_7)
      (SETUPHOLD (posedge M) (posedge CLK) (10:20:30) (0:0:0))
  )
  (CELL (CELLTYPE "TRELLIS_FF")
    (INSTANCE u_dut.c_q_TRELLIS_FF_Q)
        (IOPATH CLK Q (500:500:500) (500:500:500))
      (SETUPHOLD (posedge DI) (posedge CLK) (50:60:70) (0:0:0))
  )
)
"""


def cell(kind, inputs, outputs):
    ports = {**{f"I{i}": bit for i, bit in enumerate(inputs)}, **{f"O{i}": bit for i, bit in enumerate(outputs)}}
    return {"type": kind, "connections": {port: [bit] for port, bit in ports.items()},
            "port_directions": {port: "input" if port[0] == "I" else "output" for port in ports}}


class Fpga(unittest.TestCase):
    def test_longest_paths(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "delays.sdf")
            path.write_text(SDF)
            # 5.8 + 0.6 + 0.236 + 0.2 + 0.07 and 0.5 + 1.1 + 0.03; from a to c it is shorter than from b
            self.assertEqual(timing.longest(path, 5), [(6.91, "b.mem", "c_q"), (1.63, "a[0]_q", "d_q")])
            self.assertEqual(len(timing.longest(path, 1)), 1)

    def test_modules_by_their_names(self):
        names = {"u_dut.u_core.u_gemm.u_array.gen_row[3].gen_element[1].u_element.product_o": "gemm.array",
                 "u_dut.u_core.u_inp.gen_bank[1].u_ram.mem": "inp.ram",
                 "u_dut.u_registers.rdata_q": "registers", "u_dut.irq_o": "top", "in_q": "harness"}
        for name, module in names.items():
            self.assertEqual(synthesis.module_of(name), module, name)

    def test_modules_of_the_board_by_their_names(self):
        names = {"gen_accelerator.u_daedalus_axi.u_daedalus.u_core.u_gemm.u_array.sums_o": "gemm.array",
                 "gen_accelerator.u_daedalus_axi.u_reset_synchronizer.released_q": "reset_synchronizer",
                 "u_memory.u_ram.mem.0.1": "memory.ram", "u_bridge.state_q": "bridge", "busy_o": "top"}
        for name, module in names.items():
            self.assertEqual(synthesis.module_of(name, synthesis.BOARD), module, name)

    def test_board_is_a_table_of_its_own(self):
        result = {"whole": False, "board": True, "cells": {"bridge": {"LUT4": 500}}, "seeds": {"2": 31.5}, "paths": []}
        text = table.tables({"yosys": "1", "nextpnr": "2", "results": {"board of tiny": result}})
        for line in ("The board of tiny, cells by module:", "| `bridge` | 500 | 0 | 0 | 0 | 0 | 0 |", "- seed 2: 31.5 MHz"):
            self.assertIn(line, text.splitlines())
        self.assertNotIn("Modules alone", text)

    def test_machines_with_other_values_stand_beside_theirs(self):
        results = {name: {"whole": True, "cells": {"inp": {"LUT4": luts}}, "seeds": {"1": 60.5}, "paths": []}
                   for name, luts in (("default", 9), ("tiny", 7), ("tiny,inp_interleave=1", 5))}
        text = table.tables({"yosys": "1", "nextpnr": "2", "results": results})
        for line in ("Whole machines with other values; median and number of seeds:", "| `tiny` | 7 | 0 | 0 | 0 | 0 | 0 | 60.5 | 1 |",
                     "| `tiny,inp_interleave=1` | 5 | 0 | 0 | 0 | 0 | 0 | 60.5 | 1 |"):
            self.assertIn(line, text.splitlines())
        self.assertNotIn("| `default` | 9", text)

    def test_package_of_a_machine_with_other_values(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "bin").symlink_to(BUILD / "bin")
            package = tools.package_of(pathlib.Path(folder), "tiny,queue_depth=5")
            self.assertEqual(package.name, "tiny,queue_depth=5.sv")
            self.assertIn("parameter int unsigned QueueDepth = 5;", package.read_text())

    def test_pins_of_the_board(self):
        text = (FPGA / "board/ulx3s.lpf").read_text()
        ports = set(re.findall(r"^  (?:input|output) +logic +(\w+)", (FPGA / "board/board.sv").read_text(), re.MULTILINE))
        sites = dict(re.findall(r'^LOCATE COMP "(\w+)" SITE "(\w+)";$', text, re.MULTILINE))
        self.assertEqual(sites.keys(), ports)
        self.assertEqual(len(set(sites.values())), len(ports))
        self.assertEqual(set(re.findall(r'^IOBUF PORT "(\w+)" ', text, re.MULTILINE)), ports)

    def test_logic_without_a_name_belongs_to_what_it_feeds(self):
        module = {"netnames": {"u_dut.u_a.x_q": {"bits": [2]}, "$auto": {"bits": [3], "hide_name": 1}},
                  "cells": {"register": cell("TRELLIS_FF", [3], [2]), "logic": cell("LUT4", [2], [3])}}
        self.assertEqual(dict(synthesis.cells_by_module(module)), {"a": {"TRELLIS_FF": 1, "LUT4": 1}})

    def test_harness_connects_every_bit(self):
        text = synthesis.harness("x", [("clk_i", "input", 1), ("a_i", "input", 3), ("b_i", "input", 2),
                                       ("c_o", "output", 8)])
        self.assertIn("x_gates u_dut (.clk_i(clk_i), .a_i(in_q[0+:3]), .b_i(in_q[3+:2]), .c_o(out[0+:8]));", text)
        self.assertIn("logic [5:0] in_q;", text)

    def test_floorplan(self):
        lanes = {f"u_dut.u_core.u_lut.gen_lane[{lane}].gen_ram[{part}].u_ram.u_ram.0.0": "DP16KD" for lane in range(8) for part in (0, 1)}
        elements = {f"x.u_core.u_gemm.u_array.gen_row[{lane}].gen_element[{at}].u_element.u_multiplier": "MULT18X18D"
                    for lane in range(8) for at in range(8)}
        other = {"u_dut.u_core.u_load.u_receive_buffer.beats.0.0": "DP16KD", "u_dut.u_core.u_lut.gen_lane[0].x_q": "TRELLIS_FF"}
        module = {"cells": {name: {"type": kind, "attributes": {}} for name, kind in {**lanes, **elements, **other}.items()}}
        floorplan.add(module)
        sites = {name: cell["attributes"]["BEL"] for name, cell in module["cells"].items() if cell["attributes"]}
        self.assertEqual(sites.keys(), lanes.keys() | elements.keys())
        self.assertEqual(len(set(sites.values())), len(sites))
        columns = [int(re.match(r"X(\d+)/Y70/EBR\d$", sites[name])[1]) for name in lanes]
        self.assertEqual(columns, sorted(columns))
        self.assertEqual((columns[0], columns[-1]), (4, 120))
        rows = [re.search("Y(34|58)/MULT18", sites[name])[1] for name in elements]
        self.assertEqual(rows, 8 * (6 * ["34"] + 2 * ["58"]))

    def test_floorplan_leaves_a_row_that_is_too_full(self):
        cells = {f"u_dut.u_core.u_acc.gen_ram[{bank}].u_ram.mem.0.{part}": {"type": "DP16KD"} for bank in range(4) for part in range(15)}
        self.assertEqual(floorplan.places(cells), {})

    def test_gates(self):
        rows = [(gate["name"], gate["required"]) for gate in table.gates()]
        self.assertIn(("DP16KD", True), rows)
        full = {"cells": {"a": {"DP16KD": 136}}, "seeds": {}}
        good, lines = table.gate_lines(full)
        self.assertFalse(good)
        self.assertIn("DP16KD: 136, at most 115: FAILED", lines)
        self.assertIn("MHz: not measured", lines)
        some = {"cells": {"a": {"LUT4": 30000}}, "seeds": {"1": 59.0, "2": 61.0, "3": 59.5}}
        good, lines = table.gate_lines(some)
        self.assertTrue(good)
        self.assertIn("LUT4: 30,000, at most 30,000: met", lines)
        self.assertIn("MHz: 59.5, at least 60 as the median of 5 seeds: 3 do not say", lines)
        some["seeds"] |= {"4": 50.0, "5": 70.0}
        good, lines = table.gate_lines(some)
        self.assertFalse(good)
        self.assertIn("MHz: 59.5, at least 60: FAILED", lines)

    def test_page_is_current(self):
        done = subprocess.run([sys.executable, "-B", FPGA / "table.py", "--check"], capture_output=True, text=True,
                              check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_clock_of_tiny_is_the_median(self):
        seeds = json.loads(table.RESULTS.read_text())["results"]["tiny"]["seeds"]
        stated = re.search(r"^  clock_mhz: (\d+) ", (FPGA.parents[1] / "isa/machines/tiny.yaml").read_text(), re.M)
        self.assertTrue(seeds, "the RTL changed; run hw/fpga/pnr.py BUILD --write")
        self.assertEqual(int(stated[1]), int(statistics.median(seeds.values())))

    def refuses(self, build, arguments, sentence):
        done = subprocess.run([sys.executable, "-B", FPGA / "pnr.py", build, "--no-place", *arguments], capture_output=True, text=True,
                              check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(sentence, done.stderr)

    def test_refuses(self):
        for arguments, sentence in (
                (["--machine", "huge"], "error: no machine 'huge': neither one of default, "),
                (["--machine", "tiny,inp_interleave=3"], "error: tiny,inp_interleave=3: the key 'core.inp_interleave' is '3'; expected"),
                (["--module", "hal"], "error: there is no module 'hal': no file"),
                (["--module", "core", "--check"], "error: --check judges the accelerator, not a module alone"),
                (["--board", "--check"], "error: --check judges the accelerator, not a module alone and no board"),
                (["--board", "--module", "core"], "error: --board has the whole accelerator, and not the module 'core'"),
                (["--seeds", "1,x"], "'1,x' is no list of numbers, like 1,2,3"),
                (["--jobs", "0"], "'0'; expected a whole number from 1"),
                (["--set", "Rows"], "'Rows' is no KEY=NUMBER")):
            self.refuses(BUILD, arguments, sentence)

    def test_refuses_a_folder_without_tools(self):
        with tempfile.TemporaryDirectory() as folder:
            self.refuses(folder, [], "writes the SystemVerilog of machine 'tiny'; build it first")


if __name__ == "__main__":
    unittest.main()
