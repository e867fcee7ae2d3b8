#include "train/search/search_space.hpp"

#include "methods/method.hpp"

#include <gtest/gtest.h>

namespace weft {

using namespace detail;
namespace {

FamilyOptions named_family(const std::string& name) {
  FamilyOptions options;
  options.family = name;
  return options;
}

TEST(SearchSpace, DrawsFromTheRangesOfThePapers) {
  TuneOptions options;
  options.configurations = 200;
  options.lambdas = 1;
  for (const char* name : {"rw-sign", "rw-exp-relu", "rw-exp-sign", "rw-stumps", "rks-cos", "auto"}) {
    const std::vector<Candidate> all = candidates(named_family(name), {}, options);
    ASSERT_EQ(all.size(), 200U);
    EXPECT_EQ(all[0].family.sigma, 1);  // the library's own choice comes first
    double low = 1e9;
    double high = 0;
    for (std::size_t k = 1; k < all.size(); ++k) {
      low = std::min<double>(low, all[k].family.sigma);
      high = std::max<double>(high, all[k].family.sigma);
      const bool plain = std::string(name) == "rks-cos";
      const bool exponential = std::string(name).find("exp") != std::string::npos;
      EXPECT_EQ(all[k].family.kappa.has_value(), exponential);
      EXPECT_EQ(all[k].family.gamma.has_value(), std::string(name) == "rw-stumps");
      EXPECT_EQ(all[k].family.theta.has_value(), !plain && !exponential && std::string(name) != "rw-stumps");
      if (all[k].family.theta) {
        EXPECT_GE(*all[k].family.theta, 0.01);
        EXPECT_LE(*all[k].family.theta, 0.9);
      }
      const bool norm = !plain && std::string(name) != "auto";
      EXPECT_GE(*all[k].lambda, norm ? 1e-12 : 1e-5);
      EXPECT_LE(*all[k].lambda, norm ? 1e-4 : 1e-3);
    }
    EXPECT_GE(low, 0.01);
    EXPECT_LT(low, 0.02);
    EXPECT_LE(high, 10);
    EXPECT_GT(high, 5);
  }
}

TEST(SearchSpace, MoreConfigurationsBeginWithTheSame) {
  TuneOptions few;
  few.configurations = 5;
  TuneOptions many;
  many.configurations = 9;
  const auto some = candidates(named_family("rw-relu"), {}, few);
  const auto all = candidates(named_family("rw-relu"), {}, many);
  for (std::size_t k = 0; k < some.size(); ++k) {
    EXPECT_EQ(some[k].family.sigma, all[k].family.sigma);
    EXPECT_EQ(some[k].family.theta, all[k].family.theta);
  }
}

TEST(SearchSpace, GridHasLevelsAndEnds) {
  TuneOptions options;
  options.search = SearchStrategy::grid;
  options.configurations = 20;
  options.sigma_range = "0.1:10";
  const auto all = candidates(named_family("rw-relu"), {}, options);
  ASSERT_EQ(all.size(), 16U);
  EXPECT_NEAR(all.front().family.sigma, 0.1, 1e-12);
  EXPECT_NEAR(all.back().family.sigma, 10, 1e-12);
  EXPECT_NEAR(*all.back().family.theta, 0.9, 1e-12);
}

TEST(SearchSpace, WhatIsGivenIsNotSearched) {
  FamilyOptions given = named_family("rw-relu");
  given.sigma = 2;
  given.gamma = 3;
  const auto all = candidates(given, {}, {});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].family.sigma, 2);
  EXPECT_EQ(all[0].family.gamma, 3);
}

TEST(SearchSpace, WhatIsGivenAtItsDefaultIsNotSearched) {
  FamilyOptions given = named_family("rks-cos");
  given.sigma = 1;
  EXPECT_EQ(candidates(given, {}, {}).size(), 1U);
  given.sigma = default_value(1);
  EXPECT_GT(candidates(given, {}, {}).size(), 1U);
  TuneOptions ranges;  // a range that is given has no preset configuration, even at its default
  ranges.sigma_range = *TuneOptions{}.sigma_range;
  EXPECT_NE(candidates(given, {}, ranges)[0].family.sigma, 1);
}

