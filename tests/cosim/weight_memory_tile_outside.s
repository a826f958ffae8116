# GEMM reads a tile outside of WGT, which is a fault, while LOAD writes the tile that has its number but for the bits above
# WGT: the memory took that for a race of the program.
#: what scratchpad range
#: seed 1937260426168193821
#: dram_bytes 73472
#: program_address 1152
#: parameters 26712
#: base 9 45040
#: base 15 26712
#: faulty 2
.machine large ffa66f9832d426e7
.base 9 limit=16384
.base 15 limit=16384 readonly
load signal(gemm) base=15 run_bytes=128
load base=15 scope=wgt
gemm wait(load) wgt=1024
finish
