# Sourced by the other scripts: what the project needs from Debian 12, and how it is built.
# Functions: say, install_packages, build PRESET. Nothing here asks a question.

set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# The only list of packages (docs/architecture.md says what each is for).
packages=(
  bash cmake g++ ninja-build ccache lld git
  llvm-19-dev libmlir-19-dev mlir-19-tools llvm-19-tools liblld-19-dev lld-19
  libonnx-dev libonnx-testdata protobuf-compiler libprotobuf-dev
  libsystemc-dev verilator yosys
  zlib1g-dev libzstd-dev libcli11-dev libyaml-cpp-dev libmuparser-dev libsqlite3-dev libboost-dev libeigen3-dev libxgboost-dev libopenmpi-dev openmpi-bin nlohmann-json3-dev libjs-vega python3-xstatic-dagre python3 python3-venv python3-jsonschema python3-numpy python3-onnx python3-yaml pkg-config clang-format
  libgtest-dev libgmock-dev libbenchmark-dev libdlpack-dev
  gcc-riscv64-unknown-elf clang make qemu-user
)

say() { printf '\n==> %s\n' "$*"; }
stop() { printf '%s: error: %s\n' "$(basename "$0")" "$*" >&2; exit 1; }

missing_packages() {
  local package
  for package in "${packages[@]}"; do
    dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^ii' || echo "$package"
  done
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    env DEBIAN_FRONTEND=noninteractive "$@"
  elif command -v sudo >/dev/null; then
    sudo env DEBIAN_FRONTEND=noninteractive "$@"
  else
    stop "these Debian packages are missing and only root can install them: $(missing_packages | xargs)"
  fi
}

install_packages() {
  local missing apt=(apt-get -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 -q)
  command -v dpkg-query >/dev/null || stop "this is not Debian; install what scripts/setup.sh lists, then use cmake --preset release"
  mapfile -t missing < <(missing_packages)
  if [ ${#missing[@]} -eq 0 ]; then
    say "All Debian packages are there"
    return
  fi
  say "Installing ${#missing[@]} Debian packages: ${missing[*]}"
  as_root "${apt[@]}" update </dev/null
  as_root "${apt[@]}" install -y --no-install-recommends "${missing[@]}" </dev/null
}

# As many compilers at once as there are cores, and no more than memory holds (2 GB each: MLIR's headers).
parallelism() {
  local cores gigabytes
  cores=$(nproc)
  gigabytes=$(awk '/^MemAvailable/ {print int($2 / 2000000)}' /proc/meminfo)
  [ "$gigabytes" -ge 1 ] || gigabytes=1
  [ "$cores" -le "$gigabytes" ] && echo "$cores" || echo "$gigabytes"
}

# The processor of the simulated system (hw/soc/requirements.txt). Without a network all else is built.
fetch_processor() { # PRESET
  "$root/scripts/fetch_picorv32.sh" "$root/build/$1/picorv32" ||
    say "PicoRV32 cannot be fetched from PyPI: the engines soc and soc-rtl are not built, and their tests are skipped"
}

build() { # PRESET
  fetch_processor "$1"
  say "Configuring and building the $1 preset in build/$1, $(parallelism) at a time"
  (cd "$root" && cmake --preset "$1" && cmake --build --preset "$1" -j "$(parallelism)") || stop "the $1 build failed (see above)"
}
