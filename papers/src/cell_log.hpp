// Finished cells as JSON lines, from which an interrupted run continues.
#pragma once

#include "experiment.hpp"

#include <map>

namespace weft::papers {

class CellLog {
 public:
  /// Reads the file, where there is one. A last line that was being written when a run ended is dropped; any other line
  /// that is not a cell throws.
  explicit CellLog(std::string path);

  /// The cell of this key, or nullptr. Of several the last.
  const Cell* find(const Json& key) const;
  const Cell& add(Cell cell);

 private:
  void read_line(const std::string& line, int number);

  std::string path_;
  std::map<std::string, Cell> cells_;  // by the text of their keys
};

}  // namespace weft::papers
