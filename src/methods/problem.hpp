// What a fitting algorithm is given and what it returns. An algorithm sees blocks of numbers: no files, no encoders.
#pragma once

#include <weft/fit_options.hpp>
#include <weft/model.hpp>
#include <weft/run.hpp>

#include "data/rows/block_source.hpp"
#include "methods/scored_rows.hpp"

#include <optional>
#include <vector>

namespace weft::detail {

struct Problem {
  const FeatureMap& map;
  const BlockSource& rows;
  Task task;
  const FitOptions& options;
  const FamilyOptions& family;
  const Run& run;
  /// Landmarks drawn by leverage: the number of rows each stands for, over their mean number; empty: all alike.
  std::vector<double> shares = {};
  /// What the inputs hold; empty where the method did not ask.
  std::vector<ColumnKind> columns = {};
  /// Those of one job, which have all rows and fit the same: a method may share its work out (Method::shares_work).
  Communicator* processes = nullptr;
};

struct FitResult {
  Matrix coefficients;             ///< features × outputs, of the smoothings
  std::vector<double> intercepts;  ///< outputs
  bool probabilistic = false;
  FittedLoss loss = {};  ///< as in ModelParts
  Calibration calibration;
  Matrix variance_factor;  ///< these four as in ModelParts
  std::vector<double> variance_means;
  double intercept_variance = 0;
  std::vector<double> noise;
  LeftOut left_out;  ///< what intervals are computed from; empty: the method has none
  FitReport report;
  std::vector<Member> members = {};    ///< as in ModelParts
  std::vector<double> relevance = {};  ///< likewise
  std::optional<FeatureMap> map = {};  ///< what the coefficients belong to, where it is not the problem's
};

}  // namespace weft::detail
