#include "cli/session.hpp"
#include "commands.hpp"

int main(int argc, char** argv) {
  return weft::cli::run_program("weft-papers", "use fewer threads, features or rows", [&] {
    weft::cli::App app("weft-papers", "reproduces the experiments of the papers behind weft");
    app.require_subcommand();
    weft::papers::add_list(app);
    weft::papers::add_run(app);
    weft::papers::add_data(app);
    weft::papers::add_rfm(app);
    return app.parse(argc, argv).value_or(0);
  });
}
