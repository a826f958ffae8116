"""How many warps of a function a multiprocessor can hold: "CUDA C++ Programming Guide", table "Technical Specifications per
Compute Capability"."""

WARP = 32
WARPS, BLOCKS = 64, 32  # that a multiprocessor holds
SCHEDULERS = 4  # each with its own warps and its share of the registers
REGISTERS, REGISTER_UNIT = 65536, 256  # of a multiprocessor; what a warp gets is a multiple
SHARED_UNIT, SHARED_RESERVED = 128, 1024  # bytes; each block's system needs some
SHARED = {"sm_80": 164 << 10, "sm_90a": 228 << 10}


def round_up(number, unit):
    return -(-number // unit) * unit


def occupancy(architecture, threads, registers, shared):
    """The share of the warps that a multiprocessor could hold. `threads` of a block, `registers` of a thread, `shared`:
    bytes of a block, dynamic ones included."""
    warps = -(-threads // WARP)
    warp_registers = max(round_up(registers * WARP, REGISTER_UNIT), REGISTER_UNIT)
    fitting = REGISTERS // SCHEDULERS // warp_registers * SCHEDULERS
    block_shared = round_up(shared + SHARED_RESERVED, SHARED_UNIT)
    blocks = min(BLOCKS, WARPS // warps, fitting // warps, SHARED[architecture] // block_shared)
    return blocks * warps / WARPS
