#include "methods/local/trial_kernel.hpp"

#include "methods/local_case.hpp"

#include <gtest/gtest.h>

namespace weft {

using namespace detail;
using namespace testing_local;
namespace {

TEST(TrialKernel, ValuesOfOneBandwidthAfterAnotherAreThoseComputedAnew) {
  const auto rows = [](Index count, std::uint64_t seed) {
    return function_rows(
               4, count, [](const double*) { return 0.0; }, 0, seed)
        .x;
  };
  const Matrix x = rows(60, 1), held = rows(25, 2);
  using Make = Kernel (*)(double);
  for (const Make make :
       {Make([](double s) { return Kernel::laplace(s); }), Make([](double s) { return Kernel::rbf(s); }),
        Make([](double s) { return Kernel::laplace_l2(s, 0.5); }),
        Make([](double s) { return Kernel::laplace_l2(s, 1.4); })}) {
    TrialKernel trial;
    for (const double bandwidth : {1.0, 2.0, 0.25, 0.5, 0.7, 5.6, 1.4}) {
      const Kernel kernel = make(bandwidth);
      trial.use(kernel, x, held, {});
      const auto lower = trial.lower().view(), cross = trial.cross().view();
      for (Index i = 0; i < 60; ++i) {
        Matrix own(1, 60), other(1, 25), one(4, 1);
        for (Index j = 0; j < 4; ++j) one(j, 0) = x(j, i);
        kernel.values(one, x, own);
        kernel.values(one, held, other);
        for (Index k = 0; k <= i; ++k) EXPECT_NEAR(lower(i, k), own(0, k), 1e-5) << bandwidth;
        for (Index k = 0; k < 25; ++k) EXPECT_NEAR(cross(i, k), other(0, k), 1e-5) << bandwidth;
      }
    }
  }
}

}  // namespace
}  // namespace weft
