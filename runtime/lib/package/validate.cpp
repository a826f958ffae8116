// The promises of package.h, checked: the executor relies on them and checks nothing again.

#include "daedalus/package/package.h"

#include "check.h"

#include <algorithm>

namespace daedalus::package {
namespace {

bool fits(uint64_t offset, uint64_t bytes, uint64_t space) {
  return offset <= space && bytes <= space - offset;
}

Result<void> checkValue(const Value &value, uint64_t arenaBytes, const std::string &where) {
  if (!countable(value.type))
    return invalid(where + " has the shape " + toString(value.type) + ", which is negative or too large");
  if (!fits(value.offset, byteSize(value.type), arenaBytes))
    return invalid(where + " at " + number(value.offset) + " leaves the arena of " + number(arenaBytes) +
                   " bytes");
  if (value.offset % byteSize(value.type.dtype))
    return invalid(where + " at " + number(value.offset) + " is not aligned to its elements");
  return {};
}

uint64_t bytesOf(const Package &package, Space space) {
  if (space == Space::Constants)
    return package.constants.size();
  return space == Space::Arena ? package.arenaBytes : package.devices[deviceOf(space)].memoryBytes;
}

Result<void> checkSpace(const Package &package, const Ref &ref, Step::Kind kind, const std::string &where) {
  if (isShared(ref.space))
    return {};
  if (deviceOf(ref.space) >= package.devices.size())
    return invalid(where + " lies in the memory space " + number(static_cast<uint64_t>(ref.space)) + " of " +
                   number(static_cast<uint64_t>(Space::FirstDevice) + package.devices.size()));
  if (kind == Step::Kind::Copy || kind == Step::Kind::CallDevice)
    return {};
  return invalid(where + " lies in " + describe(package, ref.space) +
                 ", which only copies and its own kernels reach");
}

Result<void> checkRef(const Package &package, const Ref &ref, bool isOutput, const std::string &where) {
  if (!countable(ref.type) || ref.bytes != byteSize(ref.type))
    return invalid(where + " has " + number(ref.bytes) + " bytes, its type " + toString(ref.type) +
                   " does not");
  if (isOutput && ref.space == Space::Constants)
    return invalid(where + " writes to the constants");
  const uint64_t space = bytesOf(package, ref.space);
  if (!fits(ref.offset, ref.bytes, space))
    return invalid(where + " at " + number(ref.offset) + " with " + number(ref.bytes) +
                   " bytes leaves its space of " + number(space) + " bytes");
  if (ref.offset % byteSize(ref.type.dtype))
    return invalid(where + " at " + number(ref.offset) + " is not aligned to its elements");
  return {};
}

Result<void> checkCopy(const Step &step, const std::string &where) {
  if (step.inputs.size() != 1 || step.outputs.size() != 1 || step.inputs[0].bytes != step.outputs[0].bytes)
    return invalid(where + " is a copy and needs one input and one output of the same size");
  if (overlap(step.inputs[0], step.outputs[0]))
    return invalid(where + " copies a range onto itself");
  return {};
}

/// The device in whose memory all operands of a step lie.
Result<const Device *> checkDevice(const Package &package, const Step &step, const std::string &where) {
  if (step.outputs.empty())
    return invalid(where + " calls a kernel of a device and writes nothing");
  const Space space = step.outputs[0].space;
  if (isShared(space) || deviceOf(space) >= package.devices.size())
    return invalid(where + " calls a kernel of a device and writes to no device's memory");
  for (const std::vector<Ref> *operands : {&step.inputs, &step.outputs})
    for (const Ref &ref : *operands)
      if (ref.space != space)
        return invalid(where + " has operands in several memories; the kernels of the device '" +
                       package.devices[deviceOf(space)].name + "' reach their own alone");
  return &package.devices[deviceOf(space)];
}

Result<void> checkStep(const Package &package, const Step &step, const std::string &where) {
  uint64_t choices = 1;
  const Device *device = nullptr;
  switch (step.kind) {
  case Step::Kind::CallKernel:
    choices = package.kernels.size();
    break;
  case Step::Kind::CallExternal:
    choices = package.externals.size();
    break;
  case Step::Kind::Copy:
    break;
  case Step::Kind::Start:
  case Step::Kind::Wait:
    choices = package.programs.size();
    break;
  case Step::Kind::CallDevice: {
    auto found = checkDevice(package, step, where);
    if (!found)
      return error(found.error());
    device = *found;
    choices = device->kernels.size();
    break;
  }
  }
  if (step.index >= choices)
    return invalid(where + " names number " + number(step.index) + " of " + number(choices));
  if (step.layer != noLayer && step.layer >= package.layers.size())
    return invalid(where + " names layer " + number(step.layer) + " of " + number(package.layers.size()));
  for (const bool isOutput : {false, true}) {
    const std::vector<Ref> &operands = isOutput ? step.outputs : step.inputs;
    for (size_t i = 0; i < operands.size(); ++i) {
      const std::string which = where + (isOutput ? ", output " : ", input ") + number(i) + ",";
      if (auto ok = checkSpace(package, operands[i], step.kind, which); !ok)
        return ok;
      if (auto ok = checkRef(package, operands[i], isOutput, which); !ok)
        return ok;
    }
  }
  if (step.kind == Step::Kind::CallKernel || device)
    return checkCall((device ? device->kernels : package.kernels)[step.index], step, where);
  return step.kind == Step::Kind::Copy ? checkCopy(step, where) : Result<void>();
}

/// Every Start has its Wait before anything else is started and before the end.
Result<void> checkStarts(const Function &function, const std::string &where) {
  const Step *running = nullptr;
  for (const Step &step : function.steps) {
    if (step.kind == Step::Kind::Start) {
      if (running)
        return invalid(where + " starts program " + number(step.index) + " while program " +
                       number(running->index) + " is running");
      running = &step;
    } else if (step.kind == Step::Kind::Wait) {
      if (!running || running->index != step.index)
        return invalid(where + " waits for program " + number(step.index) + ", which is not running");
      running = nullptr;
    }
  }
  if (running)
    return invalid(where + " ends while program " + number(running->index) + " is running");
  return {};
}

Result<void> checkValues(const std::vector<Value> &values, uint64_t arenaBytes, const std::string &where) {
  Names names(where);
  for (const Value &value : values) {
    if (auto ok = checkValue(value, arenaBytes, where + " '" + value.name + "'"); !ok)
      return ok;
    if (auto ok = names.add(value.name); !ok)
      return ok;
  }
  return {};
}

/// An input in the memory of another one would be overwritten before the first step.
Result<void> checkInputsApart(const Function &function, const std::string &where) {
  std::vector<const Value *> inputs;
  for (const Value &value : function.inputs)
    if (byteSize(value.type))
      inputs.push_back(&value);
  std::sort(inputs.begin(), inputs.end(),
            [](const Value *a, const Value *b) { return a->offset < b->offset; });
  for (size_t i = 1; i < inputs.size(); ++i)
    if (inputs[i - 1]->offset + byteSize(inputs[i - 1]->type) > inputs[i]->offset)
      return invalid(where + " has the inputs '" + inputs[i - 1]->name + "' and '" + inputs[i]->name +
                     "' in the same memory");
  return {};
}

Result<void> checkFunction(const Package &package, const Function &function) {
  std::string where = "function '" + function.name + "'";
  if (auto ok = checkValues(function.inputs, package.arenaBytes, where + ", input"); !ok)
    return ok;
  if (auto ok = checkValues(function.outputs, package.arenaBytes, where + ", output"); !ok)
    return ok;
  if (auto ok = checkInputsApart(function, where); !ok)
    return ok;
  for (size_t i = 0; i < function.steps.size(); ++i)
    if (auto ok = checkStep(package, function.steps[i], where + ", step " + number(i)); !ok)
      return ok;
  return checkStarts(function, where);
}

Result<void> checkBases(const Package &package, const AcceleratorProgram &program, const std::string &where) {
  const uint64_t sizes[] = {package.constants.size(), package.arenaBytes};
  if (!program.bases[0].readOnly && program.bases[0].limit)
    return invalid(where + " may write to the constants (base 0 is not read-only)");
  for (size_t b = 0; b < program.bases.size(); ++b)
    if (uint64_t most = b < 2 ? sizes[b] : 0; program.bases[b].limit > most)
      return invalid(where + " has limit " + number(program.bases[b].limit) + " on base " + number(b) +
                     ", which holds " + number(most) + " bytes");
  return {};
}

Result<void> checkProgram(const Package &package, const AcceleratorProgram &program,
                          const std::string &where) {
  if (program.words.empty() || program.words.size() % 64)
    return invalid(where + " has " + number(program.words.size()) + " bytes, expected instructions of 64");
  if (program.layerOfInstruction.size() != program.words.size() / 64)
    return invalid(where + " has " + number(program.words.size() / 64) +
                   " instructions and a debug table for " + number(program.layerOfInstruction.size()));
  for (uint32_t layer : program.layerOfInstruction)
    if (layer != noLayer && layer >= package.layers.size())
      return invalid(where + " names layer " + number(layer) + " of " + number(package.layers.size()));
  return checkBases(package, program, where);
}

Result<void> checkFunctions(const Package &package) {
  Names names("function");
  for (const Function &function : package.functions) {
    if (auto ok = names.add(function.name); !ok)
      return ok;
    if (auto ok = checkFunction(package, function); !ok)
      return ok;
  }
  return {};
}

Result<void> checkExternals(const Package &package) {
  Names names("external function");
  for (const std::string &name : package.externals)
    if (auto ok = names.add(name); !ok)
      return ok;
  return {};
}

} // namespace

Result<void> validate(const Package &package) {
  if (package.arenaBytes > mostBytes || package.constants.size() > mostBytes)
    return invalid("an arena of " + number(package.arenaBytes) + " bytes and constants of " +
                   number(package.constants.size()) + " bytes are more than can be addressed");
  for (size_t i = 0; i < package.programs.size(); ++i)
    if (auto ok = checkProgram(package, package.programs[i], "program " + number(i)); !ok)
      return ok;
  if (auto ok = checkKernels(package); !ok)
    return ok;
  if (auto ok = checkDevices(package); !ok)
    return ok;
  if (auto ok = checkExternals(package); !ok)
    return ok;
  return checkFunctions(package);
}

} // namespace daedalus::package
