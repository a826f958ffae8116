#!/usr/bin/env python3
"""tutorial.py --daedalus BINARY: the commands of docs/tutorials/from_pytorch.md, all of those that need
torch, in the environment of requirements.txt and in a folder of their own. Ends with status 1 where one fails."""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))

import virtual_environment  # noqa: E402

BLOCK = re.compile(r"^<!-- not run: needs torch[^\n]*-->\n```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--daedalus", type=virtual_environment.tool, required=True)
    options = parser.parse_args()
    virtual_environment.enter(ROOT / "build/exported/venv", HERE / "requirements.txt")
    blocks = BLOCK.findall((ROOT / "docs/tutorials/from_pytorch.md").read_text())
    if len(blocks) < 5:
        sys.exit(f"error: from_pytorch.md has {len(blocks)} blocks that need torch; expected 5 or more")
    path = os.pathsep.join([os.path.dirname(sys.executable), os.path.dirname(options.daedalus), os.environ["PATH"]])
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", "\n".join(blocks)], cwd=folder, check=False,
                              env=dict(os.environ, PATH=path))
    print("tutorial: " + ("all commands succeed" if done.returncode == 0 else "a command fails"))
    return 1 if done.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
