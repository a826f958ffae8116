# As scratchpad_acc_one_row, of rows of 256 bytes, the widest.
#: what legal
#: seed 2307431409011483444
#: dram_bytes 55040
#: program_address 40896
#: parameters 2795
#: base 4 2795
#: base 12 22769
.machine scratchpad_acc_one_row_n64 3a9a6a8e7678f40a
.base 4 limit=16384 readonly
.base 12 limit=16384
load signal(vector) base=4 run_bytes=64 unbounded
vector wait(load) op=mov dst_scope=acc loop4(count=2 dst_stride=1)
finish
