#!/usr/bin/env python3
"""registers_test.py BUILD: daedalus.rdl, read without a compiler of SystemRDL, has the registers, offsets, arrays, accesses and
fields of isa.yaml; and the C header is read as hw/flow/header.py reads it, worked out by hand."""
import pathlib
import re
import sys
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "hw/flow"))
from header import registers_of as registers_of_header  # noqa: E402

BUILD = pathlib.Path(sys.argv.pop(1))
ACCESS = {"ro": "sw = r; hw = w;", "rw": "sw = rw; hw = r;", "wo": "sw = w; hw = r; singlepulse;",
          "w1c": "sw = rw; onwrite = woclr; hw = rw;"}
HEADER = """#define DAEDALUS_REG_CONTROL 0x010u /* wo: Starts. */
#define DAEDALUS_CONTROL_START 0x001u
#define DAEDALUS_CONTROL_RESET 0x002u
#define DAEDALUS_REG_LIMIT 0x108u /* rw: Bytes. */
#define DAEDALUS_REG_LIMIT_STEP 16u
#define DAEDALUS_REG_LIMIT_COUNT 2u
#define DAEDALUS_STATUS_IDLE 0u
"""


def registers_of(text):
    """[(name, offset, [field lines])], and {first offset: (count, step)} of arrays."""
    found, arrays, fields, inside = [], [], [], None
    for line in text.splitlines():
        if line.strip() == "regfile {":
            inside = len(found)
        elif field := re.match(r" +field \{ (.*) \} (\w+)\[(\d+):(\d+)\](?: = \d+)?;", line):
            fields.append(field.groups())
        elif register := re.match(r" +\} (\w+) @ (0x\w+);", line):
            found.append([register[1], int(register[2], 16), fields])
            fields = []
        elif array := re.match(r"  \} \w+\[(\d+)\] @ (0x\w+) \+= (0x\w+);", line):
            for register in found[inside:]:
                register[1] += int(array[2], 16)
                arrays.append((register[0], int(array[1]), int(array[3], 16)))
            inside = None
    return found, {name: (count, step) for name, count, step in arrays}


class Registers(unittest.TestCase):
    def test_what_isa_yaml_says(self):
        wanted = yaml.safe_load((ROOT / "isa/spec/isa.yaml").read_text())["registers"]
        found, arrays = registers_of((BUILD / "isa/generated/daedalus.rdl").read_text())
        self.assertEqual(sorted((name, offset) for name, offset, _ in found),
                         sorted((register["name"], register["offset"]) for register in wanted))
        self.assertEqual(arrays, {register["name"]: (register["count"], register["step"])
                                  for register in wanted if register.get("count", 1) > 1})
        fields = {name: fields for name, _, fields in found}
        for register in wanted:
            name = register["name"]
            self.assertTrue(all(access.startswith(ACCESS[register["access"]]) for access, *_ in fields[name]), name)
            bits = [(bit["name"], str(bit["bit"]), str(bit["bit"])) for bit in register.get("bits", [])]
            self.assertEqual([(field, low, high) for _, field, high, low in fields[name]], bits or [("value", "0", "31")])

    def test_the_header(self):
        limit = ("limit", "rw", [])
        self.assertEqual(registers_of_header(HEADER), {0x10: ("control", "wo", [0, 1]), 0x108: limit, 0x118: limit})


if __name__ == "__main__":
    unittest.main()
