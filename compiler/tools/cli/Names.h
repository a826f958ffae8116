// The libraries whose names the programs use as their own.
#pragma once

namespace daedalus::report {}
namespace daedalus::tuning {}

namespace daedalus::cli {

using namespace report; // what commands print
using namespace tuning; // and measure

} // namespace daedalus::cli
