#include <weft/error.hpp>

#include "cli/commands.hpp"

#include <cstdio>
#include <exception>
#include <new>

#include <fmt/format.h>

int main(int argc, char** argv) {
  CLI::App app{"weft: learning with weighted random features"};
  app.require_subcommand(1);
  weft::cli::add_train(app, {argv, argv + argc});
  weft::cli::add_predict(app);
  weft::cli::add_evaluate(app);
  weft::cli::add_info(app);
  weft::cli::add_families(app);
  weft::cli::add_features(app);
  weft::cli::add_kernel(app);
  weft::cli::add_constants(app);
  weft::cli::add_generate(app);
  weft::cli::add_version(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  } catch (const weft::Error& error) {
    fmt::print(stderr, "weft: {}\n", error.what());
    return error.kind() == weft::ErrorKind::cancelled ? 130 : 1;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "weft: out of memory; use fewer features or a smaller block\n");
    return 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "weft: internal error: {}\n", error.what());
    return 2;
  }
  return 0;
}
