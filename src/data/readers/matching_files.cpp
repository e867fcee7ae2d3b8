#include <weft/database.hpp>
#include <weft/files.hpp>

#include "data/readers/builtin_path.hpp"

#include <filesystem>

#include <fmt/format.h>
#include <glob.h>

namespace weft {

using namespace detail;

std::vector<std::string> matching_files(const std::string& pattern) {
  if (pattern.find_first_of("*?[") == std::string::npos || is_database(pattern) || is_builtin_path(pattern) ||
      std::filesystem::exists(pattern))
    return {pattern};
  glob_t found{};
  const int status = glob(pattern.c_str(), 0, nullptr, &found);
  std::vector<std::string> files(found.gl_pathv, found.gl_pathv + (status == 0 ? found.gl_pathc : 0));
  globfree(&found);
  if (files.empty())
    throw Error(ErrorKind::file, "no file matches this pattern", pattern, "check the folder and the name");
  return files;
}

}  // namespace weft
