#!/bin/bash
# fetch_picorv32.sh FOLDER
#
# Puts picorv32.v, the processor of the simulated system on a chip, into FOLDER, unless it is there: from the package of
# PyPI that hw/soc/requirements.txt names with its hash. Exit status 1 where there is no network or the hash differs.
set -euo pipefail
folder=${1:?usage: fetch_picorv32.sh FOLDER}
requirements=$(cd "$(dirname "$0")/../hw/soc" && pwd)/requirements.txt
if [ -e "$folder/picorv32.v" ] && cmp -s "$requirements" "$folder/requirements.txt"; then
  exit 0
fi
mkdir -p "$folder"
work=$(mktemp -d "$folder/fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip download --quiet --disable-pip-version-check --retries 2 --no-deps --require-hashes \
  --only-binary :all: --dest "$work" -r "$requirements"
python3 - "$work" <<'END'
import glob
import sys
import zipfile

work = sys.argv[1]
(wheel,) = glob.glob(f"{work}/*.whl")
with zipfile.ZipFile(wheel) as files, open(f"{work}/picorv32.v", "wb") as source:
    source.write(files.read("pythondata_cpu_picorv32/verilog/picorv32.v"))
END
mv "$work/picorv32.v" "$folder/picorv32.v"
cp "$requirements" "$folder/requirements.txt"
