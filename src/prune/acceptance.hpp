// The ACCEPT rules of Dubé & Marchand 2023, section 6 (eqs. 63 to 66): the quantity of a pruned model that is compared
// with ε.
#pragma once

#include <weft/prune.hpp>

#include "prune/geometry.hpp"
#include "prune/risk.hpp"

namespace weft::detail {

/// Throws where the rule compares shares of misclassified rows, and there are no classes.
void check_error_rate(AcceptRule rule, Task task);

class Acceptance {
 public:
  /// `rule` is not automatic. `weights` is the geometry of H; all that is referred to must outlive this.
  Acceptance(const ModelParts& parts, const FitOptions& fit, const BlockSource& rows, const Geometry& weights,
             AcceptRule rule, double delta, const Run& run);

  /// One value per model: norm ρθ‖α−β‖, bound that over √m times (2 + √(2 log 1/δ)) more than the change of the risk,
  /// risk and error the changes on the rows. An intercept that moved counts with the weight function.
  std::vector<double> values(const std::vector<Pruned>& models, const Run& run) const;

 private:
  double most_change(const Pruned& model) const;

  const ModelParts& parts_;
  const Geometry& weights_;
  AcceptRule rule_;
  Risk risk_;
  double theta_ = 0;
  double bound_factor_ = 0;
  std::vector<double> norms_;  // of α
  RowMeans before_;
};

}  // namespace weft::detail
