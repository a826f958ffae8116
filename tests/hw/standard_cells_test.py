#!/usr/bin/env python3
"""standard_cells_test.py: hw/asic/standard_cells against the definition: small products with all factors, vector_product beside the
RTL's with random inputs; and each of several mistakes is found."""
import pathlib
import re
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/hw"))
from cells_test import product_source, random_input, simulate  # noqa: E402

CELLS = ROOT / "hw/asic/standard_cells"
# As in cells_test.py, and the bits of the result that count.
PRODUCTS = [((4, 4, "", ""), 8), ((4, 5, "", "signed"), 10), ((5, 4, "signed", ""), 9), ((4, 5, "signed", "signed"), 9),
            ((5, 3, "signed", "signed"), 6), ((2, 6, "", "signed"), 8)]
MISTAKES = [("carry_save", "a & b | a & c", "a & b | a & ~c"), ("carry_save", "2*k)*Width+:2", "2*k)*Width+:1"),
            ("half_product", "-Excess", "Excess"), ("half_product", "{YSigned ^ IsNegative,", "{YSigned,"),
            ("half_product", "SignX * MostY + SignY * MostX", "SignX * MostY"),
            ("vector_product", ".YSigned(1'b1), .Width(34)", ".Width(34)"),
            ("vector_product", "{high_low_q, low_high_q}", "{low_high_q, low_high_q}"),
            ("vector_product", "high_q[63:32] + high_q[31:0]", "high_q[63:32] | high_q[31:0]"),
            ("vector_product", "48'(middle_q)", "48'(middle_q[32:0])")]


def small_product(k, product, width, copies):
    """Counts through all factors."""
    x, y, x_sign, y_sign = product
    lines = [f"  logic [{x - 1}:0] x{k}; logic [{y - 1}:0] y{k}; assign {{x{k}, y{k}}} = count[{x + y - 1}:0];",
             f"  logic [{x + y - 1}:0] z{k}; product{k} u_product{k} (.a_i(x{k}), .b_i(y{k}), .y_o(z{k}));"]
    for copy in range(copies):
        lines.append(f"""  logic [{width - 1}:0] sum{k}_{copy}, carry{k}_{copy};
  half_product_{copy} #(.XBits({x}), .YBits({y}), .XSigned({int(bool(x_sign))}), .YSigned({int(bool(y_sign))}), .Width({width}))
    u_product{k}_{copy} (.x_i(x{k}), .y_i(y{k}), .sum_o(sum{k}_{copy}), .carry_o(carry{k}_{copy}));
  always_ff @(posedge clk_i) if ({width}'(sum{k}_{copy} + carry{k}_{copy}) != {width}'($signed(z{k}))) errors_o[{copy}] <= 1'b1;""")
    return "\n".join(lines)


def bench(copies):
    """The module that drives the copies; a bit of `errors_o` for each, which stays."""
    ports = ".clk_i, .enable_i(enable), .x_i(x), .y_i(y)"
    lines = ["module bench (input logic clk_i, output logic [31:0] errors_o);", "  logic [15:0] count;",
             "  always_ff @(posedge clk_i) count <= count + 1;", *(small_product(k, *shape, copies) for k, shape in enumerate(PRODUCTS)),
             "  logic [31:0] x; logic [32:0] y; logic [63:0] rtl; logic enable;", f"  vector_product u_rtl ({ports}, .product_o(rtl));",
             "  always_ff @(posedge clk_i) begin", f"    {random_input('x', 32)}", f"    {random_input('y', 33)}",
             "    enable <= count < 20 || $urandom % 4 != 0;", "  end"]
    for copy in range(copies):
        lines.append(f"""  logic [63:0] cells{copy};
  vector_product_{copy} u_cells{copy} ({ports}, .product_o(cells{copy}));
  always_ff @(posedge clk_i) if (count > 20 && rtl != cells{copy}) errors_o[{copy}] <= 1'b1;""")
    return "\n".join([*lines, "endmodule", ""])


def copy_of(own, copy, mistake=None):
    """The modules with the names that they have in a copy."""
    text = ""
    for name, source in own.items():
        if mistake and mistake[0] == name:
            assert source.count(mistake[1]) == 1, mistake
            source = source.replace(*mistake[1:])
        text += re.sub(rf"^( *(?:module )?)({'|'.join(own)})(?= #?\(| u_)", rf"\1\2_{copy}", source, flags=re.M)
    return text


class StandardCells(unittest.TestCase):
    def test_computes_what_the_rtl_does(self):
        own = {path.stem: path.read_text() for path in sorted(CELLS.glob("*.sv"))}
        copies = [copy_of(own, copy, mistake) for copy, mistake in enumerate([None, *MISTAKES])]
        with tempfile.TemporaryDirectory() as work:
            work = pathlib.Path(work)
            products = [product_source(f"product{k}", product) for k, (product, _) in enumerate(PRODUCTS)]
            (work / "bench.sv").write_text("\n".join([*copies, *products, bench(len(copies))]))
            found = simulate(work, [ROOT / "hw/rtl/vector_product.sv", work / "bench.sv"])
        self.assertFalse(found & 1, "differs from the RTL or from a product")
        self.assertEqual([mistake for k, mistake in enumerate(MISTAKES, 1) if not found >> k & 1], [])


if __name__ == "__main__":
    unittest.main()
