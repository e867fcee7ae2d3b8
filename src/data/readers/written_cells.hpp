// Cells of some columns as they are written in the table, for whoever passes them on.
#pragma once

#include <weft/data.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace weft::detail {

class WrittenCells {
 public:
  bool empty() const { return kept_.empty(); }
  void keep(const std::vector<Column>& of_the_table, const std::vector<std::string>& names) {
    for (std::size_t c = 0; c < of_the_table.size(); ++c)
      if (std::find(names.begin(), names.end(), of_the_table[c].name) != names.end())
        kept_.push_back({c, of_the_table[c].name, {}});
  }
  void start_block() {
    for (Kept& one : kept_) one.cells.clear();
  }
  /// Of one row, with its cells by the column's position.
  template <class CellAt>
  void add_row(const CellAt& cell_at) {
    for (Kept& one : kept_) one.cells.emplace_back(cell_at(one.column));
  }
  /// Of the block's rows; nullptr: not kept.
  const std::vector<std::string>* of(const std::string& name) const {
    const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& one) { return one.name == name; });
    return found == kept_.end() ? nullptr : &found->cells;
  }

 private:
  struct Kept {
    std::size_t column;
    std::string name;
    std::vector<std::string> cells;
  };
  std::vector<Kept> kept_;
};

}  // namespace weft::detail
