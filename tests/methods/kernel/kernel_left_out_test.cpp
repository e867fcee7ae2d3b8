// Leave-one-out scores of exact kernel ridge regression against dense fits without each row.
#include "methods/kernel/kernel_left_out.hpp"

#include "data/expect_error.hpp"
#include "methods/kernel_case.hpp"

#include <gtest/gtest.h>

namespace weft {

using namespace detail;
namespace {

using namespace testing_rows;

LeftOutPath left_out(const KernelCase& c) {
  const FittedMap all = c.landmarks();
  return kernel_left_out({all.map, c.rows, Task::regression, c.options, c.family, c.run});
}

void expect_refits(const KernelCase& c, const LeftOutPath& path, std::size_t k) {
  const Index outputs = c.rows.outputs();
  for (Index i = 0; i < c.rows.rows(); ++i) {
    Matrix x(c.rows.x.rows(), 1);
    for (Index j = 0; j < x.rows(); ++j) x(j, 0) = c.rows.x(j, i);
    const RowMatrix truth = dense_predictions(c, path.lambdas[k] * total_weight(c), x, i);
    for (Index o = 0; o < outputs; ++o)
      EXPECT_NEAR(path.scores(static_cast<Index>(k) * outputs + o, i), truth(0, o), 1e-8) << path.lambdas[k];
  }
}

TEST(KernelLeftOut, EqualsRefitsAlongThePath) {
  for (const bool intercept : {true, false}) {
    KernelCase c = KernelCase::smooth(30, 2);
    c.options.intercept = intercept;
    c.add_weights();
    const LeftOutPath path = left_out(c);
    ASSERT_TRUE(path.complete);
    ASSERT_EQ(path.scores.rows(), 2 * static_cast<Index>(path.lambdas.size()));
    EXPECT_TRUE(std::is_sorted(path.lambdas.rbegin(), path.lambdas.rend()));
    for (const std::size_t k : {0U, 5U, 10U}) expect_refits(c, path, k);
    c.options.lambda = 3e-3;
    const LeftOutPath one = left_out(c);
    ASSERT_EQ(one.lambdas, std::vector<double>{3e-3});
    expect_refits(c, one, 0);
  }
}

TEST(KernelLeftOut, OneRowOrNoTimeGivesNoPath) {
  const KernelCase one = KernelCase::smooth(1);
  testing::expect_error([&] { left_out(one); }, ErrorKind::data, {"lambda", "too few rows"});
  KernelCase late = KernelCase::smooth(30);
  late.run.started = Run::Clock::now() - std::chrono::seconds(5);
  late.run.max_seconds = 1;
  EXPECT_FALSE(left_out(late).complete);
  late.options.lambda = 0.1;
  EXPECT_FALSE(left_out(late).complete);
}

}  // namespace
}  // namespace weft
