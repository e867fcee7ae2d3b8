#include <weft/version.hpp>

#include "cli/commands.hpp"
#include "cli/processes.hpp"
#include "cli/session.hpp"

#include <fmt/format.h>

namespace {

int run_command(int argc, char** argv) {
  weft::cli::check_processes(argc > 1 ? argv[1] : "");
  weft::cli::App app("weft", "learning from tables with learned kernels and random features");
  app.require_subcommand();
  app.version(fmt::format("weft {}", weft::version()));
  app.moved("reproduce", "weft-papers run");
  app.moved("rfm", "weft-papers rfm");
  app.moved("data", "weft-papers data");
  weft::cli::add_demo(app);
  weft::cli::add_train(app, {argv, argv + argc});
  weft::cli::add_tune(app, {argv, argv + argc});
  weft::cli::add_predict(app);
  weft::cli::add_evaluate(app);
  weft::cli::add_explain(app);
  weft::cli::add_certify(app);
  weft::cli::add_prune(app, {argv, argv + argc});
  weft::cli::add_export(app);
  weft::cli::add_serve(app);
  weft::cli::add_plan(app);
  weft::cli::add_sums(app);
  weft::cli::add_merge(app);
  weft::cli::add_solve(app, {argv, argv + argc});
  weft::cli::add_info(app);
  weft::cli::add_activation(app);
  weft::cli::add_families(app);
  weft::cli::add_features(app);
  weft::cli::add_kernel(app);
  weft::cli::add_constants(app);
  weft::cli::add_leverage(app);
  weft::cli::add_generate(app);
  weft::cli::add_devices(app);
  weft::cli::add_version(app);
  weft::cli::add_completion(app);
  weft::cli::add_man(app);
  weft::cli::add_help(app);
  const int code = app.parse(argc, argv).value_or(0);
  if (code != 0) weft::cli::let_others_speak();
  weft::cli::disconnect();
  return code;
}

}  // namespace

int main(int argc, char** argv) {  // NOLINT(bugprone-exception-escape): a message that cannot be printed
  return weft::cli::run_program(
      "weft", "use fewer features", [&] { return run_command(argc, argv); }, weft::cli::fail_together);
}
