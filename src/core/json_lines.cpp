#include "core/json_lines.hpp"

#include <weft/error.hpp>

#include "core/atomic_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

namespace weft::detail {

namespace {

std::string read_all(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw Error(ErrorKind::file, "it cannot be read", path, "check its permissions");
  return std::move(text).str();
}

}  // namespace

bool JsonLines::read(const std::function<void(const Json&, const std::string&)>& consume) const {
  if (path_.empty() || !std::filesystem::is_regular_file(path_) || std::filesystem::file_size(path_) == 0) return false;
  const std::string text = read_all(path_);
  const std::size_t whole = text.rfind('\n') + 1;  // the rest was being written when the job was interrupted
  std::istringstream lines(text.substr(0, whole));
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number)
    consume(nests_too_deeply(line) ? Json(Json::value_t::discarded) : Json::parse(line, nullptr, false),
            fmt::format("{}:{}", path_, number));
  // Only now: consume has rejected files that are not logs of this kind.
  if (whole == 0) consume(Json(Json::value_t::discarded), path_);
  if (whole < text.size()) {
    AtomicFile file(path_);
    file.write(std::string_view(text).substr(0, whole));
    file.commit();
  }
  return true;
}

void JsonLines::append(const Json& line) const {
  if (path_.empty()) return;
  std::ofstream file(path_, std::ios::binary | std::ios::app);
  file << line.dump() << '\n' << std::flush;
  if (!file)
    throw Error(ErrorKind::file, fmt::format("it cannot be written: {}", std::strerror(errno)), path_,
                "check the disk and the permissions; the log so far is kept");
}

}  // namespace weft::detail
