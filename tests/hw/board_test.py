#!/usr/bin/env python3
"""board_test.py BUILD: the simulated board of hw/fpga/board, driven through its serial port by commands that are made here,
from the words of uart_bridge.sv, and by the host program: registers, memory, broken commands, a fault, and digits, whose
logits and cycles have to be those of the simulator."""
import os
import pathlib
import random
import re
import select
import subprocess
import sys
import tempfile
import termios
import time
import unittest

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "hw/flow"))
from header import registers_of  # noqa: E402

PORT = sys.argv.pop(2) if len(sys.argv) > 2 else ""  # of the simulated board, inside of which this runs again
BUILD = pathlib.Path(sys.argv.pop(1)).absolute()
MACHINE = "tiny,read_latency=2,write_latency=1"  # the memory of board_memory.sv
MEMORY_BYTES = 65536
WRITE_REGISTER, READ_REGISTER, WRITE, READ = 1, 2, 3, 4
DONE, WRONG_CHECK, NO_OPERATION, WRONG_RANGE, SILENT, LOST = 0xa0, 0xe1, 0xe2, 0xe3, 0xe4, 0xe5
IDLE, RUNNING, STOPPED, FAULT = range(4)
START, RESET = 1, 2
HEADER = (BUILD / "isa/generated/include/daedalus_isa.h").read_text()
OFFSETS = {name: offset for offset, (name, *_) in sorted(registers_of(HEADER).items(), reverse=True)}


def crc(data):
    """The remainder of data * x^8 by x^8 + x^2 + x + 1, with the first byte inverted: as a polynomial, bit by bit."""
    remainder = int.from_bytes(bytes([data[0] ^ 0xff, *data[1:], 0]), "big")
    for bit in reversed(range(8, 8 * len(data) + 8)):
        if remainder >> bit & 1:
            remainder ^= 0b100000111 << (bit - 8)
    return remainder


def checked(data):
    return data + bytes([crc(data)])


def head(operation, address, length):
    return checked(bytes([operation]) + address.to_bytes(4, "little") + length.to_bytes(2, "little"))


class Board:
    def __init__(self, path):
        self.file = os.open(path, os.O_RDWR | os.O_NOCTTY)

    def bytes_of_answer(self, count):
        data = b""
        while len(data) < count and select.select([self.file], [], [], 30)[0]:
            data += os.read(self.file, count - len(data))
        return data

    def answer(self, command, length=0):
        """(status, data)"""
        os.write(self.file, command)
        status = self.bytes_of_answer(1)
        data = self.bytes_of_answer(length if status == bytes([DONE]) else 0)
        check = self.bytes_of_answer(1)
        assert check == bytes([crc(status + data)]), (command.hex(), status, data, check)
        return status[0], data

    def done(self, command, length=0):
        status, data = self.answer(command, length)
        assert status == DONE, (command[:8].hex(), hex(status))
        return data

    def write(self, address, data):
        self.done(head(WRITE, address, len(data)) + checked(data))

    def read(self, address, length):
        return self.done(head(READ, address, length), length)

    def register(self, name):
        return int.from_bytes(self.done(head(READ_REGISTER, OFFSETS[name], 4), 4), "little")

    def set_register(self, name, value):
        self.done(head(WRITE_REGISTER, OFFSETS[name], 4) + checked(value.to_bytes(4, "little")))

    def finds_the_next_command(self):
        """Behind an error: the board says nothing more, and after a silence it answers."""
        assert not select.select([self.file], [], [], 0.5)[0], "the board answers what it has to ignore"
        for _ in range(100):
            time.sleep(0.1)
            termios.tcflush(self.file, termios.TCIFLUSH)
            os.write(self.file, head(READ_REGISTER, OFFSETS["version"], 4))
            if select.select([self.file], [], [], 1)[0] and self.bytes_of_answer(1) == bytes([DONE]):
                self.bytes_of_answer(5)
                return
        raise AssertionError("the board finds no command any more")

    def status_behind_the_run(self):
        while (status := self.register("status")) == RUNNING:
            pass
        return status


