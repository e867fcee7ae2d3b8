// `weft completion bash|zsh|fish`: a script for the shell, made from the declarations of commands and options.
#include <weft/error.hpp>

#include "cli/commands.hpp"
#include "cli/session.hpp"

#include <fmt/ranges.h>

namespace weft::cli {

namespace {

using Commands = std::vector<CommandDescription>;

/// The first words of a help text, which shells show beside an option.
std::string brief(const std::string& help) {
  return help.substr(0, std::min({help.find(';'), help.find(": "), help.find(" ("), help.find(" [")}));
}

/// With a backslash before every character of `special`.
std::string escaped_for_shell(const std::string& text, const std::string& special) {
  std::string result;
  for (const char c : text) {
    if (special.find(c) != std::string::npos) result += '\\';
    result += c;
  }
  return result;
}

/// Inside single quotes of bash and zsh.
std::string single_quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

std::vector<std::string> names_of(const Commands& commands) {
  std::vector<std::string> names;
  for (const CommandDescription& command : commands) names.push_back(command.name);
  return names;
}

/// Values of an option, then the options of a command, and where neither is asked for, files.
std::string bash_completion(const Commands& commands) {
  std::string values;
  std::string positionals;
  std::string options;
  for (const CommandDescription& command : commands) {
    std::vector<std::string> names;
    for (const OptionDescription& option : command.options) {
      if (!option.positional) names.push_back(option.name);
      const std::string pattern =
          option.positional ? "\"" + command.name + " \"*" : fmt::format("\"{} {}\"", command.name, option.name);
      if (!option.choices.empty())
        (option.positional ? positionals : values) +=
            fmt::format("    {}) words=\"{}\" ;;\n", pattern, fmt::join(option.choices, " "));
    }
    options += fmt::format("      {}) words=\"{}\" ;;\n", command.name, fmt::join(names, " "));
  }
  return fmt::format(
      "# Completion of weft for bash, written by: weft completion bash\n"
      "_weft() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command=${{COMP_WORDS[1]}} "
      "words=\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    words=\"{} --help --help-all --version\"\n"
      "  elif [[ $word == -* ]]; then\n"
      "    case $command in\n"
      "{}    esac\n"
      "  else\n"
      "    case \"$command $before\" in\n"
      "{}{}    esac\n"
      "  fi\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
      "}}\n"
      "complete -o default -F _weft weft\n",
      fmt::join(names_of(commands), " "), options, values, positionals);
}

std::string zsh_completion(const Commands& commands) {
  std::string names;
  std::string cases;
  for (const CommandDescription& command : commands) {
    names += "    " + single_quoted(escaped_for_shell(command.name, ":") + ":" + command.help) + "\n";
    cases += fmt::format("    {})\n      _arguments", command.name);
    for (const OptionDescription& option : command.options) {
      if (option.positional && option.choices.empty()) continue;
      const std::string help = escaped_for_shell(brief(option.help), "[]:\\");
      const std::string action =
          option.choices.empty() ? "_files" : fmt::format("({})", fmt::join(option.choices, " "));
      const std::string spec = option.positional ? fmt::format("1:{}:{}", option.name, action)
                               : option.value.empty()
                                   ? fmt::format("{}[{}]", option.name, help)
                                   : fmt::format("{}[{}]:{}:{}", option.name, help, option.value, action);
      cases += " \\\n        " + single_quoted(spec);
    }
    cases += " \\\n        '*:file:_files' ;;\n";
  }
  return fmt::format(
      "#compdef weft\n"
      "# Completion of weft for zsh, written by: weft completion zsh\n"
      "_weft() {{\n"
      "  local -a commands=(\n{}  )\n"
      "  if (( CURRENT == 2 )); then\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  shift words\n"
      "  (( CURRENT-- ))\n"
      "  case $words[1] in\n{}  esac\n"
      "}}\n"
      "if [[ $funcstack[1] == _weft ]]; then _weft \"$@\"; else compdef _weft weft; fi\n",
      names, cases);
}

std::string fish_completion(const Commands& commands) {
  const auto quoted = [](const std::string& text) { return "'" + escaped_for_shell(text, "'\\") + "'"; };
  std::string text = "# Completion of weft for fish, written by: weft completion fish\n";
  for (const CommandDescription& command : commands)
    text +=
        fmt::format("complete -c weft -n __fish_use_subcommand -f -a {} -d {}\n", command.name, quoted(command.help));
  for (const CommandDescription& command : commands)
    for (const OptionDescription& option : command.options) {
      if (option.positional && option.choices.empty()) continue;
      text += fmt::format("complete -c weft -n '__fish_seen_subcommand_from {}'", command.name);
      if (!option.positional) text += " -l " + option.name.substr(2);
      if (!option.choices.empty())
        text += fmt::format(" -{} -a {}", option.positional ? "f" : "x",
                            quoted(fmt::format("{}", fmt::join(option.choices, " "))));
      else if (!option.value.empty())
        text += " -r";
      text += " -d " + quoted(brief(option.help)) + "\n";
    }
  return text;
}

std::string completion(const std::string& shell, const Commands& commands) {
  if (shell == "bash") return bash_completion(commands);
  if (shell == "zsh") return zsh_completion(commands);
  if (shell == "fish") return fish_completion(commands);
  throw Error(ErrorKind::option, fmt::format("there is no completion for '{}'", shell), {}, "give bash, zsh or fish");
}

}  // namespace

void add_completion(App& app) {
  auto* command = app.add_subcommand("completion", "Print a script that completes commands and options in a shell");
  command->footer(
      "Installed with weft; for a build folder, add to ~/.bashrc: source <(weft completion bash), to ~/.zshrc after\n"
      "compinit: source <(weft completion zsh), or to config.fish: weft completion fish | source.\n"
      "Example:\n  weft completion bash > ~/.local/share/bash-completion/completions/weft");
  auto shell = std::make_shared<std::string>();
  command->add_option("shell", *shell, "bash, zsh or fish")->choices({"bash", "zsh", "fish"})->required();
  command->callback([shell, &app] { print_out("{}", completion(*shell, app.describe())); });
}

}  // namespace weft::cli