TEST(SearchSpace, KernelMachinesHaveABandwidthOrTheNumbersOfTheirFamily) {
  TuneOptions options;
  options.configurations = 200;
  FitOptions ridge;
  ridge.method = KernelRidgeOptions{};
  const auto widths = candidates({}, ridge, options, 2.0);
  ASSERT_EQ(widths.size(), 200U);
  EXPECT_EQ(widths[0].bandwidth, 2);  // the rows' own comes first
  double low = 1e9;
  double high = 0;
  for (const Candidate& candidate : widths) {
    low = std::min(low, *candidate.bandwidth);
    high = std::max(high, *candidate.bandwidth);
    EXPECT_EQ(candidate.family.sigma, FamilyOptions{}.sigma);
    EXPECT_FALSE(candidate.lambda);
    EXPECT_EQ(std::stod(*own_value<std::string>(with_choice(ridge, {}, candidate.bandwidth).method, "bandwidth")),
              *candidate.bandwidth);
  }
  EXPECT_GE(low, 0.2);
  EXPECT_LT(low, 0.3);
  EXPECT_LE(high, 20);
  EXPECT_GT(high, 13);
  EXPECT_EQ(candidates({}, ridge, options).size(), 1U);  // given, or a kernel without one
  options.lambdas = 1;
  for (const Candidate& candidate : candidates({}, ridge, options)) {
    EXPECT_GE(candidate.lambda.value(), 1e-12);
    EXPECT_LE(candidate.lambda.value(), 1e-4);
  }
  ridge.method = KernelRidgeOptions{.kernel = "implicit:rw-relu"};
  const auto limits = candidates({}, ridge, options);
  EXPECT_EQ(limits.size(), 200U);
  EXPECT_TRUE(limits[1].family.theta);
  EXPECT_FALSE(limits[1].bandwidth);
  options.bandwidth_range = "3:1";
  EXPECT_THROW(candidates({}, ridge, options, 1.0), Error);
}

TEST(SearchSpace, LearnedActivationsHaveALambdaEach) {
  FitOptions fit;
  fit.method = LearnedActivationOptions{};
  const auto all = candidates(named_family("rks-relu"), fit, {});
  EXPECT_FALSE(all[0].lambda);  // the library's own choice: by the fit
  for (std::size_t k = 1; k < all.size(); ++k) {
    ASSERT_TRUE(all[k].lambda);
    EXPECT_GE(*all[k].lambda, 1e-8);
    EXPECT_LE(*all[k].lambda, 1e-3);
  }
  EXPECT_NE(*all[1].lambda, *all[2].lambda);
  TuneOptions one;
  one.lambdas = 1;
  EXPECT_TRUE(candidates(named_family("rks-relu"), fit, one)[0].lambda);
  fit.lambda = 1e-3;
  EXPECT_EQ(candidates(named_family("rks-relu"), fit, {})[1].lambda, 1e-3);
}

// Ma et al. 2025, eq. 8, has no λ: none is drawn, whatever the search has for other fits.
TEST(SearchSpace, TheBalancedObjectiveHasNoLambdaToSearch) {
  FitOptions fit;
  fit.method = LearnedActivationOptions{.objective = LearnedObjective::balanced};
  TuneOptions one;
  one.lambdas = 1;
  for (const TuneOptions& options : {TuneOptions{}, one})
    for (const Candidate& candidate : candidates(named_family("rks-relu"), fit, options))
      EXPECT_FALSE(candidate.lambda) << candidate.number;
  FamilyOptions given = named_family("rks-relu");
  given.sigma = 1;
  EXPECT_EQ(candidates(given, fit, {}).size(), 1U);  // nothing is left to search
  TuneOptions range;
  range.lambda_range = "1e-8:1e-3";
  EXPECT_THROW(check_ranges({named_family("rks-relu")}, fit, range, false), Error);
}

TEST(SearchSpace, BadRangesAreNamed) {
  TuneOptions options;
  for (const char* range : {"", "1", "a:b", "2:1", "0:1", "1:2:3", "-1:1", "1:inf"}) {
    options.sigma_range = range;
    EXPECT_THROW(candidates(named_family("rw-relu"), {}, options), Error) << range;
  }
  options.sigma_range = "1:1";
  EXPECT_EQ(candidates(named_family("rw-relu"), {}, options)[3].family.sigma, 1);
}

}  // namespace
}  // namespace weft
