// The same as the table, as JSON: times in seconds, null for what is not there.
#include "Report/Targets/TargetRow.h"

#include "Report/Figures.h"

namespace daedalus::report {
namespace {

Json orNull(const std::optional<tuning::Timing> &timing) {
  return timing ? timingJson(*timing) : Json();
}

Json secondsJson(const TargetHeader &header, std::optional<uint64_t> cycles) {
  return header.clockMhz && cycles ? Json(secondsAt(header.clockMhz, *cycles)) : Json();
}

Json rowJson(const TargetHeader &header, const TargetRow &row) {
  Json entry = {{"node", row.node}, {"macs", row.macs}};
  entry["target"] = row.target.empty() ? Json() : Json(row.target);
  entry["cycles"] = row.cycles ? Json(*row.cycles) : Json();
  entry["utilisation"] = row.use ? Json(*row.use) : Json();
  entry["accelerator_seconds"] = secondsJson(header, row.cycles);
  if (row.deviceTicks)
    entry["device_ticks"] = row.deviceTicks;
  for (const auto &[target, time] : row.onDevices)
    entry["on_devices"][target] = {
        {"ticks", time.ticks},
        {"seconds", time.ticksPerMicrosecond > 0
                        ? Json(static_cast<double>(time.ticks) / time.ticksPerMicrosecond * 1e-6)
                        : Json()}};
  entry["left_to_cpu"] = orNull(row.left);
  entry["on_cpu"] = orNull(row.cpu);
  return entry;
}

Json sumJson(const TargetHeader &header, const std::vector<TargetRow> &rows) {
  const TargetSum sum = sumOf(rows, header.clockMhz);
  Json entry = {{"macs", sum.macs}, {"cycles", sum.cycles}};
  entry["accelerator_seconds"] = header.clockMhz ? Json(sum.acceleratorSeconds) : Json();
  entry["left_to_cpu_layers"] = sum.left;
  entry["left_to_cpu_seconds"] = header.unmeasured.empty() ? Json(sum.leftSeconds) : Json();
  entry["cpu_seconds"] = sum.cpuSeconds;
  return entry;
}

} // namespace

Json jsonOf(const TargetHeader &header, const std::vector<TargetRow> &rows) {
  Json layers = Json::array();
  for (const TargetRow &row : rows)
    layers.push_back(rowJson(header, row));
  Json json = {{"processor", header.processor},
               {"level", header.level},
               {"threads", header.threads},
               {"repeats", header.repeats},
               {"engine", header.engine}};
  json["machine"] = header.machine.empty() ? Json() : Json(header.machine);
  json["clock_mhz"] = header.clockMhz ? Json(header.clockMhz) : Json();
  json["targets"] = header.targets;
  json["layers"] = layers;
  json["sum"] = sumJson(header, rows);
  json["whole"] = {{"cycles", header.cycles}, {"on_cpu", timingJson(header.whole)}};
  json["left_to_cpu_unmeasured"] = header.unmeasured.empty() ? Json() : Json(header.unmeasured);
  json["devices"] = Json::object();
  for (const auto &[target, why] : header.devices)
    json["devices"][target] = {{"unmeasured", why.empty() ? Json() : Json(why)}};
  return json;
}

} // namespace daedalus::report
