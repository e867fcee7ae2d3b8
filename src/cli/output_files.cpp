#include "cli/output_files.hpp"

#include <weft/database.hpp>
#include <weft/error.hpp>
#include <weft/files.hpp>
#include <weft/write.hpp>

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

namespace weft::cli {

namespace {

namespace fs = std::filesystem;

// Links of either kind lead to the same file. Devices and pipes keep nothing that could be overwritten.
bool same_file(const std::string& one, const std::string& other) {
  if (one.empty() || other.empty()) return false;
  std::error_code unknown;
  if (fs::exists(one, unknown)) return fs::is_regular_file(one, unknown) && fs::equivalent(one, other, unknown);
  return fs::weakly_canonical(fs::absolute(one), unknown) == fs::weakly_canonical(fs::absolute(other), unknown);
}

std::string named(const std::string& path, const char* standard_stream) {
  return path == "-" ? standard_stream : path;
}

// The table of a database may be written while another one of it is read.
bool overwrites(const OutputFile& output, const InputFile& input) {
  if (!is_database(output.path)) {
    const std::vector<std::string> files = matching_files(input.path);
    return std::any_of(files.begin(), files.end(), [&](const std::string& file) {
      return same_file(named(output.path, "/dev/stdout"), table_file(named(file, "/dev/stdin")));
    });
  }
  return is_database(input.path) && same_database_table(output.path, input.path);
}

}  // namespace

void check_output_files(const std::vector<OutputFile>& outputs, const std::vector<InputFile>& inputs) {
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const OutputFile& output = outputs[k];
    if (output.path.empty()) continue;
    if (is_database(output.path) && !output.table)
      throw Error(ErrorKind::option, "only tables are written to a database", output.option, "give the name of a file");
    const std::string path = named(output.path, "/dev/stdout");
    for (const InputFile& input : inputs)
      if (overwrites(output, input))
        throw Error(ErrorKind::option, fmt::format("{} is {}, which is read", output.path, input.meaning),
                    output.option, "give another name, so that nothing is overwritten");
    for (std::size_t other = 0; other < k; ++other)
      if (same_file(path, named(outputs[other].path, "/dev/stdout")))
        throw Error(ErrorKind::option, fmt::format("{} names the same file", outputs[other].option), output.option,
                    "give another name");
    if (output.table)
      check_table_writable(output.path);
    else
      check_writable(output.path);
  }
}

}  // namespace weft::cli
