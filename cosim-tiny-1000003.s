# daedalus cosim --replay ./cosim-tiny-1000003.s
# first divergence, cycle 53: what the module does in its cycles differs
#   instruction 0 of load: load base=4 unbounded
#     systemc  memory in cycles 53 to 81 for instruction 1
#     rtl      memory in cycles 53 to 81 for instruction 0
#   last events of systemc:
#     cycle 44: load starts instruction 0
#     cycle 52: load starts instruction 1
#   last events of rtl:
#     cycle 44: load starts instruction 0
#     cycle 52: load starts instruction 1
#: what legal
#: seed 2307431409011483444
#: dram_bytes 55488
#: program_address 40896
#: parameters 2795
#: base 4 2795
#: base 12 22769
.machine tiny 48d5cc052fa56c96
.base 4 limit=16384 readonly
.base 12 limit=16384
load base=4 unbounded
load base=4
finish
