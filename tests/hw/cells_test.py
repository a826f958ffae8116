#!/usr/bin/env python3
"""cells_test.py: the models of hw/fpga/cells, with yosys' models of the other cells of an ECP5, against what yosys maps to them:
ram_1r1w of several shapes, products, and the modules of hw/fpga/ecp5 beside the RTL's, each with random inputs; and a model with
a mistake is found."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "hw/flow"), str(ROOT / "hw/fpga")]
import netlist_models  # noqa: E402
import synthesis  # noqa: E402
from tools import HW, read, yosys  # noqa: E402

# Rows, bytes of a row, whether single bytes are written.
MEMORIES = [(512, 8, 1), (1024, 4, 1), (2048, 2, 0), (4096, 1, 1), (300, 5, 1), (64, 9, 0), (2, 2, 1), (48, 7, 0)]
# Bits of the factors, and whether they are signed.
PRODUCTS = [(18, 18, "signed", "signed"), (18, 18, "", ""), (17, 18, "signed", ""), (9, 18, "", "signed"), (12, 7, "signed", "signed")]
# Modules of hw/fpga/ecp5: their inputs, with the bits of each, those that are 0 or 1 at random, and their outputs. An input of 33
# bits is a number of 32, or 2^31.
REGISTERED = [("gemm_element", {"tap_i": 8, "wgt_i": 8}, ["tap_valid_i", "wgt_valid_i"], {"tap_o": 8, "product_o": 16}),
              ("vector_product", {"x_i": 32, "y_i": 33}, [], {"product_o": 64}),
              ("gemm_sum", {"products_i": 128}, [], {"sum_o": 32}),
              ("lookup_memory", {"write_row_i": 6, "write_enable_i": 8, "write_data_i": 64, "table_i": 3, "index_i": 64},
               ["write_valid_i"], {"data_o": 64})]
OTHERS = {"gemm_element": ("valid_i", "1'b1"), "vector_product": ("enable_i", "1'b1"), "gemm_sum": ("valid_i", "1'b1"),
          "lookup_memory": ("read_valid_i", "!{write_valid_i}")}
PACKAGE = "package daedalus_machine_pkg;\n  localparam int unsigned N = 8, LutBytes = 512;\nendpackage\n"
CYCLES = 20000
MAIN = """#include "Vbench.h"
#include "verilated.h"
#include <cstdio>
int main() {{
  Vbench top;
  for (int i = 0; i < 2 * {cycles}; ++i) {{
    top.clk_i = i & 1;
    top.eval();
  }}
  std::printf("%08x", top.errors_o);
}}
"""


def product_source(name, product):
    a, b, sign_a, sign_b = product
    widths = f"input logic {sign_a} [{a - 1}:0] a_i, input logic {sign_b} [{b - 1}:0] b_i, output logic [{a + b - 1}:0] y_o"
    wide = [f"$signed({{{f'{side}_i[{bits - 1}]' if sign else f'{1}{chr(39)}b0'}, {side}_i}})" for side, bits, sign in (("a", a, sign_a), ("b", b, sign_b))]
    return f"module {name} ({widths});\n  assign y_o = {a + b}'({wide[0]} * {wide[1]});\nendmodule\n"


def random_input(port, bits):
    """What drives one in the next cycle: often a single bit of its number, or all of them."""
    if bits == 33:
        return f"{port} <= $urandom % 16 == 0 ? 33'h80000000 : 33'($signed($urandom % 8 == 0 ? 32'hffffffff : $urandom));"
    words = ", ".join(["$urandom"] * ((bits + 31) // 32))
    return f"{port} <= $urandom % 8 == 0 ? {bits}'(1) << ($urandom % {bits}) : $urandom % 8 == 0 ? '1 : {bits}'({{{words}}});"


def pair(k, name, inputs, flags, outputs):
    """A module of hw/rtl and the gates of hw/fpga/ecp5's."""
    port = {name: f"{name}_{k}" for name in [*inputs, *flags]}
    other, driven = OTHERS[name]
    both = ", ".join([".clk_i", f".{other}({driven.format(**port)})", *(f".{name}({wire})" for name, wire in port.items())])
    results = {way: ", ".join(f".{out}({out}_{way}{k})" for out in outputs) for way in ("rtl", "gates")}
    differs = " || ".join(f"{out}_rtl{k} != {out}_gates{k}" for out in outputs)
    return "\n".join([
        *(f"  logic [{bits - 1}:0] {port[name]};" for name, bits in inputs.items()), *(f"  logic {port[flag]};" for flag in flags),
        *(f"  logic [{bits - 1}:0] {out}_rtl{k}, {out}_gates{k};" for out, bits in outputs.items()), f"  logic [7:0] age{k};",
        f"  {name} u_{name} ({both}, {results['rtl']});", f"  {name}_gates u_{name}_gates ({both}, {results['gates']});",
        "  always_ff @(posedge clk_i) begin", *(f"    {random_input(port[name], bits)}" for name, bits in inputs.items()),
        *(f"    {port[flag]} <= $urandom % 2 == 0;" for flag in flags), f"    if (age{k} < 20) age{k} <= age{k} + 1;",
        f"    else if ({differs}) errors_o[{24 + k}] <= 1'b1;", "  end"])


