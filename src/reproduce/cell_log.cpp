#include "reproduce/cell_log.hpp"

namespace weft {

using namespace detail;

CellLog::CellLog(const std::string& path) : lines_(path) {
  lines_.read([&](const Json& line, const std::string& place) {
    if (!line.is_object() || !line.contains("key") || !line.contains("values") || !line.contains("seconds"))
      throw Error(ErrorKind::data, "this line is no finished cell of an experiment", place,
                  "name another folder with --out, or move this file away");
    Cell cell{line.at("key"), line.at("values"), number_from_json(line.at("seconds"))};
    cells_.insert_or_assign(line.at("key").dump(), std::move(cell));
  });
}

const Cell* CellLog::find(const Json& key) const {
  const auto found = cells_.find(key.dump());
  return found == cells_.end() ? nullptr : &found->second;
}

const Cell& CellLog::add(Cell cell) {
  lines_.append({{"key", cell.key}, {"values", cell.values}, {"seconds", cell.seconds}});
  return cells_.insert_or_assign(cell.key.dump(), std::move(cell)).first->second;
}

}  // namespace weft
