#include <weft/database.hpp>
#include <weft/version.hpp>

#include "cli/commands.hpp"
#include "cli/session.hpp"

#include <fmt/format.h>

namespace weft::cli {

namespace {

void print_compute_info(const ComputeInfo& info) {
  print_out("processor     {}\n", info.processor);
  print_out("weft kernels  {}\n", info.vectors);
  print_out("BLAS          {}\n", info.blas);
  if (!info.blas_kernels.empty()) print_out("BLAS kernels  {}\n", info.blas_kernels);
  if (info.blas_threads > 0)
    print_out("BLAS threads  {} in this process; weft's calls use one each\n", info.blas_threads);
  const DatabaseInfo databases = database_info();
  print_out("SQLite        {}\nPostgreSQL    {}\n", databases.sqlite, databases.postgresql);
}

}  // namespace

void add_version(App& app) {
  auto* command = app.add_subcommand("version", "Print the version");
  command->footer(
      "--verbose also prints the vector instructions, the BLAS library in use and those of databases.\nExample:\n  "
      "weft version --verbose");
  command->callback([] {
    const bool verbose = verbosity() == Verbosity::verbose;
    const ComputeInfo info = verbose ? compute_info() : ComputeInfo{};
    print_out("weft {}\n", version());
    if (verbose) print_compute_info(info);
  });
}

}  // namespace weft::cli
