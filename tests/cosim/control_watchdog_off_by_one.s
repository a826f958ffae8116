# Shrunk from a random program: finds the planted bug CONTROL_WATCHDOG_OFF_BY_ONE of control.sv, which
# reports no progress a cycle late.
#: what missing token
#: seed 982983061383236096
#: dram_bytes 70016
#: program_address 36928
#: base 15 20452
.machine tiny 515ebbe957f4ae20
.base 8 limit=16384 readonly
.base 15 limit=16384
nop wait(load) module=gemm
finish
