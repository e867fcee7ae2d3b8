// What the lines of all theorems share: versions, the radii of the classes, and what follows from a gap.
#pragma once

#include "guarantee/applicability.hpp"

#include <functional>

namespace weft::detail {

class BoundLines {
 public:
  explicit BoundLines(const Facts& facts)
      : facts_(facts), applies_(facts), rows_(static_cast<double>(facts.sample.rows)) {}

 protected:
  using Gap = std::function<double(Index output, double rows)>;

  Index outputs() const { return facts_.model.outputs(); }
  double outputs_number() const { return static_cast<double>(outputs()); }
  double centred(double intercept, Index k) const;
  double intercept(Index k) const;
  /// δ is divided among the outputs and among the models that might have been chosen.
  double log_inverse() const;
  LossRange range(Index k) const;

  /// factor · norm_reach + intercept; the targets' radius is the unit of the grid.
  Reach rounded(Index k, double norm_reach, double factor, double intercept, const std::string& radius) const;
  /// The same with the model's intercept, and the share of δ that lines about the risk have.
  Reach total_reach(Index k, double norm_reach, double factor, const std::string& radius) const;
  Reach rkhs_reach(Index k, double theta, const std::string& radius) const;
  Reach square_reach(Index k, const std::string& radius) const;

  BoundLine blank(const std::string& name, const std::string& claim, const std::string& radius,
                  const std::string& theta) const;
  /// One line per radius and θ; `compute` fills those that apply.
  std::vector<BoundLine> by_theta(const std::string& name, const std::string& claim,
                                  const std::vector<const char*>& radii, const std::string& reason,
                                  const std::function<void(BoundLine&, double theta)>& compute) const;
  /// Gap, bound, and the rows that are asked for; of a risk what it says of errors too.
  void fill(BoundLine& line, double measured, const Gap& gap) const;
  /// A risk whose class has the complexity mean of complexity_reach/√m.
  void fill_risk(BoundLine& line, const Gap& gap, const Gap& complexity_reach) const;
  double mean_over_outputs(const Gap& value, double rows) const;

  const Facts& facts_;
  Applicability applies_;
  double rows_;

 private:
  /// The least number of rows for which this holds, gaps falling with the rows; none up to 1e30.
  std::optional<double> enough_rows(const std::function<bool(double)>& informative) const;
};

/// What every line assumes of the rows.
extern const char* const kRowsAssumed;

/// Equation 62 of Dubé & Marchand 2023, and Wang 2019.
std::vector<BoundLine> pruning_lines(const Facts& facts);
std::vector<BoundLine> wang_upper_lines(const Facts& facts);
std::vector<BoundLine> wang_lower_lines(const Facts& facts);

}  // namespace weft::detail
