#include <weft/error.hpp>

#include "cli/commands.hpp"

#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include <fmt/format.h>

namespace {

// What CLI11 says in two lines, in one and with a remedy as every other mistake.
int explain(const CLI::App& app, const CLI::ParseError& error, const char* first_word) {
  const auto chosen = app.get_subcommands();
  if (!chosen.empty()) {
    fmt::print(stderr, "weft: {}; see weft {} --help\n", error.what(), chosen.front()->get_name());
  } else {
    const std::string what =
        first_word == nullptr ? "no command is given" : fmt::format("there is no command '{}'", first_word);
    fmt::print(stderr, "weft: {}; see weft --help\n", what);
  }
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"weft: learning with weighted random features"};
  app.require_subcommand(1);
  weft::cli::add_demo(app);
  weft::cli::add_train(app, {argv, argv + argc});
  weft::cli::add_tune(app, {argv, argv + argc});
  weft::cli::add_predict(app);
  weft::cli::add_evaluate(app);
  weft::cli::add_certify(app);
  weft::cli::add_prune(app, {argv, argv + argc});
  weft::cli::add_info(app);
  weft::cli::add_activation(app);
  weft::cli::add_families(app);
  weft::cli::add_features(app);
  weft::cli::add_kernel(app);
  weft::cli::add_rfm(app);
  weft::cli::add_constants(app);
  weft::cli::add_leverage(app);
  weft::cli::add_reproduce(app);
  weft::cli::add_data(app);
  weft::cli::add_generate(app);
  weft::cli::add_version(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return error.get_exit_code() == 0 ? app.exit(error) : explain(app, error, argv[1]);
  } catch (const weft::Error& error) {
    fmt::print(stderr, "weft: {}\n", error.what());
    return error.kind() == weft::ErrorKind::cancelled ? 130 : 1;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "weft: out of memory; use fewer features\n");
    return 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "weft: internal error: {}\n", error.what());
    return 2;
  }
  return 0;
}
