#!/usr/bin/env python3
"""hw/area: what of yosys' statistics counts, worked out by hand; that the built-in area table is the fit of counts.csv;
that the fit finds coefficients which are known."""
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

AREA = pathlib.Path(__file__).resolve().parents[2] / "hw/area"
sys.path.insert(0, str(AREA))
import count  # noqa: E402
import fit  # noqa: E402
import synthesis  # noqa: E402

STATISTICS = """
=== $paramod$0a1b\\scratchpad ===

   Number of wires:                 99
   Number of memory bits:            0
   Number of cells:                  4
     $_MUX_                          3
     $paramod$2c\\ram_1r1w   2

=== $paramod$2c\\ram_1r1w ===

   Number of memory bits:         1024
   Number of cells:                  1
     $_AND_                          1

=== core ===

   Number of memory bits:            0
   Number of cells:                  6
     $_NAND_                         5
     $paramod$0a1b\\scratchpad        2
     faults                          1
     gemm                            1

=== daedalus ===

   Number of cells:                  2
     core                            1
     registers                       1

=== faults ===

     $_NOR_                          2

=== gemm ===

     $_DFF_PN0_                      3
     element                         2

=== element ===

     $_XOR_                          1

=== registers ===

     $_DFF_P_                        4

=== design hierarchy ===

   daedalus                          1
     $_NAND_                       999
"""


class Statistics(unittest.TestCase):
    def setUp(self):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write(STATISTICS)
            file.flush()
            self.modules = synthesis.statistics(pathlib.Path(file.name))

    def test_every_module_counts_as_often_as_it_stands_there(self):
        rows = synthesis.rows_of(self.modules)
        self.assertEqual(rows["gemm"], round((3 * 5.320 + 2 * 1.596) / 0.798))
        self.assertEqual(rows["scratchpads"], round(2 * 3 * 1.862 / 0.798))
        self.assertEqual(rows["registers"], round(4 * 4.522 / 0.798))
        self.assertEqual(rows["control"], 5 + 2)
        self.assertEqual(rows["load"], 0)

    def test_rams_count_by_their_bits_alone(self):
        self.assertEqual(synthesis.ram_bits(self.modules, "daedalus"), 2 * 2 * 1024)

    def test_a_cell_without_an_area_is_refused(self):
        self.modules["gemm"]["cells"]["$_DLATCH_P_"] = 1
        with self.assertRaisesRegex(ValueError, r"\$_DLATCH_P_"):
            synthesis.rows_of(self.modules)


class Fit(unittest.TestCase):
    def test_the_table_is_the_fit_of_the_counts(self):
        subprocess.run([sys.executable, "-B", AREA / "fit.py", "--check"], check=True)

    def test_every_counted_machine_is_listed(self):
        listed = [line for line in (AREA / "machines.txt").read_text().splitlines() if not line.startswith("#")]
        self.assertEqual(list(count.read_table()), listed)

    def test_known_coefficients_are_found_again(self):
        choice = random.Random(1)
        lines = [{key: choice.randint(1, 64) for key in count.KEYS} for _ in range(20)]
        truth = {module: [choice.randint(10, 1000) for _ in terms] for module, terms in fit.TERMS.items()}
        for line in lines:
            for module, terms in fit.TERMS.items():
                line[module] = fit.estimate(terms, truth[module], line)
        for module, terms in fit.TERMS.items():
            for found, known in zip(fit.fit(terms, lines, module), truth[module]):
                self.assertAlmostEqual(found, known, places=3)
        self.assertLess(max(abs(error) for of in fit.errors_of(lines) for error in of.values()), 1e-6)


unittest.main()