def bench():
    """The module that drives each pair; a bit of `errors_o` for each, which stays."""
    lines = ["module bench (input logic clk_i, output logic [31:0] errors_o);"]
    for k, (rows, size, enables) in enumerate(MEMORIES):
        bits = max(1, (rows - 1).bit_length())
        lines.append(f"""  logic w{k}, r{k}, met{k}, valid{k}; logic [{bits - 1}:0] wr{k}, rr{k}; logic [{size - 1}:0] we{k};
  logic [{8 * size - 1}:0] wd{k}, rtl{k}, gates{k};
  ram_1r1w #(.Rows({rows}), .Bytes({size}), .Enables({enables}), .Forwards(1)) u_rtl{k} (.clk_i, .write_valid_i(w{k}),
    .write_row_i(wr{k}), .write_enable_i(we{k}), .write_data_i(wd{k}), .read_valid_i(r{k}), .read_row_i(rr{k}), .read_data_o(rtl{k}));
  ram{k} u_gates{k} (.clk_i, .write_valid_i(w{k}), .write_row_i(wr{k}), .write_enable_i(we{k}), .write_data_i(wd{k}),
    .read_valid_i(r{k}), .read_row_i(rr{k}), .read_data_o(gates{k}));
  always_ff @(posedge clk_i) begin
    w{k} <= $urandom % 2 == 0; r{k} <= $urandom % 4 != 0; we{k} <= {size}'($urandom); wd{k} <= {8 * size}'({{$urandom, $urandom, $urandom}});
    wr{k} <= {bits}'($urandom % {rows}); rr{k} <= {bits}'($urandom % {rows});
    if (r{k}) begin valid{k} <= 1'b1; met{k} <= w{k} && wr{k} == rr{k}; end
    if (valid{k} && !met{k} && rtl{k} != gates{k}) errors_o[{k}] <= 1'b1;
  end""")
    for k, (a, b, _, _) in enumerate(PRODUCTS):
        lines.append(f"""  logic [{a - 1}:0] a{k}; logic [{b - 1}:0] b{k}; logic [{a + b - 1}:0] y{k}, z{k};
  product{k} u_product{k} (.a_i(a{k}), .b_i(b{k}), .y_o(y{k}));
  product{k}_gates u_product{k}_gates (.a_i(a{k}), .b_i(b{k}), .y_o(z{k}));
  always_ff @(posedge clk_i) begin
    a{k} <= $urandom % 8 == 0 ? {a}'(1) << ($urandom % {a}) : {a}'($urandom);
    b{k} <= $urandom % 8 == 0 ? ~{b}'(0) : {b}'($urandom);
    if (y{k} != z{k}) errors_o[{16 + k}] <= 1'b1;
  end""")
    for k, (name, inputs, flags, outputs) in enumerate(REGISTERED):
        lines.append(pair(k, name, inputs, flags, outputs))
    return "\n".join([*lines, "endmodule", ""])


def gates(work):
    """What yosys makes of them."""
    paths = []
    for k, (rows, size, enables) in enumerate(MEMORIES):
        paths.append(work / f"ram{k}.v")
        changes = synthesis.changes("ram_1r1w", {"Rows": rows, "Bytes": size, "Enables": enables})
        yosys(f"{read([HW / 'rtl/ram_1r1w.sv'])}; {changes}{synthesis.mapped('ram_1r1w')}; rename -top ram{k}; "
              f"write_verilog -noattr {paths[-1]}", work / "log")
    for k, product in enumerate(PRODUCTS):
        paths.append(work / f"product{k}_gates.v")
        source = work / f"product{k}.sv"
        source.write_text(product_source(f"product{k}", product))
        yosys(f"{read([source])}; {synthesis.mapped(f'product{k}')}; rename -top product{k}_gates; "
              f"write_verilog -noattr {paths[-1]}", work / "log")
    package = work / "daedalus_machine_pkg.sv"
    package.write_text(PACKAGE)
    sources = [package, *sorted((HW / "fpga/ecp5").glob("*.sv"))]
    for name, *_ in REGISTERED:
        paths.append(work / f"{name}_gates.v")
        yosys(f"{read(sources)}; {synthesis.mapped(name)}; rename -top {name}_gates; "
              f"write_verilog -noattr {paths[-1]}", work / "log")
    return paths


def simulate(work, sources):
    """The bits of `errors_o` of the module `bench` at the end."""
    (work / "main.cpp").write_text(MAIN.format(cycles=CYCLES))
    subprocess.run(["verilator", "--cc", "--exe", "--build", "-O1", "--x-initial", "0", "-Wno-fatal", "-Wno-lint", "-Wno-style",
                    "--top-module", "bench", "--Mdir", work / "obj", *sources, work / "main.cpp"],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return int(subprocess.run([work / "obj/Vbench"], check=True, capture_output=True, text=True).stdout, 16)


def run(work, netlists, cells):
    (work / "bench.sv").write_text(bench())
    return simulate(work, [work / "daedalus_machine_pkg.sv", work / "bench.sv", HW / "rtl/ram_1r1w.sv",
                           *(work / f"product{k}.sv" for k in range(len(PRODUCTS))),
                           *(HW / f"rtl/{name}.sv" for name, *_ in REGISTERED), *netlists, cells])


class Cells(unittest.TestCase):
    def test_computes_what_was_mapped(self):
        with tempfile.TemporaryDirectory() as work:
            work = pathlib.Path(work)
            netlists = gates(work)
            text = "".join(path.read_text() for path in netlists)
            self.assertTrue(" DP16KD " in text and " MULT18X18D " in text)
            cells = work / "cells.sv"
            netlist_models.write(cells)
            right = cells.read_text()
            self.assertEqual(run(work, netlists, cells), 0)
            for old, new in (("{address[13:5], i[1]}", "{address[13:5], ~i[1]}"), ("SIGNEDB && B17", "B17"),
                             ("a_q * b_q", "a * b_q"), ("? CE0 : CE1", "? CE0 : CE0")):
                self.assertTrue(old in right, old)
                cells.write_text(right.replace(old, new))
                self.assertNotEqual(run(work, netlists, cells), 0, old)


if __name__ == "__main__":
    unittest.main()
