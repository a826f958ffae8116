// The subcommands of `daedalus`, one file each.
#pragma once

#include "cli/CommandLine.h"

namespace daedalus::cli {

void addCompile(CLI::App &app);
void addRun(CLI::App &app);
void addProfile(CLI::App &app);
void addCertify(CLI::App &app);
void addAsm(CLI::App &app);
void addDisasm(CLI::App &app);
void addVerify(CLI::App &app);
void addBench(CLI::App &app);
/// `bench --calibrate`.
void addCalibrate(CLI::App &bench);
void addCheck(CLI::App &app);
void addCosim(CLI::App &app);
void addExplore(CLI::App &app);
void addExport(CLI::App &app);
void addInfo(CLI::App &app);
void addServe(CLI::App &app);
void addTune(CLI::App &app);

} // namespace daedalus::cli
