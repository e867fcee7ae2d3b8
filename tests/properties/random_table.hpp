// Random tables with every kind of column, and what a test does to them: another order of rows or columns, other units.
#pragma once

#include "data/encode_all.hpp"
#include "properties/for_all.hpp"

#include <weft/data.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace weft::test {

using testing::Encoded;
using testing::Numbers;
using testing::TableColumn;
using testing::Texts;

using RandomTable = std::vector<TableColumn>;

inline TableColumn draw_numbers(Draw& draw, const std::string& name, Index rows, bool missing) {
  const Index kind = draw.below(5);
  const double unit = draw.below(3) == 0 ? draw.power_of_ten(-145, 145) : 1;
  const double offset = draw.below(3) == 0 ? 1e6 * unit : 0;
  const bool gaps = missing && draw.below(3) == 0;
  Numbers cells;
  for (Index i = 0; i < rows; ++i) {
    const double value = kind == 0   ? draw.normal()
                         : kind == 1 ? static_cast<double>(draw.below(7))
                         : kind == 2 ? std::exp(3 * draw.normal())
                         : kind == 3 ? 3
                                     : static_cast<double>(draw.flip());
    cells.push_back(gaps && draw.below(5) == 0 ? testing::kMissing : offset + unit * value);
  }
  return {name, cells};
}

inline TableColumn draw_texts(Draw& draw, const std::string& name, Index rows, bool missing) {
  const Index levels = 1 + draw.below(8);
  const bool gaps = missing && draw.below(3) == 0;
  Texts cells;
  for (Index i = 0; i < rows; ++i)
    cells.push_back(gaps && draw.below(5) == 0 ? "" : "level " + std::to_string(draw.below(levels)));
  return {name, cells};
}

/// Inputs c0, c1, … and, where wanted, the target y.
inline RandomTable draw_table(Draw& draw, Index rows, bool missing = true, bool target = false) {
  RandomTable table;
  const Index columns = draw.count(1, 7);
  for (Index c = 0; c < columns; ++c) {
    const std::string name = "c" + std::to_string(c);
    table.push_back(draw.below(3) == 0 ? draw_texts(draw, name, rows, missing)
                                       : draw_numbers(draw, name, rows, missing));
  }
  if (target) {
    Numbers y;
    for (Index i = 0; i < rows; ++i) y.push_back(draw.normal());
    table.push_back({"y", y});
  }
  return table;
}

inline RandomTable with_rows(const RandomTable& table, const std::vector<Index>& order) {
  RandomTable out;
  for (const TableColumn& column : table) {
    TableColumn moved{column.name, {}};
    std::visit(
        [&](const auto& cells) {
          std::decay_t<decltype(cells)> chosen;
          for (const Index i : order) chosen.push_back(cells[static_cast<std::size_t>(i)]);
          moved.cells = std::move(chosen);
        },
        column.cells);
    out.push_back(std::move(moved));
  }
  return out;
}

inline RandomTable with_columns(const RandomTable& table, const std::vector<Index>& order) {
  RandomTable out;
  for (const Index c : order) out.push_back(table[static_cast<std::size_t>(c)]);
  return out;
}

/// Numbers of the column times `unit` plus `offset`; texts as they are.
inline void change_unit(TableColumn& column, double unit, double offset = 0) {
  if (auto* numbers = std::get_if<Numbers>(&column.cells))
    for (double& value : *numbers) value = unit * value + offset;
}

}  // namespace weft::test
