// Where the hardware's sources and the models of the built-in machines are: beside the library where it was
// installed, else where they were when it was built.
#pragma once

#include <filesystem>

namespace daedalus::sim::rtl {

/// The folder of hw/; DAEDALUS_HW names another one.
std::filesystem::path hardwareDirectory();

/// The folder of the models that were made with the project.
std::filesystem::path builtinModels();

/// A file of the simulated system that was made with the project: its Verilated processor, where PicoRV32 was
/// there, or its firmware, where there was a compiler for it.
std::filesystem::path systemFile(const char *name);

} // namespace daedalus::sim::rtl
