// What the tests of the logistic fit share.
#pragma once

#include "fit/logistic_objective.hpp"

#include "fit/table_rows.hpp"

#include <gtest/gtest.h>
#include <cstdio>
#include <Eigen/Dense>

namespace weft::testing_logistic {

using testing_rows::sectors;
using testing_rows::TableRows;
using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

/// Everything a Problem refers to.
struct Case {
  TableRows rows;
  Task task = Task::binary;
  FamilyOptions family;
  FitOptions options;
  Run run;
  FeatureMap map;

  Case(TableRows rows_, Task task_, Index features = 30, const std::string& name = "rw-relu")
      : rows(std::move(rows_)), task(task_), family(family_options(features, name)), map(draw()) {
    options.fit = "logistic";
    options.lambda = 1e-3;
    options.tolerance = 1e-24;
    run.threads = 1;
  }
  static FamilyOptions family_options(Index features, const std::string& name) {
    FamilyOptions family;
    family.family = name;
    family.features = features;
    family.gamma = 2.0;
    return family;
  }
  FeatureMap draw() const { return FeatureMap::draw(family, Inputs::plain(rows.x.rows() - 1, true)); }
  Problem problem() const { return {map, rows, task, options, family, run}; }

  Dense phi() const {  // features × rows
    Dense values(map.features(), rows.rows());
    map.smoothings(rows.x, View<double>(values.data(), values.rows(), values.cols()));
    return values;
  }
  Dense penalty(double& lambda) const {
    const Penalty made = make_penalty(map, options.regularizer, run);
    lambda = made.effective(*options.lambda);
    if (made.identity()) return Dense::Identity(map.features(), map.features());
    return Eigen::Map<const Dense>(made.matrix.data(), map.features(), map.features());
  }
  double weight(Index i) const { return rows.weights.empty() ? 1 : rows.weights[static_cast<std::size_t>(i)]; }
};

inline double number(const FitResult& result, const std::string& name) {
  for (const auto& [key, value] : result.report.numbers)
    if (key == name) return value;
  ADD_FAILURE() << "no " << name << " in the report";
  return 0;
}

inline std::string word(const FitResult& result, const std::string& name) {
  for (const auto& [key, value] : result.report.words)
    if (key == name) return value;
  return "";
}
/// Scores on the training rows: what has to agree, whatever the conditioning of the coefficients.
inline Dense scores(const Case& c, const FitResult& result) {
  const Eigen::Map<const Dense> b(result.coefficients.data(), c.map.features(), c.rows.outputs());
  Dense f = b.transpose() * c.phi();
  for (Index k = 0; k < f.rows(); ++k) f.row(k).array() += result.intercepts[static_cast<std::size_t>(k)];
  return f;
}

}  // namespace weft::testing_logistic
