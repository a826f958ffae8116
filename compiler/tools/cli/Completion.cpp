// See Completion.h. The script is a table and a function that looks words up in it. Keys: "/ COMMAND" for
// commands inside and arguments, "/ COMMAND -" for options, "/ COMMAND OPTION" for the values of an option.
// Entries: words, "*.onnx" (files with this extension), "*" (any file), "*/" (folders).
#include "cli/Completion.h"
#include "cli/Choices.h"

#include "llvm/ADT/StringExtras.h"

#include <iostream>
#include <regex>

namespace daedalus::cli {
namespace {

constexpr const char *lookUp = R"(
# The words of a table's entry that begin as the word under the cursor does, and the files with its extensions.
_PROGRAM_complete() {
  local entry word=$2 names=() files
  read -ra names <<<"$1"
  COMPREPLY=()
  for entry in "${names[@]}"; do
    case $entry in
    '*/') mapfile -t files < <(compgen -d -- "$word") ;;
    '*') mapfile -t files < <(compgen -f -- "$word") ;;
    '*.'*) mapfile -t files < <(compgen -d -- "$word"; compgen -f -X "!$entry" -- "$word") ;;
    *)
      [[ $entry == "$word"* ]] && COMPREPLY+=("$entry")
      continue
      ;;
    esac
    compopt -o filenames 2>/dev/null # fails outside of a completion
    COMPREPLY+=("${files[@]}")
  done
}

_PROGRAM() {
  local word=${COMP_WORDS[COMP_CWORD]} command=/ at=$((COMP_CWORD - 1)) value= i key
  for ((i = 1; i < COMP_CWORD; i++)); do
    key="$command ${COMP_WORDS[i]}"
    [[ ${COMP_WORDS[i]} != -* && ${_PROGRAM_table[$key]+known} ]] && command=$key
  done
  if [[ $word == = ]]; then
    word= value=1
  elif [[ ${COMP_WORDS[at]} == = ]]; then
    at=$((at - 1)) value=1
  fi
  [[ $value && $at -gt 1 && ${COMP_WORDS[at]} != -* ]] && at=$((at - 1)) # --input NAME=FILE
  key="$command ${COMP_WORDS[at]}"
  if [[ $at -gt 0 && ${COMP_WORDS[at]} == -* && ${_PROGRAM_table[$key]+known} ]]; then
    _PROGRAM_complete "${_PROGRAM_table[$key]}" "$word"
  elif [[ $word == -* ]]; then
    _PROGRAM_complete "${_PROGRAM_table[$command -]}" "$word"
  else
    _PROGRAM_complete "${_PROGRAM_table[$command]}" "$word"
  fi
}
complete -F _PROGRAM PROGRAM
)";

/// The choices that a check declares (Choices.h).
std::vector<std::string> choicesOf(const std::string &typeName) {
  std::vector<std::string> choices;
  const llvm::StringRef list = llvm::StringRef(typeName).split('{').second.split('}').first;
  for (llvm::StringRef choice : llvm::split(list, ','))
    if (!choice.empty())
      choices.push_back(choice.str());
  return choices;
}

/// What the form of a value names: "*.onnx *.mlir" of "M.onnx|M.mlir".
std::vector<std::string> filesOf(const std::string &form) {
  static const std::regex extension("\\w(\\.\\w+)");
  std::vector<std::string> files;
  for (std::sregex_iterator found(form.begin(), form.end(), extension), end; found != end; ++found)
    files.push_back("*" + (*found)[1].str());
  if (files.empty() && form.find("FILE") != std::string::npos)
    files.push_back("*");
  if (form.find("DIR") != std::string::npos)
    files.push_back("*/");
  return files;
}

std::string valuesOf(const CLI::Option &option) {
  const std::string form = option.get_type_name();
  const std::vector<std::string> choices = choicesOf(form);
  return llvm::join(choices.empty() ? filesOf(form) : choices, " ");
}

std::string replaced(std::string text, const std::string &from, const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

std::vector<std::string> namesOf(const CLI::Option &option) {
  std::vector<std::string> names;
  for (const std::string &name : option.get_snames())
    names.push_back("-" + name);
  for (const std::string &name : option.get_lnames())
    names.push_back("--" + name);
  return names;
}

/// The entries of a command and of those inside; `key` is its name behind those of the commands around it.
void addEntries(const CLI::App &command, const std::string &key, std::string &table) {
  const auto entry = [&](const std::string &name, llvm::ArrayRef<std::string> words) {
    table += "  ['" + name + "']='" + llvm::join(words, " ") + "'\n";
  };
  std::vector<std::string> words, options;
  for (const CLI::App *inner : command.get_subcommands({}))
    words.push_back(inner->get_name());
  for (const CLI::Option *option : command.get_options()) {
    if (option->get_positional())
      words.push_back(valuesOf(*option));
    for (const std::string &name : namesOf(*option)) {
      options.push_back(name);
      if (option->get_type_size() != 0) // else it takes no value
        entry(key + " " + name, valuesOf(*option));
    }
  }
  entry(key, words);
  entry(key + " -", options);
  for (const CLI::App *inner : command.get_subcommands({}))
    addEntries(*inner, key + " " + inner->get_name(), table);
}

} // namespace

std::string bashCompletion(const CLI::App &program) {
  const std::string name = program.get_name(), function = replaced(name, "-", "_");
  std::string table;
  addEntries(program, "/", table);
  return "# Completion of " + name + " for bash, printed by `" + name + " completion bash`.\ndeclare -gA _" +
         function + "_table=(\n" + table + ")\n" +
         replaced(replaced(lookUp, "_PROGRAM", "_" + function), "PROGRAM", name);
}

void addCompletion(CLI::App &program) {
  auto shell = std::make_shared<std::string>();
  CLI::App *command =
      program.add_subcommand("completion", "Print a script that completes commands in a shell");
  command->add_option("shell", *shell, "The shell")->required()->check(oneOf({"bash"}))->type_name("SHELL");
  command->footer("Examples:\n  source <(" + program.get_name() + " completion bash)");
  command->callback([shell, &program] { std::cout << bashCompletion(program); });
}

} // namespace daedalus::cli
