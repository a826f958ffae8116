# Each bank of ACC is one row: bit 0 of the row went on to its RAM, so that row 1 was lost.
#: what legal
#: seed 2307431409011483444
#: dram_bytes 55104
#: program_address 40896
#: parameters 2795
#: base 4 2795
#: base 12 22769
.machine scratchpad_acc_one_row 5f6e26f5df6fb763
.base 4 limit=16384 readonly
.base 12 limit=16384
load signal(vector) base=4 run_bytes=16 unbounded
vector wait(load) dst_scope=acc b_scope=imm loop4(count=2 dst_stride=1)
finish
