// See ProfileOptions.h.
#include "ProfileOptions.h"

#include "Commands.h"
#include "cli/Choices.h"
#include "daedalus/Target/DidYouMean.h"

#include <map>

namespace daedalus::cli {
namespace {

/// Two outputs of one name would overwrite each other.
void checkApart(const ProfileOptions &options) {
  const std::pair<const char *, std::string> outputs[] = {{"-o", options.output},
                                                          {"--trace", options.trace},
                                                          {"--waves", options.waves},
                                                          {"--report", options.report},
                                                          {"--dot", options.dot}};
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
  addOutputOption(command, options.output, "the profile as JSON", "no file", "F.json");
  command
      .add_option("--trace", options.trace,
                  "Write what every module did in each cycle, for https://ui.perfetto.dev")
      ->type_name("F.pftrace");
  command
      .add_option("--waves", options.waves,
                  "Write the modules' states, queues and tokens as waves, for GTKWave")
      ->type_name("F.vcd");
  command.add_option("--window", options.window, "Cycles to include in the waves")->type_name("A:B");
  command
      .add_option("--report", options.report,
                  "Write a self-contained HTML page: charts, a timeline to zoom, a table to sort")
      ->type_name("F.html");
  command
      .add_option("--dot", options.dot, "Write the graph of layers, with their cycles, for Graphviz's dot")
      ->type_name("F.dot");
  addJsonOption(command, options.json);
  command.add_flag("--instructions", options.instructions,
                   "Include each instruction and each segment of the critical path in the JSON");
}

void declareAnalyses(CLI::App &command, ProfileOptions &options) {
  command.add_flag("--energy", options.energy,
                   "Estimate the energy of each layer with published numbers for a 45 nm process");
  command
      .add_option("--energy-table", options.energyTable,
                  "Estimate energy with your own numbers: a file with the keys of "
                  "compiler/lib/Report/Energy/45nm.yaml")
      ->type_name("F.yaml");
  command.add_flag(
      "--what-if", options.whatIf,
      "Try changes of the machine: estimate each one, run the same instructions on systemc, and compile "
      "the model again");
  command
      .add_option("--compare", options.compared,
                  "Compare two profiles written with -o, instead of running a model; also as --report")
      ->expected(2)
      ->type_name("BEFORE.json AFTER.json");
}

/// The enumerator of an order's name takes the name's place; or what is wrong.
std::string numberOfOrder(std::string &name) {
  const std::map<std::string, RowOrder> orders{
      {"path", RowOrder::Path}, {"over", RowOrder::Over}, {"bytes", RowOrder::Bytes}};
  const auto found = orders.find(name);
  if (found == orders.end())
    return "'" + name + "' is not an order" + didYouMean(name, {"path", "over", "bytes"}) +
           "; expected path, over or bytes";
  name = std::to_string(static_cast<int>(found->second));
  return "";
}

void declareTable(CLI::App &command, TableOptions &table) {
  command.add_flag("--wide", table.wide, "Show all columns of the table");
  command
      .add_option(
          "--sort", table.order,
          "Sort layers in descending order of cycles on the path, cycles over the bound, or DRAM bytes")
      ->transform(choiceOf({"path", "over", "bytes"}, numberOfOrder))
      ->type_name("ORDER");
  command.add_option("--top", table.top, "Show only the first N layers, and the others as one row")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
}

} // namespace

void checkOptions(const ProfileOptions &options) {
  if (options.model.empty())
    throw Usage{"profile needs a model, or --compare with two profiles; see profile --help"};
  for (const auto &[option, path] : {std::pair("--trace", options.trace), std::pair("--waves", options.waves),
                                     std::pair("--report", options.report), std::pair("--dot", options.dot)})
    if (path == "-")
      throw Usage{std::string(option) + " cannot go to stdout; name a file"};
  if (!options.window.empty() && options.waves.empty())
    throw Usage{"--window needs --waves"};
  checkApart(options);
  if (isOfTable(options) && (options.json || options.output == "-"))
    throw Usage{"--wide, --sort and --top change the table, which --json and -o - do not print"};
  if (options.instructions && !options.json && options.output.empty())
    throw Usage{"--instructions needs --json or -o: the table has no instructions"};
}

void declareProfileOptions(CLI::App &command, ProfileOptions &options) {
  addModelArgument(command, options);
  command.get_option("model")->required(false); // --compare has none
  command
      .add_option("--input", options.inputs,
                  "Data for an input; repeat it for each input (a single input needs no NAME=). Default: "
                  "zeros, because "
                  "cycles do not depend on data")
      ->type_name("NAME=F.npy")
      ->allow_extra_args(false);
  addCycleEngineOption(command, options.engine);
  addModelOptions(command, options);
  declareOutputs(command, options);
  declareAnalyses(command, options);
  declareTable(command, options.table);
  addThreadsOption(command, options.threads);
  addNoNativeOption(command, options.noNative);
  command.footer("Prints each layer's cycles on the critical path, which add up to those of the run, the "
                 "minimum cycles for\n"
                 "any schedule, the part of the machine that limits the layer, how much of the array it "
                 "used, and the DRAM\n"
                 "bytes it moved. --wide adds what each module did. docs/profile.md defines every number.\n\n"
                 "Examples:\n"
                 "  daedalus profile model.dae\n"
                 "  daedalus profile model.onnx --sort over --top 10\n"
                 "  daedalus profile model.onnx --machine large -o profile.json\n"
                 "  daedalus profile model.onnx --report model.html\n"
                 "  daedalus profile model.onnx --dot model.dot\n"
                 "  daedalus profile model.onnx --trace model.pftrace\n"
                 "  daedalus profile model.onnx --engine rtl --json --instructions\n"
                 "  daedalus profile --compare before.json after.json --report change.html");
}

} // namespace daedalus::cli
