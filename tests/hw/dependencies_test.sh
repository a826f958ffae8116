#!/bin/bash
# dependencies_test.sh BUILD: hw/lint/dependencies.py finds no output of the accelerator that follows an input, and in
# a copy with planted bugs (tests/faulty_hardware) every planted path and nothing else.
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:?usage: dependencies_test.sh BUILD}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$source/hw/lint/dependencies.py" "$build" & right=$!

bugs='PORT_AWREADY_FOLLOWS PORT_ARREADY_FOLLOWS AXI_ARVALID_WITHDRAWN AXI_ARVALID_AFTER_ARREADY AXI_AWVALID_WITHDRAWN
  AXI_AWVALID_AFTER_AWREADY AXI_WVALID_AFTER_WREADY AXI_RREADY_DROPPED AXI_RREADY_FOLLOWS AXI_BREADY_DROPPED
  AXI_BREADY_FOLLOWS'
awk -v RS= -v ORS='\n\n' -v "names=$bugs" 'BEGIN { split(names, n); for (i in n) chosen[n[i]] }
  { for (i = 1; i < NF; i++) if ($i == "bug" && $(i + 1) in chosen) { print; next } }' \
  "$source/tests/faulty_hardware/bugs.txt" >"$work/bugs.txt"
python3 -B "$source/tests/faulty_hardware/plant.py" "$work/bugs.txt" "$source/hw/rtl" "$work/rtl"
sed -i "s/(daedalus_tb.bug_i == .*)/1'b1/" "$work/rtl/bugs.svh"
# A bug may stand in an expression with others, which are not planted here.
grep -oh '`BUG_[A-Z0-9_]*' "$work"/rtl/*.sv | sort -u | while read -r bug; do
  grep -q "define ${bug#?} " "$work/rtl/bugs.svh" || echo "\`define ${bug#?} 1'b0" >>"$work/rtl/bugs.svh"
done
"$source/hw/lint/dependencies.py" "$build" tiny "$work/rtl" >"$work/out" && { echo "no planted path is found"; exit 1; }
sed 's/ (AXI.*//' "$work/out" | sort >"$work/found"
cat >"$work/expected" <<'END'
m_axi_arvalid_o follows m_axi_arready_i
m_axi_arvalid_o follows m_axi_rvalid_i
m_axi_awvalid_o follows m_axi_awready_i
m_axi_awvalid_o follows m_axi_bvalid_i
m_axi_bready_o follows m_axi_bvalid_i
m_axi_rready_o follows m_axi_rvalid_i
m_axi_wvalid_o follows m_axi_wready_i
s_axil_arready_o follows s_axil_rready_i
s_axil_awready_o follows s_axil_wvalid_i
END
diff "$work/expected" "$work/found" || { cat "$work/out"; exit 1; }
cat "$work/out"
wait "$right"
