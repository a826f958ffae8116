# Shrunk from a random program: finds the planted bug READ_CHANNEL_FETCH_ALWAYS_WINS of read_channel.sv, which
# gives FETCH the bus whenever it asks.
#: what legal
#: seed 7876388650630000672
#: dram_bytes 55936
#: program_address 40384
#: parameters 2554
#: base 1 2554
#: base 9 20533
.machine tiny 515ebbe957f4ae20
.base 1 limit=16384 readonly
.base 9 limit=16384
load base=9 run_bytes=512 unbounded
load base=9 run_bytes=64 unbounded
load base=1 run_bytes=128 unbounded
load base=1 scope=wgt offset=3167 run_bytes=384 unbounded
load base=9
load base=1 scope=param run_bytes=192
load signal(vector) base=1
load signal(vector) base=1 scope=lut run_bytes=256 unbounded
vector wait(load) dst_scope=acc b_scope=imm
vector b_scope=imm
vector b_scope=imm
vector op=mov dst_scope=out loop4(count=4 dst_stride=1)
vector op=mov
nop module=gemm
mark module=store
vector op=mov lo=0
vector wait(load) signal(load gemm) op=lut lo=0
load base=1 scope=wgt run_bytes=3 loop2(count=5) origin_x=-1 extent_y=1 extent_x=2
load wait(vector) signal(store) base=9
store wait(load) base=9
load signal(gemm) base=1
gemm wait(load vector)
nop module=vector
gemm signal(load)
load wait(gemm) base=1
store signal(load) base=9
load signal(vector) base=9
vector wait(load) signal(load) op=mov
load wait(vector store) base=9
load signal(gemm) base=9
gemm wait(load) signal(load vector)
load wait(gemm) base=9
load signal(gemm vector) base=9
vector wait(gemm) op=mov32 dst_scope=out a_scope=acc lo=0
vector wait(load) signal(gemm) b_scope=inp hi=0
gemm wait(load vector) signal(vector)
vector wait(gemm) signal(load) b_scope=param lo=0 hi=0
load wait(vector) base=9
finish
