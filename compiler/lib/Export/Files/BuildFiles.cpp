// What builds the folder: a Makefile, a CMake file, a linker script's part, the blob as assembly.

#include "../Plan.h"
#include "Text.h"

namespace daedalus::firmware {
namespace {

/// `text` with the plan's words in the place of @WORDS@.
std::string filled(std::string text, const Plan &plan) {
  const std::pair<const char *, std::string> words[] = {
      {"@NAME@", plan.options.name},
      {"@CPU@", plan.options.processor},
      {"@FLAGS@", plan.processor.flags},
      {"@PREFIX@", plan.processor.prefix},
      {"@ALIGNMENT@", std::to_string(plan.alignment)},
      {"@MATH_OBJECT@", plan.kernels.needsMath ? "dae_math.o" : ""},
      {"@MATH_SOURCE@", plan.kernels.needsMath ? "dae_math.c" : ""},
      {"@KERNELS@", plan.hasKernels() ? "kernels.o" : ""},
      {"@CLANG@", plan.processor.clang},
      {"@LINUX@", linuxCommand(plan.processor)},
      {"@LINUX_SOURCES@", "dae_linux.c dae_linux_files.c dae_linux_memory.c dae_linux_socket.c"}};
  for (const auto &[word, value] : words)
    for (size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += value.size())
      text.replace(at, std::string(word).size(), value);
  return text;
}

/// Of processors that run Linux: the library that drives the accelerator from its user space. It uses a C
/// library.
std::string linuxRules(const Plan &plan) {
  if (!plan.processor.hasLinux)
    return "";
  return filled("\n# For Linux's user space (dae_linux.h): @LINUX@\n"
                "LINUX_OBJECTS = $(patsubst %.c,%.o,@LINUX_SOURCES@)\n"
                "LINUX = libdae_linux.a $(LINUX_OBJECTS)\n"
                "libdae_linux.a: $(LINUX_OBJECTS)\n"
                "\trm -f $@\n"
                "\t$(AR) rcs $@ $^\n"
                "\n"
                "$(LINUX_OBJECTS): %.o: %.c dae_linux.h dae_linux_parts.h dae_linux_socket.h dae_firmware.h "
                "dae_driver.h daedalus_isa.h\n"
                "\t$(CC) -std=c11 -Wall -Wextra -Wconversion -Wpedantic $(ARCH) $(CFLAGS) -c -o $@ $<\n",
                plan);
}

std::string linuxTarget(const Plan &plan) {
  if (!plan.processor.hasLinux)
    return "";
  return filled(
      "# For Linux's user space (dae_linux.h): the same for all models, built where a program links it.\n"
      "if(NOT TARGET dae_linux)\n"
      "  add_library(dae_linux STATIC EXCLUDE_FROM_ALL @LINUX_SOURCES@)\n"
      "  target_link_libraries(dae_linux PUBLIC @NAME@)\n"
      "  set_target_properties(dae_linux PROPERTIES C_STANDARD 11)\n"
      "endif()\n",
      plan);
}

} // namespace

std::string blobAssembly(const Plan &plan) {
  return filled(
      "/* blob.bin as the symbol @NAME@_blob. The assembler looks for blob.bin in its -I folders. */\n"
      "  .section .dae_blob.@NAME@, \"a\"\n"
      "  .balign @ALIGNMENT@\n"
      "  .global @NAME@_blob\n"
      "@NAME@_blob:\n"
      "  .incbin \"blob.bin\"\n"
      "  .section .note.GNU-stack, \"\", %progbits\n",
      plan);
}

std::string makefile(const Plan &plan) {
  return filled("# lib@NAME@.a: the model, its blob and the driver, for @CPU@.\n"
                "#   make                        with @PREFIX@gcc\n"
                "#   make CC=clang AR=ar ARCH='@CLANG@ @FLAGS@'\n"
                "#   make BLOB=                  without the blob, where the firmware loads blob.bin itself\n"
                "CROSS ?= @PREFIX@\n"
                "CC = $(CROSS)gcc\n"
                "AR = $(CROSS)ar\n"
                "ARCH ?= @FLAGS@\n"
                "CFLAGS ?= -Os\n"
                "BLOB ?= blob.o\n"
                "# Loops must not become calls of what they are: memcpy and the like.\n"
                "LOOPS = -fno-builtin $(shell $(CC) -fno-tree-loop-distribute-patterns -E -x c /dev/null "
                ">/dev/null 2>&1 &&"
                " echo -fno-tree-loop-distribute-patterns)\n"
                "FLAGS = -std=c11 -ffreestanding -ffunction-sections -fdata-sections -Wall -Wextra "
                "-Wconversion -Wpedantic"
                " $(LOOPS) $(ARCH) $(CFLAGS)\n"
                "OBJECTS = model.o dae_driver.o dae_firmware.o dae_mmio.o dae_names.o dae_memory.o "
                "@MATH_OBJECT@ $(BLOB)\n"
                "\n"
                "lib@NAME@.a: $(OBJECTS) @KERNELS@\n"
                "\trm -f $@\n"
                "\t$(AR) rcs $@ $^\n"
                "\n"
                "%.o: %.c model.h dae_firmware.h dae_driver.h daedalus_isa.h\n"
                "\t$(CC) $(FLAGS) -c -o $@ $<\n"
                "\n"
                "blob.o: blob.S blob.bin\n"
                "\t$(CC) $(ARCH) -I. -c -o $@ $<\n"
                "\n"
                "clean:\n"
                "\trm -f lib@NAME@.a $(OBJECTS) $(LINUX)\n"
                "\n"
                ".PHONY: clean\n",
                plan) +
         linuxRules(plan);
}

std::string cmakeFile(const Plan &plan) {
  return filled("# add_subdirectory(this folder) gives the library @NAME@, for @CPU@. The toolchain file "
                "sets the compiler's\n"
                "# flags: @FLAGS@\n"
                "cmake_minimum_required(VERSION 3.13)\n"
                "project(@NAME@ LANGUAGES C ASM)\n"
                "add_library(@NAME@ STATIC model.c dae_driver.c dae_firmware.c dae_mmio.c dae_names.c "
                "dae_memory.c @MATH_SOURCE@ blob.S\n"
                "  @KERNELS@)\n"
                "target_include_directories(@NAME@ PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})\n"
                "target_compile_options(@NAME@ PRIVATE $<$<COMPILE_LANGUAGE:C>:-ffreestanding -fno-builtin\n"
                "  -ffunction-sections -fdata-sections>\n"
                "  $<$<AND:$<COMPILE_LANGUAGE:C>,$<C_COMPILER_ID:GNU>>:-fno-tree-loop-distribute-patterns>)\n"
                "set_target_properties(@NAME@ PROPERTIES C_STANDARD 11)\n",
                plan) +
         linuxTarget(plan);
}

std::string linkerScript(const Plan &plan) {
  return filled(
      "/* Parts of a linker script for @NAME@: put the first among the read-only sections, in memory that "
      "the\n"
      " * accelerator reaches if the model uses it, and the second among those that are not initialized. An\n"
      " * arena in it is declared with __attribute__((section(\".dae_arena.@NAME@\"))). */\n"
      "SECTIONS\n"
      "{\n"
      "  .dae_blob.@NAME@ ALIGN(@ALIGNMENT@) : { KEEP(*(.dae_blob.@NAME@)) }\n"
      "  .dae_arena.@NAME@ ALIGN(@ALIGNMENT@) (NOLOAD) : { *(.dae_arena.@NAME@) }\n"
      "}\n"
      "INSERT AFTER .rodata;\n",
      plan);
}

} // namespace daedalus::firmware
