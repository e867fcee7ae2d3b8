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
constexpr double kMostOverlap = 0.5;   // of a node's rows
constexpr double kShift = 0.2;         // variants move the quantile of a split by up to half of this

/// Rows that divide a node, and rows of its neighbours near its borders.
struct NodeRows {
  std::vector<Index> own, near;
};

class Grower {
 public:
  Grower(View<const double> z, Index leaf, const TreeOptions& options)
      : z_(z), leaf_(leaf), variant_(options.variant), draws_(options.seed, RandomStream::tree) {
    if (z.cols <= leaf) return;  // one leaf
    leaf_ = std::max<Index>(1, static_cast<Index>(static_cast<double>(leaf) / (1 + options.overlap)));
    // Every level has the same share, so that leaves have `overlap` of their own rows however deep the tree is.
    const double levels = std::ceil(std::log2(static_cast<double>(leaves_of(z.cols))));
    share_ = std::min(kMostOverlap, std::pow(1 + options.overlap, 1 / levels) - 1);
  }

  RowTree grow() {
    NodeRows all;
    all.own.resize(at(z_.cols));
    std::iota(all.own.begin(), all.own.end(), Index{0});
    add(std::move(all), 0);
    return std::move(tree_);
  }

 private:
  Index leaves_of(Index rows) const { return std::max<Index>(1, (rows + leaf_ - 1) / leaf_); }

  /// Adds the subtree of these rows; returns the child that it is.
  Index add(NodeRows rows, Index depth) {
    double threshold = 0;
    const Index input = static_cast<Index>(rows.own.size()) <= leaf_ ? -1 : choose_split(rows.own, depth, threshold);
    if (input < 0) {
      rows.own.insert(rows.own.end(), rows.near.begin(), rows.near.end());
      std::sort(rows.own.begin(), rows.own.end());
      tree_.leaves.push_back(std::move(rows.own));
      return -static_cast<Index>(tree_.leaves.size());
    }
    const std::size_t split = tree_.splits.size();
    tree_.splits.push_back({input, threshold, 0, 0});
    auto [below, above] = sides(rows, input, threshold);
    rows = {};
    const Index below_child = add(std::move(below), depth + 1);
    const Index above_child = add(std::move(above), depth + 1);
    tree_.splits[split].below = below_child;
    tree_.splits[split].above = above_child;
    return static_cast<Index>(split);
  }

  /// Each side has half of the overlap from the other.
  std::pair<NodeRows, NodeRows> sides(const NodeRows& rows, Index input, double threshold) const {
    const auto value = [&](Index i) { return z_(input, i); };
    std::vector<double> distances[2];
    for (const Index i : rows.own) distances[value(i) > threshold].push_back(std::abs(value(i) - threshold));
    const auto wanted = static_cast<Index>(share_ / 2 * static_cast<double>(rows.own.size()));
    double reach[2];
    for (const int side : {0, 1}) {
      const auto last = distances[side].begin() + std::min(wanted, static_cast<Index>(distances[side].size()) - 1);
      std::nth_element(distances[side].begin(), last, distances[side].end());
      reach[side] = *last;
    }
    std::pair<NodeRows, NodeRows> result;
    const auto share_out = [&](const std::vector<Index>& from, std::vector<Index> NodeRows::*to) {
      for (const Index i : from) {
        const bool above = value(i) > threshold;
        ((above ? result.second : result.first).*to).push_back(i);
        if (std::abs(value(i) - threshold) < reach[above]) (above ? result.first : result.second).near.push_back(i);
      }
    };
    share_out(rows.own, &NodeRows::own);
    share_out(rows.near, &NodeRows::near);
    return result;
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
    // As many leaves as the rows need go to both sides, so that all leaves come out nearly full: medians alone would
    // leave them between half full and full.
    const Index leaves = leaves_of(static_cast<Index>(rows.size()));
    const Index leaves_below = leaves / 2;
    double share = static_cast<double>(leaves_below) / static_cast<double>(leaves);
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
  Index leaf_;  // most rows of its own
  Index variant_;
  double share_ = 0;  // of a node's rows that both of its children get
  Random draws_;
  RowTree tree_;
};

}  // namespace

std::vector<std::vector<Index>> RowTree::route(View<const double> z) const {
  std::vector<std::vector<Index>> rows(leaves.size());
  for (Index i = 0; i < z.cols; ++i) rows[at(leaf_of(splits, z, i))].push_back(i);
  return rows;
}

RowTree grow_tree(View<const double> z, Index leaf, const TreeOptions& options) {
  return Grower(z, leaf, options).grow();
}

}  // namespace weft::detail
