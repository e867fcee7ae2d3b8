#include "methods/portfolio/sizes.hpp"

#include "core/at.hpp"
#include "methods/local/member_plan.hpp"
#include "methods/portfolio/kernel_forms.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace weft::detail {

namespace {

constexpr double kLeafWork = 0.5e11;      // rows · leaf² of a quick local fit: 1200 for 35,000 rows, 2200 for 10,000
constexpr double kLandmarkWork = 2.4e11;  // rows · landmarks² of a quick global fit: 2400 and 4000

/// The size with this work, not below `least` and at most 4000.
Index quick_size(double work, Index rows, Index least) {
  const double size = std::sqrt(work / static_cast<double>(std::max<Index>(1, rows)));
  return std::clamp<Index>(static_cast<Index>(size) / 100 * 100, least, 4000);
}

}  // namespace

bool has_noisy_effects(std::span<const ColumnKind> kinds, const Matrix& x) {
  constexpr Index kRowsPerCategory = 100;
  for (Index j = 0; j < x.rows(); ++j) {
    if (kinds[at(j)] != ColumnKind::effect) continue;
    std::vector<double> values(x.row(j), x.row(j) + x.cols());
    std::sort(values.begin(), values.end());
    const Index distinct = std::unique(values.begin(), values.end()) - values.begin();  // of each category five
    if (kRowsPerCategory * distinct > 5 * x.cols()) return true;
  }
  return false;
}

Sizes sizes_of(const PortfolioOptions& options, Index rows, bool noisy) {
  Sizes sizes{false, 2000, 2000, 3, quick_size(kLeafWork, rows, 1200), quick_size(kLandmarkWork, rows, 2000),
              5000,  1000, 1};
  if (noisy) sizes = {false, 1000, 1000, 1, 400, 600, 5000, 1000, 1};
  if (options.effort == Effort::thorough) sizes = {true, 3000, 3000, 4, 2000, 4000, 8000, 2000, 2};
  if (options.relevance >= 0) sizes.rounds = options.relevance;
  if (options.leaf > 0) sizes.leaf = sizes.exact = options.leaf;
  if (options.landmarks > 0) sizes.landmarks = options.landmarks;
  return sizes;
}

double copies_of_rows(const Sizes& sizes) {
  const double candidates = sizes.thorough ? kForms + 3 : 4;
  return 4 + candidates * (1 + MemberPlan{}.overlap);
}

}  // namespace weft::detail
