#include "cli/app.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace weft::cli {

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

struct App::Parts {
  std::unique_ptr<CLI::App> program;  // null for a command, which its program owns
  CLI::App* app;
  std::deque<Option> options;
  std::vector<std::unique_ptr<App>> commands;
  std::string name;                          // of the program
  std::map<std::string, std::string> moved;  // commands that are now in other programs

  Option* keep(CLI::Option* option) { return &options.emplace_back(*option); }
};

App::App(const std::string& program, const std::string& description) : parts_(std::make_unique<Parts>()) {
  parts_->name = program;
  parts_->program = std::make_unique<CLI::App>(program + ": " + description);
  parts_->app = parts_->program.get();
}

App::App(CLI::App& app) : parts_(std::make_unique<Parts>()) {
  parts_->app = &app;
}

App::~App() = default;

App* App::add_subcommand(const std::string& name, const std::string& description) {
  parts_->commands.push_back(std::unique_ptr<App>(new App(*parts_->app->add_subcommand(name, description))));
  return parts_->commands.back().get();
}

void App::require_subcommand() {
  parts_->app->require_subcommand(1);
}

void App::moved(const std::string& word, const std::string& command) {
  parts_->moved[word] = command;
}

void App::footer(const std::string& text) {
  parts_->app->footer(text);
}

void App::callback(std::function<void()> run) {
  parts_->app->callback(std::move(run));
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

// CLI11 prints two lines; this prints one with a remedy, as for every other error.
int App::explain(const std::string& error, const char* first_word) const {
  const std::string& program = parts_->name;
  const auto chosen = parts_->app->get_subcommands();
  if (!chosen.empty()) {
    fmt::print(stderr, "{}: {}; see {} {} --help\n", program, error, program, chosen.front()->get_name());
  } else if (first_word == nullptr) {
    fmt::print(stderr, "{}: no command given; see {} --help\n", program, program);
  } else {
    const auto elsewhere = parts_->moved.find(first_word);
    fmt::print(stderr, "{}: unknown command '{}'; see {} --help\n", program, first_word,
               elsewhere == parts_->moved.end() ? program : elsewhere->second);
  }
  return 1;
}

std::optional<int> App::parse(int argc, char** argv) {
  try {
    parts_->app->parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    return error.get_exit_code() == 0 ? parts_->app->exit(error) : explain(error.what(), argv[1]);
  }
}

}  // namespace weft::cli
