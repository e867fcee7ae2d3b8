// A Problem and everything it refers to, for tests of fits that compute their objective from the rows.
#pragma once

#include "methods/table_rows.hpp"

#include <gtest/gtest.h>
#include <Eigen/Core>

namespace weft::testing {

using namespace detail;

using testing_rows::sectors;
using testing_rows::TableRows;
using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct FitCase {
  TableRows rows;
  Task task = Task::regression;
  FamilyOptions family;
  FitOptions options;
  Run run;
  FeatureMap map;

  FitCase(TableRows rows_, Task task_, Index features, const std::string& name)
      : rows(std::move(rows_)), task(task_), family(family_options(features, name)), map(draw()) {
    run.threads = 1;
  }
  static FamilyOptions family_options(Index features, const std::string& name) {
    FamilyOptions family;
    family.family = name;
    family.features = features;
    family.gamma = 2.0;
    return family;
  }
  Inputs inputs() const { return Inputs::plain(rows.x.rows() - 1, true); }
  FeatureMap draw() const { return FeatureMap::draw(family, inputs()); }
  Problem problem() const { return {map, rows, task, options, family, run}; }

  double weight(Index i) const { return rows.weights.empty() ? 1 : rows.weights[static_cast<std::size_t>(i)]; }
  Dense features(const FeatureMap& of) const {  // features × rows
    Dense values(of.features(), rows.rows());
    of.smoothings(rows.x, View<double>(values.data(), values.rows(), values.cols()));
    return values;
  }
};

inline double number(const FitReport& report, const std::string& name) {
  const std::optional<double> value = report.number(name);
  EXPECT_TRUE(value) << "no " << name << " in the report";
  return value.value_or(0);
}

inline std::string word(const FitReport& report, const std::string& name) {
  for (const auto& [key, value] : report.words)
    if (key == name) return value;
  return "";
}

}  // namespace weft::testing
