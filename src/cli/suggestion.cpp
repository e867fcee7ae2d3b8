#include "cli/suggestion.hpp"

#include <algorithm>

namespace weft::cli {

namespace {

/// Insertions, deletions, substitutions and exchanges of neighbours, no letter edited twice.
std::size_t edits(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> least(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        least[i][j] = i + j;
        continue;
      }
      least[i][j] = std::min({least[i - 1][j] + 1, least[i][j - 1] + 1, least[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        least[i][j] = std::min(least[i][j], least[i - 2][j - 2] + 1);
    }
  return least[a.size()][b.size()];
}

}  // namespace

std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
  const auto letters =
      static_cast<std::size_t>(std::count_if(word.begin(), word.end(), [](char c) { return c != '-'; }));
  const std::string* nearest = nullptr;
  std::size_t fewest = std::max<std::size_t>(1, letters / 3) + 1;
  for (const std::string& other : known) {
    // The start of a word counts as one edit.
    const std::size_t count = letters > 2 && other.starts_with(word) ? 1 : edits(word, other);
    if (count >= fewest) continue;
    fewest = count;
    nearest = &other;
  }
  return nearest == nullptr ? "" : "did you mean " + *nearest + "? ";
}

}  // namespace weft::cli
