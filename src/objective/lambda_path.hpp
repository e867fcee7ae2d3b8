// The one way λ is chosen where it is not given: fits along a path of λs, from the largest down, are compared by their
// error on rows that they have not seen. What differs from method to method is the path, the fit and the rule.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace weft::detail {

struct PathRule {
  int patience = 0;       ///< the path ends after this many λs in a row that are not better; 0: it does not
  double worthwhile = 1;  ///< an error is better when it is below this times the best so far
  double rise = std::numeric_limits<double>::infinity();  ///< the path ends where an error is above this times the best
};

struct LambdaPath {
  std::vector<double> lambdas;  ///< those that were tried
  std::vector<double> errors;   ///< of each; may be infinite
  bool stopped = false;         ///< the time ended it

  /// The place of the least error, of several the first; nullopt where none is finite.
  std::optional<std::size_t> least() const;
  /// The place of the largest λ that is as good as the best to a five-hundredth. The curve is flat towards small λ,
  /// where norms grow and the equations lose digits for nothing.
  std::optional<std::size_t> largest_good() const;
};

/// error(λ) is nullopt where the time has ended; on_better(λ) is called for every λ that is better than those before.
LambdaPath follow_path(const std::vector<double>& lambdas, const PathRule& rule,
                       const std::function<std::optional<double>(double lambda)>& error,
                       const std::function<void(double lambda)>& on_better = {});

/// `count` λs from the first, each `ratio` times the one before.
std::vector<double> geometric_path(double first, double ratio, std::size_t count);

}  // namespace weft::detail
