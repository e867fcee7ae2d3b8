#include <weft/error.hpp>

#include "cli/session.hpp"
#include "commands.hpp"

#include <cstdio>
#include <exception>
#include <new>

#include <fmt/format.h>

int main(int argc, char** argv) {
  weft::cli::App app("weft-papers", "reproduces the experiments of the papers behind weft");
  app.require_subcommand();
  weft::papers::add_list(app);
  weft::papers::add_run(app);
  weft::papers::add_data(app);
  weft::papers::add_rfm(app);
  try {
    return app.parse(argc, argv).value_or(0);
  } catch (const weft::Error& error) {
    fmt::print(stderr, "weft-papers: {}\n", weft::cli::in_command_line_words(error.marked()));
    return error.kind() == weft::ErrorKind::cancelled ? 130 : 1;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "weft-papers: out of memory; use fewer threads, features or rows\n");
    return 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "weft-papers: internal error: {}\n", error.what());
    return 2;
  }
}
