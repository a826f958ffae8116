# Shrunk from a random program: finds the planted bug STORE_SEGMENTS_OVER_4K of store_segments.sv, which
# does not cut a burst at the boundary.
#: what legal
#: seed 2307431409011483444
#: dram_bytes 53440
#: program_address 38848
#: base 2 19657
.machine tiny 515ebbe957f4ae20
.base 2 limit=16384
.base 11 limit=16384 readonly
load signal(vector) base=11
vector wait(load) signal(store) op=mov dst_scope=out
store wait(vector) base=2 offset=4596 run_bytes=8 loop1(count=2 dram_stride=-834)
finish
