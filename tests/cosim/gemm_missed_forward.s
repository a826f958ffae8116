# Shrunk from a random program: finds the planted bug GEMM_MISSED_FORWARD of gemm.sv, which
# adds to the accumulator of before the last iteration.
#: what legal
#: seed 2307431409011483444
#: dram_bytes 53440
#: program_address 38848
#: base 2 19657
.machine tiny 515ebbe957f4ae20
.base 2 limit=16384
.base 11 limit=16384 readonly
load base=11 unbounded
load signal(gemm) base=11 scope=wgt run_bytes=96 unbounded
gemm wait(load) reduction(4 5) loop5(count=3)
finish
