// What the tests of the logistic fit share.
#pragma once

#include "methods/newton/logistic.hpp"
#include "methods/newton/newton_objective.hpp"

#include "methods/fit_case.hpp"

namespace weft::testing_logistic {

using namespace detail;

using testing::Dense;
using testing::sectors;
using testing::TableRows;
using Vector = Eigen::VectorXd;

struct Case : testing::FitCase {
  Case(TableRows rows_, Task task_, Index features = 30, const std::string& name = "rw-relu")
      : FitCase(std::move(rows_), task_, features, name) {
    options.lambda = 1e-3;
    own().tolerance = 1e-24;
  }
  LogisticOptions& own() { return options.use<LogisticOptions>(); }
  Dense phi() const { return features(map); }
  Dense penalty(double& lambda) const {
    const Penalty made = make_penalty(map, options.own<LogisticOptions>().regularizer, run);
    lambda = made.effective(*options.lambda);
    if (made.identity()) return Dense::Identity(map.features(), map.features());
    return Eigen::Map<const Dense>(made.matrix.data(), map.features(), map.features());
  }
};

inline double number(const FitResult& result, const std::string& name) {
  return testing::number(result.report, name);
}

inline std::string word(const FitResult& result, const std::string& name) {
  return testing::word(result.report, name);
}

/// Scores on the training rows: what has to agree, whatever the conditioning of the coefficients.
inline Dense scores(const Case& c, const FitResult& result) {
  const Eigen::Map<const Dense> b(result.coefficients.data(), c.map.features(), c.rows.outputs());
  Dense f = b.transpose() * c.phi();
  for (Index k = 0; k < f.rows(); ++k) f.row(k).array() += result.intercepts[static_cast<std::size_t>(k)];
  return f;
}

}  // namespace weft::testing_logistic
