// kernel, constants and families: the command against the library and against formulas worked out by hand.
#include <weft/feature_map.hpp>

#include "cli/run_weft.hpp"

#include <cmath>
#include <numbers>

#include <nlohmann/json.hpp>

namespace weft::testing {

namespace {

using nlohmann::json;

class ClosedForms : public WeftTest {};

TEST_F(ClosedForms, KernelIsTheLibrarys) {
  write("a.csv", "p,q\n0.25,1\n-1.5,0.5\n2,-0.125\n");
  write("b.csv", "q,p\n1,0.25\n3,-1\n");  // columns go by name
  const double rows_a[] = {0.25, -1.5, 2, 1, 0.5, -0.125};
  const double rows_b[] = {0.25, -1, 1, 3};
  for (const char* family : {"rw-sign", "rw-relu", "rw-exp-relu", "rks-cos", "rw-stumps"}) {
    SCOPED_TRACE(family);
    const FamilyOptions options{.family = family, .features = 1, .sigma = 0.5, .gamma = 2};
    const FeatureMap map = FeatureMap::draw(options, Inputs::plain(2));
    const auto expected = rows_of(map.implicit_kernel({rows_a, 2, 3}, {rows_b, 2, 2}));
    const Words command = {"kernel", "a.csv", "b.csv", "--family", family, "--sigma", "0.5", "--gamma", "2", "--out"};
    Words csv = command, npy = command, standard = command;
    csv.push_back("k.csv");
    npy.push_back("k.npy");
    standard.push_back("-");
    EXPECT_EQ(csv_numbers(weft_out(standard)), expected);
    weft_out(csv);
    weft_out(npy);
    EXPECT_EQ(csv_numbers(text("k.csv")), expected);
    EXPECT_EQ(npy_numbers(text("k.npy")), expected);
  }
}

// Under the tilted law of (u, w) the projections correlate by r = σ²/(σ²+γ²) and the mass is (1 + 2σ²/γ²)^(-n/2).
TEST_F(ClosedForms, KernelOfSigns) {
  write("a.csv", "p,q\n1,0\n");
  write("b.csv", "p,q\n3,0\n1,1\n0,2\n-1,0\n");
  const auto k =
      csv_numbers(weft_out({"kernel", "a.csv", "b.csv", "--family", "rw-sign", "--sigma", "1", "--gamma", "2"}));
  const double cosines[] = {1, std::sqrt(0.5), 0, -1};
  ASSERT_EQ(k.size(), 1u);
  ASSERT_EQ(k[0].size(), 4u);
  for (std::size_t j = 0; j < 4; ++j)
    EXPECT_NEAR(k[0][j], 2 / std::numbers::pi * std::asin(0.2 * cosines[j]) / 1.5, 1e-14) << j;
}

TEST_F(ClosedForms, UnionsHaveTheSumOfTheirKernels) {
  write("a.csv", "p,q\n0.25,1\n-1.5,0.5\n");
  const auto kernel = [&](const char* family) {
    return csv_numbers(weft_out({"kernel", "a.csv", "a.csv", "--family", family, "--gamma", "2"}));
  };
  const auto sum = kernel("rw-sign:3+rw-relu");
  const auto sign = kernel("rw-sign");
  const auto relu = kernel("rw-relu");
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j) EXPECT_DOUBLE_EQ(sum[i][j], sign[i][j] + relu[i][j]);
  EXPECT_EQ(kernel("auto").size(), 2u);
  const json constants = json::parse(weft_out({"constants", "--family", "auto", "--dim", "2", "--json"}));
  EXPECT_EQ(constants["gamma"].size(), 2u);
  EXPECT_EQ(
      json::parse(weft_out({"constants", "--family", "rw-sign:9+rw-relu", "--dim", "2", "--json"}))["gamma"].size(),
      2u);
}

TEST_F(ClosedForms, ConstantsOfSigns) {
  const json constants = json::parse(
      weft_out({"constants", "--family", "rw-sign", "--dim", "10", "--sigma", "1", "--gamma", "2", "--json"}));
  EXPECT_EQ(constants["family"], "rw-sign");
  EXPECT_EQ(constants["dim"], 10);
  EXPECT_EQ(constants["sigma"], 1.0);
  EXPECT_EQ(constants["gamma"], 2.0);
  const double theta = std::sqrt(std::pow(1.5, -5) * 2 / std::numbers::pi * std::asin(0.2));
  EXPECT_NEAR(constants["theta"], theta, 1e-13);
  EXPECT_GE(constants["theta_bound"], theta);
  EXPECT_NEAR(constants["kappa"], 1, 1e-13);
  EXPECT_NEAR(constants["tau"], 1, 1e-13);
}

TEST_F(ClosedForms, KappaOfTheExponentialKernel) {
  const json constants = json::parse(
      weft_out({"constants", "--family", "rw-exp-sign", "--dim", "3", "--sigma", "1", "--gamma", "2", "--json"}));
  EXPECT_NEAR(constants["kappa"], std::pow(0.75, -0.75), 1e-13);  // κ² = E exp(‖w‖²/2γ²) = (1 - σ²/γ²)^(-n/2)
  EXPECT_NEAR(constants["tau"], 1, 1e-13);
}

TEST_F(ClosedForms, ConstantsForPeople) {
  const std::string table = weft_out({"constants", "--family", "rw-sign", "--dim", "10", "--gamma", "2"});
  for (const char* word : {"theta", "kappa", "tau", "gamma", "exact", "the papers' bound"})
    EXPECT_NE(table.find(word), std::string::npos) << word;
}

TEST_F(ClosedForms, FamiliesListsEveryFamily) {
  const std::string table = weft_out({"families"});
  const json rows = json::parse(weft_out({"families", "--json"}));
  ASSERT_EQ(rows.size(), family_table().size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const FamilyRow& row = family_table()[i];
    EXPECT_EQ(rows[i]["name"], row.name);
    EXPECT_EQ(rows[i]["activation"], row.family.activation->name());
    EXPECT_EQ(rows[i]["kernel"], row.family.kernel.name());
    EXPECT_EQ(rows[i]["l2_gram"].is_null(), row.family.kernel.none());
    EXPECT_NE(table.find("\n" + row.name + " "), std::string::npos) << row.name;
    weft_out({"features", "builtin:moons:rows=3", "--family", row.name, "--features", "4"});
  }
}

}  // namespace

}  // namespace weft::testing
