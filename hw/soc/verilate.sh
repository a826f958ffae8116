#!/bin/bash
# verilate.sh PICORV32 OBJECT: the Verilated processor, of the file picorv32.v, as a shared object. Rules of ours instead
# of the makefile that Verilator writes, which appends -Os.
set -euo pipefail
picorv32=$1 object=$2
soc=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "$object.XXXXXX")
trap 'rm -rf "$work"' EXIT
verilator --cc -O3 --x-assign fast --x-initial fast -Wno-fatal -Wno-lint -Wno-style -Wno-TIMESCALEMOD --top-module processor --Mdir "$work" \
  "$soc/counters.vlt" "$soc/processor.sv" "$picorv32"
include=$(verilator --getenv VERILATOR_ROOT)/include
${CXX:-g++} -std=c++17 -O3 -fPIC -fno-stack-protector -fno-gnu-unique -DVM_COVERAGE=0 -DVM_SC=0 -DVM_TRACE=0 -I"$work" -I"$soc" \
  -I"$include" -I"$include/vltstd" -shared -pthread -Wl,-Bsymbolic,-z,defs -o "$work/model.so" \
  "$work"/*.cpp "$soc/model.cpp" "$include/verilated.cpp" "$include/verilated_threads.cpp"
mv "$work/model.so" "$object"
