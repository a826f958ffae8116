#!/bin/bash
# quickstart.sh: from a bare Debian 12 to a network on the simulated accelerator.
#
# Installs missing Debian packages (as root, or through sudo), builds the release preset, and runs
# examples/digits on the functional engine, on the cycle-level engine with all four machines, on the
# RTL, and on the host's CPU. The logits of all runs must agree byte for byte, and 97% of the images be right.
. "$(dirname "$0")/setup.sh"
[ $# -eq 0 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0"; [ "$1" = --help ] && exit 0 || exit 2; }

results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
summary=()

digits() { # NAME ARGUMENTS...: one run; its output and logits are kept under NAME
  local name=$1 line
  shift
  printf '    %-22s' "$name"
  "$root/examples/digits/run.sh" "$@" --output "$results/$name.npy" >"$results/$name.txt" || stop "the run '$name' failed"
  line=$(tail -n 1 "$results/$name.txt")
  summary+=("$(printf '%-22s %s' "$name" "$line")")
  echo "$line"
  awk '{exit !($1 == "accuracy" && $2 >= 0.97)}' <<<"$line" || stop "'$name' is less accurate than 0.97"
  [ "$name" = functional ] || cmp "$results/functional.npy" "$results/$name.npy" ||
    stop "the logits of '$name' differ from those of the functional engine"
}

install_packages
build release
say "Running examples/digits: 400 held-out images, none of them seen in training"
digits functional --engine functional
for machine in default vta tiny large; do
  digits "systemc-$machine" --engine systemc --machine "$machine"
done
digits rtl-tiny --engine rtl --machine tiny
digits cpu --target cpu

say "One image, layer by layer, on the cycle-level simulator (machine default)"
sed '$d' "$results/systemc-default.txt"
say "All held-out images; logits identical byte for byte in all runs"
printf '%s\n' "${summary[@]}"
