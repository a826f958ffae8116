#!/usr/bin/env python3
"""axi_test.py BUILD: hw/rtl/daedalus_axi.sv, elaborated by yosys, connects each pin of `daedalus` to the pin of its own that
has the same name, and drives the others with its parameters; the reset goes through the synchronizer."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "hw/flow"))
from tools import plain, read, sources_of, yosys  # noqa: E402

BUILD = pathlib.Path(sys.argv.pop(1)).absolute()
ATTRIBUTES = {"id": 3, "lock": 1, "cache": 4, "prot": 3, "qos": 4, "region": 4}  # bits; IdBits is 3 here
PARAMETERS = "-set IdBits 3 -set Id 3'b101 -set Prot 3'b011 -set Cache 4'b1001 -set Qos 4'b0110"
VALUES = {"id": 0b101, "lock": 0, "cache": 0b1001, "prot": 0b011, "qos": 0b0110, "region": 0}
IGNORED = {"s_axil_awprot_i", "s_axil_arprot_i", "m_axi_rid_i", "m_axi_bid_i"}


def elaborated(machine, text):
    """The wrapper as yosys' JSON has it, and the ports of `daedalus`; the source of the wrapper is `text`."""
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        packages, modules = sources_of(BUILD, machine)
        wrapper = work / "daedalus_axi.sv"
        wrapper.write_text(text)
        others = {path.stem: path for path in modules}
        out = work / "wrapper.json"
        yosys(f"{read([*packages, wrapper, others['reset_synchronizer']])}; "
              f"{read([others['daedalus']]).replace('-sv', '-sv -lib')}; chparam {PARAMETERS} daedalus_axi; "
              f"hierarchy -check -top daedalus_axi; proc; opt_clean; write_json {out}", work / "log")
        modules = json.loads(out.read_text())["modules"]
    return next(module for name, module in modules.items() if plain(name) == "daedalus_axi"), modules["daedalus"]["ports"]


def faults_of(machine, text):
    """What is not as it has to be, a sentence each."""
    wrapper, inner = elaborated(machine, text)
    ports = {name: port["bits"] for name, port in wrapper["ports"].items()}
    cells = {plain(cell["type"]): cell["connections"] for cell in wrapper["cells"].values()}
    accelerator, synchronizer = cells["daedalus"], cells.get("reset_synchronizer", {})
    faults = [f"{name} is not the pin of that name" for name in inner if name != "rst_ni" and accelerator[name] != ports.get(name)]
    if accelerator["rst_ni"] != synchronizer.get("rst_no") or synchronizer["rst_ni"] != ports["rst_ni"]:
        faults.append("the reset does not go through the synchronizer")
    driven = {f"m_axi_{channel}{name}_o": (name, bits) for channel in ("ar", "aw") for name, bits in ATTRIBUTES.items()}
    for pin, (name, bits) in driven.items():
        if ports.get(pin) != list(f"{VALUES[name]:0{bits}b}"[::-1]):
            faults.append(f"{pin} is {ports.get(pin)}; expected {VALUES[name]} in {bits} bits")
    return faults + [f"there is a pin {name}" for name in ports.keys() - inner.keys() - driven.keys() - IGNORED]


class Wrapper(unittest.TestCase):
    text = (ROOT / "hw/rtl/daedalus_axi.sv").read_text()

    def test_connects_each_pin(self):
        for machine in ("tiny", "default"):
            self.assertEqual(faults_of(machine, self.text), [])

    def test_finds_a_wrong_pin(self):
        for old, new, sentence in (
                (".m_axi_araddr_o,", ".m_axi_araddr_o(m_axi_awaddr_o),", "m_axi_araddr_o is not the pin"),
                (".rst_ni(rst_n)", ".rst_ni(rst_ni)", "the reset does not"),
                ("m_axi_awprot_o = Prot", "m_axi_awprot_o = Cache[2:0]", "m_axi_awprot_o is")):
            changed = self.text.replace(old, new, 1)
            self.assertNotEqual(changed, self.text)
            self.assertIn(sentence, "; ".join(faults_of("tiny", changed)))


if __name__ == "__main__":
    unittest.main()
