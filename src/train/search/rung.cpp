#include "train/search/rung.hpp"

#include "data/rows/row_filter.hpp"

#include <algorithm>
#include <map>

namespace weft::detail {

std::vector<double> rung_fractions(const Validation& all, Index features) {
  std::vector<double> fractions = {1};
  std::map<Index, Index> counts;
  for (Index i = 0; i < all.targets.rows(); ++i) ++counts[all.targets.class_of(i)];
  Index rarest = all.targets.rows();
  for (const auto& [k, count] : counts) rarest = std::min(rarest, count);
  for (double fraction = 1 / kRungFactor; fraction >= 1 / (kRungFactor * kRungFactor) - 1e-9; fraction /= kRungFactor)
    if (fraction * static_cast<double>(all.targets.rows()) >= 2 * static_cast<double>(features) &&
        fraction * static_cast<double>(rarest) >= 2 * static_cast<double>(all.folds.parts))
      fractions.insert(fractions.begin(), fraction);
  return fractions;
}

Rung make_rung(double fraction, const BlockSource& rows, const Validation& all, const TargetInfo& target,
               std::uint64_t seed) {
  std::vector<Index> classes;
  if (target.task != Task::regression)
    for (Index i = 0; i < rows.rows(); ++i) classes.push_back(all.targets.class_of(i));
  const std::vector<std::uint8_t> chosen = split(rows.rows(), classes, {.holdout = fraction, .seed = seed});
  auto sample = filter_rows(rows, {chosen.begin(), chosen.end()});
  Validation validation = make_validation(*sample, target, all.metric, all.folds.parts - all.folds.first(), seed);
  return {std::move(sample), std::move(validation)};
}

}  // namespace weft::detail
