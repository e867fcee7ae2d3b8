// `weft help` and `weft man`: help texts and the manual page, made from the declarations of commands and options.
#include <weft/version.hpp>

#include "cli/commands.hpp"
#include "cli/session.hpp"

#include <fmt/format.h>

namespace weft::cli {

namespace {

/// Text as troff takes it: a line that begins with a dot or an apostrophe would be a request.
std::string troff(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) result += "\\&";
    result += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  }
  return result;
}

std::string command_section(const CommandDescription& command) {
  std::string arguments;
  std::string options;
  std::string group;
  for (const OptionDescription& option : command.options) {
    if (option.positional) arguments += " " + option.name;
    if (option.group != group) options += fmt::format(".PP\n{}:\n", troff(option.group));
    group = option.group;
    options += fmt::format(".TP\n.B {}{}\n{}\n", troff(option.name),
                           option.positional || option.value.empty() ? "" : " " + option.value, troff(option.help));
  }
  return fmt::format(".SS weft {}{} [options]\n{}.\n{}.PP\n.nf\n{}\n.fi\n", command.name, arguments,
                     troff(command.help), options, troff(command.footer));
}

std::string manual_page(const App& app) {
  std::string text = fmt::format(
      ".TH WEFT 1 \"\" \"weft {}\"\n.SH NAME\nweft \\- {}\n.SH SYNOPSIS\n.B weft\n.I command\n[options]\n"
      ".SH COMMANDS\n",
      version(), troff(app.description()));
  for (const CommandDescription& command : app.describe()) text += command_section(command);
  return text;
}

struct HelpArguments {
  std::string command;
  bool all = false;
};

}  // namespace

void add_help(App& app) {
  auto* command = app.add_subcommand("help", "Show the help of a command");
  command->footer("Example:\n  weft help train --all");
  auto arguments = std::make_shared<HelpArguments>();
  std::vector<std::string> names;
  for (const CommandDescription& other : app.describe()) names.push_back(other.name);
  command->add_option("command", arguments->command, "command; not given: the list of commands")->choices(names);
  command->add_flag("--all", arguments->all, "all options of the command, as --help-all prints them");
  command->callback([arguments, &app] { print_out("{}", app.help(arguments->command, arguments->all)); });
}

void add_man(App& app) {
  auto* command = app.add_subcommand("man", "Print the manual page");
  command->footer("Example:\n  weft man | man -l -");
  command->callback([&app] { print_out("{}", manual_page(app)); });
}

}  // namespace weft::cli
