#include "cli/read_table.hpp"

#include <weft/files.hpp>

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft::cli {

Data read_table(const std::string& path, const ReadOptions& options, const Run& run) {
  Data data = read(path, options);
  const ReadOptions& found = data.options();
  std::vector<std::string> parts;
  if (options.delimiter.empty() && !found.delimiter.empty()) {
    const bool word = found.delimiter.size() > 1;
    parts.push_back(fmt::format(fmt::runtime(word ? "‹delimiter› {}" : "‹delimiter› '{}'"), found.delimiter));
  }
  if (found.decimal != options.decimal) parts.push_back(fmt::format("‹decimal› '{}'", name_of(found.decimal)));
  if (found.encoding != options.encoding) parts.push_back(fmt::format("‹encoding› {}", name_of(found.encoding)));
  if (found.skip_rows != options.skip_rows) parts.push_back(fmt::format("‹skip_rows› {}", found.skip_rows));
  if (!parts.empty())
    run.warn(fmt::format("{}: read with {}, as its first lines suggest", data.name(), fmt::join(parts, " ")));
  return data;
}

SharedTable share_table(const std::string& pattern, const std::function<Data(const std::string& file)>& open,
                        Communicator& processes, const Run& run) {
  if (pattern == "-")
    throw Error(ErrorKind::file, "every process reads its share, and standard input goes to one of them",
                "standard input", "save it to a file and name that");
  std::vector<Data> files;
  for (const std::string& file : matching_files(pattern)) files.push_back(open(file));
  return {std::move(files), pattern, processes, run};
}

}  // namespace weft::cli
