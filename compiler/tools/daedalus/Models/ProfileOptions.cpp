// See ProfileOptions.h.
#include "ProfileOptions.h"

#include "Commands.h"

#include <map>

namespace daedalus::cli {
namespace {

/// Two outputs of one name would overwrite each other.
void checkApart(const ProfileOptions &options) {
  const std::pair<const char *, std::string> outputs[] = {{"-o", options.output},
                                                          {"--trace", options.trace},
                                                          {"--waves", options.waves},
                                                          {"--report", options.report}};
  for (size_t i = 0; i < std::size(outputs); ++i)
    for (size_t k = i + 1; k < std::size(outputs); ++k)
      if (!outputs[i].second.empty() && outputs[i].second == outputs[k].second)
        throw Usage{std::string(outputs[i].first) + " and " + outputs[k].first + " name the same file '" +
                    outputs[i].second + "'; expected one for each"};
}

bool isOfTable(const ProfileOptions &options) {
  return options.table.wide || options.table.top || options.table.order != RowOrder::Network;
}

void declareOutputs(CLI::App &command, ProfileOptions &options) {
  command.add_option("-o", options.output, "Receives the profile as JSON")->type_name("F.json");
  command
      .add_option("--trace", options.trace,
                  "Receives what every module did, cycle by cycle, for https://ui.perfetto.dev")
      ->type_name("F.pftrace");
  command
      .add_option("--waves", options.waves,
                  "Receives the modules' states, queues and tokens as waves, for GTKWave")
      ->type_name("F.vcd");
  command.add_option("--window", options.window, "Cycles that are in the waves")->type_name("A:B");
  command
      .add_option(
          "--report", options.report,
          "Receives the profile as a page for a browser, which needs no network: charts, a timeline to "
          "zoom, a table to sort")
      ->type_name("F.html");
  command.add_flag("--json", options.json, "The profile as JSON, instead of the tables");
  command.add_flag("--instructions", options.instructions,
                   "In the JSON, the cycles of each instruction and the segments of the critical path");
}

void declareAnalyses(CLI::App &command, ProfileOptions &options) {
  command.add_flag("--energy", options.energy,
                   "Estimate the energy of each layer, by published numbers of a 45 nm process");
  command
      .add_option(
          "--energy-table", options.energyTable,
          "The same by numbers of your own: a file with the keys of compiler/lib/Report/Energy/45nm.yaml")
      ->type_name("F.yaml");
  command.add_flag("--what-if", options.whatIf,
                   "What changes of the machine would be worth: estimated, measured on systemc with the same "
                   "instructions, and with the model compiled again");
  command
      .add_option(
          "--compare", options.compared,
          "Two profiles that -o wrote, instead of a run: the cycles of their layers beside each other, "
          "also as --report")
      ->expected(2)
      ->type_name("BEFORE.json AFTER.json");
}

void declareTable(CLI::App &command, TableOptions &table) {
  command.add_flag("--wide", table.wide, "All columns of the table");
  command
      .add_option(
          "--sort", table.order,
          "Sort layers, the largest first: by cycles on the path, by those over the bound, by DRAM bytes")
      ->transform(CLI::CheckedTransformer(std::map<std::string, RowOrder>{
          {"path", RowOrder::Path}, {"over", RowOrder::Over}, {"bytes", RowOrder::Bytes}}))
      ->type_name("path|over|bytes");
  command.add_option("--top", table.top, "Only so many layers, the others as one row")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
}

} // namespace

void checkOptions(const ProfileOptions &options) {
  if (options.model.empty())
    throw Usage{"profile needs a model, or --compare with two profiles; --help shows what there is"};
  for (const auto &[option, path] : {std::pair("--trace", options.trace), std::pair("--waves", options.waves),
                                     std::pair("--report", options.report)})
    if (path == "-")
      throw Usage{std::string(option) + " is a file of its own, not stdout"};
  if (!options.window.empty() && options.waves.empty())
    throw Usage{"--window goes with --waves"};
  checkApart(options);
  if (isOfTable(options) && (options.json || options.output == "-"))
    throw Usage{"--wide, --sort and --top are of the table, which --json and -o - do not print"};
  if (options.instructions && !options.json && options.output.empty())
    throw Usage{"--instructions goes with --json or -o: there is no table of them"};
}

void declareProfileOptions(CLI::App &command, ProfileOptions &options) {
  addModelArgument(command, options);
  command.get_option("model")->required(false); // --compare has none
  command
      .add_option(
          "--input", options.inputs,
          "Data of an input; once an input (an only one needs no NAME=). None: zeros, for cycles do not "
          "depend on data")
      ->type_name("NAME=F.npy")
      ->allow_extra_args(false);
  addCycleEngineOption(command, options.engine);
  addModelOptions(command, options);
  declareOutputs(command, options);
  declareAnalyses(command, options);
  declareTable(command, options.table);
  addThreadsOption(command, options.threads);
  addNoNativeOption(command, options.noNative);
  command.footer(
      "Prints for each layer its cycles of the critical path, which add up to those of the run, the least\n"
      "cycles that any schedule needs for it, what limits it, how much of the array it used and what it "
      "moved.\n"
      "--wide adds what each module did. docs/profile.md says what each number counts.\n\n"
      "Examples:\n"
      "  daedalus profile model.dae\n"
      "  daedalus profile model.onnx --sort over --top 10\n"
      "  daedalus profile model.onnx --machine large -o profile.json\n"
      "  daedalus profile model.onnx --report model.html\n"
      "  daedalus profile model.onnx --trace model.pftrace\n"
      "  daedalus profile model.onnx --engine rtl --json --instructions\n"
      "  daedalus profile --compare before.json after.json --report change.html");
}

} // namespace daedalus::cli
