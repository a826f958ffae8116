#!/bin/bash
# test.sh [--preset P] [CTEST ARGUMENTS...]
# test.sh --nightly [--resume] [STEP...]
#
# Installs missing Debian packages (as root, or through sudo), builds preset P (release by default;
# asan is the one with the sanitizers) and runs every test through ctest. Further arguments go to
# ctest, for example: scripts/test.sh --preset asan -R digits. --nightly runs what takes hours
# (scripts/test.sh --nightly --help).
. "$(dirname "$0")/setup.sh"
preset=release
case ${1:-} in
  -h | --help) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 0 ;;
  --nightly) shift; exec "$root/scripts/nightly.sh" "$@" ;;
  --preset) [ $# -ge 2 ] || { echo "test.sh: error: --preset needs a name" >&2; exit 2; }; preset=$2; shift 2 ;;
esac

install_packages
build "$preset"
say "Running all tests of build/$preset"
cd "$root" && ctest --preset "$preset" -j "$(parallelism)" "$@"
