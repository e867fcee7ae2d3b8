#include "cli/app.hpp"

#include <weft/database.hpp>
#include <weft/deterministic.hpp>
#include <weft/error.hpp>

#include "cli/config_file.hpp"
#include "cli/session.hpp"
#include "cli/suggestion.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace weft::cli {

namespace {

const std::string kOwnOptions = "Options";  // CLI11's name for options without a group
const std::string kSharedOptions = "Every command";
constexpr std::size_t kNameWidth = 30;
constexpr std::size_t kHelpWidth = 90;  // of the sentences beside the names

/// Lines of at most kHelpWidth, broken between words.
std::string wrapped(const std::string& text) {
  std::string result;
  std::size_t start = 0;
  while (text.size() - start > kHelpWidth) {
    const std::size_t space = text.rfind(' ', start + kHelpWidth);
    if (space == std::string::npos || space <= start) break;
    result += text.substr(start, space - start) + '\n';
    start = space + 1;
  }
  return result + text.substr(start);
}

/// --help shows the options without a group and the common ones, --help-all every group, those of every command last.
class HelpText : public CLI::Formatter {
 public:
  explicit HelpText(const std::set<const CLI::Option*>& common) : common_(common) { column_width(kNameWidth); }

  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    if (mode == CLI::AppFormatMode::Sub || app->get_parent() == nullptr)
      return CLI::Formatter::make_help(app, name, mode);
    return make_description(app) + make_usage(app, name) + make_positionals(app) +
           (mode == CLI::AppFormatMode::All ? all_options(app) : few_options(app)) + "\n" + make_footer(app);
  }
  std::string make_option_desc(const CLI::Option* option) const override { return wrapped(option->get_description()); }

 private:
  std::string all_options(const CLI::App* app) const {
    std::vector<std::string> groups = app->get_groups();
    std::stable_partition(groups.begin(), groups.end(), [](const auto& group) { return group != kSharedOptions; });
    std::string text;
    for (const std::string& group : groups) {
      const auto options = app->get_options(
          [&](const CLI::Option* option) { return option->nonpositional() && option->get_group() == group; });
      if (!options.empty()) text += make_group(group, false, options);
    }
    return text;
  }

  std::string few_options(const CLI::App* app) const {
    std::size_t hidden = 0;
    auto options = app->get_options([&](const CLI::Option* option) {
      if (!option->nonpositional()) return false;
      const bool shown = option->get_group() == kOwnOptions || common_.contains(option);
      hidden += shown ? 0 : 1;
      return shown;
    });
    std::stable_partition(options.begin(), options.end(),
                          [](const auto* option) { return option->get_group() != kSharedOptions; });
    std::string text = make_group(kOwnOptions, false, options);
    if (hidden > 0)
      text +=
          fmt::format("\n{} more options: {} {} --help-all\n", hidden, app->get_parent()->get_name(), app->get_name());
    return text;
  }

  const std::set<const CLI::Option*>& common_;
};

bool is_flag(const CLI::Option& option) {
  return option.get_expected_min() == 0;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    if (option->nonpositional()) names.push_back("--" + option->get_single_name());
  return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

}  // namespace

Option* Option::required() {
  option_->required();
  return this;
}

Option* Option::group(const std::string& name) {
  option_->group(name);
  return this;
}

Option* Option::delimiter(char between) {
  option_->delimiter(between);
  return this;
}

Option* Option::excludes(const Option& other) {
  option_->excludes(other.option_);
  return this;
}

Option* Option::choices(std::vector<std::string> names) {
  choices_ = std::move(names);
  return this;
}

struct App::Parts {
  std::unique_ptr<CLI::App> program;  // null for a command, which its program owns
  CLI::App* app;
  std::deque<Option> options;
  std::set<const CLI::Option*> common;
  std::vector<std::unique_ptr<App>> commands;
  std::string description;                   // of the program
  std::map<std::string, std::string> moved;  // commands that are now in other programs
  bool print_config = false;

  Option* keep(CLI::Option* option) { return &options.emplace_back(*option); }
  std::string explain(const CLI::ParseError& error, const char* first_word) const;
};

App::App(const std::string& program, const std::string& description) : parts_(std::make_unique<Parts>()) {
  parts_->description = description;
  parts_->program = std::make_unique<CLI::App>(program + ": " + description, program);
  parts_->app = parts_->program.get();
  parts_->app->formatter(std::make_shared<HelpText>(parts_->common));
  parts_->app->set_help_flag("-h,--help", "print the options that are used most, and an example");
  parts_->app->set_help_all_flag("--help-all", "print all options");
}

App::App(CLI::App& app) : parts_(std::make_unique<Parts>()) {
  parts_->app = &app;
  app.formatter(std::make_shared<HelpText>(parts_->common));
  add_shared_options();
}

