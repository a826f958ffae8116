"""The registers as the generated C header, daedalus_isa.h, has them."""
import re


def registers_of(text):
    """{offset: (name, access, [bits])} of the header's text, those of arrays one by one."""
    registers, steps = {}, {}
    for line in text.splitlines():
        if found := re.match(r"#define DAEDALUS_REG_(\w+) (0x\w+)u /\* (\w+):", line):
            last = found[1].lower()
            registers[int(found[2], 16)] = (last, found[3], [])
            offset = int(found[2], 16)
        elif found := re.match(r"#define DAEDALUS_REG_(\w+)_(STEP|COUNT) (\d+)u", line):
            steps.setdefault(found[1].lower(), {})[found[2]] = int(found[3])
        elif registers and (found := re.match(r"#define DAEDALUS_(\w+) (0x\w+)u$", line)) and found[1].lower().startswith(last):
            registers[offset][2].append(int(found[2], 16).bit_length() - 1)
    for offset, register in list(registers.items()):
        if array := steps.get(register[0]):
            registers.update({offset + i * array["STEP"]: register for i in range(array["COUNT"])})
    return registers
