// Means over repeats.
#pragma once

#include <cmath>
#include <vector>

namespace weft::papers {

struct Summary {
  double mean = 0;
  double deviation = 0;       ///< standard deviation of one repeat
  double standard_error = 0;  ///< of the mean
  int count = 0;
};

inline Summary summary_of(const std::vector<double>& values) {
  Summary summary{.count = static_cast<int>(values.size())};
  if (values.empty()) return summary;
  const auto n = static_cast<double>(values.size());
  for (const double value : values) summary.mean += value / n;
  if (values.size() == 1) return summary;
  double squares = 0;
  for (const double value : values) squares += (value - summary.mean) * (value - summary.mean);
  summary.deviation = std::sqrt(squares / (n - 1));
  summary.standard_error = summary.deviation / std::sqrt(n);
  return summary;
}

}  // namespace weft::papers
