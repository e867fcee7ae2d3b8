// One function per subcommand of weft-papers.
#pragma once

#include "cli/app.hpp"

namespace weft::papers {

void add_list(cli::App& app);
void add_run(cli::App& app);
void add_data(cli::App& app);
void add_rfm(cli::App& app);

}  // namespace weft::papers