class Commands(unittest.TestCase):
    """Inside the simulation; the order is that of the names."""

    @classmethod
    def setUpClass(cls):
        cls.board = Board(PORT)

    def test_1_registers(self):
        self.assertEqual(self.board.register("version"), int(re.search(r"ISA_VERSION (\d+)u", HEADER)[1]))
        values = {name: random.getrandbits(32) for name in ("base_lo", "program_hi", "program_length", "limit")}
        for name, value in values.items():
            self.board.set_register(name, value)
        self.assertEqual({name: self.board.register(name) for name in values}, values)

    def test_2_memory(self):
        reference, dice = bytearray(MEMORY_BYTES), random.Random(1)
        area = range(MEMORY_BYTES - 2048, MEMORY_BYTES)  # its end among it
        reference[area.start:] = dice.randbytes(len(area))
        for start in range(area.start, area.stop, 1024):
            self.board.write(start, bytes(reference[start:start + 1024]))
        for _ in range(30):
            address = dice.choice(area)
            length = dice.randint(1, min(40, area.stop - address))
            if dice.random() < 0.5:
                reference[address:address + length] = dice.randbytes(length)
                self.board.write(address, bytes(reference[address:address + length]))
            else:
                self.assertEqual(self.board.read(address, length), reference[address:address + length])
        self.assertEqual(self.board.read(area.start, len(area)), reference[area.start:])

    def test_3_broken_commands(self):
        self.board.write(0, bytes(range(64)))
        good = head(WRITE_REGISTER, OFFSETS["base_lo"], 4) + checked(b"abcd")
        self.board.done(good)
        cases = {
            "a bit of a head": (bytes([good[0] ^ 16]) + good[1:], WRONG_CHECK),
            "a head's check": (good[:7] + bytes([good[7] ^ 1]) + good[8:], WRONG_CHECK),
            "a check of data": (head(WRITE_REGISTER, OFFSETS["base_lo"], 4) + b"efgh" + bytes([crc(b"efgh") ^ 128]), WRONG_CHECK),
            "operation 0": (head(0, 0, 4), NO_OPERATION),
            "operation 5": (head(5, 0, 4) + checked(b"abcd"), NO_OPERATION),
            "a register's length": (head(READ_REGISTER, OFFSETS["status"], 8), WRONG_RANGE),
            "a register's address": (head(READ_REGISTER, OFFSETS["status"] + 2, 4), WRONG_RANGE),
            "beyond the registers": (head(WRITE_REGISTER, 4096, 4) + checked(b"abcd"), WRONG_RANGE),
            "no bytes": (head(READ, 0, 0), WRONG_RANGE),
            "a byte too many": (head(READ, MEMORY_BYTES - 9, 10), WRONG_RANGE),
            "beyond 32 bits": (head(WRITE, 0xffffffff, 2) + checked(b"ab"), WRONG_RANGE),
            "the end is missing": (head(WRITE, 64, 16) + bytes(7), SILENT),
            "a head is cut off": (good[:5], SILENT),
            "two at once": (head(READ, 0, 60) + good * 2, LOST),
        }
        for name, (command, status) in cases.items():
            with self.subTest(name):
                if status == LOST:
                    self.assertEqual(self.board.done(command, 60), bytes(range(60)))
                    self.assertEqual(self.board.bytes_of_answer(2), checked(bytes([LOST])))
                else:
                    self.assertEqual(self.board.answer(command), (status, b""))
                self.board.finds_the_next_command()
        self.assertEqual(self.board.read(0, 64), bytes(range(64)))

    def test_4_registers_behind_broken_commands(self):
        self.assertEqual(self.board.register("base_lo"), int.from_bytes(b"abcd", "little"))

    def test_5_program_beyond_the_memory(self):
        for name, value in {"program_lo": MEMORY_BYTES, "program_hi": 0, "program_length": 4, "program_limit": 256}.items():
            self.board.set_register(name, value)
        self.board.set_register("control", START)
        self.assertEqual(self.board.status_behind_the_run(), FAULT)
        self.assertEqual(self.board.register("fault_cause"), int(re.search(r"FAULT_BUS_ERROR (\d+)u", HEADER)[1]))
        self.assertEqual(self.board.register("fault_module"), 0)  # FETCH
        self.board.set_register("control", RESET)
        self.assertEqual(self.board.status_behind_the_run(), IDLE)


