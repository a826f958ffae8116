// See Help.h.
#include "cli/Help.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace daedalus::cli {
namespace {

constexpr size_t width = 100, column = 28; ///< of all, and where descriptions begin

/// With line breaks in the place of spaces, so that no line is longer than `most` where a space allows it.
std::string wrapped(llvm::StringRef text, size_t most) {
  std::string lines;
  while (text.size() > most) {
    size_t end = text.take_front(most + 1).find_last_of(' ');
    end = end == llvm::StringRef::npos ? text.find(' ') : end;
    if (end == llvm::StringRef::npos)
      break;
    lines += text.take_front(end).str() + "\n";
    text = text.drop_front(end + 1);
  }
  return lines + text.str();
}

std::vector<const CLI::Option *> optionsIn(const CLI::App &app, const std::string &group) {
  return app.get_options(
      [&](const CLI::Option *option) { return option->get_group() == group && option->nonpositional(); });
}

class HelpFormatter : public CLI::Formatter {
public:
  HelpFormatter() { column_width(column); }

  std::string make_help(const CLI::App *app, std::string name, CLI::AppFormatMode mode) const override {
    return make_description(app) + make_usage(app, std::move(name)) + make_positionals(app) +
           ownOptions(*app) + make_subcommands(app, mode) + "\n" + make_footer(app) + namesOfCommon(*app);
  }

  std::string make_subcommands(const CLI::App *app, CLI::AppFormatMode mode) const override {
    std::string text = CLI::Formatter::make_subcommands(app, mode);
    if (app->get_parent())
      return text;
    std::vector<std::string> common; // each once; what differs is seen
    addCommon(*app, common);
    if (!common.empty())
      text += std::string("\n") + commonOptions + ", of the commands whose help names them:\n";
    for (const std::string &option : common)
      text += option;
    return text;
  }

  std::string make_footer(const CLI::App *app) const override {
    const std::string footer = app->get_footer();
    std::string text;
    for (llvm::StringRef line : llvm::split(footer, '\n'))
      text += wrapped(line, width) + "\n";
    return footer.empty() ? "" : text;
  }

  std::string make_option_desc(const CLI::Option *option) const override {
    return wrapped(option->get_description(), width - column);
  }

private:
  std::string ownOptions(const CLI::App &app) const {
    std::string text;
    for (const std::string &group : app.get_groups())
      if (const auto options = optionsIn(app, group); group != commonOptions && !options.empty())
        text += make_group(group, false, options);
    return text;
  }

  void addCommon(const CLI::App &app, std::vector<std::string> &texts) const {
    for (const CLI::Option *option : optionsIn(app, commonOptions))
      if (const std::string text = make_option(option, false); !llvm::is_contained(texts, text))
        texts.push_back(text);
    for (const CLI::App *command : app.get_subcommands({}))
      addCommon(*command, texts);
  }

  static std::string namesOfCommon(const CLI::App &app) {
    std::string names;
    for (const CLI::Option *option : optionsIn(app, commonOptions))
      names += (names.empty() ? "" : ", ") + option->get_name();
    const CLI::App *program = &app;
    while (program->get_parent())
      program = program->get_parent();
    const std::string text =
        std::string(commonOptions) + " (see " + program->get_name() + " --help): " + names;
    return names.empty() ? "" : "\n" + wrapped(text, width) + "\n";
  }
};

} // namespace

std::shared_ptr<CLI::FormatterBase> helpFormatter() {
  return std::make_shared<HelpFormatter>();
}

} // namespace daedalus::cli
