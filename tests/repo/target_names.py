"""No file of compiler/ but a target's own names that target: neither its name as a string nor its headers.

    target_names.py SOURCE_FOLDER
"""
import pathlib
import re
import sys

compiler = pathlib.Path(sys.argv[1]) / "compiler"
targets = {"Accelerator": "accelerator", "CPU": "cpu"}  # folder, name
registry = compiler / "lib/Target/Registry.cpp"  # the one place that lists the built-in ones
jsonKey = '{"cpu", object.cpu}'  # the level of a processor, no target

found = []
for path in sorted(compiler.rglob("*")):
    if path.suffix not in (".cpp", ".h", ".td") or path == registry:
        continue
    for folder, name in targets.items():
        if f"Target/{folder}" in path.as_posix():
            continue
        pattern = re.compile(rf'"{name}"|daedalus/Target/{folder}/|\b{name}::')
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if pattern.search(line.replace(jsonKey, "")):
                found.append(f"{path}:{number}: names the target {name}: {line.strip()}")
print("\n".join(found))
sys.exit(1 if found else 0)
