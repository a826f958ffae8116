# Shrunk from a random program: finds the planted bug VECTOR_LANE_ROUNDS_UP of vector_lane.sv, which
# rounds halves up where they go to the even neighbour.
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
load base=1 scope=param offset=2384 run_bytes=384 unbounded
load signal(vector) base=9 dst=3895 loop2(count=8 dst_stride=21)
vector wait(load) op=requant b_scope=param a=505 hi=0
finish
