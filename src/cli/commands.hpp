// One function per subcommand, each in a file of its own; main.cpp lists them in the order --help shows.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace weft::cli {

void add_demo(CLI::App& app);
void add_train(CLI::App& app, const std::vector<std::string>& command_line);
void add_tune(CLI::App& app, const std::vector<std::string>& command_line);
void add_predict(CLI::App& app);
void add_evaluate(CLI::App& app);
void add_certify(CLI::App& app);
void add_prune(CLI::App& app, const std::vector<std::string>& command_line);
void add_info(CLI::App& app);
void add_activation(CLI::App& app);
void add_families(CLI::App& app);
void add_features(CLI::App& app);
void add_kernel(CLI::App& app);
void add_rfm(CLI::App& app);
void add_constants(CLI::App& app);
void add_leverage(CLI::App& app);
void add_reproduce(CLI::App& app);
void add_data(CLI::App& app);
void add_generate(CLI::App& app);
void add_version(CLI::App& app);

}  // namespace weft::cli
