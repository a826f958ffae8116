#!/usr/bin/env python3
"""hw/asic/estimate.py: areas of a Liberty file, names of modules, cells and areas of a hierarchy, and OpenSTA's paths, worked
out by hand; that the tables of docs/hardware.md are those of results.json; that what is asked for wrongly is refused."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ASIC = pathlib.Path(__file__).resolve().parents[2] / "hw/asic"
sys.path.insert(0, str(ASIC))
import fanout  # noqa: E402
import netlist  # noqa: E402
import table  # noqa: E402
import timing  # noqa: E402

LIBERTY = """library(small) {
  default_max_area : 7;
cell (INVX1) {
  cell_footprint : inv;
  area : 16;
  pin(A) { area : 9; }
}
cell (DFFSR) {  area : 176.5;
}
"""
AREAS = {"INVX1": 16.0, "DFFSR": 176.5}
MODULES = {
    "daedalus": {"core": 1, "INVX1": 3},
    "core": {"gemm": 1, "vector": 1, "ram_1r1w__9": 4, "DFFSR": 1},
    "gemm": {"loop_nest__1": 1, "DFFSR": 10},
    "vector": {"loop_nest__2": 1, "lane": 8, "INVX1": 1},
    "lane": {"half": 2, "ram_1r1w__8": 1, "DFFSR": 1},
    "half": {"INVX1": 5},
    "loop_nest__1": {"DFFSR": 2},
    "loop_nest__2": {"DFFSR": 1, "INVX1": 1},
    "ram_1r1w__8": {"INVX1": 1000},
    "ram_1r1w__9": {"INVX1": 1000},
}


class Netlist(unittest.TestCase):
    def test_areas_of_cells(self):
        self.assertEqual(netlist.areas_of(LIBERTY), AREAS)

    def test_names_of_specialized_modules(self):
        text, names = netlist.renamed(r"module \$paramod$0a\lane (a); \$paramod\nest\Loops=s32'101  u_nest (b); "
                                      r"\$paramod$0a\lane  u_lane (\x[0] );")
        self.assertEqual(text, r"module lane__0 (a); nest__1  u_nest (b); lane__0  u_lane (\x[0] );")
        self.assertEqual(names, {r"$paramod$0a\lane": "lane__0", r"$paramod\nest\Loops=s32'101": "nest__1"})

    def test_a_module_counts_with_what_is_below_it_and_without_memories(self):
        self.assertEqual(netlist.whole(MODULES, AREAS, "lane"), (1 + 2 * 5, 176.5 + 2 * 5 * 16))
        cells = 3 + 1 + (10 + 2) + (1 + 2 + 8 * 11)
        area = 3 * 16 + 176.5 + 12 * 176.5 + (16 + 176.5 + 16 + 8 * 336.5)
        self.assertEqual(netlist.whole(MODULES, AREAS, "daedalus"), (cells, area))
        self.assertEqual(netlist.instances(MODULES, "daedalus")["half"], 16)

    def test_a_netlist_of_a_module_has_what_is_in_it(self):
        text = "/* by yosys */\nmodule lane (a);\n  half  u_half (a);\nendmodule\nmodule half(a);\nendmodule\n"
        self.assertEqual(netlist.parts(text), {"lane": "module lane (a);\n  half  u_half (a);\nendmodule\n",
                                               "half": "module half(a);\nendmodule\n"})
        self.assertEqual(netlist.below(MODULES, "vector"), ["half", "lane", "loop_nest__2", "vector"])

    def test_a_net_to_many_instances_has_a_tree_of_buffers(self):
        def module(pins):
            lanes = "".join(f"  lane \\lane[{place}]  (\n    .clk_i(clk_i),\n    .valid_i({net}),\n    .y_o(y{place})\n  );\n"
                            for place, net in enumerate(pins))
            return f"module top(clk_i, valid_q);\n  INVX1 a (\n    .A(valid_q),\n    .Y(b)\n  );\n{lanes}endmodule\n"
        few = module(["valid_q"] * 8)
        self.assertEqual(fanout.buffered(few, {"lane"}), (few, 0))
        self.assertEqual(fanout.buffered(module(["valid_q"] * 9), set()), (module(["valid_q"] * 9), 0))
        text, buffers = fanout.buffered(module(["valid_q"] * 9), {"lane"})
        self.assertEqual(buffers, 2)
        self.assertEqual(text.count(".A(valid_q )"), 2)
        self.assertEqual([text.count(f".valid_i(\\valid_q.fan0.{place} )") for place in range(2)], [5, 4])
        self.assertEqual(text.count(".clk_i(clk_i)"), 9)
        text, buffers = fanout.buffered(module([r"\valid_q[3] "] * 300), {"lane"})
        self.assertEqual(buffers, 38 + 5)
        self.assertEqual(text.count(r".A(\valid_q[3] )"), 5)
        self.assertEqual(max(text.count(f".A(\\valid_q[3].fan0.{place} )") for place in range(5)), 8)
        self.assertEqual(max(text.count(f".valid_i(\\valid_q[3].fan1.{place} )") for place in range(38)), 8)

    def test_rows_by_the_area_of_all_instances(self):
        rows = netlist.rows(MODULES, AREAS)
        self.assertEqual([row["module"] for row in rows],
                         ["daedalus", "core", "vector", "lane", "gemm", "half", "gemm.loop_nest", "vector.loop_nest"])
        self.assertEqual(rows[3], {"module": "lane", "netlist": "lane", "instances": 8, "cells": 11, "um2": 336})

    def test_a_small_module_is_no_row(self):
        modules = {"daedalus": {"a": 1, "b": 1}, "a": {"INVX1": 199}, "b": {"INVX1": 1}}
        self.assertEqual([row["module"] for row in netlist.rows(modules, AREAS)], ["daedalus", "a"])

    def test_a_cell_without_an_area_is_refused(self):
        with self.assertRaisesRegex(SystemExit, r"error: yosys left a cell without an area in 'daedalus': \$_DLATCH_P_"):
            netlist.rows({"daedalus": {"$_DLATCH_P_": 1}}, AREAS)


class Timing(unittest.TestCase):
    def test_names_of_memories(self):
        text = "  ram_1r1w__5  \\gen_ram[0].u_ram  (\n  ram_1r1w__18 u_out (\n  lane__2 u_lane (\n"
        self.assertEqual(timing.memories_in(text), ["u_out", "u_ram"])

    def test_names_of_registers_ports_and_memories(self):
        for pin, name in {"u_core/u_load/base_q[12]": "u_core.u_load.base_q", "a_i[3]": "a_i", "valid_q": "valid_q",
                          r"u_inp/gen_ram\[2\].u_ram/read_data_o[7]": "u_inp.gen_ram.u_ram",
                          "u_inp/gen_ram[2].u_ram/write_row_i[0]": "u_inp.gen_ram.u_ram"}.items():
            self.assertEqual(timing.name_of(pin), name)

    def test_of_a_pair_of_registers_the_longest_path_counts(self):
        text = """Warning: there is no such thing
PATH lane 9.634e+01 u_x/a_q[3] b_q[0]
PATH lane 9.701e+01 u_x/a_q[1] b_q[2]
PATH lane 9.500e+01 a_i[1] b_q[2]
PATH half 99.5 a_i b_o
"""
        self.assertEqual(timing.paths_of(text), {"lane": [(5.0, "a_i", "b_q"), (3.66, "u_x.a_q", "b_q")],
                                                 "half": [(0.5, "a_i", "b_o")]})


class Table(unittest.TestCase):
    def test_frequency_follows_from_the_longest_path(self):
        path = [4.0, "a_q", "b_q"]
        lines = table.of_machine("small", {"paths": [path], "rows": [
            {"module": "daedalus", "instances": 1, "cells": 1234, "um2": 56789, "path": path},
            {"module": "wires", "instances": 2, "cells": 5, "um2": 80, "path": None}]})
        self.assertTrue(lines[0].startswith("`small`, before routing: 250 MHz, from its longest path of 4.00 ns; wires are not"))
        self.assertIn("| `daedalus` | 1 | 1,234 | 56,789 | 4.00 | `a_q` | `b_q` |", lines)
        self.assertIn("| `wires` | 2 | 5 | 80 |  |  |  |", lines)
        self.assertIn("| 4.00 | `a_q` | `b_q` |", lines)

    def test_differences(self):
        def result(um2, ns):
            return {"rows": [{"module": "lane", "um2": um2, "path": [ns, "a", "b"]}, {"module": "wires", "um2": 5, "path": None}]}
        self.assertEqual(table.differences(result(1019, 4.07), result(1000, 4.0)), [])
        self.assertEqual(table.differences(result(1021, 4.1), result(1000, 4.0)),
                         ["lane: 1,021 um2, results.json has 1,000", "lane: 4.1 ns, results.json has 4.0"])
        self.assertEqual(table.differences({"rows": []}, result(9, 4.0))[0], "lane: 0 um2, results.json has 9")

    def test_page_is_current(self):
        done = subprocess.run([sys.executable, "-B", ASIC / "table.py", "--check"], capture_output=True, text=True,
                              check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_refuses(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, "-B", ASIC / "estimate.py", folder, "huge"], capture_output=True,
                                  text=True, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn("writes the SystemVerilog of machine 'huge'; build it first", done.stderr)
            self.assertFalse(pathlib.Path(folder, "asic").exists())


if __name__ == "__main__":
    unittest.main()
