# As parameter_memory_wide_row_outside.s, of one row of N bytes.
#: what scratchpad range
#: seed 1
#: dram_bytes 73472
#: program_address 1152
#: parameters 26712
#: base 9 45040
#: base 15 26712
#: faulty 2
.machine tiny 515ebbe957f4ae20
.base 9 limit=16384
.base 15 limit=16384 readonly
load signal(vector) base=15 run_bytes=64
load base=15 scope=param run_bytes=2048
vector wait(load) op=add b_scope=param b=258
finish
