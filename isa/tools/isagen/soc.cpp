// Loads soc.yaml: regions do not overlap, registers lie in theirs, and lines and codes have one name each.
#include "soc.h"

#include "yaml.h"

#include <algorithm>

namespace isagen {
namespace {

constexpr unsigned FirstLine = 3, LineCount = 32; // the lines before are the processor's own

SocRegion loadRegion(const YAML::Node &node) {
  checkKeys(node, {"name", "base", "bytes", "access", "wait", "doc"});
  SocRegion region;
  region.name = need<std::string>(node, "name");
  region.base = need<uint32_t>(node, "base");
  region.bytes = need<uint32_t>(node, "bytes");
  region.access = need<std::string>(node, "access");
  region.doc = need<std::string>(node, "doc");
  if (node["wait"])
    region.wait = need<unsigned>(node, "wait");
  if (region.bytes == 0 || (region.bytes & (region.bytes - 1)) || region.base % region.bytes)
    fail(node, "a region has a power of two of bytes and lies at a multiple of it");
  return region;
}

std::vector<SocRegion> loadRegions(const YAML::Node &list) {
  std::vector<SocRegion> regions;
  for (const YAML::Node &node : list) {
    const SocRegion region = loadRegion(node);
    for (const SocRegion &other : regions)
      if (uint64_t(region.base) < uint64_t(other.base) + other.bytes &&
          uint64_t(other.base) < uint64_t(region.base) + region.bytes)
        fail(node, "'" + region.name + "' overlaps '" + other.name + "'");
    regions.push_back(region);
  }
  return regions;
}

std::vector<SocInterrupt> loadInterrupts(const YAML::Node &list) {
  std::vector<SocInterrupt> interrupts;
  for (const YAML::Node &node : list) {
    checkKeys(node, {"name", "line", "doc"});
    const SocInterrupt interrupt{need<std::string>(node, "name"), need<std::string>(node, "doc"),
                                 need<unsigned>(node, "line")};
    if (interrupt.line < FirstLine || interrupt.line >= LineCount)
      fail(node, "a line is one of 3 to 31");
    interrupts.push_back(interrupt);
  }
  return interrupts;
}

SocDevice loadDevice(const Soc &soc, const YAML::Node &name, const YAML::Node &registers) {
  SocDevice device{name.as<std::string>(), loadRegisters(registers)};
  const auto isIts = [&](const SocRegion &region) { return region.name == device.name; };
  const auto region = std::find_if(soc.regions.begin(), soc.regions.end(), isIts);
  if (region == soc.regions.end())
    fail(name, "no region is named '" + device.name + "'");
  for (const Register &reg : device.registers)
    if (reg.offset % 4 || reg.offset >= region->bytes)
      fail(registers, "the register '" + reg.name + "' is no word of its region");
  return device;
}

Soc load(const YAML::Node &root) {
  checkKeys(root, {"processor", "interrupt_entry", "regions", "interrupts", "devices", "exit_codes"});
  Soc soc;
  soc.processor = need<std::string>(root, "processor");
  soc.interruptEntry = need<uint32_t>(root, "interrupt_entry");
  soc.regions = loadRegions(root["regions"]);
  soc.interrupts = loadInterrupts(root["interrupts"]);
  for (const auto &entry : root["devices"])
    soc.devices.push_back(loadDevice(soc, entry.first, entry.second));
  soc.exitCodes = loadValues(root["exit_codes"]);
  return soc;
}

} // namespace

daedalus::Result<Soc> loadSoc(const std::string &path) {
  try {
    return load(YAML::LoadFile(path));
  } catch (const std::exception &problem) {
    return daedalus::error(path + ": " + problem.what());
  }
}

} // namespace isagen
