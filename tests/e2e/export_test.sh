#!/bin/bash
# daedalus export: the folder builds without a warning and needs nothing, a simulated accelerator behind it gives the
# bytes of daedalus run, faults end in their named codes; what a user may get wrong.
. "$(dirname "$0")/cli_lib.sh"
digits=$source/examples/digits/digits.onnx
hosted=$(dirname "$daedalus")/export_hosted
warnings="-Wall -Wextra -Wconversion -Wpedantic -Werror"

# The library of a folder of host code, as a shared object.
shared() { # FOLDER NAME
  ok make -s -C "$1" CFLAGS="-O2 -fPIC -Werror"
  ok gcc -shared -o "$2.so" -Wl,--whole-archive "$1/lib$2.a" -Wl,--no-whole-archive -Wl,--no-undefined -nostdlib
}

raw() { # NPY BYTES: the elements alone
  /usr/bin/python3 -c 'import numpy, sys; sys.stdout.buffer.write(numpy.load(sys.argv[1]).tobytes())' "$1" >"$2"
}

/usr/bin/python3 -c 'import numpy; numpy.save("image.npy", numpy.random.default_rng(1).integers(-128, 128, (1, 1, 8, 8), "int8"))'
raw image.npy image.bin
ok "$DAEDALUS" run "$digits" --input image=image.npy -o expected
raw expected/logits.npy expected.bin
cycles=$("$DAEDALUS" run "$digits" --input image=image.npy --json | sed -n 's/^ *"cycles": \([0-9]*\),$/\1/p' | head -n 1)

# The accelerator alone: the same folder for every processor.
ok "$DAEDALUS" export "$digits" -o digits --cpu x86-64-v2
prints "^digits: firmware digits for x86-64-v2; bytes: arena [0-9,]+, blob [0-9,]+, kernels 0, stack [0-9,]+$"
shared digits digits
for engine in functional systemc; do
  ok "$hosted" "./digits.so" digits $engine default image.bin out.bin
  same out.bin expected.bin
done
prints "^DAE_OK none $cycles$"
ok "$DAEDALUS" compile "$digits" -o digits.dae
ok "$DAEDALUS" export digits.dae -o package --cpu x86-64-v2
same digits/blob.bin package/blob.bin

# Another machine.
ok "$DAEDALUS" export "$digits" -o tiny --cpu x86-64-v2 --machine tiny --name tiny
shared tiny tiny
ok "$hosted" ./tiny.so tiny systemc tiny image.bin out.bin
prints "^DAE_OK none [1-9][0-9]*$"
same out.bin expected.bin

# A broken system: the code's name, and that the mended one runs again.
breaks() { # FAULT RESULT FAULT_NAME
  ok "$hosted" ./digits.so digits systemc default image.bin none.bin "$1"
  prints "^$2 $3 0$"
}
breaks hash DAE_WRONG_MACHINE none
breaks version DAE_WRONG_VERSION none
breaks silent DAE_TIMED_OUT none
prints "^DAE_OK none $cycles$"
breaks damaged DAE_BLOB_DAMAGED none
breaks unaligned DAE_BLOB_UNALIGNED none
breaks short-blob DAE_BLOB_TOO_SMALL none
breaks small DAE_ARENA_TOO_SMALL none
breaks no-platform DAE_NO_PLATFORM none
breaks bus-error DAE_STOPPED_WITH_FAULT bus_error

