// Bandwidth and λ of a fit on landmarks, by the held-out rows, with part of the rows and landmarks.
#pragma once

#include "methods/local/grid_descent.hpp"
#include "methods/local/member_plan.hpp"

namespace weft::detail {

class LandmarkTrial {
 public:
  /// `fold` and `run` must outlive it.
  LandmarkTrial(MemberPlan plan, const Fold& fold, const Run& run);

  void choose_lambda();                             ///< at the plan's bandwidth: one set of sums
  void choose_both();                               ///< as many sets as bandwidths are tried
  const MemberPlan& plan() const { return plan_; }  ///< with what was chosen
  double error() const { return error_; }           ///< of all held-out rows; all rows and landmarks leave less

  /// Of the fit to so many rows with all landmarks, by the time that the sums took here.
  double expected_seconds(Index rows) const;

 private:
  void choose(Index first, Index bandwidths);
  double error_at(GridPoint point);

  MemberPlan start_, plan_;
  const Fold* fold_;
  const Run* run_;
  LabelledRows part_;
  std::map<Index, LandmarkEquations> known_ = {};  // by bandwidth
  std::map<GridPoint, double> errors_ = {};
  double error_ = 0;
  double sums_seconds_ = 0;  // the longest
};

}  // namespace weft::detail
