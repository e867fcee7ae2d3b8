#include "objective/lambda_path.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace weft {

using namespace detail;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The path over 1, 2, 3, … with these errors.
LambdaPath follow(const std::vector<double>& errors, const PathRule& rule, std::vector<double>* better = nullptr) {
  std::vector<double> lambdas;
  for (std::size_t k = 0; k < errors.size(); ++k) lambdas.push_back(static_cast<double>(k + 1));
  return follow_path(
      lambdas, rule,
      [&](double lambda) -> std::optional<double> { return errors[static_cast<std::size_t>(lambda) - 1]; },
      [&](double lambda) {
        if (better != nullptr) better->push_back(lambda);
      });
}

TEST(LambdaPath, EndsByItsRule) {
  EXPECT_EQ(follow({3, 2, 4, 5, 1}, {}).errors.size(), 5U);
  EXPECT_EQ(follow({3, 2, 4, 5, 1}, {.patience = 2}).errors.size(), 4U);
  EXPECT_EQ(follow({3, 2, 2.1, 2.3, 1}, {.rise = 1.1}).errors.size(), 4U);
  EXPECT_EQ(follow({3, 2.99, 2.98, 1}, {.patience = 2, .worthwhile = 0.9}).errors.size(), 3U);
}

TEST(LambdaPath, TellsOfEveryBetterLambda) {
  std::vector<double> better;
  follow({3, kInfinity, 2, 2.5, 1.99, 1}, {.worthwhile = 0.9}, &better);
  EXPECT_EQ(better, (std::vector<double>{1, 3, 6}));
}

TEST(LambdaPath, ChoosesTheLeastOrTheLargestThatIsAsGood) {
  const LambdaPath path = follow({5, 2.003, 2, 3}, {});
  EXPECT_EQ(path.least(), 2U);
  EXPECT_EQ(path.largest_good(), 1U);
  EXPECT_EQ(follow({std::nan(""), 2, 2}, {}).least(), 1U);
  EXPECT_FALSE(follow({kInfinity, std::nan("")}, {}).least());
  EXPECT_FALSE(follow({kInfinity, kInfinity}, {}).largest_good());
}

TEST(LambdaPath, EndsWithTheTime) {
  int calls = 0;
  const LambdaPath path = follow_path(geometric_path(8, 0.5, 4), {}, [&](double lambda) -> std::optional<double> {
    return ++calls < 3 ? std::optional(lambda) : std::nullopt;
  });
  EXPECT_TRUE(path.stopped);
  EXPECT_EQ(path.lambdas, (std::vector<double>{8, 4}));
  EXPECT_EQ(path.least(), 1U);
  EXPECT_FALSE(follow({1}, {}).stopped);
}

}  // namespace
}  // namespace weft