App::~App() = default;

App* App::add_subcommand(const std::string& name, const std::string& description) {
  parts_->commands.push_back(std::unique_ptr<App>(new App(*parts_->app->add_subcommand(name, description))));
  return parts_->commands.back().get();
}

/// CLI11 processes options in the order of their declaration, so that --config comes before those that it may set.
void App::add_shared_options() {
  add_option_function<std::string>(
      "--config", [this](const std::string& path) { apply_config(path); },
      "file of options (TOML, as --print-config writes it); the command line comes first")
      ->group(kSharedOptions);
  const auto print = [this] {
    parts_->print_config = true;
    for (CLI::Option* option : parts_->app->get_options()) option->required(false);
  };
  add_flag_callback("--print-config", print, "print the options given, for --config, and do nothing else")
      ->group(kSharedOptions);
  add_flag_callback(
      "--deterministic", [] { use_fixed_kernels(); },
      "the same bits on every x86-64 processor with AVX2: fixed kernels, which may be slower (docs/determinism.md)")
      ->group(kSharedOptions);
  add_flag_callback(
      "--quiet", [] { set_verbosity(Verbosity::quiet); }, "no progress line; no summary of what was fitted or written")
      ->group(kSharedOptions);
  add_flag_callback(
      "--verbose", [] { set_verbosity(Verbosity::verbose); },
      "also print what the solver reports (condition numbers, residuals) and the time of stages")
      ->group(kSharedOptions);
}

void App::apply_config(const std::string& path) {
  CLI::App& app = *parts_->app;
  std::vector<ConfigEntry> entries = read_config(path);
  for (const ConfigEntry& entry : entries)
    if (const auto known = command_names(*app.get_parent());
        !entry.section.empty() && std::find(known.begin(), known.end(), entry.section) == known.end())
      throw Error(ErrorKind::data, fmt::format("there is no command {}", entry.section), entry.place,
                  suggestion(entry.section, known) + "sections are named after commands");
  std::erase_if(entries, [&](const auto& entry) { return !entry.section.empty() && entry.section != app.get_name(); });
  if (entries.empty())
    throw Error(ErrorKind::data, fmt::format("no options of {}", app.get_name()), path,
                fmt::format("add a section [{}]", app.get_name()));
  // What is set for the command precedes what is set for all.
  std::stable_partition(entries.begin(), entries.end(), [](const auto& entry) { return !entry.section.empty(); });
  for (const ConfigEntry& entry : entries) {
    CLI::Option* option = app.get_option_no_throw("--" + entry.key);
    if (option == nullptr) option = app.get_option_no_throw(entry.key);
    if (option == nullptr)
      throw Error(ErrorKind::data, fmt::format("{} has no option --{}", app.get_name(), entry.key), entry.place,
                  suggestion("--" + entry.key, option_names(app)) +
                      fmt::format("see {} {} --help-all", app.get_parent()->get_name(), app.get_name()));
    if (!option->empty()) continue;
    if (!is_flag(*option))
      option->add_result(entry.values);
    else if (entry.values == std::vector<std::string>{"true"})
      option->add_result("true");
    else if (entry.values != std::vector<std::string>{"false"})
      throw Error(ErrorKind::data, fmt::format("--{} is on or off", entry.key), entry.place, "write true or false");
  }
}

std::string App::config() const {
  std::string text = fmt::format("[{}]\n", parts_->app->get_name());
  for (const Option& declared : parts_->options) {
    const CLI::Option& option = *declared.option_;
    const std::string name = option.get_single_name();
    if (!option.empty() && name != "config" && name != "print-config")
      text +=
          without_passwords(config_line(name, is_flag(option) ? std::vector<std::string>{"true"} : option.results()));
  }
  return text;
}

void App::require_subcommand() {
  parts_->app->require_subcommand(1);
}

void App::moved(const std::string& word, const std::string& command) {
  parts_->moved[word] = command;
}

void App::version(const std::string& text) {
  parts_->app->set_version_flag("--version", text)->description("print the version");
}

void App::footer(const std::string& text) {
  parts_->app->footer(text);
}

void App::callback(std::function<void()> run) {
  parts_->app->callback([this, run = std::move(run)] {
    if (parts_->print_config)
      print_out("{}", config());
    else
      run();
  });
}

template <class T>
Option* App::add_option(const std::string& name, T& value, const std::string& help) {
  return parts_->keep(parts_->app->add_option(name, value, help));
}

template Option* App::add_option(const std::string&, std::string&, const std::string&);
template Option* App::add_option(const std::string&, int&, const std::string&);
template Option* App::add_option(const std::string&, long&, const std::string&);
template Option* App::add_option(const std::string&, std::uint64_t&, const std::string&);
template Option* App::add_option(const std::string&, double&, const std::string&);
template Option* App::add_option(const std::string&, std::optional<double>&, const std::string&);
template Option* App::add_option(const std::string&, std::vector<double>&, const std::string&);
template Option* App::add_option(const std::string&, std::vector<std::string>&, const std::string&);

