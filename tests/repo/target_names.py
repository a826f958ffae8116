"""No file of compiler/ but a target's own names that target: neither its name as a string nor its headers. The
interface of targets, the pipelines and the host's dialect name nothing of the ISA (layers.py: nor its headers).

    target_names.py SOURCE_FOLDER
"""
import pathlib
import re
import sys

compiler = pathlib.Path(sys.argv[1]) / "compiler"
targets = {"Accelerator": "accelerator", "CPU": "cpu", "CUDA": "cuda"}  # folder, name
own = {  # besides its folder in Target
    "Accelerator": ("Dialect/Dae/", "PlanSearch/", "tools/cli/Machine.", "tools/daedalus/tune."),
    "CUDA": ("tools/cuda-emulation/", "tools/daedalus-bench/gpu.", "tools/daedalus-bench/GpuCounts.",
             "tools/daedalus/calibrate.", "Tuning/CalibrateGpu.", "Tuning/GpuPrograms."),
    "CPU": ("tools/daedalus-bench/", "tools/daedalus/calibrate.", "Tuning/Calibrate.", "Tuning/CalibrateGpu.",
            "Report/Figures.", "lib/Export/", "tools/daedalus/export."),
}
registry = compiler / "lib/Target/Registry.cpp"  # the one place that lists the built-in ones
jsonKey = '{"cpu", object.cpu}'  # the level of a processor, no target

found = []
for path in sorted(compiler.rglob("*")):
    if path.suffix not in (".cpp", ".h", ".td") or path == registry:
        continue
    for folder, name in targets.items():
        if any(room in path.as_posix() for room in (f"Target/{folder}", *own[folder])):
            continue
        pattern = re.compile(rf'"{name}"|daedalus/Target/{folder}/|\b{name}::')
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if pattern.search(line.replace(jsonKey, "")):
                found.append(f"{path}:{number}: names the target {name}: {line.strip()}")


def is_neutral(path):
    """Whether a file stands between all targets."""
    place = path.relative_to(compiler).as_posix()
    room = place.replace("include/daedalus/", "").replace("lib/", "")
    return room.startswith(("Pipelines/", "Dialect/Host/")) or re.fullmatch(r"Target/[^/]*", room)


for path in sorted(compiler.rglob("*")):
    if path.suffix in (".cpp", ".h", ".td") and is_neutral(path):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if re.search(r"\b(isa|dae)::", line):
                found.append(f"{path}:{number}: names the accelerator's own: {line.strip()}")
print("\n".join(found))
sys.exit(1 if found else 0)
