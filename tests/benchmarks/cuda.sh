#!/bin/bash
# cuda.sh prepare OUT [--tiny] [--cuda-arch ARCH,...] [--only checks|timings|tiles|graphs]: makes a folder for a machine that has a GPU and
#   no compiler: packages, the program cuda_bench and the libraries that it needs, at most 64 MiB. DAEDALUS_BUILD: the build
#   folder (build/release).
# cuda.sh check OUT [OPTION...]: runs them there, says which give wrong results and how long they take; fails where one does.
#   Options: --checks or --timings alone, --only TEXT (of the names), --seed NUMBER, --driver FILE.so (instead of a GPU).
#   The script is in the folder, too. DAEDALUS_CUBLAS: the library whose products are timed beside, where it isn't found.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
most=$((64 << 20))

fail() { # MESSAGE
  echo "cuda.sh: error: $1" >&2
  exit 1
}

# What the program needs of this host: of the C library only where the other one's is older.
copy_libraries() { # PROGRAM FOLDER
  local file
  mkdir -p "$2/glibc"
  for file in $(ldd "$1" | grep -o '/[^ ]*'); do
    case ${file##*/} in
      ld-linux* | libc.so.* | libm.so.* | libdl.so.* | libpthread.so.* | librt.so.*) cp -L "$file" "$2/glibc" ;;
      *) cp -L "$file" "$2" ;;
    esac
  done
}

prepare() { # OUT OPTION...
  local out=$1 bytes build=${DAEDALUS_BUILD:-$here/../../build/release}
  shift
  [ -x "$build/bin/cuda_bench" ] && [ -x "$build/bin/daedalus" ] ||
    fail "there is no $build/bin/cuda_bench; build the preset release, or name another folder with DAEDALUS_BUILD"
  [ ! -e "$out" ] || [ -z "$(ls -A "$out")" ] || fail "'$out' is there already; expected the name of a new folder"
  mkdir -p "$out"
  /usr/bin/python3 "$here/cuda/packages.py" "$out/packages" --daedalus "$build/bin/daedalus" "$@"
  tar -C "$out" -czf "$out/packages.tar.gz" packages # more than half of a small package are zeros
  rm -r "$out/packages"
  cp "$build/bin/cuda_bench" "$here/cuda.sh" "$out"
  copy_libraries "$build/bin/cuda_bench" "$out/lib"
  find "$out/lib" "$out/cuda_bench" -type f -exec strip --strip-debug {} + # as of a build with sanitizers
  bytes=$(find "$out" -type f -printf '%s\n' | awk '{sum += $1} END {print sum}')
  [ "$bytes" -le "$most" ] || fail "'$out' has $bytes bytes; expected at most $most"
  echo "$out: $((bytes >> 10)) KiB"
}

find_cublas() {
  local file
  for file in /usr/local/cuda*/lib64 /usr/lib/x86_64-linux-gnu \
    $(python3 -c 'import nvidia; print(*nvidia.__path__)' 2>/dev/null); do
    find -L "$file" -maxdepth 4 -name 'libcublas.so.1[23]' 2>/dev/null
  done | head -n 1
}

check() { # OUT OPTION...
  local out=$1 libraries
  shift
  [ -x "$out/cuda_bench" ] || fail "there is no $out/cuda_bench; 'cuda.sh prepare' makes such a folder"
  [ -d "$out/packages" ] || tar -C "$out" -xzf "$out/packages.tar.gz"
  libraries=$out/lib:${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}/usr/local/nvidia/lib64
  export DAEDALUS_CUBLAS=${DAEDALUS_CUBLAS:-$(find_cublas)}
  if [[ $(LD_LIBRARY_PATH=$libraries "$out/cuda_bench" 2>&1) == usage* ]]; then
    LD_LIBRARY_PATH=$libraries exec "$out/cuda_bench" "$out/packages" "$@"
  fi
  # This host's C library is older.
  exec "$out"/lib/glibc/ld-linux-x86-64.so.2 --library-path "$libraries:$out/lib/glibc" \
    "$out/cuda_bench" "$out/packages" "$@"
}

case ${1:-} in
  prepare | check) [ $# -ge 2 ] || fail "$1 needs a folder"; "$@" ;;
  *) sed -n '2,7s/^# \{0,1\}//p' "$0"; [ "${1:-}" = --help ] || exit 2 ;;
esac