template <class T>
Option* App::add_option_function(const std::string& name, std::function<void(const T&)> given,
                                 const std::string& help) {
  return parts_->keep(parts_->app->add_option_function<T>(name, given, help));
}

template Option* App::add_option_function(const std::string&, std::function<void(const std::string&)>,
                                          const std::string&);
template Option* App::add_option_function(const std::string&, std::function<void(const int&)>, const std::string&);
template Option* App::add_option_function(const std::string&, std::function<void(const long&)>, const std::string&);
template Option* App::add_option_function(const std::string&, std::function<void(const std::uint64_t&)>,
                                          const std::string&);
template Option* App::add_option_function(const std::string&, std::function<void(const double&)>, const std::string&);

Option* App::add_flag(const std::string& name, bool& value, const std::string& help) {
  return parts_->keep(parts_->app->add_flag(name, value, help));
}

Option* App::add_flag_callback(const std::string& name, std::function<void()> given, const std::string& help) {
  return parts_->keep(parts_->app->add_flag_callback(name, std::move(given), help));
}

void App::common(const std::vector<std::string>& names) {
  for (const std::string& name : names) parts_->common.insert(parts_->app->get_option("--" + name));
}

const std::string& App::description() const {
  return parts_->description;
}

std::vector<CommandDescription> App::describe() const {
  std::vector<CommandDescription> commands;
  for (const auto& command : parts_->commands) {
    const CLI::App& app = *command->parts_->app;
    CommandDescription description{app.get_name(), app.get_description(), app.get_footer(), {}};
    for (const CLI::Option* help : {app.get_help_ptr(), app.get_help_all_ptr()})
      description.options.push_back({"--" + help->get_single_name(), "", help->get_description(), kOwnOptions, {}});
    for (const Option& declared : command->parts_->options) {
      const CLI::Option& option = *declared.option_;
      const bool positional = option.get_positional();
      description.options.push_back({(positional ? "" : "--") + option.get_single_name(),
                                     is_flag(option) ? "" : option.get_type_name(), option.get_description(),
                                     option.get_group(), declared.choices_, positional});
    }
    std::stable_partition(description.options.begin(), description.options.end(),
                          [](const OptionDescription& option) { return option.group != kSharedOptions; });
    commands.push_back(std::move(description));
  }
  return commands;
}

std::string App::help(const std::string& command, bool all) const {
  const CLI::AppFormatMode mode = all ? CLI::AppFormatMode::All : CLI::AppFormatMode::Normal;
  const CLI::App& program = *parts_->app;
  const auto formatter = program.get_formatter();
  if (command.empty()) return formatter->make_help(&program, program.get_name(), CLI::AppFormatMode::Normal);
  const auto found = program.get_subcommands([&](const CLI::App* other) { return other->get_name() == command; });
  if (found.empty())
    throw Error(ErrorKind::option, fmt::format("unknown command '{}'", command), {},
                suggestion(command, command_names(program)) + fmt::format("see {} --help", program.get_name()));
  return found.front()->help(program.get_name(), mode);
}

/// CLI11 prints two lines; this is one with a remedy, as for every other error. A mistyped option comes first: it may
/// be the reason why another one, or an argument, is missing.
std::string App::Parts::explain(const CLI::ParseError& error, const char* first_word) const {
  const auto chosen = app->get_subcommands();
  const CLI::App& command = chosen.empty() ? *app : *chosen.front();
  const std::string see =
      fmt::format("see {}{} --help", app->get_name(), chosen.empty() ? "" : " " + command.get_name());
  for (std::string word : app->remaining(true)) {
    if (!word.starts_with("-") || word == "-" || word == "--") continue;
    word = word.substr(0, word.find('='));
    return fmt::format("unknown option {}; {}{}", word, suggestion(word, option_names(command)), see);
  }
  if (!chosen.empty()) return fmt::format("{}; {}", error.what(), see);
  if (first_word == nullptr) return "no command given; " + see;
  if (const auto elsewhere = moved.find(first_word); elsewhere != moved.end())
    return fmt::format("unknown command '{}'; see {} --help", first_word, elsewhere->second);
  return fmt::format("unknown command '{}'; {}{}", first_word, suggestion(first_word, command_names(*app)), see);
}

std::optional<int> App::parse(int argc, char** argv) {
  try {
    parts_->app->parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return parts_->app->exit(error);
    if (!silent())
      fmt::print(stderr, "{}: {}\n", parts_->app->get_name(),
                 printable(without_passwords(parts_->explain(error, argv[1]))));
    return 1;
  }
}

}  // namespace weft::cli
