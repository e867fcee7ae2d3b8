#include "cell_log.hpp"

#include <weft/error.hpp>
#include <weft/write.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

namespace weft::papers {

namespace {

std::string read_all(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw Error(ErrorKind::file, "it cannot be read", path, "check its permissions");
  return std::move(text).str();
}

}  // namespace

CellLog::CellLog(std::string path) : path_(std::move(path)) {
  if (!std::filesystem::exists(path_) || std::filesystem::file_size(path_) == 0) return;
  const std::string text = read_all(path_);
  const std::size_t whole = text.rfind('\n') + 1;
  std::istringstream lines(text.substr(0, whole));
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) read_line(line, number);
  if (whole == 0) read_line(text, 1);  // not a log: refused before it would be cut
  if (whole < text.size()) write_file(path_, text.substr(0, whole));
}

void CellLog::read_line(const std::string& line, int number) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("key") || !json.contains("values") || !json.contains("seconds"))
    throw Error(ErrorKind::data, "this line is not a finished cell of an experiment",
                fmt::format("{}:{}", path_, number), "name another folder with --out, or move this file away");
  Cell cell{json.at("key"), json.at("values"), number_from_json(json.at("seconds"))};
  cells_.insert_or_assign(json.at("key").dump(), std::move(cell));
}

const Cell* CellLog::find(const Json& key) const {
  const auto found = cells_.find(key.dump());
  return found == cells_.end() ? nullptr : &found->second;
}

const Cell& CellLog::add(Cell cell) {
  std::ofstream file(path_, std::ios::binary | std::ios::app);
  file << Json{{"key", cell.key}, {"values", cell.values}, {"seconds", cell.seconds}}.dump() << '\n' << std::flush;
  if (!file)
    throw Error(ErrorKind::file, fmt::format("it cannot be written: {}", std::strerror(errno)), path_,
                "check the disk and its permissions; the cells logged so far are kept");
  return cells_.insert_or_assign(cell.key.dump(), std::move(cell)).first->second;
}

}  // namespace weft::papers
