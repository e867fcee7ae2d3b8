// Effects on a known function.
#include <weft/explain.hpp>
#include <weft/fit.hpp>

#include "model/sample_members.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(VariableImportance, VariablesOfAKnownFunction) {
  // friedman1 uses its first five variables and no other.
  FamilyOptions family;
  family.features = 150;
  const Data data = generate("friedman1", {.rows = 1500, .noise = 0});
  const VariableImportance found = variable_importance(fit({data, family}), data);
  EXPECT_EQ(found.rows, 1000);
  ASSERT_EQ(found.variables.size(), 10U);
  std::vector<std::string> best;
  for (std::size_t v = 0; v < 5; ++v) best.push_back(found.variables[v].name);
  std::sort(best.begin(), best.end());
  EXPECT_EQ(best, (std::vector<std::string>{"x0", "x1", "x2", "x3", "x4"}));
}

TEST(VariableImportance, EffectOfStumpsIsTheSpreadOfTheirFunction) {
  // y = 3·sign(a) + sign(b): the functions have standard deviations 3 and 1.
  Matrix x(1000, 2), y(1000, 1);
  for (Index i = 0; i < 1000; ++i) {
    x(i, 0) = i % 2 == 0 ? -1 : 1;
    x(i, 1) = i / 2 % 2 == 0 ? -1 : 1;
    y(i, 0) = 3 * x(i, 0) + x(i, 1);
  }
  FamilyOptions family;
  family.family = "rw-stumps";
  family.gamma = 1;
  family.features = 40;
  FitOptions options;
  options.lambda = 1e-9;
  EncodeOptions encode;
  encode.scale = Scaling::none;
  encode.task = TargetKind::regression;
  const Data data = array(x, y);
  const VariableImportance found = variable_importance(fit({data, family, options, encode}), data);
  EXPECT_NEAR(found.variables[0].effect, 3, 0.15);
  EXPECT_NEAR(found.variables[1].effect, 1, 0.05);
}

TEST(VariableImportance, OfMembersIsThatOfTheirSum) {
  // One member that is the whole model, and the same in two halves.
  const ModelParts whole = testing::sample_parts("y");
  const Data data = testing::sample_data(300, "y");
  const VariableImportance expected = variable_importance(Model(whole), data);
  ModelParts parts = whole;
  parts.map = FeatureMap::from_parts({}, whole.encoder.inputs());
  parts.coefficients = {};
  parts.members.resize(2, {"half", 0.5, {}, {}, {{whole.map, whole.coefficients, {3}}}});
  const VariableImportance found = variable_importance(Model(parts), data);
  ASSERT_EQ(found.variables.size(), expected.variables.size());
  for (std::size_t v = 0; v < found.variables.size(); ++v) {
    EXPECT_EQ(found.variables[v].name, expected.variables[v].name);
    EXPECT_NEAR(found.variables[v].effect, expected.variables[v].effect, 1e-12);
  }
}

TEST(VariableImportance, ACategoryIsOneVariable) {
  const Model model(testing::sample_parts("y"));
  const VariableImportance found = variable_importance(model, testing::sample_data(60, "y"), {.rows = 30});
  EXPECT_EQ(found.rows, 30);
  std::vector<std::string> names;
  for (const auto& variable : found.variables) names.push_back(variable.name);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b", "city"}));
  EXPECT_GE(found.variables[0].effect, found.variables[1].effect);
}

TEST(VariableImportance, WithoutRowsItThrows) {
  const Model model(testing::sample_parts("y"));
  EXPECT_THROW(variable_importance(model, select_rows(testing::sample_data(60, "y"), [](Index) { return false; })),
               Error);
}

}  // namespace
}  // namespace weft
