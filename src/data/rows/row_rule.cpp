#include "data/rows/row_rule.hpp"

#include <weft/encoder.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <set>

#include <fmt/format.h>

namespace weft::detail {

namespace {

std::size_t place_of(Index k) {
  return static_cast<std::size_t>(k);
}

Index present(const std::vector<Index>& counts) {
  return static_cast<Index>(std::count_if(counts.begin(), counts.end(), [](Index count) { return count > 0; }));
}

/// Whole keys in the order of their draws, each where it brings the number of rows nearer to what is wanted; where all
/// are too large, the smallest.
std::vector<std::uint8_t> drawn_keys(const std::vector<Index>& counts, const Random& draws, double wanted) {
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t k = 0; k < counts.size(); ++k)
    if (counts[k] > 0) order.emplace_back(draws.uniform(k), k);
  std::sort(order.begin(), order.end());
  std::vector<std::uint8_t> held(counts.size());
  double rows = 0;
  std::size_t taken = 0;
  for (const auto& [draw, k] : order) {
    const double with = rows + static_cast<double>(counts[k]);
    if (taken + 1 == order.size() || std::abs(with - wanted) >= std::abs(rows - wanted)) continue;
    held[k] = 1;
    rows = with;
    ++taken;
  }
  if (taken == 0)
    held[std::min_element(order.begin(), order.end(), [&](const auto& a, const auto& b) {
           return counts[a.second] < counts[b.second];
         })->second] = 1;
  return held;
}

/// The latest keys, as many as come nearest to the number of rows wanted; not all of them.
std::vector<std::uint8_t> latest_keys(const std::vector<Index>& counts, double wanted) {
  const std::size_t first =
      place_of(std::find_if(counts.begin(), counts.end(), [](Index count) { return count > 0; }) - counts.begin());
  std::vector<std::uint8_t> held(counts.size());
  double rows = 0;
  for (std::size_t k = counts.size(); k-- > first + 1;) {
    const double with = rows + static_cast<double>(counts[k]);
    if (rows > 0 && std::abs(with - wanted) > std::abs(rows - wanted)) break;
    held[k] = 1;
    rows = with;
  }
  return held;
}

/// Part of each key: those that follow each other, cut where the numbers of rows come nearest to equal parts.
std::vector<Index> cut(const std::vector<Index>& counts, Index parts) {
  const double total = static_cast<double>(std::accumulate(counts.begin(), counts.end(), Index{0}));
  Index left = present(counts);
  std::vector<Index> part_of_key(counts.size());
  Index part = 0;
  double before = 0;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] == 0) continue;
    const double border = total * static_cast<double>(part + 1) / static_cast<double>(parts);
    const double after = before + static_cast<double>(counts[k]);
    const bool needed = left == parts - part - 1;  // one key for each of the parts that are left
    if (before > 0 && part + 1 < parts && (needed || border - before <= after - border)) ++part;
    part_of_key[k] = part;
    before = after;
    --left;
  }
  return part_of_key;
}

/// Rows of each key and class.
std::vector<std::vector<Index>> class_counts(const std::vector<Index>& keys, std::size_t known,
                                             const std::vector<Index>& classes) {
  const Index count = classes.empty() ? 1 : *std::max_element(classes.begin(), classes.end()) + 1;
  std::vector<std::vector<Index>> result(known, std::vector<Index>(place_of(count)));
  for (std::size_t i = 0; i < keys.size(); ++i) ++result[place_of(keys[i])][classes.empty() ? 0 : place_of(classes[i])];
  return result;
}

/// Part of each key: the largest first, each to the part that has fewest rows of its classes.
std::vector<Index> deal(const std::vector<Index>& counts, const std::vector<std::vector<Index>>& by_class, Index parts,
                        const Random& draws) {
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < counts.size(); ++k)
    if (counts[k] > 0) order.push_back(k);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple(-counts[a], draws.uniform(a), a) < std::tuple(-counts[b], draws.uniform(b), b);
  });
  const std::size_t classes = by_class.front().size();
  std::vector<double> totals(classes);
  for (const std::vector<Index>& key : by_class)
    for (std::size_t c = 0; c < classes; ++c) totals[c] += static_cast<double>(key[c]);
  std::vector<std::vector<double>> held(place_of(parts), std::vector<double>(classes));
  std::vector<double> rows(place_of(parts));
  std::vector<Index> part_of_key(counts.size());
  for (const std::size_t k : order) {
    std::pair<double, double> least;
    std::size_t best = place_of(parts);
    for (std::size_t p = 0; p < held.size(); ++p) {
      double crowd = 0;
      for (std::size_t c = 0; c < classes; ++c)
        if (by_class[k][c] > 0) crowd += held[p][c] * static_cast<double>(by_class[k][c]) / totals[c];
      const std::pair<double, double> here(crowd, rows[p]);
      if (best < held.size() && !(here < least)) continue;
      least = here;
      best = p;
    }
    part_of_key[k] = static_cast<Index>(best);
    rows[best] += static_cast<double>(counts[k]);
    for (std::size_t c = 0; c < classes; ++c) held[best][c] += static_cast<double>(by_class[k][c]);
  }
  return part_of_key;
}

}  // namespace

