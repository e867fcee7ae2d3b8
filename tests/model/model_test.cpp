#include <weft/model.hpp>

#include <gtest/gtest.h>

#include <cmath>

#include "data/expect_error.hpp"
#include "model/sample_models.hpp"

namespace weft::testing {

using namespace detail;
namespace {

// aᵀRa with a = b / A and the raw matrix: good where no amplitude underflows.
double plain_norm(const ModelParts& parts, const Matrix& gram, Index output) {
  const std::vector<double> logs = parts.map.log_amplitudes();
  const auto a = [&](Index t) { return parts.coefficients(t, output) / std::exp(logs[static_cast<std::size_t>(t)]); };
  double sum = 0;
  for (Index s = 0; s < gram.rows(); ++s)
    for (Index t = 0; t < gram.rows(); ++t) sum += a(s) * a(t) * gram(s, t);
  return std::sqrt(sum);
}

TEST(Model, NormsAreThoseOfTheGramMatrices) {
  for (const char* family : {"rw-relu", "rw-stumps", "rw-exp-sign", "rw-relu/sparse:2:20+rw-sign:20"}) {
    const ModelParts parts = sample_parts("y,z", sample_family(family));
    const Model model(parts);
    for (const Index k : {0, 1}) {
      const double rkhs = plain_norm(parts, parts.map.gram(), k);
      const double l2p = plain_norm(parts, parts.map.l2_gram(), k);
      EXPECT_NEAR(model.rkhs_norm(k), rkhs, 1e-9 * rkhs) << family;
      EXPECT_NEAR(model.l2p_norm(k).value(), l2p, 1e-9 * l2p) << family;
    }
  }
}

TEST(Model, PlainFeaturesHaveTheNormOfTheirCoefficients) {
  const ModelParts parts = sample_parts("y", sample_family("rks-cos"));
  double squares = 0;
  for (Index t = 0; t < 40; ++t) squares += parts.coefficients(t, 0) * parts.coefficients(t, 0);
  EXPECT_NEAR(Model(parts).rkhs_norm(0), std::sqrt(squares), 1e-14);
  EXPECT_FALSE(Model(parts).l2p_norm(0).has_value());
}

TEST(Model, NormsOutliveAmplitudesThatUnderflow) {
  FamilyOptions family = sample_family("rw-sign", 1);
  family.gamma = 1e-100;
  ModelParts parts = sample_parts("y", family);
  const double log_amplitude = parts.map.log_amplitudes()[0];
  ASSERT_LT(log_amplitude, std::log(5e-324));
  parts.coefficients(0, 0) = 1e-300;
  // K(w, w) = 1: the norm is b / A.
  EXPECT_NEAR(std::log(Model(parts).rkhs_norm(0)), std::log(1e-300) - log_amplitude, 1e-9);
  parts.coefficients(0, 0) = 0;
  EXPECT_EQ(Model(parts).rkhs_norm(0), 0);
}

TEST(Model, RefusesPartsThatDoNotFit) {
  const auto refuse = [](auto&& spoil) {
    ModelParts parts = sample_parts("yes");
    spoil(parts);
    expect_error([&] { Model model(parts); }, ErrorKind::model, {"inconsistent"});
  };
  refuse([](ModelParts& parts) { parts.coefficients = Matrix(39, 1); });
  refuse([](ModelParts& parts) { parts.coefficients = Matrix(40, 2); });
  refuse([](ModelParts& parts) { parts.intercepts.push_back(0); });
  refuse([](ModelParts& parts) { parts.calibration.slope = {1}; });
  refuse([](ModelParts& parts) { parts.variance_factor = Matrix(40, 40); });
  refuse([](ModelParts& parts) { parts.map = FeatureMap::draw(sample_family(), Inputs::plain(3)); });
  refuse([](ModelParts& parts) { parts.encoder = Encoder::fit(sample_data(60, ""), {}); });
}

TEST(FitReport, KeepsTheOrderAndTheLastValue) {
  FitReport report;
  report.set("lambda", 1.0);
  report.set("mse", 2.0);
  report.set("lambda", 3.0);
  report.set("stopped", "early");
  ASSERT_EQ(report.numbers.size(), 2U);
  EXPECT_EQ(report.numbers[0].first, "lambda");
  EXPECT_EQ(report.number("lambda"), 3.0);
  EXPECT_EQ(report.number("mse"), 2.0);
  EXPECT_FALSE(report.number("stopped").has_value());
  EXPECT_EQ(report.words[0].second, "early");
}

}  // namespace
}  // namespace weft::testing
