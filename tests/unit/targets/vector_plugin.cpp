// The vector machine as a shared object: --target-plugin and --driver.

#include "../../support/vector_machine.h"
#include "vector_target.h"

#include "daedalus/Target/Plugin.h"
#include "daedalus/runtime/drivers.h"

DAEDALUS_TARGET(daedalus::test::createVectorTarget)

DAEDALUS_DRIVER(daedalus::test::vectorMachineName, [](const daedalus::package::Device &device) {
  return daedalus::test::vectorMachineDriver()(device);
})
