// One function per subcommand, each in a file of its own; main.cpp lists them in the order --help shows.
#pragma once

#include "cli/app.hpp"

#include <string>
#include <vector>

namespace weft::cli {

void add_demo(App& app);
void add_train(App& app, const std::vector<std::string>& command_line);
void add_tune(App& app, const std::vector<std::string>& command_line);
void add_predict(App& app);
void add_evaluate(App& app);
void add_explain(App& app);
void add_certify(App& app);
void add_prune(App& app, const std::vector<std::string>& command_line);
void add_export(App& app);
void add_serve(App& app);
void add_plan(App& app);
void add_sums(App& app);
void add_merge(App& app);
void add_solve(App& app, const std::vector<std::string>& command_line);
void add_info(App& app);
void add_activation(App& app);
void add_families(App& app);
void add_features(App& app);
void add_kernel(App& app);
void add_constants(App& app);
void add_leverage(App& app);
void add_generate(App& app);
void add_devices(App& app);
void add_version(App& app);
void add_help(App& app);
void add_completion(App& app);
void add_man(App& app);

}  // namespace weft::cli
