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
# Modules of hw/fpga/ecp5, their factors, and the bits of these and of the product.
REGISTERED = [("gemm_element", "inp_i", "wgt_i", 8, 8, 16), ("vector_product", "x_i", "y_i", 32, 33, 64)]
CYCLES = 20000
MAIN = """#include "Vbench.h"
#include "verilated.h"
#include <cstdio>
int main() {{
  Vbench top;
  for (int i = 0; i < 2 * {cycles} && !top.errors_o; ++i) {{
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
    for k, (name, first, second, a, b, out) in enumerate(REGISTERED):
        # The second factor of vector_product has 33 bits, and is a number of 32 or 2^31.
        lines.append(f"""  logic signed [{a - 1}:0] f{k}; logic signed [{min(b, 32) - 1}:0] s{k}; logic [{out - 1}:0] p{k}, q{k}; logic [7:0] age{k};
  logic signed [{b - 1}:0] second{k}; logic largest{k};
  assign second{k} = {b} == 33 && largest{k} ? {b}'(1) << 31 : {b}'(s{k});
  {name} u_{name} (.clk_i, .enable_i(1'b1), .{first}(f{k}), .{second}(second{k}), .product_o(p{k}));
  {name}_gates u_{name}_gates (.clk_i, .enable_i(1'b1), .{first}(f{k}), .{second}(second{k}), .product_o(q{k}));
  always_ff @(posedge clk_i) begin
    f{k} <= $urandom % 8 == 0 ? {a}'(1) << ($urandom % {a}) : {a}'($urandom);
    s{k} <= $urandom % 8 == 0 ? '1 : {min(b, 32)}'($urandom);
    largest{k} <= $urandom % 16 == 0;
    if (age{k} < 20) age{k} <= age{k} + 1;
    else if (p{k} != q{k}) errors_o[{24 + k}] <= 1'b1;
  end""")
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
    ecp5 = HW / "fpga/ecp5"
    for name, *_ in REGISTERED:
        paths.append(work / f"{name}_gates.v")
        yosys(f"{read([ecp5 / 'multiplier.sv', ecp5 / f'{name}.sv'])}; {synthesis.mapped(name)}; rename -top {name}_gates; "
              f"write_verilog -noattr {paths[-1]}", work / "log")
    return paths


def run(work, netlists, cells):
    """The bits of `errors_o` at the end."""
    (work / "bench.sv").write_text(bench())
    (work / "main.cpp").write_text(MAIN.format(cycles=CYCLES))
    sources = [work / "bench.sv", HW / "rtl/ram_1r1w.sv", *(work / f"product{k}.sv" for k in range(len(PRODUCTS))),
               *(HW / f"rtl/{name}.sv" for name, *_ in REGISTERED)]
    subprocess.run(["verilator", "--cc", "--exe", "--build", "-O1", "--x-initial", "0", "-Wno-fatal", "-Wno-lint", "-Wno-style",
                    "--top-module", "bench", "--Mdir", work / "obj", *sources, *netlists, cells, work / "main.cpp"],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return int(subprocess.run([work / "obj/Vbench"], check=True, capture_output=True, text=True).stdout, 16)


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
                             ("a_q * b_q", "a * b_q")):
                self.assertTrue(old in right, old)
                cells.write_text(right.replace(old, new))
                self.assertNotEqual(run(work, netlists, cells), 0, old)


if __name__ == "__main__":
    unittest.main()
