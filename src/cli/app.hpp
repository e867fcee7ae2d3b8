// Commands and their options, over CLI11. Only app.cpp includes it: its headers add four seconds to the compile time of
// every file that includes them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace weft::cli {

/// Belongs to its App.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}
  Option* required();
  Option* group(const std::string& name);
  Option* delimiter(char between);  ///< one argument holds several values
  Option* excludes(const Option& other);
  Option* choices(std::vector<std::string> names);  ///< the values there are, for completion in shells

 private:
  friend class App;
  CLI::Option* option_;
  std::vector<std::string> choices_;
};

/// An option as it was declared: what completion and manual are made of.
struct OptionDescription {
  std::string name;   ///< "--model", or "data" for an argument without a name
  std::string value;  ///< "TEXT"; empty for a flag
  std::string help;
  std::string group;
  std::vector<std::string> choices;
  bool positional = false;
};

struct CommandDescription {
  std::string name;
  std::string help;
  std::string footer;
  std::vector<OptionDescription> options;
};

/// The program, or one of its commands. What options are bound to must outlive the parse. Every command has --help,
/// --help-all, --config, --print-config, --quiet and --verbose.
class App {
 public:
  App(const std::string& program, const std::string& description);
  ~App();
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  App* add_subcommand(const std::string& name, const std::string& description);
  void require_subcommand();
  /// A command that is in another program: the error message names that program.
  void moved(const std::string& word, const std::string& command);
  void version(const std::string& text);  ///< what --version prints
  void footer(const std::string& text);
  void callback(std::function<void()> run);
  /// For the types that app.cpp instantiates it with.
  template <class T>
  Option* add_option(const std::string& name, T& value, const std::string& help);
  /// given(value) is called where the option occurs; for the types that app.cpp instantiates it with.
  template <class T>
  Option* add_option_function(const std::string& name, std::function<void(const T&)> given, const std::string& help);
  Option* add_flag(const std::string& name, bool& value, const std::string& help);
  Option* add_flag_callback(const std::string& name, std::function<void()> given, const std::string& help);
  /// Options that --help shows beside those without a group; --help-all shows all. They must have been added.
  void common(const std::vector<std::string>& names);

  /// Of the program.
  std::vector<CommandDescription> describe() const;
  const std::string& description() const;
  /// The help of a command; throws for one that does not exist.
  std::string help(const std::string& command, bool all) const;

  /// Parses the arguments and runs the command they name. Returns the exit status where there is nothing to run: after
  /// --help, or after an error, which has been printed.
  std::optional<int> parse(int argc, char** argv);

 private:
  struct Parts;
  App(CLI::App& app);
  void add_shared_options();
  void apply_config(const std::string& path);
  std::string config() const;
  std::unique_ptr<Parts> parts_;
};

}  // namespace weft::cli