bool one_key(const std::vector<Index>& keys) {
  return std::adjacent_find(keys.begin(), keys.end(), std::not_equal_to<>()) == keys.end();
}

RowRule::RowRule(Kind kind, std::string column, std::vector<Index> keys)
    : kind_(kind), column_(std::move(column)), keys_(std::make_shared<const std::vector<Index>>(std::move(keys))) {}

RowRule RowRule::subset(const std::vector<bool>& keep) const {
  if (none()) return {};
  assert(keep.size() == keys_->size());
  std::vector<Index> kept;
  for (std::size_t i = 0; i < keep.size(); ++i)
    if (keep[i]) kept.push_back((*keys_)[i]);
  return with_keys(std::move(kept));
}

RowRule RowRule::subset(std::span<const Index> rows) const {
  if (none()) return {};
  std::vector<Index> kept;
  for (const Index row : rows) kept.push_back((*keys_)[place_of(row)]);
  return with_keys(std::move(kept));
}

RowRule RowRule::with_keys(std::vector<Index> keys) const {
  return one_key(keys) ? RowRule() : RowRule(kind_, column_, std::move(keys));
}

std::vector<Index> RowRule::counts() const {
  std::vector<Index> result(keys_->empty() ? 0 : place_of(*std::max_element(keys_->begin(), keys_->end()) + 1));
  for (const Index key : *keys_) ++result[place_of(key)];
  return result;
}

PartOf RowRule::held_out(const Random& draws, double share) const {
  if (none())
    return [draws, share](Index row) { return draws.uniform(static_cast<std::uint64_t>(row)) < share ? 1 : 0; };
  return [keys = keys_, held = held_out_keys(kind_, counts(), draws, share)](Index row) -> Index {
    return held[place_of((*keys)[place_of(row)])];
  };
}

Folds RowRule::folds(Index rows, Index wanted, const std::vector<Index>& classes, std::uint64_t seed) const {
  if (none()) return {wanted, assign_folds(rows, classes, wanted, seed)};
  assert(rows == static_cast<Index>(keys_->size()));
  const std::vector<Index> all = counts();
  const Index several = present(all);
  const bool forward = kind_ == Kind::times;
  Folds result{std::min(forward ? wanted + 1 : wanted, several), {}, forward};
  const bool as_they_are = kind_ == Kind::folds && result.parts == several;  // cut() makes a part of each
  const std::vector<Index> part_of_key = forward || as_they_are ? cut(all, result.parts)
                                                                : deal(all, class_counts(*keys_, all.size(), classes),
                                                                       result.parts, Random(seed, RandomStream::split));
  for (const Index key : *keys_) result.of_row.push_back(part_of_key[place_of(key)]);
  return result;
}

std::string RowRule::describe() const {
  return none() ? std::string() : describe_rule(kind_, column_, present(counts()));
}

std::vector<std::uint8_t> held_out_keys(RowRule::Kind kind, const std::vector<Index>& counts, const Random& draws,
                                        double share) {
  const double wanted = share * static_cast<double>(std::accumulate(counts.begin(), counts.end(), Index{0}));
  return kind == RowRule::Kind::times ? latest_keys(counts, wanted) : drawn_keys(counts, draws, wanted);
}

std::string describe_rule(RowRule::Kind kind, const std::string& column, Index several) {
  switch (kind) {
    case RowRule::Kind::folds:
      return fmt::format("folds are those of column {} ({})", column, several);
    case RowRule::Kind::groups:
      return fmt::format("rows of the same {} stay together ({} groups)", column, several);
    default:
      return fmt::format("on the latest rows by {} ({} times)", column, several);
  }
}

}  // namespace weft::detail