class Host(unittest.TestCase):
    """The host program, and what it leaves; the order is that of the names."""

    @classmethod
    def setUpClass(cls):
        cls.board = Board(PORT)
        cls.work = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.folder, cls.host = cls.built("digits", ROOT / "examples/digits/digits.onnx", MACHINE)
        cls.images = numpy.load(ROOT / "examples/digits/test_images.npy")[:2]
        for i, image in enumerate(cls.images):
            image.tofile(cls.work / f"{i}.bin")

    @classmethod
    def built(cls, name, model, machine):
        """The exported folder of a model, and its host program."""
        folder, host = cls.work / name, cls.work / f"{name}_host"
        cpu = {"aarch64": "aarch64"}.get(os.uname().machine, "x86-64-v2")
        subprocess.run([BUILD / "bin/daedalus", "export", model, "-o", folder, "--cpu", cpu, "--machine", machine, "--name", name],
                       check=True, capture_output=True)
        subprocess.run([ROOT / "hw/fpga/board/host/build.sh", folder, name, host], check=True)
        return folder, host

    def expected(self, images):
        """What the host has to print: logits and cycles of the simulator."""
        lines = []
        for image in self.images[images]:
            numpy.save(self.work / "image.npy", image[None])
            done = subprocess.run([BUILD / "bin/daedalus", "run", ROOT / "examples/digits/digits.onnx", "--machine", MACHINE,
                                   "--engine", "systemc", "--input", f"image={self.work / 'image.npy'}"], check=True,
                                  capture_output=True, text=True)
            logits = re.search(r"^output logits: .* = (.*)$", done.stdout, re.MULTILINE)[1]
            cycles = re.search(r": ([\d,]+) cycles \([\d.]+ us at \d+ MHz\)$", done.stdout, re.MULTILINE)[1].replace(",", "")
            lines += [f"logits: {logits}", f"cycles: {cycles}"]
        return lines

    def run_host(self, *arguments, host=None):
        return subprocess.run([host or self.host, *arguments], capture_output=True, text=True, check=False)

    def test_1_digits(self):
        done = self.run_host("--timeout", "100000", PORT, self.work / "0.bin", self.work / "1.bin")  # a netlist is slow
        self.assertEqual((done.stderr, done.returncode), ("", 0))
        self.assertEqual(done.stdout.splitlines(), self.expected(slice(0, 2)))

    def test_2_memory_while_a_program_runs(self):
        blob = (self.folder / "blob.bin").read_bytes()
        cycles = self.board.register("cycles_lo")
        self.board.set_register("control", START)
        self.assertEqual(self.board.read(1000, 32), blob[1000:1032])
        self.board.write(MEMORY_BYTES - 16, b"sixteen bytes...")
        self.assertEqual(self.board.register("status"), RUNNING)
        self.assertEqual(self.board.status_behind_the_run(), STOPPED)
        self.assertEqual(self.board.register("cycles_lo"), cycles)
        self.assertEqual(self.board.read(MEMORY_BYTES - 16, 16), b"sixteen bytes...")

    def test_3_digits_behind_a_fault(self):
        self.board.set_register("program_lo", MEMORY_BYTES)
        self.board.set_register("control", START)
        self.assertEqual(self.board.status_behind_the_run(), FAULT)
        self.board.set_register("control", RESET)
        done = self.run_host(PORT, self.work / "1.bin")
        self.assertEqual((done.stderr, done.returncode), ("", 0))
        self.assertEqual(done.stdout.splitlines(), self.expected(slice(1, 2)))

    def test_4_refusals(self):
        short, image, large_input = (self.work / name for name in ("short.bin", "0.bin", "large.bin"))
        short.write_bytes(bytes(63))
        _, default = self.built("wide", ROOT / "examples/digits/digits.onnx", "default")
        folder, large = self.built("large", BUILD / "models/networks/mlp.onnx", MACHINE)
        large_input.write_bytes(bytes(int(re.search(r"_INPUT_\w+_BYTES (\d+)u", (folder / "model.h").read_text())[1])))
        _, terminal = os.openpty()  # with nobody behind it
        silent = os.ttyname(terminal)
        for host, arguments, sentence in (
                (self.host, [PORT], "usage: "),
                (self.host, [silent, image], f"error: the board behind '{silent}' does not answer within 3000 ms; expected"),
                (self.host, ["--speed", "1", PORT, image], "error: there is no option --speed"),
                (self.host, ["--baud", "fast", PORT, image], "error: expected a number up to 2147483647 and not fast"),
                (self.host, ["--timeout", "2147483648", PORT, image], "up to 2147483647 and not 2147483648"),
                (self.host, ["--timeout", "50", silent, image], f"error: the board behind '{silent}' does not answer within 50 ms; expected"),
                (self.host, ["--baud", "9600", PORT, image], "error: 9600 is no baud rate of a serial port; expected 115200"),
                (self.host, [PORT, self.work / "none"], f"error: there is no readable file {self.work / 'none'}"),
                (self.host, [PORT, short], f"error: {short} has another number of bytes than its input; expected 64"),
                (self.host, [self.work / "none", image], f"error: '{self.work / 'none'}' cannot be opened: No such file"),
                (self.host, [short, image], f"error: '{short}' is no serial port"),
                (default, [PORT, image], "error: the model is for the machine 'default', and the board's accelerator is another"),
                (large, [PORT, large_input], "error: the board's memory ends before byte ")):
            done = self.run_host(*arguments, host=host)
            self.assertIn(sentence, done.stderr)
            self.assertEqual((done.stdout, done.returncode), ("", 2 if sentence.startswith("usage") else 1))


def main():
    """The simulation of the board runs this file again, with its port, and says at its end how often the lights went on: the one
    for each fault, the other for each program, where those that end with a fault may be too short to be seen."""
    if PORT:
        unittest.main()
    done = subprocess.run([BUILD / "fpga/board/simulation", sys.executable, "-B", __file__, BUILD, "PORT"], stderr=subprocess.PIPE,
                          text=True, check=False)
    sys.stderr.write(done.stderr)
    if done.returncode == 0 and not re.search(r"^lights: busy [456], fault 2$", done.stderr, re.MULTILINE):
        sys.exit("board_test.py: error: expected 'lights: busy 4, fault 2' at the end")
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
