"""Which folder's headers a folder may include; nothing else is included.

    layers.py SOURCE_FOLDER

A header belongs to the folder of its path behind daedalus/: of the compiler the first one, of dialects, targets and
tools the first two. Files of `Target` itself, the interface and the registry, are `Target`.
"""
import pathlib
import re
import sys

LAYERS = {
    "support": "",
    "isa": "support",
    "simulator": "isa support",
    "package": "isa support",
    "runtime": "isa package simulator support",
    # The compiler. What every target shares names no target and, but for scalar arithmetic, nothing of the ISA.
    "Dialect": "",
    "Dialect/Host": "",
    "Kernels": "Dialect",
    "Dialect/Qnn": "Analysis Dialect Kernels isa support",
    "Analysis": "Dialect Dialect/Qnn isa support",
    "Conversion": "Analysis Dialect/Qnn Kernels",
    "Import": "Analysis Conversion Dialect/Qnn Kernels package support",
    "Codegen": "Dialect Dialect/Qnn Kernels",
    "Target": "Dialect/Host Kernels package support",
    "Pipelines": "Analysis Codegen Conversion Dialect Dialect/Host Dialect/Qnn Import Kernels Target package support",
    # Each target with what is its own.
    "Dialect/Dae": "Analysis Dialect Dialect/Host Dialect/Qnn Target/Accelerator isa support",
    "Target/Accelerator": "Analysis Dialect Dialect/Dae Dialect/Host Target isa package support",
    "Target/CPU": "Analysis Codegen Dialect Dialect/Host Dialect/Qnn Kernels Target package support",
    "Target/CUDA": "Codegen Dialect/Host Target package support",
    # Above the compiler and the runtime.
    "Tuning": "Pipelines Target Target/CPU Target/CUDA isa package runtime support",
    "Report": "Pipelines Target Target/CPU Tuning isa package runtime simulator support",
    "Explore": "Pipelines Report Sqlite Target Tuning isa package runtime simulator support",
    "PlanSearch": "Pipelines Report Sqlite Target Target/Accelerator Tuning isa package runtime support",
    "Export": "Import Target/CPU isa package support",
    "Sqlite": "",
    # The programs.
    "tools/isagen": "isa support",
    "tools/dae-opt": "Pipelines support",
    "tools/cli": "Import Pipelines Target Target/Accelerator isa runtime simulator support",
    "tools/daedalus": "Explore Export Import Pipelines PlanSearch Report Target Target/CPU Target/CUDA Tuning isa package runtime simulator support tools/cli",
    "tools/cuda-emulation": "package runtime support",
    "tools/daedalus-bench": "Pipelines Report Target Target/CPU Target/CUDA Tuning isa package runtime support tools/cli",
}

PLACES = [  # of files, the first that fits
    ("(isa|runtime)/(include/daedalus|lib)/(support|package)/", r"\3"),
    ("isa/tools/", "tools/isagen"),
    ("isa/", "isa"),
    ("simulator/", "simulator"),
    ("runtime/", "runtime"),
    ("compiler/tools/([^/]+)/", r"tools/\1"),
    ("compiler/(include/daedalus|lib)/((Dialect|Target)/[^/]+)/", r"\2"),
    ("compiler/(include/daedalus|lib)/([^/]+)/", r"\2"),
]


def folder_of(path):
    for pattern, name in PLACES:
        if found := re.match(pattern, path):
            return found.expand(name)
    raise SystemExit(f"{path}: no layer; add its folder to tests/repo/layers.py")


def folder_of_header(header):
    """Of a path behind daedalus/, or of one of the folders whose headers stand beside their sources."""
    for top in ("isa", "simulator", "package", "support"):
        if header.startswith(top + "/"):
            return top
    if header.startswith("runtime"):
        return "runtime"
    if header.startswith("cli/"):
        return "tools/cli"
    if header.startswith(("Explore/", "Export/", "PlanSearch/", "Report/", "Sqlite/", "Tuning/")):
        return header.split("/")[0]
    return folder_of("compiler/include/daedalus/" + header)


root = pathlib.Path(sys.argv[1])
found = []
for top in ("isa", "simulator", "runtime", "compiler"):
    for path in sorted((root / top).rglob("*")):
        if path.suffix not in (".cpp", ".h", ".td"):
            continue
        name = path.relative_to(root).as_posix()
        folder = folder_of(name)
        for header in re.findall(r'#include ["<](?:daedalus/|(?=cli/|Report/|Tuning/))([^">]+)', path.read_text()):
            if (other := folder_of_header(header)) != folder and other not in LAYERS[folder].split():
                found.append(f"{name}: {folder} includes {header} of {other}")
print("\n".join(found))
sys.exit(1 if found else 0)
