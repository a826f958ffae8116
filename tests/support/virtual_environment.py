"""What the scripts share whose packages Debian does not have: a virtual environment of pinned packages of PyPI, made at
the first use and where the pins change, and kept in the build folder; and the option that names the tool."""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import venv


def make(folder, requirements):
    print(f"installing {requirements.name} into {folder}", file=sys.stderr, flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    venv.create(folder, with_pip=True)
    done = subprocess.run([folder / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                           "-r", requirements], stdout=sys.stderr, check=False)
    if done.returncode != 0:
        sys.exit(f"error: pip cannot install what {requirements} names, with {sys.executable}; its reason is above")
    (folder / "requirements.txt").write_text(requirements.read_text())


def tool(path):
    """Of argparse: a binary of the build."""
    if not os.access(path, os.X_OK):
        raise argparse.ArgumentTypeError(f"there is no program '{path}'; build it, or name another with --daedalus")
    return str(pathlib.Path(path).absolute())


def enter(folder, requirements):
    """Goes on as the same script in the environment; returns where it already runs there."""
    folder, requirements = pathlib.Path(folder).absolute(), pathlib.Path(requirements)
    if pathlib.Path(sys.prefix) == folder:
        return
    made = folder / "requirements.txt"
    if not made.exists() or made.read_text() != requirements.read_text():
        make(folder, requirements)
    python = str(folder / "bin/python")
    os.execv(python, [python, *sys.argv])
