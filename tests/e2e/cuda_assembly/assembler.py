"""NVIDIA's assembler, of PyPI's nvidia-cuda-nvcc-cu12, and what it says of functions."""
import dataclasses
import os
import re
import subprocess
import sys

ARCHITECTURES = ("sm_80", "sm_90a")


@dataclasses.dataclass
class Usage:
    """What a function takes."""

    registers: int = 0
    shared: int = 0  # bytes that it declares
    spilled: int = 0  # bytes stored


def find():
    """The program; the run ends where the package does not have it."""
    for folder in sys.path:
        path = os.path.join(folder, "nvidia/cuda_nvcc/bin/ptxas")
        if os.access(path, os.X_OK):
            return path
    sys.exit("error: the package nvidia-cuda-nvcc-cu12 has no program nvidia/cuda_nvcc/bin/ptxas; does "
             "requirements.txt name one that has?")


def version(ptxas):
    said = subprocess.run([ptxas, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return re.search(r"release \S+, V(\S+)", said).group(1)


def usages(text):
    """By function, of what ptxas -v says."""
    found = {}
    for line in text.splitlines():
        if named := re.search(r"Compiling entry function '(.+)' for '", line):
            usage = found.setdefault(named.group(1), Usage())
        elif spilled := re.search(r"(\d+) bytes spill stores", line):
            usage.spilled = int(spilled.group(1))
        elif registers := re.search(r"Used (\d+) registers", line):
            shared = re.search(r"(\d+) bytes smem", line)
            usage.registers, usage.shared = int(registers.group(1)), int(shared.group(1)) if shared else 0
    return found


def assemble(ptxas, architecture, ptx):
    """Usages by function, and an error where it refuses the text."""
    done = subprocess.run([ptxas, "-v", f"-arch={architecture}", "-o", "/dev/null", "/dev/stdin"], input=ptx,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return usages(done.stdout), done.stdout.strip()[:400] if done.returncode else None