# Both compilers, both languages, without a warning.
compiles() { # FILE.c...
  local compiler file
  for compiler in gcc clang; do
    for file; do
      ok $compiler -std=c11 -O2 $warnings -ffreestanding -fno-builtin -c "$file" -o object.o
      ok $compiler -x c++ -std=c++17 -O2 $warnings -ffreestanding -fno-builtin -c "$file" -o object.o
    done
  done
}
compiles digits/*.c

# Nothing is undefined, nothing is written.
ok make -s -C package CFLAGS="-Os -fno-pie -Werror"
ok gcc -r -nostdlib -o whole.o -Wl,--whole-archive package/libdigits.a
[ -z "$(nm -u whole.o)" ] || fail "the library needs $(nm -u whole.o)"
[ -z "$(nm whole.o | grep -E ' [bBdDC] ')" ] || fail "the library has writable data: $(nm whole.o | grep -E ' [bBdDC] ')"

# The driver fits into 6 KiB of RISC-V's code.
ok "$DAEDALUS" export "$digits" -o riscv --cpu rv32imc
ok make -s -C riscv CFLAGS="-Os -Werror"
text=$(riscv64-unknown-elf-size riscv/dae_*.o | awk 'NR > 1 {sum += $1} END {print sum}')
[ "$text" -gt 0 ] && [ "$text" -lt 6144 ] || fail "the driver has $text bytes of code and constants, expected less than 6144"

# clang builds it for another processor too. Firmware links with the parts of a linker script.
ok make -s -C riscv clean
ok make -s -C riscv CC=clang AR=ar ARCH="--target=riscv32-unknown-elf -march=rv32imc -mabi=ilp32" CFLAGS="-Os -Werror"
cat >main.c <<'END'
#include "model.h"
static uint8_t arena[DIGITS_ARENA_BYTES] __attribute__((section(".dae_arena.digits"), aligned(DIGITS_ARENA_ALIGNMENT)));
void _start(void);
void _start(void) {
  struct dae_session session;
  const struct dae_platform platform = {.io = dae_mmio((volatile void *)0x40000000)};
  (void)dae_open(&session, &digits_model, &platform, digits_blob, DIGITS_BLOB_BYTES, arena, sizeof arena);
  (void)dae_run(&session);
}
END
ok riscv64-unknown-elf-gcc -march=rv32imc -mabi=ilp32 -Os -ffreestanding -nostdlib -nostartfiles $warnings -Iriscv main.c \
  -Lriscv -ldigits -Triscv/model.ld -Wl,--gc-sections -o firmware.elf
ok riscv64-unknown-elf-readelf -SW firmware.elf
prints '\.dae_blob\.digits +PROGBITS +[0-9a-f]+000 .* 4096$'
prints '\.dae_arena\.digits +NOBITS +[0-9a-f]+000 .* 4096$'

# The stack by the compiler's own figures, of the functions between dae_run and a register.
for optimized in -Os -O0; do
  ok make -s -C riscv clean
  ok make -s -C riscv CFLAGS="$optimized -Werror -fstack-usage"
  cat riscv/*.su >usage
  chain=0
  for function in dae_run run step_0 dae_execute begin dae_configure put64 mmio_write32; do
    chain=$((chain + $(awk -v f="$function" '{split($1, place, ":")} place[4] == f {print $2}' usage | head -n 1 | grep . || echo 0)))
  done
  promised=$(echo DIGITS_STACK_BYTES | riscv64-unknown-elf-gcc -march=rv32imc -mabi=ilp32 $optimized -ffreestanding -Iriscv -E -P \
    -include riscv/model.h - | tail -n 1 | tr -d u)
  [ "$chain" -gt 256 ] && [ "$chain" -le "$promised" ] ||
    fail "with $optimized the C functions have $chain bytes of stack, promised are $promised"
done
[ "$promised" -ge 1024 ] || fail "without optimization $promised bytes of stack are promised"

# The C code of the page and of the folder's README compiles.
for page in "$source/docs/export.md" digits/README.md; do
  awk '/^```c$/ {inside = 1; next} /^```/ {inside = 0} inside' "$page" >snippet.c
  ok gcc -std=c11 $warnings -Idigits -c snippet.c -o snippet.o
done

# The checksum is XXH32 of the blob, and CMake builds the folder too.
ok cmake -S digits -B build -G Ninja -DCMAKE_C_FLAGS=-Werror
ok cmake --build build
ok cmake --build build --target dae_linux

# The library of Linux's user space, for processors that run Linux.
ok make -s -C digits libdae_linux.a CFLAGS="-O2 -Werror"
[ ! -e riscv/dae_linux.c ] || fail "firmware for rv32imc has a back end for Linux"

# Kernels of the processor, and two models in one image.
ok "$DAEDALUS" export "$digits" -o digits_cpu --cpu x86-64-v2 --target cpu --name digits_cpu
shared digits_cpu digits_cpu
ok "$hosted" ./digits_cpu.so digits_cpu functional default image.bin out.bin
prints "^DAE_OK none 0$"
same out.bin expected.bin
ok gcc -shared -o both.so -Wl,--whole-archive digits/libdigits.a -Wl,--no-whole-archive digits_cpu/model.o digits_cpu/kernels.o \
  digits_cpu/blob.o -nostdlib -Wl,--no-undefined
for name in digits digits_cpu; do
  ok "$hosted" ./both.so $name functional default image.bin out.bin
  same out.bin expected.bin
done

# Steps of the processor around one of the accelerator.
mixed=$source/examples/tensor_programs/float_and_int8.mlir
/usr/bin/python3 -c 'import numpy; numpy.save("x.npy", (4 * numpy.random.default_rng(1).normal(size=(16, 40))).astype("float32"))'
raw x.npy x.bin
ok "$DAEDALUS" run "$mixed" --input x.npy -o mixed_expected
raw mixed_expected/result0.npy mixed_expected.bin
ok "$DAEDALUS" export "$mixed" -o mixed --cpu x86-64-v2 --name mixed
prints "kernels [1-9]"
shared mixed mixed
ok "$hosted" ./mixed.so mixed systemc default x.bin out.bin
prints "^DAE_OK none [1-9][0-9]*$"
same out.bin mixed_expected.bin
compiles mixed/model.c "$source/runtime/baremetal/dae_math.c"
# The fake cache sees hooks that do nothing.
for fault in no-clean no-invalidate; do
  if "$hosted" ./mixed.so mixed functional default x.bin out.bin $fault >/dev/null && cmp -s out.bin mixed_expected.bin; then
    fail "nothing shows that the hook of $fault does nothing"
  fi
done

# What a user may get wrong.
refuses 1 "the folder 'digits' is not empty; expected a new folder, or an empty one" "$DAEDALUS" export "$digits" -o digits --cpu rv32imc
refuses 1 "'image.npy' is a file; expected a new folder, or an empty one" "$DAEDALUS" export "$digits" -o image.npy --cpu rv32imc
refuses 2 "rv32imc.*rv32imac.*rv64gc.*cortex-m4.*cortex-m55.*aarch64.*x86-64-v2" "$DAEDALUS" export "$digits" -o new --cpu rv32i
refuses 2 "cpu" "$DAEDALUS" export "$digits" -o new
refuses 1 "rate|--set|--shape" "$DAEDALUS" export "$source/tests/models/open_sizes.onnx" -o new --cpu rv32imc
refuses 1 "the arena takes [0-9,]+ bytes, more than --arena-limit 1,000; the largest tensors are the output of 'stem/conv.* \([0-9,]+\)" \
  "$DAEDALUS" export "$digits" -o new --cpu rv32imc --arena-limit 1000
refuses 1 "blob and kernels take [0-9,]+ bytes, more than --flash-limit 1,000; the largest parts are " \
  "$DAEDALUS" export "$digits" -o new --cpu rv32imc --flash-limit 1000
refuses 1 "--name: 'Digits' cannot begin the names of C code; expected .* such as 'digits'" "$DAEDALUS" export "$digits" -o new --cpu rv32imc --name Digits
refuses 1 "--name: 'dae_x' begins as the driver's names do" "$DAEDALUS" export "$digits" -o new --cpu rv32imc --name dae_x
ok "$DAEDALUS" compile "$digits" --target cpu -o native.dae
refuses 1 "'native.dae' carries native code .* export the model that it was compiled from" "$DAEDALUS" export native.dae -o new --cpu rv32imc
refuses 2 "--machine is for models: 'digits.dae' is a package" "$DAEDALUS" export digits.dae -o new --cpu rv32imc --machine tiny
/usr/bin/python3 - <<'END'
import onnx
from onnx import TensorProto, helper
value = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [4])
graph = helper.make_graph([helper.make_node("scale", ["x"], ["y"], domain="daedalus.external")], "g", [value("x")], [value("y")])
opsets = [helper.make_opsetid("", 13), helper.make_opsetid("daedalus.external", 1)]
onnx.save(helper.make_model(graph, opset_imports=opsets), "external.onnx")
END
refuses 1 "the model calls the function 'scale', which firmware does not have" "$DAEDALUS" export external.onnx -o new --cpu rv32imc
refuses 1 "the model runs kernels on the device 'cuda', which firmware cannot reach" "$DAEDALUS" export "$digits" -o new --cpu rv32imc --target cuda
refuses 1 "nowhere.onnx" "$DAEDALUS" export nowhere.onnx -o new --cpu rv32imc
finish
