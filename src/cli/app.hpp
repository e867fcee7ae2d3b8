// Commands and their options, over CLI11. Only app.cpp includes it: its headers add four seconds to the compile time of
// every file that includes them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

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

 private:
  CLI::Option* option_;
};

/// The program, or one of its commands. What options are bound to must outlive the parse.
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

  /// Parses the arguments and runs the command they name. Returns the exit status where there is nothing to run: after
  /// --help, or after an error, which has been printed.
  std::optional<int> parse(int argc, char** argv);

 private:
  struct Parts;
  App(CLI::App& app);
  int explain(const std::string& error, const char* first_word) const;
  std::unique_ptr<Parts> parts_;
};

}  // namespace weft::cli
