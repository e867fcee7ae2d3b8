// Bandwidth and λ of a fit on landmarks, by the held-out rows, with part of the rows and landmarks.
#pragma once

#include "methods/local/grid_descent.hpp"
#include "methods/local/member_plan.hpp"

namespace weft::detail {

struct TrialSize {
  Index rows, landmarks;  ///< at most
};
inline constexpr TrialSize kFirstTrial{4000, 500}, kSecondTrial{8000, 1000};

class LandmarkTrial {
 public:
  /// Chooses both. `fold` and `run` must outlive it.
  LandmarkTrial(MemberPlan plan, const Fold& fold, const TrialSize& size, const Run& run);

  const MemberPlan& plan() const { return plan_; }  ///< with what was chosen
  double error() const { return error_; }           ///< of all held-out rows; all rows and landmarks leave less
  /// Of the fit to so many rows with all landmarks, by the time that the sums took here.
  double expected_seconds(Index rows) const;

 private:
  struct AtBandwidth {
    LandmarkEquations equations;
    DeviceMatrix<double> cross;  // landmarks × held-out rows
  };
  double error_at(GridPoint point);
  const AtBandwidth& at_bandwidth(Index position);

  MemberPlan start_, plan_;
  TrialSize size_;
  const Fold* fold_;
  const Run* run_;
  LabelledRows part_;
  Matrix held_;  // inputs, transformed
  std::map<Index, AtBandwidth> known_ = {};
  double error_ = 0;
  double sums_seconds_ = 0;  // the longest
};

}  // namespace weft::detail
