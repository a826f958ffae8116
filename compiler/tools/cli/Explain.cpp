// See Explain.h.
#include "cli/Explain.h"

#include "daedalus/Target/DidYouMean.h"

#include "llvm/ADT/StringExtras.h"

namespace daedalus::cli {
namespace {

/// The innermost command that was given.
const CLI::App &commandOf(const CLI::App &app) {
  const std::vector<CLI::App *> given = app.get_subcommands();
  return given.empty() ? app : commandOf(*given.back());
}

std::vector<std::string> commandsOf(const CLI::App &app) {
  std::vector<std::string> names;
  for (const CLI::App *command : app.get_subcommands({}))
    names.push_back(command->get_name());
  return names;
}

/// Without dashes.
std::vector<std::string> optionsOf(const CLI::App &command) {
  std::vector<std::string> names;
  for (const CLI::Option *option : command.get_options())
    names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
  return names;
}

std::string unknownCommand(const std::string &name, const CLI::App &parent) {
  const std::vector<std::string> commands = commandsOf(parent);
  return "there is no command '" + name + "'" + didYouMean(name, commands) + "; the commands are " +
         llvm::join(commands, ", ");
}

std::string unknownOption(llvm::StringRef argument, const CLI::App &command) {
  const llvm::StringRef option = argument.split('=').first, name = option.ltrim('-');
  std::vector<std::string> options = optionsOf(command);
  for (std::string &known : options)
    known.insert(0, "--");
  return "'" + command.get_name() + "' has no option '" + option.str() + "'" +
         didYouMean(("--" + name).str(), options) + "; --help lists its options";
}

} // namespace

std::string explain(const CLI::App &app, const CLI::ParseError &error, int argc, char **argv) {
  const CLI::App &command = commandOf(app);
  const bool isRoot = &command == &app;
  if (isRoot && argc > 1 && argv[1][0] != '-')
    return unknownCommand(argv[1], app);
  for (const std::string &argument : command.remaining())
    if (argument.size() > 1 && argument[0] == '-' &&
        !(command.get_allow_extras() && llvm::StringRef(argument).starts_with(mlirPrefix)))
      return unknownOption(argument, command);
  if (!isRoot && !command.get_subcommands({}).empty() && !command.remaining().empty())
    return unknownCommand(command.remaining().front(), command);
  return std::string(error.what()) + "; --help shows what there is";
}

} // namespace daedalus::cli
