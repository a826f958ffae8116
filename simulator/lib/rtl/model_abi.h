// The interface of a Verilated model lies with its testbench.
#pragma once

#include "../../../hw/tb/model.h"
