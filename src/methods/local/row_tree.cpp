#include "methods/local/row_tree.hpp"

#include "core/at.hpp"
#include "core/random.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace weft::detail {

namespace {

constexpr Index kSpreadRows = 2000;    // a sample shows which input varies most
constexpr double kSecondSpread = 0.2;  // of the largest: an input that varies less is not worth a split
constexpr double kShift = 0.2;         // variants split between the quantiles 0.4 and 0.6

class Grower {
 public:
  Grower(View<const double> z, Index leaf, Index variant, std::uint64_t seed)
      : z_(z), leaf_(leaf), variant_(variant), draws_(seed, RandomStream::tree) {}

  RowTree grow() {
    std::vector<Index> all(at(z_.cols));
    std::iota(all.begin(), all.end(), Index{0});
    add(std::move(all), 0);
    return std::move(tree_);
  }

 private:
  /// Adds the subtree of these rows; returns the child that it is.
  Index add(std::vector<Index> rows, Index depth) {
    double threshold = 0;
    const Index input = static_cast<Index>(rows.size()) <= leaf_ ? -1 : choose_split(rows, depth, threshold);
    if (input < 0) {
      std::sort(rows.begin(), rows.end());
      tree_.leaves.push_back(std::move(rows));
      return -static_cast<Index>(tree_.leaves.size());
    }
    const auto middle =
        std::stable_partition(rows.begin(), rows.end(), [&](Index i) { return z_(input, i) <= threshold; });
    const std::size_t split = tree_.splits.size();
    tree_.splits.push_back({input, threshold, 0, 0});
    std::vector<Index> above(middle, rows.end());
    rows.erase(middle, rows.end());
    const Index below_child = add(std::move(rows), depth + 1);
    const Index above_child = add(std::move(above), depth + 1);
    tree_.splits[split].below = below_child;
    tree_.splits[split].above = above_child;
    return static_cast<Index>(split);
  }

  /// The input, or −1 where no input differs among the rows.
  Index choose_split(const std::vector<Index>& rows, Index depth, double& threshold) const {
    const std::vector<double> spread = spreads(rows);
    std::vector<Index> order(spread.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return spread[at(a)] > spread[at(b)]; });
    if (variant_ > 0 && depth < variant_ && order.size() > 1 &&
        spread[at(order[1])] > kSecondSpread * spread[at(order[0])])
      std::swap(order[0], order[1]);
    for (const Index input : order)
      if (find_threshold(rows, input, threshold)) return input;
    return -1;
  }

  /// Standard deviations of the inputs, over a sample of the rows.
  std::vector<double> spreads(const std::vector<Index>& rows) const {
    const auto count = static_cast<Index>(rows.size());
    const Index step = std::max<Index>(1, count / kSpreadRows);
    std::vector<double> result;
    for (Index j = 0; j < z_.rows; ++j) {
      double sum = 0, squares = 0, used = 0;
      for (Index k = 0; k < count; k += step) {
        const double value = z_(j, rows[at(k)]);
        sum += value;
        squares += value * value;
        ++used;
      }
      result.push_back(std::max(0.0, squares / used - (sum / used) * (sum / used)));
    }
    return result;
  }

  /// Such that rows lie on both sides; false where all are equal.
  bool find_threshold(const std::vector<Index>& rows, Index input, double& threshold) const {
    std::vector<double> values;
    for (const Index i : rows) values.push_back(z_(input, i));
    double share = 0.5;
    if (variant_ > 0)
      share += kShift * (draws_.uniform(tree_.splits.size(), static_cast<std::uint32_t>(variant_)) - 0.5);
    const auto middle = values.begin() + static_cast<Index>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), middle, values.end());
    const double largest = *std::max_element(values.begin(), values.end());
    // Where more than half of the rows have the largest value, the others go below.
    double below = *middle < largest ? *middle : -std::numeric_limits<double>::infinity();
    if (*middle == largest)
      for (const double value : values)
        if (value < largest) below = std::max(below, value);
    if (!std::isfinite(below)) return false;
    double above = largest;
    for (const double value : values)
      if (value > below) above = std::min(above, value);
    // Between two values: a transform by a matrix may give other last bits when it is applied to other blocks of rows.
    threshold = below + (above - below) / 2;
    if (!(threshold < above)) threshold = below;
    return true;
  }

  View<const double> z_;
  Index leaf_;
  Index variant_;
  Random draws_;
  RowTree tree_;
};

}  // namespace

std::vector<std::vector<Index>> RowTree::route(View<const double> z) const {
  std::vector<std::vector<Index>> rows(leaves.size());
  for (Index i = 0; i < z.cols; ++i) rows[at(leaf_of(splits, z, i))].push_back(i);
  return rows;
}

RowTree grow_tree(View<const double> z, Index leaf, Index variant, std::uint64_t seed) {
  return Grower(z, leaf, variant, seed).grow();
}

}  // namespace weft::detail
