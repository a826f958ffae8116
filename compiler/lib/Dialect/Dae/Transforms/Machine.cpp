// See Machine.h.

#include "daedalus/Dialect/Dae/Transforms/Machine.h"

#include "daedalus/Dialect/Host/IR/Host.h"
#include "daedalus/Target/Accelerator/Settings.h"
#include "daedalus/isa/dram.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace daedalus::dae {

constexpr llvm::StringRef machineName = "machine";

mlir::DictionaryAttr toRecord(mlir::MLIRContext *context, const isa::Machine &machine) {
  mlir::Builder builder(context);
  mlir::NamedAttrList keys;
  keys.append("name", builder.getStringAttr(machine.name));
  for (const auto &[name, number] : isa::numbersOf(machine))
    keys.append(name, builder.getI64IntegerAttr(number));
  if (machine.memoryModel)
    keys.append(isa::modelKey, builder.getStringAttr(isa::memoryModelName(machine)));
  return builder.getDictionaryAttr(builder.getNamedAttr(machineName, keys.getDictionary(context)));
}

/// The machine of such a dictionary, checked like a machine file.
static Result<isa::Machine> fromAttribute(mlir::DictionaryAttr attribute) {
  const auto name = attribute.getAs<mlir::StringAttr>("name");
  if (!name)
    return error("the module's machine has no name");
  isa::Machine written;
  if (const auto model = attribute.getAs<mlir::StringAttr>(isa::modelKey))
    if (Result<void> set = isa::setMemoryModel(written, model.str()); !set)
      return error("the module's machine: " + set.error());
  std::vector<std::string> keys;
  for (const auto &[key, number] : isa::numbersOf(written))
    keys.push_back(key);
  for (const std::string &key : isa::optionalKeys())
    if (attribute.contains(key))
      keys.push_back(key);
  for (const std::string &key : keys) {
    const auto value = attribute.getAs<mlir::IntegerAttr>(key);
    if (!value || !value.getType().isSignlessInteger(64) || value.getInt() < 0 || value.getInt() > UINT32_MAX)
      return error("the module's machine has no number '" + key + "' of 64 bits");
    isa::setNumber(written, key, static_cast<uint32_t>(value.getInt()));
  }
  Result<isa::Machine> machine = isa::parseMachine(isa::writeMachine(written), name.str());
  if (machine)
    machine->name = name.str();
  return machine;
}

Result<isa::Machine> machineOf(mlir::Operation *op, const std::string &option) {
  auto module =
      mlir::isa<mlir::ModuleOp>(op) ? mlir::cast<mlir::ModuleOp>(op) : op->getParentOfType<mlir::ModuleOp>();
  const mlir::DictionaryAttr record =
      module ? host::recordOf(module, accelerator::Settings::target) : nullptr;
  const auto attribute = record ? record.getAs<mlir::DictionaryAttr>(machineName) : nullptr;
  if (!attribute)
    return isa::loadMachine(option.empty() ? "default" : option);
  Result<isa::Machine> machine = fromAttribute(attribute);
  if (!machine || option.empty())
    return machine;
  Result<isa::Machine> asked = isa::loadMachine(option);
  if (asked && asked->hash() != machine->hash())
    return error("the module is for machine '" + machine->name + "', which is not machine '" + asked->name +
                 "'; give the machine once");
  return asked;
}

} // namespace daedalus::dae
