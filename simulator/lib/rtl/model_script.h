// The commands that make a Verilated model: verilator makes C++ of the RTL, the compiler a shared object of
// that.
#pragma once

#include "rtl/model_builder.h"

#include <string>

namespace daedalus::sim::rtl {

/// The options that have a say in what a model does.
std::string modelFlags();

/// The RTL's folder.
std::string rtlDirectory(const std::string &hardware, const BuildOptions &options);

/// A shell script that makes model.so in the folder `work`, where the packages of ISA and machine are.
std::string modelScript(const std::string &work, const std::string &hardware, const BuildOptions &options);

} // namespace daedalus::sim::rtl
