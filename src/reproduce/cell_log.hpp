// Finished cells as JSON lines; a run goes on from them.
#pragma once

#include "core/json_lines.hpp"
#include "reproduce/experiment.hpp"

#include <map>

namespace weft {

using namespace detail;

class CellLog {
 public:
  /// Reads what is there; throws on a line that is no cell.
  explicit CellLog(const std::string& path);

  /// The cell of this key, or nullptr. Of several the last.
  const Cell* find(const Json& key) const;
  const Cell& add(Cell cell);

 private:
  JsonLines lines_;
  std::map<std::string, Cell> cells_;  // by the text of their keys
};

}  // namespace weft
