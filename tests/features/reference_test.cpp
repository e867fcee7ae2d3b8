// Every value of the first-principles reference (30-digit quadrature) to 1e-12 relative.
#include "paths.hpp"

#include <weft/feature_map.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include <nlohmann/json.hpp>

namespace weft {
namespace {

std::string family_name(const std::string& kernel, const std::string& activation) {
  if (activation == "stump") return "rw-stumps";
  return (kernel == "gauss" ? "rw-" : "rw-exp-") + activation;
}

TEST(Reference, EveryExpectedFeature) {
  std::ifstream file(testing::tests_folder() + "/features/expected_features.json");
  const nlohmann::json rows = nlohmann::json::parse(file);
  ASSERT_EQ(rows.size(), 117u);
  for (const auto& row : rows) {
    const auto u = row["u"].get<std::vector<double>>();
    const auto x = row["x"].get<std::vector<double>>();
    FamilyOptions options;
    options.family = family_name(row["kernel"], row["activation"]);
    options.sigma = row["sigma"];
    options.gamma = row["gamma"].get<double>();
    options.phase = row["phase"].get<double>();
    const auto map = FeatureMap::from_table(options, Inputs::plain(static_cast<Index>(x.size())),
                                            {u.data(), 1, static_cast<Index>(u.size())});
    double phi = 0;
    map.values({x.data(), static_cast<Index>(x.size()), 1}, View<double>(&phi, 1, 1));
    const double sign = row["sign"];
    const double log10_abs = std::stod(row["log10_abs"].get<std::string>());
    EXPECT_EQ(phi > 0 ? 1 : -1, sign) << row.dump();
    // d log10 = relative error / ln 10.
    EXPECT_NEAR(std::log10(std::abs(phi)), log10_abs, 1e-12 / std::log(10.0)) << row.dump();
  }
}

}  // namespace
}  // namespace weft
