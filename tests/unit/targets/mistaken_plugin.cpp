// Shared objects with a mistake: of another version, or with a name that is taken or none.

#include "daedalus/Target/Plugin.h"
#include "daedalus/runtime/drivers.h"

using namespace daedalus;

namespace {

#if defined(MISTAKE_TAKEN)
constexpr const char *targetName = "cpu", *optionName = "mistaken", *deviceName = "vector-machine";
#elif defined(MISTAKE_NAME)
constexpr const char *targetName = "No Name", *optionName = "mistaken", *deviceName = "";
#elif defined(MISTAKE_OPTION)
constexpr const char *targetName = "mistaken", *optionName = "machine", *deviceName = "mistaken";
#else
constexpr const char *targetName = "mistaken", *optionName = "mistaken", *deviceName = "mistaken";
#endif

class MistakenTarget : public Target {
public:
  std::string name() const override { return targetName; }
  std::string title(const TargetState &) const override { return targetName; }
  std::vector<TargetOption> options() const override { return {TargetOption{optionName, "X"}}; }
  Support supports(mlir::func::FuncOp, TargetState &) const override { return {}; }
};

std::unique_ptr<Target> create() {
  return std::make_unique<MistakenTarget>();
}

Result<std::unique_ptr<runtime::DeviceDriver>> open(const package::Device &) {
  return error("it is mistaken");
}

#ifdef MISTAKE_VERSION
constexpr uint32_t mistake = 1000;
#else
constexpr uint32_t mistake = 0;
#endif

} // namespace

extern "C" const TargetPlugin daedalusTarget;
const TargetPlugin daedalusTarget = {targetVersion + mistake, create};
extern "C" const runtime::DriverPlugin daedalusDriver;
const runtime::DriverPlugin daedalusDriver = {runtime::driverVersion + mistake, deviceName, open, nullptr};
