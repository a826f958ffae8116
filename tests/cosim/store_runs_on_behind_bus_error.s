# Shrunk from a random program that was taken for a divergence: what the LOAD leaves that has a bus error has no
# promise, but the STORE that started before runs on for 25,000 cycles until the stop tells which one faulted.
#: what bus error
#: seed 5684955933700344321
#: dram_bytes 67776
#: program_address 38272
#: parameters 2111
#: memory_seed 586928441530294642
#: latency_spread 40
#: base 0 2111
#: base 1 67429
#: base 13 21586
#: faulty 1
.machine default 0522596141f5576c
.base 0 limit=16384 readonly
.base 1 limit=16384
.base 13 limit=16384
load signal(vector) base=13 run_bytes=16
load base=1 scope=param run_bytes=384 unbounded
vector wait(load) signal(store) op=mov dst_scope=out lo=0 hi=0
store wait(vector) base=13 loop2(count=4100)
finish
