#include "data/encode/strange_cells.hpp"

#include "data/text.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft::detail {

namespace {
std::string cells_text(Index count) {
  return fmt::format("{} cell{}", count, count == 1 ? "" : "s");
}
}  // namespace

std::string column_counts(const std::vector<std::pair<std::string, Index>>& counts) {
  constexpr std::size_t kListed = 8;
  std::vector<std::string> texts;
  for (std::size_t c = 0; c < std::min(counts.size(), kListed); ++c)
    texts.push_back(fmt::format("{} {}", counts[c].first, counts[c].second));
  if (counts.size() > kListed) texts.push_back(fmt::format("… ({} columns)", counts.size()));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::vector<std::string> strange_cell_lines(const std::vector<std::pair<std::string, StrangeCells>>& columns) {
  std::vector<std::pair<std::string, Index>> missing, unseen;
  Index all_missing = 0, all_unseen = 0;
  for (const auto& [name, cells] : columns) {
    all_missing += cells.missing;
    all_unseen += cells.unseen;
    if (cells.missing > 0) missing.emplace_back(name, cells.missing);
    if (cells.unseen > 0) unseen.emplace_back(fmt::format("{} {}", name, shown(cells.example)), cells.unseen);
  }
  std::vector<std::string> lines;
  if (all_unseen > 0)
    lines.push_back(fmt::format("categories that did not occur in training count as none of the known ones: {} ({})",
                                cells_text(all_unseen), column_counts(unseen)));
  if (all_missing > 0)
    lines.push_back(
        fmt::format("missing cells in columns that had none in training count as the mean (categories: as none): "
                    "{} ({})",
                    cells_text(all_missing), column_counts(missing)));
  return lines;
}

}  // namespace weft::detail
